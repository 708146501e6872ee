import type { Static } from 'typebox'
import { assert } from '../../../../core/assert.ts'
import { ApiError, conflict, invalid, notFound } from '../../../../core/errors.ts'
import { shortened } from '../../../../core/events.ts'
import { newId } from '../../../../core/ids.ts'
import { dayOf } from '../../../../core/time.ts'
import type { Tx } from '../../../../platform/db/open.ts'
import { emitRows, eventRow } from '../../../../platform/outbox.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { announceIfReady, ticketState } from '../../../dining/kitchen/index.ts'
import { getTableForSale } from '../../../dining/tables/index.ts'
import { requireOnBill } from '../rules/merge-bill.ts'
import { splitBill } from '../rules/split-bill.ts'
import { requirePaidWithin, requireState } from '../rules/state.ts'
import { totalsOf } from '../rules/totals.ts'
import { type Bill, type Item, saleView } from '../sale/bill.ts'
import { touchBoards } from '../sale/boards.ts'
import { lockBill, notFoundFirst, withSaleOnConflict } from '../sale/load.ts'
import { MAX_LINES, type Sale, type SplitIn } from '../schema.ts'
import { newSale } from '../steps/plain-sale.ts'
import { derived, figuresOf, priced } from '../steps/price-sale.ts'
import { readContext } from '../store/context.ts'
import { insertSale } from '../store/create.ts'
import { save } from '../store/write.ts'

type Split = Static<typeof SplitIn>

/** The bill with other active lines, priced by its own frozen rate; cancelled lines follow (contract 6.6). */
function withLines(bill: Bill, active: readonly Item[], cancelled: readonly Item[]): Bill {
  const totals = totalsOf({
    taxRateBps: bill.taxRateBps,
    taxInclusive: bill.taxInclusive,
    lines: active.map((item) => ({ ...item, modifiers: item.modifiers ?? [] })),
    orderDiscount: bill.orderDiscount,
    clampOrderDiscount: true,
    promoDiscount: bill.promoDiscount,
    deliveryFee: bill.deliveryFee,
  })
  const items = [...priced(active, totals), ...cancelled].map((item, position) => ({
    ...item,
    position,
    saleId: bill.id,
  }))
  return derived({ ...bill, ...figuresOf(totals), items })
}

/**
 * Splits lines off an open bill into a second open bill: one transaction, kitchen states travel along, discounts of
 * lines in proportion. Payments, order discount and delivery fee stay with the old bill; 409 when those payments would
 * exceed what stays on it.
 */
export async function splitSale(
  tx: Tx,
  scope: Scope,
  id: string,
  split: Split,
): Promise<{ sale: Sale; from: Sale }> {
  const before = await lockBill(tx, scope, id)
  return withSaleOnConflict(before, async () => {
    const { outletId, tableId: keptId } = before
    const { look, refuse } = notFoundFirst()
    const table =
      split.tableId === undefined
        ? before.around.table
        : split.tableId && (await look(getTableForSale(tx, scope, split.tableId, outletId, { keptId })))
    requireOnBill(before.items, split.items)
    requireState('split', before.status)
    refuse()
    const { stay, move } = splitBill(before.items, split.items)
    const cancelled = before.items.filter((item) => !item.isActive)
    const stamps = { version: before.version + 1, updatedAt: scope.now }
    const after = { ...withLines(before, stay, cancelled), ...stamps }
    requirePaidWithin(after)
    const context = await readContext(tx, scope, {
      outletId: before.outletId,
      variantIds: [],
      modifierIds: [],
    })
    assert(context.outlet, 'a bill keeps its outlet')
    const moved = move.map(
      ({ line, wholeLine }): Item => ({
        ...line,
        id: wholeLine ? line.id : newId('saleItem'),
        updatedAt: scope.now,
      }),
    )
    const fresh = withLines(openedBeside(scope, before, context.openShiftId), moved, [])
    const bill = {
      ...fresh,
      note: split.note || null,
      tableId: table ? table.id : null,
      around: { ...before.around, customer: null, table: table || null },
    }
    await save(tx, scope, before, after)
    const data = await insertSale(tx, scope, newSale(scope, bill, dayOf(scope.now, context.outlet.timezone)))
    assert(data !== null, 'a bill without a shift guard is always written')
    const { sale } = JSON.parse(data) as { sale: Sale }
    const from = saleView(after)
    await emitRows(tx, scope, [eventRow(scope, 'service.sale.updated.v1', id, { sale: shortened(from) })])
    await announceIfReady(tx, scope, id, before.orderType === null ? null : ticketState(before.items))
    touchBoards(scope, before, bill)
    return { sale, from }
  })
}

