import { ApiError } from '../../../core/errors.ts'
import type { Tx } from '../../../platform/db/open.ts'
import { translatePgError } from '../../../platform/db/pg-errors.ts'
import type { Deps } from '../../../platform/deps.ts'
import type { Scope } from '../../../platform/scope.ts'
import { confirmPayment, failPayment } from '../../selling/sales/index.ts'
import { isOver } from './rules.ts'
import type { SessionStatus } from './schema.ts'
import * as store from './store.ts'

/** The outcome of a session, from a notice or an answer of the partner; `amount` in rupiah. */
export type Evidence = {
  sessionId: string
  outcome: Exclude<SessionStatus, 'pending'>
  amount: number
  /**
   * The payment of the session. Null if the partner does not know it; then the stored session has it, if there is
   * one.
   */
  of: { saleId: string; paymentId: string } | null
}

/** Runs work in one transaction and retries it after a deadlock. An exception rolls it back. */
export type Transact = (work: (tx: Tx) => Promise<unknown>) => Promise<unknown>

/**
 * Applies the evidence of a payment once, whatever its source (B-collect-3). Money that has arrived is always recorded: if
 * the sale cannot be completed for another reason, such as missing stock, the bill is paid and stays open.
 */
export async function applyEvidence(
  { transact, log }: { transact: Transact; log: Deps['log'] },
  scope: Scope,
  evidence: Evidence,
): Promise<void> {
  try {
    await transact((tx) => apply(tx, scope, evidence, false))
  } catch (error) {
    if (evidence.outcome !== 'paid' || isTemporary(error)) throw error
    await transact((tx) => apply(tx, scope, evidence, true))
    log.warn({ err: error, session: evidence.sessionId }, 'a paid bill could not be completed and stays open')
  }
}

/** Whether a retry can succeed, because the database or a partner is unavailable. */
function isTemporary(error: unknown): boolean {
  const translated = translatePgError(error)
  return translated instanceof ApiError && translated.status >= 500
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
    // If no bill waits for this session, only the session ends.
    if (outcome === 'paid')
      await confirmPayment(tx, scope, saleId, { paymentId, sessionId, amount, leaveOpen })
    else await failPayment(tx, scope, saleId, { paymentId, isOver: isOverNow })
  }
  await store.end(tx, scope, sessionId, { status: outcome, paidAt: outcome === 'paid' ? scope.now : null })
}
