import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deliveryRoutes } from '../../../src/areas/partners/delivery/index.ts'
import { mendShipments } from '../../../src/areas/partners/delivery/jobs.ts'
import { manualClock } from '../../../src/platform/clock.ts'
import type { Api } from '../../support/api.ts'
import { enableModule, openShop, type Shop } from '../../support/build.ts'
import { memberOf } from '../../support/clients.ts'
import { done, refusalOf } from '../../support/expect.ts'
import { notify } from '../../support/notices.ts'
import { moveOn, type PartnerShipment, sendJson, settingsOf, startPartner } from '../../support/partner.ts'
import { acme, alongside, deps, globex, useService } from '../../support/service.ts'

const clock = manualClock('2026-03-01T00:00:00.000Z')
const partner = await startPartner()
// Patient: what is tested is what each answer does, not the rest that a failing partner is given.
useService({ clock, env: settingsOf(partner), partnerTuning: { failures: 1_000 } })
afterAll(() => partner.close())

const destination = {
  contactName: 'Ibu Ani',
  contactPhone: '081298765432',
  address: 'Jl. Melati 5',
  postalCode: '40115',
}
const items = [{ name: 'Kopi', quantity: 2, weight: 500, value: 60_000 }]
const parcel = { destination, courierCode: 'jne', courierServiceCode: 'reg', items }

let shop: Shop
beforeAll(async () => {
  await enableModule(acme(), 'fulfillment')
  await enableModule(globex(), 'fulfillment')
  shop = await openShop(acme())
})
beforeEach(async () => {
  partner.answers()
  partner.asked.length = 0
})

const bill = async (fields: object = {}): Promise<string> =>
  done(
    await acme().post('/sales', {
      outletId: shop.outletId,
      items: [{ variantId: shop.bag, quantity: 2 }],
      status: 'PARKED',
      ...fields,
    }),
  ).sale.id
const delivery = (fields: object = {}) => bill({ orderType: 'DELIVERY', deliveryDraft: parcel, ...fields })
const dispatch = (id: string, options: object = {}) =>
  acme().post(`/delivery/sales/${id}/dispatch`, undefined, options)
const made = async (fields: object = {}) =>
  done(await acme().post('/delivery/shipments', { ...parcel, ...fields })).shipment
const read = async (id: string) => done(await acme().get(`/delivery/shipments/${id}`)).shipment
const act = (id: string, verb: 'confirm-pickup' | 'cancel') =>
  acme().post(`/delivery/shipments/${id}/${verb}`)
const deliveryOf = async (saleId: string) => done(await acme().get(`/sales/${saleId}`)).sale.delivery
const eventsOf = async (id: string): Promise<string[]> =>
  (await deps().db.selectFrom('events').select('type').where('refId', '=', id).orderBy('id').execute()).map(
    ({ type }) => type.replace('service.shipment.', ''),
  )
const leftOf = async (): Promise<number> =>
  (await deps().pool.query('select count(*)::int as n from shipment_requests')).rows[0].n
const atPartner = () => partner.couriers.shipments.size
const creates = () =>
  partner.asked.filter(({ method, path }) => method === 'POST' && path === '/v1/shipments')

/** The partner reports a shipment as it is, or as it was. */
const tell = (
  shipment: PartnerShipment,
  { id, owner = acme().workspace.accountId }: { id?: string; owner?: string } = {},
) =>
  notify(
    { type: 'shipment.status_changed', data: { workspaceExternalId: owner, shipment } },
    { atMs: clock.ms(), path: 'fulfillment_provider', ...(id === undefined ? {} : { id }) },
  )

describe('shipping', () => {
  test('quotes come cheapest first, and the origin is the partner’s', async () => {
    const { rates } = done(await acme().post('/delivery/rates', { destination, items }))
    expect(
      rates.map((rate: { courierCode: string; courierServiceCode: string; price: number }) => [
        rate.courierCode,
        rate.courierServiceCode,
        rate.price,
      ]),
    ).toEqual([
      ['jne', 'reg', 11_000],
      ['sicepat', 'reg', 12_000],
      ['jne', 'yes', 24_000],
    ])
    const { couriers } = done(await acme().get('/delivery/couriers'))
    expect(couriers).toEqual([{ code: 'jne', name: 'JNE', services: [{ code: 'reg', name: 'Reguler' }] }])
    expect(done(await acme().get('/delivery/origin')).origin.address).toBe('Jl. Kemang Raya 1')
    const moved = await acme().patch('/delivery/origin', { address: 'Jl. Bangka 3', note: null })
    expect(done(moved).origin).toMatchObject({ address: 'Jl. Bangka 3', note: null })
  })

  test.each([
    [{ ...destination, postalCode: undefined }, 422, 'destination.postalCode'],
    [{ ...destination, latitude: -6.2 }, 422, 'destination.longitude'],
    [{ ...destination, postalCode: '1234' }, 400, 'destination.postalCode'],
    [{ ...destination, contactPhone: '123' }, 400, 'destination.contactPhone'],
    [{ ...destination, adress: 'x' }, 400, 'destination.adress'],
  ])(
    'a destination nobody could find is refused before the partner is asked: %o',
    async (place, status, param) => {
      const refusals = await Promise.all(
        ['/delivery/rates', '/delivery/shipments'].map((path) =>
          acme().post(path, { ...(path.endsWith('rates') ? { items } : parcel), destination: place }),
        ),
      )
      expect(refusals.map(refusalOf)).toEqual(Array(2).fill({ status, code: 'VALIDATION_ERROR', param }))
      expect(partner.asked.length).toBe(0)
    },
  )
})

