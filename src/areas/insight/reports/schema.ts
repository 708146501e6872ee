import { type Static, Type } from 'typebox'
import { SOLD_BY } from '../../../core/weights.ts'
import { Format } from '../../../platform/http/csv.ts'
import { Amount, Day, Edge, FilterId, Id, Instant, Nullable, Words } from '../../../platform/http/shapes.ts'

const Count = Type.Integer({ minimum: 0 })
/** Refunds and voids are subtracted, so the figures may be negative. */
const Sold = {
  quantity: Type.Integer({ description: 'Units sold less units refunded, without goods sold by weight' }),
  grams: Type.Integer({ description: 'Grams sold less grams refunded of goods sold by weight' }),
}
export const ReportQuery = Type.Object({
  outletId: FilterId,
  from: Edge('From this instant or day on; without it 30 days before `to`'),
  to: Edge('Before this instant or day; without it now'),
  format: Type.Optional(Format),
})
export const TopQuery = Type.Object({
  ...ReportQuery.properties,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 10 })),
})
export const MarginQuery = Type.Object({
  ...ReportQuery.properties,
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 500,
      default: 100,
      description: 'How many products; a table (`format=csv`) has all',
    }),
  ),
})
export const ReceivablesQuery = Type.Object({ format: Type.Optional(Format) })
export const DaysQuery = Type.Object({
  outletId: FilterId,
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: 365, default: 30 })),
  format: Type.Optional(Format),
})

const Money = {
  gross: Type.Integer({ description: 'Lines before any discount' }),
  discounts: Amount,
  refunds: Type.Integer({ description: 'Goods of refunds, without tax and delivery fee' }),
  tax: Type.Integer({ description: 'Tax of sales less tax of refunds' }),
  net: Type.Integer({ description: 'gross - discounts - refunds, free of tax' }),
  service: Type.Integer({ description: 'Service charges without their tax, less those refunded' }),
  rounding: Type.Integer({
    description:
      'What cash differs from the amounts because it was rounded, in payments less refunds. Not a part of collected',
  }),
  deliveryFees: Type.Integer({ description: 'Less those refunded' }),
}
const Counts = { salesCount: Count, refundCount: Count, voidCount: Count }
const Collected = { collected: Type.Integer({ description: 'net + tax + deliveryFees + service' }) }
const Average = {
  avgTicket: Type.Integer({ description: 'The average payment of a customer, before refunds' }),
}

export const MethodRow = Type.Object(
  {
    method: Type.String({ description: 'A payment method; STORE_CREDIT for refunds paid as a new card' }),
    count: Count,
    amount: Amount,
    refunds: Amount,
    net: Type.Integer({ description: 'amount - refunds' }),
  },
  { title: 'ReportMethod' },
)
const Rows = Type.String({ description: 'The path that lists what the figure counts' })
export const Summary = Type.Object(
  {
    from: Instant,
    to: Instant,
    ...Counts,
    ...Money,
    ...Collected,
    ...Average,
    taxes: Type.Array(Type.Object({ rateBps: Type.Integer(), tax: Type.Integer() }, { title: 'RateTax' }), {
      description: 'Tax of sales less tax of refunds by rate, sorted by rate',
    }),
    byMethod: Type.Array(MethodRow),
    rows: Type.Object(
      { sales: Rows, refunds: Rows, voids: Rows },
      { description: 'The path that lists the sales, refunds and voids of these figures' },
    ),
  },
  { title: 'ReportSummary' },
)

