import pg from 'pg'
import { snakeOf } from '../db/names.ts'
import { isSharded, runText, type WriteDb } from '../db/open.ts'
import { isWorkerLost } from '../db/pg-errors.ts'
import type { Database } from '../db/tables.ts'
import type { AccountId } from '../scope.ts'

type Wanted = {
  table: keyof Database
  /** Which of its rows count, in SQL without another table; `$1` and so on are `values`, which are texts. */
  where: string
  values?: readonly string[]
}

const SHARDS = `select s.success, s.result from run_command_on_shards($1::regclass, $2) s`

/** Workspaces that one statement names while a worker is out of reach. */
const PORTION = 500

/**
 * Workspaces that have such rows, in order. Where rows are spread over workers, those on one that is out of reach are left
 * out: whoever works for all others must not wait for it (docs/scaling.md).
 */
export async function workspacesWith(
  db: WriteDb,
  { table, where, values = [] }: Wanted,
): Promise<AccountId[]> {
  const name = snakeOf(table)
  try {
    const { rows } = await runText<{ accountId: AccountId }>(
      db,
      `select distinct account_id as "accountId" from ${name} where ${where} order by 1`,
      values,
    )
    return rows.map(({ accountId }) => accountId)
  } catch (error) {
    if (!isSharded(db) || !isWorkerLost(error)) throw error
  }
  const told = where.replaceAll(/\$(\d+)/g, (_, n: string) => pg.escapeLiteral(values[Number(n) - 1] ?? ''))
  const ask = `select coalesce(json_agg(distinct account_id), '[]') from %s where ${told.replaceAll('%', '%%')}`
  const { rows } = await runText<{ success: boolean; result: string }>(db, SHARDS, [name, ask])
  const found = rows.flatMap(({ success, result }) => (success ? (JSON.parse(result) as AccountId[]) : []))
  return found.sort()
}

/**
 * Does `ask` for all workspaces in one statement, null; while a worker is out of reach, for those that have such rows and can
 * be reached, a portion at a time and in order, until it found `enough`.
 */
export async function askReachable<T>(
  db: WriteDb,
  wanted: Wanted,
  ask: (accountIds: readonly AccountId[] | null) => Promise<T[]>,
  enough = Number.POSITIVE_INFINITY,
): Promise<T[]> {
  try {
    return await ask(null)
  } catch (error) {
    if (!isSharded(db) || !isWorkerLost(error)) throw error
  }
  const reachable = await workspacesWith(db, wanted)
  const found: T[] = []
  for (let at = 0; at < reachable.length && found.length < enough; at += PORTION)
    found.push(...(await ask(reachable.slice(at, at + PORTION))))
  return found.slice(0, enough)
}
