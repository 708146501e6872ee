import { type Static, Type } from 'typebox'
import { Amount, Id, Instant, Nullable, Words } from '../../../platform/http/shapes.ts'

export const METHODS = ['qris', 'va'] as const
export type Method = (typeof METHODS)[number]

/** What can be paid by each method, in rupiah, and what customers know it by (B-collect-1). */
export const BOUNDS = {
  qris: { least: 1, most: 10_000_000, name: 'QRIS', other: 'a virtual account' },
  va: { least: 10_000, most: 1_000_000_000, name: 'a virtual account', other: 'QRIS' },
} as const satisfies Record<Method, unknown>

export const STATUSES = ['pending', 'paid', 'expired', 'failed'] as const
export type Status = (typeof STATUSES)[number]

export const Charge = Type.Object(
  {
    transactionId: Type.Optional(Id),
    amount: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000_000_000,
        description: 'Whole rupiah, for money that belongs to no bill; exactly one of this and transactionId',
      }),
    ),
    method: Type.Optional(Words(METHODS, { default: 'qris' })),
    currency: Type.Optional(Type.String({ maxLength: 10, description: 'IDR, the only one there is' })),
  },
  { title: 'PaymentCharge' },
)

export const SessionId = Type.String({ minLength: 1, maxLength: 200 })

export const PaymentSession = Type.Object(
  {
    sessionId: Type.String({ description: 'The session of the payment partner' }),
    transactionId: Nullable(Id),
    paymentId: Nullable(Id),
    method: Words(METHODS),
    amount: Amount,
    currency: Type.Literal('IDR'),
    status: Words(STATUSES),
    qrString: Nullable(Type.String({ description: 'What the QR code says (EMVCo)' })),
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
  balance: Type.Integer({ description: 'What can be paid out, whole rupiah' }),
  recentSessions: Type.Array(Type.Unknown(), {
    description: 'The last ten checkout sessions, of the partner’s shape',
  }),
  payouts: Type.Array(Type.Unknown(), { description: 'The last ten payouts, of the partner’s shape' }),
})

const Line = Nullable(Type.String({ maxLength: 2000 }))
/** The part of a checkout session of the partner that is used of it. */
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
