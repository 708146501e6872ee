import { addMs } from '../../../../core/time.ts'
import { hasUsedPin } from '../../../../platform/auth/statements-tills.ts'
import type { Tx } from '../../../../platform/db/open.ts'
import type { Deps } from '../../../../platform/deps.ts'
import { fingerprintOf } from '../../../../platform/http/fingerprint.ts'
import { type IdempotencyKey, type Reply, runWrite } from '../../../../platform/http/idempotency.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { shareVariants } from '../../../catalogue/products/index.ts'
import { getMember } from '../../../workspace/members/index.ts'
import { shareCustomer } from '../../customers/index.ts'
import { getShiftAtOutlet } from '../../shifts/index.ts'
import { booked } from '../decide/payment.ts'
import { decideSale } from '../decide/sale.ts'
import {
  CUSTOMER_ERASED,
  offlineWarnings,
  refInUse,
  requireOfflineForm,
  requireRecent,
  requireSeller,
  warningsOfRemoved,
} from '../rules/offline.ts'
import { touchBoards } from '../sale/boards.ts'
import { derived } from '../sale/facts.ts'
import { readSale } from '../sale/load.ts'
import type { Sale } from '../sale/types.ts'
import { saleView } from '../sale/view.ts'
import type { NewSaleAnswer, OfflineIn, SaleIn } from '../schema.ts'
import { type Context, readContext } from '../store/context.ts'
import { claimOfflineRef, findRemoved } from '../store/offline.ts'
import { writeLocked } from '../store/write.ts'
import { shareShifts } from './book-payments.ts'
import { checkAndPrice, goodsInBody } from './check-sale.ts'
import { completeSale } from './complete-sale.ts'
import { shareFirst } from './sell-locked.ts'

type OfflineBody = SaleIn & { offline: OfflineIn }

/**
 * Stores an offline sale of a till with its printed figures (B-offline-1). Its reference identifies it for ever: the
 * same body answers 200 with the stored sale, another body 409.
 */
export function sellOffline(
  { deps, idem }: { deps: Deps; idem: IdempotencyKey | null },
  scope: Scope,
  body: OfflineBody,
): Promise<Reply> {
  requireOfflineForm(body)
  const fingerprint = fingerprintOf('POST', '/sales', body)
  return runWrite(deps, scope, idem, async (tx) => {
    const earlier = await claimOfflineRef(tx, scope, body.offline.ref, fingerprint)
    if (!earlier) return { status: 201, value: await write(tx, scope, inUtc(body)), secret: false }
    if (earlier.fingerprint !== fingerprint) throw refInUse(body.offline.ref)
    const sale = saleView(await readSale(tx, scope, earlier.saleId))
    return { status: 200, value: { sale, stockWarnings: [], warnings: [] }, secret: false }
  })
}

/** The answer shows the instant as a later read does, whatever offset the till sent. */
const inUtc = (body: OfflineBody): OfflineBody => ({
  ...body,
  offline: { ...body.offline, soldAt: addMs(body.offline.soldAt, 0) },
})

/** The locks are those of `sell-locked`, after the reference. */
async function write(tx: Tx, scope: Scope, arrived: OfflineBody): Promise<NewSaleAnswer> {
  const { offline, outletId } = arrived
  requireRecent(offline.soldAt, scope.now)
  const { sent, isSellerGone, removed } = await withoutRemoved(tx, scope, arrived)
  const cashier = isSellerGone ? atOwnTill(scope) : await cashierOf(tx, scope, offline)
  // The money is in the drawer of the member who sold: it is booked to no shift of the caller (B-offline-5).
  const shiftHolder = isSellerGone ? withActor(scope, offline.soldBy) : cashier
  const goods = goodsInBody(sent)
  const { body, findCustomer, erased } = await shareBuyer(tx, scope, sent)
  await shareVariants(tx, scope, goods.variantIds)
  const present = await readContext(tx, shiftHolder, goods)
  const openShiftId = (await openShiftNamed(tx, scope, body, outletId)) ?? present.openShiftId
  // Without `shiftId`, `checkAndPrice` does not read the shift again, which may close meanwhile. `booked` handles a closed
  // shift.
  const printed = { ...body, status: 'COMPLETED' as const, shiftId: null }
  const context = { ...asPrinted(present, offline), openShiftId }
  const buyer = { findCustomer, promoDiscount: 0, keptTableId: body.tableId ?? null }
  const priced = await checkAndPrice(tx, cashier, printed, { ...buyer, context })
  const changes = offlineWarnings(body.items, present.sellables, {
    sent: offline.terms,
    present: present.outlet ?? {},
    priceOf: priced.pricer.unitPriceOf,
  })
  const served = asServed(priced.sale, offline.soldAt)
  const { sale, warnings: stockWarnings } = await completeSale(tx, scope, served, {
    context: priced.context,
    redemption: null,
    soldAt: offline.soldAt,
    // The receipt is printed: a promotion that has changed since refuses nothing (B-promo-9).
    isPaidFor: true,
  })
  const sold = soldAt(sale, offline.soldAt)
  const after = booked(sold, await shareShifts(tx, shiftHolder, sold))
  const change = decideSale(scope, after, {
    day: priced.day,
    stockWarnings,
    warnings: [...removed, ...erased, ...changes],
  })
  const [data = ''] = await writeLocked(tx, [change])
  touchBoards(scope, after)
  return JSON.parse(data) as NewSaleAnswer
}

