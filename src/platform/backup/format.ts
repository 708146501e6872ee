import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { BackupError } from './error.ts'

/** The version of the archive layout. A release refuses an archive with a newer layout. */
export const FORMAT = 1

/** Tolerated clock difference. A backup dated further in the future would never grow old. */
export const MOST_AHEAD_MS = 3_600_000

const Name = Type.String({ pattern: '^[a-z_][a-z0-9_]{0,62}$' })
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })
const Count = Type.Integer({ minimum: 0 })

const MigrationRef = Type.Object({ name: Type.String({ maxLength: 200 }), checksum: Sha256 })

/** The first entry: the facts that a restore needs before it reads the rest. */
export const Header = Type.Object({
  format: Type.Integer({ minimum: 1 }),
  version: Type.String({ maxLength: 50 }),
  createdAt: Type.String({ maxLength: 30, pattern: '^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$' }),
  /**
   * The key that opens the secrets in the tables (core/ports, B-secret-3); null if the service never started on them.
   */
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
  /** The digest of the COPY text, all parts in order. */
  sha256: Sha256,
})
export type SavedTable = Static<typeof SavedTable>

const TableNames = Type.Pick(SavedTable, ['schema', 'table', 'columns'])
/** Whether the manifest can name this table. Every table that a migration makes qualifies. */
export const isListable = (table: Static<typeof TableNames>): boolean => Value.Check(TableNames, table)

const MOST_PATH = 500
const SavedFile = Type.Object({ path: Type.String({ maxLength: MOST_PATH }), bytes: Count, sha256: Sha256 })
export type SavedFile = Static<typeof SavedFile>

/** The bytes that a file's line takes in the manifest, including the comma. */
export const lineBytes = (path: string, bytes: number): number =>
  JSON.stringify({ path, bytes, sha256: '0'.repeat(64) }).length + 1

/**
 * The result of checking the invariants on the saved rows, as of `createdAt` in the header. `rows` holds some of the
 * rows that break the invariant, each as JSON.
 */
const SavedExamination = Type.Object({
  broken: Type.Array(Type.Object({ sentence: Type.String(), rows: Type.Array(Type.String()) })),
  unchecked: Type.Array(Type.String()),
})
export type SavedExamination = Static<typeof SavedExamination>

/** The last entry: lists all entries before it, so that a reader can compare them. */
export const Manifest = Type.Object({
  tables: Type.Array(SavedTable),
  files: Type.Array(SavedFile),
  /** Absent from backups of older versions. */
  examination: Type.Optional(SavedExamination),
})
export type Manifest = Static<typeof Manifest>

export const HEADER_ENTRY = 'kasir-backup.json'
export const MANIFEST_ENTRY = 'manifest.json'
export const KEY_ENTRY = 'secrets.key'

/** The size of a table is unknown beforehand, but a tar entry starts with its size: so each table is cut into parts. */
export const PART_BYTES = 4 * 2 ** 20
const ENTRY_BYTES = 32 * 2 ** 20
/** Room for the three files of each of half a million images, and still short enough for one JavaScript string. */
const MANIFEST_BYTES = 256 * 2 ** 20

export const partEntry = (schema: string, table: string, part: number) =>
  `tables/${schema}/${table}/${String(part).padStart(6, '0')}.copy`
export const fileEntry = (path: string) => `files/${path}`

export type ArchiveEntry =
  | { kind: 'header' }
  | { kind: 'manifest' }
  | { kind: 'key' }
  | { kind: 'part'; schema: string; table: string; part: number }
  | { kind: 'file'; path: string }

const mostBytes = ({ kind }: ArchiveEntry): number => {
  if (kind === 'part') return 2 * PART_BYTES
  return kind === 'manifest' ? MANIFEST_BYTES : ENTRY_BYTES
}

const PART = /^tables\/([a-z_][a-z0-9_]*)\/([a-z_][a-z0-9_]*)\/(\d{6})\.copy$/
/** Uploaded files only: a restore writes no other file of the data directory. */
const FILE = /^files\/(uploads(?:\/[\w-][\w.-]*)+)$/

/**
 * Identifies an archive entry by its name, type and size. Throws a BackupError for an entry that `kasir backup` never
 * writes: a path outside the folder, a link, or an entry larger than its kind allows.
 */
export function entryOf({ name, type, size }: { name: string; type: string; size: number }): ArchiveEntry {
  const entry = type === 'file' ? fixedEntry(name) : undefined
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

/** Fails the backup if a reader would refuse this entry: at restore time it would be too late. */
export function requireTaken(name: string, size: number) {
  if (isTaken(name, size)) return
  throw new BackupError(
    name === MANIFEST_ENTRY
      ? 'There are too many uploaded files for one backup: keep them in a bucket (docs/uploads.md).'
      : `A backup cannot hold ${JSON.stringify(name)} of ${Math.ceil(size / 2 ** 20)} MiB: Kasir never writes a file that large.`,
  )
}

function fixedEntry(name: string): ArchiveEntry | undefined {
  if (name === HEADER_ENTRY) return { kind: 'header' }
  if (name === MANIFEST_ENTRY) return { kind: 'manifest' }
  if (name === KEY_ENTRY) return { kind: 'key' }
  const [, schema, table, part] = PART.exec(name) ?? []
  if (schema !== undefined && table !== undefined) return { kind: 'part', schema, table, part: Number(part) }
  const path = FILE.exec(name)?.[1]
  return path === undefined || path.length > MOST_PATH ? undefined : { kind: 'file', path }
}

/** Parses the header. Throws a BackupError if the layout is newer than this version or the text is not a header. */
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
