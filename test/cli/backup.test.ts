import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import {
  chmod,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { pack } from 'tar-stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { prepareSchema } from '../../reference-partners/src/kit/db.ts'
import { BOOKS } from '../../reference-partners/src/payment/books.ts'
import { dotsKeyOf, keyOf, thumbnailKeyOf } from '../../src/areas/workspace/uploads/rules.ts'
import { makeDeps } from '../../src/main.ts'
import { POSITIONS, readBooks } from '../../src/platform/backup/books.ts'
import { BackupError } from '../../src/platform/backup/error.ts'
import { findFiles } from '../../src/platform/backup/files.ts'
import { entryOf, requireTaken } from '../../src/platform/backup/format.ts'
import type { Archive } from '../../src/platform/backup/read.ts'
import { readArchive } from '../../src/platform/backup/read.ts'
import { writeBackup } from '../../src/platform/backup/write.ts'
import { brokenInvariants } from '../../src/platform/db/invariants.ts'
import { migrate, readMigrations } from '../../src/platform/db/migrate.ts'
import { openDb } from '../../src/platform/db/open.ts'
import { SEALED } from '../../src/platform/db/tables.ts'
import { adoptKey, announceKey } from '../../src/platform/secrets/rotation.ts'
import { secretsOf } from '../../src/platform/secrets/secrets.ts'
import { openShop } from '../support/build.ts'
import { cloneDatabase, emptyDatabase, type TestDatabase } from '../support/db.ts'
import { done } from '../support/expect.ts'
import { faultyProxy } from '../support/faulty-proxy.ts'
import { kasir } from '../support/kasir.ts'
import { startDebianPostgres, type TestPostgres } from '../support/postgres.ts'
import { program } from '../support/program.ts'
import { acme, deps, globex, useService } from '../support/service.ts'
import { openSmallDisk } from '../support/small-disk.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SLOW = 120_000

useService({ env: { DATABASE_POOL_SIZE: '16' } })

let room = ''
let file = ''
let archive: Archive
let debian: TestPostgres | null = null
const databases: TestDatabase[] = []

const nameOf = (url: string) => new URL(url).pathname.slice(1)
const databaseUrl = () => deps().pool.options.connectionString ?? ''
const at = (name: string) => path.join(room, name)
const fresh = async () => {
  const database = await emptyDatabase()
  databases.push(database)
  return database.url
}
const env = (url: string, dataDir = at('data')) => ({
  DATABASE_URL: url,
  DATA_DIR: dataDir,
  ALLOW_UNSAFE_DATABASE: '1',
})
const backup = (url: string, ...args: string[]) => kasir(['backup', ...args], env(url))
const restore = (url: string, ...args: string[]) => kasir(['restore', ...args], env(url))
const read = (name: string) => readArchive(createReadStream(name))
const faultOf = ({ code, err }: { code: number | null; err: string }) => [code, err.split('\n')[0]]

/** The tables of a database by rows and hashes, as a backup of it lists them. */
async function contents(url: string) {
  const out = new Writable({ write: (_chunk, _encoding, done) => done() })
  const books = await readBooks()
  const { manifest } = await writeBackup({ url, books, out, files: null, key: null, progress: () => {} })
  return manifest.tables
}

beforeAll(async () => {
  room = await mkdtemp(path.join(tmpdir(), 'kasir-backup-'))
  await chmod(room, 0o711)
  await mkdir(at('data/uploads/logos'), { recursive: true })
  await writeFile(at('data/uploads/logos/warung.png'), 'a picture')
  file = at('books.tar.gz')
  debian = await startDebianPostgres()
  await prepareSchema(databaseUrl(), BOOKS)
}, SLOW)
afterAll(async () => {
  for (const { drop } of databases) await drop()
  await debian?.stop()
  await rm(room, { recursive: true, force: true })
})

test(
  'the rows of a table are counted whole when the network pauses between its last row and its count',
  async () => {
    const proxy = await faultyProxy(databaseUrl())
    try {
      const direct = await contents(databaseUrl())
      proxy.on('copy "public"."accounts"', 'pause behind a copy')
      expect(await contents(proxy.url)).toEqual(direct)
    } finally {
      proxy.close()
    }
  },
  SLOW,
)

test('a backup from a database that has vanished ends when it is interrupted', async () => {
  const proxy = await faultyProxy(databaseUrl())
  const stop = new AbortController()
  const out = new Writable({ write: (_chunk, _encoding, done) => done() })
  try {
    const saving = writeBackup({
      url: proxy.url,
      books: await readBooks(),
      out,
      files: null,
      key: null,
      signal: stop.signal,
      progress: () => {
        proxy.silence(true)
        // By then the next table has been requested.
        setImmediate(() => stop.abort())
      },
    })
    const ended = saving.then(
      () => 'written',
      () => 'ended',
    )
    expect(await Promise.race([ended, delay(20_000, 'still waiting')])).toBe('ended')
  } finally {
    proxy.close()
  }
}, 60_000)

test(
  'while 32 tills sell, a backup holds every sale acknowledged before it began, and none by half',
  async () => {
    const shop = await openShop(acme())
    await openShop(globex())
    const acknowledged: string[] = []
    const sale = async (): Promise<string> => {
      const items = [{ variantId: shop.latte, quantity: 2 }]
      return done(await acme().post('/sales', { outletId: shop.outletId, items, status: 'COMPLETED' })).sale
        .id
    }
    let isSelling = true
    const till = async () => {
      while (isSelling) acknowledged.push(await sale())
    }
    const tills = Array.from({ length: 32 }, till)
    await expect.poll(() => acknowledged.length).toBeGreaterThan(40)
    const before = [...acknowledged]
    const ran = await backup(databaseUrl(), file)
    const during = acknowledged.length - before.length
    isSelling = false
    await Promise.all(tills)
    expect([ran.code, ran.err]).toEqual([0, ''])
    expect(ran.out).toMatch(/^Saving: 100%$/m)
    expect(ran.out).toContain(`Written to ${file}.\n`)
    expect(during).toBeGreaterThan(0)
    archive = await read(file)
    const text = gunzipSync(await readFile(file)).toString('latin1')
    expect(before.filter((id) => !text.includes(id))).toEqual([])
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await readdir(room)).filter((name) => name.endsWith('.part'))).toEqual([])
  },
  SLOW,
)

