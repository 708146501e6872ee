import { spawn } from 'node:child_process'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { type Database, freshDatabase, query, settle } from '../lib/database.ts'
import { fixed, median, table, whole } from '../lib/figures.ts'
import { cpuOf, loadNow, rssOf, versionOf } from '../lib/machine.ts'
import { countingProxy } from '../lib/proxy.ts'
import { accountId, booksOf, requireBooks, seedShops, TOUR, WORKSPACES } from '../lib/sales-shop.ts'
import { bareSales, type Pace, pgbenchSales, type Texts, type Where } from '../lib/sales-yardstick.ts'
import { type Service, startService } from '../lib/service.ts'
import { alternate, type Options, type Report } from '../lib/suite.ts'
import type { LoadResult, LoadTask } from '../processes/sales-load.ts'

const CONNECTIONS = 32
/**
 * Before anything is timed both sides write some thousand sales: Node compiles what is hot, each connection makes its
 * plans, and the pages that a checkpoint left have been logged whole once. The service's sales begin with a tour of all
 * goods: from then on every one is known.
 */
const WARM_UP = 5_000
const WARM_UP_SECONDS = 3
const LOAD = fileURLToPath(new URL('../processes/sales-load.ts', import.meta.url))

type Yardstick = (where: Where, limit: { seconds: number } | { count: number }) => Promise<Pace>
/** Processor time per sale, µs: what a busy machine blurs less than it blurs the clock. */
type Cpu = { database: number; service: number; load: number }
export type Bench = { database: Database; keys: string[]; say: Options['say'] }

/**
 * How fast a completed three-line cash sale is, beside what PostgreSQL alone needs for its rows. The bars: nearly half
 * of that pace over many outlets, three tenths of it where all sales wait for one receipt counter, four round trips.
 */
export async function sales(options: Options): Promise<Report> {
  const database = await freshDatabase()
  try {
    const keys = await seedShops(database.url)
    const bench = { database, keys, say: options.say }
    const trips = await countTrips(bench)
    const { yardstick, tool } = await makeYardstick(bench)
    await requireSameWidth(bench, yardstick)
    const spread = await compare(bench, yardstick, options, { spread: true })
    const hot = await compare(bench, yardstick, options, { spread: false })
    return reportOf({ spread, hot, trips, tool, database })
  } finally {
    await database.stop()
  }
}

/** Starts the load in a process of its own, so that it never waits for ours. */
export async function load(
  bench: Bench,
  service: Service,
  task: Partial<LoadTask>,
): Promise<Omit<LoadResult, 'cpu'> & { cpu: Cpu }> {
  const before = await booksOf(bench.database.url)
  const cpu = () => Promise.all([cpuOf(bench.database.pid), cpuOf(service.pid)])
  const whole: LoadTask = {
    address: service.address,
    keys: bench.keys,
    spread: true,
    connections: CONNECTIONS,
    limit: { seconds: 10 },
    ...task,
  }
  const [databaseBefore, serviceBefore] = await cpu()
  const child = spawn(process.execPath, ['--import', 'tsx', LOAD], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify(whole))
  const result = JSON.parse(await text(child.stdout)) as LoadResult
  const [databaseAfter, serviceAfter] = await cpu()
  if (result.refused.length > 0) throw new Error(`not every answer was 201:\n${result.refused.join('\n')}`)
  requireBooks(before, await booksOf(bench.database.url), result)
  const each = (seconds: number) => (seconds * 1e6) / result.sales
  return {
    ...result,
    cpu: {
      database: each(databaseAfter - databaseBefore),
      service: each(serviceAfter - serviceBefore),
      load: each(result.cpu / 1e6),
    },
  }
}

const serviceOf = (bench: Bench, url = bench.database.url) =>
  startService(url, path.join(bench.database.dir, 'service'))

/**
 * Every statement the service sends while it sells passes a counter; key use is recorded once a minute and warmed up.
 */
async function countTrips(bench: Bench): Promise<number> {
  const proxy = await countingProxy(bench.database.url)
  const service = await serviceOf(bench, proxy.url)
  try {
    await load(bench, service, { tour: true, limit: { count: TOUR } })
    const before = proxy.trips()
    const { sales: sold } = await load(bench, service, { limit: { count: 1000 } })
    return (proxy.trips() - before) / sold
  } finally {
    await service.stop()
    proxy.close()
  }
}

