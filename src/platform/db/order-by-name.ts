import { sql } from 'kysely'

/** How lists sort by name (contract 1.7): "apple" stands beside "Apple", whatever the collation of the database. */
export const orderByName = (column: string) => sql<string>`lower(${sql.ref(column)})`
