import { setTimeout } from 'node:timers/promises'
import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'
import { ApiError } from '../../../core/errors.ts'
import { type Db, inTx, type Tx } from '../../../platform/db/open.ts'
import type { Deps } from '../../../platform/deps.ts'
import type { IdempotencyKey } from '../../../platform/http/idempotency.ts'
import { partnerOf } from '../../../platform/http/partner.ts'
import type { Within } from '../../../platform/http/route.ts'
import { Nullable } from '../../../platform/http/shapes.ts'
import { pathOf } from '../../../platform/partners/client.ts'
import type { Scope } from '../../../platform/scope.ts'
import { sha256 } from '../../../platform/secrets.ts'
import { modulesOf, placeAtPartner } from '../../workspace/modules/index.ts'
import { getCustomer } from '../customers/index.ts'
import {
  type Answer,
  abandonedAt,
  type Named,
  warningsOfAnswer,
  warningsWhenOff,
  warningsWithoutAnswer,
} from './rules.ts'
import type { Warning } from './schema.ts'
import * as store from './store.ts'

export type Means = { deps: Deps; idem: IdempotencyKey | null; within: Within }

/** What the partner offers a sale for what it names. `answer` is null where it gave none. */
export type Offer = { id: string; named: Named; answer: Answer | null }

/** A sale waits no longer than this for the marketing partner (B-sale-11). */
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

/** Whether the partner is asked, and for what; otherwise what is said about it. */
export type Screened = { ask: Named } | { ask: null; warnings: Warning[] }

/** What of a code and points is for the partner: nothing while the module is off, and no code of the referral program. */
export async function screen({ deps, within }: Means, scope: Scope, named: Named): Promise<Screened> {
  return within(async () => {
    if (!(await modulesOf(deps, scope, scope.now)).has('marketing'))
      return { ask: null, warnings: warningsWhenOff(named) }
    const { discountCode: code, redeemPoints } = named
    const discountCode = code !== null && (await store.isReferralCode(deps.db, scope, code)) ? null : code
    if (discountCode === null && redeemPoints === null) return { ask: null, warnings: [] }
    return { ask: { discountCode, redeemPoints } }
  })
}

type Goods = {
  /** What the goods cost before this discount, in rupiah. */
  goods: number
  customerId: string | null
  /** The bill that has an offer already; null for a new sale. */
  saleId: string | null
}

/**
 * Has the partner hold what code and points are worth to a sale. The name that it is held under is committed before: what no
 * sale binds is released, and a request that is sent again asks under the same name. No transaction is open meanwhile.
 */
export async function askFor(means: Means, scope: Scope, named: Named, goods: Goods): Promise<Offer> {
  const { deps, idem, within } = means
  const request = idem && sha256(`${idem.key} ${idem.fingerprint}`)
  const id = await within(() =>
    inTx(deps.db, async (tx) => {
      const held = goods.saleId === null ? null : await store.findBySale(tx, scope, goods.saleId)
      return held ?? store.begin(tx, scope, { request, dueAt: abandonedAt(scope.now) })
    }),
  )
  return { id, named, answer: await patiently(deps, scope, hold(means, scope, id, named, goods)) }
}

/** The answer, or null where it fails or takes too long: a sale is made with it or without. */
async function patiently(deps: Deps, scope: Scope, work: Promise<Answer>): Promise<Answer | null> {
  const over = new AbortController()
  const failed = (error: unknown) => {
    deps.log.warn({ err: error, requestId: scope.requestId }, 'the marketing partner valued no discount')
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
  { deps, within }: Means,
  scope: Scope,
  id: string,
  { discountCode, redeemPoints }: Named,
  { goods, customerId }: Goods,
): Promise<Answer> {
  const { partner } = partnerOf(deps, {
    requestId: scope.requestId,
    idem: null,
    timeoutMs: PATIENCE_MS,
    within,
  })
  const customer = customerId === null ? null : await partner.read((db) => balanceOf(db, scope, customerId))
  const { client, key } = await placeAtPartner({ deps, scope, partner }, 'marketing')
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
    throw new ApiError('PARTNER_ERROR', 'The marketing partner answered no redemption')
  return data as Static<typeof Redemption>
}

/** Null for a customer that there is not: the sale refuses them. */
async function balanceOf(db: Db, scope: Scope, customerId: string) {
  try {
    const { id, pointsBalance } = await getCustomer(db, scope, customerId)
    return { id, pointsBalance }
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}

/** What the request asked for and does not get; `kept` is what a bill keeps without an answer, rupiah. */
export const warningsOf = ({ named, answer }: Offer, kept: number): Warning[] =>
  answer === null ? warningsWithoutAnswer(named, kept) : warningsOfAnswer(named, answer)

export const promoDiscountOf = ({ answer }: Offer): number => answer?.promoDiscount ?? 0

/** The sale that was written has what was offered, or nothing of it; part of its transaction. */
export const settleOffer = (
  tx: Tx,
  scope: Scope,
  { id }: Offer,
  sale: { id: string; promoDiscount: number; status: string },
): Promise<unknown> =>
  sale.promoDiscount > 0
    ? store.bind(tx, scope, { id, saleId: sale.id, isRedeemed: sale.status === 'COMPLETED' })
    : store.letGo(tx, scope, id)

/** Part of a transaction; nothing where a sale has it. */
export const letOfferGo = (tx: Tx, scope: Scope, { id }: Offer): Promise<unknown> =>
  store.letGo(tx, scope, id)

/** The request came to nothing, or a twin of it was first. Should this fail, the offer ends by itself. */
export async function dropOffer({ deps, within }: Means, scope: Scope, { id }: Offer): Promise<void> {
  try {
    await within(() => inTx(deps.db, (tx) => store.letGo(tx, scope, id)))
  } catch (error) {
    deps.log.warn({ err: error, promotion: id }, 'an offer of the marketing partner was not let go')
  }
}

/** The sale was completed, or came to nothing: the partner is told within seconds. */
export const endPromotion = (
  tx: Tx,
  scope: Scope,
  sale: { id: string; promoDiscount: number },
  wanted: store.Ended,
): Promise<unknown> => (sale.promoDiscount > 0 ? store.end(tx, scope, sale.id, wanted) : Promise.resolve())

/** Another bill has it from now on. */
export const movePromotion = (tx: Tx, scope: Scope, fromId: string, toId: string) =>
  store.move(tx, scope, fromId, toId)
