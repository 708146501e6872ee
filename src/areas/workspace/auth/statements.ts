import { type Db, named, type Tx } from '../../../platform/db/open.ts'
import { statement } from '../../../platform/db/statement.ts'

const ANY_WORKSPACE = statement('auth_any_workspace', 'select 1 from accounts limit 1')

/** Whether this installation has a workspace. It asks about all workspaces, so it has no `account_id`. */
export const hasWorkspace = async (db: Db): Promise<boolean> =>
  (await named(db, ANY_WORKSPACE, [])).length > 0

const LOCK_OPENING = statement(
  'auth_lock_opening',
  `select pg_advisory_xact_lock(hashtextextended('first workspace', 0))`,
)

/** If several sign-ups compete to open the first workspace, one succeeds, and the others wait here for the result. */
export const lockOpening = (tx: Tx) => named(tx, LOCK_OPENING, [])
