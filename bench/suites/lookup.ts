import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { serveBare } from '../lib/bare-reads.ts'
import { freshDatabase, setsOf, settle } from '../lib/database.ts'
import { fixed, median, table, whole } from '../lib/figures.ts'
import { readFor } from '../lib/readers.ts'
import { type Catalogue, seedCatalogue } from '../lib/seed-catalogue.ts'
import { alternate, type Options, type Report, ratioOf, type Suite } from '../lib/suite.ts'

type Load = {
  large: number
  small: number
  /** Of each measurement. */
  seconds: number
  connections: number
  /** Service and bare route take turns; the median round counts. */
  rounds: number
}

type Barcode = { service: number; bare: number; ratio: number }
/** Milliseconds over HTTP with four concurrent tills. */
type Searches = { p50Large: number; p99Large: number; p50Small: number; p99Small: number; ratio: number }
/** Requests/s of one kind of search beside the same statement behind a bare route; `p50` in ms with four tills. */
type Kind = { name: string; service: number; bare: number; ratio: number; p50: number }

/** One search of each kind: by words of the name, by similarity, and by a code typed as text. */
const KINDS = [
  { name: 'name', q: 'kopi melati' },
  { name: 'likeness', q: 'kpi melati' },
  { name: 'SKU text', q: 'SKU-000123' },
]

/** Texts as cashiers type them: words, parts of words, typing errors, codes, and names that do not exist. */
const TYPED =
  'kopi|melati|sirara|kopi rarara|kpi melati|susu pedas|sabun tisiri 100|00 g|SKU-000123|8990000000123|es|k|' +
  'indomie goreng|telurr|minyk manis|rarara original 50|original|moka|coklat strobery|gula|tepung se|250|xyz'
const TILLS = 4
/** Requests after which the code is compiled, also on a slow machine. */
const WARM_UP = 15_000

/** Lookups in a shop of 100,000 variants, compared with one of 1,000. */
export const lookup: Suite = {
  name: 'lookup',
  about: 'barcodes and searches among 100,000 variants over bare routes',
  measure,
}

async function measure({ seconds, rounds, quick, say }: Options): Promise<Report> {
  const load = { large: quick ? 5_000 : 100_000, small: 1_000, seconds, connections: 32, rounds }
  const database = await freshDatabase()
  try {
    const pool = setsOf(database)
    const large = await seedCatalogue(pool, 'Large', load.large)
    const small = await seedCatalogue(pool, 'Small', load.small)
    await pool.end()
    await settle(database.url)
    say(`${whole(load.large + load.small)} variants written`)
    const service = await serve('service', database.url, large)
    const bare = await serve('bare', database.url, large)
    try {
      const barcode = await measureBarcode(service.address, bare.address, large, load)
      say(`barcode: service ${whole(barcode.service)}/s, bare route ${whole(barcode.bare)}/s`)
      const searches = await measureSearch(service.address, large, small, seconds)
      say(
        `search: p99 ${fixed(searches.p99Large, 1)} ms of ${whole(load.large)}, ${fixed(searches.p99Small, 1)} ms of ${whole(load.small)}`,
      )
      const kinds = await measureKinds(database.url, service.address, large, load, say)
      return reportOf({ load, barcode, searches, ...kinds })
    } finally {
      await Promise.all([service.stop(), bare.stop()])
    }
  } finally {
    await database.stop()
  }
}

const TURN_SHARE = 0.3

