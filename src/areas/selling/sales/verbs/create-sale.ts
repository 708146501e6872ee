import { authRequired } from '../../../../core/errors.ts'
import { isConnectionLost, isOutcomeUnknown } from '../../../../platform/db/pg-errors.ts'
import type { WithSlot } from '../../../../platform/db/places.ts'
import type { Deps } from '../../../../platform/deps.ts'
import type { IdempotencyKey, Reply } from '../../../../platform/http/idempotency.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { requireItemForm } from '../rules/plan-edit.ts'
import type { SaleIn } from '../schema.ts'
import { sellLocked } from '../steps/sell-locked.ts'
import { isOffline, sellOffline } from '../steps/sell-offline.ts'
import { sellPlain, sellPlainFromCache } from '../steps/sell-plain.ts'
import { valuePromotion } from '../steps/value-promotion.ts'
import { findKeyRole } from '../store/read.ts'

type SaleRequest = { deps: Deps; idem: IdempotencyKey | null; within: WithSlot }

/**
 * Opens a sale: completed immediately, or held as a bill (B-sale-1, B-sale-3). There are two ways.
 *
 * - *plain*: paid immediately, stock without batches or recipes, no card, no customer. One statement proves what the
 *   sale was decided from and writes it. It is decided from the cache of this process, or else from one read.
 * - *locked*: every other sale, and a plain one that could not be proved. A transaction takes its locks first.
 *
 * Both price, check and store by the same code. An offline sale of a till is locked as well (B-offline-1).
 */
export async function createSale(request: SaleRequest, scope: Scope, body: SaleIn): Promise<Reply> {
  const { deps, idem, within } = request
  requireItemForm(body.items, { isOffline: isOffline(body) })
  if (isOffline(body))
    return within(async () => sellOffline(request, await withPresentRole(deps, scope), body))
  const promotion = await valuePromotion(request, scope, body)
  if ('replay' in promotion) return promotion.replay
  if ('offer' in promotion) return within(() => sellLocked(request, scope, body, promotion.offer))
  const { warnings } = promotion
  // A voucher is proved under the lock of its promotion.
  if (body.voucherCodes?.length)
    return within(async () => sellLocked(request, await withPresentRole(deps, scope), body, warnings))
  const sellAfterReading = () =>
    within(
      async () =>
        (await sellPlain(request, scope, body, warnings)) ?? sellLocked(request, scope, body, warnings),
    )
  if (!deps.config.salesTogether) return sellAfterReading()
  let lost: unknown = null
  const reply = await sellPlainFromCache(request, scope, body, warnings).catch((error: unknown) => {
    // With a key it can be retried: a sale that was written answers as a replay.
    if (!idem || !isOutcomeUnknown(error)) throw error
    lost = error
    return null
  })
  if (reply) return reply
  return sellAfterReading().catch((failure: unknown) => {
    throw lost !== null && isConnectionLost(failure) ? lost : failure
  })
}

/**
 * Throws 401 if a cached API key was revoked since. An offline sale also depends on the role of its sender
 * (B-offline-4), which the key may have lost.
 */
async function withPresentRole({ db }: Deps, scope: Scope): Promise<Scope> {
  if (scope.actor.kind !== 'apiKey') return scope
  const role = await findKeyRole(db, scope)
  if (role === null) throw authRequired()
  return { ...scope, actor: { ...scope.actor, role } }
}
