import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { manualClock } from '../../../src/platform/clock.ts'
import type { Api } from '../../support/api.ts'
import { browser, cookieOf, memberOf, ownerOf } from '../../support/clients.ts'
import { refusalOf } from '../../support/expect.ts'
import { mailsTo } from '../../support/mails.ts'
import { acme, as, deps, globex, startHarness, useService, workspace } from '../../support/service.ts'

const clock = manualClock('2026-04-01T02:00:00.000Z')
useService({ clock, env: { PUBLIC_URL: 'http://kasir.example.com/' } })

const PASSWORD = 'sate ayam madura'
const DAY = 86_400_000
let count = 0
const address = () => `member${(count += 1)}@example.com`
const add = async (api: Api, body: object = {}) => {
  const email = address()
  const answer = await api.post('/members', {
    email,
    name: 'Siti',
    role: 'CASHIER',
    password: PASSWORD,
    ...body,
  })
  return { email, answer, member: answer.data?.member }
}
const logIn = (email: string, password = PASSWORD) => as(null).post('/auth/login', { email, password })
const accept = (token: string, password = PASSWORD) =>
  as(null).post('/auth/invitations/accept', { token, password })

const mailFolder = () => path.join(deps().config.dataDir, 'mail')
/** The newest mail to an address, and the token of the link inside it. */
async function mailTo(email: string) {
  const [text = ''] = await mailsTo(email)
  return { text, token: /#(\S+)/.exec(text)?.[1] ?? '' }
}

test('a member with a password signs in at once, with the rights of the role', async () => {
  const { email, answer, member } = await add(acme(), { name: ' Siti ' })
  expect(answer.status).toBe(201)
  expect(member).toEqual({
    id: expect.stringMatching(/^usr_/),
    email,
    name: 'Siti',
    role: 'CASHIER',
    status: 'ACTIVE',
    inviteExpiresAt: null,
    emailVerifiedAt: null,
    hasPin: false,
    secondFactor: false,
    createdAt: clock.now(),
    updatedAt: clock.now(),
  })
  const entered = await logIn(email)
  expect(entered.data).toMatchObject({
    user: { id: member.id, name: 'Siti', role: 'CASHIER' },
    account: { id: acme().workspace.accountId },
  })
  const siti = browser(cookieOf(entered))
  expect((await siti.get('/outlets')).status).toBe(200)
  expect((await siti.get('/members')).status).toBe(403)
})

test('the list is oldest first and shows no hash', async () => {
  const fresh = await workspace()
  const first = await add(fresh, { name: 'Ani' })
  const second = await add(fresh, { name: 'Budi', role: 'MANAGER' })
  const list = await fresh.get('/members')
  expect(list.data.members).toEqual([first.member, second.member])
  expect(list.text).not.toContain('argon2')
})

test('without a password the member is invited by a mail that only the service can read', async () => {
  const fresh = await workspace('Warung Bu Siti ☕')
  const { email, answer, member } = await add(fresh, { password: undefined, role: 'MANAGER' })
  expect(answer.status).toBe(201)
  expect(member).toMatchObject({ status: 'INVITED', inviteExpiresAt: '2026-04-08T02:00:00.000Z' })
  const { text, token } = await mailTo(email)
  expect(text).toContain(`http://kasir.example.com/invitation#${token}`)
  expect(text).toContain('Warung Bu Siti ☕')
  expect(answer.text).not.toContain(token)
  const rows = await deps().db.selectFrom('members').selectAll().where('id', '=', member.id).execute()
  expect(JSON.stringify(rows)).not.toContain(token.slice(-43))
  const [file = ''] = await readdir(mailFolder())
  expect((await stat(path.join(mailFolder(), file))).mode & 0o077).toBe(0)

  const entered = await accept(token)
  expect(entered.status).toBe(200)
  expect(entered.data).toMatchObject({ user: { id: member.id, email, role: 'MANAGER' } })
  expect((await browser(cookieOf(entered)).get('/auth/me')).data.user).toMatchObject({
    id: member.id,
    emailVerifiedAt: clock.now(),
  })
  expect((await fresh.get('/members')).data.members[0]).toMatchObject({
    status: 'ACTIVE',
    inviteExpiresAt: null,
    emailVerifiedAt: clock.now(),
  })
  expect((await logIn(email)).status).toBe(200)
})

test('the file of an invitation is a mail as RFC 5322 has it, with the link in one piece', async () => {
  const fresh = await workspace('Rumah Makan Padang Sederhana ☕ Cabang Kemang Raya Jakarta Selatan')
  const { text, token } = await mailTo((await add(fresh, { password: undefined })).email)
  const [head = '', body = ''] = text.split('\r\n\r\n')
  expect(head).toMatch(/^Date: \w{3}, \d\d \w{3} 2026 \d\d:\d\d:\d\d \+0000\r$/m)
  expect(head).toMatch(/^Message-ID: <mal_[0-9A-Z]{26}@kasir\.example\.com>\r$/m)
  expect(head).toMatch(/^Subject: =\?UTF-8\?/m)
  expect(head.split('\r\n').filter((line) => line.length > 76)).toEqual([])
  expect(text.split('\r\n')).toContain(`http://kasir.example.com/invitation#${token}`)
  expect(body).not.toContain('=\r\n')
})

test('an invitation works once, for seven days, and only as it was sent', async () => {
  const spent = (await mailTo((await add(acme(), { password: undefined })).email)).token
  const race = await Promise.all(Array.from({ length: 6 }, (_, n) => accept(spent, `password ${n}`)))
  expect(race.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([200, 422, 422, 422, 422, 422])
  const late = (await mailTo((await add(acme(), { password: undefined })).email)).token
  const foreign = late.replace(/^[^.]+/, globex().workspace.accountId.slice(4))
  clock.advance(7 * DAY)
  const made = `${acme().workspace.accountId.slice(4)}.${'A'.repeat(43)}`
  for (const token of [spent, late, foreign, made, 'x', `${late} `, late.toLowerCase()]) {
    const refused = await accept(token)
    expect(refusalOf(refused)).toEqual({ status: 422, code: 'VALIDATION_ERROR', param: 'token' })
    expect(refused.headers.getSetCookie()).toEqual([])
  }
  const short = await accept(late, 'short')
  expect(refusalOf(short)).toMatchObject({ status: 400, param: 'password' })
})

test('an address belongs to one member of one workspace, in whatever case', async () => {
  const { email } = await add(acme())
  const taken = [
    await acme().post('/members', { email, name: 'A', role: 'CASHIER' }),
    await globex().post('/members', { email: email.toUpperCase(), name: 'A', role: 'CASHIER' }),
    await as(null).post('/auth/signup', { email, password: PASSWORD }),
    await (await ownerOf(globex())).patch(`/members/${(await add(globex())).member.id}`, { email }),
  ]
  expect(taken.map(refusalOf)).toMatchObject(Array(4).fill({ status: 409, code: 'CONFLICT' }))
  const same = address()
  const race = await Promise.all([acme(), globex(), acme(), globex()].map((api) => add(api, { email: same })))
  expect(race.map(({ answer }) => answer.status).sort((a, b) => a - b)).toEqual([201, 409, 409, 409])
})

test('a removed member is out on the next request, and the address is free again', async () => {
  const { email, member } = await add(acme())
  const cookies = [cookieOf(await logIn(email)), cookieOf(await logIn(email))]
  const gone = await acme().delete(`/members/${member.id}`)
  expect([gone.status, gone.data]).toEqual([200, { id: member.id, deleted: true, apiKeys: [] }])
  for (const cookie of cookies) {
    const refused = await browser(cookie).get('/outlets')
    expect(refusalOf(refused)).toMatchObject({ status: 401, code: 'AUTH_REQUIRED' })
  }
  expect((await logIn(email)).error.code).toBe('INVALID_CREDENTIALS')
  expect((await acme().delete(`/members/${member.id}`)).status).toBe(404)
  expect((await add(globex(), { email })).answer.status).toBe(201)
})

test('an invitation of a removed member is worth nothing', async () => {
  const { email, member } = await add(acme(), { password: undefined })
  const { token } = await mailTo(email)
  await acme().delete(`/members/${member.id}`)
  expect((await accept(token)).status).toBe(422)
})

test('a sign-in that races a removal leaves nobody signed in', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { email, member } = await add(acme())
    const [entered, gone] = await Promise.all([logIn(email), acme().delete(`/members/${member.id}`)])
    expect(gone.status).toBe(200)
    expect([200, 401]).toContain(entered.status)
    expect((await browser(cookieOf(entered) ?? 'kasir_session=x').get('/auth/me')).status).toBe(401)
  }
})

