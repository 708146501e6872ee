import { notFound } from '../../../core/errors.ts'
import type { Db, Tx } from '../../kit/db.ts'
import { lockWorkspace } from '../../kit/workspaces/store.ts'
import { codeKeyOf, valueOf } from '../discounts/rules.ts'
import * as discounts from '../discounts/store.ts'
import { valuationOf } from './rules.ts'
import type { Redemption, Valuation, Wanted } from './schema.ts'
import * as store from './store.ts'

const holds = (row: store.Row | undefined): row is store.Row => row !== undefined && row.status !== 'released'

/** What code and points are worth to a sale; `own` is what it has of them already. */
async function value(db: Db, workspaceId: string, wanted: Wanted, now: string, own?: store.Row) {
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
  const valuation = valuationOf(wanted, valued, { spent: points.redeemed + points.reserved, pointValue })
  return { valuation, discountId: valued?.reason === null ? (discount?.id ?? null) : null }
}

/** What a sale would be given; nothing is kept. */
export const evaluate = async (
  db: Db,
  workspaceId: string,
  wanted: Wanted,
  now: string,
): Promise<Valuation> => (await value(db, workspaceId, wanted, now)).valuation

const viewOf = (row: store.Row): Redemption => ({
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

type Named = { workspaceId: string; reference: string; now: string }

/** Of two sales at once only one gets the last use of a code, and no point is spent twice. */
async function locked(tx: Tx, { workspaceId, reference }: Named) {
  await lockWorkspace(tx, workspaceId)
  return store.lock(tx, workspaceId, reference)
}

/**
 * Gives code and points to a sale, in place of what it had: asked again, it has them once. What a completed sale was given
 * stays.
 */
export async function redeem(
  tx: Tx,
  named: Named,
  wanted: Wanted,
): Promise<{ isNew: boolean; redemption: Redemption }> {
  const { workspaceId, reference, now } = named
  const before = await locked(tx, named)
  if (before?.status === 'redeemed') return { isNew: false, redemption: viewOf(before) }
  const { valuation, discountId } = await value(tx, workspaceId, wanted, now, before)
  const held = holds(before) ? before.discountId : null
  if (held !== discountId) {
    if (held !== null) await discounts.count(tx, workspaceId, held, -1)
    if (discountId !== null) await discounts.count(tx, workspaceId, discountId, 1)
  }
  const { discount, points } = valuation
  const row: store.Row = {
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
  await store.put(tx, workspaceId, row)
  return { isNew: before === undefined, redemption: viewOf(row) }
}

/**
 * Says how the sale ended. Completed, it has what it was given for good, also where that was released meanwhile: the
 * customer has it. Any other end gives it back.
 */
export async function end(tx: Tx, named: Named, status: 'redeemed' | 'released'): Promise<Redemption> {
  const { workspaceId, reference, now } = named
  const before = await locked(tx, named)
  if (!before) throw notFound('redemption')
  if (before.status === status) return viewOf(before)
  const step = status === 'released' ? -1 : 1
  const isCountChanged = status === 'released' || before.status === 'released'
  if (before.discountId !== null && isCountChanged)
    await discounts.count(tx, workspaceId, before.discountId, step)
  await store.setStatus(tx, workspaceId, { reference, status }, now)
  return viewOf({ ...before, status, updatedAt: now })
}

export async function redemptionOf(db: Db, workspaceId: string, reference: string): Promise<Redemption> {
  const row = await store.find(db, workspaceId, reference)
  if (!row) throw notFound('redemption')
  return viewOf(row)
}
