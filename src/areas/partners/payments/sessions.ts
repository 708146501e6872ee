import { Check } from 'typebox/value'
import { ApiError, conflict, notFound } from '../../../core/errors.ts'
import { newId, newUlid, repeatableId } from '../../../core/ids.ts'
import { parseInstant } from '../../../core/time.ts'
import type { Tx } from '../../../platform/db/open.ts'
import type { Deps } from '../../../platform/deps.ts'
import { retrying } from '../../../platform/http/idempotency.ts'
import type { Partner } from '../../../platform/http/partner.ts'
import { invalidRecordError, pathOf } from '../../../platform/partners/client.ts'
import { keyed } from '../../../platform/partners/forward.ts'
import type { Scope } from '../../../platform/scope.ts'
import { awaitPayment, lockPayable, readPayable } from '../../selling/sales/index.ts'
import { findPartnerAccount } from '../../workspace/modules/index.ts'
import { applyEvidence } from './evidence.ts'
import {
  type CollectRequest,
  chosen,
  isStale,
  type PaymentChoice,
  requirePayable,
  statusOf,
  toCollectRequest,
} from './rules.ts'
import { type Charge, type Overview, PartnerSession, type PaymentSession } from './schema.ts'
import * as store from './store.ts'

export type PaymentContext = {
  deps: Pick<Deps, 'partners' | 'secrets' | 'live' | 'log'>
  scope: Scope
  partner: Partner
}

export function sessionView({
  id,
  saleId,
  askedAt: _askedAt,
  partner: _partner,
  ...row
}: store.PaymentSessionRow): PaymentSession {
  return { sessionId: id, transactionId: saleId, ...row, currency: 'IDR' }
}

const METHOD_OF = { qris: 'QRIS', va: 'VA' } as const
/** Customers pay a QR code at the counter, and a virtual account later from home. */
const LIFETIME_S = { qris: 15 * 60, va: 24 * 3_600 } as const

/** Returns null if the session is invalid. */
function sessionIn(data: unknown): PartnerSession | null {
  if (!Check(PartnerSession, data)) return null
  const session = data as PartnerSession
  const expiresAt = parseInstant(session.expiresAt)
  return expiresAt === null ? null : { ...session, expiresAt }
}

/** Where a caller sees whether a session was opened: money for a bill appears in its sale. */
const recordsOf = (of: SessionRequest['of']) => (of === null ? 'the checkout sessions' : 'the sale')

const invalidSession = (
  { partner: { isRepeatable } }: PaymentContext,
  call: { method: 'GET' | 'POST'; lookAt?: string },
) => invalidRecordError('payment', 'session', { ...call, isRepeatable })
const notOpened = (means: PaymentContext, of: SessionRequest['of']) =>
  invalidSession(means, { method: 'POST', lookAt: recordsOf(of) })

/**
 * Opens a session at the partner, or returns the live session of the bill. Stores nothing before the partner has
 * answered. B-collect-1 and B-collect-2 have the cases of 404, 409 and 422. Returns the refusal if the bill has changed
 * while the partner opened the session: the partner has acted, so the Idempotency-Key must stay with the request
 * (B-key-4).
 */
export async function charge(
  means: PaymentContext,
  body: Charge,
): Promise<{ isNew: boolean; session: PaymentSession } | ApiError> {
  const wanted = toCollectRequest(body)
  if ('amount' in wanted) return collectAmount(means, wanted)
  // The first attempt can return an expired session: the partner repeats its answer to the key of the payment. Then a
  // second attempt opens a new one.
  const charged = (await collectForBill(means, wanted, 1)) ?? (await collectForBill(means, wanted, 2))
  if (!charged) throw expiredSession()
  return charged
}

/**
 * The id of a payment that does not exist yet. A retry under the same Idempotency-Key makes the same id, so that the
 * partner answers it with the session that the first attempt opened.
 */
const newPaymentId = (
  { scope, partner }: PaymentContext,
  saleId: string,
  terms: { method: string; amount: number; attempt: number },
): string =>
  partner.key === null
    ? newId('payment')
    : repeatableId('payment', saleId, [scope.accountId, partner.key, JSON.stringify(terms)])

/**
 * Returns null if the opened session has expired or its payment has ended. It is stored, so that the next attempt skips
 * its payment. Returns the refusal if the bill has changed meanwhile.
 */
