import { assert } from '../../../../core/assert.ts'
import { ApiError, conflict } from '../../../../core/errors.ts'
import type { Tx } from '../../../../platform/db/open.ts'
import { findReplay, type Reply, runWrite } from '../../../../platform/http/idempotency.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { shareVariants } from '../../../catalogue/products/index.ts'
import { announceIfReady, ticketState } from '../../../dining/kitchen/index.ts'
import { getTableForSale } from '../../../dining/tables/index.ts'
import { groupsOfCustomer } from '../../customers/index.ts'
import { readVouchers, requireUsable } from '../../pricing/index.ts'
import {
  askFor,
  dropOffer,
  keptDiscount,
  letOfferGo,
  lowerPromotion,
  type Offer,
  type PromotionContext,
  type PromotionRequest,
  payerAfterEdit,
  promoDiscountOf,
  promotionRequestIn,
  type Redemption,
  redemptionOf,
  redemptionOffered,
  screen,
  settleOffer,
  type Warning,
  warningsOf,
} from '../../promotions/index.ts'
import { changeStored } from '../decide/change.ts'
import { editedBill } from '../decide/edit.ts'
import { packsFor } from '../decide/edit-goods.ts'
import { planItem } from '../decide/edit-rows.ts'
import { updateEvent } from '../decide/events.ts'
import { pricerFor } from '../decide/price-goods.ts'
import { voucherWarnings } from '../decide/promote-sale.ts'
import { requireComplete, requireOnBill, requireOpenNames } from '../rules/plan-edit.ts'
import { requirePaidWithin, requireState } from '../rules/state.ts'
import { touchBoards } from '../sale/boards.ts'
import { activeItems, goodsOf, isGoods, kitchenItems } from '../sale/facts.ts'
import { editedDetails } from '../sale/kept.ts'
import { lockSale, readSale, withSaleOnConflict } from '../sale/load.ts'
import type { Sale, SaleTransition } from '../sale/types.ts'
import { outletView } from '../sale/view.ts'
import type { BillPatch, EditAnswer } from '../schema.ts'
import { approveSale } from '../steps/approve-sale.ts'
import { hasCredit } from '../steps/charge-credit.ts'
import {
  idsOf,
  notFoundFirst,
  readVersion,
  requireKnown,
  requireLive,
  requireOpenItemsOn,
  requirePacksKnown,
  requireSmallDeliveryDraft,
  requireVersion,
} from '../steps/check-body.ts'
import { shareFirst } from '../steps/sell-locked.ts'
import { sendToKitchen } from '../steps/send-to-kitchen.ts'
import { type Context, readContext } from '../store/context.ts'
import { isSent } from '../store/delivery.ts'
import { writeLocked } from '../store/write.ts'

/**
 * Replaces the items and details of an open bill; the kitchen gets only the new items (B-edit-1, B-edit-5,
 * B-edit-4).
 */
export async function editBill(
  means: PromotionContext,
  scope: Scope,
  { id, patch, ifMatch }: Edit,
): Promise<Reply> {
  const { deps, idem, within } = means
  const write = (promotion: Promotion | null) =>
    within(async () => {
      const replay = idem && (await findReplay(deps, deps.db, scope, idem))
      if (replay) return replay
      return runWrite(deps, scope, idem, async (tx) => ({
        status: 200,
        value: await replaceItems(tx, scope, { id, patch, ifMatch }, promotion),
        secret: false,
      }))
    })
  let promotion: Promotion | null = null
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write(promotion)
    } catch (error) {
      if (!(error instanceof UnvaluedBill)) {
        // If the outcome is unknown, the edit may have been made.
        const isRefused = error instanceof ApiError && error.status < 500
        if (promotion && isRefused) await restore(means, scope, promotion)
        throw error
      }
      if (attempt > ATTEMPTS) throw conflict('The bill keeps changing; read it and send the edit again')
      promotion = await valued(means, scope, error.bill)
    }
  }
}

/** Concurrent edits of one bill: the partner values the discount again for each. */
const ATTEMPTS = 3

type Edit = { id: string; patch: BillPatch; ifMatch: string | undefined }

/** A bill with a code or points as an edit would leave it; `before` is what it has. */
type Bill = {
  saleId: string
  version: number
  named: PromotionRequest
  goods: number
  /** The customer whose points it redeems. */
  customerId: string | null
  before: { goods: number; promoDiscount: number; redemption: Redemption | null }
}
/** Thrown by an edit that first needs the value of the bill's code and points: the partner is called without a lock. */
class UnvaluedBill extends Error {
  readonly bill: Bill
  constructor(bill: Bill) {
    super('the discount of the bill has to be valued first')
    this.bill = bill
  }
}

/** The partner's discount after the edit, for the bill as it was in `bill.version`. */
type Promotion = { bill: Bill; offer: Offer | null; promoDiscount: number; warnings: Warning[] }

