import type { Outcome } from './attempt.ts'

/**
 * Outcomes of print jobs that could not be reported yet, because the connection was lost. On disk, so that a reload does not
 * print a job twice.
 */
const KEY = 'kasir-print-outcomes'
const MOST = 50

type Outcomes = Readonly<Record<string, Outcome>>

function read(): Outcomes {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Outcomes
  } catch {
    return {}
  }
}

const write = (outcomes: Outcomes) =>
  localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(Object.entries(outcomes).slice(-MOST))))

export const unreported = {
  all: (): readonly (readonly [string, Outcome])[] => Object.entries(read()),
  isPrinted: (id: string): boolean => read()[id]?.isPrinted === true,
  keep: (id: string, outcome: Outcome) => write({ ...read(), [id]: outcome }),
  remove: (id: string) => {
    const { [id]: _, ...others } = read()
    write(others)
  },
}
