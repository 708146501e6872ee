import type * as Argon2 from '@node-rs/argon2'
import { beforeEach, expect, test, vi } from 'vitest'
import { cookieOf, ownerOf } from '../../support/clients.ts'
import { acme, alongside, as, deps, globex, useService, workspace } from '../../support/service.ts'

/** Counts the hashes that are made; every one is made all the same. */
const { made } = vi.hoisted(() => ({ made: { hashes: 0 } }))
vi.mock('@node-rs/argon2', async (original) => {
  const argon2 = await original<typeof Argon2>()
  const hash: typeof argon2.hash = (...args) => {
    made.hashes += 1
    return argon2.hash(...args)
  }
  return { ...argon2, hash }
})

useService()
beforeEach(() => {
  made.hashes = 0
})

const PASSWORD = 'sate ayam madura'
let count = 0
const someone = (body: object = {}) => ({
  email: `someone${(count += 1)}@example.com`,
  name: 'Siti',
  role: 'CASHIER',
  password: PASSWORD,
  ...body,
})
const signedUp = async () => {
  const { email } = someone()
  expect((await as(null).post('/auth/signup', { email, password: PASSWORD })).status).toBe(201)
  return email
}

test('a password for a member that does not exist, or an address that is taken, is never hashed', async () => {
  const { email } = (await acme().post('/members', someone())).data.member
  const { id } = (await globex().post('/members', someone())).data.member
  const owner = await ownerOf(acme())
  made.hashes = 0
  const answers = [
    await owner.patch('/members/usr_1', { password: PASSWORD }),
    await owner.patch(`/members/${id}`, { password: PASSWORD }),
    await acme().post('/members', someone({ email })),
  ]
  expect(answers.map((answer) => answer.status)).toEqual([404, 404, 409])
  expect(made.hashes).toBe(0)
})

test('a repeat of a write with a password is answered without another hash', async () => {
  const body = someone()
  const { id } = (await acme().post('/members', body, { idempotencyKey: 'add' })).data.member
  const owner = await ownerOf(acme())
  const patch = { password: 'rendang padang' }
  await owner.patch(`/members/${id}`, patch, { idempotencyKey: 'change' })
  made.hashes = 0
  const again = [
    await acme().post('/members', body, { idempotencyKey: 'add' }),
    await owner.patch(`/members/${id}`, patch, { idempotencyKey: 'change' }),
  ]
  expect(again.map((answer) => [answer.status, answer.headers.get('idempotent-replayed')])).toEqual([
    [201, 'true'],
    [200, 'true'],
  ])
  expect(made.hashes).toBe(0)
})

test('50 sends of one new member at once have one effect, 50 equal answers and one hash', async () => {
  const body = someone()
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => acme().post('/members', body, { idempotencyKey: 'fifty' })),
  )
  expect(new Set(answers.map((answer) => `${answer.status} ${JSON.stringify(answer.data)}`)).size).toBe(1)
  expect(answers[0]?.status).toBe(201)
  expect(made.hashes).toBeLessThan(5)
})

test('a workspace that sets passwords in a flood refuses nobody a sign-in, and goes first nowhere', async () => {
  const noisy = await workspace()
  const { id } = (await noisy.post('/members', someone())).data.member
  const owner = await ownerOf(noisy)
  const email = await signedUp()
  const done: string[] = []
  const flood = Array.from({ length: 50 }, async () => {
    const { status } = await owner.patch(`/members/${id}`, { password: PASSWORD })
    done.push('flood')
    return status
  })
  const entered = await as(null).post('/auth/login', { email, password: PASSWORD })
  done.push('sign-in')
  const other = await globex().post('/members', someone())
  done.push('other workspace')
  expect([entered.status, other.status]).toEqual([200, 201])
  expect(new Set(await Promise.all(flood))).toEqual(new Set([200]))
  expect(done.indexOf('other workspace')).toBeLessThan(30)
})

test('a workspace has a budget of 60 passwords at once; beyond it is 429 with Retry-After for it alone', async () => {
  const noisy = await workspace()
  const { id } = (await noisy.post('/members', someone())).data.member
  const owner = await ownerOf(noisy)
  const setPassword = () => owner.patch(`/members/${id}`, { password: PASSWORD })
  // The budget grows by ten a second: a busy machine would send nobody too early.
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    const answers = await Promise.all(Array.from({ length: 69 }, setPassword))
    const refused = answers.filter((answer) => answer.status !== 200)
    expect(refused.map((answer) => [answer.status, answer.error.code])).toEqual(
      Array(10).fill([429, 'RATE_LIMITED']),
    )
    expect(refused[0]?.headers.get('retry-after')).toBe('1')
    expect((await globex().post('/members', someone())).status).toBe(201)
    vi.advanceTimersByTime(1000)
    expect((await setPassword()).status).toBe(200)
  } finally {
    vi.useRealTimers()
  }
})

test('50 sign-ins at once, as at the start of a shift, all come in', async () => {
  const email = await signedUp()
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => as(null).post('/auth/login', { email, password: PASSWORD })),
  )
  expect(answers.map((answer) => answer.status)).toEqual(Array(50).fill(200))
  expect(new Set(answers.map(cookieOf)).size).toBe(50)
})

test('of 50 guesses at once through two processes ten are checked, and not one more', async () => {
  const email = await signedUp()
  const there = await alongside()
  try {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        (n % 2 === 0 ? as(null) : there.as('')).post('/auth/login', { email, password: `guess ${n}` }),
      ),
    )
    const statuses = answers.map((answer) => answer.status).sort((a, b) => a - b)
    expect(statuses).toEqual([...Array(10).fill(401), ...Array(40).fill(429)])
  } finally {
    await there.stop()
  }
  await deps().db.deleteFrom('loginFailures').execute()
})
