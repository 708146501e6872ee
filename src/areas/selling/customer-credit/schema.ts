import { type Static, Type } from 'typebox'
import { MAX_SALE_TOTAL } from '../../../core/money.ts'
import {
  ApprovedBy,
  Day,
  Id,
  Nullable,
  Text,
  Timestamps,
  WholeQuery,
  Words,
} from '../../../platform/http/shapes.ts'

export const ENTRY_TYPES = ['CHARGE', 'PAYMENT', 'REVERSAL'] as const
/** How a debt is paid; a gift card pays sales only. */
export const CREDIT_METHODS = ['CASH', 'QRIS', 'VA', 'CARD', 'TRANSFER', 'OTHER'] as const

const Money = Type.Integer({ description: 'Whole rupiah' })

export const CreditEntry = Type.Object(
  {
    id: Id,
    customerId: Id,
    type: Words(ENTRY_TYPES, {
      description:
        'CHARGE: a sale on credit. PAYMENT: the customer paid. REVERSAL: a refund or void took credit back',
    }),
    amount: Type.Integer({ description: 'Signed: what the entry adds to the balance, in whole rupiah' }),
    open: Type.Integer({ minimum: 0, description: 'The part of a charge that is not paid yet' }),
    balanceAfter: Money,
    dueDate: Nullable(Day),
    saleId: Nullable(Id),
    paymentId: Nullable(Id),
    refundId: Nullable(Id),
    outletId: Id,
    shiftId: Nullable({ ...Id, description: 'The shift to which a payment was booked' }),
    method: Nullable(Words(CREDIT_METHODS)),
    actorId: Id,
    approvedBy: ApprovedBy('a charge above the limit'),
    ...Timestamps,
  },
  { title: 'CreditEntry' },
)
export const Credit = Type.Object({ balance: Money, entries: Type.Array(CreditEntry) })
export const CreditQuery = Type.Object(WholeQuery)

export const CreditPaymentIn = Type.Object(
  {
    method: Words(CREDIT_METHODS),
    amount: Type.Integer({ minimum: 1, maximum: MAX_SALE_TOTAL, description: 'Whole rupiah' }),
    outletId: Id,
  },
  { title: 'CreditPay' },
)
export const CreditPayment = Type.Object({
  balance: Money,
  entry: CreditEntry,
  paid: Type.Array(Type.Object({ entryId: Id, saleId: Nullable(Id), amount: Money, open: Money }), {
    description: 'The charges that the payment lowered, oldest first',
  }),
})

export const ReminderQuery = Type.Object({
  lang: Type.Optional(
    Words(['id', 'en'] as const, { default: 'id', description: 'The language of the text' }),
  ),
})
export const CreditReminder = Type.Object({
  text: Text(1000),
  url: Type.String({ description: 'Opens the text in WhatsApp, to the phone number of the customer' }),
})

export type CreditEntry = Static<typeof CreditEntry>
export type CreditPaymentIn = Static<typeof CreditPaymentIn>
export type CreditPayment = Static<typeof CreditPayment>
export type CreditReminder = Static<typeof CreditReminder>
