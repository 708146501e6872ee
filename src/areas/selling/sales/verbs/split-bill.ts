import type { Static } from 'typebox'
import { assert } from '../../../../core/assert.ts'
import { dayOf } from '../../../../core/time.ts'
import type { Tx } from '../../../../platform/db/open.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { announceIfReady, ticketState } from '../../../dining/kitchen/index.ts'
import { getTableForSale } from '../../../dining/tables/index.ts'
import { readCounted } from '../../pricing/index.ts'
import { lowerPromotion, redemptionOf } from '../../promotions/index.ts'
import { decideSplit, splitOf } from '../decide/split.ts'
import { requireOnBill } from '../rules/plan-edit.ts'
import { requireState } from '../rules/state.ts'
import { touchBoards } from '../sale/boards.ts'
import { kitchenItems } from '../sale/facts.ts'
import { lockSale, withSaleOnConflict } from '../sale/load.ts'
import type { Sale, SaleTransition } from '../sale/types.ts'
import type { SaleView, SplitIn } from '../schema.ts'
import { approveSales } from '../steps/approve-sale.ts'
import { notFoundFirst } from '../steps/check-body.ts'
import { sendToKitchen } from '../steps/send-to-kitchen.ts'
import { readContext } from '../store/context.ts'
import { writeLocked } from '../store/write.ts'

type SplitRequest = Static<typeof SplitIn>

/**
 * Splits items off an open bill into a second open bill: one transaction, kitchen states travel along, discounts of
 * items in proportion. Payments, order discount and delivery fee stay with the old bill; 409 when those payments would
 * exceed what stays on it.
 */
export async function splitBill(
  tx: Tx,
  scope: Scope,
  id: string,
  split: SplitRequest,
): Promise<{ sale: SaleView; from: SaleView }> {
  const before = await lockSale(tx, scope, id)
  return withSaleOnConflict(before, async () => {
    const { outletId, tableId: keptId } = before
    const { look, refuse } = notFoundFirst()
    const table =
      split.tableId === undefined
        ? before.around.table
        : split.tableId && (await look(getTableForSale(tx, scope, split.tableId, { outletId, keptId })))
    requireOnBill(before.items, split.items)
    requireState('split', before.status)
    refuse()
    const context = await readContext(tx, scope, {
      outletId: before.outletId,
      variantIds: [],
      modifierIds: [],
    })
    assert(context.outlet, 'a bill keeps its outlet')
    const planned = splitOf(scope, before, {
      split,
      table: table || null,
      shiftId: context.openShiftId,
      counted: await readCounted(tx, scope, before.promotions ?? []),
    })
    const staying = await withOwnPoints(tx, scope, { before, after: planned.staying })
    // Discounts do not divide like the items: on one of the two bills they may be a larger share than before.
    const approved = await approveSales(
      tx,
      scope,
      { after: [staying, planned.bill], before },
      () => undefined,
    )
    const [after = staying, bill = planned.bill] = approved
    const day = dayOf(scope.now, context.outlet.timezone)
    const { changes, from } = decideSplit(scope, { before, after, bill, day })
    const [, data = ''] = await writeLocked(tx, changes)
    await lowerPromotion(tx, scope, before, after.promoDiscount)
    const { sale } = JSON.parse(data) as { sale: SaleView }
    await announceIfReady(
      tx,
      scope,
      id,
      before.orderType === null ? null : ticketState(kitchenItems(before.items)),
    )
    // The kitchen learns that the items moved, if they did.
    const asBefore = { ...before, items: bill.items }
    await sendToKitchen(tx, scope, asBefore, { ...bill, number: sale.number })
    touchBoards(scope, before, bill)
    return { sale, from }
  })
}

/** Points of another customer end with their reservation: the customer of the bill did not name them (B-points-5). */
async function withOwnPoints(tx: Tx, scope: Scope, { before, after }: SaleTransition): Promise<Sale> {
  if (after.promoDiscount > 0) return after
  const redemption = await redemptionOf(tx, scope, before)
  const isOwn = redemption === null || redemption.customerId === before.customerId
  return isOwn ? after : { ...after, redeemPoints: null }
}
