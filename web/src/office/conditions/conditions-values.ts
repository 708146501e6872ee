import type { PriceList } from 'kasir-client'
import { instantAt, localTimeIn } from '../days.ts'
import { zoneOf } from '../outlet-zone.ts'

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

/** Conditions in a form. No choice is no condition; times are by the clock of the outlets (`zoneOf`). */
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

export function toConditionsForm(of: Conditions): ConditionsForm {
  const zone = zoneOf(of.outletIds ?? [])
  const localOf = (instant: string | null) => instant && localTimeIn(zone, instant)
  return {
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
  }
}

/** The names of the changed fields. Other outlets may have another clock, so the start and the end change with them. */
export const changedNames = (changes: Partial<ConditionsForm>): Set<string> =>
  new Set([...Object.keys(changes), ...(changes.outletIds === undefined ? [] : ['startsAt', 'endsAt'])])

export const orNull = <T>(values: readonly T[]): T[] | null => (values.length === 0 ? null : [...values])
const textsIn = (text: string | null): string[] =>
  (text ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')

export function conditionsBody(values: ConditionsForm): Conditions {
  const zone = zoneOf(values.outletIds)
  const instantOf = (local: string | null) => local && instantAt(zone, local)
  return {
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
  }
}
