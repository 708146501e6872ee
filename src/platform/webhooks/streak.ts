import { epochMsOf } from '../../core/time.ts'

/** Failed attempts in a row of one endpoint, across its deliveries, and when the first of them was made. */
export type Streak = { failures: number; since: string | null }

export const NO_STREAK: Streak = { failures: 0, since: null }

/** The run after attempts in the order they ended: a success ends it (B-webhook-6). */
export const streakAfter = (
  before: Streak,
  attempts: readonly { at: string; isSuccess: boolean }[],
): Streak =>
  attempts.reduce<Streak>(
    ({ failures, since }, { at, isSuccess }) =>
      isSuccess ? NO_STREAK : { failures: failures + 1, since: since ?? at },
    before,
  )

/** Long enough in both counts to switch the endpoint off: a short outage of a busy shop is many failures, not a dead hook. */
export const isHopeless = (
  { failures, since }: Streak,
  nowMs: number,
  limits: { failures: number; ageS: number },
): boolean => failures >= limits.failures && since !== null && nowMs - epochMsOf(since) >= limits.ageS * 1000
