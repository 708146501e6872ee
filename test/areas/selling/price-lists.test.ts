import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { beforeEach, describe, expect, test } from 'vitest'
import { manualClock } from '../../../src/platform/clock.ts'
import type { Api } from '../../support/api.ts'
import { fresh, makeCategory, makeCustomer, makeProduct, makeTable, openShop } from '../../support/build.ts'
import { memberOf } from '../../support/clients.ts'
import { assertInvariants, done, refusalOf, saleOf } from '../../support/expect.ts'
import { eventsAbout } from '../../support/read.ts'
import { acme, alongside, deps, globex, useService, workspace } from '../../support/service.ts'

// Monday 14:00 in Jakarta.
const MONDAY = '2026-11-23T07:00:00.000Z'
const HAPPY_HOUR = '2026-11-23T08:30:00.000Z'
const AFTER = '2026-11-23T10:00:00.000Z'
const clock = manualClock(MONDAY)
useService({ clock })
beforeEach(() => clock.set(MONDAY))

/** The heap in bytes without what can be collected. */
function heapAfterCollection(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

type Fields = Record<string, unknown>
const makeList = async (api: Api, fields: Fields): Promise<string> =>
  done(await api.post('/price-lists', { name: fresh('List'), ...fields })).priceList.id
const sell = async (api: Api, outletId: string, items: Fields[], fields: Fields = {}) =>
  saleOf(await api.post('/sales', { outletId, items, status: 'PARKED', ...fields }))
const pricesOf = ({ items }: { items: Fields[] }) =>
  items.map(({ quantity, unitPrice, priceListId }) => ({ quantity, unitPrice, priceListId }))
const edit = async (api: Api, id: string, body: Fields) => saleOf(await api.patch(`/sales/${id}/items`, body))

async function shopIn(name: string) {
  const api = await workspace(name)
  return { api, ...(await openShop(api)) }
}

describe('the record of a price list', () => {
  test('has each field as it was sent and null for a condition that was left out', async () => {
    const { api, outletId, latte } = await shopIn('Record')
    const categoryId = await makeCategory(api)
    const body = {
      name: 'GoFood',
      priority: 3,
      outletIds: [outletId],
      orderTypes: ['DELIVERY'],
      channels: ['GOFOOD'],
      weekdays: [6, 7],
      from: '22:00',
      to: '02:00',
      startsAt: '2026-11-01T00:00:00+07:00',
      endsAt: '2026-12-01T00:00:00+07:00',
      entries: [
        { variantId: latte, price: 20_000 },
        { categoryId, adjustBps: 2_000, roundTo: 500 },
      ],
    }
    const { priceList } = done(await api.post('/price-lists', body))
    expect(priceList).toEqual({
      ...body,
      id: expect.stringMatching(/^prl_/),
      isActive: true,
      customerGroupIds: null,
      startsAt: '2026-10-31T17:00:00.000Z',
      endsAt: '2026-11-30T17:00:00.000Z',
      entries: [
        { variantId: latte, categoryId: null, price: 20_000, adjustBps: null, roundTo: null },
        { variantId: null, categoryId, price: null, adjustBps: 2_000, roundTo: 500 },
      ],
      createdAt: MONDAY,
      updatedAt: MONDAY,
    })
    const { id } = priceList
    expect(done(await api.get(`/price-lists/${id}`)).priceList).toEqual(priceList)
    const changed = done(await api.patch(`/price-lists/${id}`, { weekdays: null, isActive: false })).priceList
    expect(changed).toEqual({ ...priceList, weekdays: null, isActive: false })
    const first = await makeList(api, { priority: -1 })
    const { priceLists } = done(await api.get('/price-lists'))
    expect(priceLists.map((list: { id: string }) => list.id)).toEqual([first, id])
    expect(done(await api.delete(`/price-lists/${id}`))).toEqual({ id, deleted: true })
    expect(refusalOf(await api.get(`/price-lists/${id}`))).toEqual({ status: 404, code: 'NOT_FOUND' })
    expect((await eventsAbout(api, id)).map(({ type }) => type)).toEqual([
      'service.price_list.created.v1',
      'service.price_list.updated.v1',
      'service.price_list.deleted.v1',
    ])
  })

  const VARIANT = { variantId: 'var_x', price: 1 }
  test.each<[Fields, number, string, string]>([
    [{ entries: [{ price: 1 }] }, 400, 'entries[0].variantId', 'Name either a variant or a category'],
    [
      { entries: [{ ...VARIANT, categoryId: 'cat_x' }] },
      400,
      'entries[0].variantId',
      'Name either a variant or a category',
    ],
    [{ entries: [{ variantId: 'var_x' }] }, 400, 'entries[0].price', 'Send either price or adjustBps'],
    [{ entries: [{ ...VARIANT, adjustBps: 1 }] }, 400, 'entries[0].price', 'Send either price or adjustBps'],
    [
      { entries: [{ ...VARIANT, roundTo: 100 }] },
      400,
      'entries[0].roundTo',
      'A fixed price is not rounded: leave out roundTo',
    ],
    [
      { entries: [{ variantId: 'var_x', adjustBps: -10_001 }] },
      400,
      'entries[0].adjustBps',
      'entries[0].adjustBps must be at least -10000',
    ],
    [{ from: '25:00' }, 400, 'from', 'from must be a time of day such as 17:30'],
    [{ from: '24:00' }, 400, 'from', 'from must be a time of day such as 17:30'],
    [{ weekdays: [0] }, 400, 'weekdays[0]', 'weekdays[0] must be at least 1'],
    [{ weekdays: [8] }, 400, 'weekdays[0]', 'weekdays[0] must be at most 7'],
    [{ outletIds: [] }, 400, 'outletIds', 'outletIds must have at least 1 entries'],
    [
      { from: '10:00', to: '10:00' },
      422,
      'to',
      'The window is empty: choose an end that differs from the start',
    ],
    [{ from: '00:00', to: '24:00' }, 201, '', ''],
    [
      { startsAt: MONDAY, endsAt: MONDAY },
      422,
      'endsAt',
      'The period is empty: choose an end after the start',
    ],
    [
      { entries: [VARIANT] },
      404,
      'entries[0].variantId',
      'No such product variant: check entries[0].variantId',
    ],
    [
      { entries: [{ categoryId: 'cat_x', price: 1 }] },
      404,
      'entries[0].categoryId',
      'No such category: check entries[0].categoryId',
    ],
    [{ outletIds: ['out_x'] }, 404, 'outletIds[0]', 'No such outlet: check outletIds[0]'],
    [
      { customerGroupIds: ['cgr_x'] },
      404,
      'customerGroupIds[0]',
      'No such customer group: check customerGroupIds[0]',
    ],
  ])('a body of %j is answered %i %s', async (fields, status, param, message) => {
    const answer = await acme().post('/price-lists', { name: 'Bad', ...fields })
    expect(answer.status).toBe(status)
    if (status === 201) return
    expect(answer.error?.param).toBe(param)
    expect(answer.error?.message).toBe(message)
  })

  test('has each outlet, group and channel of its conditions once, also if they were sent twice', async () => {
    const { api, outletId } = await shopIn('Repeated')
    const { id: groupId } = done(await api.post('/customer-groups', { name: fresh('Group') })).customerGroup
    const sent = {
      outletIds: [outletId, outletId],
      customerGroupIds: [groupId, groupId],
      channels: ['GoFood', 'Grab', ' gofood '],
    }
    const once = { outletIds: [outletId], customerGroupIds: [groupId], channels: ['GoFood', 'Grab'] }
    for (const [path, record, fields] of [
      ['/price-lists', 'priceList', {}],
      ['/promotions', 'promotion', { kind: 'PERCENT', percentBps: 1_000 }],
    ] as const) {
      const created = done(await api.post(path, { name: 'Repeated', ...fields, ...sent }))[record]
      expect(created).toMatchObject(once)
      expect(done(await api.patch(`${path}/${created.id}`, sent))[record]).toMatchObject(once)
    }
    const missing = { outletIds: [outletId, outletId, 'out_gone'] }
    expect(refusalOf(await api.post('/price-lists', { name: 'Missing', ...missing }))).toMatchObject({
      status: 404,
      param: 'outletIds[2]',
    })
  })

  test('a list has one entry for each variant and category', async () => {
    const { latte } = await openShop(acme())
    const entries = [
      { variantId: latte, price: 1 },
      { variantId: latte, adjustBps: -100 },
    ]
    const answer = await acme().post('/price-lists', { name: 'Twice', entries })
    expect(refusalOf(answer)).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      param: 'entries[1].variantId',
    })
    expect(answer.error?.message).toBe('The list already has an entry for it: keep one of them')
  })

  test('a change is checked together with the fields that stay', async () => {
    const id = await makeList(acme(), { from: '10:00', to: '12:00' })
    expect(refusalOf(await acme().patch(`/price-lists/${id}`, { to: '10:00' }))).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      param: 'to',
    })
  })

  test('a list that names deleted records can be changed, and a new unknown record is still 404', async () => {
    const api = await workspace('Deleted names')
    const { latte } = await openShop(api)
    const gone = await makeCategory(api)
    const { id: group } = done(await api.post('/customer-groups', { name: 'Grosir' })).customerGroup
    const entries = [
      { variantId: latte, price: 1_000 },
      { categoryId: gone, adjustBps: -500 },
    ]
    const id = await makeList(api, { customerGroupIds: [group], entries })
    done(await api.delete(`/categories/${gone}`))
    done(await api.delete(`/customer-groups/${group}`))
    const change = async (body: object) => done(await api.patch(`/price-lists/${id}`, body)).priceList
    expect((await change({ isActive: false })).isActive).toBe(false)
    expect((await change({ entries: [entries[1]] })).entries).toHaveLength(1)
    const other = { categoryId: 'cat_00000000000000000000000000', price: 1 }
    const unknown = await api.patch(`/price-lists/${id}`, { entries: [entries[1], other] })
    expect(refusalOf(unknown)).toEqual({ status: 404, code: 'NOT_FOUND', param: 'entries[1].categoryId' })
    expect((await change({ customerGroupIds: null, entries: [] })).customerGroupIds).toBeNull()
    expect(refusalOf(await api.patch(`/price-lists/${id}`, { entries: [entries[1]] }))).toMatchObject({
      status: 404,
      param: 'entries[0].categoryId',
    })
  })

  test('a record of another workspace is 404 in a list', async () => {
    const foreign = await openShop(globex())
    const answer = await acme().post('/price-lists', {
      name: 'Foreign',
      entries: [{ variantId: foreign.latte, price: 1 }],
    })
    expect(refusalOf(answer)).toEqual({ status: 404, code: 'NOT_FOUND', param: 'entries[0].variantId' })
  })
})

