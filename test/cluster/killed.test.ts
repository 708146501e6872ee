import { execFile } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { Answer } from '../support/api.ts'
import { makeCustomer } from '../support/build.ts'
import { done } from '../support/expect.ts'
import { levelOf } from '../support/read.ts'
import { as, deps, useService } from '../support/service.ts'
import { placeOf, type Side, sideOf, soldBy } from '../support/sides.ts'

// Run over a cluster by `npm run test:cluster`, after all others: it kills a worker of it, and starts it again.

useService()

const CLIENTS = 8
const DOWN_MS = 5_000
/** What a till may wait after the worker is back before it sells as fast as it did. */
const WARM_MS = 2_000
/** How long speed is measured, before and after. */
const SPAN_MS = 3_000

// oxlint-disable-next-line node/no-process-env -- a test run is configured by nothing else
const { TEST_CLUSTER_SCRIPT: script = '', TEST_CLUSTER_DIR: folder = '' } = process.env
const cluster = (verb: 'kill' | 'start', worker: number) =>
  promisify(execFile)('bash', [script, verb, folder, String(worker)])

type Seen = { what: string; atMs: number; status: number; retryAfter: string | null }
type Till = Side & { seen: Seen[]; acknowledged: { id: string; atMs: number }[] }

test('a worker that is killed for 5 s at 8 tills loses no acknowledged sale, and no other workspace notices', async () => {
  const living = await sideOf(() => true)
  const lost = await sideOf(({ group }) => group !== living.group)
  const tills: Till[] = []
  for (let n = 0; n < CLIENTS; n += 1) {
    const like = n % 2 === 0 ? living : lost
    tills.push({ ...(await sideOf(({ group }) => group === like.group)), seen: [], acknowledged: [] })
  }
  const [here] = tills
  if (!here) throw new Error('there are tills')
  const password = 'kopi susu gula aren'
  const email = 'ani@example.test'
  done(await here.api.post('/members', { email, name: 'Ani', role: 'CASHIER', password }))

  let over = false
  const note = (seen: Seen[], what: string, { status, headers }: Answer) => {
    seen.push({ what, atMs: performance.now(), status, retryAfter: headers.get('retry-after') })
    return status
  }
  /** Sells until the end; what was not answered is sent again under its key until it is. */
  const sell = async (till: Till) => {
    const { api, shop, seen } = till
    const body = {
      outletId: shop.outletId,
      items: [{ variantId: shop.latte, quantity: 1 }],
      status: 'COMPLETED',
    }
    for (let n = 0; !over; n += 1) {
      for (let isAnswered = false; !isAnswered; ) {
        const answer = await api.post('/sales', body, { idempotencyKey: `${shop.outletId}-${n}` })
        isAnswered = note(seen, 'a sale', answer) !== 503
        if (isAnswered) till.acknowledged.push({ id: answer.data.sale.id, atMs: performance.now() })
        else await setTimeout(100)
      }
    }
  }
  const others: Seen[] = []
  /** What else people do whose worker lives, or who have none yet. */
  const goOn = async () => {
    for (let n = 0; !over; n += 1) {
      note(others, 'a list', await here.api.get('/sales?limit=20'))
      note(others, 'a new customer', await here.api.post('/customers', { name: `Budi ${n}` }))
      note(others, 'a sign-in', await as(null).post('/auth/login', { email, password }))
      const stranger = { email: `owner${n}@example.test`, name: 'Sari', businessName: 'Toko', password }
      note(others, 'a sign-up', await as(null).post('/auth/signup', stranger))
      note(others, 'health', await as(null).get('/health'))
    }
  }
  const ended = Promise.all([...tills.map(sell), goOn()])

  const worker = await placeOf(lost.group)
  await setTimeout(WARM_MS + SPAN_MS)
  const killedMs = performance.now()
  await cluster('kill', worker)
  await setTimeout(DOWN_MS)
  await cluster('start', worker)
  const backMs = performance.now()
  await setTimeout(WARM_MS + SPAN_MS)
  over = true
  await ended

  const of = (group: number) => tills.filter((till) => till.group === group)
  const refusals = (seen: readonly Seen[]) =>
    seen.filter(({ status }) => status >= 500).map(({ what, status }) => `${what}: ${status}`)
  expect([...of(living.group).flatMap(({ seen }) => refusals(seen)), ...refusals(others)]).toEqual([])
  expect([...new Set(others.map(({ what }) => what))]).toHaveLength(5)
  const waited = of(lost.group).flatMap(({ seen }) => seen.filter(({ status }) => status !== 201))
  expect(waited.length).toBeGreaterThan(0)
  expect(waited.filter(({ status, retryAfter }) => status !== 503 || retryAfter === null)).toEqual([])

  for (const { api, shop, acknowledged } of tills) {
    const sold = await soldBy(api)
    expect(sold.toSorted()).toEqual(acknowledged.map(({ id }) => id).toSorted())
    expect(await levelOf(api, shop.outletId, shop.latte)).toBe(-acknowledged.length)
  }

  const between = (group: number, fromMs: number, toMs: number) =>
    of(group).flatMap(({ acknowledged }) => acknowledged.filter(({ atMs }) => atMs >= fromMs && atMs < toMs))
      .length
  const before = between(lost.group, killedMs - SPAN_MS, killedMs)
  const after = between(lost.group, backMs + WARM_MS, backMs + WARM_MS + SPAN_MS)
  const meanwhile = between(living.group, killedMs, killedMs + DOWN_MS)
  const acknowledged = tills.flatMap((till) => till.acknowledged).length
  console.info(
    `acknowledged ${acknowledged}, lost 0; of the killed worker ${before} in ${SPAN_MS / 1000} s before, ${after} in as long from 2 s after; of the others ${meanwhile} in the ${DOWN_MS / 1000} s between`,
  )
  // The machine is busy with other things too: half is far from what a worker that must be found again would do.
  expect(after).toBeGreaterThan(before / 2)
  expect(meanwhile).toBeGreaterThan(0)
  expect(await makeCustomer(lost.api)).toMatch(/^cus_/)
  const prepared = await deps().pool.query(
    `select coalesce(sum(result::int), 0)::int as n from run_command_on_workers('select count(*) from pg_prepared_xacts where database = current_database()')`,
  )
  await expect.poll(() => prepared.rows[0].n).toBe(0)
})
