import type { ServerResponse } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { manualClock } from '../../../../src/platform/clock.ts'
import { type Dispatcher, startDispatcher } from '../../../../src/platform/webhooks/dispatcher.ts'
import { holdEndpoints } from '../../../../src/platform/webhooks/holds.ts'
import { due } from '../../../../src/platform/webhooks/store-dispatch.ts'
import type { Api } from '../../../support/api.ts'
import { type Receiver, startReceiver } from '../../../support/receiver.ts'
import { deps, useService, workspace } from '../../../support/service.ts'

useService({ env: { WEBHOOK_ALLOW_PRIVATE_URLS: '1', WEBHOOK_TIMEOUT: '60' } })

/** Attempts that one process has in flight. */
const PLACES = 400
const CUSTOMER = 'service.customer.created.v1'

const receivers: Receiver[] = []
let dispatcher: Dispatcher | undefined
afterEach(async () => {
  await dispatcher?.stop()
  for (const one of receivers.splice(0)) one.stop()
})
const receiver = async (...behave: Parameters<typeof startReceiver>) => {
  const made = await startReceiver(...behave)
  receivers.push(made)
  return made
}

/** Answers 200, but none before it is told to. */
async function slowReceiver() {
  const open: ServerResponse[] = []
  let isPatient = true
  const { url, received } = await receiver((response) =>
    isPatient ? void open.push(response) : response.end('ok'),
  )
  const answer = (most: number) => {
    for (const response of open.splice(0, most)) response.end('ok')
  }
  return {
    url,
    received,
    answer,
    /** From now on it is quick. */
    hurry: () => {
      isPatient = false
      answer(open.length)
    },
  }
}

const subscribe = async (api: Api, url: string) =>
  expect((await api.post('/webhook-subscriptions', { url, events: [CUSTOMER] })).status).toBe(201)
const customers = async (api: Api, count: number) => {
  const made = await Promise.all(Array.from({ length: count }, () => api.post('/customers', { name: 'Ani' })))
  expect(made.map(({ status }) => status)).toEqual(made.map(() => 201))
}

test.each([
  ['45 endpoints of nine workspaces that answer slowly', { workspaces: 9, endpoints: 5 }],
  ['90 of nine, more than is known at a time,', { workspaces: 9, endpoints: 10 }],
  ['90 of a single one', { workspaces: 1, endpoints: 90 }],
])(
  '%s hold up no event of another workspace, however much waits for them',
  async (_, { workspaces, endpoints }) => {
    const slow = await slowReceiver()
    const good = await receiver()
    const EVENTS = 60
    for (let w = 0; w < workspaces; w += 1) {
      const api = await workspace()
      for (let n = 0; n < endpoints; n += 1) await subscribe(api, slow.url)
      for (let n = 0; n < EVENTS; n += 10) await customers(api, 10)
    }
    const other = await workspace()
    await subscribe(other, good.url)
    dispatcher = startDispatcher({ ...deps(), random: () => 0.5 }, { lookEveryMs: 20 })
    await expect.poll(() => slow.received.length, { timeout: 20_000 }).toBe(PLACES)

    await customers(other, 1)
    const arrived = () => {
      slow.answer(5)
      return good.received.length
    }
    await expect.poll(arrived, { timeout: 30_000, interval: 20 }).toBe(1)
    expect(slow.received.length).toBeLessThan(PLACES * 2)
    // Nobody who waited has lost anything by it.
    slow.hurry()
    const all = workspaces * endpoints * EVENTS
    await expect.poll(() => slow.received.length, { timeout: 60_000 }).toBe(all)
    const ids = slow.received.map(({ body }) => (JSON.parse(body) as { id: string }).id)
    expect(new Set(ids).size).toBe(workspaces * EVENTS)
  },
  120_000,
)

