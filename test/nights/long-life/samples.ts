import { readdir, readFile } from 'node:fs/promises'
import type pg from 'pg'
import { familyOf } from '../processes.ts'
import type { FastService } from './fast-service.ts'

export type TableSize = {
  table: string
  rows: number
  /** Table, TOAST and indexes. */
  bytes: number
  heapBytes: number
  deadRows: number
  /** How full the leaves of its B-tree indexes are on average, in percent; null for small ones. */
  leafDensity: number | null
  vacuums: number
}

export type Sample = {
  atMs: number
  heapBytes: number
  rssBytes: number
  postgresBytes: number
  descriptors: number
  resources: number
  connections: number
  loopP99Ms: number
  saleP99Ms: number
  sales: number
  tables: TableSize[]
}

/** Between two readings of the loop's clock, in real milliseconds. */
const LOOP_MS = 20

/** Lets the service measure its own event loop from now on. */
export const watchLoop = ({ inspector }: FastService) =>
  inspector.evaluate(`(() => {
    globalThis.loopDelay = process.getBuiltinModule('node:perf_hooks').monitorEventLoopDelay({ resolution: ${LOOP_MS} })
    globalThis.loopDelay.enable()
  })()`)

type Looks = { heap: number; rss: number; resources: number; loopP99: number }
const LOOK = `(() => {
  const { heapUsed, external, rss } = process.memoryUsage()
  const loopP99 = globalThis.loopDelay.percentile(99)
  globalThis.loopDelay.reset()
  return { heap: heapUsed + external, rss, resources: process.getActiveResourcesInfo().length, loopP99 }
})()`

/** The memory that a process does not share with others (proc(5)). */
async function ownMemory(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^RssAnon:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) * 1024
}

export async function takeSample(
  service: FastService,
  { times, sales }: { times: number[]; sales: number },
): Promise<Sample> {
  const { house, inspector, admin } = service
  const { pid } = house.service()
  // Objects with finalizers need a second collection.
  await inspector.collectGarbage()
  await inspector.collectGarbage()
  const looks = await inspector.evaluate<Looks>(LOOK)
  const others = (await familyOf(pid)).filter((one) => one !== pid)
  const memory = await Promise.all(others.map(ownMemory))
  const sorted = times.toSorted((a, b) => a - b)
  return {
    atMs: performance.now(),
    heapBytes: looks.heap,
    rssBytes: looks.rss,
    postgresBytes: memory.reduce((sum, bytes) => sum + bytes, 0),
    descriptors: (await readdir(`/proc/${pid}/fd`)).length,
    resources: looks.resources,
    connections: await connectionsOf(admin),
    loopP99Ms: Math.max(0, looks.loopP99 / 1e6 - LOOP_MS),
    saleP99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
    sales,
    tables: await tableSizes(admin),
  }
}

async function connectionsOf(admin: pg.Client): Promise<number> {
  const { rows } = await admin.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
  )
  return rows[0]?.count ?? 0
}

const SMALLEST_INDEX = 256 * 1024
const SIZES = `select c.oid::regclass::text as table, pg_total_relation_size(c.oid)::float8 as bytes,
    pg_relation_size(c.oid)::float8 as "heapBytes", coalesce(s.n_dead_tup, 0)::float8 as "deadRows",
    coalesce(s.autovacuum_count, 0)::float8 as vacuums,
    (select avg(avg_leaf_density) from pg_index i join pg_class x on x.oid = i.indexrelid join pg_am a on a.oid = x.relam,
      lateral pgstatindex(x.oid) where i.indrelid = c.oid and a.amname = 'btree'
      and pg_relation_size(x.oid) >= ${SMALLEST_INDEX}) as "leafDensity"
  from pg_class c left join pg_stat_user_tables s on s.relid = c.oid
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by bytes desc limit 40`

/** The largest tables of the service. Rows are counted, not estimated. */
export async function tableSizes(admin: pg.Client): Promise<TableSize[]> {
  const { rows: sizes } = await admin.query<Omit<TableSize, 'rows'>>(SIZES)
  const counts = sizes.map(
    ({ table }) => `select '${table}' as table, count(*)::float8 as rows from ${table}`,
  )
  const { rows: counted } = await admin.query<{ table: string; rows: number }>(counts.join(' union all '))
  const rowsOf = new Map(counted.map(({ table, rows }) => [table, rows]))
  return sizes.map((one) => ({ ...one, rows: rowsOf.get(one.table) ?? 0 }))
}
