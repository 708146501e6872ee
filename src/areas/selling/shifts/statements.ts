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

export type Uncounted = { accountId: AccountId; id: string; closedBy: string; closedAt: string }

/**
 * Shifts of every workspace that were closed before `closedBefore` and never got their figures: a portion, from the first
 * or from behind `last`.
 */
export const listUncounted = (db: WriteDb, closedBefore: string, last: Uncounted | null) => {
  const behind = last?.accountId ?? ''
  const values = [closedBefore, behind, last?.closedAt ?? '-infinity', last?.id ?? '']
  return askReachable<Uncounted>(
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

// It waits for rows that a close holds, and then sees them as closed. No limit: which of the candidates are still
// open matters to the caller, and a close locks one row only, so the order of two share locks cannot harm.
const BOOKING = statement(
  'shift_booking',
  `select id, cashier_id = $3 as "isOwn" from shifts
    where account_id = $1 and outlet_id = $2 and status = 'OPEN' and (cashier_id = $3 or id = any($4))
    order by id for share`,
)

/** The actor's open shift at the outlet and those of `candidates` that are open, held in share mode. */
export const shareOpen = (tx: Tx, scope: Scope, outletId: string, candidates: readonly string[]) =>
  named<{ id: string; isOwn: boolean }>(tx, BOOKING, [scope.accountId, outletId, scope.actor.id, candidates])
