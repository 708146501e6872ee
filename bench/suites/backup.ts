import { spawn } from 'node:child_process'
import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { type Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { migrate } from '../../src/platform/db/migrate.ts'
import { fillTable } from '../../test/support/fill.ts'
import { type Database, freshDatabase, query, settle } from '../lib/database.ts'
import { fixed, median, table, whole } from '../lib/figures.ts'
import { rssOf } from '../lib/machine.ts'
import { load } from '../lib/sales-run.ts'
import { accountId, outletId, priceOf, seedShops, variantId } from '../lib/sales-shop.ts'
import { BENCH_KEY, startService } from '../lib/service.ts'
import { alternate, type Options, type Report, type Suite } from '../lib/suite.ts'

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))
const SALES = 1_000_000
const QUICK_SALES = 20_000
/**
 * Tills that sell meanwhile: a busy shop below the limit of the machine, where any other work would slow them down.
 */
const TILLS = 8
/** A turn takes more than a minute, so two turns in the order A B B A are enough. */
const ROUNDS = 2
const MB = 1e6

/** Compares a backup with PostgreSQL's own COPY of the same tables, and measures how much it slows tills down. */
export const backup: Suite = {
  name: 'backup',
  about: 'backup and restore of a million sales over bare COPY, and tills beside a backup',
  onlyByName: true,
  measure,
}

async function measure(options: Options): Promise<Report> {
  const { quick, say } = options
  const rounds = Math.min(options.rounds, ROUNDS)
  const sales = quick ? QUICK_SALES : SALES
  const database = await freshDatabase()
  try {
    const keys = await seedShops(database.url)
    await fillBooks(database.url, sales)
    say(`${whole(sales)} sales written`)
    await settle(database.url)
    const tables = await tablesOf(database.url)
    const out = await measureOut(database, tables, rounds)
    say(`  out: ${fixed(out.ours)} MB/s, bare COPY ${fixed(out.bare)} MB/s, ${whole(out.rss)} MiB`)
    const back = await measureIn(database, tables, rounds, out)
    say(`  in: ${fixed(back.ours)} MB/s, bare COPY ${fixed(back.bare)} MB/s, ${whole(back.rss)} MiB`)
    const p99 = await measureTills({ database, keys, say }, { ...options, rounds })
    say(`  p99 of a sale: ${fixed(p99.beside, 1)} ms beside a backup, ${fixed(p99.alone, 1)} ms without`)
    return reportOf({ sales, out, back, p99 })
  } finally {
    await database.stop()
  }
}

/**
 * Sales with three items and a payment, older than the retention of events, and a movement for each level, so that
 * the books are consistent.
 */
async function fillBooks(url: string, count: number) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const [account, outlet] = [accountId(1), outletId(1, 1)]
  const at = `now() - interval '100 days' - (${count} - n) * interval '1 second'`
  const id = (prefix: string, number = 'n') => `'${prefix}_' || lpad((${number})::text, 26, '0')`
  const numbers = `generate_series(1, ${count}) n`
  const price = priceOf(1)
  const [subtotal, tax] = [3 * price, 3 * Math.round(price * 0.11)]
  const total = subtotal + tax
  try {
    await fillTable(
      client,
      'stock_movements',
      `insert into stock_movements (account_id, id, outlet_id, variant_id, type, qty_delta, balance_after, actor_id, created_at,
          updated_at)
        select account_id, 'mov_' || substr(id, 5), outlet_id, variant_id, 'ADJUSTMENT', quantity, quantity, 'usr_1', now(), now()
        from stock_levels`,
    )
    await fillTable(
      client,
      'sales',
      `insert into sales (account_id, id, number, outlet_id, status, item_count, subtotal, discount_total, order_discount,
          tax_rate_bps, tax_inclusive, tax_total, delivery_fee, total, paid_total, change_total, cashier_id, created_at,
          updated_at, completed_at)
        select '${account}', ${id('txn')}, 'B-' || n, '${outlet}', 'COMPLETED', 3, ${subtotal}, 0, 0, 1100, false, ${tax}, 0,
          ${total}, ${total}, 0, 'usr_' || (n % 5), ${at}, ${at}, ${at} from ${numbers}`,
    )
    await fillTable(
      client,
      'sale_items',
      `insert into sale_items (account_id, sale_id, id, position, variant_id, product_id, product_name, variant_name, sku,
          quantity, unit_price, discount, order_discount_share, tax_amount, line_total, created_at, updated_at)
        select '${account}', ${id('txn')}, ${id('tli', 'n * 3 + l')}, l, '${variantId(1, 1)}', 'prd_' || substr('${variantId(1, 1)}', 5),
          'Kopi Susu Gula Aren', 'Default', 'SKU-' || l, 1, ${price}, 0, 0, ${tax / 3}, ${total / 3}, ${at}, ${at}
        from ${numbers}, generate_series(0, 2) l`,
    )
    await fillTable(
      client,
      'payments',
      `insert into payments (account_id, sale_id, id, method, amount, status, paid_at, created_at, updated_at)
        select '${account}', ${id('txn')}, ${id('pay')}, case when n % 3 = 0 then 'QRIS' else 'CASH' end, ${total}, 'PAID', ${at},
          ${at}, ${at} from ${numbers}`,
    )
  } finally {
    await client.end()
  }
}

