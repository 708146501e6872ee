import { createHash, timingSafeEqual } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'
import { parseInstant } from '../../../core/time.ts'
import type { VA_BANKS } from '../../config/partners.ts'
import { sha256 } from '../../secrets/secrets.ts'
import { InvalidContent, Unreadable } from '../answer.ts'

export type VaBank = (typeof VA_BANKS)[number]

const Text = Type.Optional(Type.String({ maxLength: 2_000 }))
/**
 * The fields in use of a transaction, as charge, status and cancel return it. Amounts are texts with two decimals.
 */
export const Transaction = Type.Object({
  status_code: Type.String({ pattern: '^\\d{3}$' }),
  order_id: Type.String({ minLength: 1, maxLength: 50 }),
  transaction_id: Type.String({ minLength: 1, maxLength: 100 }),
  transaction_status: Type.String({ maxLength: 40 }),
  gross_amount: Type.String({ pattern: '^\\d{1,12}(\\.00?)?$' }),
  payment_type: Type.String({ maxLength: 40 }),
  currency: Text,
  fraud_status: Text,
  expiry_time: Text,
  settlement_time: Text,
  qr_string: Text,
  permata_va_number: Text,
  va_numbers: Type.Optional(Type.Array(Type.Object({ bank: Type.String(), va_number: Type.String() }))),
  actions: Type.Optional(Type.Array(Type.Object({ name: Type.String(), url: Type.String() }))),
  custom_field1: Text,
  custom_field2: Text,
  custom_field3: Text,
})
export type Transaction = Static<typeof Transaction>

/** Midtrans puts the result code in every body, whatever the HTTP status. */
export const codeIn = (body: Readonly<Record<string, unknown>>): string => {
  const code = body['status_code']
  if (typeof code === 'string' && /^\d{3}$/.test(code)) return code
  throw new Unreadable('the answer of Midtrans has no status_code')
}

export function transactionIn(body: unknown): Transaction {
  if (Check(Transaction, body)) return body as Transaction
  throw new InvalidContent('the answer of Midtrans is not a valid transaction')
}

type PaymentOutcome = 'open' | 'completed' | 'expired' | 'canceled' | 'failed'
/** Money refunded or disputed later did arrive, so the payment counts as completed; people settle the rest. */
const OUTCOMES: Readonly<Record<string, PaymentOutcome>> = {
  pending: 'open',
  settlement: 'completed',
  capture: 'completed',
  refund: 'completed',
  partial_refund: 'completed',
  chargeback: 'completed',
  partial_chargeback: 'completed',
  expire: 'expired',
  cancel: 'canceled',
  deny: 'failed',
  failure: 'failed',
}
/** A payment that Midtrans still reviews is not paid. */
export function outcomeOf({ transaction_status: status, fraud_status: fraud }: Transaction): PaymentOutcome {
  const outcome = OUTCOMES[status]
  if (outcome === undefined) throw new InvalidContent(`Midtrans has a status ${status}`)
  if (outcome !== 'completed' || fraud === undefined || fraud === 'accept') return outcome
  return fraud === 'deny' ? 'failed' : 'open'
}

/** Midtrans writes times in Jakarta time (GMT+7) without a zone. */
export function instantOf(time: string | undefined): string | null {
  if (time === undefined || !/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(time)) return null
  return parseInstant(`${time.replace(' ', 'T')}+07:00`)
}

const Signed = Type.Object({
  order_id: Type.String({ maxLength: 100 }),
  status_code: Type.String({ maxLength: 10 }),
  gross_amount: Type.String({ maxLength: 30 }),
  signature_key: Type.String({ pattern: '^[0-9a-f]{128}$' }),
})

/** Whether the sender of a notice knows the server key; only order, code and amount are signed. */
export function isSignedByMidtrans(serverKey: string, rawBody: Buffer): boolean {
  let body: unknown
  try {
    body = JSON.parse(rawBody.toString('utf8'))
  } catch {
    return false
  }
  if (!Check(Signed, body)) return false
  const { order_id, status_code, gross_amount, signature_key } = body as Static<typeof Signed>
  const right = createHash('sha512')
    .update(order_id + status_code + gross_amount + serverKey)
    .digest()
  return timingSafeEqual(right, Buffer.from(signature_key, 'hex'))
}

/** An id of the account at Midtrans that does not reveal its key. */
export const accountIdAt = (serverKey: string): string => `midtrans ${sha256(serverKey).slice(0, 12)}`
