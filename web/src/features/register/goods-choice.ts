import type { ModifierGroup, Pack, Variant } from 'kasir-client'
import type { CartLine, CartModifier } from '../../selling/cart.ts'
import { packPriceOf } from '../../selling/shelf.ts'
import type { Translate } from '../../texts/texts.ts'

/** The unit of the variant itself, not a pack. */
export const UNIT = ''

/** A line keeps its price, unless another variant or pack is chosen. */
export function priceOf(line: CartLine, variant: Variant, pack: Pack | null) {
  const isSame = line.variantId === variant.id && (line.pack?.id ?? null) === (pack?.id ?? null)
  const { unitPrice, basePrice, priceListId } = line
  return isSame
    ? { unitPrice, basePrice: basePrice ?? null, priceListId: priceListId ?? null }
    : { unitPrice: packPriceOf(variant, pack) }
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
