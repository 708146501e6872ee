import { type RawBuilder, sql } from 'kysely'
import { assert } from '../../core/assert.ts'

/**
 * One of a few words of our own, written into the text of a statement: a prepared read is planned for all values of its
 * parameters, and such a plan cannot use the partial index of one word (decision 0013).
 */
export function word<W extends string>(value: W, words: readonly W[]): RawBuilder<W> {
  assert(words.includes(value), 'a word of SQL is one of our own')
  return sql.lit(value)
}