test(
  'restored into a server of another version and back, every table has equal rows and an equal hash',
  async (context) => {
    if (debian === null) return context.skip('no PostgreSQL of Debian is installed')
    const there = await restore(debian.url, file)
    expect([there.code, there.err]).toEqual([0, ''])
    expect(there.out).toContain('The backup is restored completely, and the books are consistent.\n')
    expect(await contents(debian.url)).toEqual(archive.manifest.tables)
    const returned = at('returned.tar.gz')
    await backup(debian.url, returned)
    const home = await fresh()
    expect((await restore(home, returned)).code).toBe(0)
    expect(await contents(home)).toEqual(archive.manifest.tables)
  },
  SLOW,
)

test(
  'what is restored keeps the rules of the books, opens its log from the first event, and has its uploaded files',
  async () => {
    const url = await fresh()
    const dataDir = at('elsewhere')
    const ran = await kasir(['restore', file], env(url, dataDir))
    expect([ran.code, ran.err]).toEqual([0, ''])
    expect(await readFile(path.join(dataDir, 'uploads/logos/warung.png'), 'utf8')).toBe('a picture')
    expect(ran.out).toContain(`These books need the key ${archive.header.keyId}: `)
    const { db, close } = openDb({ url, poolSize: 1 })
    expect(await brokenInvariants(db)).toEqual([])
    await close()
    expect(await rowsOf(url, `select count(*)::int as count from events where tx <> '0'`)).toEqual([
      { count: 0 },
    ])
    const constraints = `select count(*)::int as count from pg_constraint where contype = 'f'`
    const indexes = `select count(*)::int as count from pg_indexes where schemaname = 'public'`
    for (const query of [constraints, indexes])
      expect(await rowsOf(url, query)).toEqual(await rowsOf(databaseUrl(), query))
  },
  SLOW,
)

async function rowsOf(url: string, query: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(query)).rows as unknown[]
  } finally {
    await client.end()
  }
}

test(
  'a backup of an older version is brought forward, and one of a newer version is refused before anything is touched',
  async () => {
    const old = await fresh()
    const migrations = await readMigrations()
    await migrate(old, migrations.slice(0, 8))
    await rowsOf(
      old,
      `insert into accounts (account_id, name, created_at, updated_at) values ('acc_old', 'Lama', now(), now())`,
    )
    const name = at('old.tar.gz')
    expect((await backup(old, name)).code).toBe(0)
    const url = await fresh()
    expect((await restore(url, name)).code).toBe(0)
    expect(await rowsOf(url, 'select name from schema_migrations order by name')).toEqual(
      migrations.map((migration) => ({ name: migration.name })),
    )
    expect(await rowsOf(url, 'select account_id, name from accounts')).toEqual([
      { account_id: 'acc_old', name: 'Lama' },
    ])

    const newer = at('newer.tar.gz')
    const { header, manifest } = await read(name)
    const [book] = header.books
    const unknown = { name: '9999_later.sql', checksum: '0'.repeat(64) }
    const later = {
      ...header,
      version: '9.0.0',
      books: [{ schema: 'public', migrations: [...(book?.migrations ?? []), unknown] }],
    }
    await writeFile(
      newer,
      await archiveOf([
        ['kasir-backup.json', later],
        ['manifest.json', { ...manifest, tables: [], files: [] }],
      ]),
    )
    const empty = await fresh()
    expect(faultOf(await restore(empty, newer))).toEqual([
      2,
      'This backup was written by Kasir 9.0.0; this is 0.1.0. Install that version or a newer one.',
    ])
    expect(
      await rowsOf(empty, `select relname from pg_class where relnamespace = 'public'::regnamespace`),
    ).toEqual([])
  },
  SLOW,
)

