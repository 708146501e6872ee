/** Synonyms across routes; similar spelling alone would not connect them. */
const SYNONYMS: readonly (readonly string[])[] = [
  ['items', 'lines'],
  ['qty', 'quantity', 'count'],
  ['note', 'notes', 'comment', 'remark'],
  ['reason', 'note'],
  ['name', 'title', 'label'],
  ['search', 'query', 'q'],
]
/** Longer words are rarely typing mistakes, and comparing them costs more than the hint is worth. */
const MAX_WORD = 64

const plain = (word: string) => word.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/**
 * The candidate that an unknown word probably meant, or null. In this order: the same word in another case or with
 * underscores, a synonym, a word with a few typing mistakes (one per three letters), or the only candidate that
 * contains the word.
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
    const slips = editDistance(asked, plain(candidate))
    if (slips <= allowed && (best === null || slips < best.slips)) best = { candidate, slips }
  }
  if (best !== null) return best.candidate
  const holding = asked.length < 4 ? [] : candidates.filter((candidate) => plain(candidate).includes(asked))
  return holding.length === 1 ? (holding[0] ?? null) : null
}

/** Edit distance: inserted, dropped, changed or swapped letters (optimal string alignment). */
function editDistance(a: string, b: string): number {
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
