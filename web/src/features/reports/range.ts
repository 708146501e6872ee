import { addDays, daysBetween } from '../../office/days.ts'

/** A period of whole days in the form of the reports: `from` inclusive, `to` exclusive. */
export type Period = { from: string; to: string }

export const RANGES = ['today', 'yesterday', '7', '30', 'own'] as const
export type Range = (typeof RANGES)[number]

export const isRange = (text: string | undefined): text is Range => RANGES.includes(text as Range)

/** The period of a choice. `own` takes two days that the address holds, both included. */
export function periodOf(
  range: Range,
  today: string,
  own: { from?: string | undefined; to?: string | undefined },
): Period {
  const tomorrow = addDays(today, 1)
  if (range === 'today') return { from: today, to: tomorrow }
  if (range === 'yesterday') return { from: addDays(today, -1), to: today }
  if (range === 'own') {
    const from = own.from ?? addDays(today, -6)
    const last = own.to ?? today
    return { from, to: addDays(last < from ? from : last, 1) }
  }
  return { from: addDays(tomorrow, -Number(range)), to: tomorrow }
}

/** The period of the same length just before; a day is compared with the same weekday a week earlier. */
export function periodBefore({ from, to }: Period): Period {
  const length = daysBetween(from, to)
  const by = length <= 7 ? 7 : length
  return { from: addDays(from, -by), to: addDays(to, -by) }
}
