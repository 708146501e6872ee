import { Instant, Nullable, PageQuery, Text, Timestamps, Words } from 'kasir/partner-tools'
import { type Static, Type } from 'typebox'
import { CURRENCIES } from '../sessions/rules.ts'
import { Money } from '../sessions/schema.ts'

export const PAYOUT_STATUSES = ['pending', 'processing', 'paid', 'failed', 'canceled'] as const

const account = {
  bankName: Text(80),
  accountNumber: Type.String({
    pattern: '^[0-9][0-9 -]{3,38}[0-9]$',
    description: 'Digits, spaces and dashes',
  }),
  accountHolder: Text(120),
}
export const BankAccountPut = Type.Object(account, { title: 'BankAccountPut' })
export type BankAccountPut = Static<typeof BankAccountPut>
export const BankAccount = Type.Object(
  {
    bankAccount: Nullable(
      Type.Object({
        bankName: Type.String(),
        accountNumber: Type.String(),
        accountHolder: Type.String(),
        updatedAt: Instant,
      }),
    ),
  },
  { title: 'BankAccount' },
)

export const Payout = Type.Object(
  {
    id: Type.String(),
    amount: Type.Integer(),
    currency: Words(CURRENCIES),
    status: Words(PAYOUT_STATUSES),
    bankAccount: Type.Object({
      bankName: Type.String(),
      accountLast4: Type.String(),
      accountHolder: Type.String(),
    }),
    failureReason: Nullable(Type.String()),
    paidAt: Nullable(Instant),
    ...Timestamps,
  },
  { title: 'Payout' },
)
export type Payout = Static<typeof Payout>

export const PayoutCreate = Type.Object(
  { amount: Money, currency: Type.Optional(Words(CURRENCIES, { default: 'IDR' })) },
  { title: 'PayoutCreate' },
)
export const PayoutPatch = Type.Object(
  {
    status: Words(PAYOUT_STATUSES),
    failureReason: Type.Optional(Nullable(Text(300))),
  },
  { title: 'PayoutPatch' },
)
export const PayoutQuery = Type.Object({ ...PageQuery, status: Type.Optional(Words(PAYOUT_STATUSES)) })