type Planted = [name: string, content: unknown, header?: { type: 'symlink'; linkname: string; size: 0 }]
async function archiveOf(entries: readonly Planted[]): Promise<Buffer> {
  const tar = pack()
  for (const [name, content, header] of entries) {
    tar.entry({ name, ...header }, typeof content === 'string' ? content : JSON.stringify(content))
  }
  tar.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of tar) chunks.push(chunk as Buffer)
  return gzipSync(Buffer.concat(chunks))
}

const HEADER = {
  format: 1,
  version: '0.1.0',
  createdAt: '2026-01-01T00:00:00.000Z',
  keyId: null,
  books: [{ schema: 'public', migrations: [] }],
}
const MANIFEST = { tables: [], files: [] }
const SAVED = {
  schema: 'public',
  table: 'sales',
  columns: ['id'],
  parts: 1,
  rows: 1,
  bytes: 2,
  sha256: '0'.repeat(64),
}
const imageOf = (n: number) => ({
  path: `uploads/acc/${'0'.repeat(400)}/${n}.webp`,
  bytes: 1,
  sha256: '0'.repeat(64),
})
const NOT_OURS = 'This is not a backup of Kasir: its first entry is not one of ours.'

test.each<[string, () => Buffer | Promise<Buffer>, string]>([
  [
    'no gzip',
    () => Buffer.from('account_id,id\n'),
    'This is not a backup of Kasir: it is not a gzip archive.',
  ],
  ['nothing at all', () => gzipSync(Buffer.alloc(1024)), 'This is not a backup of Kasir: it is empty.'],
  [
    "somebody else's archive",
    () => archiveOf([['notes.txt', 'x']]),
    'This is not a backup of Kasir: it holds an entry "notes.txt".',
  ],
  ['another first entry', () => archiveOf([['manifest.json', MANIFEST]]), NOT_OURS],
  ['a header of another shape', () => archiveOf([['kasir-backup.json', { format: 1 }]]), NOT_OURS],
  [
    'two headers',
    () =>
      archiveOf([
        ['kasir-backup.json', HEADER],
        ['kasir-backup.json', HEADER],
      ]),
    NOT_OURS,
  ],
  [
    'a newer layout',
    () => archiveOf([['kasir-backup.json', { format: 2, version: '7.1.0' }]]),
    'This backup was written by Kasir 7.1.0; this is 0.1.0. Install that version or a newer one.',
  ],
  [
    'a file that is no upload',
    () =>
      archiveOf([
        ['kasir-backup.json', HEADER],
        ['files/postgres/postgresql.auto.conf', 'x'],
      ]),
    'This is not a backup of Kasir: it holds an entry "files/postgres/postgresql.auto.conf".',
  ],
  [
    'a path out of the folder',
    () =>
      archiveOf([
        ['kasir-backup.json', HEADER],
        ['files/uploads/../../../etc/cron.d/x', 'x'],
      ]),
    'This is not a backup of Kasir: it holds an entry "files/uploads/../../../etc/cron.d/x".',
  ],
  [
    'a link',
    () =>
      archiveOf([
        ['kasir-backup.json', HEADER],
        ['files/uploads/x', '', { type: 'symlink', linkname: '/etc/passwd', size: 0 }],
      ]),
    'This is not a backup of Kasir: it holds an entry "files/uploads/x".',
  ],
  [
    'no list at its end',
    () => archiveOf([['kasir-backup.json', HEADER]]),
    'The backup is cut off: its list of contents is missing.',
  ],
  [
    'something behind its end',
    () =>
      archiveOf([
        ['kasir-backup.json', HEADER],
        ['manifest.json', MANIFEST],
        ['tables/public/sales/000000.copy', 'a\n'],
      ]),
    'The backup is damaged: it has entries after its end.',
  ],
  [
    'a table that its list does not have',
    () =>
      archiveOf([
        ['kasir-backup.json', HEADER],
        ['tables/public/sales/000000.copy', 'a\n'],
        ['manifest.json', MANIFEST],
      ]),
    'The backup is damaged: the table public.sales is not whole.',
  ],
  [
    'a table altered and packed again',
    () =>
      archiveOf([
        ['kasir-backup.json', HEADER],
        ['tables/public/sales/000000.copy', 'a\n'],
        ['manifest.json', { ...MANIFEST, tables: [SAVED] }],
      ]),
    'The backup is damaged: the table public.sales is not whole.',
  ],
  [
    'a part that is missing',
    () =>
      archiveOf([
        ['kasir-backup.json', HEADER],
        ['tables/public/sales/000001.copy', 'a\n'],
      ]),
    'The backup is damaged: the table public.sales is not whole.',
  ],
  [
    'a list as long as that of 200,000 images, none of which is there',
    () =>
      archiveOf([
        ['kasir-backup.json', HEADER],
        ['manifest.json', { ...MANIFEST, files: Array.from({ length: 70_000 }, (_, n) => imageOf(n)) }],
      ]),
    `The backup is damaged: the file ${imageOf(0).path} is not whole.`,
  ],
  [
    'a file that is missing',
    () =>
      archiveOf([
        ['kasir-backup.json', HEADER],
        ['manifest.json', { ...MANIFEST, files: [{ path: 'uploads/x', bytes: 1, sha256: '0'.repeat(64) }] }],
      ]),
    'The backup is damaged: the file uploads/x is not whole.',
  ],
])('an archive with %s is refused in one sentence', async (_case, made, sentence) => {
  const name = at(`planted-${Math.random()}`)
  await writeFile(name, await made())
  await expect(read(name)).rejects.toMatchObject({ name: 'BackupError', message: sentence })
})

