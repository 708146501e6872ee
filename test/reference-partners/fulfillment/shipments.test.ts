import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { readPdf } from '../../support/pdf.ts'
import {
  BANDUNG,
  COFFEE,
  clientOf,
  confirmed,
  drafted,
  JAKARTA,
  partner,
  rowsOf,
  SECRET,
  usePartner,
} from './partner.ts'

usePartner({ noticeSchedule: [0, 0.05, 0.05, 0.05] })

const noticesOf = (id: string) =>
  partner()
    .receiver.received.map(({ headers, body }) => ({ headers, body, notice: JSON.parse(body) }))
    .filter(({ notice }) => notice.data.shipment.id === id)

const rates = async (body: Record<string, unknown>) =>
  (await partner().acme.post('/v1/shipping/rates', { origin: JAKARTA, items: [COFFEE], ...body })).data as {
    courierCode: string
    courierServiceCode: string
    price: number
    insuranceFee: number
    duration: string
  }[]
const priceIn = (quotes: Awaited<ReturnType<typeof rates>>, code: string) =>
  quotes.find((rate) => `${rate.courierCode} ${rate.courierServiceCode}` === code)?.price

describe('the origin', () => {
  test('is empty until it is saved whole, and then changes field by field', async () => {
    const { globex } = partner()
    const empty = await globex.get('/v1/shipping/origin')
    expect(empty.data).toMatchObject({ contactName: null, address: null, postalCode: null, updatedAt: null })
    const half = await globex.patch('/v1/shipping/origin', { postalCode: '60111' })
    expect([half.status, half.error.param]).toEqual([422, 'contactName'])
    const nowhere = await globex.patch('/v1/shipping/origin', { ...JAKARTA, postalCode: '00000' })
    expect([nowhere.status, nowhere.error.param]).toEqual([422, 'postalCode'])
    expect((await globex.patch('/v1/shipping/origin', JAKARTA)).data).toMatchObject({
      ...JAKARTA,
      note: null,
    })
    await globex.patch('/v1/shipping/origin', { address: 'Jl. Thamrin 2', note: 'Lantai 3' })
    expect((await globex.get('/v1/shipping/origin')).data).toMatchObject({
      ...JAKARTA,
      address: 'Jl. Thamrin 2',
      note: 'Lantai 3',
    })
    const lost = await globex.patch('/v1/shipping/origin', { postalCode: null })
    expect([lost.status, lost.error.param]).toEqual([422, 'postalCode'])
  })

  test('is where a parcel comes from when nothing else is said; without one that is refused', async () => {
    const { acme, globex } = partner()
    const body = { destination: BANDUNG, items: [COFFEE] }
    const refused = await acme.post('/v1/shipping/rates', body)
    expect([refused.status, refused.error.param]).toEqual([422, 'origin'])
    await globex.patch('/v1/shipping/origin', { ...JAKARTA, postalCode: '40111' })
    const near = (await globex.post('/v1/shipping/rates', body)).data
    expect(priceIn(near, 'jne reg')).toBe(9_000)
  })
})

