import { beforeAll, describe, expect, test } from 'vitest'
import { manualClock } from '../../../../src/platform/clock.ts'
import {
  makeCustomer,
  makeProduct,
  openShop,
  type Shop,
  setNegativeStock,
  stock,
} from '../../../support/build.ts'
import {
  assertCustomerTotals,
  assertLedgerInvariants,
  assertStockInvariants,
  refusalOf,
  saleOf,
} from '../../../support/expect.ts'
import { customerOf, eventsAbout, eventsOf, levelOf } from '../../../support/read.ts'
import { acme, deps, useService, workspace } from '../../../support/service.ts'

const clock = manualClock('2026-03-01T03:00:00.000Z')
useService({ clock })

let shop: Shop
beforeAll(async () => {
  shop = await openShop(acme())
})

const sell = (body: Record<string, unknown>, key?: string) =>
  acme().post(
    '/sales',
    { outletId: shop.outletId, status: 'COMPLETED', ...body },
    key === undefined ? {} : { idempotencyKey: key },
  )
const line = (variantId: string, quantity = 1, fields = {}) => ({ variantId, quantity, ...fields })

describe('receipt numbers', () => {
  const numberAt = async (outletId: string, instant: string) => {
    clock.set(instant)
    return saleOf(await sell({ outletId, items: [line(shop.bag)] })).number
  }

  test('run per outlet and the day on its own wall, parked or completed, and never run twice', async () => {
    const outlet = async (timezone: string) =>
      (await acme().post('/outlets', { name: timezone, timezone })).data.outlet.id
    const [jayapura, jakarta] = [await outlet('Asia/Jayapura'), await outlet('Asia/Jakarta')]
    // 15:00 UTC is midnight in Jayapura (+9); 17:00 UTC is midnight in Jakarta (+7).
    expect(await numberAt(jayapura, '2026-03-05T14:59:59.999Z')).toBe('260305-0001')
    expect(await numberAt(jayapura, '2026-03-05T15:00:00.000Z')).toBe('260306-0001')
    expect(await numberAt(jakarta, '2026-03-05T15:00:00.000Z')).toBe('260305-0001')
    expect(await numberAt(jakarta, '2026-03-05T16:59:59.999Z')).toBe('260305-0002')
    expect(await numberAt(jakarta, '2026-03-05T17:00:00.000Z')).toBe('260306-0001')
    expect(await numberAt(jayapura, '2026-03-06T14:00:00.000Z')).toBe('260306-0002')
    const bill = await acme().post('/sales', { outletId: jayapura, items: [line(shop.bag)] })
    expect(saleOf(bill).number).toBe('260306-0003')
    await acme().post(`/sales/${saleOf(bill).id}/discard`)
    expect(await numberAt(jayapura, '2026-03-06T14:10:00.000Z')).toBe('260306-0004')
    clock.set('2026-03-01T03:00:00.000Z')
  })

  test('a refused sale uses none up, and numbers beyond 9999 are still distinct', async () => {
    const outletId = (await acme().post('/outlets', { name: 'Busy' })).data.outlet.id
    expect(await numberAt(outletId, '2026-03-02T03:00:00.000Z')).toBe('260302-0001')
    const refused = await sell({
      outletId,
      items: [line(shop.bag)],
      payments: [{ method: 'CASH', amount: 1 }],
    })
    expect(refused.status).toBe(422)
    expect(await numberAt(outletId, '2026-03-02T03:00:01.000Z')).toBe('260302-0002')
    await deps()
      .db.updateTable('outletDays')
      .set({ lastNumber: 9_999 })
      .where('accountId', '=', acme().workspace.accountId)
      .where('outletId', '=', outletId)
      .execute()
    expect(await numberAt(outletId, '2026-03-02T03:00:02.000Z')).toBe('260302-10000')
  })
})

