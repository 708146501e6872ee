import type { Migration } from '../../src/platform/db/migrate.ts'

const lineOf = ({ name, checksum }: Pick<Migration, 'name' | 'checksum'>) => `${checksum}  ${name}`
const linesOf = (sums: string) => sums.split('\n').filter((line) => line !== '')
const nameIn = (line: string) => line.slice(line.indexOf('  ') + 2)

/**
 * The names of migrations that are not what `migrations/SHA256SUMS` has of them: edited, renamed or removed after they
 * were committed. A database out there has run them as they were; what is wrong with one is put right by the next.
 */
export function brokenMigrations(sums: string, migrations: readonly Migration[]): string[] {
  const present = new Set(migrations.map(lineOf))
  return linesOf(sums)
    .filter((line) => !present.has(line))
    .map(nameIn)
}

/** The same file with a line for each migration it does not know yet; no line of it changes. */
export function extendedSums(sums: string, migrations: readonly Migration[]): string {
  const lines = linesOf(sums)
  const known = new Set(lines.map(nameIn))
  const added = migrations.filter(({ name }) => !known.has(name)).map(lineOf)
  const inOrder = [...lines, ...added].sort((a, b) => (nameIn(a) < nameIn(b) ? -1 : 1))
  return `${inOrder.join('\n')}\n`
}
