import type { Db, PartnerDatabase, Tx } from '../db.ts'
import { idWith } from '../ids.ts'

/**
 * Writes a notice to the outbox in the transaction of its change. It is sent after the commit. `data` is the record as
 * its GET returns it.
 */
export async function announce(
  tx: Tx,
  { workspaceId, type, data, now }: { workspaceId: string; type: string; data: object; now: string },
) {
  const [workspace] = await tx.rows<{ externalId: string | null }>(
    `select external_id from ${tx.schema}.workspaces where id = $1`,
    [workspaceId],
  )
  const told = { workspaceExternalId: workspace?.externalId ?? null, ...data }
  await tx.rows(
    `insert into ${tx.schema}.notices (id, workspace_id, type, body, status, attempts, due_at, created_at, updated_at)
      values ($1, $2, $3, $4, 'pending', 0, $5, $5, $5)`,
    [idWith('ntc'), workspaceId, type, JSON.stringify({ type, timestamp: now, data: told }), now],
  )
}

export type DueNotice = { id: string; body: string; attempts: number }

/** Leases due notices, oldest first. After the lease expires another process may send them. */
export const claim = (
  db: PartnerDatabase,
  { now, until, atMost }: { now: string; until: string; atMost: number },
) =>
  db.tx((tx) =>
    tx.rows<DueNotice>(
      `update ${tx.schema}.notices n set due_at = $2, attempts = n.attempts + 1
        where n.id in (select id from ${tx.schema}.notices where status = 'pending' and due_at <= $1
          order by due_at, id limit $3 for update skip locked)
        returning n.id, n.body, n.attempts`,
      [now, until, atMost],
    ),
  )

export type NoticeResult = {
  id: string
  status: 'pending' | 'delivered' | 'failed'
  /** The time of the next attempt; meaningless after the last one. */
  dueAt: string
  lastStatus: number | null
  lastError: string | null
}

export const record = (db: Db, { id, status, dueAt, lastStatus, lastError }: NoticeResult, now: string) =>
  db.rows(
    `update ${db.schema}.notices set status = $2, due_at = $3, last_status = $4, last_error = $5, updated_at = $6
      where id = $1 and status = 'pending'`,
    [id, status, dueAt, lastStatus, lastError, now],
  )
