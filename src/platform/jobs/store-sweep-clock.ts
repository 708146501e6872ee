import { sql } from 'kysely'
import type { Db, WriteDb } from '../db/open.ts'

/** The name of the only row, which a migration creates. */
const NAME = 'sweep'

/** The stored state of the sweep clock, and the current time of the database server. */
export const read = (db: Db) =>
  db
    .selectFrom('sweepClock')
    .select(['trustedAt', 'candidateAt', 'confirmedMs'])
    .select(sql<string>`now()`.as('databaseAt'))
    .where('name', '=', NAME)
    .executeTakeFirstOrThrow()

type Values = { trustedAt: string; candidateAt: string | null; confirmedMs: number }

export const update = (db: WriteDb, values: Values) =>
  db.updateTable('sweepClock').set(values).where('name', '=', NAME).execute()

/** The instant of the last sweep of ordinary events that left none behind; null before the first. */
export const readSweptAt = async (db: Db): Promise<string | null> =>
  (await db.selectFrom('sweepClock').select('sweptAt').where('name', '=', NAME).executeTakeFirstOrThrow())
    .sweptAt

export const updateSweptAt = (db: WriteDb, sweptAt: string) =>
  db.updateTable('sweepClock').set({ sweptAt }).where('name', '=', NAME).execute()
