import type { PaidPlan } from '../../../core/plans.ts'
import { rolesOfKeys } from '../../../platform/auth/statements.ts'
import { batchReads, batchStatement, formOf } from '../../../platform/db/batch-reads.ts'
import { type Db, named } from '../../../platform/db/open.ts'
import { formatInstants, recordFields } from '../../../platform/db/records.ts'
import type { AccountId, ModuleAtGate, Role } from '../../../platform/scope.ts'

/** Reads the modules and paid plan of the workspace $1, and the roles of those API keys in $2 that are still valid. */
const STANDING = batchStatement(
  'modules_standing',
  (keys) => `select ${rolesOfKeys(keys)} as keys,
    (select coalesce(json_agg(r), '[]') from (
      select ${recordFields(['module', 'enabled', 'partner', 'partnerWorkspaceId', 'partnerKey'], 'm')}
        from modules m where m.account_id = $1) r) as modules,
    (select coalesce(json_agg(r), '[]') from (
      select ${recordFields(['tier', 'status', 'currentPeriodEnd', 'following'], 'b')}
        from billing_subscriptions b where b.account_id = $1) r) as paid
  from accounts a where a.account_id = $1`,
)
type GateRow = { keys: Record<string, Role>; modules: ModuleAtGate[]; paid: PaidPlan[] }
/** The modules and the plan of a workspace. `keys` has the roles of those requested keys that are still valid. */
export type WorkspaceModules = {
  keys: ReadonlyMap<string, Role>
  modules: readonly ModuleAtGate[]
  paid: PaidPlan | undefined
}

export async function findStanding(
  db: Db,
  accountId: AccountId,
  keys: readonly string[] = [],
): Promise<WorkspaceModules> {
  const [row] = await named<GateRow>(db, formOf(db, STANDING), [accountId, keys])
  if (!row) return { keys: new Map(), modules: [], paid: undefined }
  const [paid] = formatInstants(row.paid, ['currentPeriodEnd'])
  return { keys: new Map(Object.entries(row.keys)), modules: row.modules, paid }
}

/** Concurrent callers of one workspace share one statement. A change counts from the next statement on. */
export const findShared = batchReads<WorkspaceModules>(async (db, accountId, keys) => {
  const stored = await findStanding(db, accountId, keys)
  return new Map(keys.map((key) => [key, stored]))
})
