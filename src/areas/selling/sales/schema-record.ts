import { type Static, Type } from 'typebox'
import { SOLD_BY } from '../../../core/weights.ts'
import {
  Amount,
  ApprovedBy,
  Day,
  Id,
  Instant,
  Nullable,
  Timestamps,
  Words,
} from '../../../platform/http/shapes.ts'
import { KITCHEN_STATES } from '../../dining/kitchen/index.ts'
import { Warning } from '../promotions/index.ts'
import { PAYMENT_METHODS, PAYMENT_STATUSES } from './rules/payments.ts'
import { REFUND_STATUSES, SALE_STATUSES } from './rules/state.ts'

/** Records of a sale, as the API answers them. */
export const ORDER_TYPES = ['DINE_IN', 'TAKEAWAY', 'DELIVERY'] as const
export type OrderType = (typeof ORDER_TYPES)[number]

export const MAX_DELIVERY_DRAFT_KIB = 32

/** Stored as sent, checked only at dispatch (B-sale-10). */
export const DeliveryDraft = Type.Unknown({
  description: `Destination, courier and parcel, kept as sent; at most ${MAX_DELIVERY_DRAFT_KIB} KiB`,
  'x-verbatim': true,
})
const Batches = Type.Array(Type.Object({ batchId: Id, qty: Type.Integer() }))

export const SaleItem = Type.Object(
  {
    id: Id,
    variantId: Nullable(Id),
    productId: Nullable(Id),
    productName: Type.String({ description: 'The name of an open item, which has no variant' }),
    variantName: Type.String(),
    sku: Nullable(Type.String()),
    quantity: Type.Integer({
      description: 'Packs, if the item has a pack; else grams of goods sold by weight',
    }),
    soldBy: Words(SOLD_BY),
    pack: Nullable(
      Type.Object(
        { id: Id, name: Type.String(), factor: Type.Integer() },
        {
          title: 'SalePack',
          description: 'The pack sold, as it was then: `factor` units of the variant each',
        },
      ),
    ),
    unitPrice: Type.Integer({
      ...Amount,
      description: 'Of a pack, if the item has one; else of a kilogram of goods sold by weight',
    }),
    labelPrice: Nullable(
      Type.Integer({ ...Amount, description: 'The price on the label, which is the gross of the item' }),
    ),
    modifiers: Type.Array(Type.Object({ name: Type.String(), price: Amount, modifierId: Nullable(Id) })),
    discount: Amount,
    orderDiscountShare: Amount,
    taxRateBps: Type.Integer({ description: 'Basis points, as the sale froze it' }),
    taxAmount: Amount,
    lineTotal: Amount,
    serviceShare: Type.Integer({ description: 'Its part of the service charge, with the tax on it' }),
    promotionShare: Type.Integer({ description: 'Its part of the promotions of the sale' }),
    priceListId: Nullable({
      ...Id,
      description: 'The price list that set `unitPrice`; null for the price of the catalogue or of the till',
    }),
    note: Nullable(Type.String()),
    refundedQty: Type.Integer(),
    components: Type.Array(
      Type.Object({
        variantId: Id,
        name: Type.String(),
        quantity: Type.Integer(),
        unit: Nullable(Type.String()),
        batches: Batches,
      }),
      { description: 'The recipe as it stood at completion; empty on a plain item' },
    ),
    batches: Batches,
    station: Nullable(Type.String()),
    kitchenStatus: Nullable(Words(KITCHEN_STATES)),
    kitchenUpdatedAt: Nullable(Instant),
    isActive: Type.Boolean(),
    cancelledQty: Type.Integer(),
    ...Timestamps,
  },
  { title: 'SaleItem' },
)

export const Payment = Type.Object(
  {
    id: Id,
    saleId: Id,
    method: Words(PAYMENT_METHODS),
    amount: Amount,
    tendered: Nullable(Amount),
    change: Amount,
    rounding: Type.Integer({
      description: 'The cash due less `amount`: negative if it was rounded down',
    }),
    reference: Nullable(Type.String()),
    providerRef: Nullable(Type.String()),
    status: Words(PAYMENT_STATUSES),
    verified: Type.Boolean(),
    applied: Type.Boolean(),
    shiftId: Nullable(Id),
    refundedAmount: Amount,
    paidAt: Nullable(Instant),
    dueDate: Nullable(Day),
    corrections: Type.Array(
      Type.Object({
        at: Instant,
        by: Id,
        from: Words(PAYMENT_METHODS),
        to: Words(PAYMENT_METHODS),
        rounding: Type.Integer({
          description: 'Cash rounding of the payment before, which the correction took back',
        }),
      }),
      { description: 'Changes of the method after the payment was entered, oldest first' },
    ),
    ...Timestamps,
  },
  { title: 'Payment' },
)

const Split = Type.Object({ goods: Amount, tax: Amount, service: Amount, deliveryFee: Amount })
export const Refund = Type.Object(
  {
    id: Id,
    transactionId: Id,
    amount: Amount,
    split: Split,
    lines: Type.Array(Type.Object({ transactionItemId: Id, qty: Type.Integer(), amount: Amount })),
    method: Words([...PAYMENT_METHODS, 'STORE_CREDIT']),
    tenders: Type.Array(
      Type.Object({
        method: Words([...PAYMENT_METHODS, 'STORE_CREDIT']),
        amount: Amount,
        paymentId: Nullable(Id),
      }),
    ),
    rounding: Type.Integer({
      description: 'The cash paid out less the cash in `tenders`: negative if it was rounded down',
    }),
    restock: Type.Boolean(),
    giftCardId: Nullable(Id),
    reason: Nullable(Type.String()),
    shiftId: Nullable(Id),
    actorId: Id,
    approvedBy: ApprovedBy('the refund'),
    ...Timestamps,
  },
  { title: 'Refund' },
)

