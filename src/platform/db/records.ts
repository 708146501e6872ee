import { storedInstant } from '../../core/time.ts'
import { snakeOf } from './names.ts'

/**
 * Rows of another table travel inside a row as JSON records, in one statement. They are called as the code calls them
 * where the statement is written, so that none is renamed afterwards.
 */
export const recordFields = (fields: readonly string[], alias: string): string =>
  fields.map((field) => `${alias}.${snakeOf(field)} as "${field}"`).join(', ')

/**
 * Spells the instants of such records, which JSON writes otherwise than columns, in place: they are fresh from the driver,
 * and nobody else holds them.
 */
export function spellInstants<R>(records: R, fields: readonly string[]): R {
  for (const record of records as Record<string, unknown>[]) {
    for (const field of fields) {
      const instant = record[field]
      if (instant !== null) record[field] = storedInstant(instant as string)
    }
  }
  return records
}
