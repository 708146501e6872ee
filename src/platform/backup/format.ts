import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { BackupError } from './error.ts'

/** The layout of the archive; a newer one is refused by a version that does not know it. */
export const FORMAT = 1

const Name = Type.String({ pattern: '^[a-z_][a-z0-9_]{0,62}$' })
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })
const Count = Type.Integer({ minimum: 0 })

const MigrationRef = Type.Object({ name: Type.String({ maxLength: 200 }), checksum: Sha256 })

/** The first entry: what a restore must know before it reads on. */
export const Header = Type.Object({
  format: Type.Integer({ minimum: 1 }),
  version: Type.String({ maxLength: 50 }),
  createdAt: Type.String({ maxLength: 30 }),
  /** Which key opens the secrets in the tables (core/ports, B-secret-3); null before the first start made one. */
  keyId: Type.Union([Type.String({ maxLength: 100 }), Type.Null()]),
  /** The schemas of the database, each with the migrations that shaped it. */
  books: Type.Array(Type.Object({ schema: Name, migrations: Type.Array(MigrationRef) }), { minItems: 1 }),
})
export type Header = Static<typeof Header>

const SavedTable = Type.Object({
  schema: Name,
  table: Name,
  columns: Type.Array(Name, { minItems: 1 }),
  parts: Count,
  rows: Count,
  bytes: Count,
  /** Over the text of COPY, all parts one after the other. */
  sha256: Sha256,
})
export type SavedTable = Static<typeof SavedTable>

const TableNames = Type.Pick(SavedTable, ['schema', 'table', 'columns'])
/** Whether the list of contents can name this table: any that a migration made. */
export const isListable = (table: Static<typeof TableNames>): boolean => Value.Check(TableNames, table)

const MOST_PATH = 500
const SavedFile = Type.Object({ path: Type.String({ maxLength: MOST_PATH }), bytes: Count, sha256: Sha256 })
export type SavedFile = Static<typeof SavedFile>

/** What the line of a file takes in the list of contents, the comma included. */
export const lineBytes = (path: string, bytes: number): number =>
  JSON.stringify({ path, bytes, sha256: '0'.repeat(64) }).length + 1

/** The last entry: what was written before it, to be compared with what is read. */
export const Manifest = Type.Object({ tables: Type.Array(SavedTable), files: Type.Array(SavedFile) })
export type Manifest = Static<typeof Manifest>

export const HEADER_ENTRY = 'kasir-backup.json'
export const MANIFEST_ENTRY = 'manifest.json'
export const KEY_ENTRY = 'secrets.key'

/** The database writes a table of any size; an entry of a tar has its size in front, so a table is cut into parts. */
export const PART_BYTES = 4 * 2 ** 20
const ENTRY_BYTES = 32 * 2 ** 20
/** A line for each of a million and a half images, and still a text that the engine can hold in one string. */
const MANIFEST_BYTES = 256 * 2 ** 20

export const partEntry = (schema: string, table: string, part: number) =>
  `tables/${schema}/${table}/${String(part).padStart(6, '0')}.copy`
export const fileEntry = (path: string) => `files/${path}`

export type Entry =
  | { kind: 'header' }
  | { kind: 'manifest' }
  | { kind: 'key' }
  | { kind: 'part'; schema: string; table: string; part: number }
  | { kind: 'file'; path: string }

const mostBytes = ({ kind }: Entry): number => {
  if (kind === 'part') return 2 * PART_BYTES
  return kind === 'manifest' ? MANIFEST_BYTES : ENTRY_BYTES
}

const PART = /^tables\/([a-z_][a-z0-9_]*)\/([a-z_][a-z0-9_]*)\/(\d{6})\.copy$/
const FILE = /^files\/([\w-][\w.-]*(?:\/[\w-][\w.-]*)*)$/

/**
 * What an entry of the archive is by its name, type and size. Throws a BackupError for anything that `kasir backup` does
 * not write: a path out of the folder, a link, an entry larger than any of its kind.
 */
export function entryOf({ name, type, size }: { name: string; type: string; size: number }): Entry {
  const entry = type === 'file' ? named(name) : undefined
  if (entry === undefined || size > mostBytes(entry)) {
    throw new BackupError(
      `This is not a backup of Kasir: it holds an entry ${JSON.stringify(name.slice(0, 100))}.`,
    )
  }
  return entry
}

export function isTaken(name: string, size: number): boolean {
  try {
    return entryOf({ name, type: 'file', size }) !== undefined
  } catch {
    return false
  }
}

/** What the reader would refuse fails the backup: on the day of a restore it would be too late. */
export function requireTaken(name: string, size: number) {
  if (isTaken(name, size)) return
  throw new BackupError(
    name === MANIFEST_ENTRY
      ? 'There are too many uploaded files for one backup: keep them in a bucket (docs/uploads.md).'
      : `A backup cannot hold ${JSON.stringify(name)} of ${Math.ceil(size / 2 ** 20)} MiB: nothing that Kasir keeps there is so large.`,
  )
}

function named(name: string): Entry | undefined {
  if (name === HEADER_ENTRY) return { kind: 'header' }
  if (name === MANIFEST_ENTRY) return { kind: 'manifest' }
  if (name === KEY_ENTRY) return { kind: 'key' }
  const [, schema, table, part] = PART.exec(name) ?? []
  if (schema !== undefined && table !== undefined) return { kind: 'part', schema, table, part: Number(part) }
  const path = FILE.exec(name)?.[1]
  return path === undefined || path.length > MOST_PATH ? undefined : { kind: 'file', path }
}

/** The header in the words of this version. Throws a BackupError for a newer layout and for what is no header. */
export function readHeader(text: string, version: string): Header {
  const value = jsonOf(text)
  const { format, version: writtenBy } = (value ?? {}) as Partial<Header>
  if (Number.isInteger(format) && (format as number) > FORMAT) {
    throw new BackupError(
      `This backup was written by Kasir ${String(writtenBy)}; this is ${version}. Install that version or a newer one.`,
    )
  }
  if (!Value.Check(Header, value))
    throw new BackupError('This is not a backup of Kasir: its first entry is not one of ours.')
  return value
}

export function readManifest(text: string): Manifest {
  const value = jsonOf(text)
  if (!Value.Check(Manifest, value))
    throw new BackupError('The backup is damaged: its list of contents cannot be read.')
  return value
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
