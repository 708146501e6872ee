import { ApiError, authRequired } from '../../../../core/errors.ts'
import { sum } from '../../../../core/money.ts'
import { type PricedPack, priceOfPack } from '../../../../core/packs.ts'
import { totalsOf } from '../../../../core/sale-totals.ts'
import type { WithSlot } from '../../../../platform/db/places.ts'
import type { Deps } from '../../../../platform/deps.ts'
import { Errand } from '../../../../platform/http/errands.ts'
import { findReplay, type IdempotencyKey, type Reply } from '../../../../platform/http/idempotency.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { groupsOfCustomer } from '../../customers/index.ts'
import {
  askFor,
  dropOffer,
  type Offer,
  promotionRequestIn,
  screen,
  type Warning,
  warningsWithoutAnswer,
} from '../../promotions/index.ts'
import { type Pricer, pricerOfBody } from '../decide/price-goods.ts'
import { promotionsFor } from '../decide/promote-sale.ts'
import { packOf } from '../rules/packs.ts'
import type { SaleIn } from '../schema.ts'
import { type Context, readPlainContext, type Sellable } from '../store/context.ts'
import { goodsInBody } from './check-sale.ts'

type Request = { deps: Deps; idem: IdempotencyKey | null; within: WithSlot }

/**
 * An offer of the marketing partner, warnings about parts of the request without effect, or the reply to a duplicate
 * request.
 */
type PromotionValue = { offer: Offer } | { warnings: readonly Warning[] } | { replay: Reply }

/** An errand keeps the offer under this name for the next attempt. */
const OFFER = 'offer of the marketing partner'

/**
 * Values the code or points of a new sale: the marketing partner says what they are worth before anything is locked
 * (B-sale-11). If it gives no usable answer, the sale is made without them and a warning says so.
 */
export async function valuePromotion(request: Request, scope: Scope, body: SaleIn): Promise<PromotionValue> {
  const { deps, idem, within } = request
  const promotion = promotionRequestIn(body)
  if (promotion === null) return { warnings: [] }
  const offered = scope.errandResults.get(OFFER) as Offer | undefined
  if (offered) return { offer: offered }
  const { context, replay } = await within(async () => {
    const read = await readPlainContext(deps.db, scope, goodsInBody(body))
    if (scope.actor.kind === 'apiKey' && !read.keyHolds) throw authRequired()
    return { context: read, replay: idem && (await findReplay(deps, deps.db, scope, idem)) }
  })
  if (replay) return { replay }
  const screened = await screen(request, scope, promotion)
  const { ask } = screened
  if (ask === null) return { warnings: screened.warnings }
  const goods = goodsTotal(body, context, await pricerOf(request, scope, body, context))
  // The locked sale finds the fault again and refuses it.
  if (goods === null) return { warnings: warningsWithoutAnswer(ask, 0) }
  const customerId = body.customerId || null
  throw new Errand(async ({ results }) => {
    const offer = await askFor(request, scope, ask, { goods, customerId, saleId: null })
    results.set(OFFER, offer)
    // A sale that was written has used the offer by then; any other offer is unused.
    return () => dropOffer(request, scope, offer)
  })
}

const priceIn = (sellable: Sellable, pack: PricedPack | null, pricer: Pricer | null): number =>
  pricer ? pricer.priceOf(sellable, pack).unitPrice : priceOfPack(sellable, pack)

/** The prices of the sale by the price lists; null without lists and promotions. */
async function pricerOf({ deps, within }: Request, scope: Scope, body: SaleIn, context: Context) {
  const { outlet, pricing } = context
  if (!outlet || pricing.lists.length + pricing.promotions.length === 0) return null
  const { customerId } = body
  const customerGroupIds = customerId ? await within(() => groupsOfCustomer(deps.db, scope, customerId)) : []
  return pricerOfBody(scope, body, context, { outlet, customerGroupIds })
}

/** The price of the goods after promotions and before the partner's discount, in rupiah; null if the sale is invalid. */
function goodsTotal(body: SaleIn, { sellables, pricing }: Context, pricer: Pricer | null): number | null {
  try {
    const items = body.items.map((sent) => {
      const { variantId = null, quantity, labelPrice = null, modifiers = [], discount = 0 } = sent
      const sellable = sellables.get(variantId ?? '')
      const pack = packOf(sellable, sent.packId)
      const unitPrice = sent.unitPrice ?? (sellable ? priceIn(sellable, pack, pricer) : 0)
      const soldBy = sellable?.soldBy === 'WEIGHT' ? ('WEIGHT' as const) : null
      return { variantId, quantity, soldBy, pack, labelPrice, unitPrice, modifiers, discount, createdAt: '' }
    })
    const applied = pricer
      ? promotionsFor(
          items.map((item) => ({ ...item, modifiers: [...item.modifiers] })),
          {
            facts: pricer.facts,
            promotions: pricing.promotions,
            customerId: body.customerId || null,
            codes: [],
            usedIds: new Set(),
            categoryOf: (variantId) => sellables.get(variantId ?? '')?.categoryId ?? null,
            orderedAt: pricer.instant,
          },
        )
      : []
    const { subtotal, orderDiscount } = totalsOf({
      taxRateBps: 0,
      taxInclusive: false,
      items: items.map((item, place) => ({
        ...item,
        promotionShare: sum(applied.map(({ shares }) => shares[place] ?? 0)),
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
