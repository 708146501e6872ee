import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { createApp } from '../../src/app.ts'
import { makeDeps } from '../../src/main.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { shardDatabase } from '../../src/platform/sharding/place.ts'
import { asAdmin, makeClusterDatabase, nodesOf } from '../../test/support/cluster.ts'
import { withDatabase } from '../../test/support/global-setup.ts'
import { settle } from '../lib/database.ts'
import { fixed, median, table } from '../lib/figures.ts'
import { outletId, seedShops, variantId } from '../lib/sales-shop.ts'
import { BENCH_KEY } from '../lib/service.ts'
import { alternate, type Options, type Report, ratioOf, type Suite } from '../lib/suite.ts'

const SHARDED = 'kasir_bench_sharded'
const PLAIN = 'kasir_bench_plain'
const SHOPS = 4
const WARM_UP = 400
const AT_MOST = 4
/** The number of turns. Short turns see the same speed of a shared machine. */
const TURNS = 20

/** The database time of a sale and a look-up on a sharded database, over the same on one server of the cluster. */
export const cluster: Suite = {
  name: 'cluster',
  about: 'database time of a sale and a look-up on Citus over plain PostgreSQL (CLUSTER_URL)',
  onlyByName: true,
  measure,
}

/** Milliseconds in which any statement ran, and those of each statement by its first words. */
type Spent = { busy: number; by: Map<string, number> }
type NamedNode = { name?: string; text?: string }
type Side = { app: FastifyInstance; keys: string[]; close(): Promise<void> }

async function measure({ rounds, quick, say }: Options): Promise<Report> {
  // oxlint-disable-next-line node/no-process-env -- the one setting of this suite
  const url = process.env['CLUSTER_URL']
  if (!url)
    throw new Error('Set CLUSTER_URL to the coordinator of a cluster, as an administrator (docs/scaling.md)')
  const nodes = await nodesOf(url)
  const everywhere = [nodes.coordinator, ...nodes.workers]
  await makeClusterDatabase(nodes, SHARDED)
  await asAdmin(
    nodes.coordinator,
    `drop database if exists ${PLAIN} with (force)`,
    `create database ${PLAIN}`,
  )
  const sides: Side[] = []
  try {
    const sharded = await open(withDatabase(nodes.coordinator, SHARDED), true)
    sides.push(sharded)
    const plain = await open(withDatabase(nodes.coordinator, PLAIN), false)
    sides.push(plain)
    say(`${SHOPS} workspaces on both`)
    const count = quick ? 10 : 20
    const turns = async (work: (side: Side, n: number) => Promise<void>) => {
      for (const side of sides) await timed(side, WARM_UP, work)
      return alternate(
        quick ? rounds : rounds * TURNS,
        () => timed(sharded, count, work),
        () => timed(plain, count, work),
      )
    }
    const sales = await turns(sell)
    say('sold')
    const lookups = await turns(lookUp)
    return reportOf({ sales, lookups, count })
  } finally {
    for (const { close } of sides) await close()
    for (const node of everywhere) await asAdmin(node, `drop database if exists ${SHARDED} with (force)`)
    await asAdmin(nodes.coordinator, `drop database if exists ${PLAIN} with (force)`)
  }
}

async function open(url: string, isSharded: boolean): Promise<Side> {
  await migrate(url)
  if (isSharded) await shardDatabase(url)
  const keys = await seedShops(url, SHOPS, { statistics: false })
  await settle(url)
  const dataDir = await mkdtemp(path.join(tmpdir(), 'kasir-bench-'))
  const config = readConfig({
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    SECRETS_KEY: BENCH_KEY,
    RATE_LIMIT_PER_MINUTE: '0',
    DEFAULT_TIER: 'business',
    LOG_LEVEL: 'warn',
    DATABASE_POOL_SIZE: '2',
  })
  const deps = await makeDeps({ config, url })
  const app = await createApp(deps)
  const close = async () => {
    await app.close()
    await deps.close()
    await rm(dataDir, { recursive: true, force: true })
  }
  return { app, keys, close }
}

