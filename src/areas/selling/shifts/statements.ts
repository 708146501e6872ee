import { type Db, named, type Tx } from '../../../platform/db/open.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { AccountId, Scope } from '../../../platform/scope.ts'

const UNCOUNTED = statement(
  'shift_uncounted',
  `select account_id as "accountId", id, closed_by as "closedBy", closed_at as "closedAt" from shifts
    where status = 'CLOSED' and summary is null and closed_at < $1 and (account_id, closed_at, id) > ($2, $3, $4)
    order by account_id, closed_at, id limit 100`,
)

export type Uncounted = { accountId: AccountId; id: string; closedBy: string; closedAt: string }

/**
 * Shifts of every workspace that were closed before `closedBefore` and never got their figures: a portion, from the first
 * or from behind `last`.
 */
export const listUncounted = (db: Db, closedBefore: string, last: Uncounted | null) =>
  named<Uncounted>(db, UNCOUNTED, [
    closedBefore,
    last?.accountId ?? '',
    last?.closedAt ?? '-infinity',
    last?.id ?? '',
  ])

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
