import { unitsOf } from '../../../../core/packs.ts'
import { isOnBoard } from '../../../dining/kitchen/index.ts'
import type { RefundStatus } from '../rules/state.ts'
import type { GoodsItem, Item, Sale } from './types.ts'

export const refundedTotalOf = (
  sale: Pick<Sale, 'refundedGoods' | 'refundedTax' | 'refundedService' | 'refundedDeliveryFee'>,
) => sale.refundedGoods + sale.refundedTax + sale.refundedService + sale.refundedDeliveryFee

/** B-refund-9: a refund worth nothing still makes a sale PARTIAL, so that it cannot be voided afterwards. */
export function refundStatusOf(sale: Omit<Sale, 'items' | 'around'>): RefundStatus {
  const refundedTotal = refundedTotalOf(sale)
  if (!sale.refunds.some((refund) => refund.kind === 'REFUND')) return 'NONE'
  return refundedTotal === sale.total ? 'FULL' : 'PARTIAL'
}

/** The units of the variant in a quantity of an item, which counts packs if the item has a pack (B-pack-5). */
export const itemUnits = ({ pack }: Pick<Item, 'pack'>, quantity: number) => unitsOf(quantity, pack)

export const activeItems = (sale: Pick<Sale, 'items'>): Item[] => sale.items.filter((item) => item.isActive)

/** The price of the goods that the discount of the marketing partner comes off, in rupiah (B-promo-2). */
export const goodsOf = ({ subtotal, orderDiscount }: Pick<Sale, 'subtotal' | 'orderDiscount'>) =>
  subtotal - orderDiscount

/** True for an item of the catalogue, false for an open item, which moves no stock. */
export const isGoods = (item: Item): item is GoodsItem => item.variantId !== null

/** The items that the kitchen sees: an open item without a station is on no ticket (B-openitem-3). */
export const kitchenItems = (items: readonly Item[]): Item[] =>
  items.filter((item) => item.variantId !== null || item.station !== null)

/** True if the sale may use up a voucher or a promotion once per customer: only then the uses of its promotions are counted. */
export const mayCountUses = ({ promotions, voucherCodes, customerId }: Sale): boolean =>
  promotions !== null && (voucherCodes !== null || customerId !== null)

/** True while the kitchen has items of the sale to cook or to serve (B-kitchen-2). */
export const isKitchenOpen = (sale: Pick<Sale, 'orderType' | 'status' | 'items'>): boolean =>
  sale.orderType !== null && sale.status !== 'VOIDED' && isOnBoard(kitchenItems(sale.items))

/** The sale with what follows from its items and state kept in step. */
export const derived = (sale: Sale): Sale => ({
  ...sale,
  itemCount: sale.items.filter((item) => item.isActive).length,
  kitchenOpen: isKitchenOpen(sale),
})
