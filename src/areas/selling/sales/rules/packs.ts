import { invalid } from '../../../../core/errors.ts'
import { MAX_UNITS, type Pack, type PricedPack, unitsOf } from '../../../../core/packs.ts'
import { isWeighed } from '../../../../core/sale-totals.ts'
import type { SoldBy } from '../../../../core/weights.ts'

/** The pack of a variant that an item names; null for loose units. */
export const packOf = (
  goods: { packs: readonly PricedPack[] | null } | undefined,
  packId: string | null | undefined,
): PricedPack | null => goods?.packs?.find(({ id }) => id === packId) ?? null

type LabelledItem = {
  soldBy: SoldBy | null | undefined
  pack: object | null
  labelPrice: number | null
  modifiers: readonly { price: number }[]
}

/** 422 for a label on goods that are not weighed, or beside modifiers that it could not include (B-weight-3). */
export function requireLabelFits({ labelPrice, modifiers, ...item }: LabelledItem, param: string) {
  if (labelPrice === null) return
  if (!isWeighed({ soldBy: item.soldBy ?? null, pack: item.pack }))
    throw invalid(param, 'Only goods sold by weight have a label price; send unitPrice instead')
  if (modifiers.some(({ price }) => price > 0))
    throw invalid(
      param,
      'The label is the whole price of the item; leave out the label or the modifiers that cost more',
    )
}

/** 422 for an item of more units than stock can move (B-pack-5). */
export function requireUnitsWithin(quantity: number, pack: Pick<Pack, 'factor'> | null, param: string) {
  const units = unitsOf(quantity, pack)
  if (units <= MAX_UNITS) return
  throw invalid(param, `These packs hold ${units} units; one item can have at most ${MAX_UNITS}`)
}
