import type { ModifierGroup, Pack, Variant } from 'kasir-client'
import type { CartLine, CartModifier } from '../../selling/cart.ts'
import { packPriceOf } from '../../selling/shelf.ts'
import type { Translate } from '../../texts/texts.ts'

/** The unit of the variant itself, not a pack. */
export const UNIT = ''

/** Goods of a cart differ by variant and pack. */
type GoodsKey = { variantId: string | null; pack?: { id: string } | null }

/** Whether both are the same variant in the same pack. */
export const isSameGoods = (one: GoodsKey, other: GoodsKey): boolean =>
  one.variantId === other.variantId && (one.pack?.id ?? null) === (other.pack?.id ?? null)

/** A line keeps its price, unless another variant or pack is chosen. */
export function priceOf(line: CartLine, variant: Variant, pack: Pack | null) {
  const { unitPrice, basePrice, priceListId } = line
  return isSameGoods(line, { variantId: variant.id, pack })
    ? { unitPrice, basePrice: basePrice ?? null, priceListId: priceListId ?? null }
    : { unitPrice: packPriceOf(variant, pack) }
}

type LabelledLine = { quantity: number; labelPrice?: number | null } & Partial<GoodsKey>
type GoodsChoice = {
  variant: Variant | undefined
  pack: Pack | null
  quantity: number | null
  modifiers: readonly CartModifier[]
}

/** The price of a label, as long as goods and weight are those of the label and no modifier costs more (B-weight-3). */
export function labelKept(labelled: LabelledLine | undefined, chosen: GoodsChoice): number | null {
  const { variantId, labelPrice = null } = labelled ?? {}
  const { variant, pack, quantity, modifiers } = chosen
  const isKept =
    pack === null &&
    labelled?.quantity === quantity &&
    (variantId === undefined || variantId === variant?.id) &&
    modifiers.every(({ price }) => price === 0)
  return isKept ? labelPrice : null
}

export const chosenIn = (
  groups: readonly ModifierGroup[],
  modifiers: readonly CartModifier[],
): ReadonlySet<string> =>
  new Set(
    groups
      .flatMap((group) => group.modifiers)
      .filter(({ id }) => modifiers.some(({ modifierId }) => modifierId === id))
      .map(({ id }) => id),
  )

export function hintOf({ minSelect, maxSelect }: ModifierGroup, t: Translate): string {
  if (minSelect === 1 && maxSelect === 1) return t('goods.pickOne')
  if (minSelect === 0) return maxSelect === null ? t('goods.pickAny') : t('goods.pickUpTo', { n: maxSelect })
  if (maxSelect === null) return t('goods.pickAtLeast', { n: minSelect })
  return t('goods.pickBetween', { min: minSelect, max: maxSelect })
}