describe('a long price list', () => {
  const MANY = 5_000

  test('is in its events with its first 100 entries, and in full in answers', async () => {
    const { api } = await shopIn('Long')
    const { product } = done(
      await api.post('/products', {
        name: 'Baut',
        variants: Array.from({ length: 101 }, (_, size) => ({ name: `M${size}`, price: 1_000 })),
      }),
    )
    const entries = product.variants.map(({ id }: { id: string }) => ({ variantId: id, price: 900 }))
    const id = await makeList(api, { entries })
    done(await api.patch(`/price-lists/${id}`, { entries: entries.slice(0, 100) }))
    done(await api.patch(`/price-lists/${id}`, { entries }))
    expect(done(await api.get(`/price-lists/${id}`)).priceList.entries).toHaveLength(101)
    done(await api.delete(`/price-lists/${id}`))
    const told = (await eventsAbout(api, id)).map(({ data: { priceList } }) => [
      priceList.entries.length,
      priceList.truncated,
    ])
    expect(told).toEqual([
      [100, true],
      [100, undefined],
      [100, true],
      [100, true],
    ])
  })

  test('takes no more memory when it has changed often', async () => {
    const { api, outletId, latte } = await shopIn('Often')
    const id = await makeList(api, { entries: [{ variantId: latte, price: 12_000 }] })
    // As many as a list can have; the goods themselves are not needed.
    const entry = { variantId: latte, categoryId: null, price: 12_000, adjustBps: null, roundTo: null }
    const others = Array.from({ length: MANY }, (_, n) => ({
      ...entry,
      variantId: `var_${String(n).padStart(26, '0')}`,
    }))
    await deps()
      .db.updateTable('priceLists')
      .set({ entries: JSON.stringify([entry, ...others]) })
      .where('accountId', '=', api.workspace.accountId)
      .execute()
    const changeAndSell = async (rounds: number) => {
      for (let priority = 0; priority < rounds; priority += 1) {
        done(await api.patch(`/price-lists/${id}`, { priority }))
        expect((await sell(api, outletId, [{ variantId: latte, quantity: 1 }])).total).toBe(12_000)
      }
    }
    const rounds = 20
    await changeAndSell(rounds)
    const before = heapAfterCollection()
    await changeAndSell(rounds)
    // Each version of the list takes more than half a megabyte.
    expect(heapAfterCollection() - before).toBeLessThan((rounds / 2) * 500_000)
  })
})

