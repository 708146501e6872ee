import { Instant, Nullable, PageQuery, Text, Words } from 'kasir/partner-tools'
import { type Static, Type } from 'typebox'
import { Metadata } from '../../kit/http/metadata.ts'
import { AMOUNT_MOST, CURRENCIES, LIFETIME_LEAST_S, LIFETIME_MOST_S, METHODS } from './rules.ts'

export const SESSION_STATUSES = ['open', 'completed', 'expired', 'canceled', 'failed'] as const

export const Money = Type.Integer({
  minimum: 1,
  maximum: AMOUNT_MOST,
  description: 'Whole units of the currency',
  title: 'Money',
})

export const CheckoutSession = Type.Object(
  {
    id: Type.String(),
    amount: Type.Integer(),
    currency: Words(CURRENCIES),
    method: Words(METHODS),
    status: Words(SESSION_STATUSES),
    description: Nullable(Type.String()),
    hostedUrl: Type.String({ description: 'The payment page; anyone with the address can pay' }),
    returnUrl: Nullable(Type.String()),
    invoiceId: Nullable(Type.String({ description: 'The invoice that this pays' })),
    metadata: Metadata,
    qrString: Nullable(Type.String({ description: 'QRIS: what the QR code says' })),
    qrImageUrl: Nullable(Type.String({ description: 'QRIS: a PNG; as SVG when it ends in .svg' })),
    vaNumber: Nullable(Type.String()),
    vaBank: Nullable(Type.String()),
    paymentId: Nullable(Type.String()),
    paidAt: Nullable(Instant),
    expiresAt: Instant,
    createdAt: Instant,
    updatedAt: Instant,
  },
  { title: 'CheckoutSession' },
)
export type CheckoutSession = Static<typeof CheckoutSession>

export const SessionCreate = Type.Object(
  {
    amount: Type.Optional(Money),
    currency: Type.Optional(Words(CURRENCIES)),
    invoiceId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Instead of `amount` and `currency`' }),
    ),
    method: Type.Optional(Words(METHODS, { default: 'hosted' })),
    description: Type.Optional(Nullable(Text(300))),
    metadata: Type.Optional(Metadata),
    expiresInSeconds: Type.Optional(Type.Integer({ minimum: LIFETIME_LEAST_S, maximum: LIFETIME_MOST_S })),
    returnUrl: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 2_000 }))),
  },
  { title: 'CheckoutSessionCreate' },
)
export type SessionCreate = Static<typeof SessionCreate>

export const SessionQuery = Type.Object({ ...PageQuery, status: Type.Optional(Words(SESSION_STATUSES)) })