describe('a key', () => {
  test('replays its sale although what it sold is no longer sold', async () => {
    const product = await makeProduct(acme(), { name: 'Seasonal' })
    const body = { items: [line(product.variants[0].id)] }
    const first = await sell(body, 'seasonal-1')
    await acme().patch(`/products/${product.id}`, { isActive: false })
    const again = await sell(body, 'seasonal-1')
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
    expect(again.data).toEqual(first.data)
    expect(refusalOf(await sell(body, 'seasonal-2'))).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      param: 'items[0].variantId',
    })
  })

  test.each([
    ['on the way of the plain sale', false],
    ['on the way with locks', true],
  ])('is bound to its request and free again after a day, %s', async (way, takesLocks) => {
    const body = {
      items: [line(shop.bag)],
      ...(takesLocks ? { customerId: await makeCustomer(acme()) } : {}),
    }
    const first = saleOf(await sell(body, way.replaceAll(' ', '-')))
    const other = await sell({ ...body, items: [line(shop.bag, 2)] }, way.replaceAll(' ', '-'))
    expect(refusalOf(other)).toEqual({ status: 409, code: 'IDEMPOTENCY_KEY_IN_USE' })
    const dayAgo = new Date(clock.ms() - 24 * 3_600_000 - 1).toISOString()
    await deps().pool.query('update idempotency_keys set created_at = $1', [dayAgo])
    const later = await sell(body, way.replaceAll(' ', '-'))
    expect([later.status, later.headers.get('idempotent-replayed')]).toEqual([201, null])
    expect(saleOf(later).id).not.toBe(first.id)
    expect(saleOf(await sell(body, way.replaceAll(' ', '-'))).id).toBe(saleOf(later).id)
  })

  test('of a refused sale may be used again', async () => {
    const short = await sell({ items: [line(shop.bag)], payments: [{ method: 'CASH', amount: 1 }] }, 'again')
    expect(short.status).toBe(422)
    expect((await sell({ items: [line(shop.bag)] }, 'again')).status).toBe(201)
  })
})

describe('stock', () => {
  test('a variant in several lines leaves by one movement; services and untracked goods leave by none', async () => {
    const other = await openShop(acme())
    const service = (await makeProduct(acme(), { name: 'Tuning', kind: 'SERVICE' })).variants[0].id
    await stock(acme(), other.outletId, other.latte, 10)
    const items = [
      line(other.latte, 2),
      line(service),
      line(other.latte, 1, { note: 'iced' }),
      line(other.bag, 4),
    ]
    const sale = saleOf(await sell({ outletId: other.outletId, items }))
    expect(sale.itemCount).toBe(4)
    expect(await levelOf(acme(), other.outletId, other.latte)).toBe(7)
    const { data: movements } = await acme().get(`/inventory/movements?outletId=${other.outletId}`)
    expect(movements[0]).toMatchObject({
      type: 'SALE',
      qtyDelta: -3,
      balanceAfter: 7,
      transactionId: sale.id,
    })
    expect(movements).toHaveLength(2)
    await assertStockInvariants(deps().db)
  })

  test('an empty shelf warns, the same whichever way the sale was written', async () => {
    const other = await openShop(acme())
    const customerId = await makeCustomer(acme())
    await stock(acme(), other.outletId, other.latte, 2)
    const warn = async (fields: object) =>
      (await sell({ outletId: other.outletId, items: [line(other.latte, 3)], ...fields })).data.stockWarnings
    const latte = { variantId: other.latte, productName: 'Latte', variantName: 'Default' }
    const names = { ...latte, reason: 'SHORT', requested: 3 }
    expect(await warn({})).toEqual([{ ...names, available: 2, level: -1 }])
    expect(await warn({})).toEqual([{ ...names, available: 0, level: -4 }])
    expect(await warn({ customerId })).toEqual([{ ...names, available: 0, level: -7 }])
  })

  test('a shop that blocks refuses the line that would take too much, sells the rest and holds what it likes', async () => {
    const api = await workspace()
    const strict = await openShop(api)
    await setNegativeStock(api, 'BLOCK')
    await stock(api, strict.outletId, strict.latte, 5)
    const ask = (items: unknown[], status = 'COMPLETED') =>
      api.post('/sales', { outletId: strict.outletId, items, status })
    const tooMuch = [line(strict.bag), line(strict.latte, 3), line(strict.latte, 3)]
    expect(refusalOf(await ask(tooMuch))).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      param: 'items[2].quantity',
    })
    expect(await levelOf(api, strict.outletId, strict.latte)).toBe(5)
    const bill = saleOf(await ask(tooMuch, 'PARKED'))
    expect((await ask([line(strict.latte, 5)])).data.stockWarnings).toEqual([])
    const settled = await api.post(`/sales/${bill.id}/settle`, {
      payments: [{ method: 'CASH', amount: 90_500 }],
    })
    expect(refusalOf(settled)).toEqual({ status: 422, code: 'VALIDATION_ERROR', param: 'items[1].quantity' })
    expect(saleOf(await api.get(`/sales/${bill.id}`))).toMatchObject({ status: 'PARKED', payments: [] })
  })

  test.each([
    ['the plain sale', false],
    ['a sale to a customer', true],
  ])('%s tells once that the shelf runs low, and shows the level as the list does', async (_, customer) => {
    const api = await workspace()
    const other = await openShop(api)
    const who = customer ? { customerId: await makeCustomer(api) } : {}
    await stock(api, other.outletId, other.cake, 6)
    await api.put('/inventory/reorder', {
      outletId: other.outletId,
      variantId: other.cake,
      reorderPoint: 3,
    })
    const take = async (quantity: number) => {
      clock.advance(1_000)
      const body = {
        outletId: other.outletId,
        items: [line(other.cake, quantity)],
        status: 'COMPLETED',
        ...who,
      }
      saleOf(await api.post('/sales', body))
      return (await eventsOf(api, 'service.stock.low.v1')).length
    }
    expect(await take(2)).toBe(0)
    expect(await take(1)).toBe(1)
    const [told] = await eventsOf(api, 'service.stock.low.v1')
    const { levels } = (await api.get(`/inventory/levels?outletId=${other.outletId}`)).data
    expect(told).toEqual({
      level: levels.find((level: { variantId: string }) => level.variantId === other.cake),
    })
    expect(await take(1)).toBe(1)
    await stock(api, other.outletId, other.cake, 2)
    expect(await take(1)).toBe(2)
  })
})

