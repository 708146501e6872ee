/** Words that mean the same on different routes; spelling alone would not find one from the other. */
const SYNONYMS: readonly (readonly string[])[] = [
  ['items', 'lines'],
  ['qty', 'quantity', 'count'],
  ['note', 'notes', 'comment', 'remark'],
  ['reason', 'note'],
  ['name', 'title', 'label'],
  ['search', 'query', 'q'],
]
/** A longer word is not a typing mistake, and comparing it would cost more than the hint is worth. */
const MAX_WORD = 64

const plain = (word: string) => word.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/**
 * The candidate that was probably meant by a word that is not one of them, or null: the same word in another case or
 * with underscores, one that means the same, one a few slips away (a letter wrong, missing, doubled or swapped; one
 * slip for every three letters), or the only one that holds the word.
 */
export function nearest(word: string, candidates: readonly string[]): string | null {
  if (word.length > MAX_WORD) return null
  const asked = plain(word)
  if (asked === '') return null
  const same = candidates.find((candidate) => plain(candidate) === asked)
  if (same !== undefined) return same
  const meant = SYNONYMS.filter((group) => group.includes(asked)).flat()
  const synonym = candidates.find((candidate) => meant.includes(plain(candidate)))
  if (synonym !== undefined) return synonym
  const allowed = Math.max(1, Math.floor(asked.length / 3))
  let best: { candidate: string; slips: number } | null = null
  for (const candidate of candidates) {
    const slips = slipsBetween(asked, plain(candidate))
    if (slips <= allowed && (best === null || slips < best.slips)) best = { candidate, slips }
  }
  if (best !== null) return best.candidate
  const holding = asked.length < 4 ? [] : candidates.filter((candidate) => plain(candidate).includes(asked))
  return holding.length === 1 ? (holding[0] ?? null) : null
}

/** Letters to insert, drop, change or swap with their neighbour (optimal string alignment). */
function slipsBetween(a: string, b: string): number {
  let before: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const changed = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      let least = Math.min(changed, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (before[j - 2] ?? 0) + 1)
      row.push(least)
    }
    before = above
    above = row
  }
  return above[b.length] ?? 0
}
