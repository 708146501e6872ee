/** Calendar days as the API writes them (2026-11-26), and times on the clock of a time zone. Pure. */

/** The day of an instant on the clock of a time zone. */
export const dayIn = (timezone: string, instant: Date): string =>
  new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(instant)

/** The day some days later, or earlier if `by` is negative. */
export function addDays(day: string, by: number): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + by)
  return date.toISOString().slice(0, 10)
}

/** How many days lie between two days. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000)

/** A day as people write it, such as 26 Nov. */
export const formatDay = (language: 'id' | 'en', day: string): string =>
  new Intl.DateTimeFormat(language === 'id' ? 'id-ID' : 'en-GB', {
    timeZone: 'UTC',
    weekday: 'short',
    day: 'numeric',
    month: 'short',
  }).format(new Date(`${day}T00:00:00Z`))

/** How far the zone is ahead of UTC at an instant, in milliseconds. */
function offsetMs(timezone: string, epochMs: number): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(epochMs)
  const value = (type: string) => Number(parts.find((part) => part.type === type)?.value)
  const local = Date.UTC(
    value('year'),
    value('month') - 1,
    value('day'),
    value('hour'),
    value('minute'),
    value('second'),
  )
  return local - Math.floor(epochMs / 1000) * 1000
}

/** The instant of a local time, such as 2026-12-01T09:00, on the clock of a time zone. */
export function instantAt(timezone: string, local: string): string {
  const asUtcMs = Date.parse(`${local}Z`)
  // The clocks may change between the first guess and the instant, so the offset is read again.
  const guessMs = asUtcMs - offsetMs(timezone, asUtcMs)
  return new Date(asUtcMs - offsetMs(timezone, guessMs)).toISOString()
}

/** An instant on the clock of a time zone, in the format of a date-and-time field. */
export function localTimeIn(timezone: string, instant: string): string {
  const epochMs = Date.parse(instant)
  return new Date(epochMs + offsetMs(timezone, epochMs)).toISOString().slice(0, 16)
}
