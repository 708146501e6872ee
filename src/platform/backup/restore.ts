import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { isDeepStrictEqual } from 'node:util'
import type pg from 'pg'
import { type CopyStreamQuery, from as copyFrom } from 'pg-copy-streams'
import { withClient } from '../db/client.ts'
import { examineBooks } from '../db/invariants.ts'
import { applyWithin, ledgerFault, MIGRATION_LOCK, type Migration } from '../db/migrate.ts'
import { analyze } from '../db/statistics.ts'
import { VERSION } from '../version.ts'
import {
  type Book,
  columnList,
  findTables,
  LEDGER_TABLE,
  ledgerOf,
  PUBLIC,
  qualified,
  tablesMadeBy,
} from './books.ts'
import { BackupError } from './error.ts'
import { linesOfExamination, savedForm } from './examination.ts'
import type { SavedExamination, SavedTable } from './format.ts'
import { type Archive, type Receiver, readArchive } from './read.ts'

type Job = {
  url: string
  /** Opens the file and reads it from its beginning. */
  read(): Readable
  /** The contents of that file: `readArchive` has read and checked all of it. */
  archive: Archive
  books: readonly Book[]
  /**
   * The typed name of the database whose data may be replaced. Null allows an empty database only.
   */
  replace: string | null
  /**
   * Loads the rows even if they break an invariant. If false, `restoreBackup` then throws a BackupError and restores
   * nothing.
   */
  acceptBroken: boolean
  /** Changes the loaded rows before they are committed. */
  afterLoad?: ((client: pg.ClientBase) => Promise<void>) | undefined
  receive: Pick<Receiver, 'file' | 'key'>
  progress(done: number, total: number): void
}

/**
 * Loads a checked archive in one transaction: it drops the old tables, makes the archive's schema, loads its rows,
 * applies the later migrations of this version, and checks the invariants. A process killed at any stage leaves the old
 * data intact. Returns the invariants that the loaded rows break. Throws a BackupError if the database is in use, holds
 * data that may not be replaced, or the rows break an invariant and `acceptBroken` is false.
 */
export async function restoreBackup(job: Job): Promise<SavedExamination> {
  const wanted = requireKnown(job.archive, job.books)
  return withClient({ connectionString: job.url, application_name: 'kasir-restore' }, async (client) => {
    await client.query(SESSION)
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [
      MIGRATION_LOCK,
    ])
    if (!rows[0]?.mine)
      throw refusal(
        'Another command is changing this database, such as a start of Kasir or a backup: wait until it ends.',
      )
    await requireFree(client, job)
    await client.query('begin')
    try {
      const examination = await load(client, wanted, job)
      await client.query('commit')
      return examination
    } catch (error) {
      await client.query('rollback').catch(() => {})
      throw error
    }
  })
}

const SESSION = `set statement_timeout = 0; set lock_timeout = '10s'; set idle_in_transaction_session_timeout = 0;
set timezone = 'UTC'; set datestyle = 'ISO'; set maintenance_work_mem = '256MB'; set work_mem = '64MB'`

const refusal = (message: string) => new BackupError(message, { isWrongCall: true })

type RestorePlan = { schema: string; saved: Migration[]; later: Migration[]; own: Set<string> }

/** Returns the archive's migrations with the SQL of this version. Throws if this version does not know one of them. */
function requireKnown(
  { header: { books, version }, manifest }: Archive,
  known: readonly Book[],
): RestorePlan[] {
  const wanted = books.map(({ schema, migrations }) => {
    const book = known.find((candidate) => candidate.schema === schema)
    if (book === undefined || ledgerFault(migrations, book.migrations) !== null) {
      throw refusal(
        `This backup was written by Kasir ${version}; this is ${VERSION}. Install that version or a newer one.`,
      )
    }
    const names = new Set(migrations.map(({ name }) => name))
    return {
      schema,
      saved: book.migrations.filter(({ name }) => names.has(name)),
      later: book.migrations.filter(({ name }) => !names.has(name)),
      own: tablesMadeBy(book.migrations),
    }
  })
  for (const { schema, table } of manifest.tables) {
    if (wanted.some((book) => book.schema === schema && book.own.has(table))) continue
    throw new BackupError(`This backup holds a table that Kasir never made: ${schema}.${table}.`)
  }
  return wanted
}

const SESSIONS = `select count(*)::int as count from pg_stat_activity
where datname = current_database() and pid <> pg_backend_pid() and application_name like 'kasir%'`

/**
 * Throws, before any change, if the service is running, another program has tables here, or the data may not be
 * replaced.
 */
