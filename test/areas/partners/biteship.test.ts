import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { mendShipments } from '../../../src/areas/partners/delivery/jobs.ts'
import { newId } from '../../../src/core/ids.ts'
import { manualClock } from '../../../src/platform/clock.ts'
import { readConfig } from '../../../src/platform/config/config.ts'
import { enableModule, openShop, type Shop } from '../../support/build.ts'
import { cloneDatabase } from '../../support/db.ts'
import { done, refusalOf } from '../../support/expect.ts'
import { NO_FULFILLMENT, type PartnerRequest, sendJson, startPartner } from '../../support/partner.ts'
import { acme, address, alongside, deps, globex, startHarness, useService } from '../../support/service.ts'

const API_KEY = 'biteship_test.of-these-tests'
/** The one that the account has at the moment. */
let apiKey = API_KEY
const SECRET = 'a-secret-of-the-dashboard'
const clock = manualClock('2026-03-01T00:00:00.000Z')
const server = await startPartner()
const database = await cloneDatabase()
const env = {
  ...NO_FULFILLMENT,
  SECRETS_KEY: randomBytes(32).toString('base64url'),
  BITESHIP_API_KEY: API_KEY,
  BITESHIP_URL: server.url,
  BITESHIP_WEBHOOK_SECRET: SECRET,
}
useService({ clock, env, database })
afterAll(() => server.close())

type Fields = Record<string, unknown>
type Step = { service_type: string; status: string; note: string; updated_at: string }
type Order = Fields & {
  id: string
  reference_id: string
  status: string
  price: number
  courier: Fields & { history: Step[] }
}
/** What Biteship keeps, in its own words (biteship.com/docs/api): drafts under UUIDs, orders under other ids. */
const drafts = new Map<string, Fields & { reference_id: string }>()
const orders = new Map<string, Order>()
/** Its clock, in the zone of Jakarta. */
let minute = 0
const tick = () => {
  minute += 1
  return `2026-03-01T07:${String(minute).padStart(2, '0')}:00+07:00`
}
const no = (error: string, code: number) => ({ success: false, error, code })
const service = (courier: string, type: string, name: string) => ({
  available_for_cash_on_delivery: false,
  courier_name: courier === 'jne' ? 'JNE' : 'SiCepat',
  courier_code: courier,
  courier_service_name: name,
  courier_service_code: type,
  tier: 'free',
  shipment_duration_range: '1 - 2',
  shipment_duration_unit: 'days',
})
const price = (courier: string, type: string, price: number, insurance_fee = 0) => ({
  ...service(courier, type, type.toUpperCase()),
  company: courier,
  duration: '1 - 2 days',
  type,
  price,
  insurance_fee,
})

function draftOf(asked: Fields) {
  const at = tick()
  const id = `ef18275c-02a9-4887-a56b-${String(drafts.size).padStart(12, '0')}`
  const draft = {
    success: true,
    object: 'draft_order',
    id,
    order_id: null,
    courier: {
      company: asked['courier_company'],
      type: asked['courier_type'],
      link: null,
      waybill_id: null,
      insurance: { amount: asked['courier_insurance'] ?? 0, fee: asked['courier_insurance'] ? 500 : 0 },
    },
    price: asked['courier_insurance'] ? 11_500 : 11_000,
    // A draft for which there is no such service waits for another one.
    status: asked['courier_type'] === 'same_day' ? 'placed' : 'ready',
    reference_id: String(asked['reference_id']),
    created_at: at,
    updated_at: at,
    deleted_at: null,
  }
  drafts.set(id, draft)
  return draft
}

function confirmed(draft: Fields): Order {
  const id = `5dd599ebdefcd4158eb${String(orders.size).padStart(5, '0')}`
  const step = { service_type: 'reg', status: 'confirmed', note: 'Order confirmed', updated_at: tick() }
  const order = {
    ...draft,
    id,
    object: 'order',
    draft_order_id: draft['id'],
    status: 'confirmed',
    courier: {
      ...(draft['courier'] as Fields),
      waybill_id: null,
      link: `https://track.biteship.com/${id}`,
      history: [step],
    },
  } as unknown as Order
  orders.set(id, order)
  Object.assign(draft, { status: 'confirmed', order_id: id })
  return order
}