describe('a shipment', () => {
  test('is a draft, booked, and told of on the sale; every step is announced', async () => {
    const saleId = await bill()
    const created = await acme().post('/delivery/shipments', { ...parcel, transactionId: saleId })
    expect(created.status).toBe(201)
    const { shipment } = created.data
    expect(shipment).toMatchObject({
      id: expect.stringMatching(/^shp_/),
      providerRef: expect.stringMatching(/^shp_/),
      transactionId: saleId,
      status: 'draft',
      destination,
      courierCode: 'jne',
      courierServiceCode: 'reg',
      price: 11_000,
      waybillId: null,
      items,
      history: [{ status: 'draft', note: null, at: expect.any(String) }],
    })
    expect(await deliveryOf(saleId)).toEqual({ status: 'draft', shipmentId: shipment.id })
    const booked = done(await act(shipment.id, 'confirm-pickup')).shipment
    expect([booked.status, booked.waybillId, booked.history.length]).toEqual([
      'confirmed',
      expect.stringMatching(/^JNE-/),
      2,
    ])
    expect(await deliveryOf(saleId)).toEqual({ status: 'confirmed', shipmentId: shipment.id })
    for (const status of ['allocated', 'picking_up', 'picked', 'dropping_off', 'delivered']) {
      expect(await tell(moveOn(partner.couriers, shipment.providerRef, status))).toEqual([200, undefined])
      expect((await deliveryOf(saleId)).status).toBe(status)
    }
    expect((await read(shipment.id)).history.map(({ status }: { status: string }) => status)).toEqual([
      'draft',
      'confirmed',
      'allocated',
      'picking_up',
      'picked',
      'dropping_off',
      'delivered',
    ])
    expect(await eventsOf(shipment.id)).toEqual(['created.v1', ...Array(6).fill('updated.v1')])
  })

  test('without a sale is its own, and found by its status', async () => {
    const { id } = await made()
    const { data } = await acme().get('/delivery/shipments?status=draft&limit=1')
    expect(data.map((row: { id: string }) => row.id)).toEqual([id])
    const older = await acme().get('/delivery/shipments?limit=1')
    const rest = await acme().get(`/delivery/shipments?limit=100&cursor=${older.meta.cursor}`)
    expect(rest.data.map((row: { id: string }) => row.id)).not.toContain(id)
    expect((await globex().get('/delivery/shipments')).data).toEqual([])
    expect((await globex().get(`/delivery/shipments/${id}`)).status).toBe(404)
    expect(refusalOf(await globex().post(`/delivery/shipments/${id}/cancel`)).status).toBe(404)
  })

  test('of a sale is one: a repeat answers it with 200, and one that was cancelled makes room', async () => {
    const saleId = await delivery()
    const cashier = (await memberOf(acme(), 'CASHIER')).api
    const first = await cashier.post(`/delivery/sales/${saleId}/dispatch`)
    const again = await dispatch(saleId)
    const other = await acme().post('/delivery/shipments', {
      ...parcel,
      transactionId: saleId,
      courierCode: 'sicepat',
    })
    expect([first, again, other].map(({ status }) => status)).toEqual([201, 200, 200])
    expect([again.data, other.data]).toEqual([first.data, first.data])
    const { id, providerRef } = first.data.shipment
    expect(done(await act(id, 'cancel')).shipment.status).toBe('cancelled')
    expect(done(await act(id, 'cancel')).shipment.status).toBe('cancelled')
    expect(await deliveryOf(saleId)).toEqual({ status: 'cancelled', shipmentId: id })
    const next = await dispatch(saleId)
    expect([next.status, next.data.shipment.id === id]).toEqual([201, false])
    // What is reported late of the one before is not told of the sale.
    await tell({ ...moveOn(partner.couriers, providerRef, 'cancelled'), waybillId: 'LATE' })
    expect(await deliveryOf(saleId)).toEqual({ status: 'draft', shipmentId: next.data.shipment.id })
    expect(await eventsOf(id)).toEqual(['created.v1', 'cancelled.v1', 'updated.v1'])
  })

  test('stays with its bill, which is merged away only once the parcel has come to nothing', async () => {
    const [sent, target] = [await delivery({ deliveryFee: 15_000 }), await bill()]
    const { shipment } = done(await dispatch(sent))
    const merge = () => acme().post(`/sales/${target}/merge`, { saleId: sent })
    expect(refusalOf(await merge())).toEqual({ status: 409, code: 'CONFLICT' })
    expect(await deliveryOf(target)).toEqual({ status: null, shipmentId: null })
    done(await acme().post(`/delivery/shipments/${shipment.id}/cancel`))
    expect(done(await merge()).sale.delivery.status).toBe('awaiting_dispatch')
  })

  test('is not cancelled once the courier has it, nor booked when it has ended', async () => {
    const { id, providerRef } = await made()
    done(await act(id, 'confirm-pickup'))
    // The partner knows before we do.
    moveOn(partner.couriers, providerRef, 'picked')
    expect(refusalOf(await act(id, 'cancel'))).toEqual({ status: 409, code: 'CONFLICT', param: undefined })
    expect((await read(id)).status).toBe('picked')
    partner.asked.length = 0
    expect((await act(id, 'cancel')).status).toBe(409)
    expect(partner.asked).toEqual([])
    expect((await act(id, 'confirm-pickup')).status).toBe(200)
    await tell(moveOn(partner.couriers, providerRef, 'delivered'))
    expect([(await act(id, 'confirm-pickup')).status, (await act(id, 'cancel')).status]).toEqual([409, 409])
  })
})

