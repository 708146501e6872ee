import { beforeAll, expect, test } from 'vitest'
import { networkOf } from '../../../../src/core/network.ts'
import { manualClock } from '../../../../src/platform/clock.ts'
import type { Api } from '../../../support/api.ts'
import { browser, cookieOf, memberOf, sessionOf } from '../../../support/clients.ts'
import { refusalOf } from '../../../support/expect.ts'
import { acme, as, deps, startHarness, useService } from '../../../support/service.ts'

const clock = manualClock('2026-03-01T01:00:00.000Z')
useService({ clock, env: { TRUST_PROXY: '1' } })

const PASSWORD = 'nasi goreng pedas'
const MINUTE = 60_000
let network = 0
/** Each test signs in from a network of its own, so that none blocks another. */
const fromNewNetwork = () => ({ 'x-forwarded-for': `203.0.113.${(network += 1)}` })

const logIn = (email: string, password: string, headers: Record<string, string>) =>
  as(null).post('/auth/login', { email, password }, { headers })

beforeAll(async () => {
  for (const name of ['ani', 'budi', 'citra', 'dewi']) {
    await as(null).post('/auth/signup', {
      email: `${name}@example.com`,
      password: PASSWORD,
      businessName: name,
    })
  }
})

test('signing in answers the user and the account with a new token each time', async () => {
  const from = fromNewNetwork()
  const first = await logIn('ANI@example.com ', PASSWORD, from)
  const second = await logIn('ani@example.com', PASSWORD, from)
  expect([first.status, second.status]).toEqual([200, 200])
  expect(first.data).toMatchObject({ user: { email: 'ani@example.com' }, account: { businessName: 'ani' } })
  expect(cookieOf(first)).not.toBe(cookieOf(second))
  expect((await browser(cookieOf(first)).get('/auth/me')).status).toBe(200)
})

test('signing in again in the same browser ends the session it had', async () => {
  const from = fromNewNetwork()
  const before = cookieOf(await logIn('ani@example.com', PASSWORD, from))
  const after = cookieOf(
    await browser(before).post(
      '/auth/login',
      { email: 'ani@example.com', password: PASSWORD },
      { headers: from },
    ),
  )
  expect((await browser(before).get('/auth/me')).status).toBe(401)
  expect((await browser(after).get('/auth/me')).status).toBe(200)
})

test('an unknown address, a wrong password and an invited member get one and the same answer', async () => {
  const from = fromNewNetwork()
  const { data } = await browser(cookieOf(await logIn('ani@example.com', PASSWORD, from))).post('/members', {
    email: 'invited@example.com',
    name: 'Invited',
    role: 'CASHIER',
  })
  expect(data.member.status).toBe('INVITED')
  const answers = [
    await logIn('nobody@example.com', PASSWORD, from),
    await logIn('ani@example.com', 'wrong password', from),
    await logIn('invited@example.com', PASSWORD, from),
    await logIn('not an address', 'x', from),
  ]
  expect(answers.map(({ status, error }) => [status, error])).toEqual(
    Array(4).fill([
      401,
      { code: 'INVALID_CREDENTIALS', message: 'The e-mail address and password do not match' },
    ]),
  )
  for (const answer of answers) expect(answer.headers.getSetCookie()).toEqual([])
})

test('an unknown address takes as long as a known one', async () => {
  const timesOf = async (email: (n: number) => string) => {
    const times: number[] = []
    for (let n = 0; n < 9; n += 1) {
      const start = performance.now()
      await logIn(email(n), 'wrong password', fromNewNetwork())
      times.push(performance.now() - start)
    }
    return times.sort((a, b) => a - b)[4] ?? 0
  }
  const known = await timesOf(() => 'dewi@example.com')
  const unknown = await timesOf((n) => `ghost${n}@example.com`)
  // A hash that is not made would answer in a few milliseconds; the bound only tells these two apart.
  expect(unknown).toBeGreaterThan(known / 3)
})

