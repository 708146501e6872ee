import { expect, test } from 'vitest'
import { manualClock } from '../../../src/platform/clock.ts'
import type { Api } from '../../support/api.ts'
import { browser, cookieOf, memberOf, ownerOf } from '../../support/clients.ts'
import { refusalOf } from '../../support/expect.ts'
import { mailsTo } from '../../support/mails.ts'
import { acme, as, deps, useService } from '../../support/service.ts'

const clock = manualClock('2026-04-01T02:00:00.000Z')
useService({ clock })

const PASSWORD = 'sate ayam madura'
const NEW = 'rendang padang'
let count = 0
const address = () => `person${(count += 1)}@example.com`
const logIn = (email: string, password: string) => as(null).post('/auth/login', { email, password })

/** An owner who signed up, with the browser they did it in. */
async function signedUp(businessName = 'Kopi Sari') {
  const email = address()
  const made = await as(null).post('/auth/signup', { email, password: PASSWORD, name: 'Sari', businessName })
  expect(made.status).toBe(201)
  return { email, id: made.data.user.id as string, api: browser(cookieOf(made)) }
}

const idOf = (mail: string) => /^Message-ID: <(\S+)@/m.exec(mail)?.[1] ?? ''

/** The notices to an address as [subject, text], oldest first: all its mails but the one that confirms the address. */
async function noticesTo(email: string): Promise<[subject: string, text: string][]> {
  const mails = await mailsTo(email)
  return mails
    .filter((mail) => !mail.includes('Subject: Confirm your e-mail address'))
    .sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1))
    .map((mail) => {
      const [head = '', ...paragraphs] = mail.split('\r\n\r\n')
      return [/^Subject: (.*)\r$/m.exec(head)?.[1] ?? '', paragraphs.join('\n').replaceAll('\r\n', ' ')]
    })
}
const subjectsTo = async (email: string) => (await noticesTo(email)).map(([subject]) => subject)

test('a new API key is announced to the member who made it, by name and end, never whole', async () => {
  const { email, api } = await signedUp()
  const { key } = (await api.post('/api-keys', { name: 'Till 2\r\nBcc: all@example.com' })).data
  const [[subject, text] = ['', '']] = await noticesTo(email)
  expect(subject).toBe('Kopi Sari: A new API key')
  expect(text).toContain(`The API key "Till 2 Bcc:", which ends in ${key.slice(-4)}, was created by Sari`)
  expect(text).toContain('2026-04-01 02:00 UTC')
  expect(text).not.toContain(key.slice(-8))
})

test('a key that a key made is announced to the owners, and to nobody else', async () => {
  const { email, api } = await signedUp()
  const { key } = (await api.post('/api-keys', { name: 'First' })).data
  const [owner, cashier] = [address(), address()]
  for (const [to, role] of [
    [owner, 'OWNER'],
    [cashier, 'CASHIER'],
  ])
    await api.post('/members', { email: to, name: 'X', role, password: PASSWORD })
  await as(key).post('/api-keys', { name: 'Second' })
  expect(await subjectsTo(owner)).toEqual(['Kopi Sari: A new API key'])
  expect((await noticesTo(owner))[0]?.[1]).toContain('with the API key "First"')
  expect(await subjectsTo(email)).toHaveLength(2)
  expect(await subjectsTo(cashier)).toEqual([])
})

test('a password that an owner changes is announced to the member; an address to the old one and the new', async () => {
  const { email, api } = await signedUp()
  const [old, current] = [address(), address()]
  const { id } = (
    await api.post('/members', { email: old, name: 'Budi', role: 'CASHIER', password: PASSWORD })
  ).data.member
  await api.patch(`/members/${id}`, { name: 'Budi S', role: 'MANAGER', email: old })
  expect(await subjectsTo(old)).toEqual([])
  await api.patch(`/members/${id}`, { password: NEW })
  await api.patch(`/members/${id}`, { email: current })
  expect(await subjectsTo(old)).toEqual([
    'Kopi Sari: Your password was changed',
    'Kopi Sari: Your e-mail address was changed',
  ])
  expect((await noticesTo(old))[1]?.[1]).not.toContain(current)
  expect(await subjectsTo(current)).toEqual(['Kopi Sari: Your e-mail address was changed'])
  expect(await subjectsTo(email)).toEqual([])
})