describe('a sale', () => {
  test('takes the price of the first list that fits and keeps its id, before and after the list is deleted', async () => {
    const { api, outletId, latte, cake } = await shopIn('Frozen')
    const plain = await sell(api, outletId, [{ variantId: latte, quantity: 1 }])
    expect(pricesOf(plain)).toEqual([{ quantity: 1, unitPrice: 15_000, priceListId: null }])
    const priceListId = await makeList(api, { entries: [{ variantId: latte, price: 12_000 }] })
    const items = [
      { variantId: latte, quantity: 2 },
      { variantId: cake, quantity: 1 },
    ]
    const listed = await sell(api, outletId, items, { status: 'COMPLETED' })
    expect(pricesOf(listed)).toEqual([
      { quantity: 2, unitPrice: 12_000, priceListId },
      { quantity: 1, unitPrice: 7_500, priceListId: null },
    ])
    expect(listed.total).toBe(31_500)
    done(await api.patch(`/price-lists/${priceListId}`, { entries: [{ variantId: latte, price: 11_000 }] }))
    expect((await sell(api, outletId, items)).total).toBe(29_500)
    done(await api.delete(`/price-lists/${priceListId}`))
    expect((await sell(api, outletId, items)).total).toBe(37_500)
    expect(pricesOf(saleOf(await api.get(`/sales/${listed.id}`)))[0]).toMatchObject({ priceListId })
    await assertInvariants(deps().db)
  })

  test('of another process uses a price list as soon as it is written', async () => {
    const { api, outletId, latte } = await shopIn('Two processes')
    const other = await alongside()
    const there = other.as(api.workspace.key)
    const items = [{ variantId: latte, quantity: 1 }]
    const totalThere = async () => (await sell(there, outletId, items, { status: 'COMPLETED' })).total
    expect(await totalThere()).toBe(15_000)
    const id = await makeList(api, { entries: [{ variantId: latte, price: 9_000 }] })
    expect(await totalThere()).toBe(9_000)
    done(await api.patch(`/price-lists/${id}`, { isActive: false }))
    expect(await totalThere()).toBe(15_000)
  })

  test('is compared by outlet, order type, channel and customer group', async () => {
    const { api, outletId, latte } = await shopIn('Conditions')
    const other = await openShop(api)
    const group = done(await api.post('/customer-groups', { name: 'Member' })).customerGroup.id
    const member = await makeCustomer(api, { groupIds: [group] })
    const guest = await makeCustomer(api)
    const entries = (price: number) => ({ entries: [{ variantId: latte, price }] })
    await makeList(api, { priority: 1, channels: ['GoFood'], orderTypes: ['DELIVERY'], ...entries(18_000) })
    await makeList(api, { priority: 2, customerGroupIds: [group], ...entries(13_000) })
    await makeList(api, { priority: 3, orderTypes: ['TAKEAWAY'], ...entries(14_000) })
    await makeList(api, { priority: 4, outletIds: [other.outletId], ...entries(10_000) })
    const totalOf = async (fields: Fields, at = outletId) =>
      (await sell(api, at, [{ variantId: latte, quantity: 1 }], fields)).total
    expect(await totalOf({})).toBe(15_000)
    expect(await totalOf({ orderType: 'DELIVERY', channel: ' GOFOOD ' })).toBe(18_000)
    expect(await totalOf({ orderType: 'TAKEAWAY', channel: 'GOFOOD' })).toBe(14_000)
    expect(await totalOf({ customerId: member })).toBe(13_000)
    expect(await totalOf({ customerId: guest })).toBe(15_000)
    expect(await totalOf({}, other.outletId)).toBe(10_000)
  })

  test('keeps its channel: in a split on both bills, in a merge that of the first bill that has one', async () => {
    const { api, outletId, latte } = await shopIn('Channel')
    const bill = await sell(api, outletId, [{ variantId: latte, quantity: 2 }], { channel: 'GOFOOD' })
    expect(bill.channel).toBe('GOFOOD')
    const items = [{ id: bill.items[0].id, quantity: 1 }]
    const split = done(await api.post(`/sales/${bill.id}/split`, { items }))
    expect([split.from.channel, split.sale.channel]).toEqual(['GOFOOD', 'GOFOOD'])
    const counter = await sell(api, outletId, [{ variantId: latte, quantity: 1 }])
    const merged = done(await api.post(`/sales/${counter.id}/merge`, { saleId: split.sale.id })).sale
    expect(merged.channel).toBe('GOFOOD')
    const long = { outletId, items: [{ variantId: latte, quantity: 1 }], channel: 'x'.repeat(41) }
    expect(refusalOf(await api.post('/sales', long))).toMatchObject({ status: 400, param: 'channel' })
  })

  test('with a unitPrice that was sent keeps it, and names the list only if the price is that of the list', async () => {
    const { api, outletId, latte } = await shopIn('Sent')
    const priceListId = await makeList(api, { entries: [{ variantId: latte, price: 12_000 }] })
    const one = (unitPrice: number) => ({ variantId: latte, quantity: 1, unitPrice })
    expect(pricesOf(await sell(api, outletId, [one(12_000), one(15_000)]))).toEqual([
      { quantity: 1, unitPrice: 12_000, priceListId },
      { quantity: 1, unitPrice: 15_000, priceListId: null },
    ])
  })

  test('of a cashier needs no approval for the price of a list, and one for the price of the catalogue', async () => {
    const { api, outletId, latte } = await shopIn('Approval')
    await makeList(api, { entries: [{ variantId: latte, price: 12_000 }] })
    done(await api.put('/settings', { approvals: { priceChange: true } }))
    const { api: cashier } = await memberOf(api, 'CASHIER')
    const send = (item: Fields) =>
      cashier.post('/sales', {
        outletId,
        status: 'PARKED',
        items: [{ variantId: latte, quantity: 1, ...item }],
      })
    expect(saleOf(await send({})).total).toBe(12_000)
    expect(saleOf(await send({ unitPrice: 12_000 })).total).toBe(12_000)
    expect(refusalOf(await send({ unitPrice: 15_000 }))).toMatchObject({
      status: 403,
      code: 'APPROVAL_REQUIRED',
    })
  })

  test('that was made offline has the list of the time at which it was sold, and a warning for another price', async () => {
    const { api, outletId, latte } = await shopIn('Offline')
    const priceListId = await makeList(api, {
      from: '15:00',
      to: '16:00',
      entries: [{ variantId: latte, price: 12_000 }],
    })
    clock.set(AFTER)
    const send = async (soldAt: string, unitPrice: number) => {
      const payments = [{ method: 'CASH', amount: unitPrice }]
      const items = [{ variantId: latte, quantity: 1, unitPrice }]
      const offline = { ref: fresh('T'), soldAt, terms: {}, printedTotal: unitPrice }
      return done(await api.post('/sales', { outletId, items, payments, offline }))
    }
    const during = await send(HAPPY_HOUR, 12_000)
    expect([pricesOf(during.sale), during.warnings]).toEqual([
      [{ quantity: 1, unitPrice: 12_000, priceListId }],
      [],
    ])
    const before = await send(MONDAY, 15_000)
    expect([before.sale.items[0].priceListId, before.warnings]).toEqual([null, []])
    expect((await send(HAPPY_HOUR, 15_000)).warnings).toMatchObject([{ code: 'PRICE_CHANGED' }])
  })
})