async function valued(means: PromotionContext, scope: Scope, bill: Bill): Promise<Promotion> {
  const screened = await screen(means, scope, bill.named)
  if (screened.ask === null) return { bill, offer: null, promoDiscount: 0, warnings: screened.warnings }
  const offer = await askFor(means, scope, screened.ask, bill)
  const promoDiscount = offer.answer ? promoDiscountOf(offer) : discountWithoutAnswer(bill)
  return { bill, offer, promoDiscount, warnings: warningsOf(offer, promoDiscount) }
}

/** The discount stays, but the points of one customer pay for no bill of another, and only the partner knows their share. */
const discountWithoutAnswer = ({ before, goods, customerId }: Bill): number =>
  before.redemption && before.redemption.customerId !== customerId ? 0 : keptDiscount(before, goods)

/** The edit was refused: restores the partner's reservation for the unchanged bill. */
async function restore(means: PromotionContext, scope: Scope, { bill, offer }: Promotion) {
  if (!offer) return
  const { deps, within } = means
  await dropOffer(means, scope, offer)
  try {
    const { sale, redemption } = await within(async () => {
      const stored = await readSale(deps.db, scope, bill.saleId)
      return { sale: stored, redemption: await redemptionOf(deps.db, scope, stored) }
    })
    if (!offer.answer || sale.promoDiscount === 0) return
    const customerId = redemption?.customerId ?? sale.customerId
    await askFor(means, scope, offer.named, { goods: goodsOf(sale), customerId, saleId: sale.id })
  } catch (error) {
    deps.log.warn(
      { err: error, sale: bill.saleId },
      'could not restore the discount of a bill at the partner',
    )
  }
}

async function replaceItems(
  tx: Tx,
  scope: Scope,
  { id, patch, ifMatch }: Edit,
  promotion: Promotion | null,
): Promise<EditAnswer> {
  const version = readVersion(ifMatch)
  requireSmallDeliveryDraft(patch.deliveryDraft)
  requireComplete(patch.items)
  const before = await lockSale(tx, scope, id)
  return withSaleOnConflict(before, async () => {
    const { context, outlet, around, customerGroupIds, refuse } = await surroundings(tx, scope, before, patch)
    requireOnBill(before.items, patch.items)
    const refusePacks = await requirePacksKnown(tx, scope, patch.items, (item) =>
      packsFor(item, before, context.sellables),
    )
    requireOpenNames(before.items.map(planItem), patch.items)
    requireState('edit', before.status)
    requireVersion(before, version)
    await requireAddressLeaves(tx, scope, before, patch)
    refuse()
    refusePacks()
    const held = activeItems(before)
    requireLive(patch.items, context.sellables, new Set(held.filter(isGoods).map((item) => item.variantId)))
    requireOpenItemsOn(
      patch.items,
      context.openItems,
      new Set(held.filter((item) => !isGoods(item)).map((item) => item.productName)),
    )
    const named = promotionRequestIn(before)
    const known = promotion?.bill.version === before.version ? promotion : null
    const { orderType, channel, voucherCodes, customerId } = editedDetails(before, patch)
    const vouchers = await readVouchers(tx, scope, {
      codes: voucherCodes ?? [],
      customerId,
      pricing: context.pricing,
    })
    requireUsable(vouchers, scope.now, before.voucherCodes ?? [])
    const facts = { orderType, channel, customerGroupIds, instant: scope.now }
    const pricer = pricerFor(context, outlet, facts)
    const promoDiscount = known?.promoDiscount ?? before.promoDiscount
    const after = editedBill(scope, before, patch, { context, pricer, vouchers, promoDiscount })
    if (named && !known) {
      const redemption = await redemptionOf(tx, scope, before)
      throw new UnvaluedBill(billOf({ before, after }, named, redemption))
    }
    requirePaidWithin(after)
    const own = known ? withOwnPoints(after, known) : after
    const stored = { ...(await approveSale(tx, scope, { after: own, before }, pricer.unitPriceOf)), around }
    const { change, sale } = changeStored(scope, { before, after: stored }, (view) => [
      updateEvent(scope, view),
    ])
    await writeLocked(tx, [change])
    await settlePromotion(tx, scope, { before, after: stored }, known)
    await announceIfReady(
      tx,
      scope,
      id,
      before.orderType === null ? null : ticketState(kitchenItems(before.items)),
    )
    await sendToKitchen(tx, scope, before, stored)
    touchBoards(scope, before, stored)
    return { sale, warnings: [...(known?.warnings ?? []), ...voucherWarnings(vouchers.found, stored)] }
  })
}

const billOf = (
  { before, after }: SaleTransition,
  named: PromotionRequest,
  redemption: Redemption | null,
): Bill => ({
  saleId: before.id,
  version: before.version,
  named,
  goods: goodsOf(after),
  customerId: payerAfterEdit(redemption, { before, after }),
  before: { goods: goodsOf(before), promoDiscount: before.promoDiscount, redemption },
})

