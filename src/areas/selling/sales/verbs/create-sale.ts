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
import { Errand } from '../../../../platform/http/errands.ts'
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
import {
  askFor,
  dropOffer,
  type Named,
  namedIn,
  type Offer,
  promoDiscountOf,
  screen,
  settleOffer,
  type Warning,
  warningsOf,
  warningsWithoutAnswer,
} from '../../promotions/index.ts'
import { getShiftForSale } from '../../shifts/index.ts'
import { totalsOf } from '../rules/totals.ts'
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

type Means = {
  deps: Deps
  idem: IdempotencyKey | null
  within: Within
  /** What the request asked for that nobody will do. */
  notDone: readonly Warning[]
}

/**
 * Opens a sale: completed at once, or held as a bill (B-sale-1, B-sale-3). The plain sale (paid at once, stock without
 * batches or recipes, no card, no customer) is one write when this process knows the goods, which proves what it knows and
 * may carry other sales of the workspace along; else one read and one write. Every other goes through a transaction that
 * takes its locks first. All of them price, check and store by the same code.
 */
export async function createSale(asked: Omit<Means, 'notDone'>, scope: Scope, body: SaleIn): Promise<Reply> {
  const named = namedIn(body)
  return named === null
    ? sell({ ...asked, notDone: [] }, scope, body)
    : sellWithPromotion(asked, scope, body, named)
}

async function sell(means: Means, scope: Scope, body: SaleIn): Promise<Reply> {
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

/** Under this name an errand leaves the offer for the attempt after it. */
const OFFER = 'offer of the marketing partner'

/**
 * A sale with a code or points: the marketing partner says what they are worth before anything is locked (B-sale-11). What it
 * does not answer changes nothing, and a warning says so.
 */
async function sellWithPromotion(
  asked: Omit<Means, 'notDone'>,
  scope: Scope,
  body: SaleIn,
  named: Named,
): Promise<Reply> {
  const { deps, idem, within } = asked
  const offered = scope.found.get(OFFER) as Offer | undefined
  if (offered) return within(() => sellInTransaction(asked, scope, body, offered))
  const { context, replay } = await within(async () => {
    const read = await readPlainContext(deps.db, scope, wantedOf(body))
    if (scope.actor.kind === 'apiKey' && !read.keyHolds) throw authRequired()
    return { context: read, replay: idem && (await findReplay(deps, deps.db, scope, idem)) }
  })
  if (replay) return replay
  const screened = await screen(asked, scope, named)
  const { ask } = screened
  if (ask === null) return sell({ ...asked, notDone: screened.warnings }, scope, body)
  const goods = goodsOf(body, context)
  // What is wrong with the sale is found again under its locks, and refused there.
  if (goods === null) return sell({ ...asked, notDone: warningsWithoutAnswer(ask, 0) }, scope, body)
  const customerId = body.customerId || null
  throw new Errand(async ({ found }) => {
    const offer = await askFor(asked, scope, ask, { goods, customerId, saleId: null })
    found.set(OFFER, offer)
    // A sale that was made has bound it by then; nobody else needs it.
    return () => dropOffer(asked, scope, offer)
  })
}

/** What the goods cost before the partner's discount, rupiah; null where they cannot be sold like this. */
function goodsOf(body: SaleIn, { sellables }: Context): number | null {
  try {
    const { subtotal, orderDiscount } = totalsOf({
      taxRateBps: 0,
      taxInclusive: false,
      items: body.items.map(({ variantId, quantity, unitPrice, modifiers = [], discount = 0 }) => ({
        quantity,
        unitPrice: unitPrice ?? sellables.get(variantId)?.price ?? 0,
        modifiers,
        discount,
      })),
      orderDiscount: body.orderDiscount ?? 0,
      deliveryFee: 0,
    })
    return subtotal - orderDiscount
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}

/**
 * Sells from what earlier sales have read; null where that is not all of it, is not true any more or refuses the sale:
 * then it is read.
 */
async function sellKnown(means: Means, scope: Scope, body: SaleIn): Promise<Reply | null> {
  const { deps, idem, within } = means
  if (body.customerId || body.tableId || body.shiftId) return null
  const context = recall(deps.db, scope, wantedOf(body))
  if (!context) return null
  const priced = await checkAndPrice(deps.db, scope, body, context, NOBODY).catch((error: unknown) => {
    if (error instanceof ApiError) return null
    throw error
  })
  const plain = priced && plainSale(scope, priced, means.notDone)
  if (!plain) return null
  const fresh = { ...plain, idem }
  // Where rows are spread over workers a sale is many steps, which do not travel together.
  const sold = isSharded(deps.db)
    ? within(() => insertSale(deps.db, scope, fresh))
    : sellTogether(deps.db, scope, within, fresh)
  const data = await sold.catch((error: unknown) => {
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
      const priced = await checkAndPrice(deps.db, scope, body, context, NOBODY)
      const plain = plainSale(scope, priced, means.notDone)
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
  return sellInTransaction(means, scope, body, means.notDone)
}

const sellInTransaction = (
  { deps, idem }: Pick<Means, 'deps' | 'idem'>,
  scope: Scope,
  body: SaleIn,
  promotion: Offer | readonly Warning[],
): Promise<Reply> =>
  runWrite(deps, scope, idem, async (tx) => ({
    status: 201,
    value: await sellWithLocks(tx, scope, body, promotion),
    secret: false,
  }))

const wantedOf = (body: SaleIn) => ({ outletId: body.outletId, ...idsOf(body.items) })

type With = { findCustomer: (() => Promise<Customer>) | null; promoDiscount: number }
const NOBODY: With = { findCustomer: null, promoDiscount: 0 }

/** Checks the body against the shop, prices the sale and applies its payments; nothing is written or locked. */
async function checkAndPrice(
  db: Db,
  scope: Scope,
  body: SaleIn,
  context: Context,
  { findCustomer, promoDiscount }: With,
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
    sale: priceSale(scope, body, {
      context,
      outlet,
      around,
      shiftId: shift?.id ?? context.openShiftId,
      promoDiscount,
    }),
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
async function sellWithLocks(
  tx: Tx,
  scope: Scope,
  body: SaleIn,
  promotion: Offer | readonly Warning[],
): Promise<NewSaleAnswer> {
  const offer = 'id' in promotion ? promotion : null
  const notDone = 'id' in promotion ? warningsOf(promotion, 0) : promotion
  const wanted = wantedOf(body)
  const findCustomer = body.customerId ? await shareFirst(tx, scope, body.customerId) : null
  await shareVariants(tx, scope, wanted.variantIds)
  const context = await readContext(tx, scope, wanted)
  const priced = await checkAndPrice(tx, scope, body, context, {
    findCustomer,
    promoDiscount: offer ? promoDiscountOf(offer) : 0,
  })
  const carded = await chargeCards(tx, scope, priced.sale, (index) => `payments[${index}].reference`)
  const { sale, warnings } =
    carded.status === 'COMPLETED'
      ? await completeSale(tx, scope, carded, priced.context)
      : { sale: carded, warnings: [] }
  const booked = await bookPayments(tx, scope, sale, new Set())
  const fresh = { ...newSale(scope, booked, priced.day, notDone), warnings: JSON.stringify(warnings) }
  const data = await onePendingReference(insertSale(tx, scope, fresh))
  assert(data !== null, 'a sale without a shift guard and a key is always written')
  if (offer) await settleOffer(tx, scope, offer, booked)
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
