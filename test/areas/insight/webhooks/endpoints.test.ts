import { expect, test } from 'vitest'
import { delegateOf, memberOf } from '../../../support/clients.ts'
import { refusalOf } from '../../../support/expect.ts'
import { mailsTo } from '../../../support/mails.ts'
import { acme, as, deps, globex, useService, workspace } from '../../../support/service.ts'

useService()

/** Public addresses, so that no name server is asked for most tests. Nothing is sent in this file. */
const URL_A = 'https://8.8.4.4/hook'
const URL_B = 'https://8.8.8.8:8443/other'

test('an endpoint is answered whole, its secret once', async () => {
  const made = await acme().post('/webhook-subscriptions', {
    url: URL_A,
    events: ['service.sale.completed.v1', 'service.sale.completed.v1', 'service.shift.closed.v1'],
  })
  expect(made.status).toBe(201)
  const { subscription, secret } = made.data
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(subscription).toEqual({
    id: expect.stringMatching(/^whs_/),
    url: URL_A,
    events: ['service.sale.completed.v1', 'service.shift.closed.v1'],
    status: 'active',
    active: true,
    failureStreak: 0,
    disabledReason: null,
    secretLast4: secret.slice(-4),
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  })
  const listed = await acme().get('/webhook-subscriptions')
  expect(listed.data.subscriptions[0]).toEqual(subscription)
  expect(listed.text).not.toContain(secret)
})

test('the same Idempotency-Key shows the secret again, and the database holds it in no readable form', async () => {
  const idempotencyKey = 'hook-1'
  const send = () => acme().post('/webhook-subscriptions', { url: URL_A }, { idempotencyKey })
  const [first, second] = [await send(), await send()]
  expect(second.data).toEqual(first.data)
  const secret = first.data.secret as string
  const { rows } = await deps().pool.query<{ text: string }>(
    `select (select json_agg(s) from webhook_subscriptions s)::text || (select json_agg(k) from idempotency_keys k)::text as text`,
  )
  const stored = rows[0]?.text ?? ''
  const bytes = Buffer.from(secret.slice(6), 'base64')
  for (const form of [secret, secret.slice(6), bytes.toString('hex'), bytes.toString('base64url')])
    expect(stored.includes(form)).toBe(false)
})

test.each([
  ['http://shop.example/hook', 422],
  ['https://user:secret@shop.example/hook', 422],
  ['https://127.0.0.1/hook', 422],
  ['https://localhost/hook', 422],
  ['https://169.254.169.254/latest/meta-data/', 422],
  ['https://[::ffff:10.0.0.1]/hook', 422],
  ['ftp://shop.example/hook', 422],
  ['https://kubernetes.default.svc/hook', 422],
  ['https://home.arpa/hook', 422],
  ['https://nas.lan/hook', 422],
  ['https://bücher.local/hook', 422],
  ['https://intern/hook', 422],
  ['https://ｋubernetes。default。ｓvc/hook', 422],
  ['https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/hook', 422],
  ['https://１２７.0.0.1/hook', 422],
  [`https://bücher.example/${'ü'.repeat(700)}`, 422],
  ['https://bücher .example/hook', 400],
  ['https://b\u00adücher.example/hook', 400],
  ['https://bücher\u202e.example/hook', 400],
  ['no url at all', 400],
  ['', 400],
  [`https://shop.example/${'a'.repeat(2_000)}`, 400],
])('%s is refused with %i on creating and on changing', async (url, status) => {
  const { id } = (await acme().post('/webhook-subscriptions', { url: URL_A })).data.subscription
  for (const answer of [
    await acme().post('/webhook-subscriptions', { url }),
    await acme().patch(`/webhook-subscriptions/${id}`, { url }),
  ]) {
    expect([answer.status, answer.error.code, answer.error.param]).toEqual([
      status,
      'VALIDATION_ERROR',
      'url',
    ])
  }
})

