/**
 * Decides which words sound alike (B-lookup-2). Two words are alike if they share a key. The keys of a word are its
 * sound and, from four letters on, its sound with one vowel left out. This forgives a wrong, missing or extra vowel.
 * The database indexes the same keys (`src/areas/catalogue/products/sound.ts`). This file has no imports, so a
 * browser can bundle it.
 */

/** Accented letters with their base letters. */
export const ACCENTS = ['àáâãäåçèéêëìíîïñòóôõöùúûüý', 'aaaaaaceeeeiiiinooooouuuuy'] as const
/** Letters with the letter that they sound like. */
export const SAME_SOUND = ['cqvfyz', 'kkppis'] as const
/** Spellings of the same vowel, in order of replacement. */
export const VOWEL_PAIRS = [
  ['ie', 'i'],
  ['ee', 'i'],
  ['oo', 'u'],
  ['oe', 'u'],
] as const
/** Speakers harden the last consonant: goreng and gorenk. */
export const FINAL_SOUND = [
  ['b', 'p'],
  ['d', 't'],
  ['g', 'k'],
] as const
/** `y` counts as a vowel: crispy without it is crisp. */
export const VOWELS = 'aiueoy'
/** Only the first vowels are omitted; few words have more. */
export const VOWELS_LEFT_OUT = 6
/** Shorter words are compared by their sound alone. */
export const SHORTEST_WITH_SLIPS = 4

const translate = (text: string, [from, to]: readonly [string, string]): string =>
  text.replaceAll(new RegExp(`[${from}]`, 'g'), (letter) => to[from.indexOf(letter)] ?? '')

/**
 * The words of a text in lower case, without accents; gado2 becomes gado gado. A word with a digit is a code or a
 * size and is skipped.
 */
export function wordsOf(text: string): string[] {
  const doubled = text.toLowerCase().replaceAll(/([a-z]+)2(?![a-z0-9_])/g, '$1 $1')
  return translate(doubled, ACCENTS)
    .replaceAll(/[^ \t\n\r]*[0-9][^ \t\n\r]*/g, ' ')
    .split(/[\t\n\r !-`{-~]+/)
    .filter((word) => word !== '')
}

/**
 * The sound of a word: c and q become k, v and f become p, y becomes i, z becomes s. An h is silent after a consonant
 * and at the end. ie and ee become i, oo and oe become u. Double letters become one, and the last consonant is
 * hardened.
 */
export function soundOf(word: string): string {
  const letters = translate(word.replaceAll('x', 'ks'), SAME_SOUND)
  const spoken = letters.replaceAll(/([bdgkprst])h+|h+$/g, '$1')
  const vowels = VOWEL_PAIRS.reduce((so, [pair, vowel]) => so.replaceAll(pair, vowel), spoken)
  const single = vowels.replaceAll(/(.)\1+/gu, '$1')
  return FINAL_SOUND.reduce((so, [soft, hard]) => (so.endsWith(soft) ? so.slice(0, -1) + hard : so), single)
}

/** The sound first, then the sound without each of its vowels. */
export function keysOf(word: string): string[] {
  const keys = new Set([soundOf(word)])
  if ([...word].length >= SHORTEST_WITH_SLIPS) {
    const vowels = [...word.matchAll(new RegExp(`[${VOWELS}]`, 'g'))].slice(0, VOWELS_LEFT_OUT)
    for (const { index } of vowels) keys.add(soundOf(word.slice(0, index) + word.slice(index + 1)))
  }
  keys.delete('')
  return [...keys]
}

export const isAlike = (one: string, other: string): boolean => {
  const keys = new Set(keysOf(one))
  return keysOf(other).some((key) => keys.has(key))
}

/**
 * The score of a text for a query whose words all match: one point for each identical word, half a point for one that
 * only sounds alike.
 */
export function likeness(query: string, text: string): number {
  const words = wordsOf(text)
  const [letters, sounds] = [new Set(words), new Set(words.map(soundOf))]
  return wordsOf(query).reduce(
    (points, word) => points + (letters.has(word) ? 1 : sounds.has(soundOf(word)) ? 0.5 : 0),
    0,
  )
}
