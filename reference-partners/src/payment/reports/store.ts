import type { Db } from '../../kit/db.ts'
import type { Window } from '../../kit/window.ts'

type ReportQuery = Window & { currency: string }

export type MethodRow = { method: 'qris' | 'va' | 'hosted'; payments: number; gross: number; fees: number }
export const paymentsByMethod = (db: Db, workspaceId: string, { from, to, currency }: ReportQuery) =>
  db.rows<MethodRow>(
    `select method, count(*) as payments, sum(amount)::bigint as gross, sum(fee)::bigint as fees
      from reference_payment.payments
      where workspace_id = $1 and currency = $4 and created_at >= $2 and created_at < $3
      group by method order by method`,
    [workspaceId, from, to, currency],
  )

export type DayRow = { day: string; payments: number; fees: number; payouts: number; returned: number }
/** Movements of the balance per day of UTC; days without any are left out. */
export const movementsByDay = (db: Db, workspaceId: string, { from, to, currency }: ReportQuery) =>
  db.rows<DayRow>(
    `select to_char(created_at, 'YYYY-MM-DD') as day,
        coalesce(sum(amount) filter (where type = 'payment'), 0)::bigint as payments,
        coalesce(sum(amount) filter (where type = 'fee'), 0)::bigint as fees,
        coalesce(sum(amount) filter (where type = 'payout'), 0)::bigint as payouts,
        coalesce(sum(amount) filter (where type in ('payout_failure', 'payout_cancellation')), 0)::bigint as returned
      from reference_payment.ledger_transfers
      where workspace_id = $1 and currency = $4 and created_at >= $2 and created_at < $3
        and 'balance' in (from_account, to_account)
      group by 1 order by 1`,
    [workspaceId, from, to, currency],
  )

/** Returns the balance just before an instant. */
export const balanceBefore = async (
  db: Db,
  workspaceId: string,
  currency: string,
  at: string,
): Promise<number> =>
  (
    await db.rows<{ balance: number }>(
      `select coalesce(sum(case when to_account = 'balance' then amount else -amount end), 0)::bigint as balance
        from reference_payment.ledger_transfers
        where workspace_id = $1 and currency = $2 and created_at < $3 and 'balance' in (from_account, to_account)`,
      [workspaceId, currency, at],
    )
  )[0]?.balance ?? 0
