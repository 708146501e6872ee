import { type Database, freshDatabase, query } from '../lib/database.ts'
import { median, table, whole } from '../lib/figures.ts'
import { readFor } from '../lib/readers.ts'
import { type Bench, load, serviceOf } from '../lib/sales-run.ts'
import { SEEDED, seedShops } from '../lib/sales-shop.ts'
import type { Service } from '../lib/service.ts'
import { alternate, type Options, type Report, ratioOf, type Suite } from '../lib/suite.ts'

const PRODUCTS = 20_000
const SEARCHERS = 8
const SEARCH = `/api/v1/products/lookup?q=${encodeURIComponent('gula aren 1777')}`
const WARM_UP = 2_000

/** A shop with new goods whose tables are not analyzed yet. */
export const fresh: Suite = {
  name: 'fresh',
  about: 'sales and name search on tables that were never analysed, over analysed ones',
  measure,
}

type Side = { bench: Bench; service: Service }

async function measure({ seconds, rounds, quick, say }: Options): Promise<Report> {
  const sides: Side[] = []
  const databases: Database[] = []
  const open = async (isAnalysed: boolean) => {
    // Autovacuum is off, because tables without statistics are compared.
    const database = await freshDatabase({ autovacuum: 'off' })
    databases.push(database)
    const keys = await seedShops(database.url, 1, { variants: PRODUCTS, statistics: false })
    if (isAnalysed) await query(database.url, `analyze ${SEEDED}`)
    const bench = { database, keys }
    const side = { bench, service: await serviceOf(bench) }
    sides.push(side)
    await load(bench, side.service, { limit: { count: quick ? 100 : WARM_UP } })
    await search(side, 1)
    return side
  }
  try {
    const analysed = await open(true)
    const never = await open(false)
    const share = seconds / 2
    const sell = async ({ bench, service }: Side) =>
      (await load(bench, service, { limit: { seconds: share } })).perSecond
    const sales = await alternate(
      rounds,
      () => sell(never),
      () => sell(analysed),
    )
    const searches = await alternate(
      rounds,
      () => search(never, share),
      () => search(analysed, share),
    )
    const row = (what: string, { a, b }: typeof sales) => ({
      what: `${what} never analysed over analysed, ${whole(PRODUCTS)} new products`,
      measured: `${whole(median(a))}/s`,
      yardstick: `${whole(median(b))}/s`,
      value: ratioOf(a, b),
      bar: { atLeast: 0.8 },
    })
    const rows = [row('sales/s', sales), row('name searches/s', searches)]
    for (const { what, measured, yardstick } of rows) say(`${what}: ${measured}, ${yardstick}`)
    return {
      title: 'Fresh tables',
      text: [
        `One workspace with ${whole(PRODUCTS)} products and their stock at four outlets, written by SQL, and autovacuum off: one database was never analysed, the other was once the goods were there.`,
        table(
          ['', 'never analysed', 'analysed'],
          rows.map(({ what, measured, yardstick }) => [what, measured, yardstick]),
        ),
      ].join('\n\n'),
      rows,
    }
  } finally {
    await Promise.all(sides.map(({ service }) => service.stop()))
    for (const database of databases) await database.stop()
  }
}

async function search({ bench, service }: Side, seconds: number): Promise<number> {
  const key = bench.keys[0] ?? ''
  const reading = await readFor(service.address, SEARCH, { key, connections: SEARCHERS, seconds })
  return reading.requests / reading.seconds
}
