import { query, settle } from '../lib/database.ts'
import { fixed, median, table, whole } from '../lib/figures.ts'
import { cpuOf, rssOf } from '../lib/machine.ts'
import { countingProxy } from '../lib/proxy.ts'
import {
  type Bench,
  CONNECTIONS,
  type Cpu,
  load,
  makeYardstick,
  serviceOf,
  warmUp,
  type Yardstick,
} from '../lib/sales-run.ts'
import { accountId, WORKSPACES } from '../lib/sales-shop.ts'
import type { Where } from '../lib/sales-yardstick.ts'
import type { Service } from '../lib/service.ts'
import { alternate, type Options, type Report, ratioOf, type Suite } from '../lib/suite.ts'

/**
 * Both sides write some thousand sales before they are timed: code is compiled, statements are planned, and full
 * pages are logged after the checkpoint. The service first sells each variant once, so that all are cached.
 */
const WARM_UP = 5_000
const WARM_UP_SECONDS = 1

/** Compares a completed cash sale with three items to the same rows written by PostgreSQL alone. */
export const sales: Suite = {
  name: 'sales',
  about: 'completed sales over many outlets and at one, over the same rows written by one statement',
  uses: 'shops',
  measure,
}

async function measure(options: Options): Promise<Report> {
  const bench = await options.shops.get()
  const trips = await countTrips(bench, options)
  const { yardstick, tool } = await makeYardstick(bench)
  await requireSameWidth(bench, yardstick, options.say)
  const spread = await compare(bench, yardstick, options, { spread: true })
  const hot = await compare(bench, yardstick, options, { spread: false })
  return reportOf({ spread, hot, trips, tool })
}

/**
 * Every statement the service sends while it sells passes a counter; key use is recorded once a minute and warmed up.
 */
async function countTrips(bench: Bench, { quick }: Options): Promise<number> {
  const proxy = await countingProxy(bench.database.url)
  const service = await serviceOf(bench, proxy.url)
  try {
    await warmUp(bench, service, { sales: 0, quick })
    const before = proxy.trips()
    const { sales: sold } = await load(bench, service, { limit: { count: quick ? 100 : 1000 } })
    return (proxy.trips() - before) / sold
  } finally {
    await service.stop()
    proxy.close()
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
/** Ids, counters and nulls differ by a few bytes. */
const TOLERANCE = 0.05

/** Throws unless the yardstick wrote as many rows as the service does for a sale, and as wide ones. */
async function requireSameWidth(bench: Bench, yardstick: Yardstick, say: Options['say']) {
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
    say(`width ${name.padEnd(18)} ${rows} rows ${bytes} bytes, yardstick ${yardRows} rows ${yardBytes} bytes`)
    // Two items may draw the same level, so only the width of level rows is compared, not their number.
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

async function stopping<T>(service: Service, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } finally {
    await service.stop()
  }
}

type Comparison = {
  yardCpu: number
  cpu: Cpu
  yardstick: number
  perSecond: number
  p50: number
  p99: number
  rss: number
  ratio: number
  p99OverP50: number
}

async function compare(
  bench: Bench,
  yardstick: Yardstick,
  { longer: seconds, rounds, quick, say }: Options,
  where: Where,
): Promise<Comparison> {
  const { url } = bench.database
  const name = where.spread ? 'spread' : 'one hot outlet'
  const service = await serviceOf(bench)
  const rsses: number[] = []
  const yardstickTurn = async () => {
    await settle(url)
    await yardstick(where, { seconds: WARM_UP_SECONDS })
    const cpuBefore = await cpuOf(bench.database.pid)
    const { perSecond, sales: written } = await yardstick(where, { seconds })
    const cpu = (((await cpuOf(bench.database.pid)) - cpuBefore) * 1e6) / written
    say(`${name}: yardstick ${whole(perSecond)} sales/s, ${whole(cpu)} µs of database`)
    return { perSecond, cpu }
  }
  const serviceTurn = async () => {
    await settle(url)
    await load(bench, service, { ...where, limit: { seconds: WARM_UP_SECONDS } })
    const result = await load(bench, service, { ...where, limit: { seconds } })
    rsses.push(await rssOf(service.pid))
    say(
      `${name}: service ${whole(result.perSecond)} sales/s, p50 ${fixed(result.p50, 1)} ms, p99 ${fixed(result.p99, 1)} ms, ${told(result.cpu)}`,
    )
    return result
  }
  const turns = async () => {
    await warmUp(bench, service, { sales: WARM_UP, quick })
    return alternate(rounds, yardstickTurn, serviceTurn)
  }
  const rounded = await stopping(service, turns)
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
    ratio: ratioOf(
      rounded.b.map((result) => result.perSecond),
      rounded.a.map((pace) => pace.perSecond),
    ),
    p99OverP50: median(rounded.b.map(({ p99, p50 }) => p99 / p50)),
  }
}

type Figures = { spread: Comparison; hot: Comparison; trips: number; tool: string }

function reportOf({ spread, hot, trips, tool }: Figures): Report {
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
      `Three lines, paid in cash, over HTTP with an API key and an Idempotency-Key; 32 keep-alive connections, ${WORKSPACES} workspaces with 4 outlets and 200 variants each. PostgreSQL with fsync, synchronous_commit and full_page_writes on. The yardstick (${tool}, ${CONNECTIONS} clients) writes the same rows in one statement. Every answer was 201, and sales, lines, movements, payments, events, keys and stock levels moved by exactly what was answered.`,
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
    rows: [
      {
        what: 'spread over 200 outlets, sales/s over the statement alone',
        measured: `${whole(spread.perSecond)}/s`,
        yardstick: `${whole(spread.yardstick)}/s`,
        value: spread.ratio,
        bar: { atLeast: 0.65 },
      },
      {
        what: 'one hot outlet, sales/s over the statement alone',
        measured: `${whole(hot.perSecond)}/s`,
        yardstick: `${whole(hot.yardstick)}/s`,
        value: hot.ratio,
        bar: { atLeast: 1 },
      },
      {
        what: `p99 over p50, ${CONNECTIONS} connections`,
        measured: `${fixed(spread.p99, 1)} ms`,
        yardstick: `${fixed(spread.p50, 1)} ms`,
        value: spread.p99OverP50,
        bar: { atMost: 4 },
      },
      {
        what: 'round trips to the database per sale',
        measured: '',
        yardstick: '',
        value: trips,
        bar: { atMost: 4 },
      },
    ],
  }
}
