import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { noticeExpires } from '../../../src/areas/partners/inbound/expires.ts'
import { sessionExpires } from '../../../src/areas/partners/payments/expires.ts'
import { settleLoose } from '../../../src/areas/partners/payments/jobs.ts'
import { newId } from '../../../src/core/ids.ts'
import { addMs } from '../../../src/core/time.ts'
import { manualClock } from '../../../src/platform/clock.ts'
import { readConfig } from '../../../src/platform/config/config.ts'
import { sweep } from '../../../src/platform/jobs/sweep.ts'
import type { Api } from '../../support/api.ts'
import { enableModule, openShop, type Shop, stock } from '../../support/build.ts'
import { done, refusalOf, saleOf } from '../../support/expect.ts'
import { type PartnerRequest, sendJson, startPartner } from '../../support/partner.ts'
import { acme, address, alongside, deps, globex, useService } from '../../support/service.ts'

const SERVER_KEY = 'SB-Mid-server-of-these-tests'
const clock = manualClock('2026-03-01T00:00:00.000Z')
const server = await startPartner()
const NONE = { PAYMENT_PARTNER_URL: '', PAYMENT_PARTNER_KEY: '', PAYMENT_PARTNER_WEBHOOK_SECRET: '' }
useService({ clock, env: { ...NONE, MIDTRANS_SERVER_KEY: SERVER_KEY, MIDTRANS_URL: server.url } })
afterAll(() => server.close())

type Fields = Record<string, unknown>
/** What Midtrans keeps of an order, in its own words (docs.midtrans.com, Core API). */
const orders = new Map<string, Fields>()
/** Whether a status tells the code again. */
let tellsCode = true

/** So many minutes from now, as Midtrans writes it. */
const inJakarta = (minutes: number) =>
  addMs(clock.now(), (7 * 60 + minutes) * 60_000)
    .slice(0, 19)
    .replace('T', ' ')

const charged = (order_id: string, gross_amount: number, asked: Fields): Fields => ({
  status_code: '201',
  status_message: 'Success, transaction is created',
  transaction_id: `tr-${orders.size}-${order_id.slice(-6)}`,
  order_id,
  merchant_id: 'G490526303',
  gross_amount: `${gross_amount}.00`,
  currency: 'IDR',
  payment_type: asked['payment_type'],
  transaction_time: '2026-03-01 07:00:00',
  transaction_status: 'pending',
  fraud_status: 'accept',
  ...(asked['payment_type'] === 'qris'
    ? {
        qr_string: `00020101021226${order_id}`,
        acquirer: 'gopay',
        actions: [
          {
            name: 'generate-qr-code',
            method: 'GET',
            url: `https://api.midtrans.com/v2/qris/${order_id}/qr-code`,
          },
        ],
        expiry_time: inJakarta(15),
      }
    : {
        va_numbers: [{ bank: (asked['bank_transfer'] as { bank: string }).bank, va_number: '12345678901' }],
        expiry_time: inJakarta(24 * 60),
      }),
  ...Object.fromEntries(Object.entries(asked).filter(([name]) => name.startsWith('custom_field'))),
})

const speaking: Parameters<typeof server.answers>[0] = ({ method, path, headers, body }, response) => {
  const basic = `Basic ${Buffer.from(`${SERVER_KEY}:`).toString('base64')}`
  if (headers.authorization !== basic) {
    return void sendJson(response, 401, {
      status_code: '401',
      status_message: 'Unknown Merchant server_key/id',
    })
  }
  if (path === '/v2/charge') {
    const asked = JSON.parse(body)
    const { order_id, gross_amount } = asked.transaction_details
    if (orders.has(order_id)) {
      return void sendJson(response, 200, {
        status_code: '406',
        status_message:
          'The request could not be completed due to a conflict with the current state of the target resource',
      })
    }
    if (gross_amount === 66_000) {
      return void sendJson(response, 200, {
        status_code: '402',
        status_message: 'Payment channel is not activated.',
      })
    }
    const order = charged(order_id, gross_amount, asked)
    orders.set(order_id, order)
    return void sendJson(response, 200, order)
  }
  const [, id = '', verb] = /^\/v2\/([^/]+)\/(\w+)$/.exec(path) ?? []
  const order = orders.get(decodeURIComponent(id))
  if (!order)
    return void sendJson(response, 200, { status_code: '404', status_message: "Transaction doesn't exist." })
  if (verb === 'cancel' && method === 'POST') {
    if (order['transaction_status'] !== 'pending') {
      return void sendJson(response, 200, {
        status_code: '412',
        status_message: 'Merchant cannot modify the status of the transaction',
      })
    }
    order['transaction_status'] = 'cancel'
  }
  const { qr_string: _q, actions: _a, va_numbers: _v, ...bare } = order
  const code = { pending: '201', deny: '202', expire: '202' }[String(order['transaction_status'])] ?? '200'
  sendJson(response, 200, { ...(tellsCode ? order : bare), status_code: verb === 'cancel' ? '200' : code })
}