test(
  'a backup cut off anywhere, or with any bit flipped, is refused in one sentence and restores nothing',
  async () => {
    const whole = await readFile(file)
    const places = Array.from({ length: 40 }, (_, n) => Math.floor(((n + 0.5) * whole.length) / 40))
    const content = gunzipSync(whole)
    // About one flipped bit in a thousand is another encoding of the same bytes.
    const isSame = (bytes: Buffer) => {
      try {
        return gunzipSync(bytes).equals(content)
      } catch {
        return false
      }
    }
    const said = new Set<string>()
    const damaged = at('damaged.tar.gz')
    for (const place of [...places, whole.length - 1]) {
      const flipped = Buffer.from(whole)
      flipped[place] = (flipped[place] ?? 0) ^ 0x10
      for (const bytes of [flipped, whole.subarray(0, place)]) {
        if (isSame(bytes)) continue
        await writeFile(damaged, bytes)
        said.add(
          await read(damaged).then(
            () => `accepted at ${place}`,
            (error: Error) => `${error.name}: ${error.message}`,
          ),
        )
      }
    }
    expect(
      [...said].filter((sentence) => !/^BackupError: (The backup is|This is not a backup) /.test(sentence)),
    ).toEqual([])
    const url = await fresh()
    await writeFile(damaged, whole.subarray(0, whole.length / 2))
    expect(faultOf(await restore(url, damaged))).toEqual([
      1,
      'The backup is cut off: the rest of the file is missing.',
    ])
    expect(faultOf(await kasir(['backup', '--check', damaged]))).toEqual([
      1,
      'The backup is cut off: the rest of the file is missing.',
    ])
    expect(
      await rowsOf(url, `select relname from pg_class where relnamespace = 'public'::regnamespace`),
    ).toEqual([])
  },
  SLOW,
)

test(
  'a restore over the database of a newer version says so and names the way back: a new database, which it fills',
  async () => {
    const url = await fresh()
    await restore(url, file)
    await rowsOf(url, 'create table tables_of_tomorrow (id int)')
    await rowsOf(
      url,
      `insert into schema_migrations (name, checksum) values ('9999_tomorrow.sql', repeat('0', 64))`,
    )
    expect(faultOf(await restore(url, file, '--replace', nameOf(url)))).toEqual([
      2,
      `A newer version of Kasir has changed the database "${nameOf(url)}" (migration 9999_tomorrow.sql), and this version does not know all of its tables: restore into a new database, or with another DATA_DIR.`,
    ])
    expect((await restore(await fresh(), file)).code).toBe(0)
  },
  SLOW,
)

