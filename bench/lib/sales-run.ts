import { spawn } from 'node:child_process'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { LoadResult, LoadTask } from '../processes/sales-load.ts'
import { type Database, freshDatabase, query } from './database.ts'
import { cpuOf, versionOf } from './machine.ts'
import { accountId, booksOf, requireBooks, seedShops, tourOf } from './sales-shop.ts'
import { bareSales, type Limit, type Pace, pgbenchSales, type Texts, type Where } from './sales-yardstick.ts'
import { type Service, startService } from './service.ts'

export const CONNECTIONS = 32
const LOAD = fileURLToPath(new URL('../processes/sales-load.ts', import.meta.url))

export type Yardstick = (where: Where, limit: Limit) => Promise<Pace>
/** Processor time per sale, µs. On a busy machine it varies less than elapsed time. */
export type Cpu = { database: number; service: number; load: number }
export type Bench = { database: Database; keys: string[] }
export type SaleCounts = Omit<LoadResult, 'cpu'> & { cpu: Cpu }

/** Fifty workspaces without sales, in a database with these additional settings. */
export async function withShops<T>(
  work: (bench: Bench) => Promise<T>,
  settings: Record<string, string> = {},
): Promise<T> {
  const database = await freshDatabase(settings)
  try {
    return await work({ database, keys: await seedShops(database.url) })
  } finally {
    await database.stop()
  }
}

/**
 * The same, shared by several suites, with a service that has cached all goods. Created when a suite first needs it.
 */
export function sharedShops({ quick }: { quick: boolean }) {
  let made: Promise<Bench> | undefined
  let warmed: Promise<Service> | undefined
  const get = () => {
    made ??= freshDatabase().then(async (database) => ({ database, keys: await seedShops(database.url) }))
    return made
  }
  const warm = async () => {
    const bench = await get()
    const service = await serviceOf(bench)
    await warmUp(bench, service, { sales: WARM_UP, quick })
    return service
  }
  return {
    get,
    service: () => {
      warmed ??= warm()
      return warmed
    },
    stop: async () => {
      await (await warmed)?.stop()
      await (await made)?.database.stop()
    },
  }
}
const WARM_UP = 4_000

/** Starts the load in a separate process, so that it never waits for this one. */
export async function load(bench: Bench, service: Service, task: Partial<LoadTask>): Promise<SaleCounts> {
  const before = await booksOf(bench.database.url)
  const cpu = () => Promise.all([cpuOf(bench.database.pid), cpuOf(service.pid)])
  const whole: LoadTask = {
    addresses: [service.address],
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
  requireBooks(before, await booksOf(bench.database.url), { ...result, bills: whole.bills ?? false })
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

export const serviceOf = (bench: Bench, url = bench.database.url, name = 'service') =>
  startService(url, path.join(bench.database.dir, name))

/**
 * The service knows all goods afterwards, its code is compiled and its connections have made their plans. Returns the
 * number of sales that this took: at least one of each variant, or a few in a quick run.
 */
export async function warmUp(
  bench: Bench,
  service: Service,
  { sales, quick }: { sales: number; quick: boolean },
): Promise<number> {
  if (quick) return (await load(bench, service, { limit: { count: QUICK_SALES } })).sales
  const tour = tourOf(bench.keys.length)
  await load(bench, service, { tour: true, limit: { count: tour } })
  if (sales > tour) await load(bench, service, { limit: { count: sales - tour } })
  return Math.max(tour, sales)
}

const QUICK_SALES = 200

/** The yardstick writes the texts of the last sale of the service. */
export async function makeYardstick(
  bench: Bench,
): Promise<{ yardstick: Yardstick; tool: string; texts: Texts }> {
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
    [accountId(1)],
  )
  if (!texts) throw new Error('the service has sold nothing yet')
  const pgbench = await versionOf('pgbench')
  if (pgbench !== null) {
    return {
      yardstick: (where, limit) => pgbenchSales(url, dir, texts, where, limit),
      tool: `${pgbench}, -M prepared`,
      texts,
    }
  }
  return {
    yardstick: (where, limit) => bareSales(url, texts, where, limit),
    tool: 'pgbench is not installed: bare pg clients in two Node processes instead, a slower yardstick',
    texts,
  }
}
