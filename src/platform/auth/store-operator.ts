import type { Db, Tx, WriteDb } from '../db/open.ts'
import type { OperatorTokensRow } from '../db/tables/installation.ts'

type Kind = OperatorTokensRow['kind']
type TokenLookup = { kind: Kind; tokenHash: string; now: string }

export const insertToken = (db: WriteDb, row: OperatorTokensRow) =>
  db.insertInto('operatorTokens').values(row).execute()

export const findToken = (db: Db, { kind, tokenHash, now }: TokenLookup) =>
  db
    .selectFrom('operatorTokens')
    .select('expiresAt')
    .where('tokenHash', '=', tokenHash)
    .where('kind', '=', kind)
    .where('expiresAt', '>', now)
    .executeTakeFirst()

/** Removes a token. Of two concurrent calls, only one returns it. */
export const takeToken = (tx: Tx, { kind, tokenHash, now }: TokenLookup) =>
  tx
    .deleteFrom('operatorTokens')
    .where('tokenHash', '=', tokenHash)
    .where('kind', '=', kind)
    .where('expiresAt', '>', now)
    .returning('tokenHash')
    .executeTakeFirst()

export const removeToken = (db: WriteDb, kind: Kind, tokenHash: string) =>
  db.deleteFrom('operatorTokens').where('tokenHash', '=', tokenHash).where('kind', '=', kind).execute()

/** Removes every link and session, and returns their kinds and ends. */
export const removeAll = (db: WriteDb) =>
  db.deleteFrom('operatorTokens').returning(['kind', 'expiresAt']).execute()
