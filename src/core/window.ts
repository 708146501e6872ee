import { invalid, malformed } from './errors.ts'
import { addMs, isDay, msBetween, parseInstant, startOfDay } from './time.ts'

/** Instants: the window includes `from` and excludes `to`. */
export type Window = { from: string; to: string }

const DAY_MS = 86_400_000
const DEFAULT_DAYS = 30
const MOST_DAYS = 400

/** The names of the parameters of a window, for error messages. */
const NAMES = { from: 'from', to: 'to' }

/**
 * The requested window (B-report-1): the last 30 days, or the 30 days before `to`, or from `from` until now. A plain
 * date means its midnight in `timezone`. Throws 400 unless both are instants or dates; throws 422 if `from` is after
 * `to` or more than 400 days before it.
 */
export function windowOf(
  asked: { from?: string | undefined; to?: string | undefined },
  { now, timezone, names = NAMES }: { now: string; timezone: string; names?: typeof NAMES },
): Window {
  const to = asked.to === undefined ? now : edgeOf(names.to, asked.to, timezone)
  const from =
    asked.from === undefined ? addMs(to, -DEFAULT_DAYS * DAY_MS) : edgeOf(names.from, asked.from, timezone)
  if (from > to)
    throw invalid(names.from, `${names.from} is later than ${names.to}: name the earlier one first`)
  if (msBetween(from, to) > MOST_DAYS * DAY_MS)
    throw invalid(names.from, `Choose a period of at most ${MOST_DAYS} days`)
  return { from, to }
}

/**
 * Years that every part of the service can store. A report computes the end of the last local day, which must have a year of
 * four digits in every time zone.
 */
const EARLIEST = '1970-01-01T00:00:00.000Z'
const LATEST = '9999-12-29T00:00:00.000Z'

/** One end of a window as an instant; throws 400 with its name if it is invalid. */
function edgeOf(param: string, text: string, timezone: string): string {
  const instant = isDay(text) ? startOfDay(text, timezone) : parseInstant(text)
  if (instant === null || instant < EARLIEST || instant > LATEST)
    throw malformed(
      param,
      `${param} must be a date such as 2026-11-21 or an instant with its offset such as 2026-11-21T08:00:00+07:00; in a URL the + is written %2B`,
    )
  return instant
}
