import { sql } from 'kysely'
import { type Db } from '../../../platform/db/open.ts'
import { walk } from '../../../platform/db/walk.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { LoyaltyEntry } from './schema.ts'

/**
 * Reads the balance of a customer and the newest entries before the entry `before`, in one statement, so that they
 * agree. The balance comes from the customer's row: the entry with the highest id is not always the latest, because
 * ids follow the clocks of processes.
 */
export async function findLedger(
  db: Db,
  scope: Scope,
  customerId: string,
  { before, limit }: { before: string | null; limit: number },
): Promise<{ balance: number; entries: LoyaltyEntry[] } | undefined> {
  const { where, order } = walk({
    by: [['e.customerId', sql.val(customerId)]],
    id: 'e.id',
    from: null,
    before: before === null ? null : sql.val(before),
  })
  const rows = await db
    .selectFrom('customers as c')
    .leftJoin('loyaltyEntries as e', (join) => join.on('e.accountId', '=', scope.accountId).on(where))
    .select([
      'c.pointsBalance as balance',
      'e.id',
      'e.customerId',
      'e.type',
      'e.points',
      'e.balanceAfter',
      'e.transactionId',
      'e.refundId',
      'e.reason',
      'e.actorId',
      'e.createdAt',
      'e.updatedAt',
    ])
    .where('c.accountId', '=', scope.accountId)
    .where('c.id', '=', customerId)
    .orderBy(order)
    .limit(limit)
    .execute()
  const [first] = rows
  if (!first) return undefined
  const entries = rows.flatMap(({ balance: _, ...entry }) =>
    entry.id === null ? [] : [entry as LoyaltyEntry],
  )
  return { balance: first.balance, entries }
}
