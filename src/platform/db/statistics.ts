import type { Deps } from '../deps.ts'
import { snakeOf } from './names.ts'
import { runText } from './open.ts'
import { type Database, TABLE_OWNER } from './tables.ts'

export const ALL_TABLES = Object.keys(TABLE_OWNER) as (keyof Database)[]

/**
 * Updates the planner's statistics after a large write, from a sample of each table. Otherwise a till that sells right
 * after it runs on poor plans until autovacuum comes. A failure is only logged: the written rows stay written.
 */
export async function analyze(
  run: (text: string) => Promise<unknown>,
  tables: readonly string[],
  onFailure: (error: unknown, table: string) => void,
) {
  for (const table of tables) await run(`analyze ${table}`).catch((error: unknown) => onFailure(error, table))
}

export const analyzeTables = ({ db, log }: Pick<Deps, 'db' | 'log'>, tables: readonly (keyof Database)[]) =>
  analyze(
    (text) => runText(db, text),
    tables.map(snakeOf),
    (err, table) =>
      log.warn({ err, table }, 'could not analyze a table after a large write; autovacuum will do it later'),
  )