describe('a dispatch is 409', () => {
  const REFUSED = { status: 409, code: 'CONFLICT', param: undefined }
  test.each<[string, object]>([
    ['without a draft', { deliveryDraft: null }],
    ['of a sale that is no delivery', { orderType: 'TAKEAWAY' }],
    ['with a draft that is a text', { deliveryDraft: 'by motorbike' }],
    ['without a courier', { deliveryDraft: { destination, items } }],
    ['without a destination', { deliveryDraft: { ...parcel, destination: undefined } }],
    ['to nowhere', { deliveryDraft: { ...parcel, destination: { ...destination, postalCode: undefined } } }],
    ['of an empty parcel', { deliveryDraft: { ...parcel, items: [] } }],
  ])('%s', async (_, fields) => {
    expect(refusalOf(await dispatch(await delivery(fields)))).toEqual(REFUSED)
    expect(partner.asked).toEqual([])
  })

  test('of a voided sale, and 404 of one that is not there', async () => {
    const saleId = await delivery()
    done(await acme().post(`/sales/${saleId}/discard`))
    expect(refusalOf(await dispatch(saleId))).toEqual(REFUSED)
    const named = await acme().post('/delivery/shipments', { ...parcel, transactionId: saleId })
    expect(refusalOf(named)).toEqual(REFUSED)
    expect((await dispatch('txn_none')).status).toBe(404)
    const unknown = await globex().post('/delivery/shipments', { ...parcel, transactionId: saleId })
    expect(refusalOf(unknown)).toEqual({ status: 404, code: 'NOT_FOUND', param: 'transactionId' })
  })

  test('but a draft may say more than is needed', async () => {
    const saleId = await delivery({ deliveryDraft: { ...parcel, rate: { price: 11_000 }, remark: 'soon' } })
    expect((await dispatch(saleId)).status).toBe(201)
  })
})

describe('many at once', () => {
  test('50 dispatches of one sale make one shipment here and at the partner, and answer alike', async () => {
    const saleId = await delivery()
    const before = atPartner()
    const answers = await Promise.all(Array.from({ length: 50 }, () => dispatch(saleId)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(49).fill(200), 201])
    expect(new Set(answers.map(({ data }) => data.shipment.id)).size).toBe(1)
    expect([atPartner() - before, creates().length, await leftOf()]).toEqual([1, 1, 0])
    expect(await eventsOf(answers[0]?.data.shipment.id)).toEqual(['created.v1'])
  }, 60_000)

  test('20 bookings and cancels of one shipment ask the partner one at a time, and end in one state', async () => {
    const { id } = await made()
    let atOnce = 0
    let most = 0
    partner.answers(async (request, response) => {
      atOnce += 1
      most = Math.max(most, atOnce)
      await new Promise((resolve) => setTimeout(resolve, 20))
      await partner.well(request, response)
      atOnce -= 1
    })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => act(id, index % 2 === 0 ? 'confirm-pickup' : 'cancel')),
    )
    expect(answers.filter(({ status }) => ![200, 409].includes(status))).toEqual([])
    expect([(await read(id)).status, most]).toEqual(['cancelled', 1])
  }, 60_000)
})

