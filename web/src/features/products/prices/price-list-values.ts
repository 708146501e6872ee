import type { PriceList, PriceListEntry } from 'kasir-client'

/** A row of the form: goods or a category, and what the list charges for it. */
export type EntryForm = {
  /** Of a variant or a category. */
  id: string
  of: 'variant' | 'category'
  name: string
  mode: 'fixed' | 'raise' | 'lower'
  price: number | null
  bps: number | null
  roundTo: string
}

/** What the form of a price list changes. Nothing ticked is no condition; times are those of the form's fields. */
export type PriceListForm = {
  name: string
  priority: number | null
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
  entries: readonly EntryForm[]
}

export const NEW_PRICE_LIST: PriceListForm = {
  name: '',
  priority: 100,
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
  entries: [],
}

/** An instant as the field of a day and time on this device writes it, such as 2026-05-04T09:00. */
function localOf(instant: string | null): string | null {
  if (instant === null) return null
  const at = new Date(instant)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
const instantOf = (local: string | null) => (local === null ? null : new Date(local).toISOString())

export const newEntry = (of: EntryForm['of'], id: string, name: string, price: number | null): EntryForm => ({
  id,
  of,
  name,
  mode: of === 'variant' ? 'fixed' : 'lower',
  price,
  bps: null,
  roundTo: '',
})

type Names = { variant(id: string): string; category(id: string): string }

function toEntryForm({ variantId, categoryId, price, adjustBps, roundTo }: PriceListEntry, names: Names) {
  const of = variantId ? ('variant' as const) : ('category' as const)
  const id = variantId ?? categoryId ?? ''
  const bps = adjustBps ?? null
  return {
    id,
    of,
    name: names[of](id),
    mode: bps === null ? ('fixed' as const) : bps < 0 ? ('lower' as const) : ('raise' as const),
    price: price ?? null,
    bps: bps === null ? null : Math.abs(bps),
    roundTo: roundTo ? String(roundTo) : '',
  }
}

export const toPriceListForm = (list: PriceList, names: Names): PriceListForm => ({
  name: list.name,
  priority: list.priority,
  isActive: list.isActive,
  outletIds: list.outletIds ?? [],
  orderTypes: list.orderTypes ?? [],
  channels: list.channels?.join(', ') ?? null,
  customerGroupIds: list.customerGroupIds ?? [],
  weekdays: (list.weekdays ?? []).map(String),
  from: list.from,
  to: list.to,
  startsAt: localOf(list.startsAt),
  endsAt: localOf(list.endsAt),
  entries: list.entries.map((entry) => toEntryForm(entry, names)),
})

const orNull = <T>(values: readonly T[]): T[] | null => (values.length === 0 ? null : [...values])
const textsIn = (text: string | null): string[] =>
  (text ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')

/** The service answers an entry without a price with its sentence. */
export const entryBody = ({ id, of, mode, price, bps, roundTo }: EntryForm): PriceListEntry => ({
  ...(of === 'variant' ? { variantId: id } : { categoryId: id }),
  ...(mode === 'fixed'
    ? { price }
    : {
        adjustBps: mode === 'lower' ? -(bps ?? 0) : (bps ?? 0),
        ...(roundTo !== '' && { roundTo: Number(roundTo) }),
      }),
})

export function priceListBody(values: PriceListForm) {
  return {
    name: values.name,
    ...(values.priority !== null && { priority: values.priority }),
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
    entries: values.entries.map(entryBody),
  }
}
