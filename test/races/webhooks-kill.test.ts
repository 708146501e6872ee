import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { type OwnService, ownService } from '../support/service.ts'

const KILLS = 5
const EVENTS_BETWEEN_KILLS = 30

let service: OwnService
let receiver: Receiver
let key = ''

beforeAll(async () => {
  receiver = await startReceiver()
  service = await ownService({
    NODE_ENV: 'development',
    WEBHOOK_ALLOW_PRIVATE_URLS: '1',
    WEBHOOK_TIMEOUT: '1',
  })
  await service.start()
}, 120_000)
afterAll(async () => {
  await service.end()
  receiver.stop()
}, 60_000)

// oxlint-disable-next-line typescript/no-explicit-any -- answers are asserted, not typed
type Answer = { status: number; data: any; cursor: string | null; cookie: string }

async function call(path: string, body?: object, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(`${service.address()}/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(10_000),
  })
  const { data, meta } = (await response.json()) as { data: unknown; meta: { cursor?: string | null } }
  const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
  return { status: response.status, data, cursor: meta.cursor ?? null, cookie }
}

type Delivery = { eventId: string; status: string; attempts: number }
async function deliveries(): Promise<Delivery[]> {
  const found: Delivery[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Answer = await call(
      `/webhook-subscriptions/deliveries?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`,
    )
    found.push(...page.data)
    cursor = page.cursor
  }
  return found
}

test('whatever kills the service while it sends, every event arrives at least once, under one id', async () => {
  const login = { email: 'kill@example.com', password: 'a password for a while' }
  const { cookie } = await call('/auth/signup', login)
  key = (await call('/api-keys', { name: 'Till' }, { cookie })).data.key
  const made = await call('/webhook-subscriptions', { url: receiver.url })
  expect(made.status).toBe(201)
  // Slow enough to be killed over.
  receiver.behave((response) => setTimeout(() => response.end(), 100))

  const wanted = new Set<string>()
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const before = receiver.received.length
    for (let n = 0; n < EVENTS_BETWEEN_KILLS; n += 1) {
      const { status, data } = await call('/customers', { name: `Ani ${kill}-${n}` })
      expect(status).toBe(201)
      wanted.add(data.customer.id)
    }
    await expect.poll(() => receiver.received.length, { timeout: 30_000 }).toBeGreaterThan(before)
    await service.kill(kill % 2 === 0 ? 'both' : 'service')
    await service.start()
  }
  await expect
    .poll(async () => (await deliveries()).filter(({ status }) => status !== 'succeeded'), {
      timeout: 60_000,
    })
    .toEqual([])

  const arrived = new Map<string, string>()
  for (const { headers, body } of receiver.received) {
    const event = JSON.parse(body) as { id: string; data: { customer?: { id: string } } }
    expect(headers['webhook-id']).toBe(event.id)
    if (event.data.customer) arrived.set(event.data.customer.id, event.id)
  }
  expect(new Set(arrived.keys())).toEqual(wanted)
  const onRecord = new Set((await deliveries()).map(({ eventId }) => eventId))
  expect(onRecord.size).toBe(KILLS * EVENTS_BETWEEN_KILLS)
  expect(new Set(arrived.values())).toEqual(onRecord)
}, 300_000)