describe('an answer that was lost', () => {
  const lost = () => {
    let losses = 1
    partner.answers((request, response) => {
      const loses = request.path === '/v1/shipments' && losses-- > 0
      if (!loses) return partner.well(request, response)
      // The partner has done it; only nobody hears of it.
      const nowhere = { writeHead: () => ({ end: () => response.destroy() }) } as unknown as typeof response
      return partner.well(request, nowhere)
    })
  }

  test.each([
    ['a sale', true],
    ['a parcel of its own', false],
  ])('is asked for again under the same key by the retry of %s: one shipment', async (_, hasSale) => {
    const transactionId = hasSale ? await bill() : undefined
    const before = atPartner()
    lost()
    const send = () =>
      acme().post('/delivery/shipments', { ...parcel, transactionId }, { idempotencyKey: `lost-${hasSale}` })
    const first = await send()
    expect(refusalOf(first)).toMatchObject({ status: 502, code: 'PARTNER_ERROR' })
    expect(await leftOf()).toBe(1)
    const again = await send()
    expect([again.status, atPartner() - before, await leftOf()]).toEqual([201, 1, 0])
    expect(new Set(creates().map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
    const replayed = await send()
    expect([replayed.status, replayed.data]).toEqual([201, again.data])
  })

  test('may be of a parcel: its bill is not merged away', async () => {
    const [sent, target] = [await delivery(), await bill()]
    lost()
    expect((await dispatch(sent)).status).toBe(502)
    const merged = await acme().post(`/sales/${target}/merge`, { saleId: sent })
    expect(refusalOf(merged)).toEqual({ status: 409, code: 'CONFLICT' })
    done(await dispatch(sent))
  })

  test('is answered as the shipment that the sale has, with 200, to whoever asks with another parcel', async () => {
    const before = atPartner()
    const elsewhere = { ...parcel, destination: { ...destination, address: 'Jl. Mawar 9' } }
    const createdFor = await bill()
    const create = (asked: object) =>
      acme().post('/delivery/shipments', { ...asked, transactionId: createdFor })
    lost()
    expect((await create(parcel)).status).toBe(502)
    const other = await create(elsewhere)
    expect([other.status, other.data.shipment.destination.address]).toEqual([200, 'Jl. Melati 5'])
    const saleId = await delivery()
    lost()
    expect((await dispatch(saleId)).status).toBe(502)
    done(
      await acme().patch(`/sales/${saleId}/items`, {
        items: [{ variantId: shop.bag, quantity: 2 }],
        deliveryDraft: elsewhere,
      }),
    )
    const edited = await dispatch(saleId)
    expect([edited.status, edited.data.shipment.destination.address]).toEqual([200, 'Jl. Melati 5'])
    done(await act(edited.data.shipment.id, 'cancel'))
    const next = await dispatch(saleId)
    expect([next.status, next.data.shipment.destination.address]).toEqual([201, 'Jl. Mawar 9'])
    expect([atPartner() - before, await leftOf()]).toEqual([3, 0])
  })

  test('is mended by the job where nobody asks again, and whoever comes late finds it', async () => {
    const before = atPartner()
    lost()
    const send = () => acme().post('/delivery/shipments', parcel, { idempotencyKey: 'gone' })
    expect((await send()).status).toBe(502)
    await mendShipments(deps())
    expect(await leftOf()).toBe(1)
    clock.advance(11_000)
    await mendShipments(deps())
    expect([await leftOf(), atPartner() - before]).toEqual([0, 1])
    const late = await send()
    expect([late.status, late.data.shipment.status, atPartner() - before]).toEqual([200, 'draft', 1])
  })

  test('to a request without a key and without a sale says to look first, because a repeat makes a second shipment', async () => {
    const before = atPartner()
    const ids = async () =>
      done(await acme().get('/delivery/shipments?limit=100')).map(({ id }: { id: string }) => id)
    const shown = await ids()
    lost()
    const failed = await acme().post('/delivery/shipments', parcel)
    expect(refusalOf(failed)).toMatchObject({ status: 502, code: 'PARTNER_ERROR' })
    expect(failed.error.message).toMatch(/so look at the shipments before you send it again$/)
    const { id } = await made()
    clock.advance(11_000)
    await mendShipments(deps())
    const added = (await ids()).filter((one: string) => !shown.includes(one))
    expect([added.length, added.includes(id), atPartner() - before]).toEqual([2, true, 2])
  })

  test.each([
    ['of a sale', async () => dispatch(await delivery())],
    ['with a key', () => acme().post('/delivery/shipments', parcel, { idempotencyKey: 'told-to-repeat' })],
  ])('to a request %s says to send it again, because a repeat gets the same shipment', async (_, send) => {
    lost()
    const failed = await send()
    expect(refusalOf(failed)).toMatchObject({ status: 502, code: 'PARTNER_ERROR' })
    expect(failed.error.message).toMatch(/send the same request again, .* at most once$/)
    clock.advance(11_000)
    await mendShipments(deps())
  })

  test('and an invalid one say the same: where to look, or to send the request again', async () => {
    const { id } = await made()
    partner.answers((_, response) => void sendJson(response, 201, { data: { ok: true } }))
    const advice = async (answer: ReturnType<typeof act>) => (await answer).error.message.split('; ')[1]
    const look = (at: string) =>
      `it may have been done all the same, so look at ${at} before you send it again`
    const again =
      'send the same request again, with its Idempotency-Key where it had one: it is done at most once'
    const create = (options: object = {}) => acme().post('/delivery/shipments', parcel, options)
    expect(await advice(create())).toBe(look('the shipments'))
    expect(await advice(act(id, 'confirm-pickup'))).toBe(look('the shipment'))
    expect(await advice(act(id, 'cancel'))).toBe(look('the shipment'))
    expect(await advice(acme().patch('/delivery/origin', { address: 'Jl. Lain 1' }))).toBe(look('the origin'))
    expect(await advice(create({ idempotencyKey: 'invalid-shipment' }))).toBe(again)
    expect(await advice(dispatch(await delivery()))).toBe(again)
    expect(await advice(acme().post('/delivery/rates', { destination, items }))).toBe(again)
    expect(await advice(acme().get('/delivery/couriers'))).toBe('try again in a moment')
    partner.answers()
    clock.advance(11_000)
    await mendShipments(deps())
    expect(await leftOf()).toBe(0)
  })

  test('of a request whose process died is taken over once nobody is at it', async () => {
    const saleId = await delivery()
    lost()
    expect((await dispatch(saleId)).status).toBe(502)
    // As it is left by a process that was killed while it asked.
    const until = new Date(clock.ms() + 20_000).toISOString()
    await deps().pool.query('update shipment_requests set claimed_until = $1', [until])
    clock.advance(21_000)
    expect((await dispatch(saleId)).status).toBe(201)
  })

  test('of a booking is read from the partner by the job', async () => {
    const { id, providerRef } = await made()
    partner.answers((_, response) => {
      moveOn(partner.couriers, providerRef, 'confirmed')
      return void response.destroy()
    })
    expect((await act(id, 'confirm-pickup')).status).toBe(502)
    expect((await read(id)).status).toBe('draft')
    partner.answers()
    clock.advance(6_000)
    await mendShipments(deps())
    expect((await read(id)).status).toBe('confirmed')
  })

  /** Books a courier; the partner says nothing and has done nothing yet. */
  const bookInSilence = async () => {
    const { id, providerRef } = await made()
    partner.answers((_, response) => void response.destroy())
    expect((await act(id, 'confirm-pickup')).status).toBe(502)
    partner.answers()
    return { id, providerRef }
  }
  /** Which of these looks, so long after the booking, ask the partner about the shipment. */
  const looksAt = async (providerRef: string, seconds: number[]) => {
    const asked: number[] = []
    let elapsed = 0
    for (const second of seconds) {
      clock.advance((second - elapsed) * 1_000)
      elapsed = second
      partner.asked.length = 0
      await mendShipments(deps())
      if (partner.asked.some(({ path }) => path.endsWith(providerRef))) asked.push(second)
    }
    return asked
  }

  test('of a booking that the partner carries out minutes later is found', async () => {
    const { id, providerRef } = await bookInSilence()
    expect(await looksAt(providerRef, [6, 16, 61])).toEqual([6, 16, 61])
    expect((await read(id)).status).toBe('draft')
    moveOn(partner.couriers, providerRef, 'confirmed')
    expect(await looksAt(providerRef, [240])).toEqual([240])
    expect((await read(id)).status).toBe('confirmed')
  })

  test('of a booking at one partner is found after the service ran with another one', async () => {
    const { id, providerRef } = await bookInSilence()
    const ofPartner = (name: string) =>
      deps().pool.query('update shipments set partner = $2 where id = $1', [id, name])
    const { partner: own } = (await deps().pool.query('select partner from shipments where id = $1', [id]))
      .rows[0]
    await ofPartner('another')
    expect(await looksAt(providerRef, [6, 16])).toEqual([])
    await ofPartner(own)
    moveOn(partner.couriers, providerRef, 'confirmed')
    expect(await looksAt(providerRef, [300])).toEqual([300])
    expect((await read(id)).status).toBe('confirmed')
  })

  test('of a booking is found however many bookings of another workspace are due', async () => {
    const hoarder = globex()
    const { id } = done(await hoarder.post('/delivery/shipments', parcel)).shipment
    await deps().pool.query(
      `insert into shipments select (jsonb_populate_record(s, jsonb_build_object('id', s.id || n,
          'check_at', $2::timestamptz, 'provider_ref', s.provider_ref || n))).*
        from shipments s, generate_series(1, 120) n where s.id = $1`,
      [id, new Date(clock.ms() - 60_000).toISOString()],
    )
    const { providerRef } = await bookInSilence()
    expect(await looksAt(providerRef, [6])).toEqual([6])
    await deps().pool.query('update shipments set check_at = null where account_id = $1', [
      hoarder.workspace.accountId,
    ])
  })

  test('of a booking is asked about less and less often, and for a day', async () => {
    const { id, providerRef } = await bookInSilence()
    const [minute, hour] = [60, 3_600]
    const looks = [5, 15, minute, 5 * minute, 20 * minute, hour, 4 * hour, 12 * hour, 24 * hour]
    const between = [10, 40, 2 * minute, 10 * minute, 40 * minute, 2 * hour, 8 * hour, 18 * hour, 48 * hour]
    const all = [...looks, ...between].toSorted((a, b) => a - b)
    expect(await looksAt(providerRef, all)).toEqual(looks)
    expect((await read(id)).status).toBe('draft')
  })

  test.each([
    [422, 'VALIDATION_ERROR'],
    [409, 'CONFLICT'],
  ])('of a booking stays undecided when the next one is refused with %i', async (status, code) => {
    const { id, providerRef } = await bookInSilence()
    partner.answers((request, response) =>
      request.method === 'POST'
        ? sendJson(response, status, { error: { code, message: 'being booked' } }) && undefined
        : partner.well(request, response),
    )
    expect(refusalOf(await act(id, 'confirm-pickup'))).toMatchObject({ status, code })
    expect((await read(id)).status).toBe('draft')
    moveOn(partner.couriers, providerRef, 'confirmed')
    expect(await looksAt(providerRef, [6])).toEqual([6])
    expect((await read(id)).status).toBe('confirmed')
  })

  test('of a booking is found when the process that booked was killed and the first look came too early', async () => {
    const { id, providerRef } = await made()
    const values = 'claimed_until, check_at, undecided_since'
    let claimed: Record<string, unknown> = {}
    partner.answers(async (_, response) => {
      claimed = (await deps().pool.query(`select ${values} from shipments where id = $1`, [id])).rows[0]
      response.destroy()
    })
    expect((await act(id, 'confirm-pickup')).status).toBe(502)
    partner.answers()
    // As a process leaves it that is killed while the partner thinks.
    await deps().pool.query(`update shipments set (${values}) = ($2, $3, $4) where id = $1`, [
      id,
      ...Object.values(claimed),
    ])
    expect(await looksAt(providerRef, [21])).toEqual([21])
    moveOn(partner.couriers, providerRef, 'confirmed')
    expect(await looksAt(providerRef, [60])).toEqual([60])
    expect((await read(id)).status).toBe('confirmed')
  })

  test('of a booking that a report overtook leaves the shipment watched', async () => {
    const { id, providerRef } = await made()
    partner.answers(async (_, response) => {
      await tell(moveOn(partner.couriers, providerRef, 'confirmed'))
      sendJson(response, 422, { error: { code: 'VALIDATION_ERROR', message: 'no' } })
    })
    expect((await act(id, 'confirm-pickup')).status).toBe(422)
    partner.answers()
    moveOn(partner.couriers, providerRef, 'picked')
    expect(await looksAt(providerRef, [16 * 60])).toEqual([16 * 60])
    expect((await read(id)).status).toBe('picked')
  })

  test('of a workspace whose place at the partner cannot be opened delays nobody, and is given up after a day', async () => {
    const { accountId } = globex().workspace
    const keyOf = async () =>
      (
        await deps().pool.query(
          "select partner_key from modules where account_id = $1 and module = 'fulfillment'",
          [accountId],
        )
      ).rows[0].partner_key
    const setKey = (key: string) =>
      deps().pool.query(
        "update modules set partner_key = $2 where account_id = $1 and module = 'fulfillment'",
        [accountId, key],
      )
    const sealed = await keyOf()
    await setKey('sealed with a key that is lost')
    await deps().pool.query(
      `insert into shipment_requests (account_id, id, partner, parcel, claimed_until, created_at)
        select $1, 'shp_' || n, (select partner from modules where account_id = $1 and module = 'fulfillment'), '{}', $2, $2
        from generate_series(1, 50) n`,
      [accountId, new Date(clock.ms() - 60_000).toISOString()],
    )
    const before = atPartner()
    lost()
    expect((await acme().post('/delivery/shipments', parcel)).status).toBe(502)
    partner.answers((request, response) =>
      request.path === '/v1/workspaces'
        ? void sendJson(response, 422, { error: { code: 'VALIDATION_ERROR', message: 'no new key' } })
        : partner.well(request, response),
    )
    clock.advance(11_000)
    await mendShipments(deps())
    await mendShipments(deps())
    expect([await leftOf(), atPartner() - before]).toEqual([50, 1])
    clock.advance(24 * 3_600_000)
    await mendShipments(deps())
    expect(await leftOf()).toBe(0)
    await setKey(sealed)
  })

  test('that was a refusal leaves nothing, and the next parcel is asked for', async () => {
    const saleId = await delivery()
    partner.answers((request, response) =>
      request.path === '/v1/shipments'
        ? void sendJson(response, 422, {
            error: { code: 'VALIDATION_ERROR', message: 'no such courier', param: 'courierCode' },
          })
        : partner.well(request, response),
    )
    expect(refusalOf(await dispatch(saleId))).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      param: 'deliveryDraft.courierCode',
    })
    expect([await leftOf(), (await deliveryOf(saleId)).status]).toEqual([0, 'awaiting_dispatch'])
    partner.answers()
    expect((await dispatch(saleId)).status).toBe(201)
  })
})

