import type { Static } from 'typebox'
import { assert } from '../../../../core/assert.ts'
import { newId } from '../../../../core/ids.ts'
import { emptyToNull } from '../../../../core/text.ts'
import { dayOf } from '../../../../core/time.ts'
import type { Tx } from '../../../../platform/db/open.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { announceIfReady, ticketState } from '../../../dining/kitchen/index.ts'
import { getTableForSale } from '../../../dining/tables/index.ts'
import { endPromotion } from '../../promotions/index.ts'
import { requireOnBill } from '../rules/plan-edit.ts'
import { planSplit } from '../rules/plan-split.ts'
import { requirePaidWithin, requireState } from '../rules/state.ts'
import { touchBoards } from '../sale/boards.ts'
import { kitchenItems } from '../sale/facts.ts'
import { NO_DETAILS } from '../sale/kept.ts'
import { lockSale, withSaleOnConflict } from '../sale/load.ts'
import type { Item, Sale } from '../sale/types.ts'
import { saleView } from '../sale/view.ts'
import type { SaleView, SplitIn } from '../schema.ts'
import { announceUpdate } from '../steps/announce.ts'
import { approveSale } from '../steps/approve-sale.ts'
import { notFoundFirst } from '../steps/check-body.ts'
import { newSale } from '../steps/new-sale.ts'
import { withItems } from '../steps/price-sale.ts'
import { sendToKitchen } from '../steps/send-to-kitchen.ts'
import { readContext } from '../store/context.ts'
import { insertSale } from '../store/create.ts'
import { save } from '../store/write.ts'

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
    const { stay, move } = planSplit(before.items, split.items)
    const cancelled = before.items.filter((item) => !item.isActive)
    const stamps = { version: before.version + 1, updatedAt: scope.now }
    const staying = { ...withItems(before, stay, cancelled), ...stamps }
    requirePaidWithin(staying)
    const context = await readContext(tx, scope, {
      outletId: before.outletId,
      variantIds: [],
      modifierIds: [],
    })
    assert(context.outlet, 'a bill keeps its outlet')
    // The discount of the order stays: on fewer items it is a larger share.
    const after = await approveSale(tx, scope, { after: staying, before }, () => undefined)
    const moved = move.map(
      ({ item, wholeItem }): Item => ({
        ...item,
        id: wholeItem ? item.id : newId('saleItem'),
        updatedAt: scope.now,
      }),
    )
    const fresh = withItems(openedBeside(scope, before, context.openShiftId), moved, [])
    const bill = {
      ...fresh,
      note: emptyToNull(split.note),
      tableId: table ? table.id : null,
      around: { ...before.around, customer: null, table: table || null },
    }
    await save(tx, scope, { before, after })
    if (after.promoDiscount === 0) await endPromotion(tx, scope, before, 'released')
    const data = await insertSale(
      tx,
      scope,
      newSale(scope, bill, dayOf(scope.now, context.outlet.timezone), []),
    )
    assert(data !== null, 'a bill without a shift guard is always written')
    const { sale } = JSON.parse(data) as { sale: SaleView }
    const from = saleView(after)
    await announceUpdate(tx, scope, from)
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

/** An empty open bill at the same outlet, with the same tax, order type and channel. */
const openedBeside = (scope: Scope, bill: Sale, shiftId: string | null): Sale => ({
  ...bill,
  id: newId('sale'),
  number: '',
  ...NO_DETAILS,
  orderType: bill.orderType,
  channel: bill.channel,
  shiftId,
  orderDiscount: 0,
  promoDiscount: 0,
  deliveryFee: 0,
  deliveryStatus: null,
  shipmentId: null,
  paidTotal: 0,
  changeTotal: 0,
  roundingTotal: 0,
  version: 1,
  cashierId: scope.actor.id,
  createdAt: scope.now,
  updatedAt: scope.now,
  items: [],
  payments: [],
  refunds: [],
})
