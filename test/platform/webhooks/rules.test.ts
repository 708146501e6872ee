import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { nextWaitS, retryAfterS } from '../../../src/platform/webhooks/schedule.ts'
import { newSigningSecret, signedHeaders } from '../../../src/platform/webhooks/signature.ts'
import { isHopeless, NO_STREAK, streakAfter } from '../../../src/platform/webhooks/streak.ts'

const SCHEDULE = [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
const middle = 0.5

test('ten attempts over 75 hours 35 minutes and 5 seconds, then none', () => {
  const waits = SCHEDULE.map((_, made) => nextWaitS(SCHEDULE, made, null, middle))
  expect(waits).toEqual(SCHEDULE)
  expect(waits.reduce<number>((sum, wait) => sum + (wait ?? 0), 0)).toBe(75 * 3_600 + 35 * 60 + 5)
  expect(nextWaitS(SCHEDULE, 10, null, middle)).toBeNull()
  expect(nextWaitS(SCHEDULE, 10, 60, middle)).toBeNull()
})

test('a wait is at most a tenth shorter or longer than planned', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 9 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (made, random) => {
        const planned = SCHEDULE[made] ?? 0
        const wait = nextWaitS(SCHEDULE, made, null, random) ?? -1
        expect(wait).toBeGreaterThanOrEqual(planned * 0.9)
        expect(wait).toBeLessThanOrEqual(planned * 1.1)
      },
    ),
  )
})

test('a receiver may ask for more patience than planned, up to a day, and never for less', () => {
  expect(nextWaitS(SCHEDULE, 1, 120, middle)).toBe(120)
  expect(nextWaitS(SCHEDULE, 2, 120, middle)).toBe(300)
  expect(nextWaitS(SCHEDULE, 1, 10_000_000, middle)).toBe(86_400)
})

test('Retry-After is a number of seconds or a date, and anything else is none', () => {
  const now = Date.parse('2026-05-04T02:00:00.000Z')
  expect(retryAfterS('120', now)).toBe(120)
  expect(retryAfterS(' 0 ', now)).toBe(0)
  expect(retryAfterS('Mon, 04 May 2026 02:01:30 GMT', now)).toBe(90)
  expect(retryAfterS('Mon, 04 May 2026 01:00:00 GMT', now)).toBe(0)
  for (const text of [
    undefined,
    '',
    '-1',
    '1e9',
    '1.5',
    'soon',
    '2026-05-04T02:01:30Z',
    'Xyz, 99 Abc 2026 02:01:30 GMT',
  ])
    expect(retryAfterS(text, now), String(text)).toBeNull()
})

const at = (minute: number) => `2026-05-04T02:${String(minute).padStart(2, '0')}:00.000Z`
const fail = (minute: number) => ({ at: at(minute), isSuccess: false })
const succeed = (minute: number) => ({ at: at(minute), isSuccess: true })

test('a run of failures begins with the first after a success', () => {
  expect(streakAfter(NO_STREAK, [fail(1), fail(2)])).toEqual({ failures: 2, since: at(1) })
  expect(streakAfter({ failures: 5, since: at(0) }, [fail(9)])).toEqual({ failures: 6, since: at(0) })
  expect(streakAfter({ failures: 5, since: at(0) }, [fail(1), succeed(2), fail(3)])).toEqual({
    failures: 1,
    since: at(3),
  })
  expect(streakAfter({ failures: 5, since: at(0) }, [fail(1), succeed(2)])).toEqual(NO_STREAK)
})

test('twenty failures in a row and an hour make an endpoint hopeless, neither alone does', () => {
  const limits = { failures: 20, ageS: 3_600 }
  const since = '2026-05-04T02:00:00.000Z'
  const hour = Date.parse(since) + 3_600_000
  expect(isHopeless({ failures: 20, since }, hour, limits)).toBe(true)
  expect(isHopeless({ failures: 19, since }, hour, limits)).toBe(false)
  expect(isHopeless({ failures: 20, since }, hour - 1, limits)).toBe(false)
  expect(isHopeless(NO_STREAK, hour, limits)).toBe(false)
})

test('what we sign the official library verifies, and one changed byte it refuses', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
      const secret = newSigningSecret()
      const body = JSON.stringify({ text })
      const headers = signedHeaders(secret, 'evt_01', Date.now(), body)
      const webhook = new Webhook(secret)
      expect(webhook.verify(body, headers)).toEqual({ text })
      expect(() => webhook.verify(`${body} `, headers)).toThrow()
      expect(() => webhook.verify(body, { ...headers, 'webhook-id': 'evt_02' })).toThrow()
      const another = new Webhook(`whsec_${randomBytes(32).toString('base64')}`)
      expect(() => another.verify(body, headers)).toThrow()
    }),
  )
})

test('a secret is 32 bytes in base64 behind its prefix, another each time', () => {
  const secrets = Array.from({ length: 100 }, newSigningSecret)
  expect(new Set(secrets).size).toBe(100)
  for (const secret of secrets) {
    expect(secret.startsWith('whsec_')).toBe(true)
    expect(Buffer.from(secret.slice(6), 'base64').length).toBe(32)
  }
})
