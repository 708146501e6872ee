import {
  ACCENTS,
  FINAL_SOUND,
  SAME_SOUND,
  SHORTEST_WITH_SLIPS,
  VOWEL_PAIRS,
  VOWELS,
  VOWELS_LEFT_OUT,
} from '../../../core/likeness.ts'

const replaceAll = (text: string, pattern: string, by: string) =>
  `regexp_replace(${text}, '${pattern}', '${by}', 'g')`

const replaceEach = (text: string, pairs: readonly (readonly [string, string])[]) =>
  pairs.reduce((so, [from, to]) => `replace(${so}, '${from}', '${to}')`, text)

/**
 * SQL for the words of a text, in lower case, separated by spaces (`wordsOf` in core). Migration 0100 stores them in
 * `search_words`.
 */
export function wordsOf(text: string): string {
  const doubled = replaceAll(text, '([a-z]+)2(?![a-z0-9_])', '\\1 \\1')
  const plain = `translate(${doubled}, '${ACCENTS.join("', '")}')`
  const withoutCodes = replaceAll(plain, '[^ \\t\\n\\r]*[0-9][^ \\t\\n\\r]*', ' ')
  return replaceAll(withoutCodes, '[\\t\\n\\r !-`{-~]+', ' ')
}

/** SQL for the sound of each word (`soundOf` in core). */
function sounds(text: string): string {
  const letters = `translate(replace(${text}, 'x', 'ks'), '${SAME_SOUND.join("', '")}')`
  const spoken = replaceAll(letters, '([bdgkprst])h+|h+(?= |$)', '\\1')
  const single = replaceAll(replaceEach(spoken, VOWEL_PAIRS), '(.)\\1+', '\\1')
  const ends = FINAL_SOUND.map(([soft, hard]) => [`${soft} `, `${hard} `] as const)
  return replaceEach(`${single} || ' '`, ends)
}

/**
 * SQL that removes the `n`th vowel (from 0) of each word with four letters or more. A word with fewer vowels stays
 * unchanged.
 */
const withoutVowel = (text: string, n: number) =>
  replaceAll(
    text,
    `(^| )(?=[^ ]{${SHORTEST_WITH_SLIPS}})([^${VOWELS} ]*(?:[${VOWELS}][^${VOWELS} ]*){${n}})[${VOWELS}]`,
    '\\1\\2',
  )

/**
 * SQL for the keys of these words (`keysOf` in core). Each key begins with the account, so a search reads only the
 * entries of its workspace. Migration 0100 indexes the same expression.
 */
export function keysOf(account: string, words: string): string {
  const slips = Array.from({ length: VOWELS_LEFT_OUT }, (_, n) => withoutVowel(words, n))
  const keys = sounds([words, ...slips].join(" || ' ' || "))
  return `array_to_tsvector(array_remove(string_to_array(replace(' ' || btrim(${keys}), ' ', ' ' || ${account} || ':'), ' '), ''))`
}
