import { newId } from '../../../core/ids.ts'
import { SETTINGS_DEFAULTS } from '../../../core/settings.ts'
import { type Db, named, namedWrite, type Tx, type WriteDb } from '../../../platform/db/open.ts'
import { statement, writeStatement } from '../../../platform/db/statement.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { LoyaltyEntry } from './schema.ts'

const RATE = statement(
  'loyalty_rate',
  'select loyalty_rupiah_per_point as rate from settings where account_id = $1',
)

// One statement locks the row and changes all figures of the customer. It returns the new balance for the ledger
// entry.
const MOVE = writeStatement(
  'customer_move',
  `update customers set points_balance = points_balance + $3, total_spent = total_spent + $4,
      visit_count = visit_count + $5, last_visit_at = greatest(last_visit_at, $6), updated_at = $7
    where account_id = $1 and id = $2 returning points_balance as balance`,
)

const TAKE_VISIT = writeStatement(
  'customer_take_visit',
  `update customers set last_visit_at = (select s.completed_at from sales s
      where s.account_id = $1 and s.customer_id = $2 and s.id <> $3 and s.status = 'COMPLETED'
      order by s.completed_at desc limit 1)
    where account_id = $1 and id = $2`,
)

/** The last visit without that of a sale that is voided (B-customer-4). Call it after `move`, which locks the customer. */
export const takeVisit = (db: WriteDb, scope: Scope, sale: { customerId: string; saleId: string }) =>
  namedWrite(db, TAKE_VISIT, [scope.accountId, sale.customerId, sale.saleId])

const INSERT = writeStatement(
  'loyalty_insert',
  `insert into loyalty_entries (account_id, id, customer_id, type, points, balance_after, transaction_id, refund_id,
      reason, actor_id, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11)`,
)

/** Reads the rupiah per point; 0 means that loyalty is off. */
export async function findRate(db: Db, scope: Scope): Promise<number> {
  const [row] = await named<{ rate: number }>(db, RATE, [scope.accountId])
  return row?.rate ?? SETTINGS_DEFAULTS.loyaltyRupiahPerPoint
}

export type LoyaltyMove = {
  customerId: string
  points: number
  spent: number
  visits: number
  visitedAt: string | null
}

/**
 * Adds to the figures of a customer and returns the new balance of points. Returns undefined if the customer does not
 * exist.
 */
export async function move(
  tx: Tx,
  scope: Scope,
  { customerId, points, spent, visits, visitedAt }: LoyaltyMove,
) {
  const values = [scope.accountId, customerId, points, spent, visits, visitedAt, scope.now]
  const [row] = await namedWrite<{ balance: number }>(tx, MOVE, values)
  return row?.balance
}

type EntryIn = Pick<LoyaltyEntry, 'customerId' | 'type' | 'points' | 'balanceAfter'> &
  Partial<Pick<LoyaltyEntry, 'transactionId' | 'refundId' | 'reason'>>

/**
 * Inserts a ledger entry. Call it after `move`: ids created under the lock keep the entries in the order of their
 * balances.
 */
export async function insertEntry(tx: Tx, scope: Scope, input: EntryIn): Promise<LoyaltyEntry> {
  const entry: LoyaltyEntry = {
    id: newId('loyaltyEntry'),
    transactionId: null,
    refundId: null,
    reason: null,
    ...input,
    actorId: scope.actor.id,
    createdAt: scope.now,
    updatedAt: scope.now,
  }
  const { id, customerId, type, points, balanceAfter, transactionId, refundId, reason, actorId } = entry
  await namedWrite(tx, INSERT, [
    scope.accountId,
    id,
    customerId,
    type,
    points,
    balanceAfter,
    transactionId,
    refundId,
    reason,
    actorId,
    scope.now,
  ])
  return entry
}
