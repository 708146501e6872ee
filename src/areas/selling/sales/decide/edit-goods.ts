import { isTimely, momentOf } from '../../../../core/conditions.ts'
import type { PricedPack } from '../../../../core/packs.ts'
import type { PromotionRule } from '../../../../core/promotions.ts'
import type { Sale } from '../sale/types.ts'
import type { BillPatch } from '../schema.ts'
import type { Context } from '../store/context.ts'
import type { Pricer } from './price-goods.ts'

/** The pack that is sent for an item, and the present price of its goods. */
export function pricedGoods(
  sent: BillPatch['items'][number],
  bill: Sale,
  { context: { sellables }, pricer }: { context: Context; pricer: Pricer },
) {
  const sellable = sellables.get(variantSent(sent, bill) ?? '')
  const packs = packsFor(sent, bill, sellables)
  const packNamed = (id: string | null | undefined) => packs.find((pack) => pack.id === id) ?? null
  const held = bill.items.find(({ id }) => id === sent.id)
  // An item that is named by its id alone is sold in the pack that it has.
  const isHeld = sent.packId === undefined && held?.variantId === variantSent(sent, bill)
  const price = sellable && pricer.priceOf(sellable, packNamed(isHeld ? held?.pack?.id : sent.packId))
  return {
    pack: packNamed(sent.packId),
    catalogPrice: price?.unitPrice,
    catalogListId: price?.priceListId,
  }
}

const variantSent = ({ id, variantId }: BillPatch['items'][number], bill: Sale) =>
  variantId ?? bill.items.find((item) => item.id === id)?.variantId ?? undefined

/**
 * The packs that an item may name: those of its variant, and those that the bill holds although they have left the
 * catalogue.
 */
export function packsFor(
  sent: BillPatch['items'][number],
  bill: Sale,
  sellables: Context['sellables'],
): readonly PricedPack[] {
  const variantId = variantSent(sent, bill)
  const held = bill.items.flatMap(({ pack, unitPrice, ...item }) =>
    pack && item.variantId === variantId ? [{ ...pack, price: unitPrice }] : [],
  )
  return variantId === undefined ? [] : [...(sellables.get(variantId)?.packs ?? []), ...held]
}

/** Tells whether other promotions are open to units that are added to an item of the bill now. */
export function promotionsChanged(
  bill: Sale,
  { promotions, pricer }: { promotions: readonly PromotionRule[]; pricer: Pricer },
): (item: { id: string }) => boolean {
  const { facts, instant } = pricer
  const now = momentOf(instant, facts.timezone)
  const open = promotions.map((promotion) => isTimely(promotion, now))
  return ({ id }) => {
    const held = promotions.length > 0 ? bill.items.find((item) => item.id === id) : undefined
    if (!held) return false
    const then = momentOf(held.createdAt, facts.timezone)
    return promotions.some((promotion, index) => isTimely(promotion, then) !== open[index])
  }
}
