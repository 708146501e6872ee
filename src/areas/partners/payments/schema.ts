import { type Static, Type } from 'typebox'
import { Amount, Id, Instant, Nullable, Words } from '../../../platform/http/shapes.ts'

export const METHODS = ['qris', 'va'] as const
export type CollectMethod = (typeof METHODS)[number]

/** The limits of each method in rupiah, and its name for customers (B-collect-1). */
export const BOUNDS = {
  qris: { least: 1, most: 10_000_000, name: 'QRIS', other: 'a virtual account' },
  va: { least: 10_000, most: 1_000_000_000, name: 'a virtual account', other: 'QRIS' },
} as const satisfies Record<CollectMethod, unknown>

export const STATUSES = ['pending', 'paid', 'expired', 'failed'] as const
export type SessionStatus = (typeof STATUSES)[number]

export const Charge = Type.Object(
  {
    transactionId: Type.Optional(Id),
    amount: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000_000_000,
        description: 'Whole rupiah, for a payment without a bill. Send either this or transactionId',
      }),
    ),
    method: Type.Optional(Words(METHODS, { default: 'qris' })),
    currency: Type.Optional(
      Type.String({ maxLength: 10, description: 'IDR is the only supported currency' }),
    ),
  },
  { title: 'PaymentCharge' },
)

export const SessionId = Type.String({ minLength: 1, maxLength: 200 })

export const PaymentSession = Type.Object(
  {
    sessionId: Type.String({ description: 'The id of the session at the payment partner' }),
    transactionId: Nullable(Id),
    paymentId: Nullable(Id),
    method: Words(METHODS),
    amount: Amount,
    currency: Type.Literal('IDR'),
    status: Words(STATUSES),
    qrString: Nullable(Type.String({ description: 'The content of the QR code (EMVCo)' })),
    qrImageUrl: Nullable(Type.String()),
    vaNumber: Nullable(Type.String()),
    vaBank: Nullable(Type.String()),
    expiresAt: Instant,
    paidAt: Nullable(Instant),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { title: 'PaymentSession' },
)

export const Overview = Type.Object({
  balance: Type.Integer({ description: 'The balance for payouts, in whole rupiah' }),
  recentSessions: Type.Array(Type.Unknown(), {
    description: 'The last ten checkout sessions, in the format of the partner',
  }),
  payouts: Type.Array(Type.Unknown(), { description: 'The last ten payouts, in the format of the partner' }),
})

const Line = Nullable(Type.String({ maxLength: 2000 }))
/** The fields of a partner's checkout session that the service uses. */
export const PartnerSession = Type.Object({
  id: SessionId,
  amount: Type.Integer({ minimum: 1, maximum: 1_000_000_000_000 }),
  currency: Type.Literal('IDR'),
  status: Words(['open', 'completed', 'expired', 'canceled', 'failed']),
  expiresAt: Type.String({ maxLength: 40 }),
  paidAt: Type.Optional(Nullable(Type.String({ maxLength: 40 }))),
  qrString: Type.Optional(Line),
  qrImageUrl: Type.Optional(Line),
  vaNumber: Type.Optional(Line),
  vaBank: Type.Optional(Line),
})

export type Charge = Static<typeof Charge>
export type PaymentSession = Static<typeof PaymentSession>
export type Overview = Static<typeof Overview>
export type PartnerSession = Static<typeof PartnerSession>