/** The last sale of the service gives the yardstick its texts; nothing in them is made up. */
export async function makeYardstick(bench: Bench): Promise<{ yardstick: Yardstick; tool: string }> {
  const { url, dir } = bench.database
  const [texts] = await query<Texts>(
    url,
    `select p.body as "paymentEvent", e.body as "saleEvent", e.cause, k.body as reply, k.fingerprint
      from sales s
      join payments y on y.account_id = s.account_id and y.sale_id = s.id
      join events e on e.account_id = s.account_id and e.ref_id = s.id
      join events p on p.account_id = s.account_id and p.ref_id = y.id
      join idempotency_keys k on k.account_id = s.account_id and k.body like '%' || s.id || '%'
      where s.account_id = $1 order by s.id desc limit 1`,
    [accountId(WORKSPACES)],
  )
  if (!texts) throw new Error('the service has sold nothing yet')
  const pgbench = await versionOf('pgbench')
  if (pgbench !== null) {
    return {
      yardstick: (where, limit) => pgbenchSales(url, dir, texts, where, limit),
      tool: `${pgbench}, -M prepared, 32 clients`,
    }
  }
  return {
    yardstick: (where, limit) => bareSales(url, texts, where, limit),
    tool: 'pgbench is not installed: 32 bare pg clients in two Node processes instead, a slower yardstick',
  }
}

const TABLES = [
  'sales',
  'sale_items',
  'payments',
  'stock_movements',
  'stock_levels',
  'outlet_days',
  'events',
].concat('idempotency_keys')
/** Ids, counters and the odd null differ by a few bytes. */
const TOLERANCE = 0.05

/** Throws unless the yardstick wrote as many rows as the service does for a sale, and as wide ones. */
async function requireSameWidth(bench: Bench, yardstick: Yardstick) {
  const { url } = bench.database
  const sums = TABLES.map(
    (name) =>
      `(select json_build_array(count(*), coalesce(sum(pg_column_size(x.*)), 0)) from ${name} x where account_id = $1 and xmin::text::bigint >= $2) as ${name}`,
  )
  type Sums = Record<string, [number, number]>
  const written = async (w: number, write: () => Promise<unknown>): Promise<Sums> => {
    const [row] = await query<{ xid: string }>(url, 'select pg_current_xact_id()::xid::text as xid')
    await write()
    const [found] = await query<Sums>(url, `select ${sums.join(', ')}`, [accountId(w), row?.xid])
    return found ?? {}
  }
  const ours = await written(1, async () => {
    const service = await serviceOf(bench)
    try {
      await load(bench, service, { spread: false, connections: 1, limit: { count: 20 } })
    } finally {
      await service.stop()
    }
  })
  const theirs = await written(2, () => yardstick({ spread: false, workspace: 2 }, { count: 20 }))
  for (const name of TABLES) {
    const [[rows, bytes], [yardRows, yardBytes]] = [ours[name] ?? [0, 0], theirs[name] ?? [0, 0]]
    const off = Math.abs(yardBytes / bytes - 1)
    bench.say(
      `  width ${name.padEnd(18)} ${rows} rows ${bytes} bytes, yardstick ${yardRows} rows ${yardBytes} bytes`,
    )
    // Levels drawn twice are one row, so their number is a matter of luck; their width is not.
    const sameCount = name === 'stock_levels' || rows === yardRows
    const widthOff = name === 'stock_levels' ? Math.abs(yardBytes / yardRows / (bytes / rows) - 1) : off
    if (!sameCount || !(widthOff <= TOLERANCE))
      throw new Error(
        `the yardstick is not honest on ${name}: ${yardRows} rows of ${yardBytes} bytes against ${rows} of ${bytes}`,
      )
  }
}

const told = (cpu: Cpu) =>
  `${whole(cpu.database)} µs of database + ${whole(cpu.service)} of service + ${whole(cpu.load)} of load`

type Comparison = {
  yardCpu: number
  cpu: Cpu
  yardstick: number
  perSecond: number
  p50: number
  p99: number
  rss: number
  ratio: number
}

