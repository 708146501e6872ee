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
type Owned = { [T in keyof Database]: Database[T] extends { accountId: unknown } ? T : never }[keyof Database]
type Account = { readonly accountId: AccountId }
type Rows<T extends Owned> = Omit<Insertable<Database[T]>, 'accountId'>

// The builder cannot type a table that is a parameter. Any table that has `accountId` compiles to the same condition,
// so each helper is written for one of them and typed for all.
type Any = 'outlets'

/** Reads rows of one workspace: a statement of a room that starts here cannot forget whose rows it wants. */
export const ownRows = <T extends Owned>(db: Db, { accountId }: Account, table: T) =>
  db.selectFrom(table as Any).where('accountId', '=', accountId) as unknown as SelectQueryBuilder<
    Database,
    T,
    Record<never, never>
  >

/** Changes rows of one workspace. */
export const updateOwn = <T extends Owned>(db: WriteDb, { accountId }: Account, table: T) =>
  db.updateTable(table as Any).where('accountId', '=', accountId) as unknown as UpdateQueryBuilder<
    Database,
    T,
    T,
    UpdateResult
  >

/** Removes rows of one workspace. */
export const deleteOwn = <T extends Owned>(db: WriteDb, { accountId }: Account, table: T) =>
  db.deleteFrom(table as Any).where('accountId', '=', accountId) as unknown as DeleteQueryBuilder<
    Database,
    T,
    DeleteResult
  >

/** Adds one row, or several, to the workspace; a row does not say whose it is. */
export function insertOwn<T extends Owned>(
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
