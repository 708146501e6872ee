import type { Archive } from '../platform/backup/read.ts'

/** What a backup holds, for a person: when, which version, and the rows of each table that has any. */
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