describe('reports of a shipment', () => {
  const onTheWay = async () => {
    const saleId = await delivery()
    const { id, providerRef } = done(await dispatch(saleId)).shipment
    done(await act(id, 'confirm-pickup'))
    return { saleId, id, providerRef }
  }

  test('late, twice and in any order leave it where it is furthest by the partner’s clock', async () => {
    const { saleId, id, providerRef } = await onTheWay()
    const [allocated, picked, delivered] = ['allocated', 'picked', 'delivered'].map((status) =>
      moveOn(partner.couriers, providerRef, status),
    ) as [PartnerShipment, PartnerShipment, PartnerShipment]
    await tell(delivered, { id: 'n-1' })
    await tell(delivered, { id: 'n-1' })
    await tell(picked)
    await tell(allocated)
    expect([(await read(id)).status, (await deliveryOf(saleId)).status]).toEqual(['delivered', 'delivered'])
    await tell({ ...moveOn(partner.couriers, providerRef, 'picking_up') })
    expect((await read(id)).status).toBe('delivered')
    expect((await eventsOf(id)).filter((type) => type === 'updated.v1').length).toBeLessThanOrEqual(3)
  })

  test('two at once have one effect each, and the later one holds', async () => {
    const { id, providerRef } = await onTheWay()
    const [picked, dropping] = ['picked', 'dropping_off'].map((status) =>
      moveOn(partner.couriers, providerRef, status),
    ) as [PartnerShipment, PartnerShipment]
    const told = await Promise.all([dropping, picked, dropping, picked].map((one) => tell(one)))
    expect(told).toEqual(Array(4).fill([200, undefined]))
    expect((await read(id)).status).toBe('dropping_off')
  })

  test('of another workspace, of none, or of nothing that is here change nothing and are received', async () => {
    const { id, providerRef } = await onTheWay()
    const shipment = moveOn(partner.couriers, providerRef, 'delivered')
    expect(await tell(shipment, { owner: globex().workspace.accountId })).toEqual([200, undefined])
    expect(await tell(shipment, { owner: 'acc_none' })).toEqual([200, undefined])
    expect(await tell({ ...shipment, id: 'shp_none' })).toEqual([200, undefined])
    expect(await tell({ ...shipment, status: 'teleported' })).toEqual([200, undefined])
    expect((await read(id)).status).toBe('confirmed')
  })

  test('that never come are asked for, the longer nothing happens the seldomer, and not of a draft', async () => {
    const { id, providerRef } = await onTheWay()
    await made()
    moveOn(partner.couriers, providerRef, 'picked')
    await mendShipments(deps())
    expect((await read(id)).status).toBe('confirmed')
    clock.advance(16 * 60_000)
    partner.asked.length = 0
    await mendShipments(deps())
    expect((await read(id)).status).toBe('picked')
    const own = partner.asked.filter(({ path }) => path === `/v1/shipments/${providerRef}`)
    expect(own.length).toBe(1)
    moveOn(partner.couriers, providerRef, 'delivered')
    clock.advance(16 * 60_000)
    await mendShipments(deps())
    partner.asked.length = 0
    clock.advance(48 * 3_600_000)
    await mendShipments(deps())
    expect([(await read(id)).status, partner.asked.filter(({ path }) => path.endsWith(providerRef))]).toEqual(
      ['delivered', []],
    )
  })
})

