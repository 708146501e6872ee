import type { Selectable } from 'kysely'

/** The read form of a row, without `accountId`, which every statement compares. */
export type StoredRow<T> = Omit<Selectable<T>, 'accountId'>
