import { addDays, dayIn } from '../../office/days.ts'

export const PERIODS = ['7', '30', '90'] as const
type Period = (typeof PERIODS)[number]
const isPeriod = (text: string | undefined): text is Period => PERIODS.includes(text as Period)

/** The days of a choice, today included. The partner counts days in UTC. */
export function windowOf(choice: string | undefined): { from: string; to: string } {
  const tomorrow = addDays(dayIn('UTC', new Date()), 1)
  return { from: addDays(tomorrow, -Number(isPeriod(choice) ? choice : '30')), to: tomorrow }
}
