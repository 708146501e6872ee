import { type Static, Type } from 'typebox'
import { MAX_SALE_TOTAL } from '../../../core/money.ts'
import {
  AlsoNamed,
  Amount,
  ApprovedBy,
  FreeText,
  Id,
  Instant,
  Nullable,
  Rupiah,
  Text,
  Timestamps,
  Words,
} from '../../../platform/http/shapes.ts'
import { KITCHEN_STATES } from '../../dining/kitchen/index.ts'
import { CashRoundingTerms, ServiceTermFields } from '../../workspace/outlets/index.ts'
import { Warning } from '../promotions/index.ts'
import { MANUAL_METHODS } from './rules/correct-payment.ts'
import { PAYMENT_METHODS, PAYMENT_STATUSES } from './rules/payments.ts'
import { REFUND_STATUSES, SALE_STATUSES } from './rules/state.ts'

export const ORDER_TYPES = ['DINE_IN', 'TAKEAWAY', 'DELIVERY'] as const
export type OrderType = (typeof ORDER_TYPES)[number]

const Sum = Type.Integer({ minimum: 0, maximum: MAX_SALE_TOTAL, description: 'Whole rupiah' })
const PositiveSum = Type.Integer({ minimum: 1, maximum: MAX_SALE_TOTAL, description: 'Whole rupiah' })

const ModifierIn = Type.Object(
  { name: Text(80), price: Rupiah, modifierId: Type.Optional(Nullable(Id)) },
  { title: 'SaleModifierCreate' },
)
const Quantity = Type.Integer({ minimum: 1, maximum: 100_000 })
const ItemExtras = {
  unitPrice: Type.Optional(Rupiah),
  discount: Type.Optional(Sum),
  modifiers: Type.Optional(Type.Array(ModifierIn, { maxItems: 50 })),
  note: Type.Optional(FreeText(300)),
}
/** What describes an item without a variant (B-openitem-1). */
const OpenItemFields = {
  name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 120,
      description: 'Of an open item, which has no variantId and is not in the catalogue',
    }),
  ),
  taxRateBps: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 0,
        maximum: 10_000,
        description:
          'Of an open item, or of an item that was sold offline. Null means the rate of the outlet',
      }),
    ),
  ),
  station: Type.Optional(
    Nullable(
      Type.String({
        maxLength: 40,
        description: 'The kitchen station of an open item. Without it the item is on no ticket',
      }),
    ),
  ),
}
export const ItemIn = Type.Object(
  { variantId: Type.Optional(Nullable(Id)), quantity: Quantity, ...ItemExtras, ...OpenItemFields },
  {
    title: 'SaleItemCreate',
    description: 'An item of the catalogue has a variantId. An open item has name and unitPrice instead',
  },
)
export const ItemPatch = Type.Object(
  {
    id: Type.Optional(Id),
    variantId: Type.Optional(Nullable(Id)),
    quantity: Type.Optional(Quantity),
    ...ItemExtras,
    ...OpenItemFields,
  },
  { title: 'SaleItemUpdate' },
)

type SentItem = { variantId?: string | null }
/** A body as the verbs see it: an open item that is sent back as it was read has no variant instead of a null. */
type WithItems<Body, Item extends SentItem> = Omit<Body, 'items'> & {
  items: (Omit<Item, 'variantId'> & { variantId?: string })[]
}

/** The body without nulls in place of variants. */
export const withoutNullVariants = <Item extends SentItem, Body extends { items: Item[] }>(
  body: Body,
): WithItems<Body, Item> => ({
  ...body,
  items: body.items.map(({ variantId, ...item }) => (variantId ? { ...item, variantId } : item)),
})