const speaking: Parameters<typeof server.answers>[0] = ({ method, path, query, headers, body }, to) => {
  if (headers.authorization !== `Bearer ${apiKey}`) {
    return void sendJson(to, 401, no('Authorization failed', 40101001))
  }
  const asked = body === '' ? {} : JSON.parse(body)
  if (path === '/v1/couriers') {
    const couriers = [
      service('jne', 'reg', 'Reguler'),
      service('jne', 'yes', 'YES'),
      service('sicepat', 'reg', 'Reguler'),
    ]
    return void sendJson(to, 200, { success: true, object: 'courier', couriers })
  }
  if (path === '/v1/rates/couriers') {
    const fee = asked.courier_insurance ? 500 : 0
    const pricing = [price('sicepat', 'reg', 12_000 + fee, fee), price('jne', 'reg', 11_000 + fee, fee)]
    return void sendJson(to, 200, { success: true, object: 'courier_pricing', pricing })
  }
  if (path === '/v1/draft_orders' && method === 'GET') {
    const reference = new URLSearchParams(query).get('reference_id')
    const found = [...drafts.values()].filter(({ reference_id }) => reference_id === reference)
    return void sendJson(to, 200, { success: true, drafts: found })
  }
  if (path === '/v1/draft_orders') {
    if (asked.courier_company === 'rocket')
      return void sendJson(to, 400, no('Invalid courier company', 40002035))
    const isTaken = [...drafts.values()].some(({ reference_id }) => reference_id === asked.reference_id)
    if (isTaken) return void sendJson(to, 422, no('Reference ID is already used', 42211015))
    return void sendJson(to, 200, draftOf(asked))
  }
  const [, family, id = '', verb] = /^\/v1\/(draft_orders|orders)\/([^/]+)(?:\/(\w+))?$/.exec(path) ?? []
  const found = family === 'orders' ? orders.get(id) : drafts.get(id)
  if (!found) return void sendJson(to, 404, no('Not found', 40402001))
  if (method === 'DELETE') {
    drafts.delete(id)
    return void sendJson(to, 200, { success: true, id })
  }
  if (verb === 'confirm') {
    if (found['order_id']) return void sendJson(to, 400, no('Draft order has been confirmed', 40011013))
    const { courier, ...order } = confirmed(found)
    const { history: _, ...rest } = courier
    return void sendJson(to, 200, { ...order, courier: rest })
  }
  if (verb === 'cancel') {
    const order = found as Order
    if (!['confirmed', 'allocated', 'picking_up'].includes(order.status)) {
      return void sendJson(to, 400, no('Order cannot be cancelled', 40003005))
    }
    moveOn(order, 'cancelled')
    return void sendJson(to, 200, { success: true, object: 'order', id, status: 'cancelled' })
  }
  sendJson(to, 200, found)
}

type Response = Parameters<typeof speaking>[1]
/** What is answered to it is lost. */
const unheard = (to: Response) => ({ writeHead: () => ({ end: () => to.destroy() }) }) as unknown as Response

function moveOn(order: Order, status: string) {
  order.status = status
  order.courier.history.push({ service_type: 'reg', status, note: `Now ${status}`, updated_at: tick() })
}
const orderOf = (id: string): Order => {
  const order = orders.get(id)
  if (!order) throw new Error(`Biteship has no order ${id}`)
  return order
}

