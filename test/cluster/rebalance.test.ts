import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { brokenInvariants } from '../../src/platform/db/invariants.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { openDb } from '../../src/platform/db/open.ts'
import { shardDatabase } from '../../src/platform/sharding/place.ts'
import { rebalance as moveShards } from '../../src/platform/sharding/rebalance.ts'
import { asAdmin, makeClusterDatabase } from '../support/cluster.ts'
import { type ClusterNode, makeClusterNode, prepareNode } from '../support/cluster-node.ts'
import { withDatabase } from '../support/global-setup.ts'
import { type Interruption, kasir } from '../support/kasir.ts'
import { type OwnService, ownService } from '../support/service.ts'
import {
  type Call,
  type Ledger,
  newLedger,
  OPENING_STOCK,
  openShopAt,
  type Shop,
  sellAtTill,
} from '../support/tills.ts'

// Run over a cluster by `npm run test:cluster`. Its database alone knows the third worker, so no other file notices it.

// oxlint-disable-next-line node/no-process-env -- a test run is configured by nothing else
const { TEST_CLUSTER_DIR: folder = '' } = process.env

const NAME = 'kasir_rebalance_test'
/** Three for each of two workers, then two for each of three. */
const SHARDS = 6
const TILLS = 8
/** How long the tills sell before the move, and the least number of sales that p99 is read from. */
const BEFORE_MS = 5_000
/** Tills of a shop pause between two requests; without a pause the tills measure how many fit on the machine. */
const PAUSE_MS = 100
/** Measured on a busy machine of two cores: the limit says that no till waits noticeably, not how fast it is. */
const NOTICED_MS = 1_000

let url: string
let coordinator: string
let worker: ClusterNode
let service: OwnService
let shops: Shop[]

const query = async (text: string, values: unknown[] = []) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text, values)).rows
  } finally {
    await client.end()
  }
}

/** A cluster of tests need not outlive its machine. */
const rebalance = (args: string[] = [], interruption?: Interruption) =>
  kasir(['shard', '--rebalance', ...args], { ALLOW_UNSAFE_DATABASE: '1', DATABASE_URL: url }, interruption)

const lastLine = (text: string) => text.trimEnd().split('\n').at(-1) ?? ''
const addressOf = () => `127.0.0.1:${new URL(worker.url).port}`
const shardsOfWorker = async () =>
  (
    await query(
      `select count(*)::int as n from pg_dist_placement p join pg_dist_node using (groupid) join pg_dist_shard s using (shardid)
        where nodeport = $1 and s.logicalrelid = 'accounts'::regclass`,
      [new URL(worker.url).port],
    )
  )[0].n
const letTakeShards = (may: boolean) =>
  query(`select citus_set_node_property('127.0.0.1', $1, 'shouldhaveshards', $2)`, [
    new URL(worker.url).port,
    may,
  ])

/** Shops until every shard has one, so that whichever shard moves takes tills with it. */
async function openShops(): Promise<Shop[]> {
  const byShard = new Map<string, Shop>()
  const rest: Shop[] = []
  for (let n = 0; byShard.size < SHARDS || byShard.size + rest.length < TILLS; n += 1) {
    const shop = await openShopAt(service.address, `owner${n}@example.test`)
    const [{ shard }] = await query(
      `select get_shard_id_for_distribution_column('accounts', account_id) as shard from outlets where id = $1`,
      [shop.outletId],
    )
    if (byShard.has(shard)) rest.push(shop)
    else byShard.set(shard, shop)
  }
  return [...byShard.values(), ...rest].slice(0, TILLS)
}

type Selling = { ledger: Ledger; callMs: { atMs: number; ms: number; isAnswered: boolean }[] }