export const DayRow = Type.Object(
  {
    date: Day,
    from: Nullable(Instant),
    to: Nullable(
      Type.String({
        format: 'date-time',
        description: 'When the day ends; null if outlets with different clocks are counted together',
      }),
    ),
    ...Counts,
    ...Money,
    total: Type.Integer({ description: 'Money taken less money given back that day' }),
  },
  { title: 'ReportDay' },
)
export const HourRow = Type.Object(
  {
    weekday: Type.Integer({ minimum: 1, maximum: 7, description: '1 is Monday' }),
    hour: Type.Integer({ minimum: 0, maximum: 23 }),
    ...Counts,
    ...Money,
    ...Collected,
    ...Average,
  },
  { title: 'ReportHour' },
)
export const CashierRow = Type.Object(
  {
    cashierId: Id,
    name: Nullable(Type.String({ description: 'Null once the member or key no longer exists' })),
    ...Counts,
    ...Money,
    ...Collected,
    ...Average,
  },
  { title: 'ReportCashier' },
)
export const ExpenseRow = Type.Object(
  {
    category: Nullable(Type.String({ description: 'Null: cash that was taken out without a category' })),
    count: Type.Integer({ minimum: 0, description: 'How many times cash was taken out' }),
    paidOut: Amount,
    returned: Type.Integer({ description: 'Cash of this category that was put back into a drawer' }),
    amount: Type.Integer({ description: 'paidOut - returned' }),
  },
  { title: 'ReportExpense' },
)
const Owed = (description: string) => Type.Integer({ minimum: 0, description })
export const ReceivableRow = Type.Object(
  {
    customerId: Id,
    name: Type.String(),
    balance: Amount,
    current: Owed('Not yet due'),
    days30: Owed('Up to 30 days overdue'),
    days60: Owed('31 to 60 days overdue'),
    days90: Owed('More than 60 days overdue'),
  },
  { title: 'ReportReceivable' },
)
const ProductOrOpen = Type.Unsafe<string | null>({
  ...Nullable(Id),
  description: 'Null for all open items together',
})
export const TopProduct = Type.Object(
  {
    productId: ProductOrOpen,
    name: Type.String(),
    ...Sold,
    revenue: Type.Integer({ description: 'After discounts, before tax, less refunded lines' }),
  },
  { title: 'TopProduct' },
)
const Margin = {
  ...Sold,
  revenue: Type.Integer({ description: 'After discounts, before tax, less refunded lines' }),
  cost: Type.Integer({
    description: 'Cost of the stock that was taken, less the stock that refunds put back',
  }),
  margin: Type.Integer({ description: 'revenue - cost' }),
  marginBps: Nullable(
    Type.Integer({ description: 'margin as basis points of revenue; null without revenue' }),
  ),
  revenueWithoutCost: Type.Integer({
    description: 'The part of revenue from lines that moved no stock, so that their cost is not known',
  }),
}
export const CategoryRow = Type.Object(
  { categoryId: Nullable(Id), name: Nullable(Type.String()), ...Margin },
  { title: 'ReportCategory' },
)
export const ProductMargin = Type.Object(
  { productId: ProductOrOpen, name: Type.String(), ...Margin },
  { title: 'ProductMargin' },
)
export const StockValueQuery = Type.Object({
  outletId: FilterId,
  date: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 40,
      description: 'The value at the end of this day, such as 2026-11-21; without it, or for today, now',
    }),
  ),
  limit: MarginQuery.properties.limit,
  format: Type.Optional(Format),
})
export const StockValueRow = Type.Object(
  {
    outletId: Id,
    variantId: Id,
    productId: Id,
    productName: Type.String(),
    variantName: Type.String(),
    sku: Nullable(Type.String()),
    soldBy: Words(SOLD_BY),
    quantity: Type.Integer({
      description:
        'The level then, in grams of goods sold by weight; negative if more was sold than there was',
    }),
    cost: Type.Integer({ description: 'The average cost then, of a unit or of a kilogram' }),
    value: Type.Integer({ description: 'quantity × cost' }),
  },
  { title: 'StockValueRow' },
)
export const StockValueTotal = Type.Object(
  {
    quantity: Type.Integer({ description: 'Units, without goods sold by weight' }),
    grams: Type.Integer({ description: 'Grams of goods sold by weight' }),
    value: Amount,
  },
  { title: 'StockValueTotal' },
)
export const MarginTotal = Type.Object(Margin, { title: 'MarginTotal' })

export const PromotionRow = Type.Object(
  {
    promotionId: Id,
    name: Type.String({ description: 'The name on the latest of these sales' }),
    sales: Type.Integer({ description: 'Completed sales that were given the promotion' }),
    amount: Type.Integer({ description: 'What they were given, refunds not deducted' }),
  },
  { title: 'ReportPromotion' },
)

export type PromotionRow = Static<typeof PromotionRow>
export type ReportQuery = Static<typeof ReportQuery>
export type Summary = Static<typeof Summary>
export type DayRow = Static<typeof DayRow>
export type HourRow = Static<typeof HourRow>
export type CashierRow = Static<typeof CashierRow>
export type ExpenseRow = Static<typeof ExpenseRow>
export type ReceivableRow = Static<typeof ReceivableRow>
export type CategoryRow = Static<typeof CategoryRow>
export type ProductMargin = Static<typeof ProductMargin>
export type StockValueRow = Static<typeof StockValueRow>
export type StockValueTotal = Static<typeof StockValueTotal>
export type MarginTotal = Static<typeof MarginTotal>
