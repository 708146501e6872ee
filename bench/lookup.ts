import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import autocannon from 'autocannon'
import fastify from 'fastify'
import { createApp } from '../src/app.ts'
import { makeDeps } from '../src/main.ts'
import { readConfig } from '../src/platform/config.ts'
import { openDb } from '../src/platform/db/open.ts'
import { makeLog } from '../src/platform/log.ts'
import { type Catalogue, seedCatalogue } from './seed-catalogue.ts'

export type LookupLoad = {
  large: number
  small: number
  /** Of each measurement. */
  seconds: number
  connections: number
  /** Service and bare route take turns; the median round counts. */
  rounds: number
}
export const LOOKUP_LOAD: LookupLoad = {
  large: 100_000,
  small: 1_000,
  seconds: 5,
  connections: 32,
  rounds: 3,
}

export type LookupFigures = {
  /** Requests per second; the bar for `ratio` is at least 0.6. */
  barcode: { service: number; bare: number; ratio: number }
  /** Milliseconds over HTTP, four tills at once; the bar for `ratio` is at most 3. */
  search: { p50Large: number; p99Large: number; p50Small: number; p99Small: number; ratio: number }
}

/** What cashiers type: words, beginnings, middles, slips of the finger, codes, nothing that exists. */
const TYPED =
  'kopi|melati|sirara|kopi rarara|kpi melati|susu pedas|sabun tisiri 100|00 g|SKU-000123|8990000000123|es|k|' +
  'indomie goreng|telurr|minyk manis|rarara original 50|original|moka|coklat strobery|gula|tepung se|250|xyz'
const TILLS = 4

/**
 * Looks goods up in a shop of 100,000 variants beside one of 1,000. `url` names a migrated database without either;
 * both are written into it first.
 */
export async function benchLookup(url: string, load: LookupLoad = LOOKUP_LOAD): Promise<LookupFigures> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'kasir-bench-'))
  const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'fatal', RATE_LIMIT_PER_MINUTE: '0' })
  const deps = await makeDeps({ config, url, log: makeLog('fatal') })
  const app = await createApp(deps)
  try {
    const large = await seedCatalogue(deps.pool, 'Large', load.large)
    const small = await seedCatalogue(deps.pool, 'Small', load.small)
    const address = await app.listen({ host: '127.0.0.1', port: 0 })
    return {
      barcode: await measureBarcode(url, address, large, config.databasePoolSize, load),
      search: await measureSearch(address, large, small, load.seconds),
    }
  } finally {
    await app.close()
    await deps.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

const barcodeOf = (n: number) => `899${String(n).padStart(10, '0')}`
const someBarcodes = ({ variants }: Catalogue) =>
  Array.from({ length: 500 }, (_, index) => barcodeOf(1 + ((index * 7_919) % variants)))

async function measureBarcode(
  url: string,
  address: string,
  shop: Catalogue,
  poolSize: number,
  { seconds, connections, rounds }: LookupLoad,
) {
  const bare = await serveBare(url, poolSize, shop)
  const headers = { authorization: `Bearer ${shop.key}` }
  const barcodes = someBarcodes(shop)
  const run = async (base: string, prefix: string, duration = seconds) => {
    const requests = barcodes.map((barcode) => ({ path: `${prefix}${barcode}`, headers }))
    // A worker thread: the load generator must not share the event loop with what it measures.
    const result = await autocannon({ url: base, connections, duration, workers: 1, requests })
    if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refusals at ${base}`)
    return result.requests.average
  }
  const [bareUrl, lookupPath] = [bare.address, '/api/v1/products/lookup?barcode=']
  try {
    // Compiled and connected first: the price of a start is no part of the price of a lookup.
    await run(bareUrl, '/', 2)
    await run(address, lookupPath, 2)
    const turns: { service: number; bare: number }[] = []
    for (let round = 0; round < rounds; round += 1) {
      turns.push({
        bare: await run(bareUrl, '/'),
        service: await run(address, lookupPath),
      })
    }
    const [service, bareRate] = [
      median(turns.map((turn) => turn.service)),
      median(turns.map((turn) => turn.bare)),
    ]
    return { service, bare: bareRate, ratio: service / bareRate }
  } finally {
    await bare.close()
  }
}

/** The least a Node service can do: one route, one prepared SELECT by the same index, no questions asked. */
async function serveBare(url: string, poolSize: number, { accountId }: Catalogue) {
  const { pool, close } = openDb({ url, poolSize })
  const app = fastify()
  const text = 'select id, price from variants where account_id = $1 and is_live and barcode = $2'
  app.get<{ Params: { barcode: string } }>('/:barcode', async ({ params }) => {
    const { rows } = await pool.query({ name: 'bare', text, values: [accountId, params.barcode] })
    return { matches: rows }
  })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    address,
    close: async () => {
      await app.close()
      await close()
    },
  }
}

async function measureSearch(address: string, large: Catalogue, small: Catalogue, seconds: number) {
  for (const shop of [small, large]) await search(address, shop, 1)
  const [few, many] = [await search(address, small, seconds), await search(address, large, seconds)]
  return {
    p50Large: at(many, 0.5),
    p99Large: at(many, 0.99),
    p50Small: at(few, 0.5),
    p99Small: at(few, 0.99),
    ratio: at(many, 0.99) / at(few, 0.99),
  }
}

/** Milliseconds of every search of `seconds`, sorted. */
async function search(address: string, { key }: Catalogue, seconds: number): Promise<number[]> {
  const texts = TYPED.split('|')
  const headers = { authorization: `Bearer ${key}` }
  const taken: number[] = []
  const end = performance.now() + seconds * 1000
  const till = async (first: number) => {
    for (let turn = first; performance.now() < end; turn += 1) {
      const q = encodeURIComponent(texts[turn % texts.length] ?? '')
      const begun = performance.now()
      const answer = await fetch(`${address}/api/v1/products/lookup?q=${q}`, { headers })
      await answer.text()
      if (answer.status !== 200) throw new Error(`a search answered ${answer.status}`)
      taken.push(performance.now() - begun)
    }
  }
  await Promise.all(Array.from({ length: TILLS }, (_, index) => till(index * 6)))
  return taken.sort((a, b) => a - b)
}

const at = (sorted: readonly number[], share: number) => sorted[Math.floor(sorted.length * share)] ?? 0
const median = (values: readonly number[]) =>
  at(
    [...values].sort((a, b) => a - b),
    0.5,
  )
