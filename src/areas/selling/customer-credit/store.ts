import { sql } from 'kysely'
import { type Db } from '../../../platform/db/open.ts'
import { walk } from '../../../platform/db/walk.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { CreditEntry } from './schema.ts'

/** Reads what a customer owes and the newest entries before the entry `before`, in one statement, so that they agree. */
export async function findLedger(
  db: Db,
  scope: Scope,
  customerId: string,
  { before, limit }: { before: string | null; limit: number },
): Promise<{ balance: number; entries: CreditEntry[] } | undefined> {
  const { where, order } = walk({
    by: [['e.customerId', sql.val(customerId)]],
    id: 'e.id',
    from: null,
    before: before === null ? null : sql.val(before),
  })
  const rows = await db
    .selectFrom('customers as c')
    .leftJoinLateral(
      (from) =>
        from
          .selectFrom('customerCreditEntries as e')
          .selectAll()
          .where('e.accountId', '=', scope.accountId)
          .where(where)
          .orderBy(order)
          .limit(limit)
          .as('e'),
      (join) => join.onTrue(),
    )
    .select([
      'c.creditBalance as balance',
      'e.id',
      'e.customerId',
      'e.type',
      'e.amount',
      'e.open',
      'e.balanceAfter',
      'e.dueDate',
      'e.saleId',
      'e.paymentId',
      'e.refundId',
      'e.outletId',
      'e.shiftId',
      'e.method',
      'e.actorId',
      'e.approvedBy',
      'e.createdAt',
      'e.updatedAt',
    ])
    .where('c.accountId', '=', scope.accountId)
    .where('c.id', '=', customerId)
    .orderBy('e.id', 'desc')
    .execute()
  const [first] = rows
  if (!first) return undefined
  const entries = rows.flatMap(({ balance: _, ...entry }) =>
    entry.id === null ? [] : [entry as CreditEntry],
  )
  return { balance: first.balance, entries }
}
