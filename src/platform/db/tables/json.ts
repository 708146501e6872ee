import type { ColumnType } from 'kysely'

/** A JSON column: written as text, read as a value. */
export type JsonColumn = ColumnType<unknown, string | null | undefined, string | null>