describe('a partner that asks for a pause', () => {
  const slowly: Parameters<typeof partner.answers>[0] = (_, response) =>
    void response
      .writeHead(429, { 'content-type': 'application/json', 'retry-after': '600' })
      .end(JSON.stringify({ error: { code: 'RATE_LIMITED', message: 'slowly' } }))
  /** How many requests reach the partner in one run of the job. */
  const requestsOfRun = async () => {
    partner.asked.length = 0
    await mendShipments(deps())
    return partner.asked.length
  }
  const setDue = (ids: string[]) =>
    deps().pool.query(
      `update shipments set check_at = case when id = any($1) then $2::timestamptz end
        where check_at is not null or id = any($1)`,
      [ids, clock.now()],
    )

  test('is asked about no shipment of a workspace until its Retry-After has passed', async () => {
    const parcels: { id: string; providerRef: string }[] = []
    for (let n = 0; n < 3; n += 1) parcels.push(await made())
    for (const { id } of parcels) done(await act(id, 'confirm-pickup'))
    for (const { providerRef } of parcels) moveOn(partner.couriers, providerRef, 'picked')
    await setDue(parcels.map(({ id }) => id))
    partner.answers(slowly)
    expect(await requestsOfRun()).toBe(1)
    clock.advance(61_000)
    expect(await requestsOfRun()).toBe(0)
    partner.answers()
    clock.advance(540_000)
    expect(await requestsOfRun()).toBe(3)
    const states = await Promise.all(parcels.map(async ({ id }) => (await read(id)).status))
    expect(states).toEqual(Array(3).fill('picked'))
  })

  test('is sent no abandoned request of a workspace and asked about none of its shipments until its Retry-After has passed, except by the caller', async () => {
    const { id } = await made()
    done(await act(id, 'confirm-pickup'))
    partner.answers((_, response) => void response.destroy())
    for (let n = 0; n < 2; n += 1) expect((await acme().post('/delivery/shipments', parcel)).status).toBe(502)
    const send = () => acme().post('/delivery/shipments', parcel, { idempotencyKey: 'during-a-pause' })
    expect((await send()).status).toBe(502)
    clock.advance(1_000)
    expect((await globex().post('/delivery/shipments', parcel)).status).toBe(502)
    clock.advance(11_000)
    await setDue([id])
    partner.answers(slowly)
    expect(await requestsOfRun()).toBe(1)
    partner.answers()
    clock.advance(61_000)
    // Only the other workspace's, which did not get the 429.
    expect([await requestsOfRun(), await leftOf()]).toEqual([1, 3])
    // The caller need not wait for the job.
    expect([(await send()).status, await leftOf()]).toEqual([201, 2])
    clock.advance(528_000)
    expect(await requestsOfRun()).toBe(0)
    clock.advance(12_000)
    expect([await requestsOfRun(), await leftOf()]).toEqual([3, 0])
  })
})