test('an international name is stored in ASCII, also when an endpoint is changed', async () => {
  const made = await acme().post('/webhook-subscriptions', { url: 'https://bücher.example/straße?q=ü' })
  expect([made.status, made.data.subscription.url]).toEqual([
    201,
    'https://xn--bcher-kva.example/stra%C3%9Fe?q=%C3%BC',
  ])
  const route = `/webhook-subscriptions/${made.data.subscription.id}`
  expect((await acme().patch(route, { url: 'https://例え.テスト/hook' })).data.subscription.url).toBe(
    'https://xn--r8jz45g.xn--zckzah/hook',
  )
  // An ASCII address stays as it was sent.
  expect((await acme().patch(route, { url: 'https://Shop.example' })).data.subscription.url).toBe(
    'https://Shop.example',
  )
  const { subscriptions } = (await acme().get('/webhook-subscriptions')).data
  expect(subscriptions.map(({ url }: { url: string }) => url)).toContain('https://Shop.example')
})

test('every refused host is answered in the same words, so that no answer maps the network', async () => {
  const messages = new Set<string>()
  for (const url of [
    'http://8.8.8.8/',
    'https://10.0.0.1/',
    'https://[::1]/',
    'https://nas.lan/',
    'https://a:b@8.8.8.8/',
  ])
    messages.add((await acme().post('/webhook-subscriptions', { url })).error.message)
  expect(messages.size).toBe(1)
})

test('an event that does not exist is named with its place, and with the one that was meant', async () => {
  const answer = await acme().post('/webhook-subscriptions', {
    url: URL_A,
    events: ['service.sale.completed.v1', 'service.sale.complete.v1'],
  })
  expect([answer.status, answer.error.code, answer.error.param]).toEqual([
    422,
    'VALIDATION_ERROR',
    'events[1]',
  ])
  expect(answer.error.message).toContain('did you mean service.sale.completed.v1?')
  const audit = await acme().post('/webhook-subscriptions', {
    url: URL_A,
    events: ['audit.outlet.deleted.v1'],
  })
  expect(audit.status).toBe(422)
})

test('every event type is listed with its meaning, and each can be asked for', async () => {
  const { eventTypes } = (await acme().get('/webhook-subscriptions/event-types')).data
  expect(eventTypes.length).toBeGreaterThan(20)
  for (const row of eventTypes) {
    expect(row.type).toMatch(/^service\.[a-z_]+\.[a-z_]+\.v1$/)
    expect(row.description.length).toBeGreaterThan(10)
  }
  const events = eventTypes.map(({ type }: { type: string }) => type)
  const made = await acme().post('/webhook-subscriptions', { url: URL_A, events })
  expect(made.data.subscription.events).toEqual(events)
})

test('an absent field changes nothing, and an empty list of events means all', async () => {
  const { id } = (
    await acme().post('/webhook-subscriptions', { url: URL_A, events: ['service.shift.closed.v1'] })
  ).data.subscription
  const change = async (body: object) =>
    (await acme().patch(`/webhook-subscriptions/${id}`, body)).data.subscription
  expect(await change({})).toMatchObject({ url: URL_A, events: ['service.shift.closed.v1'], active: true })
  expect(await change({ url: URL_B })).toMatchObject({ url: URL_B, events: ['service.shift.closed.v1'] })
  expect(await change({ events: [] })).toMatchObject({ events: [] })
  expect(await change({ active: false, url: URL_A })).toMatchObject({ status: 'paused', url: URL_A })
  expect(await change({ url: URL_B })).toMatchObject({ status: 'paused', active: false, url: URL_B })
  expect(await change({ active: true })).toMatchObject({ status: 'active' })
})

test('a deleted endpoint is gone, its deliveries stay and can be found by it', async () => {
  const api = await workspace()
  const { id } = (await api.post('/webhook-subscriptions', { url: URL_A })).data.subscription
  await api.post('/customers', { name: 'Ani' })
  expect((await api.delete(`/webhook-subscriptions/${id}`)).data).toEqual({ id, deleted: true })
  expect((await api.get('/webhook-subscriptions')).data.subscriptions).toEqual([])
  expect((await api.delete(`/webhook-subscriptions/${id}`)).status).toBe(404)
  expect((await api.patch(`/webhook-subscriptions/${id}`, { active: true })).status).toBe(404)
  const [delivery] = (await api.get(`/webhook-subscriptions/deliveries?subscriptionId=${id}`)).data
  expect(delivery).toMatchObject({ status: 'failed', attempts: 0, nextAttemptAt: null })
})

