import { query, settle } from '../lib/database.ts'
import { fixed, table, whole } from '../lib/figures.ts'
import { rssOf } from '../lib/machine.ts'
import { load, serviceOf, warmUp, withShops } from '../lib/sales-run.ts'
import type { Options, Report, Suite } from '../lib/suite.ts'

const SALES = 40_000
const QUICK_SALES = 400

/** The disk space and processor time of a sale, used by docs/capacity.md and scripts/cost.ts. */
export const footprint: Suite = {
  name: 'footprint',
  about: 'what a sale takes of disk, of the log that PostgreSQL writes ahead, and of the processors',
  onlyByName: true,
  measure,
}

type Size = { table: string; rows: number; indexes: number }
const SIZES = `select c.relname as "table", pg_table_size(c.oid)::float8 as rows, pg_indexes_size(c.oid)::float8 as indexes
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`
const LOG_END = 'select pg_current_wal_lsn()::text as lsn'

type Growth = { name: string; rows: number; indexes: number }
type SaleFootprint = {
  sales: number
  cpu: { database: number; service: number }
  log: number
  tables: readonly Growth[]
}

const figuresOf = ({ sales, cpu, log, tables }: SaleFootprint) => ({
  sales,
  perSale: {
    databaseMicroseconds: Math.round(cpu.database),
    serviceMicroseconds: Math.round(cpu.service),
    logBytes: Math.round(log),
    tableBytes: Object.fromEntries(
      tables.map(({ name, rows, indexes }) => [name, Math.round(rows + indexes)]),
    ),
  },
})

function measure({ quick, say }: Options): Promise<Report> {
  const count = quick ? QUICK_SALES : SALES
  return withShops(async (bench) => {
    const { url } = bench.database
    const service = await serviceOf(bench)
    try {
      await warmUp(bench, service, { sales: 4_000, quick })
      await settle(url)
      const before = new Map((await query<Size>(url, SIZES)).map((size) => [size.table, size]))
      const [start] = await query<{ lsn: string }>(url, LOG_END)
      const { sales, cpu } = await load(bench, service, { limit: { count } })
      const [log] = await query<{ bytes: number }>(
        url,
        'select pg_wal_lsn_diff(pg_current_wal_lsn(), $1::pg_lsn)::float8 as bytes',
        [start?.lsn],
      )
      const rss = await rssOf(service.pid)
      await settle(url)
      const grown = (await query<Size>(url, SIZES))
        .map(({ table: name, rows, indexes }) => ({
          name,
          rows: (rows - (before.get(name)?.rows ?? 0)) / sales,
          indexes: (indexes - (before.get(name)?.indexes ?? 0)) / sales,
        }))
        .filter(({ rows, indexes }) => rows + indexes >= 20)
        .sort((a, b) => b.rows + b.indexes - a.rows - a.indexes)
      const sum = grown.reduce((all, { rows, indexes }) => all + rows + indexes, 0)
      const ahead = (log?.bytes ?? 0) / sales
      say(`${whole(sum)} bytes of tables, ${whole(ahead)} of log, ${whole(cpu.database + cpu.service)} µs`)
      return {
        title: 'What a sale takes',
        text: [
          `${whole(sales)} plain sales of three lines over 200 outlets, 32 tills. Bytes a sale: ${whole(sum)} of tables and indexes, ${whole(ahead)} written ahead. Processor time: ${whole(cpu.database)} µs of PostgreSQL, ${whole(cpu.service)} µs of Node. The service held ${fixed(rss, 0)} MiB.`,
          table(
            ['', 'rows, bytes a sale', 'indexes, bytes a sale'],
            grown.map(({ name, rows, indexes }) => [name, whole(rows), whole(indexes)]),
          ),
        ].join('\n\n'),
        rows: [],
        figures: figuresOf({ sales, cpu, log: ahead, tables: grown }),
      }
    } finally {
      await service.stop()
    }
  })
}
