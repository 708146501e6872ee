import { conflict, invalid } from '../../../../core/errors.ts'
import type { Scope } from '../../../../platform/scope.ts'
import type { Redemption } from '../../promotions/index.ts'
import { derived } from '../sale/facts.ts'
import { joinedDetails } from '../sale/kept.ts'
import type { Item, Sale } from '../sale/types.ts'
import { saleView } from '../sale/view.ts'
import { MAX_CANCELLED_ITEMS, MAX_ITEMS } from '../schema.ts'
import { changeStored } from './change.ts'
import { itemsMergedOnce, type MergedPromotions } from './counted-promotions.ts'
import { mergeEvents } from './events.ts'
import { withItems } from './price-sale.ts'

/** The terms of the service charge go with the order type: those of the other bill count if this one has none. */
function serviceTermsAfter(target: Sale, other: Sale) {
  const from = target.orderType === null ? other : target
  return {
    serviceChargeBps: target.serviceChargeWaived ? null : from.serviceChargeBps,
    serviceChargeBaseKind: target.serviceChargeWaived ? null : from.serviceChargeBaseKind,
    serviceChargeTaxable: target.serviceChargeWaived ? null : from.serviceChargeTaxable,
    serviceChargeWaived: target.serviceChargeWaived || from.serviceChargeWaived,
  }
}

/** A bill has one code: that of the other counts if this one has none. */
const movesPromotion = (target: Sale): boolean => target.promoDiscount === 0 && target.discountCode === null

/** The bill whose reservation at the marketing partner the merged bill has. */
export const promotedBill = (target: Sale, other: Sale): Sale => (movesPromotion(target) ? other : target)

/** The points that the partner holds for the merged bill, or those that its own customer named (B-sale-16). */
function pointsAfter(target: Sale, other: Sale, redemption: Redemption | null): number | null {
  if (redemption) return promotedBill(target, other).redeemPoints
  const customerId = target.customerId ?? other.customerId
  const own = [target, other].filter((bill) => bill.customerId === customerId)
  return own.find((bill) => bill.redeemPoints)?.redeemPoints ?? null
}

/** `redemption` is that of the reservation which the merged bill has. */
type MergeFacts = MergedPromotions & { redemption: Redemption | null }

/** Moves every item of `other` onto `target` and closes `other`. */
export function decideMerge(scope: Scope, target: Sale, other: Sale, { redemption, ...once }: MergeFacts) {
  const { targetItems, otherItems } = itemsMergedOnce(target, other, once)
  const coming = otherItems.map((item): Item => ({ ...item, updatedAt: scope.now }))
  const all = [...targetItems, ...coming]
  const active = all.filter((item) => item.isActive)
  if (active.length > MAX_ITEMS) {
    throw invalid('saleId', `Together they have ${active.length} items; a bill can have at most ${MAX_ITEMS}`)
  }
  const cancelled = all.filter((item) => !item.isActive)
  if (coming.some((item) => !item.isActive) && cancelled.length > MAX_CANCELLED_ITEMS) {
    throw conflict(
      `Together they have ${cancelled.length} cancelled items, and a bill can have at most ${MAX_CANCELLED_ITEMS}: settle the bills separately`,
    )
  }
  const stamps = { updatedAt: scope.now }
  const movesPromo = movesPromotion(target)
  const after = {
    ...withItems(
      {
        ...target,
        ...joinedDetails(target, other),
        redeemPoints: pointsAfter(target, other, redemption),
        ...serviceTermsAfter(target, other),
        around: {
          ...target.around,
          customer: target.around.customer ?? other.around.customer,
          table: target.around.table ?? other.around.table,
        },
        orderDiscount: target.orderDiscount + other.orderDiscount,
        promoDiscount: movesPromo ? other.promoDiscount : target.promoDiscount,
        deliveryFee: target.deliveryFee + other.deliveryFee,
        approvedBy: target.approvedBy ?? other.approvedBy,
        promotions: [...(target.promotions ?? []), ...(other.promotions ?? [])],
      },
      active,
      cancelled,
    ),
    ...stamps,
    version: target.version + 1,
  }
  const closed = derived({
    ...withItems({ ...other, orderDiscount: 0, promoDiscount: 0, deliveryFee: 0 }, [], []),
    ...stamps,
    status: 'VOIDED',
    voidedAt: scope.now,
    voidReason: `Merged into ${target.number}`,
    version: other.version + 1,
  })
  const merged = saleView(closed)
  const closing = changeStored(scope, { before: other, after: closed }, () => [])
  const receiving = changeStored(scope, { before: target, after }, (sale) => mergeEvents(scope, sale, merged))
  const changes = [closing.change, receiving.change] as const
  return { changes, sale: receiving.sale, merged, movesPromo }
}
