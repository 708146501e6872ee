import { setTimeout } from 'node:timers/promises'
import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'
import { ApiError } from '../../../core/errors.ts'
import { type Db, inTx, type Tx } from '../../../platform/db/open.ts'
import type { WithSlot } from '../../../platform/db/places.ts'
import type { Deps } from '../../../platform/deps.ts'
import type { IdempotencyKey } from '../../../platform/http/idempotency.ts'
import { partnerOf } from '../../../platform/http/partner.ts'
import { Nullable } from '../../../platform/http/shapes.ts'
import { pathOf } from '../../../platform/partners/client.ts'
import type { Scope } from '../../../platform/scope.ts'
import { sha256 } from '../../../platform/secrets/secrets.ts'
import { findPartnerAccount, modulesOf } from '../../workspace/modules/index.ts'
import { getCustomer } from '../customers/index.ts'
import {
  abandonedAt,
  keptPoints,
  type PromotionAnswer,
  type PromotionRequest,
  type Redemption,
  warningsOfAnswer,
  warningsWhenOff,
  warningsWithoutAnswer,
} from './rules.ts'
import type { Warning } from './schema.ts'
import * as store from './store.ts'

export type PromotionContext = { deps: Deps; idem: IdempotencyKey | null; within: WithSlot }

/** The partner's offer for the code and points of a sale. `answer` is null if the partner gave none. */
export type Offer = {
  id: string
  named: PromotionRequest
  customerId: string | null
  answer: PromotionAnswer | null
}

/** The longest time that a sale waits for the marketing partner (B-sale-11). */
const PATIENCE_MS = 2_000

const MAX_RUPIAH = 1_000_000_000_000
const Part = Nullable(Type.Object({ reason: Nullable(Type.String({ maxLength: 200 })) }))
const Redemption = Type.Object({
  promoDiscount: Type.Integer({ minimum: 0, maximum: MAX_RUPIAH }),
  discount: Part,
  points: Nullable(
    Type.Object({
      used: Type.Integer({ minimum: 0, maximum: MAX_RUPIAH }),
      reason: Nullable(Type.String({ maxLength: 200 })),
    }),
  ),
})

/** The request to the partner, or the warnings if no request is needed. */
export type PromotionScreening = { ask: PromotionRequest } | { ask: null; warnings: Warning[] }

/**
 * Decides which part of a promotion goes to the partner: nothing while the module is off, and no code of the referral
 * program.
 */
export async function screen(
  { deps, within }: PromotionContext,
  scope: Scope,
  named: PromotionRequest,
): Promise<PromotionScreening> {
  return within(async () => {
    if (!(await modulesOf(deps, scope, scope.now)).has('marketing'))
      return { ask: null, warnings: warningsWhenOff(named) }
    const { discountCode: code, redeemPoints } = named
    const discountCode = code !== null && (await store.isReferralCode(deps.db, scope, code)) ? null : code
    if (discountCode === null && redeemPoints === null) return { ask: null, warnings: [] }
    return { ask: { discountCode, redeemPoints } }
  })
}

type OfferBasis = {
  /** The price of the goods before this discount, in rupiah. */
  goods: number
  /** The customer whose points are redeemed. */
  customerId: string | null
  /** The bill that already has an offer; null for a new sale. */
  saleId: string | null
}

/**
 * Requests an offer for code and points, which the partner reserves. The name of the reservation is committed first.
 * A retry therefore asks under the same name, and a reservation without a sale is released. No transaction is open
 * meanwhile.
 */
export async function askFor(
  means: PromotionContext,
  scope: Scope,
  named: PromotionRequest,
  goods: OfferBasis,
): Promise<Offer> {
  const { deps, idem, within } = means
  const request = idem && sha256(`${idem.key} ${idem.fingerprint}`)
  const id = await within(() =>
    inTx(deps.db, async (tx) => {
      const held = goods.saleId === null ? null : await store.findBySale(tx, scope, goods.saleId)
      return held ?? store.begin(tx, scope, { request, dueAt: abandonedAt(scope.now) })
    }),
  )
  const { customerId } = goods
  return {
    id,
    named,
    customerId,
    answer: await withinPatience(deps, scope, hold(means, scope, { id, named, goods })),
  }
}

/** Returns the answer, or null if the request fails or takes too long. The sale does not depend on it. */
async function withinPatience(
  deps: Deps,
  scope: Scope,
  work: Promise<PromotionAnswer>,
): Promise<PromotionAnswer | null> {
  const over = new AbortController()
  const failed = (error: unknown) => {
    deps.log.warn(
      { err: error, requestId: scope.requestId },
      'could not check a discount at the marketing partner',
    )
    return null
  }
  try {
    return await Promise.race([
      work.catch(failed),
      setTimeout(PATIENCE_MS, null, { signal: over.signal, ref: false }),
    ])
  } finally {
    over.abort()
  }
}

