import { expect, test } from 'vitest'
import { manualClock } from '../../../../src/platform/clock.ts'
import { browser, cookieOf, memberOf, sessionOf } from '../../../support/clients.ts'
import { refusalOf } from '../../../support/expect.ts'
import { mailsTo } from '../../../support/mails.ts'
import { acme, as, useService } from '../../../support/service.ts'

const clock = manualClock('2026-06-01T01:00:00.000Z')
useService({ clock, env: { TRUST_PROXY: '1' } })

const DAY = 86_400_000
const PASSWORD = 'nasi goreng pedas'
const NEXT = 'gado gado siang'
const PHONE =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36'
let count = 0
const from = (address: string, agent = PHONE) => ({ 'x-forwarded-for': address, 'user-agent': agent })
const fromAnywhere = () => from(`203.0.113.${(count += 1)}`)

async function someone(headers = fromAnywhere()) {
  const email = `sesi${(count += 1)}@example.com`
  const answer = await as(null).post('/auth/signup', { email, password: PASSWORD, name: 'Sri' }, { headers })
  expect(answer.status).toBe(201)
  return { email, id: answer.data.user.id as string, api: browser(cookieOf(answer)) }
}
const logIn = (email: string, password = PASSWORD, headers = fromAnywhere()) =>
  as(null).post('/auth/login', { email, password }, { headers })
const isIn = async (api: ReturnType<typeof browser>) => (await api.get('/auth/me')).status === 200

test('a member reads where they are signed in, the browser used last first', async () => {
  const { email, api } = await someone(from('203.0.113.200'))
  clock.advance(60_000)
  const laptop = browser(
    cookieOf(await logIn(email, PASSWORD, from('2001:db8::7', 'Firefox/133.0 (X11; Linux)'))),
  )
  const { data, status } = await api.get('/auth/sessions')
  expect(status).toBe(200)
  expect(data.sessions).toEqual([
    {
      id: expect.stringMatching(/^ses_/),
      createdAt: '2026-06-01T01:01:00.000Z',
      lastSeenAt: '2026-06-01T01:01:00.000Z',
      expiresAt: '2026-06-08T01:01:00.000Z',
      current: false,
      tillId: null,
      browser: 'Firefox on Linux',
      address: '2001:db8::7',
    },
    {
      id: expect.stringMatching(/^ses_/),
      createdAt: '2026-06-01T01:00:00.000Z',
      lastSeenAt: '2026-06-01T01:00:00.000Z',
      expiresAt: '2026-06-08T01:00:00.000Z',
      current: true,
      tillId: null,
      browser: 'Chrome on Android',
      address: '203.0.113.200',
    },
  ])
  const there = (await laptop.get('/auth/sessions')).data.sessions
  expect(there.map((one: { current: boolean }) => one.current)).toEqual([true, false])
})

test('the list tells the browser and the address as last seen, and an end that no use can move', async () => {
  const { api } = await someone()
  for (let day = 0; day <= 20; day += 5) {
    clock.advance(5 * DAY)
    const headers = from(`198.51.100.${day}`, 'curl/8.5.0')
    expect((await api.get('/outlets', { headers })).status).toBe(200)
    // Use is written beside the request; the next one must not begin before it arrived.
    await expect
      .poll(async () => (await api.get('/auth/sessions')).data.sessions[0])
      .toMatchObject({ lastSeenAt: clock.now(), browser: 'curl', address: `198.51.100.${day}` })
  }
  const [session] = (await api.get('/auth/sessions')).data.sessions
  expect(Date.parse(session.expiresAt) - Date.parse(session.createdAt)).toBe(30 * DAY)
})

test('a session that has ended is in no list', async () => {
  const member = await memberOf(acme(), 'CASHIER')
  const { accountId } = acme().workspace
  await sessionOf(accountId, member.id, new Date(clock.ms() - 7 * DAY).toISOString())
  const { data } = await member.api.get('/auth/sessions')
  expect(data.sessions).toHaveLength(1)
})

test('of more than a hundred sessions the latest hundred are listed', async () => {
  const member = await memberOf(acme(), 'CASHIER')
  const { accountId } = acme().workspace
  clock.advance(1_000)
  for (let n = 0; n < 100; n += 1) await sessionOf(accountId, member.id, clock.now())
  const { sessions } = (await member.api.get('/auth/sessions')).data
  expect(sessions).toHaveLength(100)
  expect(sessions.some((one: { current: boolean }) => one.current)).toBe(false)
})

