import { keysOf, likeness, wordsOf } from '../../core.ts'
import { codesOf, type Tile } from '../../selling/shelf.ts'

/** Search as you type, by the same likeness as the service. Pure. */

type Entry = { tile: Tile; words: readonly string[]; name: string; codes: readonly string[] }
export type SearchIndex = {
  entries: readonly Entry[]
  /** Sorted, so that words that begin with a text lie together. */
  words: readonly (readonly [word: string, entries: readonly number[]])[]
  bySound: ReadonlyMap<string, ReadonlySet<number>>
}

const MOST_RESULTS = 60
/** The exact likeness is computed for the best of a quick ranking only. */
const MOST_COMPARED = 240

export function indexOf(tiles: readonly Tile[]): SearchIndex {
  const entries = tiles.map((tile): Entry => {
    const name = [tile.product.name, ...tile.variants.map((variant) => variant.name)].join(' ')
    const codes = tile.variants.flatMap(codesOf)
    return { tile, words: wordsOf(name), name, codes: codes.map((code) => code.toLowerCase()) }
  })
  const byWord = new Map<string, number[]>()
  entries.forEach(({ words }, at) => {
    for (const word of new Set(words)) {
      const known = byWord.get(word)
      if (known) known.push(at)
      else byWord.set(word, [at])
    }
  })
  const bySound = new Map<string, Set<number>>()
  for (const [word, places] of byWord) {
    for (const key of keysOf(word)) {
      const known = bySound.get(key) ?? new Set()
      for (const at of places) known.add(at)
      bySound.set(key, known)
    }
  }
  const words = [...byWord].sort(([a], [b]) => (a < b ? -1 : 1))
  return { entries, words, bySound }
}

/** The entries with a word that begins with the text. */
function startingWith({ words }: SearchIndex, text: string): Set<number> {
  let [low, high] = [0, words.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((words[middle]?.[0] ?? '') < text) low = middle + 1
    else high = middle
  }
  const found = new Set<number>()
  for (let at = low; words[at]?.[0].startsWith(text); at += 1)
    for (const entry of words[at]?.[1] ?? []) found.add(entry)
  return found
}

function matchesOf(index: SearchIndex, word: string): Set<number> {
  const found = startingWith(index, word)
  for (const key of keysOf(word)) for (const entry of index.bySound.get(key) ?? []) found.add(entry)
  return found
}

/** The tiles for a typed text, the likeliest first: every word must match, by its beginning or its sound. */
export function searchTiles(index: SearchIndex, text: string): Tile[] {
  const query = text.trim().toLowerCase()
  if (query === '') return index.entries.map(({ tile }) => tile)
  const words = wordsOf(query)
  const [first, ...others] = words.map((word) => matchesOf(index, word))
  const named = first ? [...first].filter((at) => others.every((found) => found.has(at))) : []
  const coded = /\d/.test(query)
    ? index.entries.flatMap(({ codes, name }, at) =>
        codes.some((code) => code.startsWith(query)) || name.toLowerCase().includes(query) ? [at] : [],
      )
    : []
  const begins = (at: number) => beginnings(index.entries[at]?.words ?? [], words)
  return ranked([...new Set([...coded, ...named])], begins)
    .slice(0, MOST_COMPARED)
    .map((at) => [at, begins(at) + likeness(query, index.entries[at]?.name ?? '')] as const)
    .sort(([a, one], [b, other]) => other - one || a - b)
    .slice(0, MOST_RESULTS)
    .flatMap(([at]) => index.entries[at]?.tile ?? [])
}

/** A word that begins like the typed one scores higher than a word that only sounds like it. */
function beginnings(own: readonly string[], words: readonly string[]): number {
  const count = words.filter((word) => own.some((each) => each.startsWith(word))).length
  return count + (own[0]?.startsWith(words[0] ?? ' ') ? 0.25 : 0)
}

const ranked = (places: readonly number[], points: (at: number) => number): number[] =>
  places
    .map((at) => [at, points(at)] as const)
    .sort(([a, one], [b, other]) => other - one || a - b)
    .map(([at]) => at)