/** Sells at every till while `work` runs; each acknowledged sale is there once afterwards, and no other. */
async function whileTillsSell(name: string, work: (selling: Selling) => Promise<void>): Promise<Selling> {
  const selling: Selling = { ledger: newLedger(), callMs: [] }
  const timed =
    (call: Call): Call =>
    async (...request) => {
      await sleep(PAUSE_MS)
      const atMs = performance.now()
      const answer = await call(...request).catch(() => null)
      selling.callMs.push({ atMs, ms: performance.now() - atMs, isAnswered: answer !== null })
      if (answer === null) throw new Error('no answer')
      return answer
    }
  const before = new Set((await query('select id from sales')).map(({ id }) => id))
  const tills = Promise.allSettled(
    shops.map((shop, n) => sellAtTill(`${name}-${n}`, { ...shop, call: timed(shop.call) }, selling.ledger)),
  )
  try {
    await work(selling)
  } finally {
    selling.ledger.stopped = true
    await tills
  }
  expect((await tills).filter(({ status }) => status === 'rejected')).toEqual([])
  const acknowledged = [...selling.ledger.acknowledged.values()]
  const sold = (await query('select id from sales')).map(({ id }) => id).filter((id) => !before.has(id))
  expect(new Set(acknowledged).size).toBe(acknowledged.length)
  expect(sold.toSorted()).toEqual(acknowledged.toSorted())
  return selling
}

async function expectBooksToAgree() {
  const { db, close } = openDb({ url, poolSize: 2, isSharded: true })
  try {
    expect(await brokenInvariants(db)).toEqual([])
  } finally {
    await close()
  }
  const stock = await query(
    `select l.account_id, $1 - l.quantity as gone, (select count(*) from sales s
        where s.account_id = l.account_id and s.status = 'COMPLETED')::int as sold
      from stock_levels l`,
    [OPENING_STOCK],
  )
  expect(stock.filter(({ gone, sold }) => gone !== sold)).toEqual([])
}

const p99 = (ms: number[]) =>
  ms.toSorted((a, b) => a - b)[Math.min(ms.length - 1, Math.floor(ms.length * 0.99))] ?? 0

