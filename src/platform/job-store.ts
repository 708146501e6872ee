import { sql } from 'kysely'
import type { WriteDb } from './db/open.ts'

/** A job as its row tells: `waitMs` until it is due, by the clock of the database; `failure` of the last run alone. */
export type JobRow = {
  beat: number
  running: boolean
  waitMs: number
  startedAt: string | null
  failedAt: string | null
  failure: string | null
}

/** The row of the job; the first who asks makes it, due in `firstMs`. */
export async function find(db: WriteDb, name: string, firstMs: number): Promise<JobRow> {
  const read = () =>
    db
      .selectFrom('jobs')
      .select(['beat', 'running', 'startedAt', 'failedAt', 'failure'])
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
 * Writes on behalf of whoever saw `beat` last. False when somebody has written since, or is about to: such a row is
 * skipped rather than waited for.
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

export const begin = (db: WriteDb, name: string, beat: number) =>
  isDone(change(db, name, beat).set({ running: true, startedAt: sql<string>`now()` }))

export const keep = (db: WriteDb, name: string, beat: number) => isDone(change(db, name, beat))

/** Ends a run that came to its end, well or with `failure`; the job is due again in `nextMs`. */
export const end = (db: WriteDb, name: string, beat: number, nextMs: number, failure: string | null) =>
  isDone(
    change(db, name, beat).set({
      running: false,
      dueAt: fromNow(nextMs),
      failure,
      ...(failure === null ? { finishedAt: sql<string>`now()` } : { failedAt: sql<string>`now()` }),
    }),
  )

/** Gives up a run that had to stop before its end: whoever comes next goes on. */
export const release = (db: WriteDb, name: string, beat: number) =>
  isDone(change(db, name, beat).set({ running: false, dueAt: sql<string>`now()` }))
