import { type Db, named } from '../../../platform/db/open.ts'
import { statement } from '../../../platform/db/statement.ts'

const COUNT = statement('operator_workspace_count', 'select count(*)::int as count from accounts')

export async function countWorkspaces(db: Db): Promise<number> {
  const [row] = await named<{ count: number }>(db, COUNT, [])
  return row?.count ?? 0
}

/** An id contains its time, so the primary key sorts by age. */
const PAGE = statement(
  'operator_workspaces',
  `select account_id as id, name, created_at as "createdAt" from accounts
    where $1::text is null or account_id < $1 order by account_id desc limit $2`,
)

/** The workspaces made before the one with the id `before`, newest first. */
export const listWorkspaces = (db: Db, before: string | null, limit: number) =>
  named<{ id: string; name: string; createdAt: string }>(db, PAGE, [before, limit])

const MEMBERS = statement(
  'operator_members',
  `select account_id as "accountId", count(*)::int as value from members
    where account_id = any($1) group by account_id`,
)
const SALES = statement(
  'operator_sales',
  `select account_id as "accountId", sum(sales_count)::bigint as value from report_figures
    where account_id = any($1) and lens = 'DAY' and day > $2::date group by account_id`,
)
const SESSIONS = statement(
  'operator_sessions',
  `select account_id as "accountId", max(last_seen_at) as value from sessions
    where account_id = any($1) group by account_id`,
)
const KEYS = statement(
  'operator_keys',
  `select account_id as "accountId", max(last_used_at) as value from api_keys
    where account_id = any($1) group by account_id`,
)

type Figure<T> = { accountId: string; value: T }
const byWorkspace = <T>(rows: readonly Figure<T>[]) =>
  new Map(rows.map(({ accountId, value }) => [accountId, value]))

export const membersOf = async (db: Db, ids: readonly string[]) =>
  byWorkspace(await named<Figure<number>>(db, MEMBERS, [ids]))

/** Sales of the days after `day`, a date. */
export const salesSince = async (db: Db, ids: readonly string[], day: string) =>
  byWorkspace(await named<Figure<number>>(db, SALES, [ids, day]))

export const lastSessionsOf = async (db: Db, ids: readonly string[]) =>
  byWorkspace(await named<Figure<string>>(db, SESSIONS, [ids]))

export const lastKeyUsesOf = async (db: Db, ids: readonly string[]) =>
  byWorkspace(await named<Figure<string | null>>(db, KEYS, [ids]))