describe('what a sale announces', () => {
  test('its events hold the sale and its tenders as they are read afterwards, each tender once', async () => {
    const card = { method: 'CARD', amount: 10_000, reference: 'EDC 1' }
    const failed = { method: 'QRIS', amount: 5_000, status: 'FAILED', providerRef: 'effects-1' }
    const items = [line(shop.latte)]
    const sale = saleOf(await sell({ items, payments: [card, failed, { method: 'CASH', amount: 5_000 }] }))
    const read = saleOf(await acme().get(`/sales/${sale.id}`))
    expect(read).toEqual(sale)
    expect(await eventsAbout(acme(), sale.id)).toEqual([
      { type: 'service.sale.completed.v1', data: { sale: read } },
    ])
    const types = ['received', 'failed', 'received']
    for (const [index, payment] of read.payments.entries()) {
      expect(await eventsAbout(acme(), payment.id)).toEqual([
        { type: `service.payment.${types[index]}.v1`, data: { payment } },
      ])
    }
    const held = saleOf(await sell({ items, status: 'PARKED', orderType: 'TAKEAWAY' }))
    expect(await eventsAbout(acme(), held.id)).toEqual([
      { type: 'service.sale.parked.v1', data: { sale: saleOf(await acme().get(`/sales/${held.id}`)) } },
    ])
  })

  test('an event names a hundred lines and says that it left some out', async () => {
    const many = (count: number) => Array.from({ length: count }, () => line(shop.bag))
    const long = saleOf(await sell({ items: many(101) }))
    const [event] = await eventsAbout(acme(), long.id)
    expect(event?.data.sale).toEqual({ ...long, items: long.items.slice(0, 100), truncated: true })
    const full = saleOf(await sell({ items: many(100) }))
    expect((await eventsAbout(acme(), full.id))[0]?.data.sale).toEqual(full)
  })

  test('an event of a sale with many modifiers has the items that fit in 128 KiB, and says that it left some out', async () => {
    const modifiers = Array.from({ length: 50 }, () => ({ name: 'é'.repeat(80), price: 0 }))
    const items = Array.from({ length: 100 }, () => ({ ...line(shop.bag), modifiers }))
    const long = saleOf(await sell({ items }))
    const [event] = await eventsAbout(acme(), long.id)
    const { items: kept, truncated } = event?.data.sale as { items: unknown[]; truncated?: true }
    expect([kept, truncated]).toEqual([long.items.slice(0, kept.length), true])
    const bytes = Buffer.byteLength(JSON.stringify(event?.data.sale))
    const next = Buffer.byteLength(JSON.stringify(long.items[kept.length]))
    expect([bytes <= 128 * 1024, bytes + next + 1 > 128 * 1024]).toEqual([true, true])
  })

  test('a customer earns points on goods without tax and fee, spends and visits', async () => {
    const api = await workspace()
    const taxed = await openShop(api, { taxRateBps: 1_100, taxInclusive: true })
    const customerId = await makeCustomer(api)
    const sale = saleOf(
      await api.post('/sales', {
        outletId: taxed.outletId,
        customerId,
        items: [line(taxed.latte, 4)],
        orderDiscount: 5_000,
        deliveryFee: 20_000,
        status: 'COMPLETED',
      }),
    )
    // 55.000 with 11% inside is 49.550 of goods: four points, not five.
    expect([sale.total, sale.taxTotal, sale.pointsEarned]).toEqual([75_000, 5_450, 4])
    expect(sale.customer).toEqual({ id: customerId, name: 'Sari', phone: null })
    expect(await customerOf(api, customerId)).toMatchObject({
      pointsBalance: 4,
      totalSpent: 75_000,
      visitCount: 1,
    })
    const held = { outletId: taxed.outletId, customerId, items: [line(taxed.latte)] }
    expect(saleOf(await api.post('/sales', held)).pointsEarned).toBe(0)
    expect(await customerOf(api, customerId)).toMatchObject({ visitCount: 1 })
    await assertLedgerInvariants(deps().db)
    await assertCustomerTotals(deps().db)
  })
})
