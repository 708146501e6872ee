import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { pack as tarPack } from 'tar-stream'
import { systemClock } from '../clock.ts'
import { withClient } from '../db/client.ts'
import { orNull } from '../db/embedded/fault.ts'
import { ledgerFault, MIGRATION_LOCK } from '../db/migrate.ts'
import { type KeyRow, keysOf } from '../keyring.ts'
import type { SecretKey } from '../secrets.ts'
import { VERSION } from '../version.ts'
import {
  type Book,
  columnList,
  type FoundTable,
  findTables,
  LEDGER_TABLE,
  ledgerOf,
  POSITIONS,
  qualified,
} from './books.ts'
import { BackupError } from './error.ts'
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

/** Level 1: a backup waits for the processor, and text of COPY shrinks to a fifth already. */
const GZIP = { level: 1, chunkSize: 2 ** 17 }

type Job = {
  url: string
  books: readonly Book[]
  out: Writable
  /** The folder whose files go along, and what part of it; null when there is none. */
  files: { root: string; folder: string } | null
  /** The key for secrets, to go along on demand; null leaves it out. */
  key: CarriedKey | null
  progress(done: number, total: number): void
  signal?: AbortSignal
}
/** `text` is what a restore puts into secrets.key; `source` says in a sentence where it came from. */
export type CarriedKey = { text: string; key: SecretKey; source: string }
export type Written = { header: Header; manifest: Manifest; leftOut: LeftOut }

/**
 * Writes every table as it was at one moment, and the uploaded files, while others write on. Throws a BackupError when
 * there is nothing to save, the database is newer than this version, or something is there that `readArchive` would
 * refuse; and what `out` throws when it cannot be written.
 */
export async function writeBackup(job: Job): Promise<Written> {
  return withClient({ connectionString: job.url, application_name: 'kasir-backup' }, async (client) => {
    const snapshot = await openSnapshot(client, job.books)
    if (job.key !== null) await requireOpens(client, job.key, snapshot.header.keyId)
    return await writeArchive(client, snapshot, job)
  })
}

type Snapshot = { header: Header; tables: FoundTable[] }

const SESSION = `set statement_timeout = 0; set lock_timeout = '30s'; set idle_in_transaction_session_timeout = 0;
set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set bytea_output = 'hex';
set extra_float_digits = 1; set synchronize_seqscans = off; set max_parallel_workers_per_gather = 0`

/** One moment of all tables, and no migration between looking at them and holding them. */
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
      `The table ${name} has a name, or a column with one, that Kasir never gives: move it to a database of its own.`,
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

/** While a rotation lasts the key before opens too: the next one lies in these books, sealed with it. */
async function requireOpens(client: pg.Client, { key, source }: CarriedKey, keyId: string | null) {
  if (keyId === null || key.keyId === keyId) return
  const { rows } = await client.query<KeyRow>(
    `select name, key_id as "keyId", check_value as "checkValue", sealed, null as "expiresAt" from public.secrets_keys`,
  )
  if (keysOf(rows, [key]).has(keyId)) return
  throw new BackupError(
    `${source} is the key ${key.keyId}, and these books are sealed with ${keyId}: nothing was saved.`,
    { isWrongCall: true },
  )
}

type Pack = { put(name: string, content: Buffer | string): Promise<void> }

async function writeArchive(client: pg.Client, { header, tables }: Snapshot, job: Job): Promise<Written> {
  const tar = tarPack()
  const flowing = pipeline(tar, createGzip(GZIP), job.out, job.signal ? { signal: job.signal } : {})
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
          // An entry that is cut off emits its error besides calling back, and nobody else listens.
          entry.on('error', reject)
        }),
        broken,
      ]),
  }
  try {
    await pack.put(HEADER_ENTRY, JSON.stringify(header, null, 2))
    if (job.key !== null) await pack.put(KEY_ENTRY, job.key.text)
    // Before the tables, which may take an hour: a file that cannot go along is told at once.
    const { names, leftOut } = await findFiles(job.files)
    const manifest = {
      tables: await writeTables(client, tables, pack, job),
      files: await writeFiles(pack, names, job),
    }
    await pack.put(MANIFEST_ENTRY, JSON.stringify(manifest))
    tar.finalize()
    await flowing
    return { header, manifest, leftOut }
  } catch (error) {
    tar.destroy()
    // What stopped the flow is the reason; what the packer says of it is not.
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
  return { schema, table, columns, parts, rows: copy.rowCount, bytes, sha256: hash.digest('hex') }
}

/**
 * A transaction number means nothing in another cluster: 0 stands before all of them (decision 0016), so a follower of
 * the restored log meets every event.
 */
function copyText({ schema, table, columns, transactionIds }: FoundTable): string {
  const from = qualified(schema, table)
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

/** A file that was removed since it was listed is not missed: nothing in the tables names it any more. */
async function writeFile(pack: Pack, name: string, full: string): Promise<SavedFile | null> {
  const content = await orNull(readFile(full))
  if (content === null) return null
  await pack.put(fileEntry(name), content)
  return { path: name, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') }
}