/** A notice as Midtrans sends it; `signed` in place of what it should be signed over. */
async function notify(
  fields: Fields,
  signed: Fields = {},
  key = SERVER_KEY,
  to = address(),
): Promise<[number, string | undefined]> {
  const over = { ...fields, ...signed }
  const text = [over['order_id'], over['status_code'], over['gross_amount'], key].join('')
  const signature_key = createHash('sha512').update(text).digest('hex')
  const response = await fetch(`${to}/api/v1/webhooks/payment_provider`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...fields, signature_key }),
  })
  return [response.status, ((await response.json()) as { error: { code: string } | null }).error?.code]
}
/** Midtrans comes to know something of an order, and says so. */
const tell = (id: string, transaction_status: string, more: Fields = {}, to = address()) => {
  const order = orders.get(id) as Fields
  Object.assign(order, { transaction_status, ...more })
  const status_code = { pending: '201', deny: '202', expire: '202' }[transaction_status] ?? '200'
  const { qr_string: _q, actions: _a, ...rest } = order
  return notify({ ...rest, status_code }, {}, SERVER_KEY, to)
}

let shop: Shop
beforeAll(async () => {
  server.answers(speaking)
  await enableModule(acme(), 'payment')
  await enableModule(globex(), 'payment')
  shop = await openShop(acme())
  await stock(acme(), shop.outletId, shop.latte, 10_000)
})
beforeEach(() => {
  server.answers(speaking)
  server.asked.length = 0
  tellsCode = true
})

const bill = async (quantity = 2): Promise<string> =>
  saleOf(
    await acme().post('/sales', {
      outletId: shop.outletId,
      items: [{ variantId: shop.latte, quantity }],
      status: 'PARKED',
    }),
  ).id
const charge = async (transactionId: string, more: Fields = {}) =>
  done(await acme().post('/payments/qris', { transactionId, ...more }))
const read = async (id: string) => done(await acme().get(`/sales/${id}`)).sale
const charges = () =>
  server.asked.filter(({ path }: PartnerRequest) => path === '/v2/charge').map(({ body }) => JSON.parse(body))

