import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/open.ts'

/** Whether this installation has a workspace: the one question about all of them. */
export async function hasWorkspace(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from accounts limit 1`.execute(db)
  return rows.length > 0
}

/** Of several that would be the first workspace, one is; the others wait here to learn it. */
export const lockOpening = (tx: Tx) =>
  sql`select pg_advisory_xact_lock(hashtextextended('first workspace', 0))`.execute(tx)
