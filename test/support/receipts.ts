import { type ItemView, Sale, type SaleView } from '../../src/areas/selling/sales/schema.ts'
import type { Receipt } from '../../src/core/paper/receipt.ts'

const AT = '2026-11-21T05:05:00.000Z'
const stamps = { createdAt: AT, updatedAt: AT }
/** Every field of a sale, each empty. */
const nothing = Object.fromEntries(Object.keys(Sale.properties).map((field) => [field, null])) as Record<
  keyof SaleView,
  null
>

const lineOf = (productName: string, index: number): ItemView => ({
  id: `tli_${index}`,
  variantId: 'var_1',
  productId: 'prd_1',
  productName,
  variantName: 'Default',
  sku: null,
  quantity: 1,
  pack: null,
  soldBy: 'UNIT',
  labelPrice: null,
  unitPrice: 1_000,
  modifiers: [],
  discount: 0,
  orderDiscountShare: 0,
  taxRateBps: 0,
  taxAmount: 0,
  lineTotal: 1_000,
  serviceShare: 0,
  promotionShare: 0,
  priceListId: null,
  note: null,
  refundedQty: 0,
  components: [],
  batches: [],
  station: null,
  kitchenStatus: null,
  kitchenUpdatedAt: null,
  isActive: true,
  cancelledQty: 0,
  ...stamps,
})

/** A receipt that no till has sold: one line of 1.000 for each name. For what would take too long to sell. */
export function receiptOf({ names, ...fields }: { names: readonly string[] } & Partial<SaleView>): Receipt {
  const total = names.length * 1_000
  const sale: SaleView = {
    ...nothing,
    id: 'txn_1',
    number: '261121-0001',
    outletId: 'out_1',
    status: 'COMPLETED',
    itemCount: names.length,
    promotions: [],
    voucherCodes: [],
    payments: [],
    refunds: [],
    subtotal: total,
    discountTotal: 0,
    orderDiscount: 0,
    promoDiscount: 0,
    taxRateBps: 0,
    taxInclusive: false,
    taxTotal: 0,
    taxes: [{ rateBps: 0, base: total, tax: 0 }],
    deliveryFee: 0,
    total,
    paidTotal: total,
    remaining: 0,
    changeTotal: 0,
    roundingTotal: 0,
    refundedTotal: 0,
    refundStatus: 'NONE',
    pointsEarned: 0,
    delivery: { status: null, shipmentId: null },
    version: 1,
    cashierId: 'ak_1',
    ...stamps,
    completedAt: AT,
    items: names.map(lineOf),
    outlet: { name: 'Kemang', address: null, phone: null, receiptHeader: null, receiptFooter: null },
    ...fields,
  }
  return {
    sale,
    business: { name: 'Kemang', npwp: null, thanks: null },
    taxLabel: 'Pajak',
    timezone: 'Asia/Jakarta',
    cashierName: null,
    pointsKept: sale.pointsEarned,
    logo: null,
    language: 'id',
  }
}
