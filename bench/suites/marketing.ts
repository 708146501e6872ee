import { fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { CLOSE, SCHEDULE } from '../../src/areas/marketing/abandoned-carts/statements.ts'
import { freshDatabase, setsOf, settle } from '../lib/database.ts'
import { fixed, median, table, whole } from '../lib/figures.ts'
import { rssOf } from '../lib/machine.ts'
import { seedCatalogue } from '../lib/seed-catalogue.ts'
import { startService } from '../lib/service.ts'
import { alternate, type Options, type Report, type Suite } from '../lib/suite.ts'

const VARIANTS = 20_000
const BILLS = 10_000
/** Bills of one statement of the worker. */
const PORTION = 1_000
const SLUG = 'bench'
/** Reads on each side before it is measured, so that its code is compiled. */
const WARM_UP = 20
/** A read takes some ten milliseconds, so many are cheap. */
const TURNS = 15

type FeedRead = { ms: number; firstMs: number; bytes: number }

/** The public feed of a large catalogue, and the worker that looks for bills that were left open. */
export const marketing: Suite = {
  name: 'marketing',
  about: 'the product feed over a bare stream, reminders of open bills',
  measure,
}

async function measure({ rounds, say }: Options): Promise<Report> {
  const database = await freshDatabase()
  try {
    const pool = setsOf(database)
    const { accountId } = await seedCatalogue(pool, 'Feeds', VARIANTS)
    await publish(pool, accountId)
    await settle(database.url)
    // The feed is measured first, while the workspace has no bills and the worker is idle.
    const feed = await readFeed(database, rounds)
    say(
      `  feed: ${whole(feed.service)} ms, bare ${whole(feed.bare)} ms, first byte ${fixed(feed.firstMs)} ms`,
    )
    await parkBills(pool, accountId)
    await pool.end()
    await settle(database.url)
    const carts = await remind(database.url, accountId)
    say(`  reminders of ${whole(BILLS)} bills: ${fixed(carts.first)} ms, again ${fixed(carts.again)} ms`)
    return reportOf(carts, feed)
  } finally {
    await database.stop()
  }
}

async function publish(pool: pg.Pool, accountId: string) {
  // An earlier time, because the service does not cache rows that have just changed.
  const now = new Date(Date.now() - 60_000).toISOString()
  for (const table of ['products', 'variants', 'categories', 'stock_levels']) {
    await pool.query(`update ${table} set updated_at = $2 where account_id = $1`, [accountId, now])
  }
  await pool.query(
    `insert into modules (account_id, module, enabled, created_at, updated_at) values ($1, 'marketing', true, $2, $2)`,
    [accountId, now],
  )
  await pool.query('insert into account_slugs (slug, account_id, created_at) values ($1, $2, $3)', [
    SLUG,
    accountId,
    now,
  ])
  await pool.query(
    `insert into feed_settings (account_id, enabled, include_unpublished, product_url, created_at, updated_at)
      values ($1, true, false, 'https://shop.example/{variantId}', $2, $2)`,
    [accountId, now],
  )
}

/** Every one of them is a cart: of a customer with an address, and touched a day ago. */
async function parkBills(pool: pg.Pool, accountId: string) {
  await pool.query(
    `insert into outlets (account_id, id, name, created_at, updated_at)
      values ($1, 'out_' || repeat('0', 26), 'Toko', now() - interval '1 day', now() - interval '1 day')`,
    [accountId],
  )
  await pool.query(
    `insert into customers (account_id, id, name, email)
      select $1, 'cus_' || lpad(n::text, 26, '0'), 'Ani', 'ani' || n || '@example.test' from generate_series(1, $2::int) n`,
    [accountId, BILLS],
  )
  await pool.query(
    `insert into sales (account_id, id, number, outlet_id, customer_id, status, item_count, subtotal, discount_total,
        order_discount, tax_rate_bps, tax_inclusive, tax_total, delivery_fee, total, paid_total, change_total, cashier_id,
        created_at, updated_at)
      select $1, 'txn_' || lpad(n::text, 26, '0'), n::text, 'out_' || repeat('0', 26), 'cus_' || lpad(n::text, 26, '0'),
        'PARKED', 1, 10000, 0, 0, 0, false, 0, 0, 10000, 0, 0, 'usr_1', now() - interval '1 day', now() - interval '1 day'
      from generate_series(1, $2::int) n`,
    [accountId, BILLS],
  )
}

/** The statements of the worker, timed inside the database: its first run, and one that finds nothing new. */
async function remind(url: string, accountId: string): Promise<{ first: number; again: number }> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const timed = async (text: string, values: unknown[]) => {
    const { rows } = await client.query(`explain (analyze, format json) ${text}`, values)
    const [plan] = rows[0]['QUERY PLAN']
    return { ms: plan['Planning Time'] + plan['Execution Time'], rows: plan['Plan']['Actual Rows'] as number }
  }
  const now = new Date()
  const before = (hours: number) => new Date(now.getTime() - hours * 3_600_000).toISOString()
  const run = async () => {
    let ms = (await timed(CLOSE.text, [accountId, now.toISOString()])).ms
    for (let made = PORTION; made === PORTION; ) {
      const values = [accountId, now.toISOString(), before(724), before(4), PORTION]
      const portion = await timed(SCHEDULE.text, values)
      ms += portion.ms
      made = portion.rows
    }
    return ms
  }
  try {
    const first = await run()
    const { rows } = await client.query('select count(*)::int as n from cart_reminders')
    if (rows[0].n !== BILLS) throw new Error(`${rows[0].n} reminders were made`)
    return { first, again: await run() }
  } finally {
    await client.end()
  }
}

