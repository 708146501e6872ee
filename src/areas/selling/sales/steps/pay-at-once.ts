import { authRequired } from '../../../../core/errors.ts'
import { isSharded } from '../../../../platform/db/open.ts'
import { isForeignKeyViolation, isRetryable, isUniqueViolation } from '../../../../platform/db/pg-errors.ts'
import type { Deps } from '../../../../platform/deps.ts'
import {
  expiryOf,
  findReplay,
  type IdempotencyKey,
  type Reply,
  replayOf,
} from '../../../../platform/http/idempotency.ts'
import { type Scope, touchBoard } from '../../../../platform/scope.ts'
import { decidePlainPayment, type PlainPayment } from '../decide/plain-payment.ts'
import { findToPay, keyHolds } from '../store/read.ts'
import { writeSaleChange } from '../store/write.ts'

export type PaymentTools = { deps: Deps; idem: IdempotencyKey | null }

/**
 * Pays an open bill in two round trips. The first reads it, with the caller's API key and the stored reply of the
 * Idempotency-Key. The second proves that nothing has changed since and writes it. Null if the payment is not plain,
 * and if the bill has
 * changed: nothing is written then, and the bill is paid in a transaction.
 */
export async function payAtOnce(
  { deps, idem }: PaymentTools,
  scope: Scope,
  id: string,
  payment: PlainPayment,
): Promise<Reply | null> {
  // On a sharded database no single statement can prove the facts that the payment was decided from.
  if (isSharded(deps.db)) return replayOnly({ deps, idem }, scope)
  const amount = payment.payments.reduce((sum, { amount: part }) => sum + part, 0)
  const {
    keyHolds: holds,
    replay,
    bill,
  } = await findToPay(deps.db, scope, id, {
    key: idem?.key ?? null,
    since: expiryOf(scope),
    amount,
  })
  if (scope.actor.kind === 'apiKey' && !holds) throw authRequired()
  const replayed = idem && replay && (await replayOf(deps, scope, idem, replay))
  if (replayed) return replayed
  const change = bill && decidePlainPayment(scope, bill, payment, idem)
  if (!change) return null
  const data = await writeSaleChange(deps.db, change).catch((error: unknown) => {
    // A duplicate request, a deleted row or a deadlock: the transaction finds out.
    if (isUniqueViolation(error) || isForeignKeyViolation(error) || isRetryable(error)) return null
    throw error
  })
  if (data === null) return null
  if (change.after.tableId !== null) {
    touchBoard(scope, 'floor', change.after.outletId)
    deps.live.publish(scope.accountId, scope.boards)
  }
  return { status: 200, data, replayed: false }
}

async function replayOnly({ deps, idem }: PaymentTools, scope: Scope): Promise<Reply | null> {
  if (scope.actor.kind === 'apiKey' && !(await keyHolds(deps.db, scope))) throw authRequired()
  return idem && findReplay(deps, deps.db, scope, idem)
}
