import { assert } from '../../../../core/assert.ts'
import { newId } from '../../../../core/ids.ts'
import { sum } from '../../../../core/money.ts'
import { emptyToNull } from '../../../../core/text.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { maskOf } from '../../gift-cards/index.ts'
import type { EditedLine } from '../rules/plan-edit.ts'
import { type AppliedTender, openingOf } from '../rules/tenders.ts'
import { type Totals, totalsOf } from '../rules/totals.ts'
import { derived } from '../sale/facts.ts'
import type { Bill, Item, Surroundings, Tender } from '../sale/types.ts'
import type { SaleIn } from '../schema.ts'
import type { Context, OutletFacts, Sellable } from '../store/context.ts'

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
    note: emptyToNull(body.note),
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
    discountCode: emptyToNull(body.discountCode),
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

/** A line as a row, not yet priced. */
export function newItem(
  scope: Scope,
  line: Omit<EditedLine, 'sentIndex'>,
  sellable: Sellable | undefined,
  position: number,
): Item {
  assert(sellable, 'every variant of the bill was read with it')
  const modifiers = line.modifiers.length === 0 ? null : line.modifiers.map((modifier) => ({ ...modifier }))
  return {
    id: newId('saleItem'),
    saleId: '',
    position,
    variantId: sellable.variantId,
    productId: sellable.productId,
    productName: sellable.productName,
    variantName: sellable.variantName,
    sku: sellable.sku,
    quantity: line.quantity,
    unitPrice: line.unitPrice,
    modifiers,
    modifiersTotal: sum(line.modifiers.map(({ price }) => price)),
    discount: line.discount,
    orderDiscountShare: 0,
    taxAmount: 0,
    lineTotal: 0,
    note: emptyToNull(line.note),
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

export function newTender(scope: Scope, saleId: string, tender: AppliedTender): Tender {
  const { method, status, reference } = tender
  // A card that pays is masked once it is found and debited; one that did not pay is never looked up.
  const hidden = method === 'GIFT_CARD' && status !== 'PAID' && reference !== null
  return {
    id: newId('payment'),
    saleId,
    ...tender,
    reference: hidden ? maskOf(reference) : reference,
    verified: false,
    applied: tender.status === 'PAID',
    giftCardId: null,
    shiftId: null,
    refundedAmount: 0,
    paidAt: tender.status === 'PAID' ? scope.now : null,
    createdAt: scope.now,
    updatedAt: scope.now,
  }
}

/** Writes the figures of a pricing onto the lines it priced, which must come in the same order. */
export function priced(items: readonly Item[], totals: Totals): Item[] {
  return items.map((item, index) => {
    const line = totals.lines[index]
    assert(line, 'every line was priced')
    const { orderDiscountShare, taxAmount, lineTotal } = line
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

/** The bill with other active lines, priced by its own frozen rate; cancelled lines follow (contract 6.6). */
export function withLines(bill: Bill, active: readonly Item[], cancelled: readonly Item[]): Bill {
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