describe('rates', () => {
  test('grow with the way, and the cheapest comes first', async () => {
    const of = async (postalCode: string) => priceIn(await rates({ destination: { postalCode } }), 'jne reg')
    expect([
      await of('10110'),
      await of('15111'),
      await of('20111'),
      await of('90111'),
      await of('99111'),
    ]).toEqual([9_000, 18_000, 32_000, 45_000, 88_000])
    const quotes = await rates({ destination: BANDUNG })
    const prices = quotes.map(({ price }) => price)
    expect(prices).toEqual(prices.toSorted((a, b) => a - b))
    expect(new Set(quotes.map(({ courierCode }) => courierCode))).toEqual(
      new Set(['jne', 'jnt', 'sicepat', 'anteraja', 'pos', 'tiki', 'ninja', 'lion']),
    )
  })

  test('go by weight with 300 grams of tolerance, or by volume where that is more', async () => {
    const of = async (item: Record<string, unknown>) =>
      priceIn(
        await rates({ destination: { postalCode: '10110' }, items: [{ ...COFFEE, quantity: 1, ...item }] }),
        'jne reg',
      )
    expect([await of({ weight: 1 }), await of({ weight: 1_300 }), await of({ weight: 1_301 })]).toEqual([
      9_000, 9_000, 18_000,
    ])
    // 40 x 30 x 20 cm is 24,000 cm3: 4 kg.
    expect(await of({ weight: 500, length: 40, width: 30, height: 20 })).toBe(36_000)
    expect(await of({ weight: 50_001 })).toBeUndefined()
  })

  test('of riders go by the way between coordinates, or by the city, and end at 40 km', async () => {
    const monas = { ...JAKARTA, latitude: -6.1754, longitude: 106.8272 }
    const of = async (destination: Record<string, unknown>, origin: unknown = monas) =>
      priceIn(await rates({ origin, destination }), 'gojek instant')
    // 10.02 km to Blok M is 11 started ones.
    expect(await of({ latitude: -6.2655, longitude: 106.8272 })).toBe(30_000)
    expect(await of({ postalCode: '10110' })).toBe(27_000)
    expect(await of({ latitude: -6.9175, longitude: 107.6191 })).toBeUndefined()
    expect(await of(BANDUNG, JAKARTA)).toBeUndefined()
  })

  test('insurance is 0.2% and Rp 5.000 on top, of what is declared or of what is said', async () => {
    const fee = async (insurance: unknown) =>
      (await rates({ destination: BANDUNG, insurance }))[0]?.insuranceFee
    expect([await fee(false), await fee(true), await fee({ amount: 1_000_000 })]).toEqual([0, 5_240, 7_000])
  })

  test.each([
    [{ destination: { postalCode: '4011' } }, 400, 'destination.postalCode'],
    [{ destination: { postalCode: '19999' } }, 422, 'destination.postalCode'],
    [{ destination: {} }, 422, 'destination.postalCode'],
    [{ destination: { latitude: -6 } }, 400, 'destination.longitude'],
    [{ destination: { latitude: 52.5, longitude: 13.4 } }, 422, 'destination.latitude'],
    [{ destination: { areaId: 'somewhere' } }, 422, 'destination.areaId'],
    [{ destination: BANDUNG, items: [] }, 400, 'items'],
    [{ destination: BANDUNG, items: [{ ...COFFEE, weight: 0 }] }, 400, 'items[0].weight'],
    [{ destination: BANDUNG, items: [{ ...COFFEE, wieght: 1 }] }, 400, 'items[0].wieght'],
    [{ destination: BANDUNG, insurance: 'yes' }, 400, 'insurance'],
    [{ destination: BANDUNG, insurance: { amount: -1 } }, 400, 'insurance.amount'],
    [{ destination: BANDUNG, courier: 'jne' }, 400, 'courier'],
    [{ origin: { postalCode: '00000' }, destination: BANDUNG }, 422, 'origin.postalCode'],
  ])('refuse %j with the field at fault', async (body, status, param) => {
    const answer = await partner().acme.post('/v1/shipping/rates', {
      origin: JAKARTA,
      items: [COFFEE],
      ...body,
    })
    expect([answer.status, answer.error?.code, answer.error?.param]).toEqual([
      status,
      'VALIDATION_ERROR',
      param,
    ])
  })

  test('a postal code of letters is told what it should be, in words', async () => {
    for (const postalCode of ['4011', '12abc', 'Braga']) {
      const answer = await partner().acme.post('/v1/shipping/rates', {
        origin: JAKARTA,
        destination: { postalCode },
        items: [COFFEE],
      })
      expect([answer.status, answer.error]).toEqual([
        400,
        {
          code: 'VALIDATION_ERROR',
          message: 'destination.postalCode must be five digits, like 40111',
          param: 'destination.postalCode',
        },
      ])
    }
  })

  test('reach the ends of the country: Sabang, Merauke and Rote', async () => {
    const of = async (latitude: number, longitude: number) =>
      priceIn(await rates({ destination: { latitude, longitude } }), 'jne reg')
    expect([await of(5.89, 95.32), await of(-8.49, 140.4), await of(-10.79, 123.1)]).toEqual([
      32_000, 88_000, 45_000,
    ])
  })

  test('an area that ends in a postal code is that place', async () => {
    expect(priceIn(await rates({ destination: { areaId: 'IDNP9IDNC22IDND40111' } }), 'jne reg')).toBe(18_000)
  })
})