type Table = { name: string; columns: string }

const tablesOf = (url: string) =>
  query<Table>(
    url,
    `select c.relname as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'schema_migrations'
        and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
      group by 1 order by 1`,
  )

type Pace = { ours: number; bare: number; rss: number; bytes: number }

async function measureOut(database: Database, tables: readonly Table[], rounds: number): Promise<Pace> {
  const file = fileIn(database)
  let bytes = 0
  const bare = async () => {
    const took = await timed(async () => {
      bytes = await copyOut(database.url, tables, async (_table, stream) => count(stream))
    })
    return bytes / MB / took
  }
  const { a, b } = await alternate(rounds, bare, async () => {
    await rm(file, { force: true })
    return kasir(database, database.url, ['backup', file])
  })
  const rss = Math.max(...b.map((run) => run.rss))
  return { bare: median(a), ours: bytes / MB / median(b.map((run) => run.seconds)), rss, bytes }
}

/** Both load an empty database; the bare one gets its schema first. */
async function measureIn(
  database: Database,
  tables: readonly Table[],
  rounds: number,
  { bytes }: Pace,
): Promise<Pace> {
  const textOf = ({ name }: Table) => path.join(database.dir, `${name}.copy`)
  await copyOut(database.url, tables, async (one, stream) => {
    await pipeline(stream, createWriteStream(textOf(one)))
    return 0
  })
  const bare = async () => {
    const url = await emptyDatabase(database, 'bench_bare')
    await migrate(url)
    const took = await timed(() => copyIn(url, tables, textOf))
    return bytes / MB / took
  }
  const ours = async () =>
    kasir(database, await emptyDatabase(database, 'bench_ours'), ['restore', fileIn(database)])
  const { a, b } = await alternate(rounds, bare, ours)
  for (const name of ['bench_bare', 'bench_ours']) await dropDatabase(database, name)
  const rss = Math.max(...b.map((run) => run.rss))
  return { bare: median(a), ours: bytes / MB / median(b.map((run) => run.seconds)), rss, bytes }
}

const fileIn = ({ dir }: Database) => path.join(dir, 'bench.tar.gz')

/** As the superuser, because the service may not end the autovacuum of the tables that were just filled. */
const dropDatabase = ({ adminUrl }: Database, name: string) =>
  query(adminUrl, `drop database if exists ${name} with (force)`)

async function emptyDatabase(database: Database, name: string): Promise<string> {
  await dropDatabase(database, name)
  await query(database.url, `create database ${name}`)
  const named = new URL(database.url)
  named.pathname = `/${name}`
  return named.toString()
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}

async function count(stream: Readable): Promise<number> {
  let bytes = 0
  await pipeline(
    stream,
    new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        bytes += chunk.length
        done()
      },
    }),
  )
  return bytes
}

async function copyOut(
  url: string,
  tables: readonly Table[],
  take: (table: Table, stream: Readable) => Promise<number>,
): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  let bytes = 0
  for (const one of tables)
    bytes += await take(one, client.query(copyTo(`copy ${one.name} (${one.columns}) to stdout`)))
  await client.end()
  return bytes
}