/** A notice as Biteship sends it: the header that was chosen in its dashboard, and a body that nothing signs. */
async function tell(
  body: unknown,
  headers: Record<string, string> = { 'x-biteship-signature': SECRET },
  to = address(),
) {
  const response = await fetch(`${to}/api/v1/webhooks/fulfillment_provider`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return response.status
}
const told = (order: Order, event = 'order.status') => ({
  event,
  order_id: order.id,
  order_reference_id: order.reference_id,
  status: order.status,
  courier_company: 'jne',
  courier_waybill_id: order.courier['waybill_id'],
})

const place = {
  contactName: 'Ibu Ani',
  contactPhone: '081298765432',
  address: 'Jl. Melati 5',
  postalCode: '40115',
}
const origin = { ...place, contactName: 'Toko Sari', address: 'Jl. Kemang Raya 1', postalCode: '12730' }
const items = [{ name: 'Kopi', quantity: 2, weight: 500, value: 60_000, category: 'Minuman' }]
const parcel = { destination: place, courierCode: 'jne', courierServiceCode: 'reg', items }

let shop: Shop
beforeAll(async () => {
  server.answers(speaking)
  await enableModule(acme(), 'fulfillment')
  await enableModule(globex(), 'fulfillment')
  shop = await openShop(acme())
})
beforeEach(async () => {
  server.answers(speaking)
  await acme().get('/delivery/couriers')
  server.asked.length = 0
})

const sale = async (fields: object = {}): Promise<string> =>
  done(
    await acme().post('/sales', {
      outletId: shop.outletId,
      items: [{ variantId: shop.bag, quantity: 2 }],
      status: 'PARKED',
      orderType: 'DELIVERY',
      deliveryDraft: { ...parcel, ...fields },
    }),
  ).sale.id
const dispatch = (id: string) => acme().post(`/delivery/sales/${id}/dispatch`)
const act = (id: string, verb: 'confirm-pickup' | 'cancel') =>
  acme().post(`/delivery/shipments/${id}/${verb}`)
const read = async (id: string) => done(await acme().get(`/delivery/shipments/${id}`)).shipment
const booked = async () => {
  const saleId = await sale()
  const { id } = done(await dispatch(saleId)).shipment
  const { providerRef } = done(await act(id, 'confirm-pickup')).shipment
  return { saleId, id, providerRef, order: orderOf(providerRef) }
}
const asked = (method: string, path: RegExp) =>
  server.asked.filter((one: PartnerRequest) => one.method === method && path.test(one.path))

test('the origin is kept here, whole, and without it nothing is priced or sent', async () => {
  expect(done(await acme().get('/delivery/origin')).origin).toBeNull()
  const early = await acme().post('/delivery/rates', { destination: place, items })
  expect(refusalOf(early)).toEqual({ status: 422, code: 'VALIDATION_ERROR', param: 'origin' })
  const half = await acme().patch('/delivery/origin', { address: 'Jl. Kemang Raya 1', postalCode: '12730' })
  expect(refusalOf(half)).toEqual({ status: 422, code: 'VALIDATION_ERROR', param: 'contactName' })
  expect(done(await acme().patch('/delivery/origin', origin)).origin).toEqual(origin)
  const nowhere = await acme().patch('/delivery/origin', { postalCode: null })
  expect(refusalOf(nowhere)).toEqual({ status: 422, code: 'VALIDATION_ERROR', param: 'postalCode' })
  expect(done(await acme().get('/delivery/origin')).origin).toEqual(origin)
  expect(done(await globex().get('/delivery/origin')).origin).toBeNull()
})

test('couriers and prices are those of Biteship, without what insurance costs', async () => {
  expect(done(await acme().get('/delivery/couriers')).couriers).toEqual([
    {
      code: 'jne',
      name: 'JNE',
      services: [
        { code: 'reg', name: 'Reguler' },
        { code: 'yes', name: 'YES' },
      ],
    },
    { code: 'sicepat', name: 'SiCepat', services: [{ code: 'reg', name: 'Reguler' }] },
  ])
  const { rates } = done(await acme().post('/delivery/rates', { destination: place, items, insurance: true }))
  expect(rates.map((rate: Fields) => [rate['courierCode'], rate['price'], rate['insuranceFee']])).toEqual([
    ['jne', 11_000, 500],
    ['sicepat', 12_000, 500],
  ])
  const [quote] = asked('POST', /rates/)
  expect(JSON.parse(quote?.body ?? '')).toEqual({
    origin_postal_code: 12_730,
    destination_postal_code: 40_115,
    couriers: 'jne,sicepat',
    courier_insurance: 120_000,
    items: [{ name: 'Kopi', quantity: 2, weight: 500, value: 60_000 }],
  })
})

test('a delivery is a draft order, an order once it is confirmed, and follows what Biteship says of it', async () => {
  const saleId = await sale()
  const { shipment } = done(await dispatch(saleId))
  expect(shipment).toMatchObject({
    status: 'draft',
    providerRef: expect.stringMatching(/^draft_ef18275c-/),
    price: 11_000,
    waybillId: null,
  })
  const [draft] = asked('POST', /^\/v1\/draft_orders$/)
  expect(JSON.parse(draft?.body ?? '')).toEqual({
    origin_contact_name: 'Toko Sari',
    origin_contact_phone: '081298765432',
    origin_address: 'Jl. Kemang Raya 1',
    origin_postal_code: 12_730,
    destination_contact_name: 'Ibu Ani',
    destination_contact_phone: '081298765432',
    destination_address: 'Jl. Melati 5',
    destination_postal_code: 40_115,
    courier_company: 'jne',
    courier_type: 'reg',
    delivery_type: 'now',
    reference_id: expect.stringMatching(/^[0-9A-Z]{26}-[\w-]{22}$/),
    items: [{ name: 'Kopi', quantity: 2, weight: 500, value: 60_000 }],
  })
  const confirmed = done(await act(shipment.id, 'confirm-pickup')).shipment
  expect(confirmed).toMatchObject({ status: 'confirmed', providerRef: expect.stringMatching(/^5dd599/) })
  const order = orderOf(confirmed.providerRef)
  moveOn(order, 'droppingOff')
  order.courier['waybill_id'] = 'JNE-0001'
  expect(await tell(told(order))).toBe(200)
  expect(await read(shipment.id)).toMatchObject({ status: 'dropping_off', waybillId: 'JNE-0001' })
  expect(done(await acme().get(`/sales/${saleId}`)).sale.delivery.status).toBe('dropping_off')
  order.price = 12_500
  expect(await tell(told(order, 'order.price'))).toBe(200)
  expect((await read(shipment.id)).price).toBe(12_500)
  moveOn(order, 'delivered')
  expect(await tell(told(order))).toBe(200)
  const { status, history } = await read(shipment.id)
  expect([status, history.map((step: Fields) => step['status'])]).toEqual([
    'delivered',
    ['draft', 'confirmed', 'dropping_off', 'delivered'],
  ])
})

test('a notice is a hint: without the secret it is 401, and what it says counts for nothing', async () => {
  const { id, order } = await booked()
  const lie = { ...told(order), status: 'delivered', courier_waybill_id: 'X' }
  for (const headers of [{}, { 'x-biteship-signature': 'wrong' }, { 'x-biteship-signature': '' }]) {
    expect(await tell(lie, headers as Record<string, string>)).toBe(401)
  }
  expect(await tell(lie)).toBe(200)
  expect(await read(id)).toMatchObject({ status: 'confirmed', waybillId: null })
  const strange = [
    {},
    { event: 'order.status' },
    { ...lie, order_id: 'none' },
    { ...lie, order_id: '../couriers' },
  ]
  for (const body of strange) expect(await tell(body)).toBe(200)
  orders.set('foreign', { ...order, id: 'foreign', reference_id: 'of another shop' })
  expect(await tell({ ...lie, order_id: 'foreign' })).toBe(200)
  const foreign = await globex().get(`/fulfillment/shipments/${order.id}`)
  expect(refusalOf(foreign)).toMatchObject({ status: 404, code: 'NOT_FOUND' })
})

test('a notice that comes while Biteship cannot be asked is refused, and counts when it comes again', async () => {
  const { id, order } = await booked()
  moveOn(order, 'picked')
  const hasty = await alongside({ partnerTuning: { timeoutMs: 300 } })
  try {
    server.answers((_request, response) => void sendJson(response, 500, no('Sorry', 50000001)))
    expect(await tell(told(order))).toBe(502)
    server.answers(() => {})
    expect(await tell(told(order), undefined, hasty.address)).toBe(504)
  } finally {
    server.answers(speaking)
    await hasty.stop()
  }
  expect(await tell(told(order))).toBe(200)
  expect(await read(id)).toMatchObject({ status: 'picked' })
})

test('without notices the service asks by itself', async () => {
  const { id, order } = await booked()
  moveOn(order, 'picked')
  clock.advance(16 * 60_000)
  await mendShipments(deps())
  expect((await read(id)).status).toBe('picked')
})

test('drafts are deleted, orders canceled, and one that the courier has is 409', async () => {
  const draft = done(await acme().post('/delivery/shipments', parcel)).shipment
  const count = drafts.size
  expect(done(await act(draft.id, 'cancel')).shipment.status).toBe('cancelled')
  expect(drafts.size).toBe(count - 1)
  const gone = done(await acme().post('/delivery/shipments', parcel)).shipment
  drafts.delete(gone.providerRef.slice('draft_'.length))
  expect(done(await act(gone.id, 'cancel')).shipment.status).toBe('cancelled')
  const { id, order } = await booked()
  expect(done(await act(id, 'cancel')).shipment.status).toBe('cancelled')
  expect([order.status, JSON.parse(asked('POST', /cancel$/)[0]?.body ?? '')]).toEqual([
    'cancelled',
    { cancellation_reason_code: 'others', cancellation_reason: 'Cancelled by the shop' },
  ])
  const late = await booked()
  moveOn(late.order, 'picked')
  expect(refusalOf(await act(late.id, 'cancel'))).toMatchObject({ status: 409, code: 'CONFLICT' })
  expect((await read(late.id)).status).toBe('picked')
})

test('an answer that was lost makes neither a second draft nor a second order', async () => {
  const losing = (path: RegExp) => {
    let losses = 1
    server.answers((request, to) => {
      if (request.method !== 'POST' || !path.test(request.path) || losses-- <= 0) return speaking(request, to)
      return speaking(request, unheard(to))
    })
  }
  const saleId = await sale()
  const count = drafts.size
  losing(/^\/v1\/draft_orders$/)
  expect((await dispatch(saleId)).status).toBe(502)
  const { id } = done(await dispatch(saleId)).shipment
  expect(drafts.size).toBe(count + 1)
  const before = orders.size
  losing(/confirm$/)
  expect((await act(id, 'confirm-pickup')).status).toBe(502)
  clock.advance(6_000)
  await mendShipments(deps())
  expect([(await read(id)).status, orders.size - before]).toEqual(['confirmed', 1])
  expect((await act(id, 'confirm-pickup')).status).toBe(200)
  expect(orders.size - before).toBe(1)
})

test('after an answer was lost and the origin was corrected, the shipment from the old one is answered with 200, and the next one has the new one', async () => {
  let losses = 1
  server.answers((request, to) => {
    const loses = request.method === 'POST' && request.path === '/v1/draft_orders' && losses-- > 0
    return speaking(request, loses ? unheard(to) : to)
  })
  const saleId = await sale()
  expect((await dispatch(saleId)).status).toBe(502)
  done(await acme().patch('/delivery/origin', { address: 'Jl. Kemang Raya 99' }))
  const again = await dispatch(saleId)
  expect(again.status).toBe(200)
  // The clock of Biteship is some minutes ahead of that of the service.
  clock.advance(3_600_000)
  done(await act(done(again).shipment.id, 'cancel'))
  expect((await dispatch(saleId)).status).toBe(201)
  const sent = asked('POST', /^\/v1\/draft_orders$/).map(({ body }) => JSON.parse(body).origin_address)
  expect(sent).toEqual(['Jl. Kemang Raya 1', 'Jl. Kemang Raya 1', 'Jl. Kemang Raya 99'])
  done(await acme().patch('/delivery/origin', origin))
})

test('what Biteship refuses says why, what it does not have is 404, and nonsense of it is 502', async () => {
  const refused = await dispatch(await sale({ courierCode: 'rocket' }))
  expect(refusalOf(refused)).toMatchObject({ status: 422, code: 'VALIDATION_ERROR' })
  expect(refused.text).toMatch(/Invalid courier company/)
  const missing = await Promise.all(
    ['/shipping-credits', '/warehouses', '/shipments', '/shipments/x/label'].map((path) =>
      acme().get(`/fulfillment${path}`),
    ),
  )
  expect(missing.map(refusalOf)).toMatchObject(Array(4).fill({ status: 404, code: 'NOT_FOUND' }))
  expect(missing[0]?.text).toMatch(/Biteship/)
  const { id, order } = await booked()
  const { courier: _, ...without } = order
  for (const nonsense of [
    { success: true },
    { ...order, id: 'another' },
    without,
    { ...order, status: 'lost' },
  ]) {
    server.answers((request, to) =>
      request.method === 'GET' && request.path.startsWith('/v1/orders/')
        ? void sendJson(to, 200, nonsense)
        : speaking(request, to),
    )
    expect(await tell(told(order))).toBe(502)
  }
  expect((await read(id)).status).toBe('confirmed')
})

test('an order that the service cannot read stops no other order and no other workspace', async () => {
  for (const api of [acme(), globex()]) done(await api.patch('/delivery/origin', origin))
  const [strange, other] = [await booked(), await booked()]
  for (const change of [
    { status: 'new_word' },
    { status: 'confirmed', courier: undefined },
    { courier: strange.order.courier, id: 'another' },
  ]) {
    Object.assign(strange.order, change)
    server.asked.length = 0
    for (let run = 0; run < 6; run += 1) {
      clock.advance(24 * 3_600_000)
      await mendShipments(deps())
    }
    expect(asked('GET', new RegExp(`${strange.providerRef}$`))).toHaveLength(6)
    expect((await globex().post('/delivery/rates', { destination: place, items })).status).toBe(200)
  }
  moveOn(other.order, 'picked')
  clock.advance(24 * 3_600_000)
  await mendShipments(deps())
  expect((await read(other.id)).status).toBe('picked')
})

test.each([
  ['JSON', JSON.stringify(no('Too many requests', 42900001)), '42900001): Too many requests'],
  ['the page of a gateway', '<h1>Too many requests</h1>', '429): no reason given'],
])('the Retry-After of a limit of Biteship, told with %s, reaches the caller', async (_, body, reason) => {
  server.answers((_request, to) => void to.writeHead(429, { 'retry-after': '90' }).end(body))
  const limited = await acme().get('/delivery/couriers')
  expect(refusalOf(limited)).toMatchObject({ status: 429, code: 'RATE_LIMITED' })
  expect([limited.headers.get('retry-after'), limited.error.message]).toEqual([
    '90',
    `Biteship refused this (${reason}`,
  ])
})

test('a draft without such a service is refused as well when the first answer was lost', async () => {
  let losses = 1
  server.answers((request, to) => {
    const loses = request.method === 'POST' && request.path === '/v1/draft_orders' && losses-- > 0
    return speaking(request, loses ? unheard(to) : to)
  })
  const saleId = await sale({ courierServiceCode: 'same_day' })
  expect((await dispatch(saleId)).status).toBe(502)
  expect(refusalOf(await dispatch(saleId))).toEqual({
    status: 422,
    code: 'VALIDATION_ERROR',
    param: 'deliveryDraft.courierCode',
  })
})

/** Sends a parcel by the forwarded route, under a key of the caller. */
const forwarded = (idempotencyKey: string, more: Fields = {}) =>
  acme().post('/fulfillment/shipments', { origin, ...parcel, ...more }, { idempotencyKey })

test('Biteship gets the id of a request, and never the Idempotency-Key of its caller', async () => {
  const key = newId('event')
  const { id } = done(await forwarded(key))
  expect(done(await forwarded(key)).id).toBe(id)
  const cancelled = await acme().post(`/fulfillment/shipments/${id}/cancel`, undefined, {
    idempotencyKey: key,
  })
  expect(done(cancelled).status).toBe('cancelled')
  const sent = server.asked.map(({ headers }) => [
    typeof headers['x-request-id'],
    headers['idempotency-key'] ?? null,
  ])
  expect(sent).toEqual(sent.map(() => ['string', null]))
})

test('another parcel under an Idempotency-Key that was used is another shipment, and a retry is the same', async () => {
  const key = newId('event')
  const first = done(await forwarded(key))
  const other = { courierCode: 'sicepat' }
  const second = done(await forwarded(key, other))
  expect([second.id === first.id, second.courierCode]).toEqual([false, 'sicepat'])
  expect([done(await forwarded(key)).id, done(await forwarded(key, other)).id]).toEqual([first.id, second.id])
  done(await acme().post(`/fulfillment/shipments/${first.id}/confirm-pickup`))
  const again = done(await forwarded(key))
  expect(again.status).toBe('confirmed')
  expect(orderOf(again.id)['draft_order_id']).toBe(first.id.slice('draft_'.length))
})

test('a new API key of the account finds what was made with the old one', async () => {
  const draft = done(await acme().post('/delivery/shipments', parcel)).shipment
  const { id, order } = await booked()
  apiKey = 'biteship_test.the-next'
  const { harness, stop } = await startHarness({
    clock,
    env: { ...env, BITESHIP_API_KEY: apiKey },
    database: { ...database, drop: async () => {} },
  })
  try {
    const till = harness.as(acme().workspace.key)
    const confirmed = await till.post(`/delivery/shipments/${draft.id}/confirm-pickup`)
    expect(done(confirmed).shipment.status).toBe('confirmed')
    moveOn(order, 'picked')
    expect(await tell(told(order), undefined, harness.address)).toBe(200)
    expect(done(await till.get(`/delivery/shipments/${id}`)).shipment.status).toBe('picked')
  } finally {
    apiKey = API_KEY
    await stop()
  }
})

test('Biteship and a FULFILLMENT_PARTNER_URL exclude each other', () => {
  const both = {
    BITESHIP_API_KEY: API_KEY,
    FULFILLMENT_PARTNER_URL: 'https://partner.example',
    FULFILLMENT_PARTNER_KEY: 'k',
    FULFILLMENT_PARTNER_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32).toString('base64')}`,
  }
  expect(() => readConfig(both)).toThrow(/BITESHIP_API_KEY and FULFILLMENT_PARTNER_URL/)
})