/** An empty open bill at the same outlet, with the same tax and order type. */
const openedBeside = (scope: Scope, bill: Bill, shiftId: string | null): Bill => ({
  ...bill,
  id: newId('sale'),
  number: '',
  shiftId,
  customerId: null,
  orderDiscount: 0,
  promoDiscount: 0,
  deliveryFee: 0,
  deliveryDraft: null,
  deliveryStatus: null,
  shipmentId: null,
  discountCode: null,
  redeemPoints: null,
  paidTotal: 0,
  changeTotal: 0,
  version: 1,
  cashierId: scope.actor.id,
  createdAt: scope.now,
  updatedAt: scope.now,
  items: [],
  payments: [],
  refunds: [],
})

/**
 * Moves every line of another open bill onto this one, and the details that this one leaves open, and closes the other
 * as VOIDED, its number kept in the reason. 422 for a bill of another outlet, the bill itself or more than 500 lines; 409 when either is not open or the other holds payments.
 */
export async function mergeSales(
  tx: Tx,
  scope: Scope,
  id: string,
  otherId: string,
): Promise<{ sale: Sale; merged: Sale }> {
  if (id === otherId) throw invalid('saleId', 'A bill cannot be merged with itself')
  const { target, other } = await lockBoth(tx, scope, id, otherId)
  return withSaleOnConflict(target, async () => {
    requireState('edit', target.status)
    if (other.status !== 'PARKED') throw conflict('The other bill is no longer open')
    if (other.outletId !== target.outletId) throw invalid('saleId', 'Both bills must be of one outlet')
    if (other.payments.some((tender) => tender.status !== 'FAILED')) {
      throw conflict('The other bill has payments: settle it, or discard it to give them back')
    }
    const coming = other.items.map((item): Item => ({ ...item, updatedAt: scope.now }))
    const all = [...target.items, ...coming]
    const active = all.filter((item) => item.isActive)
    if (active.length > MAX_LINES) {
      throw invalid('saleId', `Together they have ${active.length} lines; a bill holds ${MAX_LINES}`)
    }
    const stamps = { updatedAt: scope.now }
    const after = {
      ...withLines(
        {
          ...target,
          ...detailsOf(target, other),
          orderDiscount: target.orderDiscount + other.orderDiscount,
          deliveryFee: target.deliveryFee + other.deliveryFee,
        },
        active,
        all.filter((item) => !item.isActive),
      ),
      ...stamps,
      version: target.version + 1,
    }
    const closed = derived({
      ...withLines({ ...other, orderDiscount: 0, promoDiscount: 0, deliveryFee: 0 }, [], []),
      ...stamps,
      status: 'VOIDED',
      voidedAt: scope.now,
      voidReason: `Merged into ${target.number}`,
      version: other.version + 1,
    })
    await save(tx, scope, other, closed)
    await save(tx, scope, target, after)
    const [sale, merged] = [saleView(after), saleView(closed)]
    await emitRows(tx, scope, [
      eventRow(scope, 'service.sale.updated.v1', id, { sale: shortened(sale) }),
      eventRow(scope, 'service.sale.discarded.v1', otherId, { sale: shortened(merged) }),
    ])
    touchBoards(scope, target, other)
    return { sale, merged }
  })
}

/** What the one bill leaves open the other tells: whose it is, where it goes, and that its food is being cooked. */
const detailsOf = (target: Bill, other: Bill) => ({
  orderType: target.orderType ?? other.orderType,
  customerId: target.customerId ?? other.customerId,
  tableId: target.tableId ?? other.tableId,
  note: target.note ?? other.note,
  deliveryDraft: target.deliveryDraft ?? other.deliveryDraft,
  discountCode: target.discountCode ?? other.discountCode,
  redeemPoints: target.redeemPoints ?? other.redeemPoints,
  around: {
    outlet: target.around.outlet,
    customer: target.around.customer ?? other.around.customer,
    table: target.around.table ?? other.around.table,
  },
})

/** Two bills are locked in order of id, so that two merges of the same pair cannot wait for each other. */
async function lockBoth(tx: Tx, scope: Scope, id: string, otherId: string) {
  const lockOther = () =>
    lockBill(tx, scope, otherId).catch((error: unknown) => {
      throw error instanceof ApiError && error.code === 'NOT_FOUND' ? notFound('sale', 'saleId') : error
    })
  if (id < otherId) {
    const target = await lockBill(tx, scope, id)
    return { target, other: await lockOther() }
  }
  const other = await lockOther()
  return { target: await lockBill(tx, scope, id), other }
}