describe.runIf(folder !== '')('kasir shard --rebalance', () => {
  beforeAll(async () => {
    coordinator = inject('databaseUrl')
    url = withDatabase(coordinator, NAME)
    worker = await makeClusterNode(coordinator, folder, { wal_level: 'replica' })
    await worker.start()
    await makeClusterDatabase({ coordinator, workers: inject('workerUrls') }, NAME)
    await migrate(url)
    await shardDatabase(url, { shards: SHARDS })
    await prepareNode(worker, NAME)
    service = await ownService({ DATABASE_URL: url, ALLOW_UNSAFE_DATABASE: '1' })
    await service.start()
    shops = await openShops()
  }, 180_000)
  afterAll(async () => {
    await service?.end()
    for (const node of [coordinator, ...inject('workerUrls')])
      await asAdmin(node, `drop database if exists ${NAME} with (force)`)
    await worker?.remove()
  }, 60_000)

  test('a database on one server is refused, with what to do first', async () => {
    const { code, err } = await kasir(['shard', '--rebalance'], { DATABASE_URL: coordinator })
    expect([code, err]).toEqual([
      1,
      'This database is not distributed over workers, so no shards can move. Stop every service and run kasir shard first.\n',
    ])
  })

  test('without a new worker nothing moves, and there is nothing to stop', async () => {
    const { code, out } = await rebalance()
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(
        /^Every worker has its share of the shards; nothing to move: \S+ has 3, \S+ has 3\.\n$/,
      ),
    ])
    expect((await rebalance(['--stop'])).out).toBe('No rebalance is running; nothing to stop.\n')
  })

  test('a new worker without wal_level = logical is named before anything moves', async () => {
    await query('select citus_add_node($1, $2)', ['127.0.0.1', new URL(worker.url).port])
    const { code, err } = await rebalance()
    expect([code, err]).toEqual([
      1,
      `Shards move by logical replication, which needs wal_level = logical on every node. Set it on the worker ${addressOf()}, restart PostgreSQL there, and run kasir shard --rebalance again.\n`,
    ])
    await asAdmin(worker.url, `alter system set wal_level = 'logical'`)
    await worker.crash()
    await worker.start()
  })

  test('shards move to a new worker while 8 tills sell: no sale is lost, also if the command is killed and run again', async () => {
    let movedAtMs = 0
    const { ledger, callMs } = await whileTillsSell('move', async () => {
      await sleep(BEFORE_MS)
      movedAtMs = performance.now()
      const killed = await rebalance([], {
        after: /^Moved 0 of 2 shards\. Moving from .+\n/m,
        signal: 'SIGKILL',
      })
      expect([killed.code, killed.out.split('\n')[0]]).toEqual([
        null,
        'Moving 2 shards between workers. Services can keep running.',
      ])
      const { code, out, err } = await rebalance()
      expect([code, err]).toEqual([0, ''])
      expect(out).toMatch(/^A rebalance is already running: [01] of 2 shards moved\.\n/)
      expect(lastLine(out)).toMatch(/^Moved 2 shards: \S+ has 2, \S+ has 2, \S+ has 2\.$/)
    })
    expect(await shardsOfWorker()).toBe(2)
    const limits = await query(
      `select result from run_command_on_workers('select setconfig from pg_db_role_setting where setdatabase = (select oid from pg_database where datname = current_database())')`,
    )
    expect(limits).toEqual([1, 2, 3].map(() => ({ result: '{lock_timeout=5s}' })))
    await expectBooksToAgree()

    const msOf = (isDuring: boolean) =>
      callMs.filter(({ atMs }) => atMs >= movedAtMs === isDuring).map(({ ms }) => ms)
    const [before, during] = [msOf(false), msOf(true)]
    console.info(
      `acknowledged ${ledger.acknowledged.size}, lost 0; p99 ${p99(before).toFixed(0)} ms before, ${p99(during).toFixed(0)} ms during the move, the slowest ${Math.max(...during).toFixed(0)} ms; ${before.length} and ${during.length} requests`,
    )
    expect(callMs.filter(({ isAnswered }) => !isAnswered)).toEqual([])
    expect([...ledger.refusals]).toEqual([])
    expect(p99(during)).toBeLessThan(Math.max(3 * p99(before), NOTICED_MS))
  }, 180_000)

  test('--stop ends a running move; the shards stay where they are until the command runs again', async () => {
    await letTakeShards(false)
    const watching = rebalance()
    await expect.poll(async () => (await rebalance(['--stop'])).out).toMatch(/^Stopped: 0 of 2 shards moved/)
    const { code, err } = await watching
    expect([code, err]).toEqual([
      1,
      'The rebalance was stopped: 0 of 2 shards moved. To move the others, run kasir shard --rebalance again.\n',
    ])
    expect(await shardsOfWorker()).toBe(2)
  }, 60_000)

  test('if an earlier rebalance never ends, a new one gives up after its time limit and names the job', async () => {
    const [{ id }] = await query(
      `insert into pg_dist_background_job (state, job_type, description) values ('cancelling', 'rebalance', 'never ends')
        returning job_id::text as id`,
    )
    try {
      await expect(moveShards(url, { endTimeoutMs: 500 })).rejects.toThrow(
        `The rebalance (job ${id}) did not end within 0.5 seconds and is still cancelling. No new rebalance was started.`,
      )
    } finally {
      await query('delete from pg_dist_background_job where job_id = $1', [id])
    }
  })

  test('Ctrl-C leaves the move running, and the command says how to see and to stop it', async () => {
    const { code, err } = await rebalance([], { after: /^Moving /m, signal: 'SIGINT' })
    expect([code, err]).toEqual([
      1,
      'Interrupted. The coordinator continues to move shards: run kasir shard --rebalance again to see its progress, or stop it with kasir shard --rebalance --stop.\n',
    ])
    const again = await rebalance()
    expect(lastLine(again.out)).toMatch(/^Moved 2 shards: \S+ has 3, \S+ has 3\.$/)
    expect(await shardsOfWorker()).toBe(0)
  }, 60_000)

  test('a worker that dies during a move is named, tills keep selling, and the next run finishes', async () => {
    await letTakeShards(true)
    await whileTillsSell('death', async () => {
      const watching = rebalance()
      await expect
        .poll(async () => (await query(`select state from citus_rebalance_status()`))[0].state)
        .toBe('running')
      await worker.crash()
      const { code, out, err } = await watching
      expect(out).toMatch(/^A shard could not be moved yet: .+\. The coordinator tries it again\.$/m)
      expect([code, err]).toEqual([
        1,
        `A shard could not be moved because the worker ${addressOf()} does not answer. 0 of 2 shards moved, and the others are still where they were. The coordinator retries for half an hour. Start the worker and run kasir shard --rebalance again.\n`,
      ])
      const without = await rebalance()
      expect([without.code, without.err]).toEqual([1, `The worker ${addressOf()} does not answer.\n`])
      await worker.start()
      const again = await rebalance()
      expect([again.code, lastLine(again.out)]).toEqual([
        0,
        expect.stringMatching(/^Moved 2 shards: \S+ has 2, \S+ has 2, \S+ has 2\.$/),
      ])
    })
    await expectBooksToAgree()
  }, 180_000)
})
