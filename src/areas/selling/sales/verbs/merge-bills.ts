import { conflict, invalid } from '../../../../core/errors.ts'
import type { Tx } from '../../../../platform/db/open.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { readCounted, readUsedOnce } from '../../pricing/index.ts'
import { endPromotion, movePromotion, redemptionOf } from '../../promotions/index.ts'
import type { MergedPromotions } from '../decide/counted-promotions.ts'
import { decideMerge, promotedBill } from '../decide/merge.ts'
import { requireState } from '../rules/state.ts'
import { touchBoards } from '../sale/boards.ts'
import { lockSalePair, withSaleOnConflict } from '../sale/load.ts'
import type { Item, Sale } from '../sale/types.ts'
import type { SaleView } from '../schema.ts'
import { sendToKitchen } from '../steps/send-to-kitchen.ts'
import { isSent } from '../store/delivery.ts'
import { writeLocked } from '../store/write.ts'

async function requireMergeable(tx: Tx, scope: Scope, target: Sale, other: Sale) {
  if (other.status !== 'PARKED') throw conflict('The other bill is no longer open')
  if (other.outletId !== target.outletId) throw invalid('saleId', 'Both bills must belong to the same outlet')
  if (other.payments.some((payment) => payment.status !== 'FAILED')) {
    throw conflict('The other bill has payments: settle it, or discard it to give them back')
  }
  if (await isSent(tx, scope, other.id)) {
    throw conflict('The other bill has a shipment: cancel that first, or settle the other bill by itself')
  }
  const comesAlong = target.deliveryDraft === null && other.deliveryDraft !== null
  const owners = [target.customerId, other.customerId]
  // An address leaves with the customer it is of (B-customer-2), who is found by the bill.
  if (comesAlong && !owners.includes(null) && target.customerId !== other.customerId) {
    throw conflict(
      'The other bill is to be delivered to another customer: take the customer off this bill, or the deliveryDraft off the other',
    )
  }
}

/** The promotions of two bills that the merged bill has once, or not at all because its customer has used them. */
async function readPromotions(tx: Tx, scope: Scope, target: Sale, other: Sale): Promise<MergedPromotions> {
  const [ours, theirs] = [target.promotions ?? [], other.promotions ?? []]
  const ofTarget = new Set(ours.map(({ id }) => id))
  const ofBoth = theirs.filter(({ id }) => ofTarget.has(id))
  const customerId = target.customerId ?? other.customerId
  return {
    counted: await readCounted(tx, scope, ofBoth),
    usedIds: await readUsedOnce(tx, scope, customerId, [...ours, ...theirs]),
  }
}

const isOf = (bill: Sale) => {
  const ids = new Set(bill.items.map(({ id }) => id))
  return ({ id }: Item) => ids.has(id)
}

/**
 * Moves every item of another open bill onto this one, and fills its empty details. The other bill is closed as
 * VOIDED with the number in its reason. Throws 422 for a bill of another outlet, the bill itself or more than 500
 * items. Throws 409 for more than 1,000 cancelled items, if either is not open, or if the other has payments, a
 * shipment or the address of another customer.
 */
export async function mergeBills(
  tx: Tx,
  scope: Scope,
  id: string,
  otherId: string,
): Promise<{ sale: SaleView; merged: SaleView }> {
  if (id === otherId) throw invalid('saleId', 'A bill cannot be merged with itself')
  const [target, other] = await lockSalePair(tx, scope, id, { id: otherId, param: 'saleId' })
  return withSaleOnConflict(target, async () => {
    requireState('edit', target.status)
    await requireMergeable(tx, scope, target, other)
    const once = await readPromotions(tx, scope, target, other)
    const redemption = await redemptionOf(tx, scope, promotedBill(target, other))
    const facts = { ...once, redemption }
    const { changes, sale, merged, movesPromo } = decideMerge(scope, target, other, facts)
    const after = changes[1].after
    await writeLocked(tx, changes)
    if (movesPromo && after.promoDiscount > 0) await movePromotion(tx, scope, other.id, target.id)
    else await endPromotion(tx, scope, other, 'released')
    // Each bill's own items: what came along may have changed its table, and an order type makes a bill the kitchen's.
    const own = (bill: Sale) => ({ ...after, items: after.items.filter(isOf(bill)) })
    await sendToKitchen(tx, scope, target, own(target))
    await sendToKitchen(tx, scope, other, own(other))
    touchBoards(scope, target, other)
    return { sale, merged }
  })
}
