import { authRequired, invalid, notFound } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { dayOf } from '../../core/time.ts'
import type { Db, Tx } from '../../platform/db/open.ts'
import { isForeignKeyViolation, isUniqueViolation } from '../../platform/db/pg-errors.ts'
import type { Deps } from '../../platform/deps.ts'
import {
  findReplay,
  type IdempotencyKey,
  type Reply,
  retrying,
  runWrite,
} from '../../platform/http/idempotency.ts'
import { eventFrame, eventRow } from '../../platform/outbox.ts'
import type { Scope } from '../../platform/scope.ts'
import { type Customer, holdActiveCustomer } from '../customers/index.ts'
import { holdVariants } from '../products/index.ts'
import { getShiftForSale } from '../shifts/index.ts'
import { getTableForSale } from '../tables/index.ts'
import { type Bill, eventSale, paymentView, type Surroundings, saleView } from './bill.ts'
import { touchBoards } from './boards.ts'
import { bookPayments, complete, onePendingReference, takeCards } from './complete.ts'
import {
  derived,
  figuresOf,
  idsOf,
  newItem,
  newTender,
  outletView,
  priced,
  requireKnown,
  requireLive,
  requireSmallDraft,
} from './draft.ts'
import { patiently } from './lookup.ts'
import { openingOf } from './rules/tenders.ts'
import { totalsOf } from './rules/totals.ts'
import type { SaleAnswer, SaleIn } from './schema.ts'
import { type Context, type OutletFacts, readContext, readPlainContext } from './store-context.ts'
import { insertSale, type NewSale, type PlainMove, type SaleEvent } from './store-sell.ts'

/**
 * Opens a sale: completed at once, or held as a bill (spec 3.1, contract 26.1). The plain sale — paid at once, stock
 * without batches or recipes, no card, no customer — is one read and one write; every other goes through a transaction
 * that takes its locks first. Both price, check and store by the same code.
 */
export async function createSale(
  deps: Deps,
  scope: Scope,
  idem: IdempotencyKey | null,
  body: SaleIn,
): Promise<Reply> {
  const context = await readPlainContext(deps.db, scope, wantedOf(body))
  if (scope.actor.kind === 'apiKey' && !context.keyHolds) throw authRequired()
  // A customer is held while the sale is made, which takes a transaction.
  if (!body.customerId) {
    try {
      const draft = await draftSale(deps.db, scope, body, context, null)
      const plain = plainSale(scope, draft)
      const reply = plain && (await retrying(scope, () => sellAtOnce(deps, scope, idem, plain)))
      if (reply) return reply
    } catch (error) {
      // A key that was used answers what it answered then, even if the shop has changed since.
      const replay = idem && (await findReplay(deps, deps.db, scope, idem))
      if (replay) return replay
      if (!isForeignKeyViolation(error)) throw error
    }
  }
  return runWrite(deps, scope, idem, async (tx) => ({
    status: 201,
    value: await sellWithLocks(tx, scope, body),
    secret: false,
  }))
}

type Draft = { bill: Bill; context: Context; outlet: OutletFacts; day: string }

const wantedOf = (body: SaleIn) => ({ outletId: body.outletId, ...idsOf(body.items) })

/** Prices the sale and applies its tenders; nothing is written or locked. */
async function draftSale(
  db: Db,
  scope: Scope,
  body: SaleIn,
  context: Context,
  hold: ((customerId: string) => Promise<Customer>) | null,
): Promise<Draft> {
  requireSmallDraft(body.deliveryDraft)
  const { outlet } = context
  if (!outlet) throw notFound('outlet', 'outletId')
  requireKnown(body.items, context)
  const { customerId, tableId, shiftId } = body
  const { look, refuse } = patiently()
  const customer = customerId && hold ? await look(hold(customerId)) : null
  const table = tableId ? await look(getTableForSale(db, scope, tableId, outlet.id)) : null
  const shift = shiftId ? await look(getShiftForSale(db, scope, shiftId, outlet.id)) : null
  refuse()
  if (!outlet.isActive) throw invalid('outletId', `${outlet.name} is inactive; sell at another outlet`)
  if (body.items.length === 0) throw invalid('items', 'The cart is empty: add at least one item')
  requireLive(body.items, context.sellables)
  const around = {
    outlet: outletView(outlet),
    customer: customer && { id: customer.id, name: customer.name, phone: customer.phone },
    table,
  }
  return {
    bill: billOf(scope, body, { context, outlet, around, shiftId: shift?.id ?? context.openShiftId }),
    context,
    outlet,
    day: dayOf(scope.now, outlet.timezone),
  }
}

