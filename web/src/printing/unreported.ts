import type { Outcome } from './attempt.ts'

/**
 * Outcomes of print jobs that could not be reported yet, because the connection was lost. On disk, so that a reload does not
 * print a job twice.
 */
const KEY = 'kasir-print-outcomes'
const MOST = 50
/** A job that is older is not printed by itself any more (B-print-6), so its outcome can be forgotten. */
const KEPT_MS = 30 * 60_000

type StoredOutcome = { outcome: Outcome; keptMs: number }

type StoredOutcomes = Readonly<Record<string, StoredOutcome>>

/** The outcomes of this page while they cannot be stored, for example because the storage is full. */
let unstored: StoredOutcomes | null = null

function read(): StoredOutcomes {
  if (unstored !== null) return unstored
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as StoredOutcomes
  } catch {
    return {}
  }
}

function write(kept: readonly (readonly [string, StoredOutcome])[]) {
  const outcomes = Object.fromEntries(kept.slice(-MOST))
  try {
    localStorage.setItem(KEY, JSON.stringify(outcomes))
    unstored = null
  } catch {
    unstored = outcomes
  }
}

export const unreported = {
  all: (): readonly (readonly [string, Outcome])[] =>
    Object.entries(read()).map(([id, { outcome }]) => [id, outcome] as const),
  isPrinted: (id: string): boolean => read()[id]?.outcome.isPrinted === true,
  keep: (id: string, outcome: Outcome) => {
    const kept = read()
    // A repeated report keeps the time of the first one.
    write(Object.entries({ ...kept, [id]: { outcome, keptMs: kept[id]?.keptMs ?? Date.now() } }))
  },
  remove: (id: string) => write(Object.entries(read()).filter(([each]) => each !== id)),
  removeOld: () => write(Object.entries(read()).filter(([, { keptMs }]) => Date.now() - keptMs < KEPT_MS)),
}
