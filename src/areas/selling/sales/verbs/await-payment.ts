import { invalid } from '../../../../core/errors.ts'
import type { Db, Tx } from '../../../../platform/db/open.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { decidePayments, requireRoom, requireRoomForPayments } from '../decide/payment.ts'
import { newPayment } from '../decide/price-sale.ts'
import type { PaymentMethod } from '../rules/payments.ts'
import { requireAmountDue, requireState } from '../rules/state.ts'
import { lockSale, lockSaleIfKnown, readSale } from '../sale/load.ts'
import type { Payment, Sale } from '../sale/types.ts'
import { onePendingReference } from '../steps/book-payments.ts'
import { writeLocked } from '../store/write.ts'

/** The open amount of a bill in rupiah, its PENDING payments, and whether the bill may have another one. */
export type Payable = {
  remaining: number
  pending: readonly { id: string; amount: number }[]
  requireRoom(): void
}

type PayableRequest = {
  method: PaymentMethod
  /** The field of the body that contained the id of the sale. */
  param: string
}

/** 404 for an unknown sale; 409 for one that is closed or has no open amount. */
export async function readPayable(db: Db, scope: Scope, saleId: string, { method, param }: PayableRequest) {
  return payableOf(await readSale(db, scope, saleId, param), method)
}

/** The same, with the sale locked until the transaction ends. */
export async function lockPayable(tx: Tx, scope: Scope, saleId: string, { method, param }: PayableRequest) {
  return payableOf(await lockSale(tx, scope, saleId, param), method)
}

function payableOf(sale: Readonly<Sale>, method: PaymentMethod): Payable {
  requireState('charge', sale.status)
  requireAmountDue(sale)
  const pending = sale.payments.filter((row) => row.method === method && row.status === 'PENDING')
  const remaining = sale.total - sale.paidTotal
  // A PENDING payment above the open amount fails when another one is created.
  const staying = sale.payments.filter(
    ({ id }) => !pending.some((row) => row.id === id && row.amount > remaining),
  )
  return { remaining, pending, requireRoom: () => requireRoom(staying, false, 1) }
}

type AwaitedPayment = { paymentId: string; method: PaymentMethod; amount: number; providerRef: string }

/**
 * Makes the bill wait for a payment session of the partner: by the PENDING payment with its `providerRef`, or a new
 * one. PENDING payments of the method above the open amount fail (B-payment-11).
 */
export async function awaitPayment(
  tx: Tx,
  scope: Scope,
  saleId: string,
  { paymentId, method, amount, providerRef }: AwaitedPayment,
): Promise<void> {
  const before = await lockSale(tx, scope, saleId)
  const { remaining } = payableOf(before, method)
  if (amount > remaining) throw invalid('amount', `Only ${remaining} remains to be paid`)
  const stamp = { updatedAt: scope.now }
  const payments = before.payments.map((row): Payment => {
    if (row.id === paymentId) return { ...row, ...stamp, providerRef: row.providerRef ?? providerRef }
    const isTooMuch = row.status === 'PENDING' && row.method === method && row.amount > remaining
    return isTooMuch ? { ...row, ...stamp, status: 'FAILED', applied: false } : row
  })
  const isKnown = before.payments.some((row) => row.id === paymentId)
  const asked = {
    method,
    amount,
    providerRef,
    status: 'PENDING',
    tendered: null,
    change: 0,
    rounding: 0,
    reference: null,
    dueDate: null,
  } as const
  const added = isKnown ? [] : [{ ...newPayment(scope, saleId, asked), id: paymentId }]
  requireRoomForPayments(payments, added)
  await write(tx, scope, before, [...payments, ...added])
}

type Unpaid = { paymentId: string; isOver(providerRef: string | null): Promise<boolean> }

/**
 * The partner reports that a session will not be paid. PENDING becomes FAILED if no other session is open (`isOver`,
 * called while the sale is locked); any other state stays. Does nothing for an unknown sale.
 */
export async function failPayment(
  tx: Tx,
  scope: Scope,
  saleId: string,
  { paymentId, isOver }: Unpaid,
): Promise<void> {
  const before = await lockSaleIfKnown(tx, scope, saleId)
  const awaited = before?.payments.find((row) => row.id === paymentId && row.status === 'PENDING')
  if (!before || !awaited || !(await isOver(awaited.providerRef))) return
  const failed = (row: Payment): Payment => ({
    ...row,
    status: 'FAILED',
    applied: false,
    updatedAt: scope.now,
  })
  await write(
    tx,
    scope,
    before,
    before.payments.map((row) => (row.id === paymentId ? failed(row) : row)),
  )
}

async function write(tx: Tx, scope: Scope, before: Sale, payments: Payment[]) {
  const after: Sale = { ...before, payments, version: before.version + 1, updatedAt: scope.now }
  await onePendingReference(writeLocked(tx, [decidePayments(scope, { before, after }).change]))
}