test('deliveries run newest first, page by page, and filter by endpoint, status and type', async () => {
  const api = await workspace()
  const one = (await api.post('/webhook-subscriptions', { url: URL_A })).data.subscription.id
  const two = (
    await api.post('/webhook-subscriptions', { url: URL_B, events: ['service.customer.updated.v1'] })
  ).data.subscription.id
  for (let n = 0; n < 7; n += 1) {
    const { id } = (await api.post('/customers', { name: `Ani ${n}` })).data.customer
    await api.patch(`/customers/${id}`, { name: `Budi ${n}` })
  }
  const path = '/webhook-subscriptions/deliveries'
  const all = (await api.get(`${path}?limit=100`)).data as {
    id: string
    subscriptionId: string
    type: string
  }[]
  expect(all).toHaveLength(21)
  expect(all.map(({ id }) => id)).toEqual(
    all
      .map(({ id }) => id)
      .toSorted()
      .toReversed(),
  )
  const paged: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Awaited<ReturnType<typeof api.get>> = await api.get(
      `${path}?limit=4${cursor === '' ? '' : `&cursor=${cursor}`}`,
    )
    paged.push(...page.data.map(({ id }: { id: string }) => id))
    cursor = page.meta.cursor
  }
  expect(paged).toEqual(all.map(({ id }) => id))
  const count = async (query: string) => (await api.get(`${path}?limit=100&${query}`)).data.length
  expect(await count(`subscriptionId=${one}`)).toBe(14)
  expect(await count(`subscriptionId=${two}`)).toBe(7)
  expect(await count('type=service.customer.created.v1')).toBe(7)
  expect(await count('status=pending')).toBe(21)
  expect(await count('status=succeeded')).toBe(0)
  expect(await count('subscriptionId=whs_nothing')).toBe(0)
})

test('the cap of the plan counts endpoints that are not deleted, and concurrent creates cannot pass it', async () => {
  const api = await workspace()
  const answers = await Promise.all(
    Array.from({ length: 110 }, () => api.post('/webhook-subscriptions', { url: URL_A })),
  )
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(100)
  const refused = answers.filter(({ status }) => status !== 201)
  for (const { status, error } of refused)
    expect([status, error.code, error.param]).toEqual([403, 'LIMIT_REACHED', 'webhookSubscriptions'])
  const [first] = (await api.get('/webhook-subscriptions')).data.subscriptions
  await api.delete(`/webhook-subscriptions/${first.id}`)
  expect((await api.post('/webhook-subscriptions', { url: URL_A })).status).toBe(201)
})

test('a cashier and a read-only key change no endpoint, and a cashier reads none', async () => {
  const cashier = (await memberOf(acme(), 'CASHIER')).api
  for (const path of ['', '/deliveries', '/event-types'])
    expect((await cashier.get(`/webhook-subscriptions${path}`)).status).toBe(403)
  const { key } = (await acme().post('/api-keys', { name: 'Books', readOnly: true })).data
  expect((await as(key).get('/webhook-subscriptions')).status).toBe(200)
  expect((await as(key).post('/webhook-subscriptions', { url: URL_A })).status).toBe(403)
})

test('another workspace sees, changes and sends nothing of it', async () => {
  const api = await workspace()
  const { id } = (await api.post('/webhook-subscriptions', { url: URL_A })).data.subscription
  await api.post('/customers', { name: 'Ani' })
  const [delivery] = (await api.get('/webhook-subscriptions/deliveries')).data
  const foreign = globex()
  expect((await foreign.patch(`/webhook-subscriptions/${id}`, { active: false })).status).toBe(404)
  expect((await foreign.delete(`/webhook-subscriptions/${id}`)).status).toBe(404)
  expect((await foreign.get(`/webhook-subscriptions/deliveries/${delivery.id}`)).status).toBe(404)
  expect((await foreign.post(`/webhook-subscriptions/deliveries/${delivery.id}/retry`)).status).toBe(404)
  expect((await foreign.get(`/webhook-subscriptions/deliveries?subscriptionId=${id}`)).data).toEqual([])
})

const emailOf = ({ id }: { id: string }) => `${id.toLowerCase()}@example.com`

