import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { pack as tarPack } from 'tar-stream'
import { nullOnCodes } from '../../core/fault.ts'
import { systemClock } from '../clock.ts'
import { withClient } from '../db/client.ts'
import { examineBooks } from '../db/invariants.ts'
import { ledgerFault, MIGRATION_LOCK } from '../db/migrate.ts'
import { keysOf, type SecretsKeyRow } from '../secrets/keyring.ts'
import type { SecretKey } from '../secrets/secrets.ts'
import { VERSION } from '../version.ts'
import {
  type Book,
  columnList,
  type FoundTable,
  findTables,
  LEDGER_TABLE,
  LEFT_EMPTY,
  ledgerOf,
  POSITIONS,
  PUBLIC,
  qualified,
} from './books.ts'
import { BackupError } from './error.ts'
import { savedForm } from './examination.ts'
import { findFiles, type LeftOut } from './files.ts'
import {
  FORMAT,
  fileEntry,
  HEADER_ENTRY,
  type Header,
  isListable,
  KEY_ENTRY,
  MANIFEST_ENTRY,
  type Manifest,
  PART_BYTES,
  partEntry,
  requireTaken,
  type SavedFile,
  type SavedTable,
} from './format.ts'

/** Level 1: compression limits the speed of a backup, and already shrinks COPY text to a fifth. */
const GZIP = { level: 1, chunkSize: 2 ** 17 }

type Job = {
  url: string
  books: readonly Book[]
  out: Writable
  /** The folder of files to save, and the part of it to include; null if there is none. */
  files: { root: string; folder: string } | null
  /** The secrets key, included on request; null leaves it out. */
  key: CarriedKey | null
  progress(done: number, total: number): void
  /** Called before each part of the file is written; an error ends the backup. */
  beforeWrite?: ((bytes: number) => Promise<void>) | undefined
  signal?: AbortSignal
}
/** `text` is what a restore writes to secrets.key; `source` is a sentence that says where the key came from. */
export type CarriedKey = { text: string; key: SecretKey; source: string }
export type WrittenBackup = { header: Header; manifest: Manifest; leftOut: LeftOut }

/**
 * Writes every table as of one snapshot, and the uploaded files, while the service keeps writing. Throws a BackupError
 * if there is nothing to save, the database is newer than this version, or `readArchive` would refuse an entry. Passes
 * on the error of `out` if it cannot be written.
 */
export async function writeBackup(job: Job): Promise<WrittenBackup> {
  const config = { connectionString: job.url, application_name: 'kasir-backup' }
  const save = async (client: pg.Client) => {
    const snapshot = await openSnapshot(client, job.books)
    if (job.key !== null) await requireOpens(client, job.key, snapshot.header.keyId)
    return await writeArchive(client, snapshot, job)
  }
  return withClient(config, save, job.signal)
}

type Snapshot = { header: Header; tables: FoundTable[] }

const SESSION = `set statement_timeout = 0; set lock_timeout = '30s'; set idle_in_transaction_session_timeout = 0;
set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set bytea_output = 'hex';
set extra_float_digits = 1; set synchronize_seqscans = off; set max_parallel_workers_per_gather = 0`

/** Takes one snapshot of all tables. The migration lock keeps their schema unchanged until each table is locked. */
async function openSnapshot(client: pg.Client, books: readonly Book[]): Promise<Snapshot> {
  await client.query(SESSION)
  await client.query('select pg_advisory_lock_shared($1)', [MIGRATION_LOCK])
  await client.query('begin isolation level repeatable read read only')
  const known: Header['books'] = []
  for (const { schema, migrations } of books) {
    const ledger = await ledgerOf(client, schema)
    if (ledger === null || ledger.length === 0) continue
    if (ledgerFault(ledger, migrations) !== null) {
      throw new BackupError(
        'This database is newer than this version of Kasir: back it up with the version that runs on it.',
      )
    }
    known.push({ schema, migrations: ledger })
  }
  if (known.length === 0)
    throw new BackupError('There is nothing to back up: this database has no tables of Kasir yet.')
  const tables = (
    await findTables(
      client,
      known.map(({ schema }) => schema),
    )
  ).filter(({ table }) => table !== LEDGER_TABLE)
  const odd = tables.find((table) => !isListable(table))
  if (odd) {
    const name = JSON.stringify(`${odd.schema}.${odd.table}`)
    throw new BackupError(
      `The table ${name} or one of its columns has a name that Kasir never gives: move it to another database.`,
    )
  }
  for (const { schema, table } of tables)
    await client.query(`lock table ${qualified(schema, table)} in access share mode`)
  await client.query('select pg_advisory_unlock_shared($1)', [MIGRATION_LOCK])
  const header: Header = {
    format: FORMAT,
    version: VERSION,
    createdAt: systemClock.now(),
    keyId: await keyOf(client, tables),
    books: known,
  }
  return { header, tables }
}

async function keyOf(client: pg.Client, tables: readonly FoundTable[]): Promise<string | null> {
  if (!tables.some(({ schema, table }) => schema === 'public' && table === 'secrets_keys')) return null
  const { rows } = await client.query<{ keyId: string }>(
    `select key_id as "keyId" from public.secrets_keys where name = 'current'`,
  )
  return rows[0]?.keyId ?? null
}

/** During a rotation the previous key also works: these rows hold the next key, sealed with the previous one. */
async function requireOpens(client: pg.Client, { key, source }: CarriedKey, keyId: string | null) {
  if (keyId === null || key.keyId === keyId) return
  const { rows } = await client.query<SecretsKeyRow>(
    `select name, key_id as "keyId", check_value as "checkValue", sealed, null as "expiresAt" from public.secrets_keys`,
  )
  if (keysOf(rows, [key]).has(keyId)) return
  throw new BackupError(
    `${source} is the key ${key.keyId}, but this database is sealed with ${keyId}: nothing was saved.`,
    { isWrongCall: true },
  )
}