describe('a shipment', () => {
  test('is a draft at its price until it is confirmed, then has a waybill, and goes through every state', async () => {
    const { acme } = partner()
    const draft = await drafted(acme, {
      reference: 'shp_of_kasir',
      metadata: { sale: 'txn_1' },
      insurance: true,
    })
    expect(draft).toMatchObject({
      status: 'draft',
      reference: 'shp_of_kasir',
      courierName: 'JNE',
      courierServiceName: 'REG',
      price: 18_000,
      insuredAmount: 120_000,
      insuranceFee: 5_240,
      chargeableWeight: 1_000,
      waybillId: null,
      trackingUrl: null,
      labelUrl: null,
      destination: { ...BANDUNG, latitude: null },
      metadata: { sale: 'txn_1' },
    })
    const path = `/v1/shipments/${draft.id}`
    const early = await acme.post(`${path}/advance`)
    expect([early.status, early.error.code]).toEqual([409, 'CONFLICT'])
    const booked = await acme.post(`${path}/confirm-pickup`)
    expect(booked.data.waybillId).toMatch(/^JX\d{11}$/)
    expect((await acme.post(`${path}/confirm-pickup`)).data).toEqual(booked.data)
    for (const status of ['allocated', 'picking_up', 'picked', 'dropping_off', 'delivered'])
      expect((await acme.post(`${path}/advance`)).data.status).toBe(status)
    const done = (await acme.get(path)).data
    expect(done.history.map(({ status }: { status: string }) => status)).toEqual([
      'draft',
      'confirmed',
      'allocated',
      'picking_up',
      'picked',
      'dropping_off',
      'delivered',
    ])
    const over = await acme.post(`${path}/advance`)
    expect([over.status, over.error.message]).toEqual([409, 'This shipment has ended: it is delivered'])
    await expect.poll(() => noticesOf(draft.id)).toHaveLength(6)
    const { headers, body } = noticesOf(draft.id).at(-1) ?? { headers: {}, body: '' }
    expect(new Webhook(SECRET).verify(body, headers as Record<string, string>)).toMatchObject({
      type: 'shipment.status_changed',
      data: { workspaceExternalId: 'acc_acme', shipment: { id: draft.id } },
    })
    const told = noticesOf(draft.id).map(({ notice }) => notice.data.shipment)
    expect(told.find(({ status }) => status === 'delivered')).toEqual(done)
  })

  test('is cancelled until a courier has it, and not after, held or not', async () => {
    const { acme } = partner()
    const to = (id: string, status: string) => acme.post(`/v1/shipments/${id}/advance`, { status })
    const cancel = (id: string) => acme.post(`/v1/shipments/${id}/cancel`)
    const { id: draft } = await drafted(acme)
    expect((await cancel(draft)).data.status).toBe('cancelled')
    expect((await cancel(draft)).data.status).toBe('cancelled')
    const again = await acme.post(`/v1/shipments/${draft}/confirm-pickup`)
    expect([again.status, again.error.code]).toEqual([409, 'CONFLICT'])

    const { id: early } = await confirmed(acme)
    await to(early, 'on_hold')
    expect((await cancel(early)).data.status).toBe('cancelled')
    const { id } = await confirmed(acme)
    for (const status of ['allocated', 'picking_up', 'picked', 'on_hold']) await to(id, status)
    const late = await cancel(id)
    expect([late.status, late.error.message]).toEqual([
      409,
      'This shipment is on hold and cannot become cancelled; it can become: picked, dropping off, return in transit, disposed',
    ])
    expect((await acme.post(`/v1/shipments/${id}/advance`)).data.status).toBe('picked')
    const skipped = await to(id, 'delivered')
    expect([skipped.status, skipped.error.code]).toEqual([409, 'CONFLICT'])
    for (const status of ['return_in_transit', 'returned']) await to(id, status)
    expect((await acme.get(`/v1/shipments/${id}`)).data.status).toBe('returned')
  })

  test('a shipment that is held again and again comes to an end', async () => {
    const { acme } = partner()
    const { id } = await confirmed(acme)
    const next = async (status?: string) => acme.post(`/v1/shipments/${id}/advance`, status ? { status } : {})
    let held = await next('on_hold')
    while (held.status === 200) {
      await next()
      held = await next('on_hold')
    }
    expect((await acme.get(`/v1/shipments/${id}`)).data.history.length).toBeLessThan(55)
    expect((await next()).data.status).toBe('allocated')
  })

  test('has a history in the order of time, also where a process has a clock that is behind', async () => {
    const { acme, start } = partner()
    const { id, updatedAt } = await confirmed(acme)
    const behind = await start({ now: () => new Date(Date.now() - 3_600_000).toISOString() })
    const moved = await clientOf(behind.url, acme.key).post(`/v1/shipments/${id}/advance`)
    await behind.close()
    expect(moved.data.history.at(-1)).toEqual({ status: 'allocated', note: null, at: updatedAt })
    expect(moved.data.updatedAt).toBe(updatedAt)
  })

  test('of two who confirm at once one books, and cancel against confirm ends in one of the two', async () => {
    const { acme } = partner()
    const { id } = await drafted(acme)
    const both = await Promise.all(
      Array.from({ length: 8 }, () => acme.post(`/v1/shipments/${id}/confirm-pickup`)),
    )
    expect(new Set(both.map(({ status, data }) => `${status} ${data.waybillId}`)).size).toBe(1)
    expect((await acme.get(`/v1/shipments/${id}`)).data.history).toHaveLength(2)
    const other = await drafted(acme)
    const [booked, cancelled] = await Promise.all([
      acme.post(`/v1/shipments/${other.id}/confirm-pickup`),
      acme.post(`/v1/shipments/${other.id}/cancel`),
    ])
    expect(cancelled.data.status).toBe('cancelled')
    expect([200, 409]).toContain(booked.status)
    expect((await acme.get(`/v1/shipments/${other.id}`)).data.status).toBe('cancelled')
  })

  test('is listed newest first, by status and by reference', async () => {
    const { platform, url } = partner()
    const { data: own } = await platform.post('/v1/workspaces', { externalId: 'acc_list', name: 'List' })
    const client = clientOf(url, own.apiKey)
    const made: string[] = []
    for (const reference of ['a', 'b', 'a']) made.unshift((await drafted(client, { reference })).id)
    await client.post(`/v1/shipments/${made[0]}/cancel`)
    const ids = async (query: string) =>
      (await client.get(`/v1/shipments?${query}`)).data.map(({ id }: { id: string }) => id)
    const first = await client.get('/v1/shipments?limit=2')
    expect(first.data.map(({ id }: { id: string }) => id)).toEqual(made.slice(0, 2))
    expect(await ids(`limit=2&cursor=${first.meta.nextCursor}`)).toEqual(made.slice(2))
    expect(await ids('status=draft')).toEqual(made.slice(1))
    expect(await ids('reference=a')).toEqual([made[0], made[2]])
    const strange = await client.get('/v1/shipments?cursor=bm90aGluZw')
    expect([strange.status, strange.error.param]).toEqual([400, 'cursor'])
  })

  test.each([
    [{ courierCode: 'dhl' }, 422, 'courierCode'],
    [{ courierServiceCode: 'overnight' }, 422, 'courierServiceCode'],
    [{ courierCode: 'gojek', courierServiceCode: 'instant' }, 422, 'courierServiceCode'],
    [{ destination: { ...BANDUNG, contactName: '' } }, 400, 'destination.contactName'],
    [{ destination: { ...BANDUNG, contactPhone: 62812 } }, 400, 'destination.contactPhone'],
    [{ destination: { ...BANDUNG, address: 'x'.repeat(501) } }, 400, 'destination.address'],
    [{ items: Array.from({ length: 101 }, () => COFFEE) }, 400, 'items'],
    [{ items: [{ ...COFFEE, weight: 1_000_000, quantity: 1_000 }] }, 422, 'courierServiceCode'],
    [{ metadata: { a: 1 } }, 400, 'metadata.a'],
    [{ metadata: { ['x'.repeat(41)]: 'a' } }, 400, 'metadata'],
    [{ refrence: 'a' }, 400, 'refrence'],
  ])('refuses %j with the field at fault', async (more, status, param) => {
    const answer = await partner().acme.post('/v1/shipments', {
      origin: JAKARTA,
      destination: BANDUNG,
      courierCode: 'jne',
      courierServiceCode: 'reg',
      items: [COFFEE],
      ...more,
    })
    expect([answer.status, answer.error?.param]).toEqual([status, param])
  })

  test('of another workspace is not there, and neither is a strange id', async () => {
    const { acme, globex } = partner()
    const { id } = await drafted(acme)
    for (const strange of [id, 'shp_a%2Fb', '%00', 'x'.repeat(65)]) {
      for (const answer of [
        await globex.get(`/v1/shipments/${strange}`),
        await globex.post(`/v1/shipments/${strange}/confirm-pickup`),
        await globex.post(`/v1/shipments/${strange}/cancel`),
        await globex.post(`/v1/shipments/${strange}/advance`),
      ])
        expect([answer.status, answer.error.code]).toEqual([404, 'NOT_FOUND'])
    }
    expect((await globex.get('/v1/shipments')).data).toEqual([])
  })

  test('one Idempotency-Key drafts one shipment', async () => {
    const { acme } = partner()
    const body = {
      origin: JAKARTA,
      destination: BANDUNG,
      courierCode: 'jne',
      courierServiceCode: 'reg',
      items: [COFFEE],
    }
    const key = { 'idempotency-key': 'shp_01' }
    const answers = await Promise.all(Array.from({ length: 5 }, () => acme.post('/v1/shipments', body, key)))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    const other = await acme.post('/v1/shipments', { ...body, courierServiceCode: 'yes' }, key)
    expect([other.status, other.error.code]).toEqual([409, 'IDEMPOTENCY_KEY_IN_USE'])
  })
})