/** A workspace with two owners, an assistant of its manager, and a customer that is made when asked. */
async function assisted() {
  const api = await workspace()
  const owners = [await memberOf(api, 'OWNER'), await memberOf(api, 'OWNER')]
  const manager = await memberOf(api, 'MANAGER', 'Budi')
  const { api: assistant } = await delegateOf(api, manager.id, 'act')
  const happen = async () => {
    expect((await api.post('/customers', { name: 'Ani' })).status).toBe(201)
    return (await api.get('/webhook-subscriptions/deliveries')).data
  }
  return { api, owners, manager, assistant, happen }
}
const byMember = { status: 403, code: 'FORBIDDEN', param: 'active' }

test('an endpoint that an assistant makes is sent nothing until a member activates it, and the owners get its address', async () => {
  const { owners, manager, assistant, happen } = await assisted()
  const made = await assistant.post('/webhook-subscriptions', { url: URL_A })
  expect([made.status, made.data.subscription.status, made.data.subscription.active]).toEqual([
    201,
    'paused',
    false,
  ])
  const route = `/webhook-subscriptions/${made.data.subscription.id}`
  expect(await happen()).toEqual([])
  for (const owner of owners) {
    const [mail = '', ...others] = await mailsTo(emailOf(owner))
    expect([mail.includes(URL_A), mail.includes('an assistant of Budi'), others]).toEqual([true, true, []])
  }
  expect(await mailsTo(emailOf(manager))).toEqual([])
  expect(refusalOf(await assistant.patch(route, { active: true }))).toEqual(byMember)
  expect(refusalOf(await assistant.patch(route, { active: true, events: [] }))).toEqual(byMember)
  expect(await happen()).toEqual([])
  const activated = await manager.api.patch(route, { active: true })
  expect(activated.data.subscription).toMatchObject({ status: 'active', url: URL_A })
  expect(await happen()).toHaveLength(1)
})

test('an endpoint that an assistant redirects is paused with all that waits, until a member activates it', async () => {
  const { api, owners, assistant, happen } = await assisted()
  const { id } = (await api.post('/webhook-subscriptions', { url: URL_A })).data.subscription
  const route = `/webhook-subscriptions/${id}`
  expect(refusalOf(await assistant.patch(route, { url: URL_B, active: true }))).toEqual(byMember)
  expect((await assistant.patch(route, { url: URL_A, events: [] })).data.subscription.status).toBe('active')
  expect(await happen()).toHaveLength(1)
  const redirected = await assistant.patch(route, { url: URL_B })
  expect(redirected.data.subscription).toMatchObject({ status: 'paused', url: URL_B, active: false })
  const [waiting, ...more] = await happen()
  expect([waiting.status, more]).toEqual(['failed', []])
  for (const owner of owners) expect((await mailsTo(emailOf(owner))).join()).toContain(URL_B)
  for (const body of [{ active: true }, { url: URL_A, active: true }])
    expect(refusalOf(await assistant.patch(route, body))).toEqual(byMember)
  // The way back is a redirection too.
  expect((await assistant.patch(route, { url: URL_A })).data.subscription.status).toBe('paused')
  expect(refusalOf(await assistant.patch(route, { active: true }))).toEqual(byMember)
  const [first] = owners
  expect((await first?.api.patch(route, { active: true }))?.data.subscription.status).toBe('active')
  // What a member has activated and pauses, an assistant may switch on again.
  await assistant.patch(route, { active: false })
  expect((await assistant.patch(route, { active: true })).data.subscription.status).toBe('active')
})

test('an endpoint that was switched off is paused by a redirection, and forgets why it was off', async () => {
  const { api, assistant } = await assisted()
  const { id } = (await api.post('/webhook-subscriptions', { url: URL_A })).data.subscription
  await deps().pool.query(
    `update webhook_subscriptions set status = 'disabled', disabled_reason = 'GONE', failure_streak = 3, failing_since = now() where id = $1`,
    [id],
  )
  const { subscription } = (await assistant.patch(`/webhook-subscriptions/${id}`, { url: URL_B })).data
  expect(subscription).toMatchObject({ status: 'paused', disabledReason: null, failureStreak: 0 })
  expect((await assistant.delete(`/webhook-subscriptions/${id}`)).status).toBe(200)
})
