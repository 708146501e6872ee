import pg from 'pg'
import { snakeOf } from '../db/names.ts'
import { isSharded, runText, type WriteDb } from '../db/open.ts'
import { isWorkerLost } from '../db/pg-errors.ts'
import type { Database } from '../db/tables.ts'
import type { AccountId } from '../scope.ts'

type RowFilter = {
  table: keyof Database
  /**
   * The condition that a row must meet, in SQL on this table alone. `$1` and so on stand for `values`, all of them
   * texts.
   */
  where: string
  values?: readonly string[]
}

const SHARDS = `select s.success, s.result from run_command_on_shards($1::regclass, $2) s`

/** The most workspaces in one statement while a worker is unreachable. */
const PORTION = 500

/**
 * Returns the workspaces that have matching rows, sorted. In a sharded database it leaves out those on an unreachable
 * worker, so that work for all other workspaces does not wait for it (docs/scaling.md).
 */
export const workspacesWith = async (db: WriteDb, filter: RowFilter): Promise<AccountId[]> =>
  (await searchWorkspaces(db, filter)).accountIds

/** Like `workspacesWith`; `isComplete` is false if a worker was unreachable, whose workspaces are left out. */
export async function searchWorkspaces(
  db: WriteDb,
  { table, where, values = [] }: RowFilter,
): Promise<{ accountIds: AccountId[]; isComplete: boolean }> {
  const name = snakeOf(table)
  try {
    const { rows } = await runText<{ accountId: AccountId }>(
      db,
      `select distinct account_id as "accountId" from ${name} where ${where} order by 1`,
      values,
    )
    return { accountIds: rows.map(({ accountId }) => accountId), isComplete: true }
  } catch (error) {
    if (!isSharded(db) || !isWorkerLost(error)) throw error
  }
  const told = where.replaceAll(/\$(\d+)/g, (_, n: string) => pg.escapeLiteral(values[Number(n) - 1] ?? ''))
  const ask = `select coalesce(json_agg(distinct account_id), '[]') from %s where ${told.replaceAll('%', '%%')}`
  const { rows } = await runText<{ success: boolean; result: string }>(db, SHARDS, [name, ask])
  const found = rows.flatMap(({ success, result }) => (success ? (JSON.parse(result) as AccountId[]) : []))
  return { accountIds: found.sort(), isComplete: rows.every(({ success }) => success) }
}

/**
 * Calls `ask` once with null, for all workspaces in one statement. While a worker is unreachable, calls it for the
 * reachable workspaces with matching rows instead: in order, a batch at a time, until it has found `enough`.
 */
export async function askReachable<T>(
  db: WriteDb,
  wanted: RowFilter,
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