test('a browser is signed out from another one, at once', async () => {
  const { email, api } = await someone()
  const lost = browser(cookieOf(await logIn(email)))
  const [other] = (await api.get('/auth/sessions')).data.sessions.filter(
    (one: { current: boolean }) => !one.current,
  )
  const ended = await api.delete(`/auth/sessions/${other.id}`)
  expect([ended.status, ended.data]).toEqual([200, { id: other.id, deleted: true }])
  expect(ended.headers.getSetCookie()).toEqual([])
  expect([await isIn(lost), await isIn(api)]).toEqual([false, true])
  expect((await api.delete(`/auth/sessions/${other.id}`)).status).toBe(404)
})

test('ending the session of this very browser is signing out', async () => {
  const { api } = await someone()
  const [own] = (await api.get('/auth/sessions')).data.sessions
  const ended = await api.delete(`/auth/sessions/${own.id}`)
  expect(ended.headers.getSetCookie()[0]).toMatch(/^kasir_session=; .*Expires=Thu, 01 Jan 1970/)
  expect(await isIn(api)).toBe(false)
})

test('nobody ends the session of another, in the same workspace or not', async () => {
  const [one, two] = [await memberOf(acme(), 'OWNER'), await memberOf(acme(), 'CASHIER')]
  const stranger = await someone()
  const [session] = (await two.api.get('/auth/sessions')).data.sessions
  for (const api of [one.api, stranger.api]) {
    expect((await api.delete(`/auth/sessions/${session.id}`)).status).toBe(404)
  }
  expect(await isIn(two.api)).toBe(true)
})

test('sessions and the own password are for a browser that is signed in: 401 without, 403 with a key', async () => {
  const body = { currentPassword: PASSWORD, password: NEXT }
  for (const [api, status] of [
    [as(null), 401],
    [browser('kasir_session=nonsense'), 401],
    [acme(), 403],
  ] as const) {
    const answers = [
      await api.get('/auth/sessions'),
      await api.delete('/auth/sessions/ses_1'),
      await api.post('/auth/password', body),
    ]
    expect(answers.map((answer) => answer.status)).toEqual([status, status, status])
  }
})

test('another password ends every other session and gives this browser a new token', async () => {
  const { email, api, id } = await someone()
  const other = browser(cookieOf(await logIn(email)))
  const answer = await api.post('/auth/password', { currentPassword: PASSWORD, password: NEXT })
  expect([answer.status, answer.data.user.id]).toEqual([200, id])
  const here = browser(cookieOf(answer))
  expect([await isIn(api), await isIn(other), await isIn(here)]).toEqual([false, false, true])
  expect([(await logIn(email)).status, (await logIn(email, NEXT)).status]).toEqual([401, 200])
})

test('a changed password is told by mail', async () => {
  const { email, api } = await someone()
  await api.post('/auth/password', { currentPassword: PASSWORD, password: NEXT })
  const [mail = '', ...more] = (await mailsTo(email)).filter((text) => text.includes('Your password'))
  expect(more).toEqual([])
  expect(mail).toContain('Your password was changed')
  expect(mail.replaceAll('\r\n', ' ')).toContain(
    'Every other browser that was signed in has been signed out.',
  )
})

test('a wrong current password changes nothing, and the eleventh is 429 whatever it is', async () => {
  const { email, api } = await someone()
  for (let n = 0; n < 10; n += 1) {
    const refused = await api.post('/auth/password', { currentPassword: `guess ${n}`, password: NEXT })
    expect(refusalOf(refused)).toEqual({ status: 422, code: 'VALIDATION_ERROR', param: 'currentPassword' })
  }
  const blocked = await api.post('/auth/password', { currentPassword: PASSWORD, password: NEXT })
  expect(refusalOf(blocked)).toMatchObject({ status: 429, code: 'RATE_LIMITED' })
  expect(await isIn(api)).toBe(true)
  expect((await logIn(email)).status).toBe(200)
})

test('of two changes at once one is made', async () => {
  for (let round = 0; round < 4; round += 1) {
    const { email, api } = await someone()
    const answers = await Promise.all(
      [NEXT, 'soto betawi'].map((password) =>
        api.post('/auth/password', { currentPassword: PASSWORD, password }),
      ),
    )
    // The second finds its session gone, or the password it proved.
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => [401, 422].includes(status))).toHaveLength(1)
    const winner = answers[0]?.status === 200 ? NEXT : 'soto betawi'
    expect((await logIn(email, winner)).status).toBe(200)
  }
})

test.each([
  [{}, 'currentPassword'],
  [{ currentPassword: PASSWORD }, 'password'],
  [{ currentPassword: PASSWORD, password: 'short' }, 'password'],
  [{ currentPassword: '', password: NEXT }, 'currentPassword'],
])('POST /auth/password refuses %j', async (body, param) => {
  const { api } = await someone()
  const refused = await api.post('/auth/password', body)
  expect(refusalOf(refused)).toMatchObject({ status: 400, param })
})
