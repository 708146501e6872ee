import { assert } from '../../../../core/assert.ts'
import { newId } from '../../../../core/ids.ts'
import { sum } from '../../../../core/money.ts'
import { type Totals, totalsOf } from '../../../../core/sale-totals.ts'
import { emptyToNull } from '../../../../core/text.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { maskOf } from '../../gift-cards/index.ts'
import type { Warning } from '../../promotions/index.ts'
import { requirePrintedTotal } from '../rules/offline.ts'
import { type AppliedPayment, notPaidMessage, openingOf } from '../rules/payments.ts'
import type { EditedItem } from '../rules/plan-edit.ts'
import { derived } from '../sale/facts.ts'
import { detailsOf } from '../sale/kept.ts'
import type { Item, Payment, Sale, Surroundings } from '../sale/types.ts'
import type { SaleIn } from '../schema.ts'
import type { Context, OutletFacts, Sellable } from '../store/context.ts'

/** A priced sale with the facts that it was decided from; `day` is the day of the outlet. */
export type PricedSale = {
  sale: Sale
  context: Context
  outlet: OutletFacts
  day: string
  warnings: readonly Warning[]
}

type Setting = {
  context: Context
  outlet: OutletFacts
  around: Surroundings
  shiftId: string | null
  promoDiscount: number
}

/** The new sale: priced, with its payments applied (B-money-5, B-sale-2, B-sale-3). */
export function priceSale(
  scope: Scope,
  body: SaleIn,
  { context, outlet, around, shiftId, promoDiscount }: Setting,
): Sale {
  const id = newId('sale')
  const items = body.items.map((sent, index) => {
    const sellable = context.sellables.get(sent.variantId)
    const { variantId, quantity, modifiers = [], discount = 0, note = null } = sent
    const unitPrice = sent.unitPrice ?? sellable?.price ?? 0
    return newItem(scope, { variantId, quantity, unitPrice, modifiers, discount, note }, sellable, index)
  })
  const tax = { taxRateBps: outlet.taxRateBps, taxInclusive: outlet.taxInclusive }
  const totals = totalsOf({
    ...tax,
    items: items.map((item) => ({ ...item, modifiers: item.modifiers ?? [] })),
    orderDiscount: body.orderDiscount ?? 0,
    promoDiscount,
    deliveryFee: body.deliveryFee ?? 0,
  })
  if (body.offline) requirePrintedTotal(body.offline.printedTotal, totals.total)
  const opening = openingOf({ requested: body.status, payments: body.payments, total: totals.total })
  const completed = opening.status === 'COMPLETED'
  const orderType = body.orderType === undefined ? (body.tableId ? 'DINE_IN' : null) : body.orderType
  return derived({
    id,
    number: '',
    outletId: outlet.id,
    shiftId,
    ...detailsOf(body),
    orderType,
    status: opening.status,
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
    offlineRef: body.offline?.ref ?? null,
    approvedBy: null,
    items: priced(items, totals).map((item) => ({ ...item, saleId: id })),
    payments: opening.applied.map((payment) => newPayment(scope, id, payment)),
    refunds: [],
    around,
  })
}

const NO_WARNINGS: readonly Warning[] = []

/** Warns about a new sale that looks completed and is not paid (B-answer-7). */
export function warningsOfOpening({ status }: SaleIn, sale: Sale): readonly Warning[] {
  if (sale.status === 'COMPLETED' || status !== undefined) return NO_WARNINGS
  const message = notPaidMessage({ ...sale, hasTable: sale.tableId !== null })
  return message === null ? NO_WARNINGS : [{ code: 'NOT_PAID', field: 'payments', message }]
}

/** An item as a row, not yet priced. */
export function newItem(
  scope: Scope,
  sent: Omit<EditedItem, 'sentIndex'>,
  sellable: Sellable | undefined,
  position: number,
): Item {
  assert(sellable, 'every variant of the sale was read with it')
  const modifiers = sent.modifiers.length === 0 ? null : sent.modifiers.map((modifier) => ({ ...modifier }))
  return {
    id: newId('saleItem'),
    saleId: '',
    position,
    variantId: sellable.variantId,
    productId: sellable.productId,
    productName: sellable.productName,
    variantName: sellable.variantName,
    sku: sellable.sku,
    quantity: sent.quantity,
    unitPrice: sent.unitPrice,
    modifiers,
    modifiersTotal: sum(sent.modifiers.map(({ price }) => price)),
    discount: sent.discount,
    orderDiscountShare: 0,
    taxAmount: 0,
    lineTotal: 0,
    note: emptyToNull(sent.note),
    refundedQty: 0,
    refundedValue: 0,
    refundedTax: 0,
    restockedQty: 0,
    movedStock: false,
    components: null,
    batches: null,
    station: sellable.station,
    kitchenStatus: 'NEW',
    kitchenUpdatedAt: null,
    isActive: true,
    cancelledQty: 0,
    createdAt: scope.now,
    updatedAt: scope.now,
  }
}

export function newPayment(scope: Scope, saleId: string, payment: AppliedPayment): Payment {
  const { method, status, reference } = payment
  // A card that pays is masked once it is found and debited; one that did not pay is never looked up.
  const hidden = method === 'GIFT_CARD' && status !== 'PAID' && reference !== null
  return {
    id: newId('payment'),
    saleId,
    ...payment,
    reference: hidden ? maskOf(reference) : reference,
    verified: false,
    applied: payment.status === 'PAID',
    giftCardId: null,
    sessionId: null,
    shiftId: null,
    refundedAmount: 0,
    paidAt: payment.status === 'PAID' ? scope.now : null,
    corrections: null,
    createdAt: scope.now,
    updatedAt: scope.now,
  }
}

/** Writes the figures of a pricing onto the items it priced, which must come in the same order. */
export function priced(items: readonly Item[], totals: Totals): Item[] {
  return items.map((item, index) => {
    const figures = totals.items[index]
    assert(figures, 'every item was priced')
    const { orderDiscountShare, taxAmount, lineTotal } = figures
    return { ...item, orderDiscountShare, taxAmount, lineTotal }
  })
}

export const figuresOf = (totals: Totals) => ({
  subtotal: totals.subtotal,
  discountTotal: totals.discountTotal,
  orderDiscount: totals.orderDiscount,
  promoDiscount: totals.promoDiscount,
  taxTotal: totals.taxTotal,
  deliveryFee: totals.deliveryFee,
  total: totals.total,
})

/** The bill with other active items, priced by its own frozen rate; cancelled items follow (B-sale-9). */
export function withItems(sale: Sale, active: readonly Item[], cancelled: readonly Item[]): Sale {
  const totals = totalsOf({
    taxRateBps: sale.taxRateBps,
    taxInclusive: sale.taxInclusive,
    items: active.map((item) => ({ ...item, modifiers: item.modifiers ?? [] })),
    orderDiscount: sale.orderDiscount,
    clampOrderDiscount: true,
    promoDiscount: sale.promoDiscount,
    deliveryFee: sale.deliveryFee,
  })
  const items = [...priced(active, totals), ...cancelled].map((item, position) => ({
    ...item,
    position,
    saleId: sale.id,
  }))
  return derived({ ...sale, ...figuresOf(totals), items })
}
