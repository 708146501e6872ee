import { randomBytes } from 'node:crypto'
import { conflict, invalid, malformed, notFound } from '../../../core/errors.ts'
import { addMs } from '../../../core/time.ts'
import type { Tx } from '../../kit/db.ts'
import { requireNames } from '../../kit/http/metadata.ts'
import type { Answer } from '../../kit/http/route.ts'
import { announce } from '../../kit/notices/store.ts'
import type { Caller, Tools } from '../../kit/tools.ts'
import { nextNumber, PLATFORM } from '../../kit/workspaces/store.ts'
import { newId } from '../ids.ts'
import { lockInvoice, markPaid, reviveSubscription } from '../invoices/store.ts'
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

type Opening = { tools: Tools; caller: Caller; body: SessionCreate; now: string }

/** Opens a session with all that its method needs to be paid: 422 for what the method cannot carry. */
export async function openSession(
  tx: Tx,
  { tools, caller, body, now }: Opening,
): Promise<Answer<CheckoutSession>> {
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

type Due = {
  amount: number
  currency: Currency
  invoiceId: string | null
  title: string | null
  opened: store.SessionRow | null
}

/** What is to be paid: the amount of the request, or an invoice, with the session that is open for it already. */
async function due(tx: Tx, { tools, caller, body, now }: Opening): Promise<Due> {
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
  const row = open && (await upToDate(tx, { tools, row: open, now }))
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

type Ending = { tools: Tools; row: store.SessionRow; now: string }

/**
 * Marks a locked, open session as paid: payment, receipt, ledger and notice come in the same transaction. Money after
 * the end of a session is refused by whoever calls.
 */
async function complete(tx: Tx, { tools, row, now }: Ending): Promise<store.SessionRow> {
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
    await reviveSubscription(tx, { workspaceId, id: invoiceId, now })
  }
  const number = receiptNumber(now, await nextNumber(tx, workspaceId, 'receipt'))
  await store.insertReceipt(tx, { workspaceId, id: newId('receipt'), number, paymentId, now })
  const booking = { workspaceId, currency, sourceId: paymentId, now }
  await transfer(tx, { ...booking, type: 'payment', amount })
  if (fee > 0) await transfer(tx, { ...booking, type: 'fee', amount: fee })
  await tell(tx, 'checkout_session.completed', { tools, row: ended, now })
  return ended
}

const receiptNumber = (now: string, n: number) => `RCT-${now.slice(0, 4)}-${String(n).padStart(6, '0')}`

async function close(tx: Tx, status: 'expired' | 'failed' | 'canceled', { tools, row, now }: Ending) {
  const ended: store.SessionRow = { ...row, status, updatedAt: now }
  await store.endSession(tx, ended)
  // Whoever cancels knows: nobody has to be told.
  if (status !== 'canceled') await tell(tx, `checkout_session.${status}`, { tools, row: ended, now })
  return ended
}

async function tell(tx: Tx, type: NoticeType, { tools, row, now }: Ending) {
  const { workspaceId } = row
  await announce(tx, { workspaceId, type, data: { session: sessionView(tools, row) }, now })
  tx.afterCommit(tools.wake)
}

/** Expires a locked session whose time is over but which no job has come to yet. */
const upToDate = async (tx: Tx, ending: Ending): Promise<store.SessionRow> =>
  ending.row.status === 'open' && ending.row.expiresAt <= ending.now
    ? close(tx, 'expired', ending)
    : ending.row

type Which = { tools: Tools; workspaceId: string; id: string; now: string }

async function locked(tx: Tx, { tools, workspaceId, id, now }: Which): Promise<Ending> {
  const row = await store.lockSession(tx, workspaceId, id)
  if (!row) throw notFound('checkout session')
  return { tools, row: await upToDate(tx, { tools, row, now }), now }
}

/**
 * The payer's word, or the merchant's in a sandbox: pays an open session, or lets it fail. One that has ended already is
 * answered as it is, so of two payers one pays and both see it paid.
 */
export async function decide(
  tx: Tx,
  outcome: 'completed' | 'failed',
  which: Which,
): Promise<store.SessionRow> {
  const ending = await locked(tx, which)
  if (ending.row.status !== 'open') return ending.row
  return outcome === 'completed' ? complete(tx, ending) : close(tx, 'failed', ending)
}

/** 409 when it is paid; one that has ended unpaid stays as it is. */
export async function cancelSession(tx: Tx, which: Which): Promise<store.SessionRow> {
  const ending = await locked(tx, which)
  if (ending.row.status === 'completed') throw conflict('This session is paid and can no longer be canceled')
  return ending.row.status === 'open' ? close(tx, 'canceled', ending) : ending.row
}

/** Pays a session by hand. 409 when it ended unpaid, also because its time is over. */
export async function confirmSession(tx: Tx, which: Which): Promise<store.SessionRow> {
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

/** Ends what nobody paid in time; answers whether there may be more. */
export const expireOverdue = (tools: Tools): Promise<boolean> =>
  tools.db.tx(async (tx) => {
    const now = tools.now()
    const rows = await store.lockOverdue(tx, now, PORTION)
    for (const row of rows) await close(tx, 'expired', { tools, row, now })
    return rows.length === PORTION
  })
