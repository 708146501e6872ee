import { linesOfExamination } from '../platform/backup/examination.ts'
import type { Archive } from '../platform/backup/read.ts'

/** Describes a backup: its date, its version, and the row count of each table that is not empty. */
export function describe({ header, manifest }: Pick<Archive, 'header' | 'manifest'>): string[] {
  const filled = manifest.tables.filter(({ rows }) => rows > 0)
  const rows = filled.reduce((sum, table) => sum + table.rows, 0)
  const widest = Math.max(0, ...filled.map((table) => nameOf(table).length))
  return [
    `Books of ${header.createdAt}, Kasir ${header.version}, schema ${header.books[0]?.migrations.at(-1)?.name ?? 'empty'}`,
    ...filled.map((table) => `  ${nameOf(table).padEnd(widest)}  ${String(table.rows).padStart(9)}`),
    `${rows} rows in ${filled.length} of ${manifest.tables.length} tables, ${manifest.files.length} uploaded files.`,
  ]
}

const nameOf = ({ schema, table }: { schema: string; table: string }) =>
  schema === 'public' ? table : `${schema}.${table}`

/** Exit code for a complete file whose books break an invariant. A timer must notice, and a restore needs an option. */
export const BROKEN_BOOKS = 3

/**
 * Describes the result of the invariant check made during the backup. `isBroken`: a restore of the file would reject
 * its rows.
 */
export function describeExamination({ manifest: { examination } }: Pick<Archive, 'manifest'>): {
  isBroken: boolean
  lines: string[]
} {
  if (examination === undefined) {
    return {
      isBroken: false,
      lines: ['It was written by an older version, which did not check the invariants of the books.'],
    }
  }
  const lines = linesOfExamination(examination)
  if (examination.broken.length === 0) {
    return { isBroken: false, lines: lines.length === 0 ? ['The books are consistent.'] : lines }
  }
  return {
    isBroken: true,
    lines: [
      'The books are inconsistent:',
      ...lines,
      'This is a defect of Kasir: please report it. A restore of this file needs --accept-broken.',
    ],
  }
}
