import type { PriceList, PriceListEntry } from 'kasir-client'
import {
  type ConditionsForm,
  conditionsBody,
  NO_CONDITIONS,
  toConditionsForm,
} from '../../../office/conditions/conditions-values.ts'
import type { GoodsNames } from '../../../office/use-goods-names.ts'

/** A row of the form: goods or a category, with the price in the list. */
export type EntryForm = {
  /** The id of a variant or a category. */
  id: string
  of: 'variant' | 'category'
  name: string
  mode: 'fixed' | 'raise' | 'lower'
  price: number | null
  bps: number | null
  roundTo: string
}

/** The fields that the form of a price list changes. */
export type PriceListForm = ConditionsForm & {
  name: string
  priority: number | null
  entries: readonly EntryForm[]
}

export const NEW_PRICE_LIST: PriceListForm = { ...NO_CONDITIONS, name: '', priority: 100, entries: [] }

export const newEntry = (of: EntryForm['of'], id: string, name: string, price: number | null): EntryForm => ({
  id,
  of,
  name,
  mode: of === 'variant' ? 'fixed' : 'lower',
  price,
  bps: null,
  roundTo: '',
})

function toEntryForm(
  { variantId, categoryId, price, adjustBps, roundTo }: PriceListEntry,
  names: GoodsNames,
) {
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

export const toPriceListForm = (list: PriceList, names: GoodsNames): PriceListForm => ({
  ...toConditionsForm(list),
  name: list.name,
  priority: list.priority,
  entries: list.entries.map((entry) => toEntryForm(entry, names)),
})

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

export const priceListBody = (values: PriceListForm) => ({
  ...conditionsBody(values),
  name: values.name,
  ...(values.priority !== null && { priority: values.priority }),
  entries: values.entries.map(entryBody),
})
