import { sql } from 'kysely'
import type { Db } from '../../../platform/db/open.ts'

export const ping = (db: Db) => sql`select 1`.execute(db)
