import { assert } from '../../../../core/assert.ts'
import { ApiError, authRequired, invalid, notFound } from '../../../../core/errors.ts'
import { dayOf } from '../../../../core/time.ts'
import { type Db, isSharded, type Tx } from '../../../../platform/db/open.ts'
import {
  isConnectionLost,
  isForeignKeyViolation,
  isOutcomeUnknown,
  isUniqueViolation,
} from '../../../../platform/db/pg-errors.ts'
import type { Deps } from '../../../../platform/deps.ts'
import {
  findReplay,
  type IdempotencyKey,
  type Reply,
  retrying,
  runWrite,
} from '../../../../platform/http/idempotency.ts'
import type { Within } from '../../../../platform/http/route.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { shareVariants } from '../../../catalogue/products/index.ts'
import { getTableForSale } from '../../../dining/tables/index.ts'
import { type Customer, shareActiveCustomer } from '../../customers/index.ts'
import { getShiftForSale } from '../../shifts/index.ts'
import { touchBoards } from '../sale/boards.ts'
import { outletView } from '../sale/view.ts'
import type { NewSaleAnswer, SaleIn } from '../schema.ts'
import { bookPayments, onePendingReference } from '../steps/book-payments.ts'
import { chargeCards } from '../steps/charge-cards.ts'
import {
  idsOf,
  notFoundFirst,
  requireKnown,
  requireLive,
  requireSmallDeliveryDraft,
} from '../steps/check-body.ts'
import { completeSale } from '../steps/complete-sale.ts'
import { newSale } from '../steps/new-sale.ts'
import { plainSale } from '../steps/plain-sale.ts'
import { type PricedSale, priceSale } from '../steps/price-sale.ts'
import { sellTogether } from '../steps/sell-together.ts'
import { type Context, readContext, readPlainContext } from '../store/context.ts'
import { insertSale } from '../store/create.ts'
import type { NewSale } from '../store/fresh.ts'
import { recall, remember } from '../store/known.ts'

type Means = { deps: Deps; idem: IdempotencyKey | null; within: Within }

/**
 * Opens a sale: completed at once, or held as a bill (B-sale-1, B-sale-3). The plain sale (paid at once, stock without
 * batches or recipes, no card, no customer) is one write when this process knows the goods, which proves what it knows and
 * may carry other sales of the workspace along; else one read and one write. Every other goes through a transaction that
 * takes its locks first. All of them price, check and store by the same code.
 */
export async function createSale(means: Means, scope: Scope, body: SaleIn): Promise<Reply> {
  const { deps, idem, within } = means
  const readAndSell = () => within(() => sellAfterReading(means, scope, body))
  if (!deps.config.salesTogether) return readAndSell()
  let lost: unknown = null
  const reply = await sellKnown(means, scope, body).catch((error: unknown) => {
    // Under a key it can be sold again: what was done answers as a replay.
    if (!idem || !isOutcomeUnknown(error)) throw error
    lost = error
    return null
  })
  if (reply) return reply
  return readAndSell().catch((failure: unknown) => {
    throw lost !== null && isConnectionLost(failure) ? lost : failure
  })
}

/**
 * Sells from what earlier sales have read; null where that is not all of it, is not true any more or refuses the sale:
 * then it is read.
 */
async function sellKnown(means: Means, scope: Scope, body: SaleIn): Promise<Reply | null> {
  const { deps, idem, within } = means
  // Where rows are spread over workers no statement proves what it sells from, and many steps do not travel together.
  if (isSharded(deps.db)) return null
  if (body.customerId || body.tableId || body.shiftId) return null
  const context = recall(deps.db, scope, wantedOf(body))
  if (!context) return null
  const priced = await checkAndPrice(deps.db, scope, body, context, null).catch((error: unknown) => {
    if (error instanceof ApiError) return null
    throw error
  })
  const plain = priced && plainSale(scope, priced)
  if (!plain) return null
  const fresh = { ...plain, idem }
  const data = await sellTogether(deps.db, scope, within, fresh).catch((error: unknown) => {
    // What has become of it is for the read to find out, which knows how to answer: a twin that has won, a row deleted
    // in between, a deadlock.
    if (isOutcomeUnknown(error) || error instanceof ApiError) throw error
    return null
  })
  return data === null ? null : soldReply(deps, scope, fresh, data)
}

