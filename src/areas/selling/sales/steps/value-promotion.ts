import { ApiError, authRequired } from '../../../../core/errors.ts'
import type { Db } from '../../../../platform/db/open.ts'
import type { WithSlot } from '../../../../platform/db/places.ts'
import type { Deps } from '../../../../platform/deps.ts'
import { Errand } from '../../../../platform/http/errands.ts'
import { findReplay, type IdempotencyKey, type Reply } from '../../../../platform/http/idempotency.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { getCustomer } from '../../customers/index.ts'
import { readVouchers } from '../../pricing/index.ts'
import {
  askFor,
  dropOffer,
  type Offer,
  promotionRequestIn,
  screen,
  type Warning,
  warningsWithoutAnswer,
} from '../../promotions/index.ts'
import { goodsOf } from '../sale/facts.ts'
import type { SaleIn } from '../schema.ts'
import { type Context, readPlainContext } from '../store/context.ts'
import { checkAndPrice, goodsInBody } from './check-sale.ts'

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
  const goods = await within(() => valueOfGoods(deps.db, scope, body, context))
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

/**
 * The price of the goods after promotions and before the partner's discount, in rupiah; null if the sale is invalid. The sale is
 * priced without its payments, which count on that discount.
 */
async function valueOfGoods(db: Db, scope: Scope, body: SaleIn, context: Context): Promise<number | null> {
  const { customerId, voucherCodes } = body
  try {
    const vouchers = await readVouchers(db, scope, {
      codes: voucherCodes ?? [],
      customerId: customerId || null,
      pricing: context.pricing,
    })
    const unpaid = { ...body, status: 'PARKED' as const, payments: [] }
    const findCustomer = customerId ? () => getCustomer(db, scope, customerId) : null
    const { sale } = await checkAndPrice(db, scope, unpaid, {
      context,
      findCustomer,
      vouchers,
      promoDiscount: 0,
    })
    return goodsOf(sale)
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}