async function collectForBill(
  means: PaymentContext,
  { method, saleId }: CollectRequest & { saleId: string },
  attempt: number,
) {
  const { scope, partner } = means
  const choice = await partner.read(async (db) => {
    const bill = await readPayable(db, scope, saleId, { method: METHOD_OF[method], param: 'transactionId' })
    return chosen(bill, await store.listOfSale(db, scope, saleId), scope.now)
  })
  if ('live' in choice) return { isNew: false, session: sessionView(choice.live) }
  requirePayable(method, choice.amount, 'transactionId')
  const { amount } = choice
  const paymentId = choice.paymentId ?? newPaymentId(means, saleId, { method, amount, attempt })
  const asked = { method, amount, of: { saleId, paymentId } }
  const opened = await open(means, asked, paymentId)
  return retrying(scope, () =>
    partner.inTx((tx) => storeSession(tx, means, { ...asked, opened, isNew: choice.paymentId === null })),
  )
}

async function collectAmount(means: PaymentContext, { method, amount }: CollectRequest & { amount: number }) {
  const { scope, partner } = means
  const asked = { method, amount, of: null }
  const first = await open(means, asked, null)
  // The partner can repeat an old answer under the key of the request; then a new key opens a new session.
  const opened = hasEnded(first, scope) ? await open(means, asked, newUlid()) : first
  if (hasEnded(opened, scope)) throw expiredSession()
  const row = await partner.inTx((tx) => storeRow(tx, means, { ...asked, opened }))
  return { isNew: true, session: sessionView(row) }
}

type SessionRequest = {
  method: CollectRequest['method']
  amount: number
  of: { saleId: string; paymentId: string } | null
}

/** A session, and the id of the partner that opened it. */
type OpenedSession = PartnerSession & { partner: string }

/** The partner repeats its first answers, so no session was opened that the customer can pay. */
const expiredSession = () =>
  new ApiError('PARTNER_ERROR', 'The payment partner returned an expired session; try again later')

/** Opens one session per payment: concurrent requests of two tills get the same session. */
async function open(
  means: PaymentContext,
  { method, amount, of }: SessionRequest,
  key: string | null,
): Promise<OpenedSession> {
  const { scope, partner } = means
  const { client, key: ownKey } = await findPartnerAccount(means, 'payment')
  const { data } = await partner.call((forward) =>
    client.ask(
      {
        method: 'POST',
        path: pathOf('v1', 'checkout-sessions'),
        key: ownKey,
        lookAt: recordsOf(of),
        body: {
          amount,
          currency: 'IDR',
          method,
          expiresInSeconds: LIFETIME_S[method],
          metadata: {
            accountId: scope.accountId,
            ...(of === null ? {} : { transactionId: of.saleId, paymentId: of.paymentId }),
          },
        },
      },
      keyed(forward, key),
    ),
  )
  const session = sessionIn(data)
  if (session?.amount !== amount || session.status !== 'open') throw notOpened(means, of)
  return { ...session, partner: client.id }
}

const hasEnded = ({ expiresAt }: PartnerSession, { now }: Scope) => expiresAt <= now

const rowOf = ({ method, amount, of, opened }: SessionRequest & { opened: OpenedSession }) => ({
  id: opened.id,
  saleId: of?.saleId ?? null,
  paymentId: of?.paymentId ?? null,
  method,
  amount,
  qrString: opened.qrString ?? null,
  qrImageUrl: opened.qrImageUrl ?? null,
  vaNumber: opened.vaNumber ?? null,
  vaBank: opened.vaBank ?? null,
  expiresAt: opened.expiresAt,
  partner: opened.partner,
})

type StoredSession = SessionRequest & {
  of: { saleId: string; paymentId: string }
  opened: OpenedSession
  isNew: boolean
}

/**
 * Stores the opened session with its payment. If the bill has changed meanwhile, stores only the session: no payment
 * waits for it, so the job cancels it (B-collect-5).
 */
async function storeSession(tx: Tx, means: PaymentContext, kept: StoredSession) {
  const { scope } = means
  const { method, amount, of, opened, isNew } = kept
  const now = await choiceNow(tx, scope, of.saleId, method)
  const earlier = await store.listOfSale(tx, scope, of.saleId)
  const session = sessionView(await storeRow(tx, means, kept))
  if (now instanceof ApiError) return now
  if ('live' in now) return { isNew: false, session: sessionView(now.live) }
  const hasEndedBefore = isNew && earlier.some(({ paymentId }) => paymentId === of.paymentId)
  if (hasEndedBefore || hasEnded(opened, scope)) return null
  const isSame = now.amount === amount && (isNew ? now.paymentId === null : now.paymentId === of.paymentId)
  if (!isSame) return conflict('The bill has changed in the meantime. Request the code again')
  const awaited = { paymentId: of.paymentId, method: METHOD_OF[method], amount, providerRef: opened.id }
  await awaitPayment(tx, scope, of.saleId, awaited)
  return { isNew: true, session }
}