test('a change of role counts at once; a change of password ends every session', async () => {
  const { email, member } = await add(acme())
  const siti = browser(cookieOf(await logIn(email)))
  expect((await siti.put('/settings', {})).status).toBe(403)
  const raised = await acme().patch(`/members/${member.id}`, { role: 'MANAGER', name: 'Siti Aminah' })
  expect(raised.data.member).toMatchObject({ role: 'MANAGER', name: 'Siti Aminah', email })
  expect((await siti.put('/settings', {})).status).toBe(200)
  const owner = await ownerOf(acme())
  expect((await owner.patch(`/members/${member.id}`, { password: 'rendang padang' })).status).toBe(200)
  expect((await siti.get('/outlets')).status).toBe(401)
  expect((await logIn(email)).status).toBe(401)
  expect((await logIn(email, 'rendang padang')).status).toBe(200)
  const moved = address()
  expect((await owner.patch(`/members/${member.id}`, { email: moved })).data.member.email).toBe(moved)
  expect((await logIn(moved, 'rendang padang')).status).toBe(200)
  expect((await logIn(email, 'rendang padang')).status).toBe(401)
  const untouched = await acme().patch(`/members/${member.id}`, {})
  expect([untouched.status, untouched.data.member.email]).toEqual([200, moved])
})

