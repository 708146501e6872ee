import { type RawBuilder, sql } from 'kysely'
import { assert } from '../../core/assert.ts'

/**
 * Writes one of our own words into the text of a statement. A prepared read gets a generic plan for all parameter
 * values, which cannot use the partial index of one word (decision 0013).
 */
export function word<W extends string>(value: W, words: readonly W[]): RawBuilder<W> {
  assert(words.includes(value), 'a word written into SQL is one of the listed words')
  return sql.lit(value)
}
