import { expect, test } from 'vitest'
import { manualClock } from '../../../../src/platform/clock.ts'
import { browser, cookieOf } from '../../../support/clients.ts'
import { refusalOf } from '../../../support/expect.ts'
import { mailsTo } from '../../../support/mails.ts'
import { acme, as, deps, useService } from '../../../support/service.ts'

const clock = manualClock('2026-08-01T01:00:00.000Z')
useService({ clock, env: { TRUST_PROXY: '1', PUBLIC_URL: 'http://kasir.example.com' } })

const HOUR = 3_600_000
const PASSWORD = 'nasi goreng pedas'
let count = 0
const fromNewNetwork = () => ({ 'x-forwarded-for': `203.0.113.${(count += 1) % 250}` })
const signUp = (email: string, headers = fromNewNetwork()) =>
  as(null).post('/auth/signup', { email, password: PASSWORD, name: 'Sri' }, { headers })
async function someone() {
  const email = `bukti${(count += 1)}@example.com`
  const answer = await signUp(email)
  expect(answer.status).toBe(201)
  return { email, id: answer.data.user.id as string, api: browser(cookieOf(answer)) }
}
const verify = (token: string) => as(null).post('/auth/email/verify', { token })
const verifiedAt = async (id: string) =>
  (await deps().db.selectFrom('members').select('emailVerifiedAt').where('id', '=', id).execute())[0]
    ?.emailVerifiedAt
async function tokensFor(email: string, link = 'verify') {
  const mails = await mailsTo(email)
  return mails.flatMap(
    (mail) => new RegExp(`http://kasir\\.example\\.com/${link}#(\\S+)`).exec(mail)?.[1] ?? [],
  )
}

test('signing up mails a link, and the address is confirmed once it is followed', async () => {
  const { email, id } = await someone()
  expect(await verifiedAt(id)).toBeNull()
  const [token = '', ...more] = await tokensFor(email)
  expect([more, token.length]).toEqual([[], 70])
  const answer = await verify(token)
  expect([answer.status, answer.data]).toEqual([200, { emailVerified: true }])
  expect(await verifiedAt(id)).toBe(clock.now())
  const again = await verify(token)
  expect(refusalOf(again)).toMatchObject({ status: 422, param: 'token' })
})

test('another link is sent to whoever asks while they are signed in, three an hour, and replaces the one before it', async () => {
  const { email, api } = await someone()
  const ask = () => api.post('/auth/email/proof')
  expect([(await ask()).status, (await ask()).status]).toEqual([202, 202])
  const refused = await ask()
  expect(refusalOf(refused)).toMatchObject({ status: 429, code: 'RATE_LIMITED' })
  const tokens = await tokensFor(email)
  expect(tokens).toHaveLength(3)
  const statuses = []
  for (const token of tokens) statuses.push((await verify(token)).status)
  expect(statuses.toSorted()).toEqual([200, 422, 422])
  clock.advance(HOUR)
  expect((await ask()).status).toBe(202)
  expect(await tokensFor(email)).toHaveLength(3)
  expect((await as(null).post('/auth/email/proof')).status).toBe(401)
})

test('a link works for three days', async () => {
  const [early, late] = [await someone(), await someone()]
  const [first = '', second = ''] = [...(await tokensFor(early.email)), ...(await tokensFor(late.email))]
  clock.advance(72 * HOUR - 1)
  expect((await verify(first)).status).toBe(200)
  clock.advance(1)
  expect((await verify(second)).status).toBe(422)
})

test('a changed address ends the link and is unconfirmed, a changed password does neither', async () => {
  const { email, id, api } = await someone()
  const [token = ''] = await tokensFor(email)
  const changed = await api.post('/auth/password', { currentPassword: PASSWORD, password: 'soto betawi' })
  const here = browser(cookieOf(changed))
  expect((await verify(token)).status).toBe(200)
  const body = { email: `pindah-${email}`, currentPassword: 'soto betawi' }
  expect((await here.patch(`/members/${id}`, body)).status).toBe(200)
  expect(await verifiedAt(id)).toBeNull()
  const other = await someone()
  const [old = ''] = await tokensFor(other.email)
  await other.api.patch(`/members/${other.id}`, { email: `pindah-${other.email}`, currentPassword: PASSWORD })
  expect((await verify(old)).status).toBe(422)
})

test('an accepted invitation and a password set through a link confirm the address', async () => {
  const guest = 'undangan@example.com'
  await acme().post('/members', { email: guest, name: 'Tamu', role: 'CASHIER' })
  const [invitation] = await tokensFor(guest, 'invitation')
  const accepted = await as(null).post('/auth/invitations/accept', { token: invitation, password: PASSWORD })
  expect(await verifiedAt(accepted.data.user.id)).toBe(clock.now())
  const { email, id } = await someone()
  await as(null).post('/auth/password/forgot', { email }, { headers: fromNewNetwork() })
  const [link] = await tokensFor(email, 'password')
  expect((await verify(link ?? '')).status).toBe(422)
  expect((await as(null).post('/auth/password/reset', { token: link, password: PASSWORD })).status).toBe(200)
  expect(await verifiedAt(id)).toBe(clock.now())
})

test('of one network ten sign-ups in 15 minutes are mailed; the next goes through without a mail', async () => {
  const from = fromNewNetwork()
  for (let n = 0; n < 11; n += 1) expect((await signUp(`banyak${n}@example.com`, from)).status).toBe(201)
  expect(await tokensFor('banyak9@example.com')).toHaveLength(1)
  expect(await tokensFor('banyak10@example.com')).toEqual([])
})
