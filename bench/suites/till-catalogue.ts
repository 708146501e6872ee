import { fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { Agent, type IncomingMessage, request } from 'node:http'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import pg from 'pg'
import {
  findHead,
  listChanges,
  listRemoved,
  readChanged,
} from '../../src/areas/insight/till-catalogue/statements.ts'
import { type Db, openDb } from '../../src/platform/db/open.ts'
import type { Scope } from '../../src/platform/scope.ts'
import { type SentStatement, watching } from '../../test/support/statements.ts'
import { type Database, freshDatabase, setsOf, settle } from '../lib/database.ts'
import { databaseTime } from '../lib/database-time.ts'
import { fixed, median, table, whole } from '../lib/figures.ts'
import { type Catalogue, seedCatalogue } from '../lib/seed-catalogue.ts'
import { startService } from '../lib/service.ts'
import { alternate, type Options, type Report, type Suite } from '../lib/suite.ts'

const VARIANTS = 20_000
const RUNS = 30

/** What a till reads when it opens, when nothing has changed, and after one new price. */
export const tillCatalogue: Suite = {
  name: 'till-catalogue',
  about: 'GET /catalogue of 20,000 variants: whole over a bare stream, 304 and since in the database',
  measure,
}

type Shop = { address: string; catalogue: Catalogue; outletId: string }
type Answer = { ms: number; body: Buffer }

async function measure({ quick, rounds, say }: Options): Promise<Report> {
  const count = quick ? 2_000 : VARIANTS
  const database = await freshDatabase()
  try {
    const pool = setsOf(database)
    const catalogue = await seedCatalogue(pool, 'Till', count)
    await pool.end()
    await settle(database.url)
    const service = await startService(database.url, path.join(database.dir, 'service'))
    try {
      const call = callerOf(service.address, catalogue.key)
      const { outlet } = await call('POST', '/outlets', { name: 'Kemang' })
      const shop = { address: service.address, catalogue, outletId: outlet.id }
      const streamed = await compareWhole(shop, database, rounds, count)
      say(`whole: ${whole(streamed.service)} ms, bare stream ${whole(streamed.bare)} ms`)
      const times = await timeReads(shop, database, call)
      say(`304: ${fixed(times.unchanged)} ms of database, since: ${fixed(times.since)} ms`)
      return reportOf({ count, streamed, ...times })
    } finally {
      await service.stop()
    }
  } finally {
    await database.stop()
  }
}

// oxlint-disable-next-line typescript/no-explicit-any -- answers are used, not typed
type Call = (method: string, path: string, body?: object) => Promise<any>
const callerOf =
  (address: string, key: string): Call =>
  async (method, route, body) => {
    const answer = await fetch(`${address}/api/v1${route}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${route} answered ${await answer.text()}`)
    return ((await answer.json()) as { data: unknown }).data
  }

/** Milliseconds from the request to the last byte; an answer that is not 200 is an error. */
async function take(url: string, key: string, agent: Agent): Promise<Answer> {
  const began = performance.now()
  const asked = request(url, { agent, headers: { authorization: `Bearer ${key}` } }).end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  const parts: Buffer[] = []
  for await (const part of response) parts.push(part as Buffer)
  if (response.statusCode !== 200) throw new Error(`${url} answered ${response.statusCode}`)
  return { ms: performance.now() - began, body: Buffer.concat(parts) }
}

const BARE = fileURLToPath(new URL('../processes/bare-stream.ts', import.meta.url))

async function compareWhole(
  { address, catalogue: { key }, outletId }: Shop,
  database: Database,
  rounds: number,
  count: number,
) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const url = `${address}/api/v1/catalogue?outletId=${outletId}`
  const { body } = await take(url, key, agent)
  const { data } = JSON.parse(body.toString()) as { data: { variants: unknown[]; products: unknown[] } }
  if (data.variants.length !== count || data.products.length !== count)
    throw new Error(`the catalogue has ${data.variants.length} variants`)
  const file = path.join(database.dir, 'catalogue.json')
  await writeFile(file, body)
  const child = fork(BARE, [file], { execArgv: ['--import', import.meta.resolve('tsx')] })
  const [bare] = (await once(child, 'message')) as [string]
  try {
    await take(bare, key, agent)
    const { a, b } = await alternate(
      rounds,
      async () => (await take(bare, key, agent)).ms,
      async () => (await take(url, key, agent)).ms,
    )
    return {
      bytes: body.length,
      packed: gzipSync(body).length,
      bare: median(a),
      service: median(b),
      ratio: median(a.map((ms, turn) => ms / (b[turn] ?? Number.NaN))),
    }
  } finally {
    agent.destroy()
    const ended = once(child, 'exit')
    child.send('stop')
    await ended
  }
}