/**
 * A backup of many years must not hold its snapshot for hours. Invariants left after this time are listed as unchecked.
 */
const EXAMINATION_MS = 10 * 60_000

/** Checks the invariants on the saved rows, in the same snapshot. */
const examineSnapshot = async (client: pg.Client, { createdAt }: Header, { signal }: Job) =>
  savedForm(await examineBooks(client, { asOf: createdAt, limitMs: EXAMINATION_MS, signal }))

type Pack = { put(name: string, content: Buffer | string): Promise<void> }

async function writeArchive(
  client: pg.Client,
  { header, tables }: Snapshot,
  job: Job,
): Promise<WrittenBackup> {
  const tar = tarPack()
  const guarded = async function* (parts: AsyncIterable<Buffer>) {
    for await (const part of parts) {
      await job.beforeWrite?.(part.length)
      yield part
    }
  }
  const flowing = pipeline(tar, createGzip(GZIP), guarded, job.out, job.signal ? { signal: job.signal } : {})
  const broken = flowing.then(() => new Promise<never>(() => {}))
  broken.catch(() => {})
  const pack: Pack = {
    put: (name, content) =>
      Promise.race([
        new Promise<void>((resolve, reject) => {
          requireTaken(name, Buffer.byteLength(content))
          const entry = tar.entry({ name, mode: 0o600 }, content, (error) =>
            error ? reject(error) : resolve(),
          )
          // A cut-off entry emits its error besides calling back; without this listener it would end the process.
          entry.on('error', reject)
        }),
        broken,
      ]),
  }
  try {
    await pack.put(HEADER_ENTRY, JSON.stringify(header, null, 2))
    if (job.key !== null) await pack.put(KEY_ENTRY, job.key.text)
    // Files come before the tables, which may take an hour, so that a file that cannot be saved fails the backup early.
    const { names, leftOut } = await findFiles(job.files)
    const manifest: Manifest = {
      tables: await writeTables(client, tables, pack, job),
      files: await writeFiles(pack, names, job),
      examination: await examineSnapshot(client, header, job),
    }
    await pack.put(MANIFEST_ENTRY, JSON.stringify(manifest))
    tar.finalize()
    await flowing
    return { header, manifest, leftOut }
  } catch (error) {
    tar.destroy()
    // The pipeline's error is the cause; the tar packer's error only follows from it.
    await flowing.catch((reason: unknown) => {
      if (!isPremature(reason)) throw reason
    })
    throw error
  }
}

const isPremature = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE'

async function writeTables(client: pg.Client, tables: readonly FoundTable[], pack: Pack, { progress }: Job) {
  const total = tables.reduce((sum, { bytes }) => sum + bytes, 0)
  const saved: SavedTable[] = []
  let before = 0
  for (const table of tables) {
    const at = (bytes: number) => progress(before + Math.min(bytes, table.bytes), total)
    saved.push(await writeTable(client, table, pack, at))
    before += table.bytes
    progress(before, total)
  }
  return saved
}

async function writeTable(
  client: pg.Client,
  found: FoundTable,
  pack: Pack,
  at: (bytes: number) => void,
): Promise<SavedTable> {
  const { schema, table, columns } = found
  const copy = client.query(copyTo(copyText(found)))
  const hash = createHash('sha256')
  let chunks: Buffer[] = []
  let held = 0
  let bytes = 0
  let parts = 0
  const flush = async () => {
    if (held === 0) return
    await pack.put(partEntry(schema, table, parts++), Buffer.concat(chunks, held))
    chunks = []
    held = 0
  }
  for await (const chunk of copy as AsyncIterable<Buffer>) {
    hash.update(chunk)
    chunks.push(chunk)
    held += chunk.length
    bytes += chunk.length
    if (held >= PART_BYTES) {
      await flush()
      at(bytes)
    }
  }
  await flush()
  // The stream ends with the last row. The row count arrives after it, before the answer to the next statement.
  await client.query('')
  return { schema, table, columns, parts, rows: copy.rowCount, bytes, sha256: hash.digest('hex') }
}

/**
 * A transaction number means nothing in another cluster. 0 is lower than all of them (decision 0016), so a follower of
 * the restored log reads every event.
 */
function copyText({ schema, table, columns, transactionIds }: FoundTable): string {
  const from = qualified(schema, table)
  if (schema === PUBLIC && LEFT_EMPTY.has(table))
    return `copy (select ${columnList(columns)} from ${from} where false) to stdout`
  if (transactionIds.length === 0) return `copy ${from} (${columnList(columns)}) to stdout`
  const values = columns.map((column) => {
    if (transactionIds.includes(column)) return `'0'`
    const isPosition = POSITIONS.some((position) => position.table === table && position.column === column)
    return isPosition ? `''` : columnList([column])
  })
  return `copy (select ${values.join(', ')} from ${from}) to stdout`
}

async function writeFiles(pack: Pack, names: readonly string[], { files }: Job): Promise<SavedFile[]> {
  const saved: SavedFile[] = []
  for (const name of names) {
    const file = files && (await writeFile(pack, name, path.join(files.root, name)))
    if (file) saved.push(file)
  }
  return saved
}

/** Skips a file that was removed after it was listed: no row refers to it any more. */
async function writeFile(pack: Pack, name: string, full: string): Promise<SavedFile | null> {
  const content = await nullOnCodes(readFile(full))
  if (content === null) return null
  await pack.put(fileEntry(name), content)
  return { path: name, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') }
}
