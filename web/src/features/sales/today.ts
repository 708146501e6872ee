import { dayIn, instantAt } from '../../office/days.ts'

/** The instant at which the day of the outlet began. */
export const startOfToday = (timezone: string, now: Date): string =>
  instantAt(timezone, `${dayIn(timezone, now)}T00:00`)
