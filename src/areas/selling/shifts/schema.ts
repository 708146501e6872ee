import { type Static, Type } from 'typebox'
import {
  Amount,
  ApprovedBy,
  FilterId,
  FreeText,
  Id,
  Instant,
  Nullable,
  PageQuery,
  Text,
  Timestamps,
  Words,
} from '../../../platform/http/shapes.ts'

export const SHIFT_STATUSES = ['OPEN', 'CLOSED'] as const
export const CASH_MOVEMENT_TYPES = ['PAID_IN', 'PAID_OUT'] as const

/** A drawer can have more than the largest price, and every count must be accepted (B-shift-1). */
const Cash = (minimum: number) =>
  Type.Integer({ minimum, maximum: 1_000_000_000_000, description: 'Whole rupiah' })
const Count = Type.Integer({ minimum: 0 })

export const OpenIn = Type.Object({ outletId: Id, openingFloat: Cash(0) }, { title: 'ShiftOpen' })
export const CloseIn = Type.Object(
  { countedCash: Cash(0), notes: Type.Optional(FreeText(1000)) },
  { title: 'ShiftClose' },
)
export const CashMovementIn = Type.Object(
  {
    type: Words(CASH_MOVEMENT_TYPES),
    amount: Cash(1),
    reason: Type.Optional(FreeText(300)),
    category: Type.Optional(
      Nullable({
        ...Text(60),
        description: 'One of `expenseCategories` in the settings; null or missing: none',
      }),
    ),
  },
  { title: 'ShiftMoveCash' },
)

export const ShiftQuery = Type.Object({
  ...PageQuery,
  outletId: FilterId,
  status: Type.Optional(Words(SHIFT_STATUSES)),
})
/** The handler throws 422 if it is missing or empty. */
export const CurrentQuery = Type.Object({ outletId: Type.Optional(Type.String({ maxLength: 64 })) })

const Fields = {
  id: Id,
  outletId: Id,
  cashierId: Id,
  cashierName: Text(120),
  status: Words(SHIFT_STATUSES),
  openingFloat: Amount,
  countedCash: Nullable(Amount),
  expectedCash: Type.Integer({ description: 'Whole rupiah; changes while the shift is open' }),
  difference: Nullable(Type.Integer({ description: 'Counted cash minus expected cash' })),
  notes: FreeText(1000),
  openedAt: Instant,
  closedAt: Nullable(Instant),
  closedBy: Nullable(Id),
  ...Timestamps,
}

export const MethodFigures = Type.Object({
  method: Type.String({ description: 'A payment method; STORE_CREDIT for refunds paid as a new card' }),
  count: Count,
  amount: Amount,
  refunds: Amount,
  net: Amount,
})
export const ShiftSummary = Type.Object(
  {
    salesCount: Count,
    gross: Amount,
    discounts: Amount,
    tax: Amount,
    taxes: Type.Array(Type.Object({ rateBps: Type.Integer(), tax: Amount }), {
      description: 'Tax of the sales by rate, sorted by rate',
    }),
    service: Type.Integer({ description: 'Service charges of the sales, without their tax' }),
    refunds: Type.Integer({
      description: 'Money returned by refunds, voids and discards, including tax and fee',
    }),
    byMethod: Type.Array(MethodFigures),
    creditPayments: Type.Array(Type.Object({ method: Type.String(), count: Count, amount: Amount }), {
      description: 'Money that customers paid for debts, by method; it is in no other figure but the cash',
    }),
    cash: Type.Object({
      opening: Amount,
      sales: Amount,
      refunds: Amount,
      rounding: Type.Integer({
        description:
          'What the cash taken in less the cash paid out differs from the amounts, because it was rounded',
      }),
      creditPayments: Type.Integer({ minimum: 0, description: 'Debts that customers paid in cash' }),
      paidIn: Amount,
      paidOut: Amount,
      expected: Amount,
    }),
    openBills: Count,
  },
  { title: 'ShiftSummary' },
)
export const Shift = Type.Object(Fields, { title: 'Shift' })
export const ShiftDetail = Type.Object({ ...Fields, summary: ShiftSummary }, { title: 'ShiftDetail' })
export const CashMovement = Type.Object(
  {
    id: Id,
    shiftId: Id,
    type: Words(CASH_MOVEMENT_TYPES),
    amount: Amount,
    reason: FreeText(300),
    category: Nullable({ ...Text(60), description: 'What the cash was taken out for; null if not stated' }),
    actorId: Id,
    approvedBy: ApprovedBy('it'),
    ...Timestamps,
  },
  { title: 'CashMovement' },
)

export type OpenIn = Static<typeof OpenIn>
export type CloseIn = Static<typeof CloseIn>
export type CashMovementIn = Static<typeof CashMovementIn>
export type ShiftQuery = Static<typeof ShiftQuery>
export type Shift = Static<typeof Shift>
export type ShiftSummary = Static<typeof ShiftSummary>
export type ShiftDetail = Static<typeof ShiftDetail>
export type CashMovement = Static<typeof CashMovement>