/** A payment as the till sends it (B-payment-1). */
export const PaymentIn = Type.Object(
  {
    method: Words(PAYMENT_METHODS),
    amount: PositiveSum,
    tendered: Type.Optional(Nullable(Sum)),
    reference: Type.Optional(FreeText(200)),
    providerRef: Type.Optional(Nullable(Text(120))),
    status: Type.Optional(Words(PAYMENT_STATUSES)),
  },
  { title: 'PaymentCreate' },
)
export type PaymentIn = Static<typeof PaymentIn>
/** The method that a payment was really made by. */
export const PaymentCorrection = Type.Object(
  { method: Words(MANUAL_METHODS), reference: Type.Optional(FreeText(200)) },
  { title: 'PaymentCorrect' },
)
export type PaymentCorrection = Static<typeof PaymentCorrection>
/** Payments a sale may hold (B-payment-2); failed ones count apart, so that they never keep a bill from being paid. */
export const MAX_PAYMENTS = 20
const Payments = Type.Array(PaymentIn, { maxItems: MAX_PAYMENTS })

export const MAX_DELIVERY_DRAFT_KIB = 32

/** Stored as sent, checked only at dispatch (B-sale-10). */
const DeliveryDraft = Type.Unknown({
  description: `Destination, courier and parcel, kept as sent; at most ${MAX_DELIVERY_DRAFT_KIB} KiB`,
  'x-verbatim': true,
})
/** Items of a bill, cancelled ones aside (B-sale-4). */
export const MAX_ITEMS = 500

/** Fields that an edit may send again. They are stored as sent, except the discount, which is priced. */
const Details = {
  customerId: Type.Optional(Nullable(Id)),
  tableId: Type.Optional(Nullable(Id)),
  orderType: Type.Optional(Nullable(Words(ORDER_TYPES))),
  orderDiscount: Type.Optional(Sum),
  deliveryDraft: Type.Optional(DeliveryDraft),
  note: Type.Optional(FreeText(500)),
}
const ServiceWaiver = {
  waiveServiceCharge: Type.Optional(
    Type.Boolean({
      description: 'True leaves out the service charge, until false is sent with an edit',
    }),
  ),
}

/** Fields that only the creation of a sale takes. They are stored as sent. */
const OpeningDetails = {
  discountCode: Type.Optional(FreeText(50)),
  redeemPoints: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 1_000_000_000 }))),
}

type BillDetail = Exclude<keyof typeof Details, 'orderDiscount'>
export type KeptDetail = BillDetail | keyof typeof OpeningDetails
export const BILL_DETAILS = (Object.keys(Details) as (keyof typeof Details)[]).filter(
  (detail) => detail !== 'orderDiscount',
)
export const KEPT_DETAILS: readonly KeptDetail[] = [
  ...BILL_DETAILS,
  ...(Object.keys(OpeningDetails) as (keyof typeof OpeningDetails)[]),
]

/** The outlet's money fields as the till used them; a missing one is the outlet's present value (B-offline-2). */
const OfflineTerms = Type.Object(
  {
    taxRateBps: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
    taxInclusive: Type.Optional(Type.Boolean()),
    ...Type.Partial(Type.Object(ServiceTermFields)).properties,
    cashRounding: Type.Optional(CashRoundingTerms),
  },
  { title: 'OfflineTerms' },
)
/** A sale that a till made while it was offline (B-offline-1). */
const OfflineIn = Type.Object(
  {
    ref: Text(40),
    soldAt: Instant,
    soldBy: Type.Optional(Id),
    terms: OfflineTerms,
    printedTotal: Sum,
  },
  { title: 'OfflineSaleCreate' },
)
export type OfflineIn = Static<typeof OfflineIn>

export const SaleIn = Type.Object(
  {
    outletId: Id,
    shiftId: Type.Optional(Nullable(Id)),
    ...Details,
    items: Type.Array(ItemIn, { maxItems: MAX_ITEMS }),
    deliveryFee: Type.Optional(Sum),
    payments: Type.Optional(Payments),
    status: Type.Optional(
      Words(['COMPLETED', 'PARKED'], {
        description:
          'Without it the sale is COMPLETED if `payments` cover the total, else PARKED, an open bill. `warnings` then has NOT_PAID',
      }),
    ),
    ...OpeningDetails,
    ...ServiceWaiver,
    offline: Type.Optional(OfflineIn),
  },
  { title: 'SaleCreate' },
)
export type SaleIn = WithItems<Static<typeof SaleIn>, Static<typeof ItemIn>>

