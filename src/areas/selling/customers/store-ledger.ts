import { type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from '../../../platform/db/open.ts'
import { ownRows } from '../../../platform/db/own-rows.ts'
import type { Database } from '../../../platform/db/tables.ts'
import { walk } from '../../../platform/db/walk.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { LoyaltyEntry } from './schema.ts'

/** The entries of one ledger of all customers, and the balance of a customer's row that they come to. */
export type Ledger<E> =
  | { balance: 'pointsBalance'; entries: SelectQueryBuilder<Database, 'loyaltyEntries', E> }
  | { balance: 'creditBalance'; entries: SelectQueryBuilder<Database, 'customerCreditEntries', E> }

/** The ledger of loyalty points. */
export const loyaltyLedger = (db: Db, scope: Scope): Ledger<LoyaltyEntry> => ({
  balance: 'pointsBalance',
  entries: ownRows(db, scope, 'loyaltyEntries').select([
    'id',
    'customerId',
    'type',
    'points',
    'balanceAfter',
    'transactionId',
    'refundId',
    'reason',
    'actorId',
    'createdAt',
    'updatedAt',
  ]),
})

/**
 * Reads a balance of a customer and the newest entries before the entry `before`, in one statement, so that they agree.
 * The balance comes from the customer's row: the entry with the highest id is not always the latest, because ids follow
 * the clocks of processes. Only the entries of the page are read, however long the ledger is.
 */
export async function findLedger<E extends { id: string }>(
  db: Db,
  scope: Scope,
  { balance, entries }: Ledger<E>,
  { customerId, before, limit }: { customerId: string; before: string | null; limit: number },
): Promise<{ balance: number; entries: E[] } | undefined> {
  const { where, order } = walk({
    by: [['customerId', sql.val(customerId)]],
    id: 'id',
    from: null,
    before: before === null ? null : sql.val(before),
  })
  // Kysely cannot type a table that is a parameter: the statement is written for one ledger and typed for both.
  const page = (entries as unknown as SelectQueryBuilder<Database, 'loyaltyEntries', { id: string }>)
    .where(where)
    .orderBy(order)
    .limit(limit)
  const rows = await db
    .selectFrom('customers as c')
    .leftJoinLateral(page.as('e'), (join) => join.onTrue())
    .select(`c.${balance} as balance`)
    .selectAll('e')
    .where('c.accountId', '=', scope.accountId)
    .where('c.id', '=', customerId)
    .orderBy('e.id', 'desc')
    .execute()
  const [first] = rows
  if (!first) return undefined
  const found = rows.flatMap(({ balance: _, ...entry }) => (entry.id === null ? [] : [entry as unknown as E]))
  return { balance: first.balance, entries: found }
}
