import type { Selectable } from 'kysely'

/** A row as it is read, without the workspace that every statement compares. */
export type Stored<T> = Omit<Selectable<T>, 'accountId'>
