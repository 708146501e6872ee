import { storedInstant } from '../../core/time.ts'
import { snakeOf } from './names.ts'

/**
 * Builds the columns of rows that travel as JSON records inside a row of another table, in one statement. They have the
 * code's names from the start, so that no record needs renaming.
 */
export const recordFields = (fields: readonly string[], alias: string): string =>
  fields.map((field) => `${alias}.${snakeOf(field)} as "${field}"`).join(', ')

/**
 * Converts the instants in such records: JSON formats them differently than columns do. It changes the records in
 * place: they come straight from the driver and are not shared.
 */
export function formatInstants<R>(records: R, fields: readonly string[]): R {
  for (const record of records as Record<string, unknown>[]) {
    for (const field of fields) {
      const instant = record[field]
      if (instant !== null) record[field] = storedInstant(instant as string)
    }
  }
  return records
}
