import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { expect } from 'vitest'
import { withClient } from '../../src/platform/db/client.ts'
import { findRunning } from '../../src/platform/db/embedded.ts'
import { examineBooks } from '../../src/platform/db/invariants.ts'
import { startReceiver } from '../support/receiver.ts'
import { OWNER, openShopAt, type Shop } from '../support/tills.ts'
import { createFastClock, type FastService, openFastService } from './long-life/fast-service.ts'
import { startLoad } from './long-life/load.ts'
import { type Sample, takeSample, watchLoop } from './long-life/samples.ts'
import { judge, printLines, printVacuums } from './long-life/verdict.ts'
import { type Step, step } from './step.ts'

/** scripts/nights.mjs sets it; 0 when another night was asked for. */
const MINUTES = Number(process.env['LONG_LIFE_MINUTES'] ?? 0)
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const SAMPLES = 24
const SLICE_MS = (MINUTES * MINUTE_MS) / SAMPLES
/** An hour is a day, and a shorter run a part of it: a faster clock would leave too few real minutes for autovacuum and the jobs. */
const SPEED = 24
const HOURS = (MINUTES * SPEED) / 60
/** The keys of this slice become those of the day before. */
const COPIED_SLICE = 2
/** The sweep runs every ten real minutes, give or take one, and takes a moment. */
const SWEEP_MS = 12 * MINUTE_MS
const PREPARE_MS = 10 * MINUTE_MS

step(
  'a simulated day of sales, boards, webhooks, sign-ins and aborted requests: memory, handles, connections and the space of rows stay flat, and the books are consistent',
  async (night) => {
    if (MINUTES === 0) return night.skip('only by its name: npm run nights -- long-life')
    const clock = await createFastClock()
    if (clock === null) return night.skip('needs the command faketime (Debian: apt-get install faketime)')
    const receiver = await startReceiver()
    try {
      const service = await openFastService(clock, SPEED)
      try {
        await live(service, receiver, night)
      } finally {
        await service.remove()
      }
    } finally {
      receiver.stop()
      await clock.remove()
    }
  },
  MINUTES * MINUTE_MS + PREPARE_MS,
)

type Receiver = Awaited<ReturnType<typeof startReceiver>>

async function live(service: FastService, receiver: Receiver, { say, remark }: Step) {
  const { house, admin } = service
  say(`${HOURS.toFixed(1)} hours in ${MINUTES} minutes: the service's wall clock runs ${SPEED} times as fast`)
  const shop = await openShopAt(house.address)
  const dishId = await openRest(shop, receiver)
  await service.speedUp()
  await watchLoop(service)
  const load = startLoad({
    address: house.address(),
    key: shop.key,
    shop,
    login: OWNER,
    dishId,
    closingEveryMs: SLICE_MS,
  })
  const samples: Sample[] = []
  let endsMs = performance.now()
  for (let slice = 1; slice <= SAMPLES; slice += 1) {
    const fromMs = service.nowMs()
    endsMs += SLICE_MS
    await sleep(Math.max(0, endsMs - performance.now()))
    expect(house.service().isRunning(), house.service().output()).toBe(true)
    const sample = await takeSample(service, {
      times: load.takeTimes(),
      sales: load.counts().sales,
    })
    samples.push(sample)
    say(lineOf(sample, slice))
    if (slice === COPIED_SLICE) await inventYesterday(admin, fromMs, service.nowMs())
  }
  await load.stop()
  const lines = judge(samples)
  printLines(lines, say)
  printVacuums(samples, say)
  const { sales, streams, aborted, signIns, closings } = load.counts()
  const done = `${sales} sales, ${streams} boards, ${aborted} aborted requests, ${signIns} sign-ins, ${closings} closings`
  say(done)
  expect(
    lines.filter(({ isFlat }) => !isFlat).map(({ what, second, last }) => `${what}: ${second}, then ${last}`),
    'what grows between the second and the last quarter',
  ).toEqual([])
  expect([...load.faults()], 'every request has the answer that it should').toEqual([])
  await expectWork(service)
  await expectSoundBooks(service)
  expect(house.service().output().split('\n').filter(isFault), 'the log names no fault').toEqual([])
  remark(`${HOURS.toFixed(1)} h; ${done}`)
}

