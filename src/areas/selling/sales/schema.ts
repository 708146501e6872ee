import { type Static, Type } from 'typebox'
import { MAX_SALE_TOTAL } from '../../../core/money.ts'
import {
  AlsoNamed,
  FreeText,
  Id,
  Instant,
  Nullable,
  Rupiah,
  Text,
  Words,
} from '../../../platform/http/shapes.ts'
import { CashRoundingTerms, ServiceTermFields } from '../../workspace/outlets/index.ts'
import { MANUAL_METHODS } from './rules/correct-payment.ts'
import { PAYMENT_METHODS, PAYMENT_STATUSES } from './rules/payments.ts'
import { DeliveryDraft, ORDER_TYPES } from './schema-record.ts'

export * from './schema-record.ts'

const Sum = Type.Integer({ minimum: 0, maximum: MAX_SALE_TOTAL, description: 'Whole rupiah' })
const PositiveSum = Type.Integer({ minimum: 1, maximum: MAX_SALE_TOTAL, description: 'Whole rupiah' })

const ModifierIn = Type.Object(
  { name: Text(80), price: Rupiah, modifierId: Type.Optional(Nullable(Id)) },
  { title: 'SaleModifierCreate' },
)
const Quantity = Type.Integer({ minimum: 1, maximum: 100_000 })
const ItemExtras = {
  unitPrice: Type.Optional(Rupiah),
  labelPrice: Type.Optional(
    Type.Unsafe<number | null>({
      ...Nullable(Rupiah),
      description:
        'For weighed goods: the price on the label of the scale, which becomes the gross of the item',
    }),
  ),
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
      description: 'For an open item, which has no variantId and is not in the catalogue',
    }),
  ),
  taxRateBps: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 0,
        maximum: 10_000,
        description: 'For an open item, or an item that was sold offline. Null means the rate of the outlet',
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
const PackId = Type.Optional(
  Type.Unsafe<string | null>({
    ...Nullable(Id),
    description: 'A pack of the variant: `quantity` and `unitPrice` then count packs',
  }),
)
/** What a till printed for an item that it sold offline (B-promo-9). */
const PrintedPromotion = Type.Object(
  { id: Text(64), name: Text(80), amount: PositiveSum },
  { title: 'PrintedPromotion' },
)
export const ItemIn = Type.Object(
  {
    variantId: Type.Optional(Nullable(Id)),
    packId: PackId,
    quantity: Quantity,
    ...ItemExtras,
    ...OpenItemFields,
    promotions: Type.Optional(
      Type.Array(PrintedPromotion, {
        maxItems: 50,
        description: 'Only for an item that was sold offline: its printed part of each promotion',
      }),
    ),
    kitchenPrinted: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 100_000,
        description:
          'How many of the item a till has printed for the kitchen while it was offline. The slips of the sale have the rest only',
      }),
    ),
  },
  {
    title: 'SaleItemCreate',
    description: 'An item of the catalogue has a variantId. An open item has name and unitPrice instead',
  },
)
export const ItemPatch = Type.Object(
  {
    id: Type.Optional(Id),
    variantId: Type.Optional(Nullable(Id)),
    packId: PackId,
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
export const withoutNullVariants = <Item extends SentItem, Body extends object>(
  body: Body & { items: Item[] },
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
    dueDate: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 10,
          description: 'For a CREDIT payment: the day on which it is due, YYYY-MM-DD',
        }),
      ),
    ),
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
/** Refunds of a sale, the last of which takes everything that is left (B-refund-11). */
export const MAX_REFUNDS = 100

/** Items of a bill, cancelled ones aside (B-sale-4). */
export const MAX_ITEMS = 500
/** Cancelled items of a bill (B-edit-5). */
export const MAX_CANCELLED_ITEMS = 1_000

/** Fields that an edit may send again. They are stored as sent, except the discount, which is priced. */
const Details = {
  customerId: Type.Optional(Nullable(Id)),
  tableId: Type.Optional(Nullable(Id)),
  orderType: Type.Optional(Nullable(Words(ORDER_TYPES))),
  channel: Type.Optional(
    Nullable(Type.String({ maxLength: 40, description: 'Where the order comes from, such as GOFOOD' })),
  ),
  orderDiscount: Type.Optional(Sum),
  voucherCodes: Type.Optional(
    Nullable(Type.Array(Text(50), { maxItems: 10, description: 'Codes of promotions, in any case' })),
  ),
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