test('a bill gets a QRIS code of Midtrans, and completes when Midtrans says that it is settled', async () => {
  const id = await bill()
  const session = await charge(id)
  expect(session).toMatchObject({
    transactionId: id,
    method: 'qris',
    amount: 30_000,
    status: 'pending',
    qrString: expect.stringMatching(/^00020101021226/),
    qrImageUrl: expect.stringMatching(/^https:\/\/api\.midtrans\.com\/v2\/qris\//),
    expiresAt: '2026-03-01T00:15:00.000Z',
  })
  expect(session.sessionId).toMatch(/^[\w-]{49}$/)
  expect(charges()).toEqual([
    {
      payment_type: 'qris',
      transaction_details: { order_id: session.sessionId, gross_amount: 30_000 },
      qris: { acquirer: 'gopay' },
      custom_expiry: { expiry_duration: 15, unit: 'minute' },
      custom_field1: id,
      custom_field2: session.paymentId,
    },
  ])
  expect((await charge(id)).sessionId).toBe(session.sessionId)
  expect(await tell(session.sessionId, 'pending')).toEqual([200, undefined])
  expect((await read(id)).status).toBe('PARKED')
  expect(await tell(session.sessionId, 'settlement')).toEqual([200, undefined])
  expect(await read(id)).toMatchObject({
    status: 'COMPLETED',
    payments: [{ method: 'QRIS', status: 'PAID', verified: true }],
  })
  for (const again of ['settlement', 'expire'])
    expect(await tell(session.sessionId, again)).toEqual([200, undefined])
  expect((await read(id)).payments).toHaveLength(1)
})

test('a notice that comes while Midtrans cannot be asked is refused, and counts when it comes again', async () => {
  const id = await bill()
  const { sessionId } = await charge(id)
  const hasty = await alongside({ partnerTuning: { timeoutMs: 300 } })
  try {
    server.answers((_request, response) => void sendJson(response, 500, { status_code: '500' }))
    expect(await tell(sessionId, 'settlement')).toEqual([502, 'PARTNER_ERROR'])
    server.answers(() => {})
    expect(await tell(sessionId, 'settlement', {}, hasty.address)).toEqual([504, 'PARTNER_TIMEOUT'])
  } finally {
    server.answers(speaking)
    await hasty.stop()
  }
  expect(await tell(sessionId, 'settlement')).toEqual([200, undefined])
  expect((await read(id)).payments[0]).toMatchObject({ status: 'PAID' })
})

test('a virtual account is made at the bank of the settings; without notices a poll finds the money, even without custom fields', async () => {
  const id = await bill()
  const session = await charge(id, { method: 'va' })
  expect(session).toMatchObject({
    vaNumber: '12345678901',
    vaBank: 'BCA',
    expiresAt: '2026-03-02T00:00:00.000Z',
  })
  expect(charges()[0]).toMatchObject({
    payment_type: 'bank_transfer',
    bank_transfer: { bank: 'bca' },
    custom_expiry: { expiry_duration: 1_440 },
  })
  const order = orders.get(session.sessionId) as Fields
  Object.assign(order, { transaction_status: 'settlement', settlement_time: '2026-03-01 07:03:00' })
  delete order['custom_field1']
  clock.advance(4_000)
  expect(done(await acme().get(`/payments/qris/${session.sessionId}`)).status).toBe('paid')
  expect((await read(id)).status).toBe('COMPLETED')
})

test.each([
  ['expire', 'expired'],
  ['deny', 'failed'],
  ['cancel', 'failed'],
  ['failure', 'failed'],
])('%s fails the payment; money that comes all the same completes the bill', async (word, status) => {
  const id = await bill()
  const { sessionId } = await charge(id)
  expect(await tell(sessionId, word)).toEqual([200, undefined])
  expect([
    (await read(id)).payments[0].status,
    done(await acme().get(`/payments/qris/${sessionId}`)).status,
  ]).toEqual(['FAILED', status])
  expect(await tell(sessionId, 'settlement')).toEqual([200, undefined])
  expect([(await read(id)).status, done(await acme().get(`/payments/qris/${sessionId}`)).status]).toEqual([
    'COMPLETED',
    'paid',
  ])
})

test('a payment that Midtrans still doubts is not paid', async () => {
  const id = await bill()
  const { sessionId } = await charge(id)
  await tell(sessionId, 'capture', { fraud_status: 'challenge' })
  expect((await read(id)).status).toBe('PARKED')
  await tell(sessionId, 'capture', { fraud_status: 'accept' })
  expect((await read(id)).status).toBe('COMPLETED')
})

test('a notice is believed only where its signature holds, and for nothing that Midtrans itself does not say', async () => {
  const id = await bill()
  const { sessionId } = await charge(id)
  const { qr_string: _q, ...order } = orders.get(sessionId) as Fields
  const settled = { ...order, transaction_status: 'settlement', status_code: '200' }
  for (const wrong of [
    () => notify(settled, {}, 'SB-Mid-server-of-somebody'),
    () => notify(settled, { status_code: '201' }),
    () => notify(settled, { gross_amount: '1.00' }),
    () => notify(settled, { order_id: 'another' }),
  ]) {
    expect(await wrong()).toEqual([401, 'INVALID_SIGNATURE'])
  }
  for (const body of [
    '',
    'no json',
    '[]',
    '{}',
    '{"signature_key":5}',
    `{"order_id":"${sessionId}","status_code":"200","gross_amount":"30000.00"}`,
  ]) {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${address()}/api/v1/webhooks/payment_provider`, {
      method: 'POST',
      headers,
      body,
    })
    expect([body, answer.status]).toEqual([body, 401])
  }
  // Signed, and a lie: whoever heard the signature of a pending notice may send other words with it.
  expect(await notify({ ...order, transaction_status: 'settlement', status_code: '201' })).toEqual([
    200,
    undefined,
  ])
  expect((await read(id)).status).toBe('PARKED')
})

test('another amount than was asked for is kept as it came; an order of somebody else is none of ours', async () => {
  const id = await bill()
  const { sessionId } = await charge(id)
  await tell(sessionId, 'settlement', { gross_amount: '20000.00' })
  expect(await read(id)).toMatchObject({ status: 'PARKED', paidTotal: 20_000, remaining: 10_000 })
  expect(
    await notify({
      order_id: 'web-shop-17',
      status_code: '200',
      gross_amount: '5000.00',
      transaction_status: 'settlement',
    }),
  ).toEqual([200, undefined])
  const ours = `${acme().workspace.accountId.slice(4)}-${'x'.repeat(22)}`
  expect(
    await notify({
      order_id: ours,
      status_code: '200',
      gross_amount: '5000.00',
      transaction_status: 'settlement',
    }),
  ).toEqual([200, undefined])
  expect(refusalOf(await globex().get(`/payments/checkout-sessions/${sessionId}`))).toMatchObject({
    status: 404,
  })
})

test('money for a bill that was paid in cash meanwhile is kept unapplied, and a code that nobody paid is canceled', async () => {
  const [first, second] = [await bill(), await bill()]
  const [paid, idle] = [await charge(first), await charge(second)]
  for (const id of [first, second])
    done(await acme().post(`/sales/${id}/settle`, { payments: [{ method: 'CASH', amount: 30_000 }] }))
  Object.assign(orders.get(paid.sessionId) as Fields, { transaction_status: 'settlement' })
  await settleLoose(deps())
  expect(orders.get(idle.sessionId)?.['transaction_status']).toBe('cancel')
  expect((await read(first)).payments[0]).toMatchObject({ status: 'PAID', applied: false })
  expect((await read(second)).payments[0]).toMatchObject({ status: 'FAILED' })
})

test('an order whose answer was lost is that order when it is asked for again, or another one where its code is not told twice', async () => {
  for (const tells of [true, false]) {
    tellsCode = tells
    const id = await bill()
    const pending = { method: 'QRIS', amount: 30_000, status: 'PENDING', providerRef: `till-${tells}` }
    done(await acme().post(`/sales/${id}/payments`, pending))
    server.answers((request, response) => {
      if (request.path !== '/v2/charge') return speaking(request, response)
      const asked = JSON.parse(request.body)
      const { order_id, gross_amount } = asked.transaction_details
      orders.set(order_id, charged(order_id, gross_amount, asked))
      response.destroy()
    })
    expect(refusalOf(await acme().post('/payments/qris', { transactionId: id }))).toMatchObject({
      status: 502,
      code: 'PARTNER_ERROR',
    })
    const [lost] = [...orders.keys()].slice(-1)
    server.answers(speaking)
    const { sessionId } = await charge(id)
    expect(sessionId === lost).toBe(tells)
    expect(orders.get(lost ?? '')?.['transaction_status']).toBe(tells ? 'pending' : 'cancel')
  }
})

/** A bill with a payment that waits for a code. */
const waitingBill = async () => {
  const id = await bill()
  done(await acme().post(`/sales/${id}/payments`, { method: 'QRIS', amount: 30_000, status: 'PENDING' }))
  return id
}
/** Midtrans does what it is asked, and its answer to a new order is lost. */
const losing: typeof speaking = (request, response) => {
  if (request.path !== '/v2/charge') return void speaking(request, response)
  const asked = JSON.parse(request.body)
  const { order_id, gross_amount } = asked.transaction_details
  if (orders.has(order_id)) return void speaking(request, response)
  orders.set(order_id, charged(order_id, gross_amount, asked))
  sendJson(response, 500, { status_code: '500' })
}
/** Asks for a code, and answers the status and the orders of the bill as they are then, the oldest first. */
const asks = async (id: string) => {
  const { status } = await acme().post('/payments/qris', { transactionId: id })
  const own = [...orders.values()].filter((order) => order['custom_field1'] === id)
  return [status, ...own.map((order) => order['transaction_status'])]
}

test.each(['expire', 'cancel', 'deny', 'failure'])(
  'an order that ended as %s before its code was known leaves its place to another one',
  async (word) => {
    const id = await waitingBill()
    server.answers(losing)
    expect(await asks(id)).toEqual([502, 'pending'])
    server.answers(speaking)
    for (const order of orders.values()) if (order['custom_field1'] === id) order['transaction_status'] = word
    expect(await asks(id)).toEqual([201, word, 'pending'])
    expect(await asks(id)).toEqual([200, word, 'pending'])
  },
)

test('an order that was paid before its code was known is not replaced, and its money is found', async () => {
  for (const tells of [true, false]) {
    const id = await waitingBill()
    tellsCode = tells
    server.answers(losing)
    expect(await asks(id)).toEqual([502, 'pending'])
    server.answers(speaking)
    const [order] = [...orders.keys()].slice(-1)
    Object.assign(orders.get(order as string) as Fields, { transaction_status: 'settlement' })
    expect(await asks(id)).toEqual([502, 'settlement'])
    expect(await tell(order as string, 'settlement')).toEqual([200, undefined])
    expect((await read(id)).status).toBe('COMPLETED')
  }
})

test('an order that is paid while it is being replaced stays the only one', async () => {
  const id = await waitingBill()
  tellsCode = false
  server.answers(losing)
  expect(await asks(id)).toEqual([502, 'pending'])
  server.answers((request, response) => {
    const order = [...orders.values()].find((one) => one['custom_field1'] === id) as Fields
    if (request.path.endsWith('/cancel')) order['transaction_status'] = 'settlement'
    return speaking(request, response)
  })
  expect(await asks(id)).toEqual([409, 'settlement'])
})

test('answers that are lost one after the other leave one order that can be paid', async () => {
  tellsCode = false
  const id = await waitingBill()
  server.answers(losing)
  expect(await asks(id)).toEqual([502, 'pending'])
  expect(await asks(id)).toEqual([502, 'cancel', 'pending'])
  expect(await asks(id)).toEqual([502, 'cancel', 'cancel', 'pending'])
  server.answers(speaking)
  expect(await asks(id)).toEqual([201, 'cancel', 'cancel', 'cancel', 'pending'])
  expect(await asks(id)).toEqual([200, 'cancel', 'cancel', 'cancel', 'pending'])
})

test('the notice that an order was replaced leaves the code that took its place, however early it comes', async () => {
  tellsCode = false
  for (const isEarly of [false, true]) {
    const id = await waitingBill()
    server.answers(losing)
    expect(await asks(id)).toEqual([502, 'pending'])
    const [replaced] = [...orders.keys()].slice(-1) as [string]
    const told: unknown[] = []
    server.answers(async (request, response) => {
      const isOpening =
        request.path === '/v2/charge' && orders.get(replaced)?.['transaction_status'] === 'cancel'
      if (isEarly && isOpening) told.push(await tell(replaced, 'cancel'))
      return speaking(request, response)
    })
    const { sessionId, paymentId } = await charge(id)
    if (!isEarly) told.push(await tell(replaced, 'cancel'))
    expect(told).toEqual([[200, undefined]])
    await settleLoose(deps())
    expect((await read(id)).payments).toMatchObject([{ id: paymentId, status: 'PENDING' }])
    expect(orders.get(sessionId)?.['transaction_status']).toBe('pending')
    // Its own end is the end of it, and whatever is paid all the same is booked.
    expect(await tell(sessionId, 'expire')).toEqual([200, undefined])
    expect((await read(id)).payments).toMatchObject([{ id: paymentId, status: 'FAILED' }])
    expect(await tell(replaced, 'settlement')).toEqual([200, undefined])
    expect(await read(id)).toMatchObject({ status: 'COMPLETED', paidTotal: 30_000 })
  }
})

test('Midtrans, where it has ended every order already, is not asked for ever', async () => {
  const id = await waitingBill()
  server.answers((request, response) => {
    if (request.path !== '/v2/charge') return speaking(request, response)
    const asked = JSON.parse(request.body)
    const { order_id, gross_amount } = asked.transaction_details
    orders.set(order_id, { ...charged(order_id, gross_amount, asked), transaction_status: 'expire' })
    return speaking(request, response)
  })
  expect((await asks(id))[0]).toBe(502)
  const names = charges().map((asked) => asked.transaction_details.order_id)
  expect([names.length, new Set(names).size]).toEqual([8, 8])
})

test.each<[string, (to: Parameters<NonNullable<Parameters<typeof server.answers>[0]>>[1]) => void]>([
  ['an error', (to) => void sendJson(to, 500, { status_code: '500', status_message: 'Sorry' })],
  [
    'an error in a good answer',
    (to) => void sendJson(to, 200, { status_code: '503', status_message: 'Sorry' }),
  ],
  ['our key refused', (to) => void sendJson(to, 401, { status_code: '401', status_message: 'Unknown' })],
  ['a page', (to) => void to.writeHead(200).end('<h1>')],
  ['half an answer', (to) => void to.writeHead(200).end('{"status_code":"201","order')],
  ['no transaction', (to) => void sendJson(to, 200, { status_code: '201', order_id: 5 })],
  [
    'JSON 100,000 deep',
    (to) => void to.writeHead(200).end(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
  ],
])('%s is 502, and the bill is as it was', async (_, by) => {
  const id = await bill()
  const before = await read(id)
  server.answers((_request, response) => by(response))
  expect(refusalOf(await acme().post('/payments/qris', { transactionId: id }))).toMatchObject({
    status: 502,
    code: 'PARTNER_ERROR',
  })
  server.answers(speaking)
  expect(await read(id)).toEqual(before)
  await charge(id)
})

test('an order that Midtrans calls expired by its own code 407 is expired', async () => {
  const id = await bill()
  const { sessionId } = await charge(id)
  const expired = { ...orders.get(sessionId), status_code: '407', transaction_status: 'expire' }
  server.answers((_request, response) => void sendJson(response, 200, expired))
  clock.advance(4_000)
  expect(done(await acme().get(`/payments/qris/${sessionId}`)).status).toBe('expired')
})

test.each<[string, number, Fields | null]>([
  ['in the answer', 200, { status_code: '429', status_message: 'Too many requests' }],
  ['by the status alone', 429, { message: 'API rate limit exceeded' }],
  ['by the page of a gateway', 429, null],
])('a limit of Midtrans on reads and cancels, %s, leaves charges possible', async (_, status, limit) => {
  const id = await bill()
  const { sessionId } = await charge(id)
  server.answers((request, response) => {
    if (request.path === '/v2/charge') return speaking(request, response)
    if (limit === null) return void response.writeHead(status).end('<h1>Too many requests</h1>')
    return void sendJson(response, status, limit)
  })
  for (let reads = 0; reads < 5; reads += 1) {
    clock.advance(4_000)
    expect(refusalOf(await acme().get(`/payments/qris/${sessionId}`))).toMatchObject({
      status: 429,
      code: 'RATE_LIMITED',
    })
  }
  done(await acme().post(`/sales/${id}/settle`, { payments: [{ method: 'CASH', amount: 30_000 }] }))
  for (let runs = 0; runs < 5; runs += 1) {
    clock.advance(11_000)
    server.asked.length = 0
    await settleLoose(deps())
    expect(server.asked).toHaveLength(1)
  }
  expect((await globex().post('/payments/qris', { amount: 10_000 })).status).toBe(201)
  server.answers(speaking)
  clock.advance(11_000)
  await settleLoose(deps())
  expect(orders.get(sessionId)?.['transaction_status']).toBe('cancel')
})

test('an order that the service cannot read leaves charges of other workspaces possible', async () => {
  const { sessionId } = await charge(await bill())
  const order = orders.get(sessionId) as Fields
  const changes = [
    { transaction_status: 'new_word' },
    { transaction_status: 'pending', gross_amount: 30_000 },
    { gross_amount: '30000.00', currency: 'USD' },
    { currency: 'IDR', order_id: 'another' },
  ]
  for (const change of changes) {
    Object.assign(order, change)
    for (let reads = 0; reads < 6; reads += 1) {
      clock.advance(4_000)
      expect(refusalOf(await acme().get(`/payments/qris/${sessionId}`))).toMatchObject({ status: 502 })
    }
    expect((await globex().post('/payments/qris', { amount: 10_000 })).status).toBe(201)
  }
})

test.each([
  [200, '{"status_code":"429","status_message":"Too many requests"}'],
  [429, '<h1>Too many requests</h1>'],
])('the Retry-After of a limit of Midtrans, told with %i, reaches the caller', async (status, body) => {
  const { sessionId } = await charge(await bill())
  server.answers((_request, response) => void response.writeHead(status, { 'retry-after': '90' }).end(body))
  clock.advance(4_000)
  const limited = await acme().get(`/payments/qris/${sessionId}`)
  expect(refusalOf(limited)).toMatchObject({ status: 429, code: 'RATE_LIMITED' })
  expect(limited.headers.get('retry-after')).toBe('90')
})

test('reads that Midtrans refuses leave charges possible', async () => {
  const { sessionId } = await charge(await bill())
  server.answers((request, response) => {
    if (request.path === '/v2/charge') return speaking(request, response)
    return void sendJson(response, 200, { status_code: '400', status_message: 'Validation error' })
  })
  for (let reads = 0; reads < 5; reads += 1) {
    clock.advance(4_000)
    const answer = await acme().get(`/payments/qris/${sessionId}`)
    expect(refusalOf(answer)).toMatchObject({ status: 422, code: 'VALIDATION_ERROR' })
  }
  expect((await globex().post('/payments/qris', { amount: 10_000 })).status).toBe(201)
})

test('what Midtrans refuses is said in its words, and what it does not offer is 404', async () => {
  const refused = await acme().post('/payments/qris', { amount: 66_000 })
  expect([refused.status, refused.error.message]).toEqual([
    422,
    'Midtrans refused this (402): Payment channel is not activated.',
  ])
  for (const path of [
    '/payments/invoices',
    '/payments/ledger/entries',
    '/payments/overview',
    '/payments/receipts/r/pdf',
    '/payments/checkout-sessions',
  ]) {
    const answer = await acme().get(path)
    expect([path, answer.status, answer.error.message]).toEqual([
      path,
      404,
      expect.stringMatching(/^Midtrans offers no /),
    ])
  }
  expect(refusalOf(await acme().post('/payments/checkout-sessions', { amount: 5 }))).toMatchObject({
    status: 422,
    param: 'method',
  })
  expect(refusalOf(await acme().post('/billing/checkout', { tier: 'starter' }))).toMatchObject({
    status: 409,
  })
})

test.each(['pending', 'settlement'])(
  'an Idempotency-Key that has expired, sent again with another amount or method, is 409 and leaves its %s order as it is',
  async (status) => {
    const session = { amount: 30_000, method: 'va', expiresInSeconds: 7 * 86_400 }
    const idempotencyKey = `invoice-17-${status}`
    const open = (more: Fields = {}) =>
      acme().post('/payments/checkout-sessions', { ...session, ...more }, { idempotencyKey })
    const { id } = done(await open())
    const order = orders.get(id) as Fields
    order['transaction_status'] = status
    for (const more of [{ amount: 40_000 }, { method: 'qris' }]) {
      clock.advance(25 * 3_600_000)
      expect(refusalOf(await open(more))).toMatchObject({ status: 409, code: 'IDEMPOTENCY_KEY_IN_USE' })
      expect(order['transaction_status']).toBe(status)
    }
    clock.advance(25 * 3_600_000)
    expect(done(await open()).id).toBe(id)
    // An order that ended unpaid can be neither paid nor canceled.
    order['transaction_status'] = 'expire'
    clock.advance(25 * 3_600_000)
    expect(done(await open({ amount: 40_000 }))).toMatchObject({ amount: 40_000, status: 'open' })
  },
)

test('two workspaces may use one Idempotency-Key, and one for an order and its replacement', async () => {
  // Midtrans repeats its first answer to a key of the merchant, whatever is asked.
  const answers = new Map<string, string>()
  server.answers((request, response) => {
    const key = request.headers['idempotency-key']
    if (typeof key !== 'string') return speaking(request, response)
    const known = answers.get(key)
    const end = (text: string) => {
      answers.set(key, text)
      response.writeHead(200, { 'content-type': 'application/json' }).end(text)
    }
    if (known !== undefined) return end(known)
    return speaking(request, { writeHead: () => ({ end }) } as unknown as typeof response)
  })
  const key = { idempotencyKey: newId('event') }
  const open = (api: Api, amount: number) =>
    api.post('/payments/checkout-sessions', { amount, method: 'qris' }, key)
  const { id } = done(await open(acme(), 30_000))
  expect(done(await open(globex(), 40_000))).toMatchObject({ amount: 40_000, status: 'open' })
  // Midtrans forgets a key after five minutes. It does not show the code of the order again, so another replaces it.
  answers.clear()
  tellsCode = false
  const again = done(await open(acme(), 30_000))
  expect([again.id === id, again.status]).toEqual([false, 'open'])
  expect(orders.get(id)?.['transaction_status']).toBe('cancel')
  expect(server.asked.map(({ headers }) => typeof headers['x-request-id'])).toEqual(
    server.asked.map(() => 'string'),
  )
})

/** The bill and its payments, as the books have them. */
const booksOf = async (id: string) => {
  const { status, paidTotal, payments } = await read(id)
  return { status, paidTotal, payments }
}
test.each<[string, string | undefined]>([
  ['under its own reference', undefined],
  ['under the reference of a till', 'till-of-long-ago'],
])('money %s is the same money however long after the sale Midtrans tells of it', async (_, providerRef) => {
  const id = await bill()
  if (providerRef !== undefined) {
    const pending = { method: 'QRIS', amount: 30_000, status: 'PENDING', providerRef }
    done(await acme().post(`/sales/${id}/payments`, pending))
  }
  const { sessionId } = await charge(id)
  expect(await tell(sessionId, 'settlement')).toEqual([200, undefined])
  const before = await booksOf(id)
  expect(before).toMatchObject({ status: 'COMPLETED', paidTotal: 30_000, payments: [{ status: 'PAID' }] })
  for (const word of ['refund', 'partial_refund', 'chargeback', 'settlement']) {
    clock.advance(125 * 24 * 3_600_000)
    await sweep(deps(), [...noticeExpires, ...sessionExpires])
    expect(await tell(sessionId, word)).toEqual([200, undefined])
    expect([word, await booksOf(id)]).toEqual([word, before])
  }
})

test('gift cards stay here: Midtrans keeps none', async () => {
  server.asked.length = 0
  const card = done(await acme().post('/gift-cards', { amount: 30_000 })).giftCard
  const payments = [{ method: 'GIFT_CARD', amount: 30_000, reference: card.code }]
  const sold = await acme().post('/sales', {
    outletId: shop.outletId,
    items: [{ variantId: shop.latte, quantity: 2 }],
    payments,
  })
  expect(saleOf(sold).status).toBe('COMPLETED')
  expect(refusalOf(await acme().get('/gift-cards/NOBODY-KNOWS'))).toMatchObject({ status: 404 })
  expect(server.asked).toEqual([])
})

test('two payment partners at once are refused at the start', () => {
  const env = {
    MIDTRANS_SERVER_KEY: 'k',
    PAYMENT_PARTNER_URL: 'http://127.0.0.1:1',
    PAYMENT_PARTNER_KEY: 'k',
    PAYMENT_PARTNER_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32).toString('base64')}`,
  }
  expect(() => readConfig(env)).toThrow('MIDTRANS_SERVER_KEY and PAYMENT_PARTNER_URL exclude each other')
})
