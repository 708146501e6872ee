import { randomUUID } from 'node:crypto'
import type { Tx, WriteDb } from '../db/open.ts'

/** Inserts one failure per subject and returns the ids that remove them. */
export async function insertFailures(tx: Tx, subjects: readonly string[], now: string): Promise<string[]> {
  const rows = subjects.map((subject) => ({ subject, id: randomUUID(), failedAt: now }))
  await tx.insertInto('loginFailures').values(rows).execute()
  return rows.map((row) => row.id)
}

export const removeFailures = (db: WriteDb, subjects: readonly string[], ids: readonly string[]) =>
  db.deleteFrom('loginFailures').where('subject', 'in', subjects).where('id', 'in', ids).execute()

export const clearFailures = (db: WriteDb, subjects: readonly string[]) =>
  db.deleteFrom('loginFailures').where('subject', 'in', subjects).execute()

/** Records an attempt that a subject may make once. Returns false if it exists. The sweeper keeps it for an hour. */
export const insertOnly = async (db: WriteDb, subject: string, now: string): Promise<boolean> =>
  (await db
    .insertInto('loginFailures')
    .values({ subject, id: 'once', failedAt: now })
    .onConflict((conflict) => conflict.columns(['subject', 'id']).doNothing())
    .returning('id')
    .executeTakeFirst()) !== undefined