const isFault = (line: string) => /"level":[56]0/.test(line)

/** A dish for the kitchen and an endpoint of webhooks that fails now and then. */
async function openRest({ call }: Shop, receiver: Receiver): Promise<string> {
  const { product } = (
    await call('/products', {
      name: 'Nasi goreng',
      station: 'KITCHEN',
      trackStock: false,
      variants: [{ price: 25_000 }],
    })
  ).data
  let count = 0
  receiver.behave((response) => {
    receiver.received.length = 0
    count += 1
    // Every tenth delivery fails, some of these by a closed connection.
    if (count % 30 === 0) response.destroy()
    else response.writeHead(count % 10 === 0 ? 500 : 200).end('ok')
  })
  const created = await call('/webhook-subscriptions', {
    url: receiver.url,
    events: ['service.sale.completed.v1', 'service.sale.refunded.v1'],
  })
  expect(created.status, created.message).toBe(201)
  return product.variants[0].id as string
}

/**
 * A key is kept for a day, so in a day none would expire. The day before is invented: the keys of one slice, each as often
 * as slices fit into a day. From then on as many keys expire as are written.
 */
async function inventYesterday(admin: pg.Client, fromMs: number, toMs: number) {
  const sliceMs = toMs - fromMs
  await admin.query(
    `insert into idempotency_keys (account_id, key, fingerprint, status, body, created_at)
      select account_id, key || '-' || slice, fingerprint, status, body, created_at - slice * $1 * interval '1 millisecond'
      from idempotency_keys cross join generate_series($2::int, $3::int) slice
      where status <> 0 and created_at >= to_timestamp($4::float8 / 1000) and created_at < to_timestamp($5::float8 / 1000)`,
    [sliceMs, COPIED_SLICE, Math.floor(DAY_MS / sliceMs), fromMs, toMs],
  )
}

/** What is swept was swept, and webhooks were delivered: a night without them would prove nothing. */
async function expectWork({ admin, nowMs }: FastService) {
  const { rows } = await admin.query<{
    expired: number
    keys: number
    delivered: number
    unfinished: number
  }>(
    `select (select count(*)::int from idempotency_keys where created_at < to_timestamp($1::float8 / 1000)) as expired,
      (select count(*)::int from idempotency_keys) as keys,
      (select count(*)::int from webhook_deliveries where status = 'succeeded') as delivered,
      (select count(*)::int from jobs where failure is not null) as unfinished`,
    [nowMs() - DAY_MS - SWEEP_MS * SPEED],
  )
  expect(rows[0]).toMatchObject({ expired: 0, unfinished: 0 })
  expect(rows[0]?.keys).toBeGreaterThan(1_000)
  expect(rows[0]?.delivered).toBeGreaterThan(1_000)
}

/** Without the time limits of the service: the day may have more rows than it checks on a busy machine. */
async function expectSoundBooks({ house, nowMs }: FastService) {
  const connectionString = (await findRunning(house.dataDir)) ?? ''
  const examination = await withClient({ connectionString }, async (client) => {
    await client.query('begin')
    return examineBooks(client, { asOf: new Date(nowMs()).toISOString() })
  })
  expect(examination, 'the books are consistent').toEqual({ broken: [], unchecked: [] })
}

const mib = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MiB`
const lineOf = (one: Sample, slice: number) =>
  `${slice}/${SAMPLES}: ${one.sales} sales, heap ${mib(one.heapBytes)}, resident ${mib(one.rssBytes)}, PostgreSQL ${mib(one.postgresBytes)}, ${one.descriptors} descriptors, ${one.resources} resources, ${one.connections} connections, loop p99 ${one.loopP99Ms.toFixed(0)} ms, sale p99 ${one.saleP99Ms.toFixed(0)} ms`