async function take(url: string, keep?: (part: Uint8Array) => void): Promise<FeedRead> {
  const began = performance.now()
  const answer = await fetch(url)
  if (answer.status !== 200 || !answer.body) throw new Error(`${url} answered ${answer.status}`)
  let firstMs = 0
  let bytes = 0
  for await (const part of answer.body) {
    if (bytes === 0) firstMs = performance.now() - began
    bytes += part.length
    keep?.(part)
  }
  return { ms: performance.now() - began, firstMs, bytes }
}

const BARE = fileURLToPath(new URL('../processes/bare-stream.ts', import.meta.url))

async function readFeed(database: { url: string; dir: string }, rounds: number) {
  const service = await startService(database.url, path.join(database.dir, 'service'))
  try {
    const url = `${service.address}/api/v1/public/${SLUG}/feed.xml`
    const parts: Uint8Array[] = []
    const { bytes, ...cold } = await take(url, (part) => parts.push(part))
    const file = path.join(database.dir, 'feed.xml')
    await writeFile(file, Buffer.concat(parts.splice(0)))
    const rssBefore = await rssOf(service.pid)
    const child = fork(BARE, [file], { execArgv: ['--import', import.meta.resolve('tsx')] })
    const [bareUrl] = (await once(child, 'message')) as [string]
    for (let read = 0; read < WARM_UP; read += 1) for (const address of [bareUrl, url]) await take(address)
    const { a, b } = await alternate(
      TURNS * rounds,
      () => take(bareUrl),
      () => take(url),
    )
    const ended = once(child, 'exit')
    child.send('stop')
    await ended
    const rssAfter = await rssOf(service.pid)
    const ms = (reads: readonly FeedRead[]) => median(reads.map((read) => read.ms))
    return {
      bytes,
      service: ms(b),
      bare: ms(a),
      ratio: ms(a) / ms(b),
      cold,
      bareFirstMs: median(a.map((read) => read.firstMs)),
      firstMs: median(b.map((read) => read.firstMs)),
      rssBefore,
      rssAfter,
    }
  } finally {
    await service.stop()
  }
}

function reportOf(
  carts: { first: number; again: number },
  feed: Awaited<ReturnType<typeof readFeed>>,
): Report {
  const perSecond = (ms: number) => fixed(feed.bytes / 2 ** 20 / (ms / 1000), 1)
  return {
    title: 'Marketing',
    text: [
      `The feed for Google of ${whole(VARIANTS)} variants (${fixed(feed.bytes / 2 ** 20, 1)} MiB), read by a stranger over HTTP, beside Node's own server that sends the same bytes out of memory. The first read after a change writes the feed, those that follow get the file. Memory of the service after the first read ${whole(feed.rssBefore)} MiB, after the others ${whole(feed.rssAfter)} MiB.`,
      table(
        ['', 'MiB/s', 'over the bare stream', 'first byte, ms'],
        [
          ['bare stream', perSecond(feed.bare), '', fixed(feed.bareFirstMs)],
          ['feed.xml', perSecond(feed.service), fixed(feed.ratio), fixed(feed.firstMs)],
          [
            'the first time',
            perSecond(feed.cold.ms),
            fixed(feed.bare / feed.cold.ms),
            fixed(feed.cold.firstMs),
          ],
        ],
      ),
      `A workspace with ${whole(BILLS)} open bills that were left a day ago; planning and execution inside the database.`,
      table(['', 'first run, ms', 'next run, ms'], [['reminders', fixed(carts.first), fixed(carts.again)]]),
    ].join('\n\n'),
    rows: [
      {
        what: `reminders of ${whole(BILLS)} bills, ms of database`,
        measured: '',
        yardstick: '',
        value: carts.first,
        bar: { atMost: 1_000 },
      },
      {
        what: `feed of ${whole(VARIANTS)} variants, MiB/s over a bare stream`,
        measured: `${perSecond(feed.service)} MiB/s`,
        yardstick: `${perSecond(feed.bare)} MiB/s`,
        value: feed.ratio,
        bar: { atLeast: 0.5 },
      },
    ],
  }
}
