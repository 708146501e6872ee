import path from 'node:path'
import { serveBare } from '../lib/bare-reads.ts'
import { type Database, freshDatabase, settle } from '../lib/database.ts'
import { fixed, median, table, whole } from '../lib/figures.ts'
import { cpuOf } from '../lib/machine.ts'
import { readFor } from '../lib/readers.ts'
import { LOOKUP, OUTLET, openShop, type ReadRequest } from '../lib/reads-shop.ts'
import { startService } from '../lib/service.ts'
import { alternate, type Options, type Report, ratioOf, type Suite } from '../lib/suite.ts'

const CONNECTIONS = 32
const PREFIX = '/api/v1'
/** Until the code is compiled and each connection has its plans. */
const WARM_UP = 1_000
/** Turns are short and many, so that a slow moment of the machine affects both sides. */
const TURNS_PER_ROUND = 3
const TURN_SHARE = 0.1
const BAR = 0.6
/** A read this far above its bar needs no second round. */
const CLEAR = 1.5 * BAR

/** One turn: requests per second, and processor time per request, µs. */
type Turn = { perSecond: number; node: number; database: number; bytes: number }
type Figures = { read: ReadRequest; service: Turn; bare: Turn; ratio: number }

/**
 * Reads of a shop. Each must reach six tenths of the rate of a bare route with the same statements and bytes. Reading
 * one record by its id costs at most 1.6 barcode lookups.
 */
export const reads: Suite = {
  name: 'reads',
  about: 'reads of a till and a back office over a bare route with the same statements and bytes',
  measure,
}

async function measure({ longer: seconds, rounds, say }: Options): Promise<Report> {
  const database = await freshDatabase()
  const service = await startService(database.url, path.join(database.dir, 'service'))
  try {
    const shop = await openShop(database.url, service.address)
    const paths = shop.reads.map((read) => PREFIX + read.path)
    const bare = await serveBare(database.url, shop.key, paths)
    try {
      await settle(database.url)
      const side =
        (address: string, pid: number, pathOf: (n: number) => string) =>
        (n: number, s: number, atLeast = 0) =>
          turn(database, { address, pid, path: pathOf(n), key: shop.key, seconds: s, atLeast })
      const ofService = side(service.address, service.pid, (n) => paths[n] ?? '')
      const ofBare = side(bare.address, bare.pid, (n) => `/${n}`)
      for (const n of shop.reads.keys()) {
        const [a, b] = [await ofService(n, 1, WARM_UP), await ofBare(n, 1, WARM_UP)]
        if (Math.round(a.bytes) !== Math.round(b.bytes))
          throw new Error(`${paths[n]}: ${a.bytes} bytes, ${b.bytes} from the bare route`)
      }
      const turns = shop.reads.map(() => ({ a: [] as Turn[], b: [] as Turn[] }))
      for (let round = 0; round < rounds; round += 1)
        for (const [n, { name }] of shop.reads.entries()) {
          const before = turns[n]
          if (before && before.a.length > 0 && paceOver(before.a, before.b) > CLEAR) continue
          const { a, b } = await alternate(
            TURNS_PER_ROUND,
            () => ofService(n, seconds * TURN_SHARE),
            () => ofBare(n, seconds * TURN_SHARE),
          )
          turns[n]?.a.push(...a)
          turns[n]?.b.push(...b)
          say(`  ${name}: ${fixed(paceOver(a, b))}`)
        }
      return reportOf(
        shop.reads.map((read, n) => {
          const { a = [], b = [] } = turns[n] ?? {}
          return { read, service: middle(a), bare: middle(b), ratio: paceOver(a, b) }
        }),
      )
    } finally {
      await bare.stop()
    }
  } finally {
    await service.stop()
    await database.stop()
  }
}

const paceOver = (service: readonly Turn[], bare: readonly Turn[]) =>
  ratioOf(
    service.map((turn) => turn.perSecond),
    bare.map((turn) => turn.perSecond),
  )

const middle = (turns: readonly Turn[]): Turn => {
  const of = (name: keyof Turn) => median(turns.map((one) => one[name]))
  return { perSecond: of('perSecond'), node: of('node'), database: of('database'), bytes: of('bytes') }
}

type ReadOptions = {
  address: string
  pid: number
  path: string
  key: string
  seconds: number
  atLeast: number
}

async function turn(database: Database, { address, pid, path: url, ...limits }: ReadOptions): Promise<Turn> {
  const cpu = () => Promise.all([cpuOf(pid), cpuOf(database.pid)])
  const [nodeBefore, databaseBefore] = await cpu()
  const reading = await readFor(address, url, { ...limits, connections: CONNECTIONS })
  const [nodeAfter, databaseAfter] = await cpu()
  const each = (used: number) => (used * 1e6) / reading.requests
  return {
    perSecond: reading.requests / reading.seconds,
    node: each(nodeAfter - nodeBefore),
    database: each(databaseAfter - databaseBefore),
    bytes: reading.bytes / reading.requests,
  }
}

function reportOf(figures: readonly Figures[]): Report {
  const costOf = (name: string) => {
    const found = figures.find(({ read }) => read.name === name)
    return (found?.service.node ?? Number.NaN) + (found?.service.database ?? Number.NaN)
  }
  return {
    title: 'Reads',
    text: [
      `A workspace of 200 products whose till has sold, ${CONNECTIONS} keep-alive connections, one path at a time. The bare route is Fastify with the same statements, prepared, on the same database, and the same bytes; it knows no callers. Service and bare route in short turns; the ratio is the median over neighbouring turns. Processor time per request in µs.`,
      table(
        ['', 'service, requests/s', 'bare', 'ratio', 'Node', 'bare', 'database', 'bare', 'bytes'],
        figures.map(({ read, service, bare, ratio }) => [
          read.name,
          whole(service.perSecond),
          whole(bare.perSecond),
          fixed(ratio),
          whole(service.node),
          whole(bare.node),
          whole(service.database),
          whole(bare.database),
          whole(service.bytes),
        ]),
      ),
    ].join('\n\n'),
    rows: [
      ...figures.map(({ read, service, bare, ratio }) => ({
        what: `${read.name}, requests/s over a bare route`,
        measured: `${whole(service.perSecond)}/s`,
        yardstick: `${whole(bare.perSecond)}/s`,
        value: ratio,
        bar: { atLeast: BAR },
      })),
      {
        what: 'processor time of reading an outlet over a barcode lookup',
        measured: `${whole(costOf(OUTLET))} µs`,
        yardstick: `${whole(costOf(LOOKUP))} µs`,
        value: costOf(OUTLET) / costOf(LOOKUP),
        bar: { atMost: 1.6 },
      },
    ],
  }
}
