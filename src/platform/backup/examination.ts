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

/** What `kasir restore` prints about the books that it has loaded. */
export function restoredLines(examination: SavedExamination): string[] {
  const lines = linesOfExamination(examination)
  if (lines.length === 0) return ['The backup is restored completely, and the books are consistent.']
  return examination.broken.length > 0
    ? [
        'The backup is restored completely, but the books are inconsistent:',
        ...lines,
        'kasir doctor lists these rows too. This is a defect of Kasir: please report it.',
      ]
    : [
        'The backup is restored completely, but not every invariant could be checked:',
        ...lines,
        'kasir doctor checks them again.',
      ]
}
