import type { Examination } from '../db/invariants.ts'
import type { SavedExamination } from './format.ts'

/** The result of `examineBooks` in the form that the archive stores. */
export const savedForm = ({ broken, unchecked }: Examination): SavedExamination => ({
  broken: broken.map(({ part, name, rows }) => ({
    sentence: `${part}: ${name}`,
    rows: rows.map((row) => JSON.stringify(row)),
  })),
  unchecked,
})

/** One line for each broken invariant, with some of its rows, and for each invariant that could not be checked. */
export const linesOfExamination = ({ broken, unchecked }: SavedExamination): string[] => [
  ...broken.map(({ sentence, rows }) => `  broken: ${sentence} ${rows.join(' ')}`),
  ...unchecked.map((sentence) => `  not checked: ${sentence}`),
]