type Setting = { context: Context; outlet: OutletFacts; around: Surroundings; shiftId: string | null }

function billOf(scope: Scope, body: SaleIn, { context, outlet, around, shiftId }: Setting): Bill {
  const id = newId('sale')
  const items = body.items.map((item, index) => {
    const sellable = context.sellables.get(item.variantId)
    const { quantity, modifiers = [], discount = 0, note = null } = item
    const line = {
      variantId: item.variantId,
      quantity,
      unitPrice: item.unitPrice ?? sellable?.price ?? 0,
      modifiers,
      discount,
      note,
    }
    return newItem(scope, line, sellable, index)
  })
  const tax = { taxRateBps: outlet.taxRateBps, taxInclusive: outlet.taxInclusive }
  const totals = totalsOf({
    ...tax,
    lines: items.map((item) => ({ ...item, modifiers: item.modifiers ?? [] })),
    orderDiscount: body.orderDiscount ?? 0,
    deliveryFee: body.deliveryFee ?? 0,
  })
  const opening = openingOf({ requested: body.status, payments: body.payments, total: totals.total })
  const completed = opening.status === 'COMPLETED'
  const orderType = body.orderType === undefined ? (body.tableId ? 'DINE_IN' : null) : body.orderType
  return derived({
    id,
    number: '',
    outletId: outlet.id,
    shiftId,
    customerId: body.customerId ?? null,
    tableId: body.tableId ?? null,
    orderType,
    status: opening.status,
    note: body.note || null,
    itemCount: items.length,
    ...tax,
    ...figuresOf(totals),
    paidTotal: opening.paidTotal,
    changeTotal: opening.changeTotal,
    refundedGoods: 0,
    refundedTax: 0,
    refundedDeliveryFee: 0,
    pointsEarned: 0,
    loyaltyRupiahPerPoint: null,
    discountCode: body.discountCode || null,
    redeemPoints: body.redeemPoints ?? null,
    deliveryDraft: body.deliveryDraft ?? null,
    deliveryStatus: null,
    shipmentId: null,
    kitchenOpen: false,
    version: 1,
    cashierId: scope.actor.id,
    createdAt: scope.now,
    updatedAt: scope.now,
    completedAt: completed ? scope.now : null,
    voidedAt: null,
    voidReason: null,
    items: priced(items, totals).map((item) => ({ ...item, saleId: id })),
    payments: opening.applied.map((tender) => newTender(scope, id, tender)),
    refunds: [],
    around,
  })
}

/** The bill ready for one statement, or null when it needs locks of its own. */
function plainSale(scope: Scope, { bill, context, day }: Draft): NewSale | null {
  const sold = bill.items.map((item) => context.sellables.get(item.variantId))
  const simple = sold.every(
    (sellable) => sellable && !sellable.isComposite && !sellable.requiresBatch && !sellable.hasBatches,
  )
  const ownShift = bill.shiftId === context.openShiftId
  const paidAtOnce = bill.payments.every(
    ({ method, status }) => method !== 'GIFT_CARD' && status !== 'PENDING',
  )
  if (bill.status !== 'COMPLETED' || !simple || !ownShift || !paidAtOnce || bill.customerId !== null)
    return null
  if (context.negativeStock === 'BLOCK') return null
  const moves = new Map<string, PlainMove>()
  const items = bill.items.map((item) => {
    const sellable = context.sellables.get(item.variantId)
    if (!sellable?.trackStock) return item
    const qty = (moves.get(item.variantId)?.qty ?? 0) + item.quantity
    moves.set(item.variantId, {
      variantId: item.variantId,
      movementId: newId('stockMovement'),
      qty,
      unitCost: sellable.cost,
      productId: sellable.productId,
      productName: sellable.productName,
      variantName: sellable.variantName,
      sku: sellable.sku,
      seenAt: sellable.updatedAt,
    })
    return { ...item, movedStock: true }
  })
  const payments = bill.payments.map((tender) =>
    tender.status === 'PAID' ? { ...tender, shiftId: context.openShiftId } : tender,
  )
  const booked = { ...bill, items, payments }
  return {
    ...newSale(scope, booked, day),
    moves: [...moves.values()],
    warnings: null,
    guardShiftId: context.openShiftId,
  }
}

