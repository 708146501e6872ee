import type { TaxGroup } from '../../../../core/sale-totals.ts'
import type { PaymentMethod } from '../rules/payments.ts'
import {
  type ItemView,
  type OrderType,
  type PaymentView,
  type RefundView,
  SaleRow,
  type SaleRowView,
  type SaleView,
} from '../schema.ts'
import type { OutletFacts } from '../store/context.ts'
import { refundedTotalOf, refundStatusOf } from './facts.ts'
import type { Item, Part, Payment, Refund, Sale, Surroundings } from './types.ts'

/** Field by field: copying the row without three of its fields takes six times as long. */
export const paymentView = (payment: Payment): PaymentView => ({
  id: payment.id,
  saleId: payment.saleId,
  method: payment.method,
  amount: payment.amount,
  tendered: payment.tendered,
  change: payment.change,
  rounding: payment.rounding,
  reference: payment.reference,
  providerRef: payment.providerRef,
  status: payment.status,
  verified: payment.verified,
  applied: payment.applied,
  shiftId: payment.shiftId,
  refundedAmount: payment.refundedAmount,
  paidAt: payment.paidAt,
  dueDate: payment.dueDate,
  corrections: (payment.corrections ?? []).map(({ completed: _, ...correction }) => correction),
  createdAt: payment.createdAt,
  updatedAt: payment.updatedAt,
})

const partsView = (parts: Part[] | null) =>
  (parts ?? []).flatMap(({ batchId, qty }) => (batchId === null ? [] : [{ batchId, qty }]))

export function itemView(
  item: Item,
  { orderType, taxRateBps }: { orderType: OrderType | null; taxRateBps: number },
): ItemView {
  return {
    id: item.id,
    variantId: item.variantId,
    productId: item.productId,
    productName: item.productName,
    variantName: item.variantName,
    sku: item.sku,
    quantity: item.quantity,
    soldBy: item.soldBy ?? 'UNIT',
    labelPrice: item.labelPrice,
    pack: item.pack,
    unitPrice: item.unitPrice,
    modifiers: (item.modifiers ?? []).map(({ name, price, modifierId }) => ({
      name,
      price,
      modifierId: modifierId ?? null,
    })),
    discount: item.discount,
    orderDiscountShare: item.orderDiscountShare,
    taxRateBps: item.taxRateBps ?? taxRateBps,
    taxAmount: item.taxAmount,
    lineTotal: item.lineTotal,
    serviceShare: item.serviceShare,
    promotionShare: item.promotionShare,
    priceListId: item.priceListId,
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
  const { goods, tax, service, deliveryFee, lines, tenders } = refund
  return {
    id: refund.id,
    transactionId: refund.saleId,
    amount: refund.amount,
    split: { goods, tax, service, deliveryFee },
    lines: lines
      .toSorted((a, b) => (a.itemId < b.itemId ? -1 : 1))
      .map(({ itemId, qty, amount }) => ({ transactionItemId: itemId, qty, amount })),
    method: (refund.method ?? 'CASH') as RefundView['method'],
    tenders: tenders
      .toSorted((a, b) => a.position - b.position)
      .map(({ method, amount, paymentId }) => ({ method: method as PaymentMethod, amount, paymentId })),
    rounding: refund.rounding,
    restock: refund.restock,
    giftCardId: refund.giftCardId,
    reason: refund.reason,
    shiftId: refund.shiftId,
    actorId: refund.actorId,
    approvedBy: refund.approvedBy,
    createdAt: refund.createdAt,
    updatedAt: refund.updatedAt,
  }
}

/** The base and tax of each rate. A sale whose items have one rate and that has no service charge stores none (B-tax-2). */
export function taxesOf(
  sale: Pick<Sale, 'taxes' | 'taxRateBps' | 'taxTotal' | 'total' | 'deliveryFee'>,
): TaxGroup[] {
  const { taxes, taxRateBps: rateBps, taxTotal: tax, total, deliveryFee } = sale
  return taxes ?? [{ rateBps, base: total - tax - deliveryFee, tax }]
}

const serviceChargeOf = (sale: Omit<Sale, 'items' | 'around'>) =>
  sale.serviceChargeBps === null
    ? null
    : {
        bps: sale.serviceChargeBps,
        base: sale.serviceChargeBase ?? 0,
        amount: sale.serviceChargeAmount ?? 0,
        tax: sale.serviceChargeTax ?? 0,
      }

/** The fields of the record that are computed; the others are stored columns. */
const computedOf = (sale: Omit<Sale, 'items' | 'around'>) => ({
  payments: sale.payments.map(paymentView),
  promotions: (sale.promotions ?? []).map(({ id, name, amount }) => ({ id, name, amount })),
  voucherCodes: sale.voucherCodes ?? [],
  taxes: taxesOf(sale),
  serviceCharge: serviceChargeOf(sale),
  refunds: sale.refunds.filter((refund) => refund.kind === 'REFUND').map(refundView),
  remaining: sale.status === 'VOIDED' ? 0 : sale.total - sale.paidTotal,
  refundedTotal: refundedTotalOf(sale),
  refundStatus: refundStatusOf(sale),
  delivery: { status: deliveryStatusOf(sale), shipmentId: sale.shipmentId },
  offline:
    sale.offlineRef === null ? null : { ref: sale.offlineRef, soldAt: sale.completedAt ?? sale.createdAt },
})

type ComputedFields = ReturnType<typeof computedOf>
type CopiedField = Exclude<keyof SaleRowView, keyof ComputedFields>
const COMPUTED = [
  'payments',
  'promotions',
  'voucherCodes',
  'taxes',
  'serviceCharge',
  'refunds',
  'remaining',
  'refundedTotal',
  'refundStatus',
  'delivery',
  'offline',
] as const satisfies (keyof ComputedFields)[]
const SHOWN = Object.keys(SaleRow.properties) as (keyof SaleRowView)[]
const COPIED = SHOWN.filter((field): field is CopiedField => !(COMPUTED as readonly string[]).includes(field))
/** All fields in the order of the schema: a copy of it is filled faster than an object that grows by forty fields. */
const BLANK = Object.fromEntries(SHOWN.map((field) => [field, null])) as Record<keyof SaleRowView, unknown>

/**
 * The record of a sale: what its schema names, a column of the same name or computed, and nothing else that is
 * stored.
 */
export function rowView(sale: Omit<Sale, 'items' | 'around'>): SaleRowView {
  const shown = { ...BLANK }
  for (const field of COPIED) shown[field] = sale[field]
  const computed: Pick<SaleRowView, keyof ComputedFields> = computedOf(sale)
  for (const field of COMPUTED) shown[field] = computed[field]
  return shown as SaleRowView
}

/** B-sale-10: a delivery with a draft waits for dispatch until a shipment speaks for it. */
const deliveryStatusOf = (sale: Pick<Sale, 'deliveryStatus' | 'orderType' | 'deliveryDraft'>) =>
  sale.deliveryStatus ??
  (sale.orderType === 'DELIVERY' && sale.deliveryDraft !== null ? 'awaiting_dispatch' : null)

export const saleView = (sale: Sale): SaleView => ({
  ...rowView(sale),
  items: sale.items.map((item) => itemView(item, sale)),
  outlet: sale.around.outlet,
  customer: sale.around.customer,
  table: sale.around.table,
})

export const outletView = (outlet: OutletFacts): Surroundings['outlet'] => ({
  name: outlet.name,
  address: outlet.address,
  phone: outlet.phone,
  receiptHeader: outlet.receiptHeader,
  receiptFooter: outlet.receiptFooter,
})
