import { httpDateMs } from '../../core/time.ts'

/** Longest delay that a receiver may request by `Retry-After`. */
const LONGEST_WAIT_S = 86_400
/** Retries are spread by this fraction of the wait, earlier or later, so that joint failures do not retry together. */
const JITTER = 0.1

/**
 * Seconds until the next attempt, or null when there is none left. `made` counts the attempts so far; `schedule` holds
 * the seconds before each attempt, the first included; `random` lies in [0, 1). A larger `Retry-After` wins, up to a
 * day (B-webhook-5).
 */
export function nextWaitS(
  schedule: readonly number[],
  made: number,
  retryAfterS: number | null,
  random: number,
): number | null {
  const planned = schedule[made]
  if (planned === undefined) return null
  const spread = planned * (1 + JITTER * (2 * random - 1))
  return Math.max(spread, Math.min(retryAfterS ?? 0, LONGEST_WAIT_S))
}

/** `Retry-After` in seconds from now: a number or a date (RFC 9110, 10.2.3); null when it is neither. */
export function retryAfterS(header: string | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? ''
  if (/^\d{1,10}$/.test(text)) return Number(text)
  const atMs = httpDateMs(text)
  return atMs === null ? null : Math.max(0, Math.ceil((atMs - nowMs) / 1000))
}
