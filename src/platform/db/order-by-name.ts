import { sql } from 'kysely'

/** Sorts lists by name (B-list-4): "apple" stands beside "Apple", whatever the collation of the database. */
export const orderByName = (column: string) => sql<string>`lower(${sql.ref(column)})`
