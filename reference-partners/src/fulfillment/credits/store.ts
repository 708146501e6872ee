import type { Db, Tx } from '../../kit/db.ts'
import { newId } from '../ids.ts'
import type { CreditEntry, Topup } from './schema.ts'

export async function balanceOf(db: Db, workspaceId: string): Promise<number> {
  const [row] = await db.rows<{ balance: number }>(
    'select balance from reference_fulfillment.credit_balances where workspace_id = $1',
    [workspaceId],
  )
  return row?.balance ?? 0
}

export const insertBalance = (tx: Tx, workspaceId: string) =>
  tx.rows(
    'insert into reference_fulfillment.credit_balances (workspace_id, balance, entries) values ($1, 0, 0)',
    [workspaceId],
  )

type CreditBooking = Pick<CreditEntry, 'type' | 'amount'> & {
  workspaceId: string
  shipmentId?: string
  topupId?: string
  now: string
}

/**
 * Changes the credits and records the reason. Returns false, without a change, if they would fall below zero. Locks the
 * credits of the workspace until the transaction ends.
 */
export async function book(
  tx: Tx,
  { workspaceId, type, amount, shipmentId, topupId, now }: CreditBooking,
): Promise<boolean> {
  const [after] = await tx.rows<{ balance: number; entries: number }>(
    `update reference_fulfillment.credit_balances set balance = balance + $2, entries = entries + 1
      where workspace_id = $1 and balance + $2 >= 0 returning balance, entries`,
    [workspaceId, amount],
  )
  if (!after) return false
  await tx.rows(
    `insert into reference_fulfillment.credit_entries (workspace_id, id, seq, type, amount, balance_after, shipment_id, topup_id,
        created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      workspaceId,
      newId('creditEntry'),
      after.entries,
      type,
      amount,
      after.balance,
      shipmentId ?? null,
      topupId ?? null,
      now,
    ],
  )
  return true
}

type TopupFilter = { type: string | undefined; after: string | null; limit: number }
export const listEntries = (db: Db, workspaceId: string, { type, after, limit }: TopupFilter) =>
  db.rows<CreditEntry>(
    `select id, type, amount, balance_after, shipment_id, topup_id, created_at from reference_fulfillment.credit_entries
      where workspace_id = $1 and ($2::text is null or type = $2) and ($3::text is null or seq < (select c.seq
          from reference_fulfillment.credit_entries c where c.workspace_id = $1 and c.id = $3))
      order by seq desc limit $4`,
    [workspaceId, type ?? null, after, limit],
  )

export type TopupRow = Omit<Topup, 'status' | 'hostedUrl'> & {
  workspaceId: string
  token: string
  status: 'open' | 'paid' | 'canceled'
}
const COLUMNS = 'workspace_id, id, token, amount, status, return_url, paid_at, expires_at, created_at'

export const insertTopup = (tx: Tx, row: TopupRow) =>
  tx.rows(
    `insert into reference_fulfillment.credit_topups (${COLUMNS}, updated_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)`,
    [
      row.workspaceId,
      row.id,
      row.token,
      row.amount,
      row.status,
      row.returnUrl,
      row.paidAt,
      row.expiresAt,
      row.createdAt,
    ],
  )

export const findTopup = async (
  db: Db,
  token: string,
): Promise<(TopupRow & { merchant: string }) | undefined> =>
  (
    await db.rows<TopupRow & { merchant: string }>(
      `select ${COLUMNS.replaceAll(/\w+/g, (name) => `t.${name}`)}, w.name as merchant
        from reference_fulfillment.credit_topups t join reference_fulfillment.workspaces w on w.id = t.workspace_id
        where t.token = $1`,
      [token],
    )
  )[0]

export const lockTopup = async (tx: Tx, token: string): Promise<TopupRow | undefined> =>
  (
    await tx.rows<TopupRow>(
      `select ${COLUMNS} from reference_fulfillment.credit_topups where token = $1 for no key update`,
      [token],
    )
  )[0]

type TopupEnd = { workspaceId: string; id: string; status: 'paid' | 'canceled'; now: string }
export const endTopup = (tx: Tx, { workspaceId, id, status, now }: TopupEnd) =>
  tx.rows(
    `update reference_fulfillment.credit_topups set status = $3::text, updated_at = $4,
        paid_at = case when $3::text = 'paid' then $4::timestamptz end
      where workspace_id = $1 and id = $2`,
    [workspaceId, id, status, now],
  )

/** Removes unpaid top-ups. */
export const sweepTopups = (db: Db, before: string) =>
  db.rows(
    `delete from reference_fulfillment.credit_topups where status <> 'paid' and created_at < $1 and expires_at < $1`,
    [before],
  )