export const BillPatch = Type.Object(
  { items: Type.Array(ItemPatch, { maxItems: MAX_ITEMS }), ...Details, ...ServiceWaiver },
  { title: 'SaleUpdateItems' },
)
export type BillPatch = WithItems<Static<typeof BillPatch>, Static<typeof ItemPatch>>

export const Settlement = Type.Object({ payments: Payments }, { title: 'SaleSettle' })

export const RefundIn = Type.Object(
  {
    lines: Type.Optional(
      Type.Array(
        Type.Object({ transactionItemId: AlsoNamed('itemId', Id), qty: AlsoNamed('quantity', Quantity) }),
        { maxItems: MAX_ITEMS },
      ),
    ),
    amount: Type.Optional(PositiveSum),
    restock: Type.Optional(Type.Boolean()),
    refundToStoreCredit: Type.Optional(Type.Boolean()),
    method: Type.Optional(Words(['CASH', 'QRIS', 'VA', 'CARD', 'TRANSFER', 'OTHER'])),
    reason: Type.Optional(FreeText(300)),
  },
  { title: 'SaleRefund' },
)
export type RefundIn = Static<typeof RefundIn>

export const SplitIn = Type.Object(
  {
    items: Type.Array(Type.Object({ id: Id, quantity: Quantity }), { maxItems: MAX_ITEMS }),
    tableId: Type.Optional(Nullable(Id)),
    note: Type.Optional(FreeText(500)),
  },
  { title: 'SaleSplit' },
)
export const MergeIn = Type.Object({ saleId: Id }, { title: 'SaleMerge' })

const Batches = Type.Array(Type.Object({ batchId: Id, qty: Type.Integer() }))

export const SaleItem = Type.Object(
  {
    id: Id,
    variantId: Nullable(Id),
    productId: Nullable(Id),
    productName: Type.String({ description: 'The name of an open item, which has no variant' }),
    variantName: Type.String(),
    sku: Nullable(Type.String()),
    quantity: Type.Integer(),
    unitPrice: Amount,
    modifiers: Type.Array(Type.Object({ name: Type.String(), price: Amount, modifierId: Nullable(Id) })),
    discount: Amount,
    orderDiscountShare: Amount,
    taxRateBps: Type.Integer({ description: 'Basis points, as the sale froze it' }),
    taxAmount: Amount,
    lineTotal: Amount,
    serviceShare: Type.Integer({ description: 'Its part of the service charge, with the tax on it' }),
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
      description: 'What the cash due differs from `amount`: negative where it was rounded down',
    }),
    reference: Nullable(Type.String()),
    providerRef: Nullable(Type.String()),
    status: Words(PAYMENT_STATUSES),
    verified: Type.Boolean(),
    applied: Type.Boolean(),
    shiftId: Nullable(Id),
    refundedAmount: Amount,
    paidAt: Nullable(Instant),
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
      description:
        'What the cash paid out differs from the cash in `tenders`: negative where it was rounded down',
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
  taxRateBps: Type.Integer(),
  taxInclusive: Type.Boolean(),
  taxTotal: Amount,
  taxes: Type.Array(
    Type.Object({ rateBps: Type.Integer(), base: Amount, tax: Amount }, { title: 'SaleTax' }),
    { description: 'What is taxed at each rate, sorted by rate; base is free of tax. Together taxTotal' },
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
    reason: Words(['SHORT', 'NOW_COMPOSITE', 'DELETED'], {
      description:
        'SHORT: more was sold than was available. NOW_COMPOSITE: the variant has since become a composite and has no stock to return to. DELETED: a component that no longer exists. For the last two nothing moved',
    }),
    requested: Type.Integer({ description: 'Units to take, or to return' }),
    available: Type.Integer({ description: 'Units that could be sold before it; 0 if no stock moved' }),
    level: Type.Integer({ description: 'The stock level after this sale; 0 where nothing moved' }),
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