async function requireFree(client: pg.Client, { replace, books }: Job): Promise<void> {
  const name = (await client.query<{ name: string }>('select current_database() as name')).rows[0]?.name ?? ''
  const { count } = (await client.query<{ count: number }>(SESSIONS)).rows[0] ?? { count: 0 }
  if (count > 0)
    throw refusal(`Kasir is running on the database "${name}" (${count} connections): stop it first.`)
  const found = await findTables(
    client,
    books.map(({ schema }) => schema),
  )
  const foreign = found.filter(
    ({ schema, table }) =>
      !books.some((book) => book.schema === schema && tablesMadeBy(book.migrations).has(table)),
  )
  if (foreign.length > 0) {
    const newer = await findUnknownMigration(client, books)
    if (newer !== null) {
      throw refusal(
        `A newer version of Kasir has changed the database "${name}" (migration ${newer}), and this version does not know all of its tables: restore into a new database, or with another DATA_DIR.`,
      )
    }
    const names = foreign.slice(0, 3).map(({ table }) => table)
    throw refusal(
      `The database "${name}" holds tables that are not Kasir's (${names.join(', ')}): restore into a separate database.`,
    )
  }
  if (replace !== null && replace !== name) {
    throw refusal(
      `The database is called "${name}", not "${replace}": nothing was changed. Check the name and try again.`,
    )
  }
  if (replace !== null) return
  const held = await describeExistingBooks(
    client,
    found.map(({ table }) => table),
  )
  if (held !== null)
    throw refusal(`The database "${name}" holds ${held}. To replace it all, add --replace ${name}.`)
}

/** The first applied migration that this version does not have; null if it has all of them. */
async function findUnknownMigration(client: pg.Client, books: readonly Book[]): Promise<string | null> {
  for (const { schema, migrations } of books) {
    const known = new Set(migrations.map(({ name }) => name))
    const unknown = (await ledgerOf(client, schema))?.find(({ name }) => !known.has(name))
    if (unknown !== undefined) return unknown.name
  }
  return null
}

/** Describes the data that a restore would replace; null if the database has no workspace. */
async function describeExistingBooks(client: pg.Client, tables: readonly string[]): Promise<string | null> {
  if (!tables.includes('accounts')) return null
  const { rows } = await client.query<{ workspaces: number; sales: number }>(
    'select (select count(*) from public.accounts)::int as workspaces, (select count(*) from public.sales)::int as sales',
  )
  const { workspaces = 0, sales = 0 } = rows[0] ?? {}
  return workspaces === 0
    ? null
    : `${workspaces} ${workspaces === 1 ? 'workspace' : 'workspaces'} with ${sales} sales`
}

async function load(client: pg.Client, wanted: readonly RestorePlan[], job: Job): Promise<SavedExamination> {
  for (const book of job.books) await dropTables(client, book)
  for (const { schema, saved } of wanted) {
    if (schema !== PUBLIC) await client.query(`create schema if not exists ${columnList([schema])}`)
    await applyWithin(client, saved, ledgerSchema(schema))
    await emptyTables(client, schema)
  }
  const built = await takeOff(
    client,
    wanted.map(({ schema }) => schema),
  )
  await copyAll(client, job)
  for (const text of built) await client.query(text)
  for (const { schema, later } of wanted) await applyWithin(client, later, ledgerSchema(schema))
  // The invariants join whole tables; without statistics the planner picks the slowest plan.
  for (const { schema } of wanted) await analyzeBook(client, schema)
  const examination = savedForm(
    await examineBooks(client, { asOf: job.archive.header.createdAt, needsServer: !job.acceptBroken }),
  )
  if (!job.acceptBroken) requireSound(examination)
  await job.afterLoad?.(client)
  return examination
}

function requireSound(examination: SavedExamination) {
  const lines = linesOfExamination(examination)
  if (lines.length === 0) return
  throw new BackupError(
    [
      examination.broken.length > 0
        ? 'The books in this backup contradict themselves:'
        : 'Not every invariant of the books in this backup could be checked:',
      ...lines,
      'Nothing was restored. Add --accept-broken to restore them as they are.',
    ].join('\n'),
  )
}

/** Migrations of the service name no schema; those of a reference partner name their own. */
const ledgerSchema = (schema: string) => (schema === PUBLIC ? undefined : schema)

/**
 * Drops a partner's schema with its functions and sequences. The service shares its schema with extensions, so only its
 * tables go.
 */
async function dropTables(client: pg.Client, { schema, migrations }: Book) {
  if (schema !== PUBLIC) {
    await client.query(`drop schema if exists ${columnList([schema])} cascade`)
    return
  }
  const own = tablesMadeBy(migrations)
  const found = await findTables(client, [schema])
  const names = found.filter(({ table }) => own.has(table)).map(({ table }) => qualified(schema, table))
  if (names.length > 0) await client.query(`drop table ${names.join(', ')} cascade`)
}

