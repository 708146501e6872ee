import { ApiError } from '../../../core/errors.ts'
import type { Tx } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'
import { confirmPayment, failPayment } from '../../selling/sales/index.ts'
import { isOver } from './rules.ts'
import type { Status } from './schema.ts'
import * as store from './store.ts'

/** What the partner says has become of a session, by a notice or by its answer; `amount` in rupiah. */
export type Evidence = {
  sessionId: string
  outcome: Exclude<Status, 'pending'>
  amount: number
  /** The payment that it is for; null where the partner does not know: then the session does, if it is for one. */
  of: { saleId: string; paymentId: string } | null
}

/** Runs work in one transaction, again after a deadlock; what it throws undoes all of it. */
export type Transact = (work: (tx: Tx) => Promise<unknown>) => Promise<unknown>

/**
 * Gives evidence its effect, once, whoever brings it (B-collect-3). Money that has arrived is kept in any case: where the
 * sale cannot be completed for another reason, such as goods that must not be sold short, the bill is paid and stays open.
 */
export async function applyEvidence(transact: Transact, scope: Scope, evidence: Evidence): Promise<void> {
  try {
    await transact((tx) => apply(tx, scope, evidence, false))
  } catch (error) {
    const isRefused = error instanceof ApiError && (error.status === 409 || error.status === 422)
    if (!isRefused || evidence.outcome !== 'paid') throw error
    await transact((tx) => apply(tx, scope, evidence, true))
  }
}

async function apply(tx: Tx, scope: Scope, evidence: Evidence, leaveOpen: boolean) {
  const { sessionId, outcome, amount } = evidence
  const of = evidence.of ?? (await store.findPaymentOf(tx, scope, sessionId))
  if (of) {
    const { saleId, paymentId } = of
    const isOverNow = async (providerRef: string | null) => {
      const sessions = await store.listOfSale(tx, scope, saleId)
      const own = sessions.filter((session) => session.paymentId === paymentId)
      return isOver(sessionId, { providerRef, own }, scope.now)
    }
    const effect =
      outcome === 'paid'
        ? confirmPayment(tx, scope, saleId, { paymentId, sessionId, amount, leaveOpen })
        : failPayment(tx, scope, saleId, { paymentId, isOver: isOverNow })
    await effect.catch((error: unknown) => {
      // A session that no bill came to wait for: nothing but the session itself ends.
      if (!(error instanceof ApiError) || error.code !== 'NOT_FOUND') throw error
    })
  }
  await store.end(tx, scope, sessionId, outcome, outcome === 'paid' ? scope.now : null)
}
