import { randomBytes } from 'node:crypto'
import { addMs, conflict, invalid, malformed, notFound } from 'kasir/partner-tools'
import type { Tx } from '../../kit/db.ts'
import { requireNames } from '../../kit/http/metadata.ts'
import type { ResultWithStatus } from '../../kit/http/route.ts'
import { announce } from '../../kit/notices/store.ts'
import type { Caller, Tools } from '../../kit/tools.ts'
import { nextNumber, PLATFORM } from '../../kit/workspaces/store.ts'
import { newId } from '../ids.ts'
import { lockInvoice, markPaid, reactivateSubscription } from '../invoices/store.ts'
import { transfer } from '../ledger/transfers.ts'
import type { NoticeType } from '../notice-types.ts'
import { qrisPayload } from './qris.ts'
import {
  type Currency,
  digitsOf,
  feeOf,
  LIFETIME_S,
  requirePayable,
  requireReturnUrl,
  VA_BANK,
  vaNumber,
} from './rules.ts'
import type { CheckoutSession, SessionCreate } from './schema.ts'
import * as store from './store.ts'

export function sessionView({ publicUrl }: Pick<Tools, 'publicUrl'>, row: store.SessionRow): CheckoutSession {
  const { workspaceId: _whose, token, ...own } = row
  const hostedUrl = `${publicUrl()}/pay/${token}`
  return { ...own, hostedUrl, qrImageUrl: row.qrString === null ? null : `${hostedUrl}/qr.png` }
}

type NewSession = { tools: Tools; caller: Caller; body: SessionCreate; now: string }

/** Opens a session with the payment data of its method. Throws 422 if the method does not support the payment. */
export async function openSession(
  tx: Tx,
  { tools, caller, body, now }: NewSession,
): Promise<ResultWithStatus<CheckoutSession>> {
  const { method = 'hosted', description, metadata, returnUrl, expiresInSeconds } = body
  requireNames(metadata)
  const { amount, currency, invoiceId, title, opened } = await due(tx, { tools, caller, body, now })
  if (opened) return { status: 200, value: sessionView(tools, opened) }
  requirePayable(method, currency, amount)
  if (returnUrl) requireReturnUrl(returnUrl)
  const id = newId('session')
  const { workspaceId } = caller
  const row: store.SessionRow = {
    workspaceId,
    id,
    token: randomBytes(24).toString('base64url'),
    amount,
    currency,
    method,
    status: 'open',
    description: description ?? title,
    metadata: metadata ?? {},
    returnUrl: returnUrl ?? null,
    invoiceId,
    qrString: method === 'qris' ? qrisOf(caller, amount, id) : null,
    vaNumber: method === 'va' ? vaNumber(await nextNumber(tx, PLATFORM, 'va')) : null,
    vaBank: method === 'va' ? VA_BANK : null,
    paymentId: null,
    paidAt: null,
    expiresAt: addMs(now, (expiresInSeconds ?? LIFETIME_S[method]) * 1_000),
    createdAt: now,
    updatedAt: now,
  }
  await store.insertSession(tx, row)
  return { status: 201, value: sessionView(tools, row) }
}

type AmountDue = {
  amount: number
  currency: Currency
  invoiceId: string | null
  title: string | null
  opened: store.SessionRow | null
}

/** Returns the amount to pay: the requested one, or that of an invoice with its open session, if any. */
async function due(tx: Tx, { tools, caller, body, now }: NewSession): Promise<AmountDue> {
  const { amount, currency = 'IDR', invoiceId } = body
  if (invoiceId === undefined) {
    if (amount === undefined) throw malformed('amount', 'amount is required where no invoice is paid')
    return { amount, currency, invoiceId: null, title: null, opened: null }
  }
  const invoice = await lockInvoice(tx, caller.workspaceId, invoiceId)
  if (!invoice) throw notFound('invoice', 'invoiceId')
  if (invoice.status !== 'open') throw conflict(`This invoice is not to be paid: it is ${invoice.status}`)
  if (amount !== undefined && amount !== invoice.total)
    throw invalid('amount', 'An invoice is paid whole: leave amount out')
  if (body.currency !== undefined && body.currency !== invoice.currency)
    throw invalid('currency', `This invoice is in ${invoice.currency}`)
  const open = await store.lockOpenOf(tx, caller.workspaceId, invoiceId)
  const row = open && (await refreshSession(tx, { tools, row: open, now }))
  const opened = row?.status === 'open' ? row : null
  return { amount: invoice.total, currency: invoice.currency, invoiceId, title: invoice.number, opened }
}

const qrisOf = ({ workspaceId, name }: Caller, amount: number, id: string) =>
  qrisPayload({
    merchantName: name,
    city: 'JAKARTA',
    postalCode: '10110',
    amount,
    reference: id.slice(-25),
    nmid: `ID${digitsOf(`nmid ${workspaceId}`, 13)}`,
    merchantPan: `93600999${digitsOf(`pan ${workspaceId}`, 10)}`,
  })

type SessionEnd = { tools: Tools; row: store.SessionRow; now: string }

