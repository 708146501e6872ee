import cookie from '@fastify/cookie'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { newAccountId, newKey, newSessionToken } from '../../src/platform/auth/tokens.ts'
import { manualClock } from '../../src/platform/clock.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { countCallers } from '../../src/platform/http/callers.ts'
import { type Harness, type HarnessOptions, startHarness } from '../support/service.ts'
import { watching } from '../support/statements.ts'

/** A clock that stands still: nothing refills. An address then has 60 requests, a credential 300 (B-limit-2). */
async function serving(
  env: Record<string, string>,
  work: (harness: Harness, clock: ReturnType<typeof manualClock>) => Promise<void>,
  options: Pick<HarnessOptions, 'live'> = {},
) {
  const clock = manualClock('2026-11-21T03:00:00.000Z')
  const { harness, stop } = await startHarness({
    clock,
    env: { RATE_LIMIT_PER_MINUTE: '3000', ...env },
    ...options,
  })
  try {
    await work(harness, clock)
  } finally {
    await stop()
  }
}

const tally = (statuses: number[]) => {
  const counts: Record<number, number> = {}
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

const times = <T>(n: number, make: (index: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i))

const CREDENTIAL_READS = /from api_keys\s|from sessions s/

async function credentialReads(work: () => Promise<unknown>): Promise<number> {
  let reads = 0
  await watching(({ text }) => {
    if (CREDENTIAL_READS.test(text)) reads += 1
  }, work)
  return reads
}

test('300 invented keys from one address cost 60 statements, and the rest are refused unasked', () =>
  serving({}, async ({ as }) => {
    let statuses: number[] = []
    const reads = await credentialReads(async () => {
      const answers = await Promise.all(times(300, () => as(newKey(newAccountId())).get('/outlets')))
      statuses = answers.map((answer) => answer.status)
    })
    expect(tally(statuses)).toEqual({ 401: 60, 429: 240 })
    expect(reads).toBe(60)
  }))

test('invented sessions spend the budget of their address as well', () =>
  serving({}, async ({ as }) => {
    const reads = await credentialReads(() =>
      Promise.all(
        times(100, () =>
          as(null).get('/outlets', {
            headers: { cookie: `kasir_session=${newSessionToken(newAccountId())}` },
          }),
        ),
      ),
    )
    expect(reads).toBe(60)
  }))

test('a key the service knows is served while its address has nothing left, and a new one once there is', () =>
  serving({}, async ({ as, acme, globex }, clock) => {
    expect((await acme.get('/outlets')).status).toBe(200)
    await Promise.all(times(100, () => as('kasir_sk_guess').get('/outlets')))
    expect((await as(null).get('/outlets')).status).toBe(429)
    expect((await acme.get('/outlets')).status).toBe(200)
    const early = await globex.get('/outlets')
    expect([early.status, early.error.code, early.headers.get('retry-after')]).toEqual([
      429,
      'RATE_LIMITED',
      '1',
    ])
    clock.advance(1_000)
    expect((await globex.get('/outlets')).status).toBe(200)
  }))

test('ten tills behind one address sell beyond the budget of the address, each within its own', () =>
  serving({}, async (harness) => {
    const shops = await Promise.all(times(10, (n) => harness.workspace(`Shop ${n}`)))
    for (const round of times(20, (n) => n)) {
      const answers = await Promise.all(shops.map((shop) => shop.get('/outlets')))
      expect(tally(answers.map((answer) => answer.status)), `round ${round}`).toEqual({ 200: 10 })
    }
    // A key that turned out to be one gave back what its first look had cost.
    expect((await harness.as(null).get('/outlets')).headers.get('ratelimit-remaining')).toBe('59')
  }))

test('a key that was revoked spends the budget of its address from its next request on', () =>
  serving({}, async ({ acme, as }) => {
    const made = await acme.post('/api-keys', { name: 'Lost till' })
    const lost = as(made.data.key)
    expect((await lost.get('/outlets')).headers.get('ratelimit-limit')).toBe('3000')
    expect((await acme.delete(`/api-keys/${made.data.apiKey.id}`)).status).toBe(200)
    expect((await lost.get('/outlets')).status).toBe(401)
    const after = await lost.get('/outlets')
    expect([after.status, after.headers.get('ratelimit-limit')]).toEqual([401, '600'])
  }))

test.each([
  ['GET', '/docs'],
  ['GET', '/docs/reference.js'],
  ['GET', '/api/v1/openapi.json'],
  ['GET', '/api/v1/nowhere'],
  ['DELETE', '/api/v1/health'],
  ['POST', '/api/v1/auth/login'],
])('%s %s answers 429 to an address that has spent its budget', (method, path) =>
  serving({}, async ({ as, address }) => {
    await Promise.all(times(60, () => as(null).get('/outlets')))
    const response = await fetch(`${address}${path}`, { method })
    const { error, meta } = (await response.json()) as {
      error: { code: string }
      meta: { requestId: string }
    }
    expect([response.status, error.code, response.headers.get('retry-after')]).toEqual([
      429,
      'RATE_LIMITED',
      '1',
    ])
    expect(meta.requestId).toBe(response.headers.get('x-request-id'))
  }),
)

test('the register opens for an address that has spent its budget: its files cost no work', () =>
  serving({}, async ({ as, address }) => {
    await Promise.all(times(60, () => as(null).get('/outlets')))
    expect((await as(null).get('/outlets')).status).toBe(429)
    const page = await fetch(`${address}/`)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  }))

test('GET /health answers an address that has spent its budget, and takes nothing from that budget', () =>
  serving({}, async ({ acme, as }) => {
    const probe = () => as(null).get('/health')
    const before = Number((await acme.get('/outlets')).headers.get('ratelimit-remaining'))
    const probes = await Promise.all(times(100, probe))
    expect(tally(probes.map(({ status }) => status))).toEqual({ 200: 100 })
    const strangers = await Promise.all(times(61, () => as(null).get('/outlets')))
    expect(tally(strangers.map(({ status }) => status))).toEqual({ 401: 60, 429: 1 })
    expect((await probe()).status).toBe(200)
    expect((await acme.get('/health')).headers.get('ratelimit-limit')).toBe('6000')
    expect((await acme.get('/outlets')).headers.get('ratelimit-remaining')).toBe(String(before - 1))
  }))

test('GET /health is 429 past a burst of 600 from one address', () =>
  serving({}, async ({ as }) => {
    const probes = await Promise.all(times(620, () => as(null).get('/health')))
    expect(tally(probes.map(({ status }) => status))).toEqual({ 200: 600, 429: 20 })
  }))

test('signing in is counted by address, whatever known cookie or key comes along', () =>
  serving({}, async ({ acme, as }) => {
    expect((await acme.get('/outlets')).status).toBe(200)
    await Promise.all(times(60, () => as(null).get('/outlets')))
    expect((await acme.post('/auth/logout')).status).toBe(429)
    expect((await acme.get('/auth/me')).status).toBe(200)
  }))

test('an IPv6 network of 64 bits is one address, and so is an IPv4 address in either way of writing', () =>
  serving({ TRUST_PROXY: '1' }, async ({ as }) => {
    const from = (ip: string) => as(null).get('/outlets', { headers: { 'x-forwarded-for': ip } })
    await Promise.all(times(60, (n) => from(`2001:db8:1:2::${(n + 1).toString(16)}`)))
    expect((await from('2001:db8:1:2:ffff::9')).status).toBe(429)
    expect((await from('2001:db8:1:3::1')).status).toBe(401)
    await Promise.all(times(60, () => from('203.0.113.9')))
    expect((await from('::ffff:203.0.113.9')).status).toBe(429)
  }))

test('a page of an allowed origin can read how long to wait', () =>
  serving({ CORS_ORIGINS: 'https://dash.example' }, async ({ as }) => {
    const headers = { origin: 'https://dash.example' }
    await Promise.all(times(60, () => as(null).get('/outlets')))
    const refused = await as(null).get('/outlets', { headers })
    expect([
      refused.status,
      refused.headers.get('access-control-allow-origin'),
      refused.headers.get('access-control-expose-headers')?.includes('retry-after'),
    ]).toEqual([429, 'https://dash.example', true])
  }))

test('of 50,001 proved credentials the one used longest ago is a stranger again, and the others are not', async () => {
  const app = Fastify()
  await app.register(cookie)
  const config = readConfig({ RATE_LIMIT_PER_MINUTE: '0' })
  countCallers(app, { config, clock: manualClock('2026-11-21T03:00:00.000Z') })
  app.get('/', (request, reply) => {
    reply.send({ isKnown: request.isKnown })
    request.onProved?.('actor')
  })
  const account = newAccountId()
  const isKnown = async (key: string) => {
    const answer = await app.inject({ url: '/', headers: { authorization: `Bearer ${key}` } })
    return answer.json<{ isKnown: boolean }>().isKnown
  }
  const [first, second, ...others] = times(50_001, () => newKey(account))
  if (first === undefined || second === undefined) throw new Error('no keys')
  for (const key of [first, second, ...others]) expect(await isKnown(key)).toBe(false)
  expect([await isKnown(second), await isKnown(first)]).toEqual([true, false])
  await app.close()
})
