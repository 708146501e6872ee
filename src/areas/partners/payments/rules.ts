import { invalid } from '../../../core/errors.ts'
import { addMs } from '../../../core/time.ts'
import { BOUNDS, type Charge, type Method, type PartnerSession, type Status } from './schema.ts'

/** What to collect: for a bill, or an amount of rupiah that belongs to none. */
export type Wanted = { method: Method } & ({ saleId: string } | { amount: number })

/** 422 for a request that asks for both or neither, or for another currency (B-collect-1). */
export function wantedOf({ transactionId, amount, method = 'qris', currency = 'IDR' }: Charge): Wanted {
  if (currency !== 'IDR')
    throw invalid('currency', 'Customers pay in rupiah: send IDR, or leave currency out')
  if (transactionId !== undefined && amount !== undefined) {
    throw invalid('amount', 'Send either transactionId or amount: a bill knows what remains to be paid')
  }
  if (transactionId !== undefined) return { method, saleId: transactionId }
  if (amount === undefined) {
    throw invalid('transactionId', 'Say what is to be paid: transactionId for a bill, or an amount')
  }
  requirePayable(method, amount, 'amount')
  return { method, amount }
}

/** 422 for what the method cannot carry; rupiah. */
export function requirePayable(method: Method, amount: number, param: string): void {
  const { least, most, name, other } = BOUNDS[method]
  if (amount >= least && amount <= most) return
  const bound = amount < least ? `at least ${least}` : `at most ${most}`
  throw invalid(
    param,
    `${name} takes ${bound} rupiah, not ${amount}: try ${other}, or take a part by another method`,
  )
}

const OUTCOMES = {
  open: 'pending',
  completed: 'paid',
  expired: 'expired',
  canceled: 'failed',
  failed: 'failed',
} as const
export const statusOf = ({ status }: PartnerSession): Status => OUTCOMES[status]

/** What a session needs to be known by; `expiresAt` is when nobody can pay it any more. */
export type Known = { id: string; paymentId: string | null; status: Status; expiresAt: string }
export const isLive = ({ status, expiresAt }: Known, now: string) => status === 'pending' && expiresAt > now

/** By which payment a bill is to be paid: one whose code is out already, one that waits without a code, or a new one. */
export type Choice<S extends Known> = { live: S } | { paymentId: string | null; amount: number }

type Bill = { remaining: number; pending: readonly { id: string; amount: number }[]; requireRoom(): void }

/**
 * The oldest pending payment that is not above what remains and has no code yet, or one that can still be paid; else a new
 * one for all that remains (B-collect-2). 409 where the bill has no room for one.
 */
export function chosen<S extends Known>(
  { remaining, pending, requireRoom }: Bill,
  sessions: readonly S[],
  now: string,
): Choice<S> {
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
 * Whether a payment is no longer waited for once the session `ended` has ended unpaid; `own` are the sessions that were opened
 * for it. Not where another one can still be paid, and not by the end of one that it does not wait for: a partner may replace a
 * session that was never kept, and tell of that before its successor is (B-collect-3).
 */
export const isOver = (
  ended: string,
  { providerRef, own }: { providerRef: string | null; own: readonly Known[] },
  now: string,
): boolean =>
  (providerRef === ended || own.some(({ id }) => id === ended)) &&
  !own.some((session) => session.id !== ended && isLive(session, now))

/** A poll asks the partner again after so long (B-collect-4). */
const FRESH_MS = 3_000
export const isStale = (row: { askedAt: string | null; createdAt: string }, now: string) =>
  addMs(row.askedAt ?? row.createdAt, FRESH_MS) < now
