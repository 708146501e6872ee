import type { Db, Tx } from '../db.ts'
import { idWith } from '../ids.ts'

/** The workspace of the platform itself. */
export const PLATFORM = 'wsp_platform'

export type Workspace = { id: string; externalId: string | null; name: string }

export const findWorkspace = async (db: Db, id: string): Promise<Workspace | undefined> =>
  (
    await db.rows<Workspace>(`select id, external_id, name from ${db.schema}.workspaces where id = $1`, [id])
  )[0]

/** The workspace of that external id, made when there is none; its name is the last one given. */
export async function upsertWorkspace(
  tx: Tx,
  { externalId, name, now }: { externalId: string; name: string; now: string },
): Promise<{ id: string; isNew: boolean }> {
  const id = idWith('wsp')
  const [row] = await tx.rows<{ id: string }>(
    `insert into ${tx.schema}.workspaces (id, external_id, name, created_at, updated_at)
      values ($1, $2, $3, $4, $4)
      on conflict (external_id) do update set name = excluded.name, updated_at = excluded.updated_at
      returning id`,
    [id, externalId, name, now],
  )
  return { id: row?.id ?? id, isNew: row?.id === id }
}

/**
 * Locks the money of this workspace until the transaction ends, so the balances a transfer records stay correct.
 */
export const lockWorkspace = (tx: Tx, id: string) =>
  tx.rows(`select from ${tx.schema}.workspaces where id = $1 for no key update`, [id])

/** The next number of a series of the workspace, without gaps: 1, 2, 3. */
export async function nextNumber(tx: Tx, workspaceId: string, series: string): Promise<number> {
  const [row] = await tx.rows<{ value: number }>(
    `insert into ${tx.schema}.counters as c (workspace_id, name, value) values ($1, $2, 1)
      on conflict (workspace_id, name) do update set value = c.value + 1 returning value`,
    [workspaceId, series],
  )
  return row?.value ?? 1
}