/** Throws if the session was opened for another payment: the partner repeated the answer to another request. */
async function storeRow(tx: Tx, means: PaymentContext, request: SessionRequest & { opened: OpenedSession }) {
  const { scope } = means
  await store.insert(tx, scope, rowOf(request))
  const row = await store.find(tx, scope, request.opened.id)
  const of = request.of ?? { saleId: null, paymentId: null }
  if (!row || row.saleId !== of.saleId || row.paymentId !== of.paymentId) throw notOpened(means, request.of)
  return row
}

async function choiceNow(
  tx: Tx,
  scope: Scope,
  saleId: string,
  method: CollectRequest['method'],
): Promise<PaymentChoice<store.PaymentSessionRow> | ApiError> {
  try {
    const bill = await lockPayable(tx, scope, saleId, { method: METHOD_OF[method], param: 'transactionId' })
    return chosen(bill, await store.listOfSale(tx, scope, saleId), scope.now)
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return error
    throw error
  }
}

/** Returns a session. Asks the partner first if the stored state is too old (B-collect-4). */
export async function poll(means: PaymentContext, id: string): Promise<PaymentSession> {
  const { scope, partner } = means
  const found = async () => {
    const row = await partner.read((db) => store.find(db, scope, id))
    if (!row) throw notFound('payment session')
    return row
  }
  const row = await found()
  if (row.status !== 'pending' || !isStale(row, scope.now)) return sessionView(row)
  await settle(means, row, 'read')
  return sessionView(await found())
}

/** Returns true if the session was opened at a partner that this installation no longer uses. */
const isElsewhere = ({ deps }: PaymentContext, { partner }: store.PaymentSessionRow) =>
  partner !== null && partner !== deps.partners.payment?.id

/**
 * Reads or cancels a session at the partner and applies its outcome. Does not ask another partner than the one that
 * opened it: its 404 would not mean that the customer cannot pay (B-collect-7).
 */
export async function settle(
  means: PaymentContext,
  row: store.PaymentSessionRow,
  how: 'read' | 'cancel',
): Promise<void> {
  const { deps, scope, partner } = means
  const transact = (work: (tx: Tx) => Promise<unknown>) => retrying(scope, () => partner.inTx(work))
  await transact((tx) => store.touch(tx, scope, row.id))
  if (isElsewhere(means, row)) return
  const session = await (how === 'read' ? ask(means, row.id) : cancel(means, row.id))
  const outcome = session === null ? 'failed' : statusOf(session)
  if (outcome === 'pending') return
  const amount = session?.amount ?? row.amount
  const of = row.saleId && row.paymentId ? { saleId: row.saleId, paymentId: row.paymentId } : null
  await applyEvidence({ transact, log: deps.log }, scope, { sessionId: row.id, outcome, amount, of })
  if (scope.boards.size > 0) deps.live.publish(scope.accountId, scope.boards)
}

/** Returns null if the partner does not know the session, so it cannot be paid. */
async function ask(means: PaymentContext, id: string, ...verb: string[]): Promise<PartnerSession | null> {
  const { client, key } = await findPartnerAccount(means, 'payment')
  const method = verb.length === 0 ? 'GET' : 'POST'
  const path = pathOf('v1', 'checkout-sessions', id, ...verb)
  try {
    const { data } = await means.partner.call((forward) => client.ask({ method, path, key }, forward))
    const session = sessionIn(data)
    if (session === null) throw invalidSession(means, { method })
    return session
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NOT_FOUND') return null
    throw error
  }
}

/**
 * Cancels a session. A 409 from the partner means that the customer has paid meanwhile, so the current state is read.
 */
async function cancel(means: PaymentContext, id: string): Promise<PartnerSession | null> {
  try {
    return await ask(means, id, 'cancel')
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) return ask(means, id)
    throw error
  }
}

const SHOWN = 10

/** Reads balance, last sessions and last payouts of the workspace at the partner. */
export async function overview(means: PaymentContext): Promise<Overview> {
  const { partner } = means
  const { client, key } = await findPartnerAccount(means, 'payment')
  const read = async (query: string, ...parts: string[]) => {
    const asked = { method: 'GET', path: pathOf('v1', ...parts), query, key } as const
    return (await partner.call((forward) => client.ask(asked, forward))).data
  }
  const [balance, recentSessions, payouts] = await Promise.all([
    read('currency=IDR', 'payouts', 'balance'),
    read(`limit=${SHOWN}`, 'checkout-sessions'),
    read(`limit=${SHOWN}`, 'payouts'),
  ])
  const sum = (balance as { balance?: unknown } | null)?.balance
  if (!Number.isSafeInteger(sum) || !Array.isArray(recentSessions) || !Array.isArray(payouts)) {
    throw new ApiError('PARTNER_ERROR', 'The payment partner returned no valid overview; try again later')
  }
  return {
    balance: sum as number,
    recentSessions: recentSessions.slice(0, SHOWN),
    payouts: payouts.slice(0, SHOWN),
  }
}
