import type pg from 'pg'
import type { Api } from '../support/api.ts'

type Runner = Pick<pg.Pool, 'query'>

const TENANT_TABLES = `select table_name as name from information_schema.columns
  where table_schema = 'public' and column_name = 'account_id' order by 1`

/** Bookkeeping that a refused request may touch: a key's last use, a released idempotency row. */
const LEFT_OUT = ['idempotency_keys', 'member_emails', 'gift_card_misses']

let statement: string | undefined

async function statementOf(pool: Runner): Promise<string> {
  if (statement) return statement
  const { rows } = await pool.query<{ name: string }>(TENANT_TABLES)
  statement = rows
    .map((row) => row.name)
    .filter((name) => !LEFT_OUT.includes(name))
    .map(
      (name) =>
        `select '${name}' as name, count(*)::int as n, md5(coalesce(string_agg((to_jsonb(t) - 'last_used_at' - 'last_seen_at')::text, '' order by t::text), '')) as hash from ${name} t where account_id = $1`,
    )
    .join(' union all ')
  return statement
}

/** Rows and a fingerprint per table of a workspace: equal before and after means that nothing was written. */
export async function snapshot(pool: Runner, api: Api): Promise<Record<string, string>> {
  const { rows } = await pool.query<{ name: string; n: number; hash: string }>(await statementOf(pool), [
    api.workspace.accountId,
  ])
  return Object.fromEntries(rows.map((row) => [row.name, `${row.n} ${row.hash}`]))
}

/** Tables of a workspace that hold the text anywhere in a row. */
export async function tablesHolding(pool: Runner, api: Api, text: string): Promise<string[]> {
  const { rows: tables } = await pool.query<{ name: string }>(TENANT_TABLES)
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await pool.query(
        `select 1 from ${name} t where account_id = $1 and to_jsonb(t)::text like $2 limit 1`,
        [api.workspace.accountId, `%${text}%`],
      )
      return rows.length > 0 ? name : null
    }),
  )
  return found.filter((name) => name !== null)
}
