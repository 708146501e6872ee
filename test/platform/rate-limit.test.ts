import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rateLimiter } from '../../src/platform/auth/rate-limit.ts'
import { manualClock } from '../../src/platform/clock.ts'
import { startHarness } from '../support/service.ts'

test('a full bucket lets a tenth of the rate through at once, then refuses with the seconds to wait', () => {
  const limiter = rateLimiter()
  const verdicts = Array.from({ length: 11 }, () => limiter.take('till', 100, 0))
  expect(verdicts.map((verdict) => verdict.allowed)).toEqual([...Array(10).fill(true), false])
  expect(verdicts[0]).toEqual({ allowed: true, limit: 100, remaining: 9, resetSeconds: 1 })
  expect(verdicts[10]).toEqual({ allowed: false, limit: 100, remaining: 0, resetSeconds: 1 })
})

test('it fills by the rate and never beyond the burst', () => {
  const limiter = rateLimiter()
  for (let i = 0; i < 10; i += 1) limiter.take('till', 100, 0)
  expect(limiter.take('till', 100, 599).allowed).toBe(false)
  expect(limiter.take('till', 100, 1_200).allowed).toBe(true)
  expect(limiter.take('till', 100, 10_000_000).remaining).toBe(9)
})

test('a clock that goes back takes nothing away', () => {
  const limiter = rateLimiter()
  limiter.take('till', 100, 10_000)
  expect(limiter.take('till', 100, 0).remaining).toBe(8)
})

test('one caller does not spend what another has', () => {
  const limiter = rateLimiter()
  for (let i = 0; i < 20; i += 1) limiter.take('a', 100, 0)
  expect(limiter.take('b', 100, 0).allowed).toBe(true)
})

test('over any minute a caller gets the rate plus one burst at most', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 200, maxLength: 2_000 }), (gaps) => {
      const limiter = rateLimiter()
      let now = 0
      const allowed: number[] = []
      for (const gap of gaps) {
        now += gap
        if (limiter.take('till', 600, now).allowed) allowed.push(now)
      }
      const window = allowed.filter((at) => at < (allowed[0] ?? 0) + 60_000)
      expect(window.length).toBeLessThanOrEqual(600 + 60)
    }),
    { numRuns: 30 },
  )
})

test('the service answers 429 with the seconds to wait, per credential and per address', async () => {
  const clock = manualClock('2026-11-21T03:00:00.000Z')
  const { harness, stop } = await startHarness({ clock, env: { RATE_LIMIT_PER_MINUTE: '50' } })
  try {
    const answers = await Promise.all(Array.from({ length: 6 }, () => harness.acme.get('/outlets')))
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 200, 200, 200, 200, 429])
    const refused = answers.find((answer) => answer.status === 429)
    expect(refused?.error.code).toBe('RATE_LIMITED')
    expect(refused?.headers.get('retry-after')).toBe('2')
    expect(refused?.headers.get('ratelimit-limit')).toBe('50')
    expect(refused?.headers.get('ratelimit-remaining')).toBe('0')
    expect((await harness.globex.get('/outlets')).status).toBe(200)
    clock.advance(2_000)
    expect((await harness.acme.get('/outlets')).status).toBe(200)
  } finally {
    await stop()
  }
})

test('a caller who guesses credentials is slowed down by the address', async () => {
  const clock = manualClock('2026-11-21T03:00:00.000Z')
  const { harness, stop } = await startHarness({ clock, env: { RATE_LIMIT_PER_MINUTE: '50' } })
  try {
    const guesses = await Promise.all(
      Array.from({ length: 20 }, () => harness.as('kasir_sk_guess').get('/outlets')),
    )
    expect(new Set(guesses.map((answer) => answer.status))).toEqual(new Set([401, 429]))
  } finally {
    await stop()
  }
})

test('of fifty thousand callers the one that came longest ago is forgotten, and nobody before', () => {
  const limiter = rateLimiter()
  const isAllowed = (caller: string) => limiter.take(caller, 10, 0).allowed
  expect([isAllowed('first'), isAllowed('first')]).toEqual([true, false])
  for (let n = 1; n < 50_000; n += 1) isAllowed(`caller ${n}`)
  expect(isAllowed('first')).toBe(false)
  for (let n = 0; n < 50_000; n += 1) isAllowed(`other ${n}`)
  expect(isAllowed('first')).toBe(true)
})