test('what is known of a backlog leaves room for a workspace of which nothing is known', async () => {
  const { url } = await receiver()
  const api = await workspace()
  for (let n = 0; n < 90; n += 1) await subscribe(api, url)
  for (let n = 0; n < 6; n += 1) await customers(api, 10)
  const holds = holdEndpoints(deps(), 'one')
  await holds.lease()
  expect([await holds.fetch(), await holds.fetch()]).toEqual([true, false])

  const other = await workspace()
  await subscribe(other, url)
  await customers(other, 1)
  await holds.lease()
  expect(await holds.fetch()).toBe(true)
  const known = holds.all().filter(({ endpoint }) => endpoint.accountId === other.workspace.accountId)
  expect(known.map(({ waiting }) => waiting.length)).toEqual([1])
  await holds.release()
}, 60_000)

/** Endpoints at a receiver, `each` in every one of some new workspaces; their ids by workspace. */
async function endpoints(workspaces: number, each: number, url: string) {
  const made: { api: Api; ids: string[] }[] = []
  for (let w = 0; w < workspaces; w += 1) {
    const api = await workspace()
    for (let n = 0; n < each; n += 1) await subscribe(api, url)
    const { subscriptions } = (await api.get('/webhook-subscriptions')).data
    made.push({ api, ids: subscriptions.map(({ id }: { id: string }) => id) })
  }
  return made
}

test('no attempt starts that could outlive the lease, and the next holder of the lease sends what was left', async () => {
  const clock = manualClock(new Date(Date.now() + 60_000).toISOString())
  const tools = { ...deps(), clock, random: () => 0.5 }
  const slow = await slowReceiver()
  const api = await workspace()
  await subscribe(api, slow.url)
  for (let n = 0; n < 3; n += 1) await customers(api, 10)
  const succeeded = async () =>
    (await api.get('/webhook-subscriptions/deliveries?status=succeeded&limit=100')).data.length
  // It looks for leases once, at its start.
  const first = startDispatcher(tools, { lookEveryMs: 3_600_000 })
  try {
    await expect.poll(() => slow.received.length, { timeout: 20_000 }).toBe(10)
    // The lease is ten seconds longer than the time-out of an attempt.
    clock.advance(10_001)
    slow.hurry()
    await expect.poll(succeeded, { timeout: 20_000 }).toBe(10)
    expect(slow.received.length).toBe(10)

    // The clock of the database ends the lease.
    await deps().pool.query(
      'update webhook_subscriptions set leased_until = now() where leased_until > now()',
    )
    dispatcher = startDispatcher(tools, { lookEveryMs: 20 })
    await expect.poll(succeeded, { timeout: 20_000 }).toBe(30)
    const ids = slow.received.map(({ body }) => (JSON.parse(body) as { id: string }).id)
    expect([ids.length, new Set(ids).size]).toEqual([30, 30])
  } finally {
    await first.stop()
  }
}, 60_000)

test('a workspace takes its turn with all of its endpoints, counting what is known of each', async () => {
  const [many, one] = [await workspace(), await workspace()]
  for (let n = 0; n < 4; n += 1) await subscribe(many, 'http://127.0.0.1:9/hook')
  await subscribe(one, 'http://127.0.0.1:9/hook')
  await customers(many, 5)
  await customers(one, 10)
  const roomsOf = async (api: Api, ofWorkspace: number) =>
    (await api.get('/webhook-subscriptions')).data.subscriptions.map(({ id }: { id: string }) => ({
      accountId: api.workspace.accountId,
      id,
      room: 50,
      known: [],
      ofWorkspace,
    }))
  const turnsOf = async (ofMany: number, ofOne: number) => {
    const rooms = [...(await roomsOf(many, ofMany)), ...(await roomsOf(one, ofOne))]
    const found = await due(deps().db, deps().clock.now(), rooms, 1_000)
    return found.slice(0, 8).map(({ accountId }) => (accountId === many.workspace.accountId ? 'many' : 'one'))
  }
  const count = (turns: string[]) => turns.filter((turn) => turn === 'one').length
  expect(count(await turnsOf(0, 0))).toBe(4)
  // Four of one endpoint, or one of each of four: the other workspace has four turns first.
  expect(count(await turnsOf(4, 0))).toBe(6)
  expect(count(await turnsOf(8, 0))).toBe(8)
  expect(count(await turnsOf(0, 8))).toBe(0)
})

