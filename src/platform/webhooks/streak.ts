import { epochMsOf } from '../../core/time.ts'

/** Consecutive failed attempts at one endpoint, across its deliveries, and the time of the first. */
export type Streak = { failures: number; since: string | null }

export const NO_STREAK: Streak = { failures: 0, since: null }

/** The streak after attempts in the order they ended: a success resets it (B-webhook-6). */
export const streakAfter = (
  before: Streak,
  attempts: readonly { at: string; isSuccess: boolean }[],
): Streak =>
  attempts.reduce<Streak>(
    ({ failures, since }, { at, isSuccess }) =>
      isSuccess ? NO_STREAK : { failures: failures + 1, since: since ?? at },
    before,
  )

/**
 * Whether to switch the endpoint off. Both limits must be reached: a busy shop's short outage causes many failures.
 */
export const isHopeless = (
  { failures, since }: Streak,
  nowMs: number,
  limits: { failures: number; ageS: number },
): boolean => failures >= limits.failures && since !== null && nowMs - epochMsOf(since) >= limits.ageS * 1000
