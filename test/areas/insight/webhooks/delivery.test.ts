import type { ServerResponse } from 'node:http'
import { type RawBuilder, sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { announceSwitchedOff } from '../../../../src/areas/insight/webhooks/index.ts'
import { newId } from '../../../../src/core/ids.ts'
import { manualClock } from '../../../../src/platform/clock.ts'
import type { Deps } from '../../../../src/platform/deps.ts'
import { type Dispatcher, startDispatcher } from '../../../../src/platform/webhooks/dispatcher.ts'
import type { SwitchedOff } from '../../../../src/platform/webhooks/recorder.ts'
import { failQueued } from '../../../../src/platform/webhooks/store-dispatch.ts'
import { type Api } from '../../../support/api.ts'
import { openShop } from '../../../support/build.ts'
import { done } from '../../../support/expect.ts'
import { waiting } from '../../../support/read.ts'
import { type Received, type Receiver, startReceiver } from '../../../support/receiver.ts'
import { deps, useService, workspace } from '../../../support/service.ts'

const clock = manualClock('2026-05-04T02:00:00.000Z')
const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

useService({
  clock,
  env: { WEBHOOK_ALLOW_PRIVATE_URLS: '1', WEBHOOK_TIMEOUT: '1' },
})

const receivers: Receiver[] = []
const dispatchers: Dispatcher[] = []
const receiver = async () => {
  const made = await startReceiver()
  receivers.push(made)
  return made
}
/** Jitter in the middle of its range, so that waits are what the schedule says. */
const dispatch = (
  own: Partial<Pick<Deps, 'clock' | 'config' | 'log'>> & {
    announceOff?: (endpoint: SwitchedOff) => Promise<void>
  } = {},
) => {
  const announceOff = (endpoint: SwitchedOff) => announceSwitchedOff(deps(), endpoint)
  const made = startDispatcher({ ...deps(), announceOff, ...own, random: () => 0.5 }, { lookEveryMs: 20 })
  dispatchers.push(made)
  return made
}
let api: Api
beforeEach(async () => {
  api = await workspace()
})
afterEach(async () => {
  for (const one of dispatchers.splice(0)) await one.stop()
})
afterAll(() => {
  for (const one of receivers) one.stop()
})

const subscribe = async (url: string, events?: string[]) => {
  const made = await api.post('/webhook-subscriptions', { url, ...(events ? { events } : {}) })
  expect(made.status, made.text).toBe(201)
  return made.data as { subscription: { id: string }; secret: string }
}
const deliveries = async (query = '') =>
  (await api.get(`/webhook-subscriptions/deliveries?limit=100${query}`)).data as {
    id: string
    type: string
    status: string
    attempts: number
    eventId: string
    nextAttemptAt: string | null
    lastStatusCode: number | null
  }[]
const detail = async (id: string) => (await api.get(`/webhook-subscriptions/deliveries/${id}`)).data.delivery
const endpoint = async (id: string) =>
  (await api.get('/webhook-subscriptions')).data.subscriptions.find((one: { id: string }) => one.id === id)
const customer = async () => expect((await api.post('/customers', { name: 'Ani' })).status).toBe(201)
const only = async () => {
  const [first, ...rest] = await deliveries()
  expect(rest).toEqual([])
  return first as NonNullable<typeof first>
}
const settled = (status: string) =>
  expect
    .poll(async () => (await deliveries()).map((one) => one.status), { timeout: 20_000 })
    .toEqual([status])
const attempted = (times: number) =>
  expect.poll(async () => (await only()).attempts, { timeout: 20_000 }).toBe(times)

test('an event arrives signed as the official library verifies, under the id of the event', async () => {
  const { url, received } = await receiver()
  const { secret } = await subscribe(url)
  clock.set(new Date().toISOString())
  dispatch()
  await customer()
  await settled('succeeded')
  const { headers, body } = received[0] as Received
  const event = new Webhook(secret).verify(body, headers as Record<string, string>)
  expect(event).toMatchObject({
    type: 'service.customer.created.v1',
    accountId: api.workspace.accountId,
    data: { customer: { name: 'Ani' } },
  })
  const delivery = await only()
  expect(headers['webhook-id']).toBe(delivery.eventId)
  expect((event as { id: string }).id).toBe(delivery.eventId)
  expect(headers['content-type']).toBe('application/json')
  expect(headers['user-agent']).toMatch(/^Kasir\/\d/)
  expect(delivery).toMatchObject({
    status: 'succeeded',
    attempts: 1,
    lastStatusCode: 200,
    nextAttemptAt: null,
  })
  const { attemptLog, body: stored } = await detail(delivery.id)
  expect(stored).toBe(body)
  expect(attemptLog).toEqual([
    {
      at: expect.any(String),
      statusCode: 200,
      durationMs: expect.any(Number),
      error: null,
      responseSnippet: 'ok',
      manual: false,
    },
  ])
})

test('an endpoint hears the types that it named, one that named none hears all, another workspace nothing', async () => {
  const some = await receiver()
  const all = await receiver()
  const foreign = await receiver()
  await subscribe(some.url, ['service.product.created.v1', 'service.sale.completed.v1'])
  await subscribe(all.url)
  const own = api
  api = await workspace()
  await subscribe(foreign.url)
  api = own
  const shop = await openShop(api)
  await customer()
  const items = [{ variantId: shop.latte, quantity: 1 }]
  const sold = await api.post('/sales', { outletId: shop.outletId, items, status: 'COMPLETED' })
  expect(sold.status, sold.text).toBe(201)
  dispatch()
  const three = 'service.product.created.v1'
  await expect.poll(() => some.received.length).toBe(4)
  expect(some.types().toSorted()).toEqual([three, three, three, 'service.sale.completed.v1'])
  await expect
    .poll(() => all.received.length)
    .toBe((await api.events()).filter((type) => type.startsWith('service.')).length)
  expect(all.types()).toContain('service.customer.created.v1')
  expect(foreign.received).toEqual([])
  expect(await deliveries('&type=service.sale.completed.v1')).toHaveLength(2)
})

test('a list of deliveries is in order of createdAt, also where a request that began earlier wrote later', async () => {
  await subscribe((await receiver()).url)
  const { id } = done(await api.post('/customers', { name: 'Budi' })).customer
  const holder = await deps().pool.connect()
  await holder.query('begin')
  const { accountId } = api.workspace
  await holder.query('select from customers where account_id = $1 and id = $2 for update', [accountId, id])
  const earlier = api.patch(`/customers/${id}`, { name: 'Budi Santoso' })
  await expect.poll(waiting).toBe(1)
  clock.advance(12)
  await customer()
  clock.advance(12)
  await holder.query('commit')
  holder.release()
  done(await earlier)
  const listed = (await deliveries()) as unknown as { id: string; createdAt: string; updatedAt: string }[]
  const created = listed.map(({ createdAt }) => createdAt)
  expect(created).toEqual(created.toSorted().toReversed())
  expect(listed.filter(({ createdAt, updatedAt }) => updatedAt < createdAt)).toEqual([])
  const [newest] = listed
  expect((await detail(newest?.id ?? '')).createdAt).toBe(newest?.createdAt)
})

test('a failed request leaves neither an event nor a delivery', async () => {
  const { url } = await receiver()
  await subscribe(url)
  expect((await api.post('/customers', { name: 'Ani', email: 'no address' })).status).toBe(400)
  expect(await deliveries()).toEqual([])
})

test('a failure is tried again when the schedule says, ten times in all, and then it is failed', async () => {
  const { url, status, received } = await receiver()
  await subscribe(url)
  status(500)
  await customer()
  dispatch()
  const waits = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
  for (const [made, wait] of waits.entries()) {
    await attempted(made + 1)
    const { status: now, nextAttemptAt } = await only()
    expect(now).toBe('pending')
    expect(Date.parse(nextAttemptAt ?? '') - clock.ms()).toBe(wait * SECOND)
    clock.advance(wait * SECOND)
  }
  await attempted(10)
  const { id, status: end, nextAttemptAt, lastStatusCode } = await only()
  expect([end, nextAttemptAt, lastStatusCode]).toEqual(['failed', null, 500])
  expect((await detail(id)).attemptLog).toHaveLength(10)
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect(new Set(received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(10)
})

test('the answer 410 switches the endpoint off at once and fails what is queued', async () => {
  const { url, status } = await receiver()
  const { subscription } = await subscribe(url)
  status(410)
  await customer()
  dispatch()
  await settled('failed')
  expect(await endpoint(subscription.id)).toMatchObject({
    status: 'disabled',
    active: false,
    disabledReason: 'GONE',
    failureStreak: 1,
  })
  await customer()
  expect(await deliveries()).toHaveLength(1)
})

test('a run of twenty failures over an hour switches an endpoint off; before the hour it does not', async () => {
  const { url, status } = await receiver()
  const { subscription } = await subscribe(url)
  status(503)
  dispatch()
  for (let n = 1; n <= 19; n += 1) {
    await customer()
    await expect
      .poll(async () => (await endpoint(subscription.id)).failureStreak, { timeout: 20_000 })
      .toBe(n)
  }
  clock.advance(4 * SECOND)
  await customer()
  await expect.poll(async () => (await endpoint(subscription.id)).failureStreak).toBe(20)
  expect((await endpoint(subscription.id)).status).toBe('active')
  clock.advance(HOUR)
  await expect
    .poll(async () => (await endpoint(subscription.id)).status, { timeout: 20_000 })
    .toBe('disabled')
  expect((await endpoint(subscription.id)).disabledReason).toBe('FAILING')
  expect(new Set((await deliveries()).map((one) => one.status))).toEqual(new Set(['failed']))

  const on = await api.patch(`/webhook-subscriptions/${subscription.id}`, { active: true })
  expect(on.data.subscription).toMatchObject({
    status: 'active',
    active: true,
    failureStreak: 0,
    disabledReason: null,
  })
  status(200)
  await customer()
  await expect.poll(async () => (await deliveries())[0]?.status).toBe('succeeded')
}, 120_000)

test('when the service switches an endpoint off, the owners get one mail and the audit log one event', async () => {
  const { accountId } = api.workspace
  await deps()
    .db.insertInto('members')
    .values({ accountId, id: newId('member'), email: 'sari@example.com', name: 'Sari', role: 'OWNER' })
    .execute()
  const { url, status } = await receiver()
  const { subscription } = await subscribe(url)
  await customer()
  await customer()
  status(410)
  dispatch()
  const changed = async () =>
    (await api.get('/events?type=audit.webhook_subscription.changed.v1')).data as Record<string, unknown>[]
  await expect.poll(async () => (await changed()).length, { timeout: 20_000 }).toBe(1)
  expect(await changed()).toMatchObject([
    {
      actor: { kind: 'service', id: 'webhooks' },
      data: { subscription: { id: subscription.id, status: 'disabled', disabledReason: 'GONE' } },
    },
  ])
  const mails = await deps().db.selectFrom('mails').select('id').where('accountId', '=', accountId).execute()
  expect(mails).toHaveLength(1)
})

test('attempts are recorded while an announcement that an endpoint was switched off waits, and a stop waits for it', async () => {
  let finish = () => {}
  const announcement = new Promise<void>((resolve) => {
    finish = resolve
  })
  let announced = 0
  const gone = await receiver()
  gone.status(410)
  await subscribe(gone.url)
  const dispatcher = dispatch({
    announceOff: async () => {
      announced += 1
      await announcement
      announced += 1
    },
  })
  await customer()
  await expect.poll(() => announced, { timeout: 20_000 }).toBe(1)
  try {
    api = await workspace()
    await subscribe((await receiver()).url)
    await customer()
    await settled('succeeded')
    const stopped = dispatcher.stop().then(() => 'stopped')
    // A stop that does not wait sends fewer statements than these and has ended before them.
    const statements = async () => {
      for (let n = 0; n < 50; n += 1) await deps().pool.query('select 1')
    }
    expect(await Promise.race([stopped, statements()])).toBeUndefined()
    finish()
    await stopped
    expect(announced).toBe(2)
  } finally {
    finish()
  }
})

test('failures that come and go switch nothing off', async () => {
  const { url, status } = await receiver()
  const { subscription } = await subscribe(url)
  dispatch()
  for (let round = 0; round < 3; round += 1) {
    status(500)
    await customer()
    await expect.poll(async () => (await endpoint(subscription.id)).failureStreak).toBeGreaterThan(0)
    status(200)
    clock.advance(HOUR)
    await expect.poll(async () => (await endpoint(subscription.id)).failureStreak).toBe(0)
  }
  expect((await endpoint(subscription.id)).status).toBe('active')
})

test('a delivery whose key cannot be read at the moment uses up no retry, not even its only one', async () => {
  const { url, received } = await receiver()
  const { subscription } = await subscribe(url)
  const { pool, log } = deps()
  const { rows } = await pool.query<{ secret: string }>(
    'select secret from webhook_subscriptions where id = $1',
    [subscription.id],
  )
  const setSecret = (secret: string | undefined) =>
    pool.query('update webhook_subscriptions set secret = $2 where id = $1', [subscription.id, secret])
  const warnings: string[] = []
  const warn = (_: object, message: string) => void warnings.push(message)
  dispatch({ log: Object.assign(Object.create(log), { warn }) })
  await customer()
  await settled('succeeded')
  const { id } = await only()
  // A key of a rotation that this process has not seen yet, and a database that does not answer about it.
  await setSecret('sealed.v2.another-key.text')
  await pool.query('alter table secrets_keys rename to secrets_keys_gone')
  try {
    expect((await api.post(`/webhook-subscriptions/deliveries/${id}/retry`)).status).toBe(202)
    await expect
      .poll(() => warnings, { timeout: 10_000 })
      .toContain('could not read the key of a signing secret; retrying')
    expect(await only()).toMatchObject({ status: 'pending', attempts: 1 })
  } finally {
    await pool.query('alter table secrets_keys_gone rename to secrets_keys')
  }
  await setSecret(rows[0]?.secret)
  await settled('succeeded')
  expect([received.length, (await only()).attempts]).toEqual([2, 2])
})

test('a fault of the service counts no failure of the endpoint', async () => {
  const { url, received } = await receiver()
  const { subscription } = await subscribe(url)
  const { rows } = await deps().pool.query<{ secret: string }>(
    'select secret from webhook_subscriptions where id = $1',
    [subscription.id],
  )
  const setSecret = (secret: string | undefined) =>
    deps().pool.query('update webhook_subscriptions set secret = $2 where id = $1', [subscription.id, secret])
  await setSecret('sealed.v2.nothing that opens')
  dispatch()
  await customer()
  await attempted(1)
  const { id } = await only()
  expect((await detail(id)).attemptLog).toMatchObject([
    { statusCode: null, error: expect.stringContaining('signing secret') },
  ])
  expect(await endpoint(subscription.id)).toMatchObject({ failureStreak: 0, status: 'active' })
  // An event that is not kept any more is no fault of the endpoint either.
  await setSecret(rows[0]?.secret)
  await deps().pool.query('delete from events where account_id = $1', [api.workspace.accountId])
  clock.advance(5 * SECOND)
  await settled('failed')
  expect(await endpoint(subscription.id)).toMatchObject({ failureStreak: 0, status: 'active' })
  expect(received).toEqual([])
})

test('Retry-After puts the next attempt off', async () => {
  const { url, status } = await receiver()
  await subscribe(url)
  status(429, { 'retry-after': '600' })
  await customer()
  dispatch()
  await attempted(1)
  expect(Date.parse((await only()).nextAttemptAt ?? '') - clock.ms()).toBe(10 * MINUTE)
})

test('an endpoint that answers 429 stays on, and its deliveries wait as long as it asks', async () => {
  const { url, status, received } = await receiver()
  const { subscription } = await subscribe(url)
  status(429, { 'retry-after': '7200' })
  for (let n = 0; n < 25; n += 1) await customer()
  dispatch()
  await expect.poll(() => received.length, { timeout: 20_000 }).toBe(25)
  clock.advance(HOUR + MINUTE)
  await customer()
  await expect
    .poll(async () => (await deliveries()).map((one) => [one.lastStatusCode, one.attempts, one.status]))
    .toEqual(Array(26).fill([429, 1, 'pending']))
  expect(await endpoint(subscription.id)).toMatchObject({ status: 'active', failureStreak: 0 })
  status(200)
  clock.advance(2 * HOUR)
  await expect
    .poll(async () => (await deliveries()).map((one) => one.status), { timeout: 20_000 })
    .toEqual(Array(26).fill('succeeded'))
}, 60_000)

test.each([
  [
    'redirects',
    (response: ServerResponse) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    302,
    null,
  ],
  ['hangs', () => {}, null, 'No complete answer in time'],
  [
    'resets',
    (response: ServerResponse) => response.socket?.resetAndDestroy(),
    null,
    'The connection was refused or lost',
  ],
  [
    'answers garbage',
    (response: ServerResponse) => response.socket?.end('garbage\r\n\r\n'),
    null,
    'The answer is not readable HTTP',
  ],
] as const)(
  'a receiver that %s is a failed attempt with its reason',
  async (_what, behave, statusCode, error) => {
    const one = await receiver()
    await subscribe(one.url)
    one.behave(behave)
    await customer()
    dispatch()
    await attempted(1)
    const { attemptLog, status } = await detail((await only()).id)
    expect(status).toBe('pending')
    expect(attemptLog[0]).toMatchObject({ statusCode, error })
  },
)

test('what a receiver answers is kept to its first KiB, without control characters', async () => {
  const { url, behave } = await receiver()
  await subscribe(url)
  behave((response) => response.end(`\u0000\u001b[31m${'a'.repeat(100_000)}`))
  await customer()
  dispatch()
  await settled('succeeded')
  const { attemptLog } = await detail((await only()).id)
  expect(attemptLog[0].responseSnippet).toBe(`��[31m${'a'.repeat(1_024 - 6)}`)
})

test('pausing fails what is queued, hears nothing meanwhile, and switching on begins anew', async () => {
  const { url, received } = await receiver()
  const { subscription } = await subscribe(url)
  await customer()
  const paused = await api.patch(`/webhook-subscriptions/${subscription.id}`, { active: false })
  expect(paused.data.subscription).toMatchObject({ status: 'paused', active: false })
  expect((await only()).status).toBe('failed')
  await customer()
  expect(await deliveries()).toHaveLength(1)
  dispatch()
  await api.patch(`/webhook-subscriptions/${subscription.id}`, { active: true })
  await customer()
  await expect.poll(() => received.length).toBe(1)
  await expect
    .poll(async () => (await deliveries()).map((one) => one.status).toSorted())
    .toEqual(['failed', 'succeeded'])
})

test('a retry by hand makes exactly one attempt, after a failure or a success, and none other follows', async () => {
  const { url, status, received } = await receiver()
  const { subscription } = await subscribe(url)
  await customer()
  const { id } = await only()
  const again = () => api.post(`/webhook-subscriptions/deliveries/${id}/retry`)
  expect((await again()).error.code).toBe('ALREADY_QUEUED')
  dispatch()
  await settled('succeeded')

  status(500)
  const retried = await again()
  expect([retried.status, retried.data.delivery.status]).toEqual([202, 'pending'])
  await attempted(2)
  await settled('failed')
  clock.advance(HOUR)
  status(200)
  expect((await again()).status).toBe(202)
  await settled('succeeded')
  expect(received).toHaveLength(3)
  expect((await detail(id)).attemptLog.map((one: { manual: boolean }) => one.manual)).toEqual([
    false,
    true,
    true,
  ])

  await api.patch(`/webhook-subscriptions/${subscription.id}`, { active: false })
  expect((await again()).error.code).toBe('ENDPOINT_DISABLED')
  expect((await api.delete(`/webhook-subscriptions/${subscription.id}`)).status).toBe(200)
  expect((await again()).error.code).toBe('ENDPOINT_DISABLED')
  expect((await detail(id)).attempts).toBe(3)
})

/** Attempts stay in flight for as long as a test needs. */
const patient = () => ({ ...deps().config, webhookTimeout: 20 })

test('a retry by hand is made although an earlier attempt ends after it was queued', async () => {
  const { url, behave, status, received } = await receiver()
  const { subscription } = await subscribe(url)
  const inFlight: ServerResponse[] = []
  behave((response) => inFlight.push(response))
  await customer()
  dispatch({ config: patient() })
  await expect.poll(() => inFlight.length, { timeout: 20_000 }).toBe(1)
  const { id } = await only()
  const retryNow = async () => {
    for (const active of [false, true]) {
      done(await api.patch(`/webhook-subscriptions/${subscription.id}`, { active }))
    }
    clock.advance(SECOND)
    expect((await api.post(`/webhook-subscriptions/deliveries/${id}/retry`)).status).toBe(202)
  }
  await retryNow()
  inFlight[0]?.writeHead(500).end()
  await expect.poll(() => inFlight.length, { timeout: 20_000 }).toBe(2)
  // The attempt in flight is one by hand now, and another one is queued behind it.
  await retryNow()
  status(500)
  inFlight[1]?.writeHead(500).end()
  await attempted(3)
  await settled('failed')
  const { attemptLog, nextAttemptAt } = await detail(id)
  expect(attemptLog.map((one: { manual: boolean }) => one.manual)).toEqual([false, true, true])
  expect([nextAttemptAt, received.length]).toEqual([null, 3])
})

test('an attempt that succeeds after a retry by hand was queued leaves none to make', async () => {
  const { url, behave, received } = await receiver()
  const { subscription } = await subscribe(url)
  const inFlight: ServerResponse[] = []
  behave((response) => inFlight.push(response))
  await customer()
  const dispatcher = dispatch({ config: patient() })
  await expect.poll(() => inFlight.length, { timeout: 20_000 }).toBe(1)
  for (const active of [false, true]) {
    done(await api.patch(`/webhook-subscriptions/${subscription.id}`, { active }))
  }
  expect((await api.post(`/webhook-subscriptions/deliveries/${(await only()).id}/retry`)).status).toBe(202)
  inFlight[0]?.end('ok')
  await settled('succeeded')
  await dispatcher.stop()
  expect([(await only()).nextAttemptAt, received.length]).toEqual([null, 1])
})

test('an endpoint that was switched on again since it was read as paused keeps its deliveries', async () => {
  const { url } = await receiver()
  const { subscription } = await subscribe(url)
  await customer()
  const endpoint = { accountId: api.workspace.accountId, id: subscription.id }
  await failQueued(deps().db, [endpoint], clock.now())
  expect(await only()).toMatchObject({ status: 'pending' })
})

test('the url may change while the secret stays', async () => {
  const before = await receiver()
  const after = await receiver()
  const { subscription, secret } = await subscribe(before.url)
  const moved = await api.patch(`/webhook-subscriptions/${subscription.id}`, { url: after.url })
  expect(moved.data.subscription.secretLast4).toBe(secret.slice(-4))
  clock.set(new Date().toISOString())
  await customer()
  dispatch()
  await settled('succeeded')
  expect(before.received).toEqual([])
  const { headers, body } = after.received[0] as Received
  expect(() => new Webhook(secret).verify(body, headers as Record<string, string>)).not.toThrow()
})

test('a dead endpoint delays no other', async () => {
  const dead = await receiver()
  const healthy = await receiver()
  dead.behave(() => {})
  await subscribe(dead.url)
  await subscribe(healthy.url)
  for (let n = 0; n < 40; n += 1) await customer()
  dispatch()
  await expect.poll(() => healthy.received.length, { timeout: 5_000 }).toBe(40)
  expect(dead.received.length).toBeLessThan(40)
})

test('two dispatchers send every delivery once between them', async () => {
  const { url, received } = await receiver()
  await subscribe(url)
  for (let n = 0; n < 60; n += 1) await customer()
  dispatch()
  dispatch()
  await expect.poll(async () => (await deliveries('&status=succeeded')).length, { timeout: 20_000 }).toBe(60)
  expect(received).toHaveLength(60)
})

test('a dispatcher whose clock is a minute ahead sends nothing that another one is sending', async () => {
  const { url, behave, received } = await receiver()
  await subscribe(url)
  behave((response) => setTimeout(() => response.end(), 700))
  await customer()
  dispatch()
  await expect.poll(() => received.length).toBe(1)
  const ahead = manualClock(clock.now())
  ahead.advance(MINUTE)
  dispatch({ clock: ahead })
  await settled('succeeded')
  expect(received.map(({ headers }) => headers['webhook-id'])).toEqual([(await only()).eventId])
})

test('what a process that died was sending is sent by another once its lease ends, under the same id', async () => {
  const { url, received } = await receiver()
  const { subscription } = await subscribe(url)
  await customer()
  const { eventId } = await only()
  const lease = (leasedUntil: RawBuilder<string>) =>
    deps()
      .db.updateTable('webhookSubscriptions')
      .set({ leasedBy: 'gone', leasedUntil })
      .where('accountId', '=', api.workspace.accountId)
      .where('id', '=', subscription.id)
      .execute()
  // The clock of the database decides, which no test moves.
  await lease(sql<string>`now() + interval '1 hour'`)
  const other = await receiver()
  await subscribe(other.url)
  dispatch()
  await customer()
  clock.advance(2 * HOUR)
  await expect.poll(() => other.received.length).toBe(1)
  expect(received).toEqual([])
  await lease(sql<string>`now() - interval '1 millisecond'`)
  await expect.poll(() => received.length).toBe(2)
  expect(received.map(({ headers }) => headers['webhook-id'])).toContain(eventId)
})

test('stopping waits for what is under way', async () => {
  const { url, behave, received } = await receiver()
  await subscribe(url)
  behave((response) => setTimeout(() => response.end(), 300))
  await customer()
  const running = dispatch()
  await expect.poll(() => received.length).toBe(1)
  await running.stop()
  expect(await only()).toMatchObject({ status: 'succeeded', attempts: 1 })
})
