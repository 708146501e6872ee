import type { Outcome } from './attempt.ts'

/**
 * What became of jobs and could not be reported yet, because the line was lost behind the print. On disk, so that a
 * reload does not print a paper twice.
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
