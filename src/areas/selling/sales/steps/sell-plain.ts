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
import { touchBoards } from '../sale/boards.ts'
import type { SaleIn } from '../schema.ts'
import { readPlainContext } from '../store/context.ts'
import { insertSale } from '../store/create.ts'
import type { NewSale } from '../store/fresh.ts'
import { recall, remember } from '../store/known.ts'
import { ANONYMOUS, checkAndPrice, goodsInBody } from './check-sale.ts'
import { plainSale } from './plain-sale.ts'
import { sellTogether } from './sell-together.ts'

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
  const plain = priced && plainSale(scope, priced, warnings)
  if (!plain) return null
  const fresh = { ...plain, idem }
  // On a sharded database a sale is many steps, which cannot share a statement.
  const writing = isSharded(deps.db)
    ? within(() => insertSale(deps.db, scope, fresh))
    : sellTogether(deps.db, scope, within, fresh)
  const data = await writing.catch((error: unknown) => {
    // The read finds the cause and answers: a duplicate request, a deleted row or a deadlock.
    if (isOutcomeUnknown(error) || error instanceof ApiError) throw error
    return null
  })
  return data === null ? null : replyTo(deps, scope, fresh, data)
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
    const plain = plainSale(scope, priced, warnings)
    if (plain && deps.config.salesTogether) remember(deps.db, scope, goods, context)
    return plain && (await retrying(scope, () => write({ deps, idem }, scope, plain)))
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

async function write({ deps, idem }: Request, scope: Scope, fresh: NewSale): Promise<Reply | null> {
  const data = await insertSale(deps.db, scope, { ...fresh, idem }).catch((error: unknown) => {
    // The only unique row that a plain sale can meet twice is its key: the first request with it has just won.
    if (idem && isUniqueViolation(error)) return null
    throw error
  })
  if (data === null) return idem && findReplay(deps, deps.db, scope, idem)
  return replyTo(deps, scope, fresh, data)
}

function replyTo(deps: Deps, scope: Scope, { sale }: NewSale, data: string): Reply {
  touchBoards(scope, sale)
  if (scope.boards.size > 0) deps.live.publish(scope.accountId, scope.boards)
  return { status: 201, data, replayed: false }
}