/** In one transaction, into tables with their indexes; without triggers there is no order among them to keep. */
async function copyIn(url: string, tables: readonly Table[], textOf: (one: Table) => string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('begin')
  const { rows } = await client.query<{ off: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as off from pg_constraint
      where contype = 'f' and connamespace = 'public'::regnamespace`,
  )
  for (const { off } of rows) await client.query(off)
  await client.query(`truncate ${tables.map(({ name }) => name).join(', ')}`)
  for (const one of tables) {
    const into = client.query(copyFrom(`copy ${one.name} (${one.columns}) from stdin`))
    await pipeline(createReadStream(textOf(one)), into)
  }
  await client.query('commit')
  await client.end()
}

type Ran = { seconds: number; rss: number }

/** Runs the built command as a separate process, and returns its peak memory. */
async function kasir({ dir }: Database, url: string, args: readonly string[]): Promise<Ran> {
  const began = performance.now()
  const child = spawn(process.execPath, [CLI, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: url,
      DATA_DIR: path.join(dir, 'beside'),
      SECRETS_KEY: BENCH_KEY,
    },
  })
  let rss = 0
  const look = async () => {
    rss = Math.max(rss, await rssOf(child.pid ?? 0))
  }
  const looking = setInterval(() => void look(), 50)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  clearInterval(looking)
  if (code !== 0) throw new Error(`kasir ${args[0]} ended with ${code}`)
  return { seconds: (performance.now() - began) / 1000, rss }
}

type Bench = { database: Database; keys: string[]; say: Options['say'] }

async function measureTills(bench: Bench, { rounds, seconds }: Pick<Options, 'rounds' | 'seconds'>) {
  const { database } = bench
  const service = await startService(database.url, path.join(database.dir, 'service'))
  const file = path.join(database.dir, 'beside.tar.gz')
  const sell = async () => (await load(bench, service, { connections: TILLS, limit: { seconds } })).p99
  const beside = async () => {
    let isSelling = true
    const saving = (async () => {
      while (isSelling) {
        await rm(file, { force: true })
        await kasir(database, database.url, ['backup', file])
      }
    })()
    const p99 = await sell()
    isSelling = false
    await saving
    return p99
  }
  try {
    await load(bench, service, { connections: TILLS, limit: { count: 2_000 } })
    const { a, b } = await alternate(rounds, sell, beside)
    return { alone: median(a), beside: median(b) }
  } finally {
    await service.stop()
  }
}

type Figures = { sales: number; out: Pace; back: Pace; p99: { alone: number; beside: number } }

function reportOf({ sales, out, back, p99 }: Figures): Report {
  const row = (what: string, { ours, bare, rss }: Pace) => [
    what,
    fixed(ours),
    fixed(bare),
    fixed(ours / bare),
    whole(rss),
  ]
  const overCopy = (what: string, { ours, bare }: Pace, atLeast: number) => ({
    what,
    measured: `${fixed(ours, 1)} MB/s`,
    yardstick: `${fixed(bare, 1)} MB/s`,
    value: ours / bare,
    bar: { atLeast },
  })
  return {
    title: 'Backup and restore',
    text: [
      `${whole(sales)} sales of three lines, ${whole(out.bytes / MB)} MB as COPY writes them. Beside each the bare COPY of the same tables: out to nowhere, in from files into tables with their indexes and without foreign keys. ${TILLS} tills sell while backups are made one after the other.`,
      table(
        ['', 'kasir, MB/s', 'bare COPY, MB/s', 'ratio', 'memory, MiB'],
        [row('backup', out), row('restore, checks and invariants included', back)],
      ),
      table(
        ['', 'p99 of a sale, ms'],
        [
          ['without a backup', fixed(p99.alone, 1)],
          ['while one is made', fixed(p99.beside, 1)],
        ],
      ),
    ].join('\n\n'),
    rows: [
      overCopy('backup, MB/s over a bare COPY', out, 0.6),
      overCopy('restore, MB/s over a bare COPY in', back, 0.4),
      {
        what: 'most memory of backup and restore, MiB',
        measured: '',
        yardstick: '',
        value: Math.max(out.rss, back.rss),
        bar: { atMost: 200 },
      },
      {
        what: 'p99 of a sale beside a backup over without',
        measured: `${fixed(p99.beside, 1)} ms`,
        yardstick: `${fixed(p99.alone, 1)} ms`,
        value: p99.beside / p99.alone,
        bar: { atMost: 1.5 },
      },
    ],
  }
}
