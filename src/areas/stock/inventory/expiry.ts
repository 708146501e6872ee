import { malformed } from '../../../core/errors.ts'
import { dayOf, isDay, parseInstant } from '../../../core/time.ts'

/** The range ends early enough that no time zone moves a day out of the supported calendar. */
const [FIRST, LAST] = ['1900-01-01', '9999-12-30']

/**
 * An expiry as the client sent it: a calendar day, an instant, or null for no expiry. The time zone of the outlet
 * turns an instant into a day.
 */
export type Expiry = { day: string } | { instant: string } | null

/** Reads YYYY-MM-DD or RFC 3339 with an offset (B-batch-2). Throws 400 with `param` for any other text. */
export function readExpiry(text: string | null | undefined, param: string): Expiry {
  if (text === null || text === undefined) return null
  const instant = isDay(text) ? null : parseInstant(text)
  const day = instant?.slice(0, 10) ?? text
  if (!isDay(day) || day < FIRST || day > LAST)
    throw malformed(
      param,
      `${param} must be a date such as 2027-06-30, or an instant with its offset such as 2027-06-30T08:00:00+07:00`,
    )
  return instant === null ? { day } : { instant }
}

/** Returns the last sellable day as YYYY-MM-DD in the outlet's time zone (B-batch-2). */
export function expiryDay(expiry: Expiry, timezone: string): string | null {
  if (expiry === null) return null
  return 'day' in expiry ? expiry.day : dayOf(expiry.instant, timezone)
}
