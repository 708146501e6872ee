import { invalid } from '../../../core/errors.ts'
import { addMs } from '../../../core/time.ts'
import { BOUNDS, type Charge, type CollectMethod, type PartnerSession, type SessionStatus } from './schema.ts'

/** A request to collect money for a bill, or an amount in rupiah without a bill. */
export type CollectRequest = { method: CollectMethod } & ({ saleId: string } | { amount: number })

/** Throws 422 for a request with both or neither of bill and amount, or with another currency (B-collect-1). */
export function toCollectRequest({
  transactionId,
  amount,
  method = 'qris',
  currency = 'IDR',
}: Charge): CollectRequest {
  if (currency !== 'IDR') throw invalid('currency', 'Customers pay in rupiah. Send IDR or leave currency out')
  if (transactionId !== undefined && amount !== undefined) {
    throw invalid(
      'amount',
      'Send either transactionId or amount, not both: a bill already has its remaining amount',
    )
  }
  if (transactionId !== undefined) return { method, saleId: transactionId }
  if (amount === undefined) {
    throw invalid('transactionId', 'Send transactionId to pay a bill, or send an amount')
  }
  requirePayable(method, amount, 'amount')
  return { method, amount }
}

/** Throws 422 if the method does not support the amount, in rupiah. */
export function requirePayable(method: CollectMethod, amount: number, param: string): void {
  const { least, most, name, other } = BOUNDS[method]
  if (amount >= least && amount <= most) return
  const bound = amount < least ? `at least ${least}` : `at most ${most}`
  throw invalid(
    param,
    `A payment by ${name} must be ${bound} rupiah, not ${amount}. Try ${other}, or pay a part by another method`,
  )
}

const OUTCOMES = {
  open: 'pending',
  completed: 'paid',
  expired: 'expired',
  canceled: 'failed',
  failed: 'failed',
} as const
export const statusOf = ({ status }: PartnerSession): SessionStatus => OUTCOMES[status]

/** The identity of a session; `expiresAt` is the last time at which it can be paid. */
export type SessionReference = {
  id: string
  paymentId: string | null
  status: SessionStatus
  expiresAt: string
}
export const isLive = ({ status, expiresAt }: SessionReference, now: string) =>
  status === 'pending' && expiresAt > now

/** The payment for a bill: one with a valid code, a pending one without a code, or a new one. */
export type PaymentChoice<S extends SessionReference> =
  | { live: S }
  | { paymentId: string | null; amount: number }

type Bill = { remaining: number; pending: readonly { id: string; amount: number }[]; requireRoom(): void }

/**
 * Returns the oldest pending payment that fits the remaining amount and has no code yet or a valid one; else a new
 * one for the whole remaining amount (B-collect-2). Throws 409 if the bill allows no further payment.
 */
export function chosen<S extends SessionReference>(
  { remaining, pending, requireRoom }: Bill,
  sessions: readonly S[],
  now: string,
): PaymentChoice<S> {
  for (const { id, amount } of pending) {
    if (amount > remaining) continue
    const own = sessions.filter(({ paymentId }) => paymentId === id)
    const live = own.find((session) => isLive(session, now))
    if (live) return { live }
    if (own.length === 0) return { paymentId: id, amount }
  }
  requireRoom()
  return { paymentId: null, amount: remaining }
}

/**
 * Returns true if a payment fails because the session `ended` has ended unpaid. `own` are the sessions that were
 * opened for the payment. The payment does not fail while another of its sessions is payable, nor by the end of a
 * session that it does not wait for. A partner can replace a session that was never stored, and report its end before
 * the successor is stored (B-collect-3).
 */
export const isOver = (
  ended: string,
  { providerRef, own }: { providerRef: string | null; own: readonly SessionReference[] },
  now: string,
): boolean =>
  (providerRef === ended || own.some(({ id }) => id === ended)) &&
  !own.some((session) => session.id !== ended && isLive(session, now))

/** A poll asks the partner at most once in this time (B-collect-4). */
const FRESH_MS = 3_000
export const isStale = (row: { askedAt: string | null; createdAt: string }, now: string) =>
  addMs(row.askedAt ?? row.createdAt, FRESH_MS) < now