test('the label is a page of A6 with the waybill as Code 128, whatever stands beside it', async () => {
  const { acme, globex } = partner()
  const draft = await drafted(acme)
  const early = await acme.get(`/v1/shipments/${draft.id}/label`)
  expect([early.status, early.error.code]).toEqual([409, 'CONFLICT'])
  const long = {
    ...BANDUNG,
    contactName: 'W'.repeat(120),
    address: `) Tj ET ${'漢'.repeat(490)}`,
    note: 'W'.repeat(300),
  }
  const items = Array.from({ length: 100 }, () => ({
    ...COFFEE,
    quantity: 1,
    weight: 100,
    name: 'W'.repeat(120),
  }))
  const { id, waybillId } = await confirmed(acme, {
    origin: long,
    destination: long,
    items,
    reference: 'W'.repeat(64),
  })
  const label = await acme.get(`/v1/shipments/${id}/label?lang=en`)
  expect(label.headers.get('content-type')).toBe('application/pdf')
  const { papers, pages } = readPdf(label.bytes)
  expect(papers).toEqual([[expect.closeTo(297.64), expect.closeTo(419.53)]])
  const [{ texts, content }] = pages as [(typeof pages)[0]]
  // Everything is drawn on the page, and the bars read back as the waybill.
  expect(Math.min(...texts.flatMap(({ x, y }) => [x, y]))).toBeGreaterThan(0)
  expect(texts.map(({ text }) => text)).toContain(waybillId)
  expect(texts.map(({ text }) => text).join(' ')).toContain(') Tj ET ?????')
  const bars = [...content.matchAll(/^([\d.]+) [\d.]+ ([\d.]+) 50 re$/gm)].map(([, x, width]) => [
    Number(x),
    Number(width),
  ])
  expect(waybillIn(bars)).toBe(waybillId)
  expect((await acme.get(`/v1/shipments/${id}/label?lang=en`)).bytes.equals(label.bytes)).toBe(true)
  expect((await globex.get(`/v1/shipments/${id}/label`)).status).toBe(404)
})

