import type { PriceList } from 'kasir-client'

/** When and for which sales a price list or a promotion applies (B-price-2). Null is no condition. */
export type Conditions = Pick<
  PriceList,
  | 'isActive'
  | 'outletIds'
  | 'orderTypes'
  | 'channels'
  | 'customerGroupIds'
  | 'weekdays'
  | 'from'
  | 'to'
  | 'startsAt'
  | 'endsAt'
>

/** Conditions in a form. No choice is no condition; times are those of the form's fields. */
export type ConditionsForm = {
  isActive: boolean
  outletIds: readonly string[]
  orderTypes: readonly string[]
  channels: string | null
  customerGroupIds: readonly string[]
  weekdays: readonly string[]
  from: string | null
  to: string | null
  startsAt: string | null
  endsAt: string | null
}

export const NO_CONDITIONS: ConditionsForm = {
  isActive: true,
  outletIds: [],
  orderTypes: [],
  channels: null,
  customerGroupIds: [],
  weekdays: [],
  from: null,
  to: null,
  startsAt: null,
  endsAt: null,
}

/** An instant in the format of a date-and-time field on this device, such as 2026-05-04T09:00. */
function localOf(instant: string | null): string | null {
  if (instant === null) return null
  const at = new Date(instant)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
const instantOf = (local: string | null) => (local === null ? null : new Date(local).toISOString())

export const toConditionsForm = (of: Conditions): ConditionsForm => ({
  isActive: of.isActive,
  outletIds: of.outletIds ?? [],
  orderTypes: of.orderTypes ?? [],
  channels: of.channels?.join(', ') ?? null,
  customerGroupIds: of.customerGroupIds ?? [],
  weekdays: (of.weekdays ?? []).map(String),
  from: of.from,
  to: of.to,
  startsAt: localOf(of.startsAt),
  endsAt: localOf(of.endsAt),
})

export const orNull = <T>(values: readonly T[]): T[] | null => (values.length === 0 ? null : [...values])
const textsIn = (text: string | null): string[] =>
  (text ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')

export const conditionsBody = (values: ConditionsForm): Conditions => ({
  isActive: values.isActive,
  outletIds: orNull(values.outletIds),
  orderTypes: orNull(values.orderTypes) as PriceList['orderTypes'],
  channels: orNull(textsIn(values.channels)),
  customerGroupIds: orNull(values.customerGroupIds),
  weekdays: orNull(values.weekdays.map(Number).sort((a, b) => a - b)),
  from: values.from,
  to: values.to,
  startsAt: instantOf(values.startsAt),
  endsAt: instantOf(values.endsAt),
})
