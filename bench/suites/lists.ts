import { fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { Agent, type IncomingMessage, request } from 'node:http'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { list as listSales } from '../../src/areas/selling/sales/store/read.ts'
import { openDb } from '../../src/platform/db/open.ts'
import type { Scope } from '../../src/platform/scope.ts'
import { type SentStatement, watching } from '../../test/support/statements.ts'

import { type DatabaseTime, databaseTime } from '../lib/database-time.ts'
import { fixed, median, percentile, table, whole } from '../lib/figures.ts'
import { accountId, outletId } from '../lib/sales-shop.ts'
import { type Service, startService } from '../lib/service.ts'
import { alternate, type Options, type Report, type Suite } from '../lib/suite.ts'

/** The page that is compared with the first one; rows of a page. */
const DEEP = 500
const LIMIT = 20
/** Requests for each of the two pages in a round; they alternate. */
const PAGES = 200
const RUNS = 30

type Bytes = { ms: number; bytes: number }
type Pages = { first: number; deep: number; ratio: number }
type Whole = { bytes: number; service: number; bare: number; ratio: number; alone: number; beside: number }

/** Lists of a shop with years of sales, and the whole list of a large catalogue while another workspace sells. */
export const lists: Suite = {
  name: 'lists',
  about: 'open bills and deep pages in a million sales, a whole catalogue as a stream',
  uses: 'history',
  measure,
}

async function measure({ seconds, rounds, history, say }: Options): Promise<Report> {
  const { database, keys, large, open: openCount, catalogue } = await history()
  const [busy = '', , till = ''] = keys
  const products = catalogue.variants
  const open = await openBills(database.url)
  say(`open bills: ${fixed(open.ms)} ms of database`)
  const service = await startService(database.url, path.join(database.dir, 'service'))
  try {
    const pages = await comparePages(service, busy, rounds)
    say(`page 1: ${fixed(pages.first)} ms, page ${DEEP}: ${fixed(pages.deep)} ms`)
    const file = path.join(database.dir, 'products.json')
    const streamed = await compareWhole({
      service,
      key: catalogue.key,
      products,
      till,
      file,
      seconds,
      rounds,
    })
    say(
      `whole list: ${whole(streamed.service)} ms, bare stream ${whole(streamed.bare)} ms; beside it p99 ${fixed(streamed.beside, 1)} ms, alone ${fixed(streamed.alone, 1)} ms`,
    )
    return reportOf({ sales: large, openCount, products, open, pages, streamed })
  } finally {
    await service.stop()
  }
}

/** The statement that the service sends for them, timed inside the database. */
async function openBills(url: string): Promise<DatabaseTime> {
  const sent: SentStatement[] = []
  const { db, close } = openDb({ url, poolSize: 1 })
  const scope = { accountId: accountId(1) } as Scope
  const filter = { status: 'PARKED', outletId: outletId(1, 1) }
  await watching(
    (statement) => sent.push(statement),
    () => listSales(db, scope, filter, { limit: LIMIT }),
  )
  await close()
  const [statement] = sent.filter(({ text }) => /from sales s where/.test(text))
  if (statement === undefined) throw new Error('the list of sales sent no statement')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await databaseTime(client, statement, RUNS)
  } finally {
    await client.end()
  }
}

/** Reads an answer to its end; one that is not 200 is an error. Milliseconds from the request to the last byte. */
async function take(url: string, key: string, agent: Agent, onPart?: (part: Buffer) => void): Promise<Bytes> {
  const began = performance.now()
  const asked = request(url, { agent, headers: { authorization: `Bearer ${key}` } }).end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  let bytes = 0
  for await (const part of response) {
    bytes += (part as Buffer).length
    onPart?.(part as Buffer)
  }
  if (response.statusCode !== 200) throw new Error(`${url} answered ${response.statusCode}`)
  return { ms: performance.now() - began, bytes }
}

const keptAlive = () => new Agent({ keepAlive: true, maxSockets: 1 })

async function comparePages({ address }: Service, key: string, rounds: number): Promise<Pages> {
  const agent = keptAlive()
  const first = `${address}/api/v1/sales?limit=${LIMIT}`
  const deep = `${first}&cursor=${await cursorBefore(DEEP, first, key)}`
  const timed = async (url: string) => (await take(url, key, agent)).ms
  const turns = async (count: number) =>
    alternate(
      count,
      () => timed(first),
      () => timed(deep),
    )
  // The code is compiled and the statements are planned first.
  await turns(PAGES)
  const { a, b } = await turns(rounds * PAGES)
  agent.destroy()
  return { first: median(a), deep: median(b), ratio: median(b) / median(a) }
}

/** Follows the cursor from page to page. */
async function cursorBefore(page: number, first: string, key: string): Promise<string> {
  let cursor = ''
  for (let turned = 1; turned < page; turned += 1) {
    const url = cursor === '' ? first : `${first}&cursor=${cursor}`
    const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } })
    const { meta } = (await answer.json()) as { meta: { cursor: string | null } }
    if (meta.cursor === null) throw new Error(`the list ended at page ${turned}`)
    cursor = meta.cursor
  }
  return cursor
}

type StreamOptions = {
  service: Service
  /** API keys of the workspace with the catalogue and of another one. */
  key: string
  products: number
  till: string
  file: string
  seconds: number
  rounds: number
}

