import { addDays, clockOf, dayOf, epochMsOf, weekdayOf } from './time.ts'

/**
 * When and for which sales a price list or a promotion applies (B-price-2); null is no condition. `from` and `to` are times of
 * day (HH:MM) at the outlet, `weekdays` are 1 (Monday) to 7, `startsAt` and `endsAt` instants. Every end is exclusive.
 */
export type Conditions = {
  isActive: boolean
  outletIds: readonly string[] | null
  orderTypes: readonly string[] | null
  channels: readonly string[] | null
  customerGroupIds: readonly string[] | null
  weekdays: readonly number[] | null
  from: string | null
  to: string | null
  startsAt: string | null
  endsAt: string | null
}

/** The facts of a sale that conditions compare, except the time. */
export type SaleFacts = {
  outletId: string
  timezone: string
  orderType: string | null
  channel: string | null
  /** The groups of its customer; empty without a customer. */
  customerGroupIds: readonly string[]
}

/** Channels and codes are compared without case and without spaces around them. */
export const foldCase = (text: string): string => text.trim().toUpperCase()

const isOneOf = (allowed: readonly string[] | null, value: string | null) =>
  allowed === null || (value !== null && allowed.includes(value))

function isOneOfChannels(channels: readonly string[] | null, channel: string | null): boolean {
  if (channels === null) return true
  if (channel === null) return false
  const wanted = foldCase(channel)
  return channels.some((one) => foldCase(one) === wanted)
}

/** An instant with the day and time of day at an outlet. */
export type Moment = { ms: number; day: string; clock: string }
export const momentOf = (instant: string, timezone: string): Moment => ({
  ms: epochMsOf(instant),
  day: dayOf(instant, timezone),
  clock: clockOf(instant, timezone),
})

/** A window over midnight belongs to the weekday on which it starts. */
function isInWindow({ weekdays, from, to }: Conditions, { day, clock }: Moment): boolean {
  if (weekdays === null && from === null && to === null) return true
  const isOn = (date: string) => weekdays === null || weekdays.includes(weekdayOf(date))
  const start = from ?? '00:00'
  const end = to ?? '24:00'
  if (start < end) return clock >= start && clock < end && isOn(day)
  return (clock >= start && isOn(day)) || (clock < end && isOn(addDays(day, -1)))
}

/** Whether the period and the window of the conditions include a moment. */
export function isTimely(conditions: Conditions, moment: Moment): boolean {
  const { startsAt, endsAt } = conditions
  const { ms: at } = moment
  if (startsAt !== null && at < epochMsOf(startsAt)) return false
  if (endsAt !== null && at >= epochMsOf(endsAt)) return false
  return isInWindow(conditions, moment)
}

/** Whether a sale meets every condition except the time. */
export const isFor = (conditions: Conditions, sale: SaleFacts): boolean =>
  conditions.isActive &&
  isOneOf(conditions.outletIds, sale.outletId) &&
  isOneOf(conditions.orderTypes, sale.orderType) &&
  isOneOfChannels(conditions.channels, sale.channel) &&
  (conditions.customerGroupIds === null ||
    conditions.customerGroupIds.some((id) => sale.customerGroupIds.includes(id)))

/** Lower `priority` first; the older one on a tie. Ids carry their creation time. */
export const byPriority = (
  one: { priority: number; id: string },
  other: { priority: number; id: string },
): number => one.priority - other.priority || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0)