test('a member without a password, who signs in through a provider, is told of a new address and a new password', async () => {
  await memberOf(acme(), 'OWNER')
  const { id } = await memberOf(acme(), 'OWNER')
  const [old, current] = [`${id.toLowerCase()}@example.com`, address()]
  const owner = await ownerOf(acme())
  expect((await owner.patch(`/members/${id}`, { email: current })).status).toBe(200)
  expect((await owner.patch(`/members/${id}`, { password: NEW })).status).toBe(200)
  const changed = 'Your e-mail address was changed'
  expect((await subjectsTo(old)).map(endOf)).toEqual([changed])
  expect((await subjectsTo(current)).map(endOf)).toEqual([changed, 'Your password was changed'])
})
const endOf = (subject: string) => subject.slice(subject.indexOf(': ') + 2)

test('a change that is refused, or repeated with its key, mails nothing more', async () => {
  const { api, email } = await signedUp()
  const mine = address()
  const { id } = (
    await api.post('/members', { email: mine, name: 'Budi', role: 'CASHIER', password: PASSWORD })
  ).data.member
  expect((await api.patch(`/members/${id}`, { email })).status).toBe(409)
  const options = { idempotencyKey: 'change-it' }
  for (let n = 0; n < 3; n += 1) await api.patch(`/members/${id}`, { password: NEW }, options)
  expect(await subjectsTo(mine)).toEqual(['Kopi Sari: Your password was changed'])
})

test('an address gets 20 notices a day, and the twentieth says so', async () => {
  const { email, api } = await signedUp()
  for (let n = 0; n < 22; n += 1) expect((await api.post('/api-keys', { name: `K${n}` })).status).toBe(201)
  const mails = await noticesTo(email)
  expect(mails).toHaveLength(20)
  expect(mails.filter(([, text]) => text.includes('the last notice to this address'))).toHaveLength(1)
  clock.advance(86_400_000)
  await api.post('/api-keys', { name: 'Tomorrow', currentPassword: PASSWORD })
  expect(await noticesTo(email)).toHaveLength(21)
})

test('another workspace cannot use up the notices of a confirmed address', async () => {
  const { email, id, api } = await signedUp()
  await deps().db.updateTable('members').set({ emailVerifiedAt: clock.now() }).where('id', '=', id).execute()
  const stranger = email.replace('@', '+stranger@')
  const signUp = { email: stranger, password: PASSWORD, name: 'X', businessName: 'X' }
  const theirs = browser(cookieOf(await as(null).post('/auth/signup', signUp)))
  for (let n = 0; n < 21; n += 1) expect((await theirs.post('/api-keys', { name: `K${n}` })).status).toBe(201)
  expect(await noticesTo(stranger)).toHaveLength(20)
  await api.post('/api-keys', { name: 'Mine' })
  expect(await subjectsTo(email)).toEqual(['Kopi Sari: A new API key'])
})

test('new tills leave an owner notices of the day for other changes', async () => {
  const { email, api } = await signedUp()
  const { outlet } = (await api.post('/outlets', { name: 'Depan' })).data
  for (let n = 0; n < 20; n += 1)
    expect((await api.post('/tills', { outletId: outlet.id, name: `T${n}` })).status).toBe(201)
  await api.post('/api-keys', { name: 'New' })
  const subjects = await subjectsTo(email)
  expect([subjects.length, subjects.at(-1)]).toEqual([16, 'Kopi Sari: A new API key'])
})

const refusal = async (api: Api, id: string, body: object) =>
  refusalOf(await api.patch(`/members/${id}`, body))

test('one’s own password and address change only with the current password', async () => {
  const { email, id, api } = await signedUp()
  const moved = address()
  for (const body of [{ password: NEW }, { email: moved }]) {
    expect(await refusal(api, id, body)).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      param: 'currentPassword',
    })
    expect(await refusal(api, id, { ...body, currentPassword: 'not mine' })).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      param: 'currentPassword',
    })
  }
  expect((await api.get('/auth/me')).data.user.email).toBe(email)
  expect((await logIn(email, PASSWORD)).status).toBe(200)
  // What takes no proof: a name, the address as it is, somebody else.
  expect((await api.patch(`/members/${id}`, { name: 'Sari W', email })).status).toBe(200)
  expect((await api.patch(`/members/${id}`, { email: moved, currentPassword: PASSWORD })).status).toBe(200)
  const changed = await api.patch(`/members/${id}`, { password: NEW, currentPassword: PASSWORD })
  expect(changed.status).toBe(200)
  expect((await api.get('/auth/me')).status).toBe(401)
  expect((await logIn(moved, NEW)).status).toBe(200)
  expect(await subjectsTo(moved)).toEqual([
    'Kopi Sari: Your e-mail address was changed',
    'Kopi Sari: Your password was changed',
  ])
})