test('an owner who sets the password of an invited member replaces the invitation', async () => {
  const { email, member } = await add(acme(), { password: undefined })
  const { token } = await mailTo(email)
  const set = await (await ownerOf(acme())).patch(`/members/${member.id}`, { password: PASSWORD })
  expect(set.data.member).toMatchObject({ status: 'ACTIVE', inviteExpiresAt: null })
  expect((await logIn(email)).status).toBe(200)
  expect((await accept(token)).status).toBe(422)
})

test('the last owner can be neither removed nor demoted; an invited owner does not count', async () => {
  const fresh = await workspace()
  const owner = await add(fresh, { role: 'OWNER', name: 'Ibu' })
  const invited = await add(fresh, { role: 'OWNER', name: 'Bapak', password: undefined })
  const refused = [
    await fresh.delete(`/members/${owner.member.id}`),
    await fresh.patch(`/members/${owner.member.id}`, { role: 'MANAGER' }),
  ]
  expect(refused.map(refusalOf)).toMatchObject(Array(2).fill({ status: 409, code: 'CONFLICT' }))
  expect((await fresh.patch(`/members/${owner.member.id}`, { role: 'OWNER' })).status).toBe(200)
  expect((await fresh.patch(`/members/${invited.member.id}`, { role: 'CASHIER' })).status).toBe(200)
  const second = await add(fresh, { role: 'OWNER' })
  const ibu = browser(cookieOf(await logIn(owner.email)))
  expect((await ibu.delete(`/members/${owner.member.id}`)).status).toBe(200)
  expect((await ibu.get('/members')).status).toBe(401)
  expect((await fresh.delete(`/members/${second.member.id}`)).status).toBe(409)
})

test('of owners who remove and demote each other at once, one stays', async () => {
  for (let round = 0; round < 5; round += 1) {
    const fresh = await workspace()
    const owners = [
      await memberOf(fresh, 'OWNER'),
      await memberOf(fresh, 'OWNER'),
      await memberOf(fresh, 'OWNER'),
    ]
    const answers = await Promise.all(
      owners.map(({ id }, n) =>
        n === 1 ? fresh.patch(`/members/${id}`, { role: 'CASHIER' }) : fresh.delete(`/members/${id}`),
      ),
    )
    expect(answers.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([200, 200, 409])
    const { members } = (await fresh.get('/members')).data
    expect(members.filter((row: { role: string }) => row.role === 'OWNER')).toHaveLength(1)
  }
})

test('a repeat with the same Idempotency-Key adds one member, and no password makes it another request', async () => {
  const body = { email: address(), name: 'Rina', role: 'CASHIER', password: PASSWORD }
  const options = { idempotencyKey: 'add-rina' }
  const first = await acme().post('/members', body, options)
  const again = await acme().post('/members', body, options)
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
  expect(again.data).toEqual(first.data)
  const other = await acme().post('/members', { ...body, password: 'another one' }, options)
  // What is stored holds no trace of a password, so a repeat cannot be told by it (B-key-2).
  expect([other.status, other.data]).toEqual([201, first.data])
})

test.each([
  [{ email: undefined }, 'email'],
  [{ email: 'nobody' }, 'email'],
  [{ name: undefined }, 'name'],
  [{ name: ' ' }, 'name'],
  [{ name: 'x'.repeat(121) }, 'name'],
  [{ role: undefined }, 'role'],
  [{ role: 'ADMIN' }, 'role'],
  [{ role: 'owner' }, 'role'],
  [{ password: '1234567' }, 'password'],
  [{ password: null }, 'password'],
  [{ password: 'x'.repeat(201) }, 'password'],
])('POST and PATCH /members refuse %j', async (body, param) => {
  const { answer } = await add(acme(), body)
  expect(refusalOf(answer)).toEqual({ status: 400, code: 'VALIDATION_ERROR', param })
  if (Object.values(body)[0] === undefined) return
  const patched = await acme().patch('/members/usr_1', body)
  expect(refusalOf(patched)).toMatchObject({ status: 400, param })
})

test('a member of another workspace answers 404 and stays', async () => {
  const { email, member } = await add(acme())
  const answers = [
    await globex().patch(`/members/${member.id}`, { role: 'OWNER' }),
    await globex().delete(`/members/${member.id}`),
  ]
  expect(answers.map(refusalOf)).toMatchObject(Array(2).fill({ status: 404, code: 'NOT_FOUND' }))
  expect((await globex().get('/members')).text).not.toContain(email)
  expect((await logIn(email)).status).toBe(200)
})

test('the free plan holds three members, invited ones too; a taken address is reported before that', async () => {
  const { harness, stop } = await startHarness({ env: { DEFAULT_TIER: 'free' } })
  try {
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        harness.acme.post('/members', { email: `free${n}@example.com`, name: 'A', role: 'CASHIER' }),
      ),
    )
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(3)
    const taken = await harness.acme.post('/members', {
      email: answers.find((answer) => answer.status === 201)?.data.member.email,
      name: 'A',
      role: 'CASHIER',
    })
    expect(refusalOf(taken)).toMatchObject({ status: 409, code: 'CONFLICT' })
    const refused = answers.find((answer) => answer.status !== 201)
    expect(refusalOf(refused)).toEqual({ status: 403, code: 'LIMIT_REACHED', param: 'members' })
  } finally {
    await stop()
  }
})
