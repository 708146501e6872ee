import {
  type PaymentSession,
  paymentsCharge,
  paymentsGetSession,
  type Sale,
  salesAddPayment,
  salesGet,
} from 'kasir-client'
import { queries } from '../../app/queries.ts'
import { call } from '../../app/service.ts'
import { newKey } from '../../offline/key.ts'
import { useCart } from '../../selling/cart-store.ts'
import type { PaymentCode } from '../../selling/payment-code.ts'
import { useRegister } from '../../selling/register-store.ts'
import { finish } from './finish.ts'
import { keepBill } from './keep-bill.ts'

/** Requests the code of a bill and shows it with its cart. A repeated request answers the same code (B-collect-2). */
export async function openCode(sale: Sale) {
  keepBill(sale)
  const session = await call(paymentsCharge, { transactionId: sale.id })
  // Meanwhile the next sale may have begun.
  if (useCart.getState().bill?.id !== sale.id) return
  useRegister.getState().show({ codeEnd: null })
  useCart.getState().setCode({ ...session, transactionId: sale.id, cancelKey: newKey(), isCancelled: false })
}

/** Asks for the state of a code. When it has ended, the bill shows the result. */
export async function checkCode(code: PaymentCode) {
  const session = await call(paymentsGetSession, { sessionId: code.sessionId }, { isSingle: true })
  if (session.status === 'pending') return
  await closeCode(code, session.status)
}

async function closeCode(code: PaymentCode, status: Exclude<PaymentSession['status'], 'pending'>) {
  const { sale } = await call(salesGet, { id: code.transactionId }, { isSingle: true })
  // Meanwhile the cashier may have left the bill open.
  if (useCart.getState().code?.sessionId !== code.sessionId) return
  void queries.invalidateQueries()
  if (sale.status === 'COMPLETED') return finish({ sale, row: null, change: 0 })
  keepBill(sale)
  useRegister.getState().show({ panel: 'pay', codeEnd: status })
}

/** The bill no longer waits for this code, so the service cancels it at the partner (B-collect-5). */
export async function cancelCode(code: PaymentCode) {
  useCart.getState().setCode({ ...code, isCancelled: true })
  await call(
    salesAddPayment,
    {
      id: code.transactionId,
      method: 'QRIS',
      amount: code.amount,
      providerRef: code.sessionId,
      status: 'FAILED',
    },
    { idempotencyKey: code.cancelKey },
  )
}

/** Starts the next sale. The bill stays open, and completes when the money arrives. */
export function leaveBillOpen() {
  finish(null)
  void queries.invalidateQueries()
}
