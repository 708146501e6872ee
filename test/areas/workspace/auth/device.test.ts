import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { manualClock } from '../../../../src/platform/clock.ts'
import type { Answer } from '../../../support/api.ts'
import { cookieOf } from '../../../support/clients.ts'
import { as, deps, startHarness, useService } from '../../../support/service.ts'

const clock = manualClock('2026-03-01T01:00:00.000Z')
useService({ clock, env: { TRUST_PROXY: '1' } })

const PASSWORD = 'nasi goreng pedas'
const MINUTE = 60_000
let network = 0
const newNetwork = () => `203.0.113.${(network += 1)}`
let people = 0

/** The device cookie of an answer as the browser sends it back. */
const deviceOf = (answer: Answer) =>
  answer.headers
    .getSetCookie()
    .find((line) => /^(__Host-)?kasir_device=/.test(line))
    ?.split(';', 1)[0] ?? ''
const logIn = (email: string, password: string, cookie = '', from = newNetwork(), api = as(null)) =>
  api.post(
    '/auth/login',
    { email, password },
    { headers: { 'x-forwarded-for': from, ...(cookie === '' ? {} : { cookie }) } },
  )
/** A member with the cookie of a browser they signed in with. */
async function signedUp() {
  const email = `person${(people += 1)}@example.com`
  const made = await as(null).post(
    '/auth/signup',
    { email, password: PASSWORD },
    { headers: { 'x-forwarded-for': newNetwork() } },
  )
  expect(made.status).toBe(201)
  return { email, device: deviceOf(made) }
}
const lockOut = async (email: string, from?: string) => {
  for (let n = 0; n < 10; n += 1) {
    expect((await logIn(email, `guess ${n}`, '', from)).status).toBe(401)
  }
  expect((await logIn(email, PASSWORD, '', from)).status).toBe(429)
}

test('strangers who lock an account keep nobody out who signed in with this browser before', async () => {
  const { email, device } = await signedUp()
  await lockOut(email)
  expect((await logIn(email, PASSWORD, device)).status).toBe(200)
  // The strangers stay locked out: a sign-in of the member is no amnesty for them.
  expect((await logIn(email, 'guess 11')).status).toBe(429)
})

test('nor do the failures of a network that a known browser shares with them', async () => {
  const { email, device } = await signedUp()
  const shared = newNetwork()
  for (let n = 0; n < 10; n += 1) await logIn(`nobody${n}@example.com`, PASSWORD, '', shared)
  expect((await logIn(email, PASSWORD, '', shared)).status).toBe(429)
  expect((await logIn(email, PASSWORD, device, shared)).status).toBe(200)
})

test('a known browser has ten failures of its own, which close neither the account nor another browser', async () => {
  const { email, device } = await signedUp()
  const other = deviceOf(await logIn(email, PASSWORD))
  expect(other).not.toBe(device)
  for (let n = 0; n < 10; n += 1) expect((await logIn(email, `wrong ${n}`, device)).status).toBe(401)
  const refused = await logIn(email, PASSWORD, device)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '900'])
  expect((await logIn(email, PASSWORD, other)).status).toBe(200)
  expect((await logIn(email, PASSWORD)).status).toBe(200)
  clock.advance(15 * MINUTE)
  expect((await logIn(email, PASSWORD, device)).status).toBe(200)
})

test('a browser that several people use is known for each of them, and for nobody else', async () => {
  const [ani, budi, citra] = [await signedUp(), await signedUp(), await signedUp()]
  const shared = deviceOf(await logIn(budi.email, PASSWORD, ani.device))
  for (const { email } of [ani, budi, citra]) await lockOut(email)
  expect((await logIn(ani.email, PASSWORD, shared)).status).toBe(200)
  expect((await logIn(budi.email, PASSWORD, shared)).status).toBe(200)
  expect((await logIn(citra.email, PASSWORD, shared)).status).toBe(429)
})