/**
 * Marks a locked, open session as paid and writes payment, receipt, ledger and notice in the same transaction. The caller
 * must reject payments for an ended session.
 */
async function complete(tx: Tx, { tools, row, now }: SessionEnd): Promise<store.SessionRow> {
  const { workspaceId, amount, currency, method, invoiceId } = row
  // An invoice that was voided meanwhile takes no money.
  if (invoiceId !== null && (await lockInvoice(tx, workspaceId, invoiceId))?.status !== 'open')
    return close(tx, 'failed', { tools, row, now })
  const fee = feeOf(method, amount)
  const paymentId = newId('payment')
  await store.insertPayment(tx, { ...row, paymentId, fee, now })
  const ended: store.SessionRow = { ...row, status: 'completed', paymentId, paidAt: now, updatedAt: now }
  await store.endSession(tx, ended)
  if (invoiceId !== null) {
    await markPaid(tx, { workspaceId, id: invoiceId, paymentId, now })
    await reactivateSubscription(tx, { workspaceId, id: invoiceId, now })
  }
  const number = receiptNumber(now, await nextNumber(tx, workspaceId, 'receipt'))
  await store.insertReceipt(tx, { workspaceId, id: newId('receipt'), number, paymentId, now })
  const booking = { workspaceId, currency, sourceId: paymentId, now }
  await transfer(tx, { ...booking, type: 'payment', amount })
  if (fee > 0) await transfer(tx, { ...booking, type: 'fee', amount: fee })
  await sendNotice(tx, 'checkout_session.completed', { tools, row: ended, now })
  return ended
}

const receiptNumber = (now: string, n: number) => `RCT-${now.slice(0, 4)}-${String(n).padStart(6, '0')}`

async function close(tx: Tx, status: 'expired' | 'failed' | 'canceled', { tools, row, now }: SessionEnd) {
  const ended: store.SessionRow = { ...row, status, updatedAt: now }
  await store.endSession(tx, ended)
  // No notice: the caller who cancels already knows.
  if (status !== 'canceled') await sendNotice(tx, `checkout_session.${status}`, { tools, row: ended, now })
  return ended
}

async function sendNotice(tx: Tx, type: NoticeType, { tools, row, now }: SessionEnd) {
  const { workspaceId } = row
  await announce(tx, { workspaceId, type, data: { session: sessionView(tools, row) }, now })
  tx.afterCommit(tools.wake)
}

/** Expires a locked session that is overdue before the job has expired it. */
const refreshSession = async (tx: Tx, ending: SessionEnd): Promise<store.SessionRow> =>
  ending.row.status === 'open' && ending.row.expiresAt <= ending.now
    ? close(tx, 'expired', ending)
    : ending.row

type SessionLookup = { tools: Tools; workspaceId: string; id: string; now: string }

async function locked(tx: Tx, { tools, workspaceId, id, now }: SessionLookup): Promise<SessionEnd> {
  const row = await store.lockSession(tx, workspaceId, id)
  if (!row) throw notFound('checkout session')
  return { tools, row: await refreshSession(tx, { tools, row, now }), now }
}

/**
 * Pays an open session or lets it fail, as the payer chose, or the merchant in a sandbox. Returns an ended session
 * unchanged, so of two payers one pays and both see it paid.
 */
export async function decide(
  tx: Tx,
  outcome: 'completed' | 'failed',
  which: SessionLookup,
): Promise<store.SessionRow> {
  const ending = await locked(tx, which)
  if (ending.row.status !== 'open') return ending.row
  return outcome === 'completed' ? complete(tx, ending) : close(tx, 'failed', ending)
}

/** Cancels a session. Throws 409 if it is paid. One that ended unpaid stays unchanged. */
export async function cancelSession(tx: Tx, which: SessionLookup): Promise<store.SessionRow> {
  const ending = await locked(tx, which)
  if (ending.row.status === 'completed') throw conflict('This session is paid and can no longer be canceled')
  return ending.row.status === 'open' ? close(tx, 'canceled', ending) : ending.row
}

/** Pays a session by hand. Throws 409 if it ended unpaid or is overdue. */
export async function confirmSession(tx: Tx, which: SessionLookup): Promise<store.SessionRow> {
  const row = await store.lockSession(tx, which.workspaceId, which.id)
  if (!row) throw notFound('checkout session')
  if (row.status === 'completed') return row
  if (row.status !== 'open' || row.expiresAt <= which.now)
    throw conflict(
      `This session can no longer be paid: it is ${row.status === 'open' ? 'expired' : row.status}`,
    )
  return complete(tx, { tools: which.tools, row, now: which.now })
}

const PORTION = 50

/** Expires overdue unpaid sessions. Returns whether there may be more. */
export const expireOverdue = (tools: Tools): Promise<boolean> =>
  tools.db.tx(async (tx) => {
    const now = tools.now()
    const rows = await store.lockOverdue(tx, now, PORTION)
    for (const row of rows) await close(tx, 'expired', { tools, row, now })
    return rows.length === PORTION
  })
