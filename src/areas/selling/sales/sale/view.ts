import type { PaymentMethod } from '../rules/payments.ts'
import type { ItemView, OrderType, PaymentView, RefundView, SaleRowView, SaleView } from '../schema.ts'
import type { OutletFacts } from '../store/context.ts'
import { refundedTotalOf, refundStatusOf } from './facts.ts'
import type { Item, Part, Payment, Refund, Sale, Surroundings } from './types.ts'

export function paymentView(payment: Payment): PaymentView {
  const { giftCardId: _card, ...shown } = payment
  return shown
}

const partsView = (parts: Part[] | null) =>
  (parts ?? []).flatMap(({ batchId, qty }) => (batchId === null ? [] : [{ batchId, qty }]))

export function itemView(item: Item, orderType: OrderType | null): ItemView {
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
    // A counter sale has no kitchen; the column keeps its default for the day the sale moves to a table.
    kitchenStatus: orderType === null ? null : item.kitchenStatus,
    kitchenUpdatedAt: item.kitchenUpdatedAt,
    isActive: item.isActive,
    cancelledQty: item.cancelledQty,
    createdAt: item.createdAt,
    updatedAt: item.updatedAt,
  }
}

export function refundView(refund: Refund): RefundView {
  const { goods, tax, deliveryFee, lines, tenders } = refund
  return {
    id: refund.id,
    transactionId: refund.saleId,
    amount: refund.amount,
    split: { goods, tax, deliveryFee },
    lines: lines
      .toSorted((a, b) => (a.itemId < b.itemId ? -1 : 1))
      .map(({ itemId, qty, amount }) => ({ transactionItemId: itemId, qty, amount })),
    method: (refund.method ?? 'CASH') as RefundView['method'],
    tenders: tenders
      .toSorted((a, b) => a.position - b.position)
      .map(({ method, amount, paymentId }) => ({ method: method as PaymentMethod, amount, paymentId })),
    restock: refund.restock,
    giftCardId: refund.giftCardId,
    reason: refund.reason,
    shiftId: refund.shiftId,
    actorId: refund.actorId,
    createdAt: refund.createdAt,
    updatedAt: refund.updatedAt,
  }
}

export function rowView(sale: Omit<Sale, 'items' | 'around'>): SaleRowView {
  const open = sale.status === 'PARKED' || sale.status === 'COMPLETED'
  return {
    id: sale.id,
    number: sale.number,
    outletId: sale.outletId,
    shiftId: sale.shiftId,
    customerId: sale.customerId,
    tableId: sale.tableId,
    orderType: sale.orderType,
    status: sale.status,
    note: sale.note,
    itemCount: sale.itemCount,
    payments: sale.payments.map(paymentView),
    refunds: sale.refunds.filter((refund) => refund.kind === 'REFUND').map(refundView),
    subtotal: sale.subtotal,
    discountTotal: sale.discountTotal,
    orderDiscount: sale.orderDiscount,
    promoDiscount: sale.promoDiscount,
    taxRateBps: sale.taxRateBps,
    taxInclusive: sale.taxInclusive,
    taxTotal: sale.taxTotal,
    deliveryFee: sale.deliveryFee,
    total: sale.total,
    paidTotal: sale.paidTotal,
    remaining: open ? sale.total - sale.paidTotal : 0,
    changeTotal: sale.changeTotal,
    refundedTotal: refundedTotalOf(sale),
    refundStatus: refundStatusOf(sale),
    pointsEarned: sale.pointsEarned,
    discountCode: sale.discountCode,
    redeemPoints: sale.redeemPoints,
    delivery: { status: deliveryStatusOf(sale), shipmentId: sale.shipmentId },
    deliveryDraft: sale.deliveryDraft,
    version: sale.version,
    cashierId: sale.cashierId,
    createdAt: sale.createdAt,
    updatedAt: sale.updatedAt,
    completedAt: sale.completedAt,
    voidedAt: sale.voidedAt,
    voidReason: sale.voidReason,
  }
}

/** Contract 15.10: a delivery with a draft waits for dispatch until a shipment speaks for it. */
const deliveryStatusOf = (sale: Pick<Sale, 'deliveryStatus' | 'orderType' | 'deliveryDraft'>) =>
  sale.deliveryStatus ??
  (sale.orderType === 'DELIVERY' && sale.deliveryDraft !== null ? 'awaiting_dispatch' : null)

export const saleView = (sale: Sale): SaleView => ({
  ...rowView(sale),
  items: sale.items.map((item) => itemView(item, sale.orderType)),
  ...sale.around,
})

export const outletView = (outlet: OutletFacts): Surroundings['outlet'] => ({
  name: outlet.name,
  address: outlet.address,
  phone: outlet.phone,
  receiptHeader: outlet.receiptHeader,
  receiptFooter: outlet.receiptFooter,
})