test('guesses at one’s own password stop after ten, and touch nobody’s sign-in', async () => {
  const { email, id, api } = await signedUp()
  for (let n = 0; n < 10; n += 1) {
    expect((await refusal(api, id, { password: NEW, currentPassword: `guess ${n}` })).status).toBe(422)
  }
  const refused = await api.patch(`/members/${id}`, { password: NEW, currentPassword: PASSWORD })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '900'])
  expect((await logIn(email, PASSWORD)).status).toBe(200)
})

test('two changes of one’s own password at once, proven by the same old one, are one change', async () => {
  const { id, api, email } = await signedUp()
  const answers = await Promise.all(
    ['first new one', 'second new one'].map((password) =>
      api.patch(`/members/${id}`, { password, currentPassword: PASSWORD }),
    ),
  )
  const [done, refused] = answers.map((answer) => answer.status).sort((a, b) => a - b)
  // The change ends the session too: a request that is authenticated after it is 401.
  expect([done, [401, 422].includes(refused ?? 0)]).toEqual([200, true])
  expect(await subjectsTo(email)).toHaveLength(1)
})

test('an API key changes no password and no address, so no mail reports one', async () => {
  const { id, api, email } = await signedUp()
  const { key } = (await api.post('/api-keys', { name: 'Admin' })).data
  const attempts = [
    { password: NEW },
    { email: address() },
    { password: NEW, currentPassword: PASSWORD },
    { name: 'Sari W', email: address(), currentPassword: PASSWORD },
  ]
  for (const body of attempts)
    expect(await refusal(as(key), id, body)).toEqual({ status: 403, code: 'FORBIDDEN' })
  // A name, and the address as it is, are no secret.
  expect((await as(key).patch(`/members/${id}`, { name: 'Sari W', email })).status).toBe(200)
  expect((await logIn(email, PASSWORD)).status).toBe(200)
  expect(await subjectsTo(email)).toEqual(['Kopi Sari: A new API key'])
})

test('no name of a workspace or a key puts a link or a line into a notice', async () => {
  const { email, api } = await signedUp('Bank\r\nX: y https://evil.example')
  await api.post('/api-keys', { name: 'evil.example\u2028now' })
  const [[subject, text] = ['', '']] = await noticesTo(email)
  expect(subject).toBe('Bank X: y: A new API key')
  expect(text).toContain('"evil. example now"')
})

test('a workspace reaches 50 mailboxes a day with its notices; a change that needs another is refused', async () => {
  const { api, email } = await signedUp()
  const { id } = (
    await api.post('/members', { email: address(), name: 'Budi', role: 'CASHIER', password: PASSWORD })
  ).data.member
  // The first change reaches two addresses, each one after it a new one and the one before.
  for (let n = 0; n < 49; n += 1) {
    expect((await api.patch(`/members/${id}`, { email: `hop${n}@example.com` })).status).toBe(200)
  }
  const refused = await api.patch(`/members/${id}`, { email: 'hop49@example.com' })
  expect(refusalOf(refused)).toMatchObject({ status: 429, code: 'RATE_LIMITED' })
  expect(Number(refused.headers.get('retry-after'))).toBe(86_400)
  expect(await noticesTo('hop49@example.com')).toEqual([])
  expect((await api.get('/members')).data.members[1].email).toBe('hop48@example.com')
  // Whoever was told before is still told.
  expect((await api.patch(`/members/${id}`, { password: NEW })).status).toBe(200)
  expect((await subjectsTo('hop48@example.com')).at(-1)).toBe('Kopi Sari: Your password was changed')
  expect(await subjectsTo(email)).toEqual([])
})
