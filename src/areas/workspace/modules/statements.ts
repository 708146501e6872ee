import type { Paid } from '../../../core/plans.ts'
import { validKeys } from '../../../platform/auth/statements.ts'
import { batchReads, batchStatement, formOf } from '../../../platform/db/batch-reads.ts'
import { type Db, named } from '../../../platform/db/open.ts'
import { recordFields, spellInstants } from '../../../platform/db/records.ts'
import type { AccountId, ModuleAtGate } from '../../../platform/scope.ts'

/** Of the workspace $1: its modules, what it paid for, and which of the API keys $2 are still valid. */
const STANDING = batchStatement(
  'modules_standing',
  (keys) => `select ${validKeys(keys)} as keys,
    (select coalesce(json_agg(r), '[]') from (
      select ${recordFields(['module', 'enabled', 'partner', 'partnerWorkspaceId', 'partnerKey'], 'm')}
        from modules m where m.account_id = $1) r) as modules,
    (select coalesce(json_agg(r), '[]') from (
      select ${recordFields(['tier', 'status', 'currentPeriodEnd'], 'b')}
        from billing_subscriptions b where b.account_id = $1) r) as paid
  from accounts a where a.account_id = $1`,
)
type Row = { keys: string[]; modules: ModuleAtGate[]; paid: Paid[] }
/** What a workspace has switched on and paid for; `keys` are those asked for that are still valid. */
export type Stored = { keys: ReadonlySet<string>; modules: readonly ModuleAtGate[]; paid: Paid | undefined }

export async function findStanding(
  db: Db,
  accountId: AccountId,
  keys: readonly string[] = [],
): Promise<Stored> {
  const [row] = await named<Row>(db, formOf(db, STANDING), [accountId, keys])
  if (!row) return { keys: new Set(), modules: [], paid: undefined }
  const [paid] = spellInstants(row.paid, ['currentPeriodEnd'])
  return { keys: new Set(row.keys), modules: row.modules, paid }
}

/** A crowd of callers of one workspace is let in by one statement; what it switches off or revokes counts for the next. */
export const findShared = batchReads<Stored>(async (db, accountId, keys) => {
  const stored = await findStanding(db, accountId, keys)
  return new Map(keys.map((key) => [key, stored]))
})
