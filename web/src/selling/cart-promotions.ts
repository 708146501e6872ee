import type { TillPromotion } from 'kasir-client'
import { decidePromotions, isWeighed, sum } from '../core.ts'
import {
  correctedGoods,
  type GivenPromotion,
  type PrintedPromotions,
  promotedGoods,
} from './bill-promotions.ts'
import type { Cart, CartLine } from './cart.ts'

/** The promotions of a cart. `parts` has those of each line, and is empty for an unchanged bill of the service. */
export type CartPromotions = {
  promotions: readonly GivenPromotion[]
  shares: readonly number[]
  parts: readonly (readonly GivenPromotion[])[]
}

/** What decides the promotions of a cart besides its lines. `now` is the instant at which new lines are ordered. */
export type PromotionShop = {
  promotions: readonly TillPromotion[]
  outletId: string
  timezone: string
  now: string
  categoryOf(productId: string): string | null
  /** Those of the sale that is corrected. */
  printed?: PrintedPromotions | undefined
}

/**
 * The promotions of a cart by the rule of the service. A bill keeps those that the service gave it, and a correction the printed
 * ones, until the goods change. A device cannot count the uses of a customer, so promotions once per customer are left to the
 * service (B-promo-9).
 */
export function cartPromotions(
  cart: Cart,
  netOf: (line: CartLine) => number,
  shop: PromotionShop,
): CartPromotions {
  const kept = cart.bill?.promotions
  if (kept && kept.goods === promotedGoods(cart)) return { ...kept, parts: [] }
  const { outletId, timezone, now, categoryOf, printed } = shop
  if (printed?.goods === correctedGoods(cart)) return printed
  const rules = shop.promotions
    .filter(({ oncePerCustomer }) => !oncePerCustomer)
    .map((promotion) => ({ ...promotion, code: null }))
  const customer = cart.customer?.id ? cart.customer : null
  const applied = decidePromotions(rules, {
    outletId,
    timezone,
    orderType: cart.orderType,
    channel: cart.channel,
    customerId: customer?.id ?? null,
    customerGroupIds: customer?.groupIds ?? [],
    codes: [],
    usedIds: new Set(),
    items: cart.lines.map((line) => ({
      variantId: line.variantId,
      categoryId: line.productId === null ? null : categoryOf(line.productId),
      quantity: line.quantity,
      isWeighed: isWeighed({ soldBy: line.soldBy ?? null, pack: line.pack ?? null }),
      net: netOf(line),
      orderedAt: line.orderedAt ?? now,
    })),
  })
  const parts: GivenPromotion[][] = cart.lines.map(() => [])
  for (const { id, name, shares } of applied)
    shares.forEach((amount, place) => {
      if (amount > 0) parts[place]?.push({ id, name, amount })
    })
  return {
    promotions: applied.map(({ id, name, amount }) => ({ id, name, amount })),
    shares: parts.map((one) => sum(one.map(({ amount }) => amount))),
    parts,
  }
}
