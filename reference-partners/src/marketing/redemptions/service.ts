import { mulDivFloor, notFound } from 'kasir/partner-tools'
import type { Db, Tx } from '../../kit/db.ts'
import { lockWorkspace } from '../../kit/workspaces/store.ts'
import { codeKeyOf, valueOf } from '../discounts/rules.ts'
import * as discounts from '../discounts/store.ts'
import { valuationOf } from './rules.ts'
import type { Redemption, RedemptionRequest, Valuation } from './schema.ts'
import * as store from './store.ts'

const holds = (row: store.RedemptionRow | undefined): row is store.RedemptionRow =>
  row !== undefined && row.status !== 'released'

/** What code and points are worth to a sale; `own` is what it has of them already. */
type ValuedAt = { now: string; own?: store.RedemptionRow | undefined }
async function value(db: Db, workspaceId: string, wanted: RedemptionRequest, { now, own }: ValuedAt) {
  const { subtotal, discountCode = null, customer } = wanted
  const reference = own?.reference ?? ''
  const discount =
    discountCode === null ? undefined : await discounts.findByCode(db, workspaceId, codeKeyOf(discountCode))
  const isCounted = holds(own) && discount !== undefined && own.discountId === discount.id
  const valued = discountCode === null ? null : valueOf(discount, { subtotal, now, isCounted })
  const points = customer
    ? await store.pointsOf(db, workspaceId, customer.id, reference)
    : { redeemed: 0, reserved: 0 }
  const pointValue = await store.pointValueOf(db, workspaceId)
  const spent = Math.max(0, points.redeemed + points.reserved - (customer?.pointsBooked ?? 0))
  const valuation = valuationOf(wanted, valued, { spent, pointValue })
  return { valuation, discountId: valued?.reason === null ? (discount?.id ?? null) : null }
}

/** Quotes the discount of a sale without storing it. */
export const evaluate = async (
  db: Db,
  workspaceId: string,
  wanted: RedemptionRequest,
  now: string,
): Promise<Valuation> => (await value(db, workspaceId, wanted, { now })).valuation

const viewOf = (row: store.RedemptionRow): Redemption => ({
  reference: row.reference,
  status: row.status,
  promoDiscount: row.discountAmount + row.pointsAmount,
  discount:
    row.discountCode === null
      ? null
      : { code: row.discountCode, amount: row.discountAmount, reason: row.discountReason },
  points:
    row.pointsAsked === 0
      ? null
      : { asked: row.pointsAsked, used: row.points, amount: row.pointsAmount, reason: row.pointsReason },
  customerId: row.customerId,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
})

type RedemptionLookup = { workspaceId: string; reference: string; now: string }

/** Locks the workspace, so concurrent sales cannot share the last use of a code or spend a point twice. */
async function locked(tx: Tx, { workspaceId, reference }: RedemptionLookup) {
  await lockWorkspace(tx, workspaceId)
  return store.lock(tx, workspaceId, reference)
}

/**
 * Reserves code and points for a sale and replaces its earlier reservation, so a retry has no further effect. A completed
 * sale keeps its redemption.
 */
export async function redeem(
  tx: Tx,
  named: RedemptionLookup,
  wanted: RedemptionRequest,
): Promise<{ isNew: boolean; redemption: Redemption }> {
  const { workspaceId, reference, now } = named
  const before = await locked(tx, named)
  if (before?.status === 'redeemed') return { isNew: false, redemption: viewOf(before) }
  const { valuation, discountId } = await value(tx, workspaceId, wanted, { now, own: before })
  const held = holds(before) ? before.discountId : null
  if (held !== discountId) {
    if (held !== null) await discounts.count(tx, workspaceId, held, -1)
    if (discountId !== null) await discounts.count(tx, workspaceId, discountId, 1)
  }
  const { discount, points } = valuation
  const row: store.RedemptionRow = {
    reference,
    status: 'reserved',
    subtotal: wanted.subtotal,
    customerId: wanted.customer?.id ?? null,
    discountCode: discount?.code ?? null,
    discountId,
    discountAmount: discount?.amount ?? 0,
    discountReason: discount?.reason ?? null,
    pointsAsked: points?.asked ?? 0,
    points: points?.used ?? 0,
    pointsAmount: points?.amount ?? 0,
    pointsReason: points?.reason ?? null,
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
  }
  await store.upsertRedemption(tx, workspaceId, row)
  return { isNew: before === undefined, redemption: viewOf(row) }
}

/**
 * Completion makes the redemption of a sale final, even if it was released meanwhile, because the customer has received the
 * discount. It may have used fewer points than were held for it.
 */
export const confirm = (tx: Tx, named: RedemptionLookup, points?: number): Promise<Redemption> =>
  end(tx, named, (before) => ({ ...withPoints(before, points), status: 'redeemed' }))

/** Any other end of a sale gives code and points back. */
export const release = (tx: Tx, named: RedemptionLookup): Promise<Redemption> =>
  end(tx, named, (before) => ({ ...before, status: 'released' }))

/** Fewer points take off less, in proportion. */
function withPoints(row: store.RedemptionRow, points = row.points): store.RedemptionRow {
  if (points >= row.points) return row
  return { ...row, points, pointsAmount: mulDivFloor(row.pointsAmount, points, row.points) }
}

async function end(
  tx: Tx,
  named: RedemptionLookup,
  ended: (before: store.RedemptionRow) => store.RedemptionRow,
): Promise<Redemption> {
  const { workspaceId, now } = named
  const before = await locked(tx, named)
  if (!before) throw notFound('redemption')
  const after = { ...ended(before), updatedAt: now }
  if (before.status === after.status) return viewOf(before)
  const step = after.status === 'released' ? -1 : 1
  const isCountChanged = after.status === 'released' || before.status === 'released'
  if (before.discountId !== null && isCountChanged)
    await discounts.count(tx, workspaceId, before.discountId, step)
  await store.upsertRedemption(tx, workspaceId, after)
  return viewOf(after)
}

export async function redemptionOf(db: Db, workspaceId: string, reference: string): Promise<Redemption> {
  const row = await store.find(db, workspaceId, reference)
  if (!row) throw notFound('redemption')
  return viewOf(row)
}