/** The statements of both answers, timed inside the database. */
async function timeReads({ catalogue: { accountId }, outletId }: Shop, database: Database, call: Call) {
  const { version } = await call('GET', `/catalogue?outletId=${outletId}`)
  const { products } = await call('GET', '/products?limit=1')
  const { id, variants } = products[0]
  await call('PATCH', `/products/${id}/variants/${variants[0].id}`, { price: 12_345 })
  const changed = await call('GET', `/catalogue?outletId=${outletId}&since=${version}`)
  if (changed.variants.length !== 1) throw new Error('since did not answer the one variant')
  const { db, close } = openDb({ url: database.url, poolSize: 1 })
  const scope = { accountId } as Scope
  const [number = '0', tag = ''] = version.split('-')
  const since = { version: Number(number), tag }
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    const unchanged = await timed(client, (read) => findHead(read, scope, outletId, null), db)
    const after = await timed(
      client,
      async (read) => {
        await findHead(read, scope, outletId, since)
        const changes = await listChanges(read, scope, since.version, 5_001)
        const ids = changes.map((change) => change.id)
        const reading = { outletId, ids, limit: 250_000 }
        await readChanged(read, scope, 'products', reading)
        await readChanged(read, scope, 'variants', reading)
        await listRemoved(read, scope, outletId, changes)
      },
      db,
    )
    return { unchanged, since: after }
  } finally {
    await client.end()
    await close()
  }
}

async function timed(client: pg.Client, work: (db: Db) => Promise<unknown>, db: Db): Promise<number> {
  const sent: SentStatement[] = []
  // The first use opens the connection, whose settings are no part of the read.
  await work(db)
  await watching(
    (statement) => sent.push(statement),
    () => work(db),
  )
  let ms = 0
  for (const statement of sent) ms += (await databaseTime(client, statement, RUNS)).ms
  return ms
}

type Figures = {
  count: number
  streamed: Awaited<ReturnType<typeof compareWhole>>
  unchanged: number
  since: number
}

function reportOf({ count, streamed, unchanged, since }: Figures): Report {
  const { bytes, packed, bare, service, ratio } = streamed
  return {
    title: 'The catalogue of a till',
    text: [
      `GET /catalogue of ${whole(count)} products with one variant each. The bare stream is Node's own server sending the same bytes out of memory. The database alone is timed for 304 and \`since\` (planning and execution, median of ${RUNS}).`,
      table(
        ['', 'MiB', 'MiB gzip', 'ms', 'bare stream, ms'],
        [['whole', fixed(bytes / 2 ** 20), fixed(packed / 2 ** 20), fixed(service), fixed(bare)]],
      ),
    ].join('\n\n'),
    rows: [
      {
        what: 'whole catalogue over a bare stream of the same bytes, ratio of speed',
        measured: `${fixed(service)} ms`,
        yardstick: `${fixed(bare)} ms`,
        value: ratio,
        bar: { atLeast: 0.5 },
      },
      {
        what: 'whole catalogue, MB gzip',
        measured: '',
        yardstick: '',
        value: packed / 1e6,
        bar: { atMost: 1.3 },
      },
      { what: '304, ms of database', measured: '', yardstick: '', value: unchanged, bar: { atMost: 2 } },
      {
        what: 'since after one new price, ms of database',
        measured: '',
        yardstick: '',
        value: since,
        bar: { atMost: 5 },
      },
    ],
  }
}
