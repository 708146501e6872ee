import type { Sale } from 'kasir-client'

/** A promotion with its discount on a sale or on one line. */
export type GivenPromotion = { id: string; name: string; amount: number }

/** The promotions of an open bill by the service, for the goods that it had then. */
export type BillPromotions = {
  goods: string
  promotions: readonly GivenPromotion[]
  shares: readonly number[]
}

/** The promotions that were printed for the goods of a sale; `parts` has those of each line. */
export type PrintedPromotions = BillPromotions & { parts: readonly (readonly GivenPromotion[])[] }

type PromotedCart = {
  lines: readonly {
    itemId: string | null
    variantId: string | null
    name: string
    quantity: number
    unitPrice: number
    labelPrice?: number | null
    modifiers: readonly object[]
    discount: object | null
  }[]
  customer: { id: string | null } | null
  orderType: string | null
  channel: string | null
}

/** Equal for two carts that get the same promotions at the same time. */
export const promotedGoods = ({ lines, customer, orderType, channel }: PromotedCart): string =>
  JSON.stringify([
    lines.map(({ itemId, variantId, name, quantity, unitPrice, labelPrice, modifiers, discount }) => [
      itemId,
      variantId ?? name,
      quantity,
      unitPrice,
      labelPrice ?? null,
      modifiers,
      discount,
    ]),
    customer?.id ?? null,
    orderType,
    channel,
  ])

/** Equal for two carts with the same goods, also if their customers differ. */
export const correctedGoods = (cart: PromotedCart): string => promotedGoods({ ...cart, customer: null })

/** The promotions of a bill that the service decided for these lines. */
export const billPromotions = (sale: Sale, cart: PromotedCart): BillPromotions => ({
  goods: promotedGoods(cart),
  promotions: sale.promotions,
  shares: sale.items.filter(({ isActive }) => isActive).map(({ promotionShare }) => promotionShare),
})