test(
  'wrong calls say what to do, exit with 2 and touch nothing',
  async () => {
    const url = databaseUrl()
    // A pool lets go of connections that nobody uses; a service at work has one.
    const serving = await deps().pool.connect()
    serving.release()
    const taken = await fresh()
    await rowsOf(taken, 'create table ledger_of_another_program (id int)')
    const books = await fresh()
    await restore(books, file)
    const name = new URL(books).pathname.slice(1)
    const held = archive.manifest.tables.find(({ table }) => table === 'sales')?.rows
    expect([
      faultOf(await backup(url, file)),
      faultOf(await backup(url, at('missing/books.tar.gz'))),
      faultOf(await backup(await fresh(), at('never.tar.gz'))),
      faultOf(await kasir(['backup', at('never.tar.gz'), '--with-key'], env(url, at('nokey')))),
      faultOf(await restore(url, file)).map((said) => String(said).replace(/\(\d+ /, '(3 ')),
      faultOf(await restore(taken, file)),
      faultOf(await restore(books, file)),
      faultOf(await restore(books, file, '--replace', 'kasir')),
      faultOf(await restore(books, at('nothing.tar.gz'))),
    ]).toEqual([
      [
        2,
        `${file} exists already, and a backup never replaces a file. Choose another name or remove the file first.`,
      ],
      [2, `The directory ${at('missing')} does not exist: create it first.`],
      [1, 'There is nothing to back up: this database has no tables of Kasir yet.'],
      [
        2,
        `There is no key to put into the backup: ${at('nokey/secrets.key')} is missing and SECRETS_KEY is not set.`,
      ],
      [
        '2',
        `Kasir is running on the database "${new URL(url).pathname.slice(1)}" (3 connections): stop it first.`,
      ],
      [
        2,
        `The database "${new URL(taken).pathname.slice(1)}" holds tables that are not Kasir's (ledger_of_another_program): restore into a separate database.`,
      ],
      [
        2,
        `The database "${name}" holds 2 workspaces with ${held} sales. To replace it all, add --replace ${name}.`,
      ],
      [
        2,
        `The database is called "${name}", not "kasir": nothing was changed. Check the name and try again.`,
      ],
      [1, `There is no file ${at('nothing.tar.gz')}`],
    ])
    expect((await readdir(room)).filter((entry) => entry.startsWith('never'))).toEqual([])
  },
  SLOW,
)

test(
  'the key goes along on demand only, and finds its place again',
  async () => {
    const key = await readFile(path.join(deps().config.dataDir, 'secrets.key'), 'utf8')
    const dataDir = at('keyed')
    await mkdir(dataDir)
    await writeFile(path.join(dataDir, 'secrets.key'), key, { mode: 0o600 })
    const keyed = at('keyed.tar.gz')
    const saved = await kasir(['backup', keyed, '--with-key'], env(databaseUrl(), dataDir))
    expect([saved.code, saved.out]).toEqual([
      0,
      expect.stringContaining(`The key for secrets (${archive.header.keyId}) is in the file`),
    ])
    expect(gunzipSync(await readFile(file)).includes(key.trim())).toBe(false)
    const other = at('other')
    await mkdir(other)
    await writeFile(path.join(other, 'secrets.key'), 'the key of another', { mode: 0o600 })
    const url = await fresh()
    const own = path.join(other, 'secrets.key')
    expect(faultOf(await kasir(['restore', keyed], env(url, other)))).toEqual([
      2,
      `${own} is not the key of this backup: move it away first, or add --replace with the name of the database.`,
    ])
    expect(await readFile(own, 'utf8')).toBe('the key of another')
    const ran = await kasir(['restore', keyed, '--replace', nameOf(url)], env(url, other))
    expect(ran.code).toBe(0)
    expect(await readFile(path.join(other, 'secrets.key'), 'utf8')).toBe(key)
    expect((await stat(path.join(other, 'secrets.key'))).mode & 0o777).toBe(0o600)
    const aside = (await readdir(other)).filter((name) => name.startsWith('secrets.key.before-'))
    expect(await readFile(path.join(other, aside[0] ?? ''), 'utf8')).toBe('the key of another')
  },
  SLOW,
)

test(
  'a key that does not open these books does not go along as theirs, and no backup is written',
  async () => {
    const another = randomBytes(32).toString('base64')
    const keyed = at('strange.tar.gz')
    const ran = await kasir(['backup', keyed, '--with-key'], { ...env(databaseUrl()), SECRETS_KEY: another })
    const idOf = (text: string) => secretsOf(Buffer.from(text, 'base64')).keyId
    expect(faultOf(ran)).toEqual([
      2,
      `SECRETS_KEY is the key ${idOf(another)}, but this database is sealed with ${archive.header.keyId}: nothing was saved.`,
    ])
    expect((await readdir(room)).filter((name) => name.startsWith('strange'))).toEqual([])
  },
  SLOW,
)

test(
  'a backup that is taken while the key is replaced opens with the key that it names, before and after the change',
  async () => {
    const [one, two] = [randomBytes(32), randomBytes(32)]
    const database = await cloneDatabase()
    databases.push(database)
    const config = { ...deps().config, dataDir: at('rotating') }
    const withKey = (url: string, key: Buffer) =>
      makeDeps({ config: { ...config, secretsKey: key.toString('base64') }, url, log: deps().log })
    const [{ table, column }] = SEALED
    const place = { accountId: acme().workspace.accountId, row: 'one', table, column }
    const before = await withKey(database.url, one)
    const sealed = before.secrets.seal('the secret of a shop', place)
    const rotation = await announceKey(before, before.secrets.current(), secretsOf(two))
    for (const named of [one, two]) {
      if (named === two) await adoptKey(before, rotation)
      const taken = at(`rotating-${secretsOf(named).keyId}.tar.gz`)
      // The process that saves has the key before, as its setting is not changed yet.
      const old = { ...env(database.url), SECRETS_KEY: one.toString('base64') }
      const ran = await kasir(['backup', taken, '--with-key'], old)
      expect([ran.code, ran.err]).toEqual([0, ''])
      expect(ran.out).toContain(`The key for secrets (${secretsOf(one).keyId}) is in the file`)
      expect((await read(taken)).header.keyId).toBe(secretsOf(named).keyId)
      const url = await fresh()
      expect((await restore(url, taken)).code).toBe(0)
      for (const key of [named, one]) {
        const after = await withKey(url, key)
        expect(await after.secrets.open(sealed, place)).toBe('the secret of a shop')
        await after.close()
      }
    }
    await before.close()
  },
  SLOW,
)

test(
  'files that others left among the uploads stay out and are named, and the backup can be read',
  async () => {
    const dataDir = at('littered')
    const uploads = path.join(dataDir, 'uploads')
    const key = keyOf('acc_01ARZ3NDEKTSV4RRFFQ69G5FAV', '01ARZ3NDEKTSV4RRFFQ69G5FAW', 'png')
    await mkdir(path.join(uploads, 'acc'), { recursive: true })
    await mkdir(path.join(uploads, 'lost+found'))
    const strays = ['.DS_Store', 'a+b.png', 'logo copy.png', 'lögo.png', 'acc/.nfs0000']
    // An image, and what was made of it.
    const own = [key, dotsKeyOf(key), thumbnailKeyOf(key)]
    await mkdir(path.join(uploads, path.dirname(key)), { recursive: true })
    for (const name of [...strays, 'lost+found/#1', ...own]) await writeFile(path.join(uploads, name), 'x')
    await symlink('/etc/hostname', path.join(uploads, 'acc/linked.png'))
    const name = at('littered.tar.gz')
    const ran = await kasir(['backup', name], env(databaseUrl(), dataDir))
    expect([ran.code, ran.err]).toEqual([0, ''])
    const [, told = '', more] =
      /^Not backed up, because Kasir did not create them: (.*) and (\d+) more\.$/m.exec(ran.out) ?? []
    const left = [...strays, 'lost+found', 'acc/linked.png'].map((one) => `uploads/${one}`)
    const named = told.split(', ').map((one) => JSON.parse(one) as string)
    expect([named.filter((one) => !left.includes(one)), named.length, more]).toEqual([[], 5, '2'])
    const checked = await kasir(['backup', '--check', name])
    expect([checked.code, checked.err]).toEqual([0, ''])
    const saved = (await read(name)).manifest.files.map((one) => one.path)
    expect(saved.sort()).toEqual(own.map((one) => `uploads/${one}`))
  },
  SLOW,
)

test(
  'a file that no reader would take fails the backup before the tables are read, and leaves none',
  async () => {
    const dataDir = at('large')
    const video = path.join(dataDir, 'uploads/acc/film.mp4')
    await mkdir(path.dirname(video), { recursive: true })
    await writeFile(video, '')
    await truncate(video, 33 * 2 ** 20)
    const ran = await kasir(['backup', at('never-large.tar.gz')], env(databaseUrl(), dataDir))
    expect([...faultOf(ran), ran.out]).toEqual([
      1,
      'A backup cannot hold "files/uploads/acc/film.mp4" of 33 MiB: Kasir never writes a file that large.',
      '',
    ])
    expect((await readdir(room)).filter((name) => name.startsWith('never-large'))).toEqual([])
  },
  SLOW,
)

test.each([
  ['manifest.json', 250, true],
  ['manifest.json', 257, false],
  ['kasir-backup.json', 33, false],
  ['secrets.key', 33, false],
  ['files/uploads/acc/one.webp', 33, false],
  ['tables/public/sales/000000.copy', 9, false],
])('an entry %s of %i MiB is written only if it can be read again: %s', (name, mib, isRead) => {
  const size = mib * 2 ** 20
  const whether = (work: () => unknown) => {
    try {
      work()
      return true
    } catch (error) {
      expect(error).toBeInstanceOf(BackupError)
      return false
    }
  }
  const judged = [() => entryOf({ name, type: 'file', size }), () => requireTaken(name, size)].map(whether)
  expect(judged).toEqual([isRead, isRead])
})

test(
  'a restore whose images cannot be moved into place says that the same command with --replace brings them',
  async () => {
    const [url, dataDir] = [await fresh(), at('no-images')]
    await mkdir(dataDir)
    await writeFile(path.join(dataDir, 'uploads'), 'in the way')
    const failed = await kasir(['restore', file], env(url, dataDir))
    expect([failed.code, failed.err.trim()]).toEqual([
      1,
      `The books are restored, but their images could not be moved to ${path.join(dataDir, 'uploads')} (ENOTDIR). Correct that and run the same command with --replace ${nameOf(url)} to restore the images too.`,
    ])
    expect(await contents(url)).toEqual(archive.manifest.tables)
    await rm(path.join(dataDir, 'uploads'))
    const again = await kasir(['restore', file, '--replace', nameOf(url)], env(url, dataDir))
    expect(again.code).toBe(0)
    expect(await readFile(path.join(dataDir, 'uploads/logos/warung.png'), 'utf8')).toBe('a picture')
  },
  SLOW,
)

test(
  'a restore with the uploads on another disk puts the images there, and leaves nothing else behind',
  async ({ skip }) => {
    const disk = await openSmallDisk(16)
    if (disk === null) return skip('this machine mounts no disk')
    try {
      const [url, dataDir] = [await fresh(), at('uploads-elsewhere')]
      await mkdir(dataDir)
      await symlink(disk.folder, path.join(dataDir, 'uploads'))
      const ran = await kasir(['restore', file], env(url, dataDir))
      expect([ran.code, ran.err]).toEqual([0, ''])
      expect(await readFile(path.join(disk.folder, 'logos/warung.png'), 'utf8')).toBe('a picture')
      expect(await readdir(path.join(disk.folder, 'logos'))).toEqual(['warung.png'])
      expect(await readdir(dataDir)).toEqual(['uploads'])
    } finally {
      await disk.close()
    }
  },
  SLOW,
)

test(
  'a restore whose images cannot be moved into place has put the key of the backup in its place before',
  async () => {
    const [url, dataDir, whole] = [await fresh(), at('key-first'), at('with-key.tar.gz')]
    await mkdir(dataDir)
    await writeFile(path.join(dataDir, 'uploads'), 'in the way')
    const held = { ...env(databaseUrl()), SECRETS_KEY: deps().secrets.current().text() }
    expect((await kasir(['backup', whole, '--with-key'], held)).code).toBe(0)
    const failed = await kasir(['restore', whole], env(url, dataDir))
    expect([failed.code, failed.err]).toEqual([1, expect.stringContaining('could not be moved')])
    expect(failed.out).toContain(`The key ${deps().secrets.keyId} of the backup is in ${dataDir}`)
    expect(await readFile(path.join(dataDir, 'secrets.key'), 'utf8')).toBe(held.SECRETS_KEY)
  },
  SLOW,
)

test('what is put into an archive is held to the bounds of the reader, whoever made it', async () => {
  const key = { text: 'k'.repeat(33 * 2 ** 20), key: deps().secrets.current(), source: 'a test' }
  const out = new Writable({ write: (_chunk, _encoding, done) => done() })
  const job = { url: databaseUrl(), books: await readBooks(), out, files: null, key, progress: () => {} }
  await expect(writeBackup(job)).rejects.toMatchObject({
    name: 'BackupError',
    message: 'A backup cannot hold "secrets.key" of 33 MiB: Kasir never writes a file that large.',
  })
})

test('what the list of files will take is known before any is read, to the byte', async () => {
  const { listBytes } = await findFiles({ root: at('data'), folder: 'uploads' })
  expect(listBytes).toBe(JSON.stringify(archive.manifest.files).length - '[]'.length + ','.length)
  const text = gunzipSync(await readFile(file)).toString('latin1')
  expect(text).toContain(`"files":${JSON.stringify(archive.manifest.files)},`)
})

test(
  'a table whose name no reader would take fails the backup',
  async () => {
    const database = await cloneDatabase()
    databases.push(database)
    await rowsOf(database.url, 'create table "Sales of May" (id int)')
    expect(faultOf(await backup(database.url, at('never-odd.tar.gz')))).toEqual([
      1,
      'The table "public.Sales of May" or one of its columns has a name that Kasir never gives: move it to another database.',
    ])
  },
  SLOW,
)

test(
  'standard output and input carry a backup from one to the other',
  async () => {
    const piped = at('piped.tar.gz')
    const sink = await open(piped, 'w')
    const out = spawnKasir(['backup', '-'], env(databaseUrl()), ['ignore', sink.fd, 'pipe'])
    expect(await out.ended).toBe(0)
    await sink.close()
    expect(out.err()).toContain('A restore needs the key')
    const source = await open(piped, 'r')
    const into = spawnKasir(['restore', '-'], env(await fresh()), [source.fd, 'pipe', 'pipe'])
    expect([await into.ended, into.err()]).toEqual([0, ''])
    await source.close()
    const full = await open('/dev/full', 'w')
    const lost = spawnKasir(['backup', '-'], env(databaseUrl()), ['ignore', full.fd, 'pipe'])
    expect(await lost.ended).toBe(1)
    await full.close()
    expect(lost.err()).toContain('cannot be written: the disk is full\n')
  },
  SLOW,
)

test(
  'a restore from standard input that is killed leaves no books in the temporary folder',
  async () => {
    const folder = at('temporary')
    await mkdir(folder)
    const source = await open(file, 'r')
    const more = { ...env(await fresh()), TMPDIR: folder }
    const { child, ended, out } = spawnKasir(['restore', '-'], more, [source.fd, 'pipe', 'pipe'])
    await expect.poll(out, { interval: 1 }).toMatch(/Restoring: \d+%/)
    child.kill('SIGKILL')
    await ended
    await source.close()
    expect(await readdir(folder)).toEqual([])
  },
  SLOW,
)

test(
  'an interrupted backup says so and leaves no half of a file',
  async () => {
    const half = at('half.tar.gz')
    const { child, ended, out, err } = spawnKasir(['backup', half], env(databaseUrl()))
    // Its sentence of the start is not printed with DATABASE_URL: the file beside the name shows that it writes.
    await expect
      .poll(async () => (await readdir(room)).some((name) => name.startsWith('half.')), { interval: 1 })
      .toBe(true)
    child.kill('SIGINT')
    const code = await ended
    const wasFaster = out().includes(`Written to ${half}`)
    expect([code, err()]).toEqual(wasFaster ? [0, ''] : [1, 'Interrupted: no backup was written.\n'])
    expect((await readdir(room)).filter((name) => name.startsWith('half.'))).toEqual(
      wasFaster ? ['half.tar.gz'] : [],
    )
  },
  SLOW,
)

test(
  'a backup removes what killed backups left in its folder a day ago, and nothing else',
  async () => {
    const folder = at('nightly')
    await mkdir(folder)
    const names = ['kasir-1.tar.gz.123.part', 'kasir-2.tar.gz.456.part', 'notes.part', 'kasir-0.tar.gz']
    for (const name of names) await writeFile(path.join(folder, name), 'x')
    const twoDaysAgo = Date.now() / 1000 - 2 * 86_400
    for (const name of ['kasir-1.tar.gz.123.part', 'notes.part', 'kasir-0.tar.gz'])
      await utimes(path.join(folder, name), twoDaysAgo, twoDaysAgo)
    expect((await backup(databaseUrl(), path.join(folder, 'kasir-3.tar.gz'))).code).toBe(0)
    expect((await readdir(folder)).toSorted()).toEqual([
      'kasir-0.tar.gz',
      'kasir-2.tar.gz.456.part',
      'kasir-3.tar.gz',
      'notes.part',
    ])
  },
  SLOW,
)

/** The niceness of every thread of a process, each once: the 19th field of its line (proc(5)). */
async function nicenessOf(pid: number): Promise<number[]> {
  const tasks = `/proc/${pid}/task`
  const lines = (await readdir(tasks)).map((id) =>
    readFile(path.join(tasks, id, 'stat'), 'utf8').catch(() => ''),
  )
  const fields = (await Promise.all(lines)).map((line) => line.slice(line.lastIndexOf(')') + 2).split(' '))
  return [...new Set(fields.filter(({ length }) => length > 1).map((all) => Number(all[16])))]
}

test.runIf(process.platform === 'linux')(
  'tills go first: every thread of a backup has the lowest priority while it reads and writes',
  async () => {
    const holder = new pg.Client({ connectionString: databaseUrl() })
    await holder.connect()
    try {
      // The backup waits for it, and can be looked at.
      await holder.query('begin; lock table sales in access exclusive mode')
      const { child, ended } = spawnKasir(['backup', at('behind.tar.gz')], env(databaseUrl()))
      await expect.poll(() => nicenessOf(child.pid ?? 0)).toEqual([19])
      await holder.query('rollback')
      expect(await ended).toBe(0)
    } finally {
      await holder.end()
    }
  },
  SLOW,
)

type Stdio = ('ignore' | 'pipe' | number)[]
function spawnKasir(args: string[], more: Record<string, string>, stdio: Stdio = ['ignore', 'pipe', 'pipe']) {
  const child = spawn(process.execPath, [...program(), ...args], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...more },
    stdio,
  })
  const said = { out: '', err: '' }
  child.stdout?.setEncoding('utf8').on('data', (part: string) => (said.out += part))
  child.stderr?.setEncoding('utf8').on('data', (part: string) => (said.err += part))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { child, ended, out: () => said.out, err: () => said.err }
}