async function hold(
  { deps, within }: PromotionContext,
  scope: Scope,
  {
    id,
    named: { discountCode, redeemPoints },
    goods: { goods, customerId },
  }: { id: string; named: PromotionRequest; goods: OfferBasis },
): Promise<PromotionAnswer> {
  const { partner } = partnerOf(deps, {
    requestId: scope.requestId,
    idem: null,
    timeoutMs: PATIENCE_MS,
    withSlot: within,
  })
  const customer = customerId === null ? null : await partner.read((db) => balanceOf(db, scope, customerId))
  const { client, key } = await findPartnerAccount({ deps, scope, partner }, 'marketing')
  const { data } = await partner.call((forward) =>
    client.ask(
      {
        method: 'PUT',
        path: pathOf('v1', 'redemptions', id),
        key,
        body: { subtotal: goods, discountCode, points: redeemPoints, customer },
      },
      forward,
    ),
  )
  if (!Check(Redemption, data))
    throw new ApiError('PARTNER_ERROR', 'The marketing partner returned no valid redemption')
  return data as Static<typeof Redemption>
}

/**
 * Returns null for an unknown customer; the sale then fails. Reads the booked points first. A sale that completes
 * between the two reads then counts both at the partner and here, so no point is spent twice.
 */
async function balanceOf(db: Db, scope: Scope, customerId: string) {
  try {
    const pointsBooked = await store.countBooked(db, scope, customerId)
    const { id, pointsBalance } = await getCustomer(db, scope, customerId)
    return { id, pointsBalance, pointsBooked }
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}

/**
 * Returns warnings for the parts of a request that were not applied. `kept` is the discount that a bill keeps without
 * an answer, in rupiah.
 */
export const warningsOf = ({ named, answer }: Offer, kept: number): Warning[] =>
  answer === null ? warningsWithoutAnswer(named, kept) : warningsOfAnswer(named, answer)

export const promoDiscountOf = ({ answer }: Offer): number => answer?.promoDiscount ?? 0

/** Binds the offer to the stored sale, or releases it. Part of the sale's transaction. */
export const settleOffer = (
  tx: Tx,
  scope: Scope,
  offer: Offer,
  sale: { id: string; promoDiscount: number; status: string },
): Promise<unknown> => {
  const { id } = offer
  const isRedeemed = sale.status === 'COMPLETED'
  return sale.promoDiscount > 0
    ? store.bind(tx, scope, { id, saleId: sale.id, isRedeemed, redemption: redemptionOffered(offer) })
    : store.letGo(tx, scope, id)
}

/** Returns the points that the partner granted, at most the requested number. */
export function redemptionOffered({ named, customerId, answer }: Offer): Redemption | null {
  const points = Math.min(answer?.points?.used ?? 0, named.redeemPoints ?? 0)
  return customerId === null || points === 0 ? null : { customerId, points }
}

/** Returns the points of a sale. They can change while no transaction has locked the sale. */
export const redemptionOf = async (
  db: Db,
  scope: Scope,
  sale: { id: string; promoDiscount: number },
): Promise<Redemption | null> => (sale.promoDiscount > 0 ? store.findRedemption(db, scope, sale.id) : null)

/** Releases an offer in a transaction. Does nothing if a sale is bound to it. */
export const letOfferGo = (tx: Tx, scope: Scope, { id }: Offer): Promise<unknown> =>
  store.letGo(tx, scope, id)

/** Releases the offer of a failed or duplicate request. If the release fails, the offer expires. */
export async function dropOffer(
  { deps, within }: PromotionContext,
  scope: Scope,
  { id }: Offer,
): Promise<void> {
  try {
    await within(() => inTx(deps.db, (tx) => store.letGo(tx, scope, id)))
  } catch (error) {
    deps.log.warn({ err: error, promotion: id }, 'could not release an offer of the marketing partner')
  }
}

/** Records that the sale was completed or cancelled. The worker notifies the partner within seconds. */
export const endPromotion = (
  tx: Tx,
  scope: Scope,
  sale: { id: string; promoDiscount: number },
  wanted: store.PromotionEnd,
): Promise<unknown> => (sale.promoDiscount > 0 ? store.end(tx, scope, sale.id, wanted) : Promise.resolve())

/**
 * Records that an open bill keeps only `after` rupiah of its discount. Fewer points pay for a smaller discount (B-points-6); without any,
 * the offer is released.
 */
export async function lowerPromotion(
  tx: Tx,
  scope: Scope,
  { id, promoDiscount: before }: { id: string; promoDiscount: number },
  after: number,
): Promise<void> {
  if (before === 0 || after >= before) return
  if (after === 0) {
    await store.end(tx, scope, id, 'released')
    return
  }
  const redemption = await store.findRedemption(tx, scope, id)
  if (redemption) await store.setPoints(tx, scope, id, keptPoints(redemption.points, { before, after }))
}

/** Moves the promotion to another bill. */
export const movePromotion = (tx: Tx, scope: Scope, fromId: string, toId: string) =>
  store.move(tx, scope, fromId, toId)
