import { named, type Tx, type WriteDb } from '../../../platform/db/open.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { AccountId, Scope } from '../../../platform/scope.ts'
import { askReachable } from '../../../platform/sharding/holders.ts'

const UNCOUNTED = 100
const uncounted = (of: string) =>
  `select account_id as "accountId", id, closed_by as "closedBy", closed_at as "closedAt" from shifts
    where status = 'CLOSED' and summary is null and closed_at < $1 and (account_id, closed_at, id) > ($2, $3, $4)${of}
    order by account_id, closed_at, id limit ${UNCOUNTED}`
const UNCOUNTED_OF_ALL = statement('shift_uncounted', uncounted(''))
const UNCOUNTED_OF = statement('shift_uncounted_of', uncounted(' and account_id = any($5)'))

export type UnfinishedClose = { accountId: AccountId; id: string; closedBy: string; closedAt: string }

/**
 * Lists a portion of the shifts of all workspaces that were closed before `closedBefore` and have no figures, from
 * the beginning or after `last`.
 */
export const listUncounted = (db: WriteDb, closedBefore: string, last: UnfinishedClose | null) => {
  const behind = last?.accountId ?? ''
  const values = [closedBefore, behind, last?.closedAt ?? '-infinity', last?.id ?? '']
  return askReachable<UnfinishedClose>(
    db,
    {
      table: 'shifts',
      where: `status = 'CLOSED' and summary is null and closed_at < $1 and account_id >= $2`,
      values: [closedBefore, behind],
    },
    (of) => (of === null ? named(db, UNCOUNTED_OF_ALL, values) : named(db, UNCOUNTED_OF, [...values, of])),
    UNCOUNTED,
  )
}

// The statement waits for rows that a close has locked, and then reads them as closed. It has no limit, because the
// caller needs all candidates that are still open. A close locks only one row, so two share locks in any order cannot
// deadlock with it.
const BOOKING = statement(
  'shift_booking',
  `select id, cashier_id = $3 as "isOwn" from shifts
    where account_id = $1 and outlet_id = $2 and status = 'OPEN' and (cashier_id = $3 or id = any($4))
    order by id for share`,
)

/** Locks, in share mode, the actor's open shift at the outlet and the open ones among `candidates`. */
export const shareOpen = (tx: Tx, scope: Scope, outletId: string, candidates: readonly string[]) =>
  named<{ id: string; isOwn: boolean }>(tx, BOOKING, [scope.accountId, outletId, scope.actor.id, candidates])
