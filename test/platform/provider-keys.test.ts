import { expect, test } from 'vitest'
import { manualClock } from '../../src/platform/clock.ts'
import type { Api } from '../support/api.ts'
import {
  claimsFor,
  type Mood,
  type Provider,
  type ProviderKey,
  signedBy,
  startProvider,
} from '../support/provider.ts'
import { type Harness, type HarnessOptions, startHarness } from '../support/service.ts'
import { watching } from '../support/statements.ts'

const times = <T>(n: number, make: (index: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i))
const tally = (statuses: number[]) => {
  const counts: Record<number, number> = {}
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

type Scene = {
  harness: Harness
  provider: Provider
  clock: ReturnType<typeof manualClock>
  key: ProviderKey
  /** A good token, another one each time. */
  token(by?: ProviderKey, header?: Record<string, unknown>): Promise<string>
  ask(token: string): ReturnType<Api['get']>
}

/** A service whose clock is ours and which has asked the provider nothing yet. */
async function scene(
  work: (scene: Scene) => Promise<void>,
  options: Pick<HarnessOptions, 'env' | 'live'> = {},
) {
  const provider = await startProvider()
  const key = await provider.newKey('first', 'RS256')
  const clock = manualClock('2026-11-22T03:00:00.000Z')
  const { harness, stop } = await startHarness({
    ...options,
    clock,
    env: { ...provider.env, ...options.env },
  })
  const { accountId } = harness.acme.workspace
  const id = 'usr_01KAAAAAAAAAAAAAAAAAAAAAAA'
  await harness.deps.db
    .insertInto('members')
    .values({ accountId, id, email: 'ani@example.test', name: 'Ani', role: 'MANAGER' })
    .execute()
  let made = 0
  const token = (by: ProviderKey = key, header: Record<string, unknown> = {}) =>
    signedBy(
      by,
      claimsFor({ accountId, id }, clock.ms(), { jti: String((made += 1)), exp: 4_000_000_000 }),
      header,
    )
  const ask = (sent: string) =>
    harness.as(null).get('/outlets', { headers: { authorization: `Bearer ${sent}` } })
  try {
    await work({ harness, provider, clock, key, token, ask })
  } finally {
    await stop()
    await provider.stop()
  }
}

const MINUTE = 60_000

test('the keys are asked for once by tokens that come at once, and again after ten minutes', () =>
  scene(async ({ provider, clock, token, ask }) => {
    const answers = await Promise.all(times(30, async () => ask(await token())))
    expect([tally(answers.map(({ status }) => status)), provider.asked()]).toEqual([{ 200: 30 }, 1])
    clock.advance(9 * MINUTE)
    expect([(await ask(await token())).status, provider.asked()]).toEqual([200, 1])
    clock.advance(MINUTE)
    expect([(await ask(await token())).status, provider.asked()]).toEqual([200, 2])
  }))

test('a key the provider begins to use is known with its first token', () =>
  scene(async ({ provider, clock, token, ask }) => {
    expect((await ask(await token())).status).toBe(200)
    const second = await provider.newKey('second', 'ES256')
    clock.advance(MINUTE)
    expect([(await ask(await token(second))).status, provider.asked()]).toEqual([200, 2])
  }))

test('a flood of invented names of keys has the provider asked once a minute, and good tokens go on', () =>
  scene(async ({ provider, clock, token, ask }) => {
    expect((await ask(await token())).status).toBe(200)
    clock.advance(MINUTE)
    const flood = () =>
      Promise.all(times(100, async (n) => ask(await token(undefined, { kid: `invented-${n}` }))))
    expect(tally((await flood()).map(({ status }) => status))).toEqual({ 401: 100 })
    expect(provider.asked()).toBe(2)
    clock.advance(MINUTE / 2)
    await flood()
    expect([provider.asked(), (await ask(await token())).status]).toEqual([2, 200])
    clock.advance(MINUTE / 2)
    await flood()
    expect(provider.asked()).toBe(3)
  }))

test('a key the provider withdrew opens nothing after ten minutes, to no token that was good either', () =>
  scene(async ({ provider, clock, token, ask }) => {
    const known = await token()
    expect((await ask(known)).status).toBe(200)
    provider.keys.length = 0
    await provider.newKey('second', 'RS256')
    clock.advance(10 * MINUTE)
    expect([(await ask(known)).status, (await ask(await token())).status]).toEqual([401, 401])
  }))

test.each<Mood>(['error', 'nonsense', 'endless', 'silent'])(
  'a provider that answers %s keeps nobody out whose key is held, and is asked once a minute',
  (mood) =>
    scene(async ({ provider, clock, token, ask }) => {
      expect((await ask(await token())).status).toBe(200)
      provider.be(mood)
      clock.advance(10 * MINUTE)
      for (const _ of times(5, () => 0)) expect((await ask(await token())).status).toBe(200)
      expect(provider.asked()).toBe(2)
      clock.advance(MINUTE)
      expect([(await ask(await token())).status, provider.asked()]).toEqual([200, 3])
    }),
)

test('the keys of a provider that has not answered for a day open nothing any more', () =>
  scene(async ({ provider, clock, token, ask }) => {
    expect((await ask(await token())).status).toBe(200)
    provider.be('error')
    clock.advance(24 * 60 * MINUTE - 1)
    expect((await ask(await token())).status).toBe(200)
    clock.advance(MINUTE)
    expect((await ask(await token())).status).toBe(503)
    provider.be('well')
    clock.advance(MINUTE)
    expect((await ask(await token())).status).toBe(200)
  }))

test('before the provider has ever answered a token is 503 and to be sent again, not 401', () =>
  scene(async ({ provider, clock, token, ask }) => {
    provider.be('error')
    const refused = await ask(await token())
    expect([refused.status, refused.error.code, refused.headers.get('retry-after')]).toEqual([
      503,
      'SERVICE_UNAVAILABLE',
      '5',
    ])
    await Promise.all(times(20, async () => ask(await token())))
    expect(provider.asked()).toBe(1)
    provider.be('well')
    clock.advance(4_999)
    expect((await ask(await token())).status).toBe(503)
    clock.advance(1)
    expect([(await ask(await token())).status, provider.asked()]).toEqual([200, 2])
  }))

test('while the provider is silent an API key that nobody knows yet is let in at once', () =>
  scene(async ({ harness, provider, token, ask }) => {
    provider.be('silent')
    const waiting = times(40, async () => ask(await token()))
    await expect.poll(() => provider.asked()).toBe(1)
    let isAnswered = false
    void Promise.race(waiting).then(() => {
      isAnswered = true
    })
    expect((await harness.globex.get('/outlets')).status).toBe(200)
    expect(isAnswered).toBe(false)
    expect(tally((await Promise.all(waiting)).map(({ status }) => status))).toEqual({ 503: 40 })
  }))

/** What every process asks by itself: whether its key is current, and whether its connection for changes lives. */
const OF_THE_PROCESS = /secrets_keys|^select 1$/

test('300 invented tokens cost their address its budget, the database nothing and the provider one question', () =>
  scene(
    async ({ harness, provider, clock, key, token, ask }) => {
      const known = await token()
      expect((await ask(known)).status).toBe(200)
      clock.advance(MINUTE)
      const forged = await Promise.all(
        times(300, async (n) => {
          const [header, claims] = (await token(key, n % 2 ? { kid: `invented-${n}` } : {})).split('.')
          return `${header}.${claims}.${Buffer.alloc(256, n).toString('base64url')}`
        }),
      )
      let statuses: number[] = []
      const statements: string[] = []
      await watching(
        ({ text }) => {
          if (!OF_THE_PROCESS.test(text)) statements.push(text)
        },
        async () => {
          statuses = (await Promise.all(forged.map(ask))).map(({ status }) => status)
        },
      )
      expect(tally(statuses)).toEqual({ 401: 60, 429: 240 })
      expect([statements, provider.asked()]).toEqual([[], 2])
      // Nothing is left to the address, and whoever is known is served.
      expect([(await ask(await token())).status, (await ask(known)).status]).toEqual([429, 200])
      expect((await harness.acme.get('/outlets')).status).toBe(429)
    },
    { env: { RATE_LIMIT_PER_MINUTE: '3000' } },
  ))

test('the requests of a JWT are counted by its member, whatever token they bring', () =>
  scene(
    async ({ token, ask }) => {
      const remaining: number[] = []
      for (const _ of times(3, () => 0)) {
        remaining.push(Number((await ask(await token())).headers.get('ratelimit-remaining')))
      }
      expect(remaining).toEqual([299, 298, 297])
    },
    { env: { RATE_LIMIT_PER_MINUTE: '3000' } },
  ))

test('a live stream ends once the JWT that opened it does', () =>
  scene(
    async ({ harness, provider, clock, key, token }) => {
      const { accountId } = harness.acme.workspace
      const ending = await signedBy(
        key,
        claimsFor({ accountId, id: 'usr_01KAAAAAAAAAAAAAAAAAAAAAAA' }, clock.ms(), {
          exp: Math.floor(clock.ms() / 1000) + 60,
        }),
      )
      const follow = async (sent: string) =>
        (
          await fetch(`${harness.address}/api/v1/events/stream`, {
            headers: { authorization: `Bearer ${sent}` },
          })
        ).body as ReadableStream<Uint8Array>
      const first = await follow(ending)
      const second = await follow(await token())
      // The provider being away closes no stream.
      provider.be('error')
      clock.advance(121_000)
      const chunks: string[] = []
      for await (const chunk of first) chunks.push(new TextDecoder().decode(chunk))
      expect(chunks.join('')).toContain('retry: 3000')
      const reader = second.getReader()
      await reader.read()
      const later = await reader.read()
      expect([later.done, new TextDecoder().decode(later.value)]).toEqual([false, ': ping\n\n'])
      await reader.cancel()
    },
    { live: { pingMs: 400, recheckMs: 100 } },
  ))
