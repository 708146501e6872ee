import type {
  DeleteQueryBuilder,
  DeleteResult,
  Insertable,
  InsertQueryBuilder,
  InsertResult,
  SelectQueryBuilder,
  UpdateQueryBuilder,
  UpdateResult,
} from 'kysely'
import type { AccountId } from '../scope.ts'
import type { Db, WriteDb } from './open.ts'
import type { Database } from './tables.ts'

/** Tables whose rows belong to a workspace. */
type WorkspaceTable = {
  [T in keyof Database]: Database[T] extends { accountId: unknown } ? T : never
}[keyof Database]
type Account = { readonly accountId: AccountId }
type Rows<T extends WorkspaceTable> = Omit<Insertable<Database[T]>, 'accountId'>

// Kysely cannot type a table that is a parameter. The condition compiles alike for every table that has `accountId`, so
// each helper is written for one table and typed for all.
type Any = 'outlets'

/** Reads rows of one workspace. A store that starts its query here cannot forget the workspace condition. */
export const ownRows = <T extends WorkspaceTable>(db: Db, { accountId }: Account, table: T) =>
  db.selectFrom(table as Any).where('accountId', '=', accountId) as unknown as SelectQueryBuilder<
    Database,
    T,
    Record<never, never>
  >

/** Changes rows of one workspace. */
export const updateOwn = <T extends WorkspaceTable>(db: WriteDb, { accountId }: Account, table: T) =>
  db.updateTable(table as Any).where('accountId', '=', accountId) as unknown as UpdateQueryBuilder<
    Database,
    T,
    T,
    UpdateResult
  >

/** Deletes rows of one workspace. */
export const deleteOwn = <T extends WorkspaceTable>(db: WriteDb, { accountId }: Account, table: T) =>
  db.deleteFrom(table as Any).where('accountId', '=', accountId) as unknown as DeleteQueryBuilder<
    Database,
    T,
    DeleteResult
  >

/** Inserts one or several rows into the workspace; the rows themselves carry no `accountId`. */
export function insertOwn<T extends WorkspaceTable>(
  db: WriteDb,
  { accountId }: Account,
  table: T,
  rows: Rows<T> | readonly Rows<T>[],
) {
  const values = [rows].flat().map((row) => ({ ...(row as object), accountId }))
  return db.insertInto(table as Any).values(values as never) as unknown as InsertQueryBuilder<
    Database,
    T,
    InsertResult
  >
}
