import { ApiError, authRequired } from '../../../../core/errors.ts'
import { isSharded } from '../../../../platform/db/open.ts'
import {
  isConnectionLost,
  isForeignKeyViolation,
  isOutcomeUnknown,
  isUniqueViolation,
} from '../../../../platform/db/pg-errors.ts'
import type { WithSlot } from '../../../../platform/db/places.ts'
import type { Deps } from '../../../../platform/deps.ts'
import {
  findReplay,
  type IdempotencyKey,
  type Reply,
  retrying,
} from '../../../../platform/http/idempotency.ts'
import type { Scope } from '../../../../platform/scope.ts'
import type { Warning } from '../../promotions/index.ts'
import { decidePlainSale } from '../decide/sale.ts'
import { touchBoards } from '../sale/boards.ts'
import type { SaleIn } from '../schema.ts'
import type { SaleChange } from '../store/change.ts'
import { readPlainContext } from '../store/context.ts'
import { recall, remember, rememberBill } from '../store/known.ts'
import { writeSaleChange } from '../store/write.ts'
import { ANONYMOUS, checkAndPrice, goodsInBody } from './check-sale.ts'
import { writeTogether } from './write-together.ts'

type Request = { deps: Deps; idem: IdempotencyKey | null }

/**
 * Sells from the cache of this process, in one statement with other sales. Null if the cache lacks a fact, is out of date
 * or would refuse the sale: then the sale is read.
 */
export async function sellPlainFromCache(
  { deps, idem, within }: Request & { within: WithSlot },
  scope: Scope,
  body: SaleIn,
  warnings: readonly Warning[],
): Promise<Reply | null> {
  if (body.customerId || body.tableId || body.shiftId) return null
  const context = recall(deps.db, scope, goodsInBody(body))
  if (!context) return null
  const priced = await checkAndPrice(deps.db, scope, body, { ...ANONYMOUS, context }).catch(
    (error: unknown) => {
      if (error instanceof ApiError) return null
      throw error
    },
  )
  const change = priced && decidePlainSale(scope, priced, { notDone: warnings, idempotency: idem })
  if (!change) return null
  // On a sharded database a sale is many steps, which cannot share a statement.
  const writing = isSharded(deps.db)
    ? within(() => writeSaleChange(deps.db, change))
    : writeTogether(deps, within, change)
  const written = await writing.catch((error: unknown) => {
    // The read finds the cause and answers: a duplicate request, a deleted row or a deadlock.
    if (isOutcomeUnknown(error) || error instanceof ApiError) throw error
    return null
  })
  return written && replyTo(deps, change, written.data)
}

/** Reads the shop and sells in one statement. Null if the sale is not plain, or a fact that was read has changed. */
export async function sellPlain(
  { deps, idem }: Request,
  scope: Scope,
  body: SaleIn,
  warnings: readonly Warning[],
): Promise<Reply | null> {
  const goods = goodsInBody(body)
  const context = await readPlainContext(deps.db, scope, goods)
  if (scope.actor.kind === 'apiKey' && !context.keyHolds) throw authRequired()
  // A sale with a customer locks the customer, so it needs a transaction.
  if (body.customerId) return null
  try {
    const priced = await checkAndPrice(deps.db, scope, body, { ...ANONYMOUS, context })
    const change = decidePlainSale(scope, priced, { notDone: warnings, idempotency: idem })
    if (change && deps.config.salesTogether) remember(deps.db, scope, goods, context)
    return change && (await retrying(scope, () => write({ deps, idem }, change)))
  } catch (error) {
    // A used key repeats its stored reply, even if the shop has changed since.
    const replay =
      idem &&
      (await findReplay(deps, deps.db, scope, idem).catch((failure: unknown) => {
        // The look-up can fail for the same reason as the sale; the caller needs to know the outcome of the sale.
        throw isOutcomeUnknown(error) && isConnectionLost(failure) ? error : failure
      }))
    if (replay) return replay
    // A row was deleted in between: the locked sale reads again and answers 404.
    if (!isForeignKeyViolation(error)) throw error
    return null
  }
}

async function write({ deps, idem }: Request, change: SaleChange): Promise<Reply | null> {
  const written = await writeSaleChange(deps.db, change).catch((error: unknown) => {
    // The only unique row that a plain sale can meet twice is its key: the first request with it has just won.
    if (idem && isUniqueViolation(error)) return null
    throw error
  })
  if (written === null) return idem && findReplay(deps, deps.db, change.scope, idem)
  if (deps.config.salesTogether) rememberBill(deps.db, change, written)
  return replyTo(deps, change, written.data)
}

function replyTo(deps: Deps, { scope, after }: SaleChange, data: string): Reply {
  touchBoards(scope, after)
  if (scope.boards.size > 0) deps.live.publish(scope.accountId, scope.boards)
  return { status: 201, data, replayed: false }
}
