import { describe, expect, it } from 'vitest'
import { isLeaseFree } from '../../../web/src/offline/lease.ts'
import { isDue, pauseAfter, verdictOn } from '../../../web/src/offline/outbox-row.ts'

const NOW = Date.parse('2026-11-27T03:00:00.000Z')
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

describe('a sale of the outbox', () => {
  const isDueAt = (dueMs: number, state: 'waiting' | 'refused' = 'waiting') => isDue({ state, dueMs }, NOW)

  it('waits out its pause, and no longer if the clock of the device was set back since', () => {
    expect([0, -DAY, 1, MINUTE, 5 * MINUTE].map((ms) => isDueAt(NOW + ms))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
    expect([5 * MINUTE + 1, DAY].map((ms) => isDueAt(NOW + ms))).toEqual([true, true])
    expect([0, DAY].map((ms) => isDueAt(NOW + ms, 'refused'))).toEqual([false, false])
  })

  it('is sent again after 1 to 60 seconds, or after the pause that the service asks for, up to five minutes', () => {
    expect([1, 2, 7, 1_000].map((tries) => pauseAfter(tries))).toEqual([1_000, 2_000, MINUTE, MINUTE])
    expect([100, 2 * MINUTE, DAY].map((askedMs) => pauseAfter(1, askedMs))).toEqual([
      1_000,
      2 * MINUTE,
      5 * MINUTE,
    ])
  })
})

describe('the answer to a sale of the outbox', () => {
  const verdictOf = (status: number, code: string, more: Partial<Parameters<typeof verdictOn>[0]> = {}) =>
    verdictOn({ status, code, ...more })

  it('leads to another try while the outcome is unknown or the service is busy', () => {
    expect([
      verdictOf(503, 'SERVICE_UNAVAILABLE'),
      verdictOf(429, 'RATE_LIMITED'),
      verdictOf(408, 'REQUEST_TIMEOUT'),
      verdictOf(409, 'IDEMPOTENCY_KEY_IN_USE'),
    ]).toEqual(['again', 'again', 'again', 'again'])
  })

  it('waits for a person after a refusal, also where another request has used the key', () => {
    const details = { usedAt: '2026-11-27T03:00:00.000Z' }
    expect(verdictOf(422, 'VALIDATION_ERROR')).toBe('refused')
    expect(verdictOf(409, 'IDEMPOTENCY_KEY_IN_USE', { details })).toBe('refused')
  })

  it('waits for its seller where the session may not send it', () => {
    expect(verdictOf(401, 'AUTH_REQUIRED')).toBe('absent')
    expect(verdictOf(403, 'FORBIDDEN', { param: 'offline.soldBy' })).toBe('absent')
    expect(verdictOf(403, 'FORBIDDEN')).toBe('refused')
  })
})

describe('the turn of a tab to send', () => {
  it('is free without a lease, for its owner, and after the lease, also if the clock was set back since', () => {
    const isFreeUntil = (untilMs: number, owner = 'other') => isLeaseFree({ owner, untilMs }, 'own', NOW)
    expect(isLeaseFree(undefined, 'own', NOW)).toBe(true)
    expect([1, 20_000].map((ms) => isFreeUntil(NOW + ms))).toEqual([false, false])
    expect([0, -1, 20_001, DAY].map((ms) => isFreeUntil(NOW + ms))).toEqual([true, true, true, true])
    expect(isFreeUntil(NOW + 1, 'own')).toBe(true)
  })
})
