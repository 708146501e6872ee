/** A new sale as the rows that one statement will write: decided from what was read, nothing is read or written here. */
import { shortened } from '../../../../core/events.ts'
import { newId } from '../../../../core/ids.ts'
import { eventFrame, eventRow } from '../../../../platform/outbox.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { openingOf } from '../rules/tenders.ts'
import { totalsOf } from '../rules/totals.ts'
import { type Bill, paymentView, type Surroundings, saleView } from '../sale/bill.ts'
import type { SaleAnswer, SaleIn, Warning } from '../schema.ts'
import type { Context, OutletFacts } from '../store/context.ts'
import type { NewSale, PlainMove, SaleEvent } from '../store/create.ts'
import { derived, figuresOf, newItem, newTender, priced } from './price-sale.ts'

/** A priced sale with what it was decided from; `day` is the outlet's. */
export type Draft = { bill: Bill; context: Context; outlet: OutletFacts; day: string }
type Setting = { context: Context; outlet: OutletFacts; around: Surroundings; shiftId: string | null }

/** The sale as a bill: priced, with its tenders applied (contract S1, 26.1). */
export function billOf(scope: Scope, body: SaleIn, { context, outlet, around, shiftId }: Setting): Bill {
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
export function plainSale(scope: Scope, { bill, context, day }: Draft): NewSale | null {
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

/** The bill with what its statement stores beside it: the answer and the events. */
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
    notDone: JSON.stringify(notDoneOf(bill)),
    guardShiftId: null,
    idem: null,
  }
}

/** Codes and points change nothing without the marketing module (contract 6.12), and the cashier is told so. */
function notDoneOf({ discountCode, redeemPoints }: Pick<Bill, 'discountCode' | 'redeemPoints'>): Warning[] {
  const code = 'MARKETING_MODULE_DISABLED'
  return [
    ...(discountCode === null
      ? []
      : [
          {
            code,
            field: 'discountCode',
            message: `The code ${discountCode} took nothing off: the marketing module is off. Use orderDiscount to lower the price`,
          } as const,
        ]),
    ...(redeemPoints === null || redeemPoints === 0
      ? []
      : [
          {
            code,
            field: 'redeemPoints',
            message: `${redeemPoints} points took nothing off and were not spent: the marketing module is off`,
          } as const,
        ]),
  ]
}

function eventsOf(scope: Scope, bill: Bill, sale: SaleAnswer['sale']): SaleEvent[] {
  const type = bill.status === 'COMPLETED' ? 'service.sale.completed.v1' : 'service.sale.parked.v1'
  const short = shortened(sale)
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