/**
 * Locks the customer of the sale. The sale of a customer who was erased since is stored without the customer and the address
 * (B-offline-6). An unknown customer is refused when the order of checks reaches it.
 */
async function shareBuyer(tx: Tx, scope: Scope, body: OfflineBody) {
  if (!body.customerId) return { body, findCustomer: null, erased: [] }
  const findCustomer = await shareFirst(tx, scope, body.customerId, shareCustomer)
  const isErased = await findCustomer().then(
    ({ isActive }) => !isActive,
    () => false,
  )
  if (!isErased) return { body, findCustomer, erased: [] }
  const { customerId: _customer, deliveryDraft: _address, ...rest } = body
  return { body: rest, findCustomer: null, erased: [CUSTOMER_ERASED] }
}

/**
 * The sale without a table, modifier ids and a seller that the workspace has removed since it was printed; the names and
 * prices of its modifiers stay (B-offline-6).
 */
async function withoutRemoved(tx: Tx, scope: Scope, body: OfflineBody) {
  const { tableId, offline } = body
  const { modifierIds } = goodsInBody(body)
  const gone = await findRemoved(tx, scope, [
    ...(tableId ? [{ type: 'table' as const, id: tableId }] : []),
    ...(offline.soldBy ? [{ type: 'member' as const, id: offline.soldBy }] : []),
    ...modifierIds.map((id) => ({ type: 'modifier' as const, id })),
  ])
  const isGone = (id: string | null | undefined): id is string => typeof id === 'string' && gone.has(id)
  const items = body.items.map((item) => ({
    ...item,
    ...(item.modifiers && {
      modifiers: item.modifiers.map((modifier) =>
        isGone(modifier.modifierId) ? { ...modifier, modifierId: null } : modifier,
      ),
    }),
  }))
  return {
    sent: { ...body, items, ...(isGone(tableId) ? { tableId: null } : {}) },
    isSellerGone: isGone(offline.soldBy),
    removed: warningsOfRemoved(body, isGone),
  }
}

/** The scope with another member as its actor, for reads that depend on the member alone. */
const withActor = (scope: Scope, id = scope.actor.id): Scope => ({ ...scope, actor: { ...scope.actor, id } })

/** How long ago a member may have used a PIN at the till that sends their sales. */
const USED_PIN_MS = 30 * 24 * 3_600_000

/** The scope with the member who sold as its actor: the sale and its money are booked to that member (B-offline-4). */
async function cashierOf(tx: Tx, scope: Scope, { soldBy }: OfflineIn): Promise<Scope> {
  if (soldBy === undefined || soldBy === scope.actor.id) return scope
  requireSeller(scope.actor.role !== 'CASHIER' || (await worksAtTill(tx, scope, soldBy)))
  const { id, name, role } = await getMember(tx, scope, soldBy, 'offline.soldBy')
  return { ...scope, actor: { kind: 'member', id, name, role, readOnly: false } }
}

/** The scope, if it may send the sale of a removed member: which PINs that member used is no longer known. */
function atOwnTill(scope: Scope): Scope {
  requireSeller(scope.actor.role !== 'CASHIER' || scope.atTill.till?.accountId === scope.accountId)
  return scope
}

const worksAtTill = async (tx: Tx, { accountId, atTill: { till }, now }: Scope, memberId: string) =>
  till?.accountId === accountId && hasUsedPin(tx, till, { memberId, since: addMs(now, -USED_PIN_MS) })

/** The goods were handed over when they were sold: a sale of the past is no work for the kitchen (B-offline-7). */
const asServed = (sale: Sale, kitchenUpdatedAt: string): Sale =>
  derived({
    ...sale,
    items: sale.items.map((item) => ({ ...item, kitchenStatus: 'SERVED' as const, kitchenUpdatedAt })),
  })

/** The named shift if it is still open. A closed one does not refuse the sale (B-offline-5). */
async function openShiftNamed(tx: Tx, scope: Scope, { shiftId }: OfflineBody, outletId: string) {
  if (!shiftId) return null
  const shift = await getShiftAtOutlet(tx, scope, shiftId, outletId)
  return shift.status === 'OPEN' ? shift.id : null
}

/** The shop as the till knew it. The printed figures count, even if products or settings have changed since. */
const asPrinted = (present: Context, { terms }: OfflineIn): Context => ({
  ...present,
  outlet: present.outlet && { ...present.outlet, ...terms, isActive: true },
  negativeStock: 'ALLOW',
  openItems: true,
  sellables: new Map(
    [...present.sellables].map(([id, sellable]) => [id, { ...sellable, isLive: true }] as const),
  ),
})

const soldAt = (sale: Sale, instant: string): Sale => ({
  ...sale,
  completedAt: instant,
  payments: sale.payments.map((payment) =>
    payment.paidAt === null ? payment : { ...payment, paidAt: instant },
  ),
})

/** True for a body that a till sends for a sale it made while it was offline. */
export const isOffline = (body: SaleIn): body is OfflineBody => body.offline !== undefined