/** Each kind alternates with a bare route that runs the same statement and sends the same bytes. */
async function measureKinds(
  url: string,
  address: string,
  { key }: Catalogue,
  { seconds, rounds, connections }: Load,
  say: Options['say'],
): Promise<{ kinds: Kind[]; barcodeP50: number }> {
  const paths = KINDS.map(({ q }) => `/api/v1/products/lookup?q=${encodeURIComponent(q)}`)
  const bare = await serveBare(url, key, paths)
  const turn = { key, seconds: seconds * TURN_SHARE }
  const pace = async (at: string, path: string) => {
    const { requests, seconds: took } = await readFor(at, path, { ...turn, connections })
    return requests / took
  }
  const p50 = async (path: string) =>
    (await readFor(address, path, { ...turn, seconds: turn.seconds / 2, connections: TILLS })).p50
  const barcode = `/api/v1/products/lookup?barcode=${barcodeOf(123)}`
  const barcodes: number[] = []
  const kinds: Kind[] = []
  try {
    for (const [n, { name }] of KINDS.entries()) {
      const path = paths[n] ?? ''
      for (const warm of [() => pace(address, path), () => pace(bare.address, `/${n}`)]) await warm()
      const paces = await alternate(
        rounds,
        () => pace(address, path),
        () => pace(bare.address, `/${n}`),
      )
      const times = await alternate(
        rounds,
        () => p50(path),
        () => p50(barcode),
      )
      barcodes.push(...times.b)
      const figures = {
        service: median(paces.a),
        bare: median(paces.b),
        ratio: ratioOf(paces.a, paces.b),
        p50: median(times.a),
      }
      kinds.push({ name, ...figures })
      say(`search by ${name}: ${fixed(figures.ratio)}, p50 ${fixed(figures.p50)} ms`)
    }
  } finally {
    await bare.stop()
  }
  return { kinds, barcodeP50: median(barcodes) }
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

async function measureBarcode(
  service: string,
  bare: string,
  shop: Catalogue,
  { seconds, connections, rounds }: Load,
): Promise<Barcode> {
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
  // The code is compiled and the connections are open first, because a start is not part of a lookup.
  await run(bare, '/', WARM_UP)
  await run(service, lookup, WARM_UP)
  const turns: { service: number; bare: number }[] = []
  for (let round = 0; round < rounds; round += 1) {
    turns.push({ bare: await run(bare, '/'), service: await run(service, lookup) })
  }
  const rate = (of: 'service' | 'bare') => median(turns.map((turn) => turn[of]))
  return { service: rate('service'), bare: rate('bare'), ratio: rate('service') / rate('bare') }
}

async function measureSearch(
  address: string,
  large: Catalogue,
  small: Catalogue,
  seconds: number,
): Promise<Searches> {
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

type Figures = { load: Load; barcode: Barcode; searches: Searches; kinds: Kind[]; barcodeP50: number }

function reportOf({ load, barcode, searches, kinds, barcodeP50 }: Figures): Report {
  return {
    title: 'Looking goods up',
    text: [
      `A shop of ${whole(load.large)} variants. Barcodes are compared with Fastify and one prepared SELECT by the same index, searches with a bare route that runs the same statement and sends the same bytes; ${load.connections} connections. p50 with ${TILLS} tills at once.`,
      table(
        ['', 'service, requests/s', 'bare route, requests/s', 'ratio', 'p50, ms'],
        [
          ['barcode', whole(barcode.service), whole(barcode.bare), fixed(barcode.ratio), fixed(barcodeP50)],
          ...kinds.map(({ name, service, bare, ratio, p50 }) => [
            `search by ${name}`,
            whole(service),
            whole(bare),
            fixed(ratio),
            fixed(p50),
          ]),
        ],
      ),
      'Texts as cashiers type them: words, typing errors and codes in turn.',
      table(
        ['', 'p50, ms', 'p99, ms'],
        [
          [
            `search in ${whole(load.small)} variants`,
            fixed(searches.p50Small, 1),
            fixed(searches.p99Small, 1),
          ],
          [
            `search in ${whole(load.large)} variants`,
            fixed(searches.p50Large, 1),
            fixed(searches.p99Large, 1),
          ],
        ],
      ),
    ].join('\n\n'),
    rows: [
      {
        what: 'barcode lookup, requests/s over a bare route',
        measured: `${whole(barcode.service)}/s`,
        yardstick: `${whole(barcode.bare)}/s`,
        value: barcode.ratio,
        bar: { atLeast: 0.6 },
      },
      ...kinds.flatMap(({ name, service, bare, ratio, p50 }) => [
        {
          what: `search by ${name}, requests/s over a bare route`,
          measured: `${whole(service)}/s`,
          yardstick: `${whole(bare)}/s`,
          value: ratio,
          bar: { atLeast: 0.6 },
        },
        {
          what: `search by ${name}, p50 over a barcode's`,
          measured: `${fixed(p50)} ms`,
          yardstick: `${fixed(barcodeP50)} ms`,
          value: p50 / barcodeP50,
          bar: { atMost: 10 },
        },
      ]),
      {
        what: `text search, p99 in ${whole(load.large)} variants over in ${whole(load.small)}`,
        measured: `${fixed(searches.p99Large, 1)} ms`,
        yardstick: `${fixed(searches.p99Small, 1)} ms`,
        value: searches.ratio,
        bar: { atMost: 3 },
      },
    ],
  }
}
