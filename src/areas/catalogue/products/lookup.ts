import { invalid } from '../../../core/errors.ts'
import { keysOf, likeness, soundOf, wordsOf } from '../../../core/likeness.ts'
import { containing } from '../../../core/text.ts'
import type { Db } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { LookupQuery, Match } from './schema.ts'
import * as store from './statements-lookup.ts'

const RESULTS = 20
/** Appended to a text, it sorts after every text that begins with that text. */
const LAST = '\u{10FFFF}'
const HAS_TRIGRAM = /[\p{L}\p{N}]{3}/u
const STARTS_WORD = /^[\p{L}\p{N}]/u

/**
 * Finds live variants for a till: one by barcode, or the best 20 for a text. Throws 422 without either (B-lookup-1).
 */
export async function lookup(db: Db, scope: Scope, { barcode, q }: LookupQuery): Promise<Match[]> {
  if (barcode !== undefined) return store.findByBarcode(db, scope, barcode)
  if (q === undefined) throw invalid('q', 'Send a barcode or a text in q')
  await store.requireProved(db, scope)
  return search(db, scope, q)
}

/**
 * Searches in steps: exact barcode, exact SKU, prefix, substring, similarity. A step runs only if the earlier ones
 * found fewer than 20 variants. Each step reads few rows, so a catalogue of 100,000 is as fast as one of 1,000.
 */
async function search(db: Db, scope: Scope, q: string): Promise<Match[]> {
  const text = q.toLowerCase()
  const found = new Map<string, Match>()
  const add = (matches: readonly Match[]) => {
    for (const match of matches) if (!found.has(match.variantId)) found.set(match.variantId, match)
    return found.size < RESULTS
  }
  const byCode = await store.findByCodeOrPrefix(db, scope, [q, text, text + LAST])
  // The text is a complete code and was found, so similar texts would not help.
  const isCode = byCode.some(
    (match) => match.barcode === q || match.pack !== null || match.sku?.toLowerCase() === text,
  )
  if (add(byCode) && (await addInside(db, scope, text, add)) && !isCode) {
    const words = comparedWords(text)
    if (words.length > 0) add(await findAlike(db, scope, words))
    const [word] = words
    if (found.size === 0 && word !== undefined && words.length === 1) add(await findNear(db, scope, word))
  }
  return [...found.values()].slice(0, RESULTS)
}

/** Runs the substring step. Returns true if fewer than 20 variants are found. */
async function addInside(
  db: Db,
  scope: Scope,
  text: string,
  add: (matches: readonly Match[]) => boolean,
): Promise<boolean> {
  const pattern = containing(text)
  if (HAS_TRIGRAM.test(text))
    return add(await store.findBySubstring(db, scope, { anchors: anchorsOf(text), pattern }))
  const atWord = containing(` ${text}`)
  if (
    STARTS_WORD.test(text) &&
    !add(await store.findBySubstring(db, scope, { anchors: atWord, pattern: atWord }))
  )
    return false
  return add(await store.findByFewLetters(db, scope, pattern))
}

const ANCHOR_LETTERS = 4
/**
 * Returns a short LIKE pattern that every match of the text also matches. `text` must have three letters or digits in
 * a row. The pattern is the end of a number, since numbers begin alike, or the beginnings of the two longest words.
 */
export function anchorsOf(text: string): string {
  const runs = text.match(/[\p{L}\p{N}]{3,}/gu) ?? []
  const number = runs.findLast((run) => /^[0-9]{4,}$/.test(run))
  if (number !== undefined) return `%${number.slice(-ANCHOR_LETTERS)}%`
  const longest = new Set(runs.toSorted((a, b) => b.length - a.length).slice(0, 2))
  const parts = runs.filter((run) => longest.has(run)).slice(0, 2)
  return `%${parts.map((run) => [...run].slice(0, ANCHOR_LETTERS).join('')).join('%')}%`
}

/**
 * The first five words of three letters or more: shorter words resemble too many others. A word of silent letters, such
 * as hhh, has no sound to compare.
 */
export const comparedWords = (text: string): string[] =>
  wordsOf(text)
    .filter((word) => [...word].length >= 3 && soundOf(word) !== '')
    .slice(0, 5)

/** Finds texts with a word similar to each of these; texts with the most equal words come first. */
async function findAlike(db: Db, scope: Scope, words: readonly string[]): Promise<Match[]> {
  const alike = await store.findAlike(
    db,
    scope,
    words.map((word) => ({ sounds: keysOf(word) })),
  )
  const query = words.join(' ')
  return alike
    .map(({ match, searchText }) => ({ match, points: likeness(query, searchText) }))
    .toSorted((a, b) => b.points - a.points)
    .map(({ match }) => match)
}

/**
 * The fallback for a single word: finds words that begin with its sound, or else words that share most of its
 * letters.
 */
async function findNear(db: Db, scope: Scope, word: string): Promise<Match[]> {
  const begun = await store.findAlike(db, scope, [{ sounds: [], prefix: soundOf(word) }])
  return begun.length > 0 ? begun.map(({ match }) => match) : store.findSimilar(db, scope, word)
}
