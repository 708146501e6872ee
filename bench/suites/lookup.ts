import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { openDb } from '../../src/platform/db/open.ts'
import { type Catalogue, seedCatalogue } from '../lib/seed-catalogue.ts'

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
/** Requests after which the compiler has seen it all, also on a slow machine. */
const WARM_UP = 15_000

/**
 * Looks goods up in a shop of 100,000 variants beside one of 1,000. `url` names a migrated database without either;
 * both are written into it first.
 */
export async function benchLookup(url: string, load: LookupLoad = LOOKUP_LOAD): Promise<LookupFigures> {
  const { pool, close } = openDb({ url, poolSize: 1 })
  const large = await seedCatalogue(pool, 'Large', load.large)
  const small = await seedCatalogue(pool, 'Small', load.small)
  await close()
  const service = await serve('service', url, large)
  const bare = await serve('bare', url, large)
  try {
    return {
      barcode: await measureBarcode(service.address, bare.address, large, load),
      search: await measureSearch(service.address, large, small, load.seconds),
    }
  } finally {
    await Promise.all([service.stop(), bare.stop()])
  }
}

const SERVER = fileURLToPath(new URL('../processes/lookup-server.ts', import.meta.url))

async function serve(kind: 'service' | 'bare', url: string, { accountId }: Catalogue) {
  const child = fork(SERVER, [kind, url, accountId], { execArgv: ['--import', import.meta.resolve('tsx')] })
  const [address] = (await once(child, 'message')) as [string]
  const stop = async () => {
    const ended = once(child, 'exit')
    child.send('stop')
    await ended
  }
  return { address, stop }
}

const barcodeOf = (n: number) => `899${String(n).padStart(10, '0')}`
const someBarcodes = ({ variants }: Catalogue) =>
  Array.from({ length: 500 }, (_, index) => barcodeOf(1 + ((index * 7_919) % variants)))

export async function measureBarcode(
  service: string,
  bare: string,
  shop: Catalogue,
  { seconds, connections, rounds }: LookupLoad,
): Promise<LookupFigures['barcode']> {
  const headers = { authorization: `Bearer ${shop.key}` }
  const barcodes = someBarcodes(shop)
  const run = async (url: string, prefix: string, amount?: number) => {
    const requests = barcodes.map((barcode) => ({ path: `${prefix}${barcode}`, headers }))
    const result = await autocannon({
      url,
      connections,
      requests,
      ...(amount === undefined ? { duration: seconds } : { amount }),
    })
    if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refusals at ${url}`)
    return result.requests.average
  }
  const lookup = '/api/v1/products/lookup?barcode='
  // Compiled and connected first: the price of a start is no part of the price of a lookup.
  await run(bare, '/', WARM_UP)
  await run(service, lookup, WARM_UP)
  const turns: { service: number; bare: number }[] = []
  for (let round = 0; round < rounds; round += 1) {
    turns.push({ bare: await run(bare, '/'), service: await run(service, lookup) })
  }
  const rate = (of: 'service' | 'bare') => median(turns.map((turn) => turn[of]))
  return { service: rate('service'), bare: rate('bare'), ratio: rate('service') / rate('bare') }
}

export async function measureSearch(
  address: string,
  large: Catalogue,
  small: Catalogue,
  seconds: number,
): Promise<LookupFigures['search']> {
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
