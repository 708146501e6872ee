import type { Selectable } from 'kysely'

/** A row as it is read, without `accountId`, which every statement compares. */
export type StoredRow<T> = Omit<Selectable<T>, 'accountId'>