describe('an erased customer', () => {
  const tables = ['sales', 'shipments', 'shipment_requests', 'events']
  /** How many rows of each table name the person. */
  const traces = async () => {
    const count = async (table: string) => {
      const text = `select count(*)::int as n from ${table} t where row_to_json(t)::text like '%Jl. Rahasia 9%'`
      return (await deps().pool.query(text)).rows[0].n as number
    }
    return Promise.all(tables.map(count))
  }

  test('leaves no address: not in drafts, shipments, requests and events; a parcel under way keeps it until it has ended', async () => {
    const { customer } = done(await acme().post('/customers', { name: 'Dewi' }))
    const secret = { ...parcel, destination: { ...destination, address: 'Jl. Rahasia 9' } }
    const order = () => delivery({ customerId: customer.id, deliveryDraft: secret })
    await order()
    done(await dispatch(await order()))
    const { id, providerRef } = done(await dispatch(await order())).shipment
    done(await act(id, 'confirm-pickup'))
    partner.answers((_, response) => void response.destroy())
    expect((await dispatch(await order())).status).toBe(502)
    partner.answers()
    const [sales, shipments, requests, events] = await traces()
    expect([sales, shipments, requests]).toEqual([4, 2, 1])
    expect(events).toBeGreaterThan(6)
    expect(done(await acme().delete(`/customers/${customer.id}`)).deactivated).toBe(true)
    expect(await traces()).toEqual([0, 1, 0, 0])
    await tell(moveOn(partner.couriers, providerRef, 'picked'))
    expect((await read(id)).destination.address).toBe('Jl. Rahasia 9')
    await tell(moveOn(partner.couriers, providerRef, 'delivered'))
    expect(await traces()).toEqual([0, 0, 0, 0])
    expect((await read(id)).destination).toMatchObject({
      contactName: 'Deleted customer',
      address: '-',
      postalCode: '40115',
    })
  })
})

test('a bill with a shipment keeps its customer until the shipment is cancelled', async () => {
  const { customer } = done(await acme().post('/customers', { name: 'Ani' }))
  const id = await delivery({ customerId: customer.id })
  const { shipment } = done(await dispatch(id))
  const [{ id: itemId }] = done(await acme().get(`/sales/${id}`)).sale.items
  const giveAway = () =>
    acme().patch(`/sales/${id}/items`, { items: [{ id: itemId }], customerId: null, deliveryDraft: null })
  expect(refusalOf(await giveAway())).toEqual({ status: 409, code: 'CONFLICT' })
  done(await act(shipment.id, 'cancel'))
  expect(done(await giveAway()).sale).toMatchObject({ customerId: null, deliveryDraft: null })
})