async function sellAfterReading(means: Means, scope: Scope, body: SaleIn): Promise<Reply> {
  const { deps, idem } = means
  const wanted = wantedOf(body)
  const context = await readPlainContext(deps.db, scope, wanted)
  if (scope.actor.kind === 'apiKey' && !context.keyHolds) throw authRequired()
  // A customer is held while the sale is made, which takes a transaction.
  if (!body.customerId) {
    try {
      const priced = await checkAndPrice(deps.db, scope, body, context, null)
      const plain = plainSale(scope, priced)
      if (plain && deps.config.salesTogether) remember(deps.db, scope, wanted, context)
      const reply = plain && (await retrying(scope, () => sellAtOnce(deps, scope, idem, plain)))
      if (reply) return reply
    } catch (error) {
      // A key that was used answers what it answered then, even if the shop has changed since.
      const replay =
        idem &&
        (await findReplay(deps, deps.db, scope, idem).catch((failure: unknown) => {
          // The look-up can fail for the reason the sale did; what the caller needs to know is what became of the
          // sale.
          throw isOutcomeUnknown(error) && isConnectionLost(failure) ? error : failure
        }))
      if (replay) return replay
      // A row was deleted in between: the long way reads again and answers 404.
      if (!isForeignKeyViolation(error)) throw error
    }
  }
  return runWrite(deps, scope, idem, async (tx) => ({
    status: 201,
    value: await sellWithLocks(tx, scope, body),
    secret: false,
  }))
}

const wantedOf = (body: SaleIn) => ({ outletId: body.outletId, ...idsOf(body.items) })

/** Checks the body against the shop, prices the sale and applies its payments; nothing is written or locked. */
async function checkAndPrice(
  db: Db,
  scope: Scope,
  body: SaleIn,
  context: Context,
  findCustomer: (() => Promise<Customer>) | null,
): Promise<PricedSale> {
  requireSmallDeliveryDraft(body.deliveryDraft)
  const { outlet } = context
  if (!outlet) throw notFound('outlet', 'outletId')
  requireKnown(body.items, context)
  const { tableId, shiftId } = body
  const { look, refuse } = notFoundFirst()
  const customer = findCustomer && (await look(findCustomer()))
  const table = tableId ? await look(getTableForSale(db, scope, tableId, outlet.id)) : null
  const shift = shiftId ? await look(getShiftForSale(db, scope, shiftId, outlet.id)) : null
  refuse()
  if (!outlet.isActive) throw invalid('outletId', `${outlet.name} is inactive; sell at another outlet`)
  if (body.items.length === 0) throw invalid('items', 'The cart is empty: add at least one item')
  requireLive(body.items, context.sellables)
  const around = {
    outlet: outletView(outlet),
    customer: customer && { id: customer.id, name: customer.name, phone: customer.phone },
    table,
  }
  return {
    sale: priceSale(scope, body, { context, outlet, around, shiftId: shift?.id ?? context.openShiftId }),
    context,
    outlet,
    day: dayOf(scope.now, outlet.timezone),
  }
}

/**
 * The hot path: everything in one statement. Null when variant, shift or key changed meanwhile: look again, with
 * locks.
 */
async function sellAtOnce(
  deps: Deps,
  scope: Scope,
  idem: IdempotencyKey | null,
  fresh: NewSale,
): Promise<Reply | null> {
  const data = await insertSale(deps.db, scope, { ...fresh, idem }).catch((error: unknown) => {
    // The only unique row that a plain sale can meet twice is its key: its first request has just won.
    if (idem && isUniqueViolation(error)) return null
    throw error
  })
  if (data === null) return idem && findReplay(deps, deps.db, scope, idem)
  return soldReply(deps, scope, fresh, data)
}

function soldReply(deps: Deps, scope: Scope, { sale }: NewSale, data: string): Reply {
  touchBoards(scope, sale)
  if (scope.boards.size > 0) deps.live.publish(scope.accountId, scope.boards)
  return { status: 201, data, replayed: false }
}

/**
 * Every other sale. Locks in the house's order: its customer, variants, cards, the customer's balance, levels, shift, and
 * the receipt counter last.
 */
async function sellWithLocks(tx: Tx, scope: Scope, body: SaleIn): Promise<NewSaleAnswer> {
  const wanted = wantedOf(body)
  const findCustomer = body.customerId ? await shareFirst(tx, scope, body.customerId) : null
  await shareVariants(tx, scope, wanted.variantIds)
  const context = await readContext(tx, scope, wanted)
  const priced = await checkAndPrice(tx, scope, body, context, findCustomer)
  const carded = await chargeCards(tx, scope, priced.sale, (index) => `payments[${index}].reference`)
  const { sale, warnings } =
    carded.status === 'COMPLETED'
      ? await completeSale(tx, scope, carded, priced.context)
      : { sale: carded, warnings: [] }
  const booked = await bookPayments(tx, scope, sale, new Set())
  const fresh = { ...newSale(scope, booked, priced.day), warnings: JSON.stringify(warnings) }
  const data = await onePendingReference(insertSale(tx, scope, fresh))
  assert(data !== null, 'a sale without a shift guard and a key is always written')
  touchBoards(scope, booked)
  return JSON.parse(data) as NewSaleAnswer
}

/** Shares the customer at once; what is wrong with them is only reported where the order of checks asks for them. */
async function shareFirst(tx: Tx, scope: Scope, customerId: string): Promise<() => Promise<Customer>> {
  const shared = shareActiveCustomer(tx, scope, customerId)
  await shared.catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error
  })
  return () => shared
}
