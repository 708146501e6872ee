/**
 * Calendar rules: stored instants are UTC, days belong to the outlet's zone (B-time-2). This file never reads the
 * clock.
 */

/** Keyed by the lower-case name: the runtime accepts every spelling of a zone, which would fill the cache. */
const zoneFormats = new Map<string, Intl.DateTimeFormat>()

const formatOf = (timezone: string): Intl.DateTimeFormat => {
  const name = timezone.toLowerCase()
  let format = zoneFormats.get(name)
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone: timezone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    })
    zoneFormats.set(name, format)
  }
  return format
}

const partsOf = (instant: number, timezone: string): Record<string, string> =>
  Object.fromEntries(
    formatOf(timezone)
      .formatToParts(instant)
      .map((part) => [part.type, part.value]),
  )

type Wall = { minute: number; day: string; clock: string }
/** The last local time computed for each zone, with its minute since 1970. */
const lastWalls = new Map<string, Wall>()

function toWallTime(instant: string, timezone: string): Wall {
  // Zones differ from UTC by whole minutes, so a minute starts at the same time everywhere: all sales within it share
  // one look-up.
  const ms = Date.parse(instant)
  const minute = Math.floor(ms / 60_000)
  const name = timezone.toLowerCase()
  const last = lastWalls.get(name)
  if (last?.minute === minute) return last
  const { year, month, day, hour, minute: past } = partsOf(ms, timezone)
  const wall = { minute, day: `${year}-${month}-${day}`, clock: `${hour}:${past}` }
  lastWalls.set(name, wall)
  return wall
}

/** The calendar day (YYYY-MM-DD) of an instant in a zone. */
export const dayOf = (instant: string, timezone: string): string => toWallTime(instant, timezone).day

/** The time of day (HH:MM) of an instant in a zone. */
export const clockOf = (instant: string, timezone: string): string => toWallTime(instant, timezone).clock

/** The day `days` after a calendar day; negative goes back. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

/** The weekday of a calendar day: 1 is Monday, 7 is Sunday. */
export const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay() || 7

/** Milliseconds since 1970 of an instant. */
export const epochMsOf = (instant: string): number => Date.parse(instant)

export const addMs = (instant: string, ms: number): string => new Date(Date.parse(instant) + ms).toISOString()

/** An instant that many months later: the same day and time in UTC, or the last day of a shorter month. */
export function addMonths(instant: string, months: number): string {
  const from = new Date(instant)
  const target = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months, 1))
  const days = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate()
  const day = String(Math.min(from.getUTCDate(), days)).padStart(2, '0')
  return `${target.toISOString().slice(0, 8)}${day}${instant.slice(10)}`
}

/** Milliseconds from one instant to a later one; negative when it is earlier. */
export const msBetween = (from: string, to: string): number => Date.parse(to) - Date.parse(from)

/** The instant at which a calendar day begins in a zone (RFC 3339 UTC). */
export function startOfDay(day: string, timezone: string): string {
  const utcMidnight = Date.parse(`${day}T00:00:00Z`)
  // If the clocks change at midnight, that hour occurs twice or never. The offsets before and after the change each
  // give a candidate; the day begins at the first candidate within it.
  const candidates = [-86_400_000, 86_400_000]
    .map((ms) => utcMidnight - offsetMs(utcMidnight + ms, timezone))
    .sort((a, b) => a - b)
    .map((epochMs) => new Date(epochMs).toISOString())
  return candidates.find((instant) => dayOf(instant, timezone) === day) ?? addMs(`${day}T00:00:00.000Z`, 0)
}

function offsetMs(epochMs: number, timezone: string): number {
  const parts = Object.fromEntries(
    formatOf(timezone)
      .formatToParts(epochMs)
      .map((part) => [part.type, Number(part.value)]),
  ) as Record<string, number>
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(epochMs / 1000) * 1000
}

// PostgreSQL has no year 0.
const DAY = /^(?!0000)\d{4}-\d{2}-\d{2}$/
const FIRST_YEAR = '0001'
const INSTANT = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})$/

/** A real calendar day written YYYY-MM-DD; 2026-02-30 is not one. */
export function isDay(text: string): boolean {
  if (!DAY.test(text)) return false
  const epochMs = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(epochMs) && new Date(epochMs).toISOString().startsWith(text)
}

/** An RFC 3339 instant with an offset, as UTC with milliseconds; null when the text is not one. */
export function parseInstant(text: string): string | null {
  if (!INSTANT.test(text) || !isDay(text.slice(0, 10))) return null
  const epochMs = Date.parse(text.replace(' ', 'T'))
  if (Number.isNaN(epochMs)) return null
  const instant = new Date(epochMs).toISOString()
  // An offset can lead out of the years 1 to 9999, which are the only ones without a sign.
  return instant < FIRST_YEAR ? null : instant
}

/**
 * Formats an instant as the API does. The input is what PostgreSQL prints in a UTC session, in a column (`2026-11-21
 * 05:00:00.12+00`) or inside JSON (`2026-11-21T05:00:00.12+00:00`). Lists hold hundreds, so the text is sliced
 * instead of parsed.
 */
export function storedInstant(text: string): string {
  const fraction = text.slice(20, text.indexOf('+', 19))
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0').slice(0, 3)}Z`
}

/** An instant as the Date of a mail (RFC 5322, 3.3). */
export const mailDateOf = (instant: string): string => new Date(instant).toUTCString().replace('GMT', '+0000')

/** An instant as a Date, for libraries that require one. */
export const dateOf = (instant: string): Date => new Date(instant)

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** The instant of an HTTP date (RFC 9110, 5.6.7) in milliseconds; null for any other text. */
export function httpDateMs(text: string): number | null {
  const ms = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) ? null : ms
}