/** Reads bars of Code 128, set B, by their widths against those of its digits and capitals. */
function waybillIn(bars: number[][]): string {
  const unit = (bars[0]?.[1] ?? 0) / 2
  const runs = bars.flatMap(([x = 0, width = 0], index) => {
    const next = bars[index + 1]?.[0]
    return next === undefined ? [width] : [width, next - x - width]
  })
  const symbols = runs
    .map((run) => Math.round(run / unit))
    .join('')
    .match(/.{6}/g)
  return (symbols ?? [])
    .slice(1, -2)
    .map((symbol) => CODE_128[symbol] ?? '?')
    .join('')
}
const CODE_128: Record<string, string> = {
  123122: '0',
  123221: '1',
  223211: '2',
  221132: '3',
  221231: '4',
  213212: '5',
  223112: '6',
  312131: '7',
  311222: '8',
  321122: '9',
  112133: 'J',
  331121: 'X',
}

describe('the tracking page', () => {
  test('shows where a parcel is without saying who waits for it, and its buttons play the courier', async () => {
    const { acme } = partner()
    const evil = { ...BANDUNG, contactName: '<b>Bambang</b> Susilo', address: 'Jl. Rahasia 7' }
    const { id, trackingUrl } = await confirmed(acme, { destination: evil })
    await acme.post(`/v1/shipments/${id}/advance`, { note: '<img src=x onerror=alert(1)>' })
    const response = await fetch(trackingUrl, { headers: { 'accept-language': 'en' } })
    const html = await response.text()
    expect(html).toContain('Courier assigned<br>&lt;img src=x onerror=alert(1)&gt;')
    expect(html).toContain('&lt;*** S***, 40111')
    expect(html).not.toMatch(/Bambang|Rahasia|0812/)
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
    const press = async (status: string) =>
      fetch(`${trackingUrl}/${status}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    expect((await press('picking_up')).status).toBe(303)
    expect((await acme.get(`/v1/shipments/${id}`)).data.status).toBe('picking_up')
    // A page that was open for long.
    expect((await press('allocated')).status).toBe(303)
    expect((await acme.get(`/v1/shipments/${id}`)).data.status).toBe('picking_up')
    const another = `${trackingUrl.slice(0, -1)}${trackingUrl.endsWith('_') ? 'A' : '_'}`
    expect((await fetch(another)).status).toBe(404)
  })

  test('a draft has none', async () => {
    const { acme, url } = partner()
    const { id } = await drafted(acme)
    const [{ token }] = await rowsOf('select token from reference_fulfillment.shipments where id = $1', [id])
    expect((await fetch(`${url}/track/${token}`)).status).toBe(404)
  })
})

test('a notice that is not taken comes again until it is', async () => {
  const { receiver, acme } = partner()
  let refusals = 2
  receiver.behave((response) => response.writeHead(refusals-- > 0 ? 503 : 200).end())
  const { id } = await confirmed(acme)
  await expect.poll(() => noticesOf(id)).toHaveLength(3)
  receiver.status(200)
})
