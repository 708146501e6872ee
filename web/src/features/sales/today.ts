/** How far the zone is ahead of UTC at an instant, in milliseconds. */
function offsetMs(timezone: string, at: Date): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at)
  const value = (type: string) => Number(parts.find((part) => part.type === type)?.value)
  const local = Date.UTC(
    value('year'),
    value('month') - 1,
    value('day'),
    value('hour'),
    value('minute'),
    value('second'),
  )
  return local - Math.floor(at.getTime() / 1000) * 1000
}

const DAY_MS = 86_400_000

/** The instant at which the day of the outlet began. */
export function startOfToday(timezone: string, now: Date): string {
  const offset = offsetMs(timezone, now)
  const midnight = Math.floor((now.getTime() + offset) / DAY_MS) * DAY_MS
  return new Date(midnight - offset).toISOString()
}
