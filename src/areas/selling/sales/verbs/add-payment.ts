import { conflict } from '../../../../core/errors.ts'
import type { Tx } from '../../../../platform/db/open.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { requireAmountDue, requireState } from '../rules/state.ts'
import { applyTenders } from '../rules/tenders.ts'
import { lockBill, withSaleOnConflict } from '../sale/load.ts'

import type { Bill } from '../sale/types.ts'
import type { SaleAnswer, TenderBody } from '../schema.ts'
import { awaited, storeTenders, taken } from '../steps/pay-bill.ts'
import { isPendingElsewhere } from '../store/write.ts'

/** Adds one tender to a bill; the one that covers what remains completes the sale exactly once (spec 3.1, S2, S3). */
export async function addPayment(tx: Tx, scope: Scope, id: string, tender: TenderBody): Promise<SaleAnswer> {
  const bill = await lockBill(tx, scope, id)
  return withSaleOnConflict(bill, async () => {
    requireState('pay', bill.status)
    const known = awaited(bill, [tender])
    // A session that failed may be told at any time; everything else needs something left to pay.
    if (known[0] === undefined || tender.status !== 'FAILED') requireAmountDue(bill)
    await requireFreeReference(tx, scope, bill, tender)
    const { total, paidTotal } = bill
    const applied = applyTenders([tender], { total, paidTotal, allowPending: true, paramOf: () => '' })
    const completes = applied.paidTotal === total && applied.paidTotal > paidTotal
    const paramOf = () => 'reference'
    return storeTenders(tx, scope, bill, taken(scope, bill, known, applied), { completes, paramOf })
  })
}

async function requireFreeReference(tx: Tx, scope: Scope, bill: Bill, tender: TenderBody) {
  if (tender.status !== 'PENDING' || !tender.providerRef) return
  if (await isPendingElsewhere(tx, scope, tender.providerRef, bill.id)) {
    throw conflict('Another sale is already waiting for a payment with this providerRef')
  }
}