describe('an open bill', () => {
  async function happyHour(name: string) {
    const shop = await shopIn(name)
    const priceListId = await makeList(shop.api, {
      from: '15:00',
      to: '17:00',
      entries: [{ variantId: shop.latte, price: 12_000 }],
    })
    return { ...shop, priceListId }
  }

  test('keeps the price of happy hour after it ends; added units are an item of their own at the present price', async () => {
    const { api, outletId, latte, priceListId } = await happyHour('Ends')
    clock.set(HAPPY_HOUR)
    const bill = await sell(api, outletId, [{ variantId: latte, quantity: 2 }])
    const happy = { quantity: 2, unitPrice: 12_000, priceListId }
    const { id } = bill.items[0]
    clock.set(AFTER)
    expect(pricesOf(await edit(api, bill.id, { items: [{ id }] }))).toEqual([happy])
    const grown = await edit(api, bill.id, { items: [{ id, quantity: 5 }] })
    expect(grown.items[0].id).toBe(id)
    expect(pricesOf(grown)).toEqual([happy, { quantity: 3, unitPrice: 15_000, priceListId: null }])
    expect(grown.total).toBe(69_000)
    const again = grown.items.map((item: { id: string }) => ({ id: item.id }))
    expect(pricesOf(await edit(api, bill.id, { items: again }))).toEqual(pricesOf(grown))
    const fewer = await edit(api, bill.id, { items: [{ id, quantity: 1 }, again[1]] })
    expect(pricesOf(fewer)[0]).toEqual({ ...happy, quantity: 1 })
    await assertInvariants(deps().db)
  })

  test('that names its goods without an item id keeps their price as well', async () => {
    const { api, outletId, latte, priceListId } = await happyHour('No ids')
    clock.set(HAPPY_HOUR)
    const bill = await sell(api, outletId, [{ variantId: latte, quantity: 2 }])
    clock.set(AFTER)
    const grown = await edit(api, bill.id, { items: [{ variantId: latte, quantity: 3 }] })
    expect(pricesOf(grown)).toEqual([
      { quantity: 2, unitPrice: 12_000, priceListId },
      { quantity: 1, unitPrice: 15_000, priceListId: null },
    ])
  })

  test('opened before happy hour keeps the price of the catalogue and gets the list for added units', async () => {
    const { api, outletId, latte, priceListId } = await happyHour('Begins')
    const bill = await sell(api, outletId, [{ variantId: latte, quantity: 1 }])
    clock.set(HAPPY_HOUR)
    const grown = await edit(api, bill.id, { items: [{ id: bill.items[0].id, quantity: 2 }] })
    expect(pricesOf(grown)).toEqual([
      { quantity: 1, unitPrice: 15_000, priceListId: null },
      { quantity: 1, unitPrice: 12_000, priceListId },
    ])
  })

  test('takes a price that an edit sends for all units of the item', async () => {
    const { api, outletId, latte } = await happyHour('Sent in an edit')
    clock.set(HAPPY_HOUR)
    const bill = await sell(api, outletId, [{ variantId: latte, quantity: 1 }])
    clock.set(AFTER)
    const { id } = bill.items[0]
    const sent = await edit(api, bill.id, { items: [{ id, quantity: 3, unitPrice: 10_000 }] })
    expect(pricesOf(sent)).toEqual([{ quantity: 3, unitPrice: 10_000, priceListId: null }])
  })

  test('gives added units the present price although the till sends the price of the item back', async () => {
    const { api, outletId, latte, priceListId } = await happyHour('Sent back')
    clock.set(HAPPY_HOUR)
    const bill = await sell(api, outletId, [{ variantId: latte, quantity: 1 }])
    clock.set(AFTER)
    const { id } = bill.items[0]
    const grown = await edit(api, bill.id, { items: [{ id, quantity: 50, unitPrice: 12_000 }] })
    expect(pricesOf(grown)).toEqual([
      { quantity: 1, unitPrice: 12_000, priceListId },
      { quantity: 49, unitPrice: 15_000, priceListId: null },
    ])
  })

  test('the kitchen started grows by items of the present price alone', async () => {
    const { api, outletId, latte, priceListId } = await happyHour('Kitchen')
    clock.set(HAPPY_HOUR)
    const { id: tableId } = await makeTable(api, outletId)
    const bill = await sell(api, outletId, [{ variantId: latte, quantity: 1 }], { tableId })
    done(await api.post(`/kds/${bill.id}/advance`))
    clock.set(AFTER)
    const grown = await edit(api, bill.id, { items: [{ id: bill.items[0].id, quantity: 3 }] })
    expect(pricesOf(grown)).toEqual([
      { quantity: 1, unitPrice: 12_000, priceListId },
      { quantity: 2, unitPrice: 15_000, priceListId: null },
    ])
  })

  test('without any list grows at the price that it has, even after the catalogue changed', async () => {
    const { api, outletId } = await shopIn('No list')
    const product = await makeProduct(api, { variants: [{ price: 10_000 }] })
    const variantId = product.variants[0].id
    const bill = await sell(api, outletId, [{ variantId, quantity: 1 }])
    done(await api.patch(`/products/${product.id}/variants/${variantId}`, { price: 11_000 }))
    const grown = await edit(api, bill.id, { items: [{ id: bill.items[0].id, quantity: 2 }] })
    expect(pricesOf(grown)).toEqual([{ quantity: 2, unitPrice: 10_000, priceListId: null }])
  })

  test('a split and a merge keep the price and the list of each item', async () => {
    const { api, outletId, latte, priceListId } = await happyHour('Split')
    clock.set(HAPPY_HOUR)
    const bill = await sell(api, outletId, [{ variantId: latte, quantity: 3 }])
    clock.set(AFTER)
    const items = [{ id: bill.items[0].id, quantity: 1 }]
    const { sale, from } = done(await api.post(`/sales/${bill.id}/split`, { items }))
    expect(pricesOf(sale)).toEqual([{ quantity: 1, unitPrice: 12_000, priceListId }])
    expect(pricesOf(from)).toEqual([{ quantity: 2, unitPrice: 12_000, priceListId }])
    const merged = done(await api.post(`/sales/${from.id}/merge`, { saleId: sale.id })).sale
    expect(merged.total).toBe(36_000)
  })
})