test('a cookie of thirteen people forgets the one who was away longest, and grows no further', async () => {
  const crowd = []
  for (let n = 0; n < 13; n += 1) crowd.push(await signedUp())
  let cookie = ''
  for (const { email } of crowd) cookie = deviceOf(await logIn(email, PASSWORD, cookie))
  expect(cookie).toMatch(/^kasir_device=[A-Za-z0-9_-]{22}(\.[A-Za-z0-9_-]{22}){12}$/)
  for (const { email } of [crowd[0], crowd[1]].flatMap((one) => one ?? [])) await lockOut(email)
  expect((await logIn(crowd[0]?.email ?? '', PASSWORD, cookie)).status).toBe(429)
  expect((await logIn(crowd[1]?.email ?? '', PASSWORD, cookie)).status).toBe(200)
})

test('a cookie that was made up or bent gets nobody round the lock', async () => {
  const { email, device } = await signedUp()
  await lockOut(email)
  const [name = '', mark = ''] = device.replace('kasir_device=', '').split('.')
  const other = randomBytes(16).toString('base64url')
  const forged = [
    `kasir_device=${other}.${mark}`,
    `kasir_device=${name}.${other}`,
    `kasir_device=${name}`,
    `kasir_device=${name}.${mark}x`,
    `kasir_device=${name}.${Array(13).fill(mark).join('.')}`,
    `kasir_device=`,
    `kasir_device=${'x'.repeat(4_000)}`,
    `__Host-kasir_device=${name}.${mark}`,
  ]
  for (const cookie of forged) {
    expect([cookie.slice(0, 40), (await logIn(email, PASSWORD, cookie)).status]).toEqual([
      cookie.slice(0, 40),
      429,
    ])
  }
  expect((await logIn(email, PASSWORD, device)).status).toBe(200)
})

test('a changed password, or another key of the service, makes every browser a stranger', async () => {
  const { harness, stop } = await startHarness({
    clock,
    env: { TRUST_PROXY: '1', SECRETS_KEY: randomBytes(32).toString('base64') },
  })
  const { email, device } = await signedUp()
  try {
    await harness.acme.post('/members', { email, name: 'A', role: 'CASHIER', password: PASSWORD })
    const api = harness.as(null)
    const entered = await logIn(email, PASSWORD, '', undefined, api)
    const there = deviceOf(entered)
    for (let n = 0; n < 10; n += 1) await logIn(email, `guess ${n}`, '', undefined, api)
    // A cookie signed with another key is a stranger's, no more.
    expect((await logIn(email, PASSWORD, device, undefined, api)).status).toBe(429)
    expect((await logIn(email, PASSWORD, there, undefined, api)).status).toBe(200)
    const change = { currentPassword: PASSWORD, password: 'rendang padang' }
    await api.post('/auth/password', change, { headers: { cookie: cookieOf(entered) ?? '' } })
    expect((await logIn(email, 'rendang padang', there, undefined, api)).status).toBe(429)
    clock.advance(15 * MINUTE)
    expect((await logIn(email, 'rendang padang', there, undefined, api)).status).toBe(200)
  } finally {
    await stop()
  }
})

test('the cookie is no credential, is bound to the host over https, and outlives signing out', async () => {
  const { device } = await signedUp()
  const refused = await as(null).get('/auth/me', { headers: { cookie: device } })
  expect(refused.status).toBe(401)
  const out = await as(null).post('/auth/logout', undefined, { headers: { cookie: device } })
  expect(out.headers.getSetCookie().some((line) => line.includes('kasir_device'))).toBe(false)
  const { harness, stop } = await startHarness({ env: { PUBLIC_URL: 'https://kasir.example.com' } })
  try {
    const made = await harness.as(null).post('/auth/signup', { email: 'tls@example.com', password: PASSWORD })
    expect(made.headers.getSetCookie()[1]).toMatch(
      /^__Host-kasir_device=[^;]+; Max-Age=31536000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
  } finally {
    await stop()
  }
})

test('a failed sign-in marks no browser, and failures are counted by names that the service gave', async () => {
  const { email } = await signedUp()
  expect(deviceOf(await logIn(email, 'wrong'))).toBe('')
  const stored = await deps()
    .db.selectFrom('loginFailures')
    .select('subject')
    .where('subject', 'like', 'browser %')
    .execute()
  for (const { subject } of stored) expect(subject).toMatch(/^browser [A-Za-z0-9_-]{22} usr_[0-9A-Z]{26}$/)
})
