import { malformed } from '../../../core/errors.ts'
import { dayOf, isDay, parseInstant } from '../../../core/time.ts'

/** Far enough from the ends of the calendar that no time zone leads out of it. */
const [FIRST, LAST] = ['1900-01-01', '9999-12-30']

/** An expiry as sent: a calendar day, or an instant that is a day only in some zone; null when there is none. */
export type Expiry = { day: string } | { instant: string } | null

/** Reads YYYY-MM-DD or RFC 3339 with an offset (B-batch-2); anything else is 400 with `param`. */
export function readExpiry(text: string | null | undefined, param: string): Expiry {
  if (text === null || text === undefined) return null
  const instant = isDay(text) ? null : parseInstant(text)
  const day = instant?.slice(0, 10) ?? text
  if (!isDay(day) || day < FIRST || day > LAST)
    throw malformed(param, `${param} must be a date such as 2027-06-30, or a date-time with its offset`)
  return instant === null ? { day } : { instant }
}

/** The last sellable day, YYYY-MM-DD in the outlet's zone (B-batch-2). */
export function expiryDay(expiry: Expiry, timezone: string): string | null {
  if (expiry === null) return null
  return 'day' in expiry ? expiry.day : dayOf(expiry.instant, timezone)
}