describe('the catalogue of a till', () => {
  test('has the active lists of its outlet, names a changed one again and a removed one once', async () => {
    const { api, outletId, latte } = await shopIn('Till')
    const other = await openShop(api)
    const read = async (since?: string) =>
      done(await api.get(`/catalogue?outletId=${outletId}${since === undefined ? '' : `&since=${since}`}`))
    const entries = [{ variantId: latte, price: 12_000 }]
    const id = await makeList(api, { startsAt: MONDAY, weekdays: [1], entries })
    await makeList(api, { outletIds: [other.outletId], entries })
    await makeList(api, { isActive: false, entries })
    const first = await read()
    const { createdAt, updatedAt, ...priceList } = done(await api.get(`/price-lists/${id}`)).priceList
    expect(first.priceLists).toEqual([priceList])
    expect((await read(first.version)).priceLists).toEqual([])
    done(await api.patch(`/price-lists/${id}`, { priority: 7 }))
    const second = await read(first.version)
    expect(second.priceLists).toMatchObject([{ id, priority: 7 }])
    done(await api.delete(`/price-lists/${id}`))
    expect(await read(second.version)).toMatchObject({
      priceLists: [],
      removed: [{ type: 'priceList', id }],
    })
  })
})

test('a workspace has at most 200 price lists, also when fifty are created together', async () => {
  const { api } = await shopIn('Full')
  for (let sent = 0; sent < 180; sent += 20)
    await Promise.all(Array.from({ length: 20 }, () => makeList(api, {})))
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => api.post('/price-lists', { name: fresh('List') })),
  )
  expect(answers.filter(({ status }) => status === 201).length).toBe(20)
  const refused = answers.filter(({ status }) => status !== 201)
  for (const answer of refused) expect(refusalOf(answer)).toMatchObject({ code: 'LIMIT_REACHED' })
  const [first] = done(await api.get('/price-lists')).priceLists
  done(await api.delete(`/price-lists/${first.id}`))
  await makeList(api, {})
})

test('a workspace has at most 100,000 entries of price lists', async () => {
  const { api, latte } = await shopIn('Long')
  const list = await makeList(api, { entries: [{ variantId: latte, price: 1 }] })
  await deps().pool.query(
    `update price_lists set entries = (select jsonb_agg(e.entry) from generate_series(1, 99999), jsonb_array_elements(price_lists.entries) as e (entry)) where id = $1`,
    [list],
  )
  const second = await makeList(api, { entries: [{ variantId: latte, price: 1 }] })
  const categoryId = await makeCategory(api)
  const entries = [
    { variantId: latte, price: 1 },
    { categoryId, price: 1 },
  ]
  const answer = await api.patch(`/price-lists/${second}`, { entries })
  expect([answer.status, answer.error?.code, answer.error?.param]).toEqual([
    403,
    'LIMIT_REACHED',
    'priceLists',
  ])
  expect(done(await api.get(`/price-lists/${second}`)).priceList.entries.length).toBe(1)
})
