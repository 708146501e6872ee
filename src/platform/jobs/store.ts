import { sql } from 'kysely'
import type { WriteDb } from '../db/open.ts'

/**
 * The row of a job. `waitMs` is the time until it is due, by the clock of the database. `failure` is
 * from the last run only. `unfinishedRuns` counts the runs in a row that never ended.
 */
export type JobRow = {
  beat: number
  running: boolean
  unfinishedRuns: number
  waitMs: number
  startedAt: string | null
  failedAt: string | null
  failure: string | null
}

/** The row of the job; the first call creates it, due in `firstMs`. */
export async function find(db: WriteDb, name: string, firstMs: number): Promise<JobRow> {
  const read = () =>
    db
      .selectFrom('jobs')
      .select(['beat', 'running', 'unfinishedRuns', 'startedAt', 'failedAt', 'failure'])
      .select(sql<number>`(extract(epoch from due_at - now()) * 1000)::float8`.as('waitMs'))
      .where('name', '=', name)
      .executeTakeFirst()
  const known = await read()
  if (known) return known
  await db
    .insertInto('jobs')
    .values({ name, dueAt: fromNow(firstMs) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await read()) ?? find(db, name, firstMs)
}

const fromNow = (ms: number) => sql<string>`now() + ${ms}::float8 * interval '1 millisecond'`

/**
 * Updates the row if its beat is still `beat`, as in optimistic locking. Changes no row if another process has
 * updated it since, or holds its lock: a locked row is skipped.
 */
const change = (db: WriteDb, name: string, beat: number) =>
  db
    .updateTable('jobs')
    .set({ beat: beat + 1 })
    .where('name', '=', (eb) =>
      eb
        .selectFrom('jobs')
        .select('name')
        .where('name', '=', name)
        .where('beat', '=', beat)
        .forUpdate()
        .skipLocked(),
    )

type Change = ReturnType<typeof change>
const isDone = async (written: Change) => (await written.executeTakeFirst()).numUpdatedRows === 1n

/** Takes a job. If it is still marked as running, its last run never ended, and the run is counted as unfinished. */
export const begin = (db: WriteDb, name: string, beat: number) =>
  isDone(
    change(db, name, beat).set({
      running: true,
      startedAt: sql<string>`now()`,
      unfinishedRuns: sql<number>`unfinished_runs + running::int`,
    }),
  )

export const keep = (db: WriteDb, name: string, beat: number) => isDone(change(db, name, beat))

/** Records the end of a run, successful or with `failure`; the job is due again in `nextMs`. */
export const end = (
  db: WriteDb,
  name: string,
  { beat, nextMs, failure }: { beat: number; nextMs: number; failure: string | null },
) =>
  isDone(
    change(db, name, beat).set({
      running: false,
      unfinishedRuns: 0,
      dueAt: fromNow(nextMs),
      failure,
      ...(failure === null ? { finishedAt: sql<string>`now()` } : { failedAt: sql<string>`now()` }),
    }),
  )

/** Releases a job whose run had to stop early: the next process continues the work. */
export const release = (db: WriteDb, name: string, beat: number) =>
  isDone(change(db, name, beat).set({ running: false, dueAt: sql<string>`now()` }))
