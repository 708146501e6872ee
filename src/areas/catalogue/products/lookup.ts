import { invalid } from '../../../core/errors.ts'
import { containing } from '../../../core/text.ts'
import type { Db } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { LookupQuery, Match } from './schema.ts'
import * as store from './statements-lookup.ts'

const RESULTS = 20
/** Sorts after every text that begins with what it is appended to. */
const LAST = '\u{10FFFF}'
const HAS_TRIGRAM = /[\p{L}\p{N}]{3}/u
const STARTS_WORD = /^[\p{L}\p{N}]/u

/** Live variants for a till: one by barcode, or the best 20 for a text. 422 without either (B-lookup-1). */
export async function lookup(db: Db, scope: Scope, { barcode, q }: LookupQuery): Promise<Match[]> {
  if (barcode !== undefined) return store.findByBarcode(db, scope, barcode)
  if (q === undefined) throw invalid('q', 'Send a barcode, or a text in q')
  await store.requireProved(db, scope)
  return search(db, scope, q)
}

/**
 * Exact barcode, exact SKU, prefix, substring, similarity: each step runs only while the ones before left places, and
 * each stops early, so that a catalogue of 100,000 answers like one of 1,000.
 */
async function search(db: Db, scope: Scope, q: string): Promise<Match[]> {
  const text = q.toLowerCase()
  const found = new Map<string, Match>()
  const add = (matches: readonly Match[]) => {
    for (const match of matches) if (!found.has(match.variantId)) found.set(match.variantId, match)
    return found.size < RESULTS
  }
  const byCode = await store.findByCodeOrPrefix(db, scope, [q, text, text + LAST])
  // Somebody who typed a whole code has found it; what merely resembles a number is noise.
  const isCode = byCode.some((match) => match.barcode === q || match.sku?.toLowerCase() === text)
  if (add(byCode) && (await addInside(db, scope, text, add)) && !isCode) {
    const words = wordsOf(text)
    if (words.length > 0) add(await store.findSimilar(db, scope, text, words))
  }
  return [...found.values()].slice(0, RESULTS)
}

/** The substring step; true while places are left. */
async function addInside(
  db: Db,
  scope: Scope,
  text: string,
  add: (matches: readonly Match[]) => boolean,
): Promise<boolean> {
  if (HAS_TRIGRAM.test(text)) return add(await store.findBySubstring(db, scope, containing(text)))
  if (STARTS_WORD.test(text) && !add(await store.findBySubstring(db, scope, containing(` ${text}`))))
    return false
  return add(await store.findByFewLetters(db, scope, containing(text)))
}

/** Up to three words worth comparing: letters only, the longest first; short ones only when there is no longer one. */
export function wordsOf(text: string): string[] {
  const words = [...new Set(text.match(/\p{L}{3,}/gu) ?? [])].sort((a, b) => b.length - a.length)
  const long = words.filter((word) => word.length >= 4)
  return (long.length > 0 ? long : words).slice(0, 3)
}