test('the tenth failure closes an account for 15 minutes, wherever the next attempt comes from', async () => {
  for (let n = 0; n < 10; n += 1) {
    expect((await logIn('budi@example.com', `guess number ${n}`, fromNewNetwork())).status).toBe(401)
    clock.advance(MINUTE)
  }
  const blocked = await logIn('BUDI@example.com', PASSWORD, fromNewNetwork())
  expect(refusalOf(blocked)).toMatchObject({ status: 429, code: 'RATE_LIMITED' })
  // The first failure is 10 minutes old: in 5 it leaves the window, and there is room for one attempt.
  expect(blocked.headers.get('retry-after')).toBe('300')
  expect((await logIn('ani@example.com', PASSWORD, fromNewNetwork())).status).toBe(200)
  clock.advance(5 * MINUTE)
  expect((await logIn('budi@example.com', PASSWORD, fromNewNetwork())).status).toBe(200)
  // Success wiped the slate: nine more failures are met with 401, not with 429.
  for (let n = 0; n < 9; n += 1) {
    expect((await logIn('budi@example.com', 'wrong again', fromNewNetwork())).status).toBe(401)
  }
  expect((await logIn('budi@example.com', PASSWORD, fromNewNetwork())).status).toBe(200)
})

test('ten failures from one network close it for every account, and success does not reset it', async () => {
  const from = fromNewNetwork()
  for (let n = 0; n < 9; n += 1)
    expect((await logIn(`spray${n}@example.com`, PASSWORD, from)).status).toBe(401)
  expect((await logIn('citra@example.com', PASSWORD, from)).status).toBe(200)
  expect((await logIn('spray9@example.com', PASSWORD, from)).status).toBe(401)
  const blocked = await logIn('citra@example.com', PASSWORD, from)
  expect([blocked.status, blocked.headers.get('retry-after')]).toEqual([429, '900'])
  expect((await logIn('citra@example.com', PASSWORD, fromNewNetwork())).status).toBe(200)
})

test.each(['account', 'network'])(
  'of two full windows Retry-After names the later one: the %s',
  async (later) => {
    const [email, from] = [`late-${later}@example.com`, fromNewNetwork()]
    const fill = {
      account: async () => {
        for (let n = 0; n < 10; n += 1) await logIn(email, PASSWORD, fromNewNetwork())
      },
      network: async () => {
        for (let n = 0; n < 10; n += 1) await logIn(`${later}-${n}@example.com`, PASSWORD, from)
      },
    }
    await fill[later === 'account' ? 'network' : 'account']()
    clock.advance(5 * MINUTE)
    await fill[later as 'account' | 'network']()
    clock.advance(MINUTE)
    const blocked = await logIn(email, PASSWORD, from)
    expect([blocked.status, blocked.headers.get('retry-after')]).toEqual([429, String(14 * 60)])
  },
)

/** Fails to sign in from one client behind a proxy; each time the client claims to be someone else. */
async function failForging(api: Api, appended: string, times: number) {
  const statuses: number[] = []
  for (let n = 0; n < times; n += 1) {
    const answer = await api.post(
      '/auth/login',
      { email: `forger${n}@example.com`, password: PASSWORD },
      { headers: { 'x-forwarded-for': `192.0.2.${n}, ${appended}` } },
    )
    statuses.push(answer.status)
  }
  return statuses
}

test('an address that the client put into X-Forwarded-For itself counts for nothing', async () => {
  const { 'x-forwarded-for': real } = fromNewNetwork()
  expect(await failForging(as(null), real, 11)).toEqual([...Array(10).fill(401), 429])
})

test.each([
  ['two proxies', '2', '203.0.113.200, 10.0.0.9'],
  ['proxies by address', 'loopback, 10.0.0.0/8', '203.0.113.200, 10.0.0.9'],
  ['no proxy', '0', '203.0.113.200'],
  ['a proxy that is not this one', '10.0.0.0/8', '203.0.113.200'],
])('behind %s failures are counted for the address that was seen', async (_, TRUST_PROXY, appended) => {
  const { harness, stop } = await startHarness({ clock, env: { TRUST_PROXY } })
  try {
    const anonymous = harness.as(null)
    expect(await failForging(anonymous, appended, 11)).toEqual([...Array(10).fill(401), 429])
    const subjects = await harness.deps.db.selectFrom('loginFailures').select('subject').distinct().execute()
    const seen = TRUST_PROXY === '2' || TRUST_PROXY.startsWith('loopback') ? '203.0.113.200' : '127.0.0.1'
    expect(subjects.map((row) => row.subject).filter((subject) => subject.startsWith('ip '))).toEqual([
      `ip ${seen}`,
    ])
  } finally {
    await stop()
  }
})

