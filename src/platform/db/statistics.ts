import type { Deps } from '../deps.ts'
import { snakeOf } from './names.ts'
import { runText } from './open.ts'
import { type Database, TABLE_OWNER } from './tables.ts'

export const ALL_TABLES = Object.keys(TABLE_OWNER) as (keyof Database)[]

/**
 * Lets the planner see what a big write has filled: a till that sells right after it must not wait until the database
 * looks by itself. A sample of each table is read. What was written stays written whether this succeeds or not, so a
 * failure is only told.
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
    (err, table) => log.warn({ err, table }, 'the planner could not look at a table that was filled'),
  )
