import { notFound } from '../../../core/errors.ts'
import { pointsFor } from '../../../core/points.ts'
import { emptyToNull } from '../../../core/text.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { emit } from '../../../platform/events/outbox.ts'
import type { ListResult } from '../../../platform/http/whole.ts'
import type { Scope } from '../../../platform/scope.ts'
import { loyaltyChanged } from './events.ts'
import { listLedger } from './ledger.ts'
import { requireAdjustable, requireNotErased, requirePoints } from './rules.ts'
import type { Customer, LoyaltyEntry, PointsAdjustmentIn } from './schema.ts'
import * as statements from './statements-loyalty.ts'
import * as store from './store.ts'
import { loyaltyLedger } from './store-ledger.ts'

type LoyaltyResult = { customer: Customer; entry: LoyaltyEntry }

/** Reads the balance and all its entries, newest first (B-points-4). */
export const getLoyalty = (
  db: Db,
  scope: Scope,
  id: string,
  page: { limit?: number; cursor?: string },
): Promise<ListResult<LoyaltyEntry>> =>
  listLedger(db, scope, { name: 'loyalty', customerId: id, ...loyaltyLedger(db, scope) }, page)

/**
 * Adjusts a balance by hand. Throws 422 param `points` for 0 or for a negative result, and 409 for an erased
 * customer.
 */
export async function adjustPoints(
  tx: Tx,
  scope: Scope,
  id: string,
  { points, reason }: PointsAdjustmentIn,
): Promise<LoyaltyResult> {
  const customer = await lockCustomer(tx, scope, id)
  requireAdjustable(customer.pointsBalance, points)
  return book(tx, scope, id, { type: 'ADJUST', points, reason: emptyToNull(reason) })
}

/** Redeems points. Throws 422 param `points` above the balance, and 409 for an erased customer. */
export async function redeemPoints(tx: Tx, scope: Scope, id: string, points: number): Promise<LoyaltyResult> {
  const customer = await lockCustomer(tx, scope, id)
  requirePoints(customer.pointsBalance, points)
  return book(tx, scope, id, { type: 'REDEEM', points: -points, reason: null })
}

async function lockCustomer(tx: Tx, scope: Scope, id: string): Promise<Customer> {
  const customer = await store.lock(tx, scope, id)
  if (!customer) throw notFound('customer')
  requireNotErased(customer)
  return customer
}

async function book(
  tx: Tx,
  scope: Scope,
  customerId: string,
  { type, points, reason }: Pick<LoyaltyEntry, 'type' | 'points' | 'reason'>,
): Promise<LoyaltyResult> {
  const balance = await statements.move(tx, scope, {
    customerId,
    points,
    spent: 0,
    visits: 0,
    visitedAt: null,
  })
  const customer = await store.find(tx, scope, customerId)
  if (balance === undefined || !customer) throw notFound('customer')
  const entry = await statements.insertEntry(tx, scope, {
    customerId,
    type,
    points,
    balanceAfter: balance,
    reason,
  })
  await announce(tx, scope, entry)
  return { customer, entry }
}

/**
 * Adds a completed sale to its customer: the visit at `soldAt`, the money (`total`, rupiah) and one EARN entry. The points depend
 * on `eligible` rupiah: goods after discounts, without tax and delivery. Locks the customer's row. A second EARN of
 * the same sale violates a unique index and fails the transaction (B-points-1, B-complete-1).
 */
export async function earnForSale(
  tx: Tx,
  scope: Scope,
  sale: { customerId: string; saleId: string; eligible: number; total: number; soldAt?: string },
): Promise<{ pointsEarned: number; rupiahPerPoint: number }> {
  const { customerId, saleId, eligible, total, soldAt = scope.now } = sale
  const rupiahPerPoint = await statements.findRate(tx, scope)
  const points = pointsFor(eligible, rupiahPerPoint)
  const moved = { customerId, points, spent: total, visits: 1, visitedAt: soldAt }
  const balanceAfter = await statements.move(tx, scope, moved)
  if (balanceAfter === undefined) throw notFound('customer', 'customerId')
  if (points > 0) {
    const entry = { customerId, type: 'EARN', points, balanceAfter, transactionId: saleId } as const
    await announce(tx, scope, await statements.insertEntry(tx, scope, entry))
  }
  return { pointsEarned: points, rupiahPerPoint }
}

/**
 * Reverses a refund (`refundId`) or a void (`refundId` null or its own record). Takes back `points` ≥ 0 by one
 * REVERSE entry, `spent` ≥ 0 rupiah and, for a void, the visit. The balance can become negative if the points were
 * already spent (B-customer-4, B-points-2).
 */
export async function reverseForSale(
  tx: Tx,
  scope: Scope,
  sale: {
    customerId: string
    saleId: string
    refundId: string | null
    points: number
    spent: number
    visits: number
  },
): Promise<void> {
  const { customerId, saleId, refundId, points, spent, visits } = sale
  const moved = { customerId, points: -points, spent: -spent, visits: -visits, visitedAt: null }
  const balanceAfter = await statements.move(tx, scope, moved)
  if (balanceAfter === undefined) throw notFound('customer', 'customerId')
  if (visits > 0) await statements.takeVisit(tx, scope, { customerId, saleId })
  if (points === 0) return
  const entry = {
    customerId,
    type: 'REVERSE',
    points: -points,
    balanceAfter,
    transactionId: saleId,
    refundId,
  } as const
  await announce(tx, scope, await statements.insertEntry(tx, scope, entry))
}

type SalePoints = { customerId: string; saleId: string; points: number }

/**
 * Redeems the points of a completed sale in the ledger (B-points-5). The marketing partner has already accepted them,
 * so the balance can become negative. A second REDEEM of the same sale violates a unique index.
 */
export const redeemForSale = (tx: Tx, scope: Scope, { customerId, saleId, points }: SalePoints) =>
  bookForSale(tx, scope, {
    customerId,
    type: 'REDEEM',
    points: -points,
    transactionId: saleId,
    refundId: null,
  })

/** Returns the points redeemed with a sale, for a refund or, if `refundId` is null, for a void (B-points-5). */
export const returnForSale = (
  tx: Tx,
  scope: Scope,
  { customerId, saleId, points, refundId }: SalePoints & { refundId: string | null },
) => bookForSale(tx, scope, { customerId, type: 'REVERSE', points, transactionId: saleId, refundId })

async function bookForSale(
  tx: Tx,
  scope: Scope,
  entry: Pick<LoyaltyEntry, 'customerId' | 'type' | 'points' | 'transactionId' | 'refundId'>,
): Promise<void> {
  const { customerId, points } = entry
  const moved = { customerId, points, spent: 0, visits: 0, visitedAt: null }
  const balanceAfter = await statements.move(tx, scope, moved)
  if (balanceAfter === undefined) throw notFound('customer', 'customerId')
  await announce(tx, scope, await statements.insertEntry(tx, scope, { ...entry, balanceAfter }))
}

const announce = (tx: Tx, scope: Scope, entry: LoyaltyEntry) =>
  emit(tx, scope, loyaltyChanged, entry.customerId, { customerId: entry.customerId, entry })
