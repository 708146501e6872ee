import type { Tx } from '../../../../platform/db/open.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { confirmed } from '../decide/confirmation.ts'
import { decidePayments } from '../decide/payment.ts'
import { lockSaleIfKnown } from '../sale/load.ts'

import { saleView } from '../sale/view.ts'
import type { SaleAnswer } from '../schema.ts'
import { payBill } from '../steps/pay-bill.ts'
import { writeLocked } from '../store/write.ts'

/**
 * Applies money that the payment partner reports for a payment (B-payment-9); `amount` in rupiah. On an open bill it
 * is applied up to what remains, and completes the sale when it covers; the excess becomes a separate record. For a
 * completed or voided sale it is kept with `applied` false and changes nothing else. Either way it is stored once,
 * however often it is reported, and the unapplied amount is announced so that staff refund it. Only evidence of the
 * partner turns FAILED into PAID. If the till had marked the payment PAID, it is the same money, and the payment is
 * verified from then on. Further money has come twice and is kept unapplied as a separate record. Nothing changes if
 * the sale already has money of `sessionId`, since a partner may report it again long after the session was removed.
 * Returns null for an unknown sale or payment. With `leaveOpen` a covered bill stays open: its money has arrived, but
 * the sale cannot complete, for example because its goods are out of stock.
 */
export async function confirmPayment(
  tx: Tx,
  scope: Scope,
  saleId: string,
  evidence: { paymentId: string; sessionId: string; amount: number; leaveOpen?: boolean },
): Promise<SaleAnswer | null> {
  const before = await lockSaleIfKnown(tx, scope, saleId)
  const payment = before?.payments.find((row) => row.id === evidence.paymentId)
  if (!before || !payment) return null
  if (before.payments.some(({ sessionId }) => sessionId === evidence.sessionId)) {
    return { sale: saleView(before), stockWarnings: [] }
  }
  const after = confirmed(scope, before, payment, evidence)
  if (after.paidTotal > before.paidTotal) {
    const completes = after.paidTotal === after.total && evidence.leaveOpen !== true
    return payBill(tx, scope, { before, after }, { completes, isPaidFor: true, paramOf: () => 'reference' })
  }
  const { change, sale } = decidePayments(scope, { before, after })
  await writeLocked(tx, [change])
  return { sale, stockWarnings: [] }
}