/** Points of another customer end with their reservation: the customer of the bill did not name them (B-points-5). */
function withOwnPoints(after: Sale, { bill, offer }: Promotion): Sale {
  if (bill.customerId === after.customerId) return after
  const isReserved = after.promoDiscount > 0 && (!offer?.answer || redemptionOffered(offer) !== null)
  return isReserved ? after : { ...after, redeemPoints: null }
}

async function settlePromotion(
  tx: Tx,
  scope: Scope,
  { before, after }: SaleTransition,
  known: Promotion | null,
) {
  await lowerPromotion(tx, scope, before, after.promoDiscount)
  if (known?.offer?.answer) await settleOffer(tx, scope, known.offer, after)
  else if (known?.offer) await letOfferGo(tx, scope, known.offer)
}

/**
 * The table and customer of the bill after the edit. Throws 404 for ids that do not exist; `refuse` is 422 for a
 * wrong one.
 */
async function surroundings(tx: Tx, scope: Scope, bill: Sale, patch: BillPatch) {
  const held = bill.items.flatMap(({ variantId }) => (variantId === null ? [] : [{ variantId }]))
  const { variantIds, modifierIds } = idsOf([...patch.items, ...held])
  const { customerId, tableId } = patch
  const isOther = customerId !== undefined && customerId !== bill.customerId
  const findCustomer = isOther && customerId ? await shareFirst(tx, scope, customerId) : null
  await shareAdded(tx, scope, bill, patch)
  const context = await readContext(tx, scope, { outletId: bill.outletId, variantIds, modifierIds })
  // Items that the bill already has may stay, even if the catalogue no longer has them (B-modifier-3).
  const heldModifiers = idsOf(activeItems(bill).map(({ modifiers }) => ({ modifiers: modifiers ?? [] })))
  const known = new Set([...context.modifierIds, ...heldModifiers.modifierIds])
  requireKnown(patch.items, { ...context, modifierIds: known })
  if (isOther && hasCredit(bill)) {
    throw conflict('A part of the bill is on the credit of its customer, so the customer stays')
  }
  const { look, refuse } = notFoundFirst()
  const customer = isOther ? findCustomer && (await look(findCustomer())) : bill.around.customer
  const table =
    tableId === undefined
      ? bill.around.table
      : tableId &&
        (await look(getTableForSale(tx, scope, tableId, { outletId: bill.outletId, keptId: bill.tableId })))
  assert(context.outlet, 'a bill keeps its outlet')
  const codes = patch.voucherCodes ?? bill.voucherCodes ?? []
  const around = {
    outlet: outletView(context.outlet),
    customer: customer ? { id: customer.id, name: customer.name, phone: customer.phone } : null,
    table: table || null,
    stationPrinters: context.outlet.stationPrinters,
  }
  return {
    context,
    outlet: context.outlet,
    around,
    customerGroupIds: await groupsOf(tx, scope, { context, codes }, customer || null),
    refuse,
  }
}

/**
 * An erasure finds the addresses of a customer by the customer of the bill (B-customer-2): an edit that takes the customer off
 * the bill takes the address off too.
 */
async function requireAddressLeaves(
  tx: Tx,
  scope: Scope,
  bill: Sale,
  { customerId, deliveryDraft }: BillPatch,
) {
  if (bill.customerId === null || customerId === undefined || (customerId || null) === bill.customerId) return
  if (bill.deliveryDraft !== null && deliveryDraft === undefined) {
    throw conflict(
      'The bill is to be delivered to its customer: keep the customer, or change or remove the delivery address in the same edit (deliveryDraft)',
    )
  }
  if (await isSent(tx, scope, bill.id)) {
    throw conflict(
      'The bill has a shipment to its customer: keep the customer, or cancel the shipment first if it is not delivered',
    )
  }
}

/**
 * Locks the variants that the edit adds before they are read, so that they are sold as they are: in units or by weight.
 * Those on the open bill keep that anyway (B-weight-5), and the bill is locked.
 */
async function shareAdded(tx: Tx, scope: Scope, bill: Sale, patch: BillPatch) {
  const onBill = new Set(activeItems(bill).map(({ variantId }) => variantId))
  const added = idsOf(patch.items).variantIds.filter((id) => !onBill.has(id))
  if (added.length > 0) await shareVariants(tx, scope, added)
}

/** The groups of the customer of a bill; read only if a price list or a promotion may compare them. */
async function groupsOf(
  tx: Tx,
  scope: Scope,
  { context: { pricing }, codes }: { context: Context; codes: readonly string[] },
  customer: { id: string; groupIds?: readonly string[] } | null,
): Promise<readonly string[]> {
  if (customer === null || pricing.lists.length + pricing.promotions.length + codes.length === 0) return []
  return customer.groupIds ?? groupsOfCustomer(tx, scope, customer.id)
}
