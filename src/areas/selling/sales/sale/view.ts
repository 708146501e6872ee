import type { TenderMethod } from '../rules/tenders.ts'
import type { OrderType, Payment, Refund, Sale, SaleLine, SaleRow } from '../schema.ts'
import type { OutletFacts } from '../store/context.ts'
import { refundedTotalOf, refundStatusOf } from './facts.ts'
import type { Bill, Item, Part, RefundRecord, Surroundings, Tender } from './types.ts'

export function paymentView(tender: Tender): Payment {
  const { giftCardId: _card, ...payment } = tender
  return payment
}

const partsView = (parts: Part[] | null) =>
  (parts ?? []).flatMap(({ batchId, qty }) => (batchId === null ? [] : [{ batchId, qty }]))

export function lineView(item: Item, orderType: OrderType | null): SaleLine {
  return {
    id: item.id,
    variantId: item.variantId,
    productId: item.productId,
    productName: item.productName,
    variantName: item.variantName,
    sku: item.sku,
    quantity: item.quantity,
    unitPrice: item.unitPrice,
    modifiers: (item.modifiers ?? []).map(({ name, price, modifierId }) => ({
      name,
      price,
      modifierId: modifierId ?? null,
    })),
    discount: item.discount,
    orderDiscountShare: item.orderDiscountShare,
    taxAmount: item.taxAmount,
    lineTotal: item.lineTotal,
    note: item.note,
    refundedQty: item.refundedQty,
    components: (item.components ?? []).map(({ variantId, name, quantity, unit, parts }) => ({
      variantId,
      name,
      quantity,
      unit,
      batches: partsView(parts),
    })),
    batches: partsView(item.batches),
    station: item.station,
    // A counter sale has no kitchen; the column keeps its default for the day the bill moves to a table.
    kitchenStatus: orderType === null ? null : item.kitchenStatus,
    kitchenUpdatedAt: item.kitchenUpdatedAt,
    isActive: item.isActive,
    cancelledQty: item.cancelledQty,
    createdAt: item.createdAt,
    updatedAt: item.updatedAt,
  }
}

export function refundView(refund: RefundRecord): Refund {
  const { goods, tax, deliveryFee, lines, tenders } = refund
  return {
    id: refund.id,
    transactionId: refund.saleId,
    amount: refund.amount,
    split: { goods, tax, deliveryFee },
    lines: lines
      .toSorted((a, b) => (a.itemId < b.itemId ? -1 : 1))
      .map(({ itemId, qty, amount }) => ({ transactionItemId: itemId, qty, amount })),
    method: (refund.method ?? 'CASH') as Refund['method'],
    tenders: tenders
      .toSorted((a, b) => a.position - b.position)
      .map(({ method, amount, paymentId }) => ({ method: method as TenderMethod, amount, paymentId })),
    restock: refund.restock,
    giftCardId: refund.giftCardId,
    reason: refund.reason,
    shiftId: refund.shiftId,
    actorId: refund.actorId,
    createdAt: refund.createdAt,
    updatedAt: refund.updatedAt,
  }
}

export function rowView(bill: Omit<Bill, 'items' | 'around'>): SaleRow {
  const open = bill.status === 'PARKED' || bill.status === 'COMPLETED'
  return {
    id: bill.id,
    number: bill.number,
    outletId: bill.outletId,
    shiftId: bill.shiftId,
    customerId: bill.customerId,
    tableId: bill.tableId,
    orderType: bill.orderType,
    status: bill.status,
    note: bill.note,
    itemCount: bill.itemCount,
    payments: bill.payments.map(paymentView),
    refunds: bill.refunds.filter((refund) => refund.kind === 'REFUND').map(refundView),
    subtotal: bill.subtotal,
    discountTotal: bill.discountTotal,
    orderDiscount: bill.orderDiscount,
    promoDiscount: bill.promoDiscount,
    taxRateBps: bill.taxRateBps,
    taxInclusive: bill.taxInclusive,
    taxTotal: bill.taxTotal,
    deliveryFee: bill.deliveryFee,
    total: bill.total,
    paidTotal: bill.paidTotal,
    remaining: open ? bill.total - bill.paidTotal : 0,
    changeTotal: bill.changeTotal,
    refundedTotal: refundedTotalOf(bill),
    refundStatus: refundStatusOf(bill),
    pointsEarned: bill.pointsEarned,
    discountCode: bill.discountCode,
    redeemPoints: bill.redeemPoints,
    delivery: { status: deliveryStatusOf(bill), shipmentId: bill.shipmentId },
    deliveryDraft: bill.deliveryDraft,
    version: bill.version,
    cashierId: bill.cashierId,
    createdAt: bill.createdAt,
    updatedAt: bill.updatedAt,
    completedAt: bill.completedAt,
    voidedAt: bill.voidedAt,
    voidReason: bill.voidReason,
  }
}

/** Contract 15.10: a delivery with a draft waits for dispatch until a shipment speaks for it. */
const deliveryStatusOf = (bill: Pick<Bill, 'deliveryStatus' | 'orderType' | 'deliveryDraft'>) =>
  bill.deliveryStatus ??
  (bill.orderType === 'DELIVERY' && bill.deliveryDraft !== null ? 'awaiting_dispatch' : null)

export const saleView = (bill: Bill): Sale => ({
  ...rowView(bill),
  items: bill.items.map((item) => lineView(item, bill.orderType)),
  ...bill.around,
})

export const outletView = (outlet: OutletFacts): Surroundings['outlet'] => ({
  name: outlet.name,
  address: outlet.address,
  phone: outlet.phone,
  receiptHeader: outlet.receiptHeader,
  receiptFooter: outlet.receiptFooter,
})