async function compareWhole({
  service,
  key,
  products,
  till,
  file,
  seconds,
  rounds,
}: StreamOptions): Promise<Whole> {
  const reader = keptAlive()
  const url = `${service.address}/api/v1/products`
  const parts: Buffer[] = []
  const { bytes } = await take(url, key, reader, (part) => parts.push(part))
  const { data } = JSON.parse(Buffer.concat(parts).toString()) as { data: { products: unknown[] } }
  if (data.products.length !== products) throw new Error(`the list has ${data.products.length} products`)
  await writeFile(file, Buffer.concat(parts.splice(0)))
  const bare = await serveBare(file)
  try {
    await take(bare.address, key, reader)
    const turns = await alternate(
      rounds,
      async () => (await take(bare.address, key, reader)).ms,
      async () => (await take(url, key, reader)).ms,
    )
    const small = `${service.address}/api/v1/outlets`
    await smallRequests(small, till, untilAfter(1))
    const alone = await smallRequests(small, till, untilAfter(seconds))
    const beside = await whileReading(
      () => take(url, key, reader),
      (isOver) => smallRequests(small, till, isOver),
      seconds,
    )
    return {
      bytes,
      service: median(turns.b),
      bare: median(turns.a),
      ratio: median(turns.a.map((ms, turn) => (turns.b[turn] ?? Number.NaN) / ms)),
      alone: percentile(alone, 0.99),
      beside: percentile(beside, 0.99),
    }
  } finally {
    reader.destroy()
    await bare.stop()
  }
}

const untilAfter = (seconds: number) => {
  const end = performance.now() + seconds * 1000
  return () => performance.now() >= end
}

/** One till repeats a request; returns the milliseconds of each. */
async function smallRequests(url: string, key: string, isOver: () => boolean): Promise<Float64Array> {
  const agent = keptAlive()
  const samples: number[] = []
  while (!isOver()) samples.push((await take(url, key, agent)).ms)
  agent.destroy()
  return Float64Array.from(samples)
}

/** Reads lists for `seconds`, and ends the other work with the last one. */
async function whileReading<T>(
  read: () => Promise<unknown>,
  work: (isOver: () => boolean) => Promise<T>,
  seconds: number,
): Promise<T> {
  let over = false
  const isOver = untilAfter(seconds)
  const reading = async () => {
    while (!isOver()) await read()
  }
  const [result] = await Promise.all([
    work(() => over),
    reading().finally(() => {
      over = true
    }),
  ])
  return result
}

const BARE = fileURLToPath(new URL('../processes/bare-stream.ts', import.meta.url))

async function serveBare(file: string) {
  const child = fork(BARE, [file], { execArgv: ['--import', import.meta.resolve('tsx')] })
  const [address] = (await once(child, 'message')) as [string]
  const stop = async () => {
    const ended = once(child, 'exit')
    child.send('stop')
    await ended
  }
  return { address, stop }
}

type Figures = {
  sales: number
  openCount: number
  products: number
  open: DatabaseTime
  pages: Pages
  streamed: Whole
}

function reportOf({ sales, openCount, products, open, pages, streamed }: Figures): Report {
  const besideAlone = streamed.beside / streamed.alone
  return {
    title: 'Long lists',
    text: [
      `A workspace of ${whole(sales)} sales of which the oldest ${openCount} are open bills, and one of ${whole(products)} products. The database alone is timed for the open bills (planning and execution, the plan made for all values, median of ${RUNS}); the rest over HTTP, one keep-alive connection.`,
      table(
        ['', 'rows', 'ms', 'worst, ms'],
        [['open bills of an outlet, database', whole(open.rows), fixed(open.ms), fixed(open.worstMs)]],
      ),
      table(
        ['', 'page 1, ms', `page ${DEEP}, ms`, 'ratio'],
        [[`GET /sales by ${LIMIT}`, fixed(pages.first), fixed(pages.deep), fixed(pages.ratio)]],
      ),
      `The bare stream is Node's own server sending the bytes of the same answer (${fixed(streamed.bytes / 2 ** 20, 1)} MiB) out of memory. The small request is GET /outlets of another workspace, one after the other.`,
      table(
        ['', 'service, ms', 'bare stream, ms', 'ratio'],
        [['GET /products, whole', whole(streamed.service), whole(streamed.bare), fixed(streamed.ratio)]],
      ),
      table(
        ['', 'alone, ms', 'while lists are read, ms', 'ratio'],
        [['small request, p99', fixed(streamed.alone, 1), fixed(streamed.beside, 1), fixed(besideAlone)]],
      ),
    ].join('\n\n'),
    rows: [
      {
        what: `page ${DEEP} of ${whole(sales)} sales over page 1`,
        measured: `${fixed(pages.deep)} ms`,
        yardstick: `${fixed(pages.first)} ms`,
        value: pages.ratio,
        bar: { atMost: 1.3 },
      },
      {
        what: `open bills of ${whole(sales)} sales, ms of database`,
        measured: '',
        yardstick: '',
        value: open.ms,
        bar: { atMost: 5 },
      },
      {
        what: `whole list of ${whole(products)} products, time over a bare stream`,
        measured: `${whole(streamed.service)} ms`,
        yardstick: `${whole(streamed.bare)} ms`,
        value: streamed.ratio,
        bar: null,
      },
      {
        what: 'p99 of a small request beside whole lists over alone',
        measured: `${fixed(streamed.beside, 1)} ms`,
        yardstick: `${fixed(streamed.alone, 1)} ms`,
        value: besideAlone,
        bar: null,
      },
    ],
  }
}