test('guesses that arrive together are counted all the same', async () => {
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, n) => logIn('dewi@example.com', `guess ${n}`, fromNewNetwork())),
  )
  const tried = answers.filter((answer) => answer.status === 401).length
  expect(tried).toBe(10)
  expect(answers.filter((answer) => answer.status === 429).length).toBe(30 - tried)
  clock.advance(16 * MINUTE)
})

test('failures are counted in the database, where every process sees them', async () => {
  const stored = await deps()
    .db.selectFrom('loginFailures')
    .select('subject')
    .where('subject', 'like', '%spray0@example.com%')
    .execute()
  expect(stored).toEqual([{ subject: 'email spray0@example.com' }])
})

test.each([
  [{}, 'email'],
  [{ email: 'a@example.com' }, 'password'],
  [{ email: '', password: 'x' }, 'email'],
  [{ email: 'a@example.com', password: '' }, 'password'],
  [{ email: 'a@example.com', password: 'x'.repeat(201) }, 'password'],
  [{ email: ['a@example.com'], password: 'x' }, 'email'],
  [{ email: 'a@example.com', password: { $ne: '' } }, 'password'],
])('POST /auth/login refuses %j', async (body, param) => {
  const refused = await as(null).post('/auth/login', body, { headers: fromNewNetwork() })
  expect(refusalOf(refused)).toEqual({ status: 400, code: 'VALIDATION_ERROR', param })
})

test('a form is not JSON: 415, and nobody is signed in', async () => {
  const refused = await as(null).raw('POST', '/auth/login', 'email=ani%40example.com&password=x', {
    'content-type': 'application/x-www-form-urlencoded',
  })
  expect(refusalOf(refused)).toMatchObject({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' })
})

test('signing out ends the session itself, not only the cookie, and needs none', async () => {
  const cookie = cookieOf(await logIn('ani@example.com', PASSWORD, fromNewNetwork()))
  const out = await browser(cookie).post('/auth/logout')
  expect([out.status, out.data]).toEqual([200, { loggedOut: true }])
  expect(out.headers.getSetCookie()[0]).toMatch(/^kasir_session=; .*Expires=Thu, 01 Jan 1970/)
  expect((await browser(cookie).get('/auth/me')).status).toBe(401)
  expect((await browser(cookie).get('/outlets')).status).toBe(401)
  expect((await browser(cookie).post('/auth/logout')).data).toEqual({ loggedOut: true })
  expect((await as(null).post('/auth/logout')).status).toBe(200)
  expect((await browser('kasir_session=nonsense').post('/auth/logout', {})).status).toBe(200)
})

test('an unused session ends after 7 days, a used one after 30', async () => {
  const DAY = 24 * 60 * MINUTE
  const { workspace } = acme()
  const member = await memberOf(acme(), 'CASHIER')
  const idle = await sessionOf(workspace.accountId, member.id, clock.now())
  const used = await sessionOf(workspace.accountId, member.id, clock.now())
  const status = async (cookie: string) => (await browser(cookie).get('/auth/me')).status
  const useIt = async () => {
    expect(await status(used)).toBe(200)
    // Use is written beside the request; the next day must not begin before it arrived.
    await expect
      .poll(async () => {
        const rows = await deps().db.selectFrom('sessions').select('lastSeenAt').execute()
        return rows.some((row) => row.lastSeenAt === clock.now())
      })
      .toBe(true)
  }
  for (let day = 0; day < 6; day += 1) {
    clock.advance(DAY)
    await useIt()
  }
  clock.advance(DAY - 1)
  const other = await sessionOf(workspace.accountId, member.id, clock.now())
  clock.advance(1)
  expect([await status(idle), await status(used), await status(other)]).toEqual([401, 200, 200])
  for (let day = 7; day < 29; day += 1) {
    clock.advance(DAY)
    await useIt()
  }
  clock.advance(DAY - 1)
  expect(await status(used)).toBe(200)
  clock.advance(1)
  expect(await status(used)).toBe(401)
})

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:aaaa:bbbb:cccc:dddd', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('failures from %s are counted for %s', (ip, network) => {
  expect(networkOf(ip)).toBe(network)
})
