import type { ServerResponse } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { type Dispatcher, startDispatcher } from '../../../../src/platform/webhooks/dispatcher.ts'
import { holdEndpoints } from '../../../../src/platform/webhooks/holds.ts'
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