/** The archive also holds the rows that migrations insert. */
async function emptyTables(client: pg.Client, schema: string) {
  const found = await findTables(client, [schema])
  const names = found
    .filter(({ table }) => table !== LEDGER_TABLE)
    .map(({ table }) => qualified(schema, table))
  if (names.length > 0) await client.query(`truncate ${names.join(', ')}`)
}

const FOREIGN_KEYS = `
select format('alter table %s drop constraint %I', conrelid::regclass, conname) as off,
  format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as "on"
from pg_constraint where contype = 'f' and connamespace::regnamespace::text = any($1) order by conname`
const INDEXES = `
select format('drop index %s', i.indexrelid::regclass) as off, pg_get_indexdef(i.indexrelid) as "on"
from pg_index i join pg_class c on c.oid = i.indrelid
where c.relnamespace::regnamespace::text = any($1) and not i.indisprimary
  and not exists (select from pg_constraint k where k.conindid = i.indexrelid)
order by 2`

/**
 * Drops foreign keys and indexes, and returns the SQL that rebuilds them after all rows are loaded. That is faster, and
 * tables can load in any order.
 */
async function takeOff(client: pg.Client, schemas: string[]): Promise<string[]> {
  const keys = (await client.query<{ off: string; on: string }>(FOREIGN_KEYS, [schemas])).rows
  const indexes = (await client.query<{ off: string; on: string }>(INDEXES, [schemas])).rows
  for (const { off } of [...keys, ...indexes]) await client.query(off)
  return [...indexes, ...keys].map(({ on }) => on)
}

/** `sending` is the part in flight; the next part is unpacked meanwhile. */
type TableCopy = { schema: string; table: string; stream: CopyStreamQuery; sending: Promise<void> }

async function copyAll(client: pg.Client, { read, archive, receive, progress }: Job): Promise<void> {
  const total = archive.manifest.tables.reduce((sum, { bytes }) => sum + bytes, 0)
  let done = 0
  let copying: TableCopy | null = null
  const end = async () => {
    if (copying === null) return
    await copying.sending
    copying.stream.end()
    await finished(copying.stream)
    copying = null
  }
  try {
    const again = await readArchive(read(), {
      ...receive,
      part: async ({ schema, table }, chunk) => {
        if (copying?.schema !== schema || copying.table !== table) {
          await end()
          const stream = client.query(copyFrom(copyText(archive, schema, table)))
          copying = { schema, table, stream, sending: Promise.resolve() }
        }
        await copying.sending
        copying.sending = push(copying.stream, chunk)
        // The next `await copying.sending` receives the error.
        copying.sending.catch(() => {})
        done += chunk.length
        progress(done, total)
      },
    })
    await end()
    requireUnchanged(archive, again)
  } catch (error) {
    // Without this the connection waits for the rest of a table that never comes.
    ;(copying as TableCopy | null)?.stream.destroy()
    throw error
  }
}

function requireUnchanged(proven: Archive, again: Archive) {
  if (!isDeepStrictEqual(again.manifest, proven.manifest)) {
    throw new BackupError(
      'The backup file changed while it was read: nothing was restored. Run the restore again.',
    )
  }
}

/**
 * `freeze` writes the rows as already vacuumed. It is safe because no other transaction can see these new tables yet.
 */
function copyText({ manifest }: Archive, schema: string, table: string): string {
  const saved = manifest.tables.find((found: SavedTable) => found.schema === schema && found.table === table)
  if (saved === undefined)
    throw new BackupError(`The backup is damaged: the table ${schema}.${table} is not whole.`)
  return `copy ${qualified(schema, table)} (${columnList(saved.columns)}) from stdin with (freeze)`
}

const push = (stream: CopyStreamQuery, chunk: Buffer) =>
  new Promise<void>((resolve, reject) => {
    stream.once('error', reject)
    stream.write(chunk, (error) => {
      stream.off('error', reject)
      if (error) reject(error)
      else resolve()
    })
  })

/** Ignores failures: autovacuum analyzes later, so a failure is no reason to abandon the restore. */
async function analyzeBook(client: pg.Client, schema: string) {
  const tables = await findTables(client, [schema])
  const names = tables.map(({ table }) => qualified(schema, table))
  const run = async (text: string) => {
    await client.query('savepoint before_look')
    await client.query(text).catch(async (error: unknown) => {
      await client.query('rollback to savepoint before_look')
      throw error
    })
  }
  await analyze(run, names, () => {})
}