export function newSale(scope: Scope, bill: Bill, day: string): NewSale {
  // Only the statement knows the number; a fresh ULID cannot stand in anything a client sent.
  const placeholder = newId('request')
  const sale = saleView({ ...bill, number: placeholder })
  return {
    bill,
    day,
    placeholder,
    saleJson: JSON.stringify(sale),
    events: eventsOf(scope, bill, sale),
    moves: [],
    warnings: '[]',
    guardShiftId: null,
    idem: null,
  }
}

function eventsOf(scope: Scope, bill: Bill, sale: SaleAnswer['sale']): SaleEvent[] {
  const type = bill.status === 'COMPLETED' ? 'service.sale.completed.v1' : 'service.sale.parked.v1'
  const short = eventSale(sale)
  const main: SaleEvent = {
    ...eventFrame(scope, type, 'sale'),
    refId: bill.id,
    ...(short === sale ? {} : { sale: JSON.stringify(short) }),
  }
  const tenders = bill.payments
    .filter((tender) => tender.status !== 'PENDING')
    .map((tender): SaleEvent => {
      const name = tender.status === 'PAID' ? 'service.payment.received.v1' : 'service.payment.failed.v1'
      return eventRow(scope, name, tender.id, { payment: paymentView(tender) })
    })
  return [...tenders, main]
}

/** The hot path: everything in one statement. Null when the shift was closed meanwhile, or the key needs a closer look. */
async function sellAtOnce(
  deps: Deps,
  scope: Scope,
  idem: IdempotencyKey | null,
  sale: NewSale,
): Promise<Reply | null> {
  const data = await insertSale(deps.db, scope, { ...sale, idem }).catch((error: unknown) => {
    // The only unique row that a plain sale can meet twice is its key: its first request has just won.
    if (idem && isUniqueViolation(error)) return null
    throw error
  })
  if (data === null) return idem && findReplay(deps, deps.db, scope, idem)
  touchBoards(scope, sale.bill)
  if (scope.boards.size > 0) deps.live.publish(scope.accountId, scope.boards)
  return { status: 201, data, replayed: false }
}

/** Every other sale. Locks in the house's order: variants and levels, shift, and the receipt counter last. */
async function sellWithLocks(tx: Tx, scope: Scope, body: SaleIn): Promise<SaleAnswer> {
  const wanted = wantedOf(body)
  await holdVariants(tx, scope, wanted.variantIds)
  const context = await readContext(tx, scope, wanted)
  const draft = await draftSale(tx, scope, body, context, (id) => holdActiveCustomer(tx, scope, id))
  const carded = await takeCards(tx, scope, draft.bill, (index) => `payments[${index}].reference`)
  const { bill, warnings } =
    carded.status === 'COMPLETED'
      ? await complete(tx, scope, carded, draft.context)
      : { bill: carded, warnings: [] }
  const booked = await bookPayments(tx, scope, bill, new Set())
  const sale = { ...newSale(scope, booked, draft.day), warnings: JSON.stringify(warnings) }
  const data = await onePendingReference(insertSale(tx, scope, sale))
  touchBoards(scope, booked)
  return JSON.parse(data ?? 'null') as SaleAnswer
}
