import { authRequired } from '../../../../core/errors.ts'
import { isSharded } from '../../../../platform/db/open.ts'
import { isForeignKeyViolation, isRetryable, isUniqueViolation } from '../../../../platform/db/pg-errors.ts'
import type { WithSlot } from '../../../../platform/db/places.ts'
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
import { activeItems } from '../sale/facts.ts'
import type { SaleChange } from '../store/change.ts'
import { recall, recallBill } from '../store/known.ts'
import { findKeyRole, findToPay } from '../store/read.ts'
import { writeSaleChange } from '../store/write.ts'
import { writeTogether } from './write-together.ts'

export type PaymentTools = { deps: Deps; idem: IdempotencyKey | null; within: WithSlot }

/**
 * Pays an open bill by one statement, which proves the facts that the payment was decided from and writes it. The bill
 * comes from the cache of this process. If it is not there, it is read first, with the caller's API key and the stored
 * reply of the Idempotency-Key. Returns null, and writes nothing, if the payment is not plain or the bill has changed:
 * then the caller pays it in a transaction.
 */
export async function payAtOnce(
  tools: PaymentTools,
  scope: Scope,
  id: string,
  payment: PlainPayment,
): Promise<Reply | null> {
  // On a sharded database no single statement can prove the facts that the payment was decided from.
  if (isSharded(tools.deps.db)) return tools.within(() => replayOnly(tools, scope))
  return (await payFromCache(tools, scope, id, payment)) ?? payAfterReading(tools, scope, id, payment)
}

/** Null if the cache lacks a fact, is out of date or would refuse the payment: then the bill is read. */
async function payFromCache(
  tools: PaymentTools,
  scope: Scope,
  id: string,
  payment: PlainPayment,
): Promise<Reply | null> {
  const { deps, idem } = tools
  const known = deps.config.salesTogether ? recallBill(deps.db, scope, id) : undefined
  if (!known) return null
  const { bill: sale, seen } = known
  const variantIds = [...new Set(activeItems(sale).flatMap(({ variantId }) => variantId ?? []))]
  const shop = recall(deps.db, scope, { outletId: sale.outletId, variantIds, modifierIds: [] })
  // The cashier's own open shift is cached, no other.
  if (!shop || (sale.shiftId !== null && sale.shiftId !== shop.openShiftId)) return null
  const isShiftOpen = sale.shiftId === null ? null : true
  const sellables = [...shop.sellables.values()]
  const bill = { sale, seen, ownShiftId: shop.openShiftId, isShiftOpen, shop: { ...shop, sellables } }
  const change = decidePlainPayment(scope, bill, payment, idem)
  if (!change?.seen) return null
  return write(tools, { ...change, seen: { ...change.seen, outlet: shop.outlet?.seen ?? null } })
}

async function payAfterReading(
  tools: PaymentTools,
  scope: Scope,
  id: string,
  payment: PlainPayment,
): Promise<Reply | null> {
  const { deps, idem, within } = tools
  const amount = payment.payments.reduce((sum, { amount: part }) => sum + part, 0)
  const payer = { key: idem?.key ?? null, since: expiryOf(scope), amount }
  const { keyHolds: holds, replay, bill } = await within(() => findToPay(deps.db, scope, id, payer))
  if (scope.actor.kind === 'apiKey' && !holds) throw authRequired()
  const replayed = idem && replay && (await replayOf(deps, scope, idem, replay))
  if (replayed) return replayed
  const change = bill && decidePlainPayment(scope, bill, payment, idem)
  return change && write(tools, change)
}

/** Null if a fact has changed, or after a duplicate request, a deleted row or a deadlock: the caller's next step finds the cause. */
async function write({ deps, within }: PaymentTools, change: SaleChange): Promise<Reply | null> {
  const { after, scope } = change
  const writing = deps.config.salesTogether
    ? writeTogether(deps, within, change)
    : within(() => writeSaleChange(deps.db, change))
  const written = await writing.catch((error: unknown) => {
    if (isUniqueViolation(error) || isForeignKeyViolation(error) || isRetryable(error)) return null
    throw error
  })
  if (written === null) return null
  if (after.tableId !== null) {
    touchBoard(scope, 'floor', after.outletId)
    deps.live.publish(scope.accountId, scope.boards)
  }
  return { status: 200, data: written.data, replayed: false }
}

async function replayOnly({ deps, idem }: PaymentTools, scope: Scope): Promise<Reply | null> {
  if (scope.actor.kind === 'apiKey' && (await findKeyRole(deps.db, scope)) === null) throw authRequired()
  return idem && findReplay(deps, deps.db, scope, idem)
}
