import { Instant, Nullable, Words } from 'kasir/partner-tools'
import { type Static, Type } from 'typebox'
import { Email } from '../customers/schema.ts'
import { CURRENCIES, METHODS } from '../sessions/rules.ts'

export const Receipt = Type.Object(
  {
    id: Type.String(),
    number: Type.String(),
    paymentId: Type.String(),
    sessionId: Type.String(),
    amount: Type.Integer(),
    currency: Words(CURRENCIES),
    method: Words(METHODS),
    description: Nullable(Type.String()),
    issuedAt: Instant,
  },
  { title: 'Receipt' },
)
export type Receipt = Static<typeof Receipt>

export const ReceiptEmail = Type.Object({ email: Email }, { title: 'ReceiptEmail' })
export const ReceiptMailed = Type.Object(
  { receiptId: Type.String(), email: Type.String() },
  { title: 'ReceiptMailed' },
)