test('an erased customer is nowhere in the database, but in answers that are kept for a day to be repeated', async () => {
  const person = {
    name: 'Dewi Rahasia',
    phone: '081255509991',
    email: 'rahasia@example.com',
    note: 'Rahasia',
  }
  const { customer } = done(
    await acme().post('/customers', person, { idempotencyKey: 'the-customer-of-a-secret' }),
  )
  const secret = {
    ...parcel,
    destination: { ...destination, contactName: person.name, contactPhone: person.phone },
  }
  const order = () => delivery({ customerId: customer.id, deliveryDraft: secret })
  done(await dispatch(await order()))
  const saleId = await order()
  done(await acme().post(`/sales/${saleId}/settle`, { payments: [{ method: 'CASH', amount: 1_000 }] }))
  done(await acme().post(`/sales/${saleId}/refund`, { refundToStoreCredit: true }))
  done(await acme().post('/gift-cards', { amount: 1_000, customerId: customer.id }))
  done(await acme().patch(`/customers/${customer.id}`, { note: 'Masih rahasia' }))
  done(await acme().post(`/customers/${customer.id}/loyalty/adjust`, { points: 5, reason: 'Ulang tahun' }))
  const found = async () => {
    const { rows } = await deps().pool.query(
      `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    )
    const names: string[] = rows.map(({ name }: { name: string }) => name)
    const any = (name: string) =>
      `select '${name}' as name where exists (select 1 from ${name} t where row_to_json(t)::text ~* 'rahasia|81255509991')`
    const hits = await deps().pool.query(names.map(any).join(' union all '))
    return hits.rows.map(({ name }: { name: string }) => name).toSorted()
  }
  expect(await found()).toEqual(expect.arrayContaining(['customers', 'events', 'sales', 'shipments']))
  expect(done(await acme().delete(`/customers/${customer.id}`)).deactivated).toBe(true)
  expect(await found()).toEqual(['idempotency_keys'])
})

describe('a partner that fails', () => {
  const json = { 'content-type': 'application/json' }
  const deep = `{"data":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  const shipment = { id: 'x', status: 'draft', price: 1, history: [], updatedAt: '2026-01-01T00:00:00Z' }
  type Server = NonNullable<Parameters<typeof partner.answers>[0]>
  const FAULTS: [string, Server][] = [
    ['an error', (_, to) => void sendJson(to, 500, { error: { code: 'X', message: 'x' } })],
    ['a page', (_, to) => void to.writeHead(200, { 'content-type': 'text/html' }).end('<h1>')],
    ['half an answer', (_, to) => void to.writeHead(200, json).end('{"data":{"id":')],
    ['JSON 100,000 deep', (_, to) => void to.writeHead(200, json).end(deep)],
    ['9 MiB', (_, to) => void to.writeHead(200, json).end(`{"data":"${'x'.repeat(9 << 20)}"}`)],
    ['a closed connection', (_, to) => void to.destroy()],
    ['nothing of what was asked', (_, to) => void sendJson(to, 200, { data: { ok: true } })],
    ['a price that is a text', (_, to) => void sendJson(to, 200, { data: { ...shipment, price: '1' } })],
    ['a state nobody knows', (_, to) => void sendJson(to, 200, { data: { ...shipment, status: 'lost' } })],
    ['a time that is none', (_, to) => void sendJson(to, 200, { data: { ...shipment, updatedAt: 'now' } })],
  ]
  /** What each row of /delivery does with a partner that fails; `ours` are answered from our own books. */
  const rowsOf = (api: Api, { id, saleId }: { id: string; saleId: string }) => ({
    'delivery.getOrigin': api.get('/delivery/origin'),
    'delivery.updateOrigin': api.patch('/delivery/origin', { address: 'Jl. Lain 1' }),
    'delivery.listCouriers': api.get('/delivery/couriers'),
    'delivery.quote': api.post('/delivery/rates', { destination, items }),
    'delivery.create': api.post('/delivery/shipments', parcel),
    'delivery.confirmPickup': api.post(`/delivery/shipments/${id}/confirm-pickup`),
    'delivery.dispatch': api.post(`/delivery/sales/${saleId}/dispatch`),
  })
  const ours = (api: Api, id: string) => ({
    'delivery.list': api.get('/delivery/shipments'),
    'delivery.get': api.get(`/delivery/shipments/${id}`),
  })
  const answersOf = async (asked: Record<string, ReturnType<Api['get']>>) =>
    Object.fromEntries(
      await Promise.all(Object.entries(asked).map(async ([name, answer]) => [name, await answer] as const)),
    )
  /** All that a delivery writes, except when the partner is asked next, and by which process. */
  const books = async () => {
    const kept = ['shipments', 'shipping_origins', 'sales', 'events']
    const rows = kept.map(
      (
        table,
      ) => `select '${table}' as name, to_jsonb(t) - '{claimed_until,check_at,undecided_since}'::text[] as row
      from ${table} t`,
    )
    const mine = `row ? 'partner' or row->>'order_type' = 'DELIVERY' or row->>'type' like 'service.shipment%'`
    const all = `select * from (${rows.join(' union all ')}) kept where name = 'shipping_origins' or ${mine} order by 1, 2`
    return (await deps().pool.query(all)).rows
  }
  const cancelled = 'delivery.cancel'

  test('every route under /delivery is in this table', () => {
    const api = { get: () => null, post: () => null, patch: () => null } as unknown as Api
    const names = [
      ...Object.keys(rowsOf(api, { id: '', saleId: '' })),
      ...Object.keys(ours(api, '')),
      cancelled,
    ]
    expect(names.toSorted()).toEqual(
      deliveryRoutes
        .filter(({ path }) => path.startsWith('/delivery/'))
        .map(({ name }) => name)
        .toSorted(),
    )
  })

  /** Asks every row at once of a partner at fault, and sees that only what the partner knows is missing. */
  async function meets(api: Api, refusal: { status: number; code: string }) {
    const [booked, { id }] = [await made(), await made()]
    const saleId = await delivery()
    const before = await books()
    const fails = async () => {
      const asked = {
        ...rowsOf(api, { id, saleId }),
        [cancelled]: api.post(`/delivery/shipments/${booked.id}/cancel`),
      }
      const [refused, read] = [await answersOf(asked), await answersOf(ours(api, id))]
      expect(Object.entries(refused).map(([name, answer]) => [name, refusalOf(answer)])).toEqual(
        Object.keys(asked).map((name) => [name, { ...refusal, param: undefined }]),
      )
      expect(Object.values(read).map(({ status }) => status)).toEqual([200, 200])
      expect(await books()).toEqual(before)
    }
    return { id, saleId, fails }
  }
  const sells = async () =>
    expect(
      (
        await acme().post('/sales', {
          outletId: shop.outletId,
          items: [{ variantId: shop.bag, quantity: 1 }],
          status: 'COMPLETED',
        })
      ).status,
    ).toBe(201)

  test.each(FAULTS)(
    'with %s is 502 on every route that asks it, and nothing is half done',
    async (_, answers) => {
      const { id, saleId, fails } = await meets(acme(), { status: 502, code: 'PARTNER_ERROR' })
      partner.answers(answers)
      await fails()
      await sells()
      partner.answers()
      expect([(await dispatch(saleId)).status, (await act(id, 'confirm-pickup')).status]).toEqual([201, 200])
    },
  )

  test('that never answers is 504 on every route in its time, then 503 at once while it rests, and the till goes on', async () => {
    const hasty = await alongside({ partnerTuning: { timeoutMs: 400, failures: 5 } })
    const { saleId, fails } = await meets(hasty.as(acme().workspace.key), {
      status: 504,
      code: 'PARTNER_TIMEOUT',
    })
    partner.answers(() => {})
    const failing = fails()
    await sells()
    await failing
    const rested = await hasty.as(acme().workspace.key).post(`/delivery/sales/${saleId}/dispatch`)
    expect([refusalOf(rested), rested.headers.get('retry-after')]).toEqual([
      { status: 503, code: 'SERVICE_UNAVAILABLE', param: undefined },
      '10',
    ])
    await hasty.stop()
    partner.answers()
    expect((await dispatch(saleId)).status).toBe(201)
  })
})