test('what a process knows of an endpoint counts for all endpoints of its workspace', async () => {
  const clock = manualClock(new Date(Date.now() + 60_000).toISOString())
  const [many, one] = [await workspace(), await workspace()]
  await subscribe(many, 'http://127.0.0.1:9/hook')
  await customers(many, 8)
  const holds = holdEndpoints({ ...deps(), clock }, 'one')
  await holds.lease()
  await holds.fetch()
  const knownOf = (api: Api) =>
    holds.all().filter(({ endpoint }) => endpoint.accountId === api.workspace.accountId)
  expect(knownOf(many).map(({ known }) => known.size)).toEqual([8])
  // A new endpoint of the same workspace, and one of another: the next turns are the other's.
  await subscribe(many, 'http://127.0.0.1:9/other')
  await subscribe(one, 'http://127.0.0.1:9/hook')
  await customers(many, 8)
  await customers(one, 8)
  await holds.lease()
  await holds.fetch()
  const turnsOf = (owner: Api) =>
    knownOf(owner)
      .flatMap(({ waiting }) => waiting.map(({ turn }) => turn))
      .sort((x, y) => x - y)
  const upTo = (last: number) => Array.from({ length: last }, (_, n) => n + 1)
  // The first eight of the many had the first turns; the sixteen that came since follow them.
  expect(turnsOf(many)).toEqual(upTo(24))
  expect(turnsOf(one)).toEqual(upTo(8))
  await holds.release()
}, 60_000)

test('of places that come free a workspace with many endpoints gets no more than one with a single one', async () => {
  const slow = await slowReceiver()
  const other = await slowReceiver()
  const [first] = await endpoints(1, 45, slow.url)
  for (let n = 0; n < 2; n += 1) await customers(first?.api as Api, 10)
  dispatcher = startDispatcher({ ...deps(), random: () => 0.5 }, { lookEveryMs: 20 })
  await expect.poll(() => slow.received.length, { timeout: 20_000 }).toBe(PLACES)
  const single = await workspace()
  await subscribe(single, other.url)
  await customers(single, 10)
  const hasBegun = () => {
    if (other.received.length === 0) slow.answer(1)
    return other.received.length > 0
  }
  await expect.poll(hasBegun, { timeout: 30_000, interval: 50 }).toBe(true)
  // Of 18 places that come free, nine are for the rest of the single endpoint.
  slow.answer(18)
  await expect.poll(() => other.received.length, { timeout: 20_000 }).toBe(10)
  slow.hurry()
  other.hurry()
  await expect.poll(() => slow.received.length, { timeout: 60_000 }).toBe(45 * 20)
}, 120_000)

test('endpoints that fail have half of the places at most, and those aside come next', async () => {
  const hanging = await slowReceiver()
  const good = await receiver()
  const failing = await endpoints(3, 70, hanging.url)
  await deps().pool.query(
    `update webhook_subscriptions set failure_streak = 1, failing_since = now() where id = any($1)`,
    [failing.flatMap(({ ids }) => ids)],
  )
  for (const { api } of failing) await customers(api, 1)
  dispatcher = startDispatcher({ ...deps(), random: () => 0.5 }, { lookEveryMs: 20 })
  await expect.poll(() => hanging.received.length, { timeout: 30_000 }).toBe(PLACES / 2)
  const healthy = await workspace()
  await subscribe(healthy, good.url)
  await customers(healthy, 5)
  await expect.poll(() => good.received.length, { timeout: 20_000 }).toBe(5)
  expect(hanging.received.length).toBe(PLACES / 2)
  hanging.answer(3)
  await expect.poll(() => hanging.received.length, { timeout: 20_000 }).toBe(PLACES / 2 + 3)
  hanging.hurry()
  await expect.poll(() => hanging.received.length, { timeout: 30_000 }).toBe(210)
}, 120_000)