async function compare(
  bench: Bench,
  yardstick: Yardstick,
  { seconds, rounds, say }: Options,
  where: Where,
): Promise<Comparison> {
  const { url } = bench.database
  const name = where.spread ? 'spread' : 'one hot outlet'
  const rsses: number[] = []
  const rounded = await alternate(
    rounds,
    async () => {
      await settle(url)
      const before = loadNow()
      await yardstick(where, { seconds: WARM_UP_SECONDS })
      const cpuBefore = await cpuOf(bench.database.pid)
      const { perSecond, sales: written } = await yardstick(where, { seconds })
      const cpu = (((await cpuOf(bench.database.pid)) - cpuBefore) * 1e6) / written
      say(`  ${name}: yardstick ${whole(perSecond)} sales/s, ${whole(cpu)} µs of database (load ${before})`)
      return { perSecond, cpu }
    },
    async () => {
      await settle(url)
      const before = loadNow()
      const service = await serviceOf(bench)
      try {
        await load(bench, service, { ...where, tour: true, limit: { count: TOUR } })
        await load(bench, service, { ...where, limit: { count: WARM_UP - TOUR } })
        const result = await load(bench, service, { ...where, limit: { seconds } })
        rsses.push(await rssOf(service.pid))
        say(
          `  ${name}: service ${whole(result.perSecond)} sales/s, p50 ${fixed(result.p50, 1)} ms, p99 ${fixed(result.p99, 1)} ms, ${told(result.cpu)} (load ${before})`,
        )
        return result
      } finally {
        await service.stop()
      }
    },
  )
  const yard = median(rounded.a.map((pace) => pace.perSecond))
  const perSecond = median(rounded.b.map((result) => result.perSecond))
  return {
    yardstick: yard,
    yardCpu: median(rounded.a.map(({ cpu }) => cpu)),
    cpu: {
      database: median(rounded.b.map(({ cpu }) => cpu.database)),
      service: median(rounded.b.map(({ cpu }) => cpu.service)),
      load: median(rounded.b.map(({ cpu }) => cpu.load)),
    },
    perSecond,
    p50: median(rounded.b.map((result) => result.p50)),
    p99: median(rounded.b.map((result) => result.p99)),
    rss: Math.max(...rsses),
    // Turn by turn: a machine that slows down between two turns must not count for one side only.
    ratio: median(rounded.a.map((pace, turn) => (rounded.b[turn]?.perSecond ?? Number.NaN) / pace.perSecond)),
  }
}

type Figures = { spread: Comparison; hot: Comparison; trips: number; tool: string; database: Database }

function reportOf({ spread, hot, trips, tool, database }: Figures): Report {
  const row = (name: string, figures: Comparison) => [
    name,
    whole(figures.yardstick),
    whole(figures.perSecond),
    fixed(figures.ratio),
    fixed(figures.p50, 1),
    fixed(figures.p99, 1),
    whole(figures.rss),
  ]
  const cpuRow = (name: string, { yardCpu, cpu }: Comparison) => [
    name,
    whole(yardCpu),
    whole(cpu.database),
    whole(cpu.service),
    whole(cpu.load),
  ]
  return {
    title: 'A completed sale',
    text: [
      `Three lines, paid in cash, over HTTP with an API key and an Idempotency-Key; 32 keep-alive connections, ${WORKSPACES} workspaces with 4 outlets and 200 variants each. PostgreSQL ${database.version} with fsync, synchronous_commit and full_page_writes on. The yardstick (${tool}) writes the same rows in one statement. Every answer was 201, and sales, lines, movements, payments, events, keys and stock levels moved by exactly what was answered.`,
      table(
        ['', 'yardstick, sales/s', 'service, sales/s', 'ratio', 'p50, ms', 'p99, ms', 'RSS, MiB'],
        [row('spread over 200 outlets', spread), row('one hot outlet', hot)],
      ),
      'Processor time per sale, µs:',
      table(
        ['', 'yardstick, database', 'database', 'service', 'load generator'],
        [cpuRow('spread over 200 outlets', spread), cpuRow('one hot outlet', hot)],
      ),
      `Round trips to the database per sale: ${fixed(trips)}.`,
    ].join('\n\n'),
    verdicts: [
      { what: 'sale, spread: service / yardstick', value: spread.ratio, bar: 0.45, atLeast: true },
      { what: 'sale, one hot outlet: service / yardstick', value: hot.ratio, bar: 0.3, atLeast: true },
      { what: 'round trips per completed sale', value: trips, bar: 4, atLeast: false },
    ],
  }
}