test(
  'a restore that is killed at any stage leaves the books that were there whole',
  async () => {
    const url = await fresh()
    await restore(url, file)
    await rowsOf(url, `update accounts set name = 'the old books'`)
    const before = await contents(url)
    const name = new URL(url).pathname.slice(1)
    const stages: RegExp[] = [/^$/, ...[10, 60, 100].map((percent) => new RegExp(`Restoring: ${percent}%`))]
    for (const stage of stages) {
      const { child, ended, out } = spawnKasir(['restore', file, '--replace', name], env(url))
      await expect.poll(() => stage.test(out()) || child.exitCode !== null, { interval: 1 }).toBe(true)
      child.kill('SIGKILL')
      await ended
      const running = `select pid from pg_stat_activity where datname = current_database() and application_name = 'kasir-restore'`
      await expect.poll(() => rowsOf(url, running)).toEqual([])
      const isDone = out().includes('The backup is restored completely')
      expect(await contents(url)).toEqual(isDone ? archive.manifest.tables : before)
      if (isDone) break
    }
  },
  SLOW,
)

test('every table that keeps a transaction number is the log, or a follower whose position is written empty', async () => {
  const columns = `select table_name as name from information_schema.columns where udt_name = 'xid8' order by 1`
  const followers = POSITIONS.map(({ table }) => ({ name: table }))
  expect(await rowsOf(databaseUrl(), columns)).toEqual(
    [{ name: 'events' }, ...followers].toSorted((one, other) => (one.name < other.name ? -1 : 1)),
  )
})

test('the books of a reference partner go along, in a schema of their own', () => {
  expect(archive.header.books.map(({ schema }) => schema)).toContain('reference_payment')
  expect(archive.manifest.tables.map(({ schema, table }) => `${schema}.${table}`)).toContain(
    'reference_payment.workspaces',
  )
})