const SaleFigures = {
  subtotal: Amount,
  discountTotal: Amount,
  orderDiscount: Amount,
  promoDiscount: Amount,
  promotions: Type.Array(
    Type.Object({ id: Id, name: Type.String(), amount: Amount }, { title: 'SalePromotion' }),
    { description: 'Promotions that the sale was given; a part of `discountTotal`' },
  ),
  voucherCodes: Type.Array(Type.String()),
  taxRateBps: Type.Integer(),
  taxInclusive: Type.Boolean(),
  taxTotal: Amount,
  taxes: Type.Array(
    Type.Object({ rateBps: Type.Integer(), base: Amount, tax: Amount }, { title: 'SaleTax' }),
    {
      description:
        'Base and tax of each rate, sorted by rate; `base` is free of tax. The taxes add up to `taxTotal`',
    },
  ),
  serviceCharge: Nullable(
    Type.Object(
      { bps: Type.Integer(), base: Amount, amount: Amount, tax: Amount },
      { title: 'ServiceCharge', description: 'Null without one; `amount` is without its tax' },
    ),
  ),
  deliveryFee: Amount,
  total: Amount,
  paidTotal: Amount,
  remaining: Amount,
  changeTotal: Amount,
  roundingTotal: Type.Integer({ description: 'Sum of the rounding of its payments' }),
  refundedTotal: Amount,
  refundStatus: Words(REFUND_STATUSES),
  pointsEarned: Type.Integer(),
}

const SaleHead = {
  id: Id,
  number: Type.String({ description: 'YYMMDD-NNNN, sequential per outlet and local day' }),
  outletId: Id,
  shiftId: Nullable(Id),
  customerId: Nullable(Id),
  tableId: Nullable(Id),
  orderType: Nullable(Words(ORDER_TYPES)),
  channel: Nullable(Type.String({ description: 'Where the order came from; price lists compare it' })),
  status: Words(SALE_STATUSES),
  note: Nullable(Type.String()),
  itemCount: Type.Integer({ description: 'Active items' }),
  payments: Type.Array(Payment),
  refunds: Type.Array(Refund),
  ...SaleFigures,
  discountCode: Nullable(Type.String()),
  redeemPoints: Nullable(Type.Integer()),
  delivery: Type.Object({ status: Nullable(Type.String()), shipmentId: Nullable(Id) }),
  deliveryDraft: DeliveryDraft,
  version: Type.Integer({ description: 'Send it as If-Match to edit only what you have seen' }),
  cashierId: Id,
  ...Timestamps,
  completedAt: Nullable(Instant),
  voidedAt: Nullable(Instant),
  voidReason: Nullable(Type.String()),
  offline: Nullable(
    Type.Object(
      { ref: Type.String(), soldAt: Instant },
      { description: 'Set if a till sold it while offline' },
    ),
  ),
  approvedBy: ApprovedBy('the last change of the sale that needed it'),
}

export const SaleRow = Type.Object(SaleHead, { title: 'SaleRow' })
export const Sale = Type.Object(
  {
    ...SaleHead,
    items: Type.Array(SaleItem),
    outlet: Type.Object({
      name: Type.String(),
      address: Nullable(Type.String()),
      phone: Nullable(Type.String()),
      receiptHeader: Nullable(Type.String()),
      receiptFooter: Nullable(Type.String()),
    }),
    customer: Nullable(Type.Object({ id: Id, name: Type.String(), phone: Nullable(Type.String()) })),
    table: Nullable(Type.Object({ id: Id, label: Type.String() })),
  },
  { title: 'Sale' },
)
export type SaleView = Static<typeof Sale>
export type SaleRowView = Static<typeof SaleRow>
export type ItemView = Static<typeof SaleItem>
export type PaymentView = Static<typeof Payment>
export type RefundView = Static<typeof Refund>

export const StockWarning = Type.Object(
  {
    variantId: Id,
    productName: Type.String(),
    variantName: Type.String(),
    reason: Words(['SHORT', 'NOW_COMPOSITE', 'SOLD_BY_CHANGED', 'DELETED'], {
      description:
        'SHORT: more was sold than available. The others moved nothing. NOW_COMPOSITE: the variant is a composite now. SOLD_BY_CHANGED: grams became units, or the reverse. DELETED: it no longer exists',
    }),
    requested: Type.Integer({ description: 'Units to take, or to return' }),
    available: Type.Integer({ description: 'Units there before it; 0 if nothing moved' }),
    level: Type.Integer({ description: 'The level after this sale; 0 if nothing moved' }),
  },
  { title: 'StockWarning' },
)
export type StockWarning = Static<typeof StockWarning>

export const SaleAnswer = Type.Object({ sale: Sale, stockWarnings: Type.Array(StockWarning) })
export type SaleAnswer = Static<typeof SaleAnswer>

export const NewSaleAnswer = Type.Object({ ...SaleAnswer.properties, warnings: Type.Array(Warning) })
export const EditAnswer = Type.Object({ sale: Sale, warnings: Type.Array(Warning) })
export type EditAnswer = Static<typeof EditAnswer>
export type NewSaleAnswer = Static<typeof NewSaleAnswer>