async function send(
  { app, keys }: Side,
  n: number,
  request: { method: 'GET' | 'POST'; url: string; payload?: object },
) {
  const answer = await app.inject({
    ...request,
    headers: {
      authorization: `Bearer ${keys[n % SHOPS]}`,
      ...(request.payload ? { 'idempotency-key': randomBytes(12).toString('hex') } : {}),
    },
  })
  if (answer.statusCode >= 300)
    throw new Error(`${request.url} answered ${answer.statusCode}: ${answer.body}`)
}

/** Three lines, cash, as in the bench of sales; each in its turn a workspace, an outlet and goods that were sold before. */
async function sell(side: Side, n: number) {
  const w = (n % SHOPS) + 1
  const line = (v: number) => ({ variantId: variantId(w, v), quantity: 1 })
  const payload = { outletId: outletId(w, 1), status: 'COMPLETED', items: [line(1), line(70), line(140)] }
  await send(side, n, { method: 'POST', url: '/api/v1/sales', payload })
}

const lookUp = (side: Side, n: number) =>
  send(side, n, {
    method: 'GET',
    url: `/api/v1/products/lookup?barcode=899${String((n % 200) + 1).padStart(10, '0')}`,
  })

/** Runs the work sequentially and returns the times of its statements. */
async function timed(
  side: Side,
  count: number,
  work: (side: Side, n: number) => Promise<void>,
): Promise<Spent> {
  const by: Spent['by'] = new Map()
  let underWay = 0
  let since = 0
  let busy = 0
  const original = pg.Client.prototype.query
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [config] = args as [string | (NamedNode & { parts?: readonly NamedNode[] })]
    const nameOf = ({ name, text }: NamedNode) => name ?? text?.slice(0, 60) ?? '?'
    const what = typeof config === 'string' ? config : (config.parts ?? [config]).map(nameOf).join(', ')
    const began = performance.now()
    if (underWay === 0) since = began
    underWay += 1
    const note = () => {
      const ended = performance.now()
      underWay -= 1
      if (underWay === 0) busy += ended - since
      by.set(what, (by.get(what) ?? 0) + ended - began)
    }
    const answer: unknown = Reflect.apply(original, this, args)
    if (answer instanceof Promise) void answer.then(note, note)
    else (answer as { once(event: string, listener: () => void): void }).once('end', note)
    return answer
  } as typeof original
  try {
    for (let n = 0; n < count; n += 1) await work(side, n)
  } finally {
    pg.Client.prototype.query = original
  }
  for (const [what, ms] of by) by.set(what, ms / count)
  return { busy: busy / count, by }
}

const busyOf = ({ busy }: Spent) => busy

type Turns = { a: Spent[]; b: Spent[] }

function reportOf({ sales, lookups, count }: { sales: Turns; lookups: Turns; count: number }): Report {
  const row = (what: string, { a, b }: Turns) => {
    const [ours, theirs] = [a.map(busyOf), b.map(busyOf)]
    return {
      what,
      measured: `${fixed(median(ours), 2)} ms on Citus`,
      yardstick: `${fixed(median(theirs), 2)} ms on one server`,
      value: ratioOf(ours, theirs),
      bar: { atMost: AT_MOST },
    }
  }
  const statements = (spent: Spent | undefined) =>
    table(
      ['statement', 'ms'],
      [...(spent?.by ?? [])]
        .sort(([, x], [, y]) => y - x)
        .map(([what, ms]) => [what.replaceAll('\n', ' '), fixed(ms, 2)]),
    )
  return {
    title: 'Citus beside plain PostgreSQL',
    text: [
      `Time that statements were under way, mean of ${count} in a row on one connection, both databases on the same cluster. What travels in one message is one row.`,
      `A sale on Citus:\n\n${statements(sales.a.at(-1))}`,
      `A sale on one server:\n\n${statements(sales.b.at(-1))}`,
      `A look-up on Citus:\n\n${statements(lookups.a.at(-1))}`,
      `A look-up on one server:\n\n${statements(lookups.b.at(-1))}`,
    ].join('\n\n'),
    rows: [
      row('database time per sale, Citus over plain', sales),
      row('database time per look-up by barcode, Citus over plain', lookups),
    ],
  }
}
