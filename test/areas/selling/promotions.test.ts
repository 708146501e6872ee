import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { manualClock } from '../../../src/platform/clock.ts'
import type { Api } from '../../support/api.ts'
import { fresh, makeCategory, makeCustomer, makeProduct, openShop } from '../../support/build.ts'
import { memberOf } from '../../support/clients.ts'
import { assertInvariants, done, refusalOf, saleOf } from '../../support/expect.ts'
import { eventsAbout } from '../../support/read.ts'
import { acme, deps, globex, useService, workspace } from '../../support/service.ts'

// Monday 14:00 in Jakarta.
const MONDAY = '2026-11-23T07:00:00.000Z'
const HAPPY_HOUR = '2026-11-23T08:30:00.000Z'
const AFTER = '2026-11-23T10:00:00.000Z'
const clock = manualClock(MONDAY)
useService({ clock })
beforeEach(() => clock.set(MONDAY))

type Fields = Record<string, unknown>
const makePromotion = async (api: Api, fields: Fields): Promise<string> =>
  done(await api.post('/promotions', { name: 'Promo', ...fields })).promotion.id
const tenth = { kind: 'PERCENT', percentBps: 1_000 }

async function shopIn(name: string, outlet: Fields = {}) {
  const api = await workspace(name)
  const shop = await openShop(api, outlet)
  const send = (items: Fields[], fields: Fields = {}) =>
    api.post('/sales', { outletId: shop.outletId, items, status: 'PARKED', ...fields })
  const sell = async (items: Fields[], fields: Fields = {}) => saleOf(await send(items, fields))
  const latte = (quantity = 1, fields: Fields = {}) => ({ variantId: shop.latte, quantity, ...fields })
  const cake = (quantity = 1, fields: Fields = {}) => ({ variantId: shop.cake, quantity, ...fields })
  return { api, outletId: shop.outletId, ids: shop, send, sell, latte, cake }
}
const sharesOf = ({ items }: { items: Fields[] }) =>
  items.map(({ quantity, promotionShare }) => [quantity, promotionShare])
const edit = async (api: Api, id: string, body: Fields) => saleOf(await api.patch(`/sales/${id}/items`, body))

describe('the record of a promotion', () => {
  test('has each field as it was sent and null for what was left out', async () => {
    const { api, ids } = await shopIn('Record')
    const body = {
      name: 'Paket',
      kind: 'BUNDLE',
      priority: 2,
      stackable: false,
      bundle: [{ variantId: ids.latte, quantity: 2 }],
      bundlePrice: 25_000,
      minSpend: 10_000,
      code: 'Paket25',
      usageLimit: 3,
      oncePerCustomer: true,
      weekdays: [1],
      endsAt: '2026-12-01T00:00:00+07:00',
    }
    const { promotion } = done(await api.post('/promotions', body))
    const { id } = promotion
    expect(promotion).toEqual({
      ...body,
      id: expect.stringMatching(/^pro_/),
      isActive: true,
      percentBps: null,
      amount: null,
      buyQuantity: null,
      getQuantity: null,
      bundle: [{ variantId: ids.latte, categoryId: null, quantity: 2 }],
      variantIds: null,
      categoryIds: null,
      usedCount: 0,
      outletIds: null,
      orderTypes: null,
      channels: null,
      customerGroupIds: null,
      from: null,
      to: null,
      startsAt: null,
      endsAt: '2026-11-30T17:00:00.000Z',
      createdAt: MONDAY,
      updatedAt: MONDAY,
    })
    expect(done(await api.get(`/promotions/${id}`)).promotion).toEqual(promotion)
    const changed = done(await api.patch(`/promotions/${id}`, { bundlePrice: 20_000 })).promotion
    expect(changed).toEqual({ ...promotion, bundlePrice: 20_000 })
    expect(done(await api.get('/promotions')).promotions).toEqual([changed])
    expect(done(await api.delete(`/promotions/${id}`))).toEqual({ id, deleted: true })
    expect(refusalOf(await api.get(`/promotions/${id}`))).toEqual({ status: 404, code: 'NOT_FOUND' })
    expect((await eventsAbout(api, id)).map(({ type }) => type)).toEqual([
      'service.promotion.created.v1',
      'service.promotion.updated.v1',
      'service.promotion.deleted.v1',
    ])
  })

  const bundle = [{ categoryId: 'cat_x', quantity: 1 }]
  test.each<[Fields, number, string, string]>([
    [{ kind: 'GIFT' }, 400, 'kind', 'kind must be one of PERCENT, AMOUNT, BUY_X_GET_Y, BUNDLE'],
    [{ kind: 'PERCENT' }, 422, 'percentBps', 'A promotion of the kind PERCENT needs percentBps'],
    [{ kind: 'PERCENT', percentBps: 10_001 }, 400, 'percentBps', 'percentBps must be at most 10000'],
    [{ kind: 'AMOUNT' }, 422, 'amount', 'A promotion of the kind AMOUNT needs amount'],
    [{ kind: 'AMOUNT', amount: 0 }, 400, 'amount', 'amount must be at least 1'],
    [
      { kind: 'BUY_X_GET_Y', buyQuantity: 1 },
      422,
      'getQuantity',
      'A promotion of the kind BUY_X_GET_Y needs getQuantity',
    ],
    [{ kind: 'BUNDLE', bundlePrice: 1 }, 422, 'bundle', 'A promotion of the kind BUNDLE needs bundle'],
    [
      { kind: 'BUNDLE', bundle: [{ quantity: 1 }], bundlePrice: 1 },
      400,
      'bundle[0].variantId',
      'Name either a variant or a category',
    ],
    [
      { kind: 'BUNDLE', bundle, bundlePrice: 1 },
      404,
      'bundle[0].categoryId',
      'No such category: check bundle[0].categoryId',
    ],
    [{ ...tenth, amount: 1 }, 422, 'amount', 'A promotion of the kind PERCENT has no amount: leave it out'],
    [{ ...tenth, usageLimit: 1 }, 422, 'usageLimit', 'Only a voucher has a usage limit: send a code as well'],
    [{ ...tenth, code: 'a b' }, 400, 'code', 'code must be a code without spaces'],
    [
      { ...tenth, variantIds: ['var_x'] },
      404,
      'variantIds[0]',
      'No such product variant: check variantIds[0]',
    ],
    [{ ...tenth, categoryIds: ['cat_x'] }, 404, 'categoryIds[0]', 'No such category: check categoryIds[0]'],
    [
      { ...tenth, from: '10:00', to: '10:00' },
      422,
      'to',
      'The window is empty: choose an end that differs from the start',
    ],
  ])('a body of %j is answered %i %s', async (fields, status, param, message) => {
    const answer = await acme().post('/promotions', { name: 'Bad', ...fields })
    expect([answer.status, answer.error?.param, answer.error?.message]).toEqual([status, param, message])
  })

  test('a code belongs to one promotion of a workspace, in any case', async () => {
    const code = `K${Date.now()}`
    const id = await makePromotion(acme(), { ...tenth, code })
    const other = await makePromotion(acme(), tenth)
    const taken = { status: 409, code: 'CONFLICT', param: 'code' }
    const again = { name: 'Again', ...tenth, code: code.toLowerCase() }
    expect(refusalOf(await acme().post('/promotions', again))).toEqual(taken)
    expect(refusalOf(await acme().patch(`/promotions/${other}`, { code }))).toEqual(taken)
    await makePromotion(globex(), { ...tenth, code })
    done(await acme().delete(`/promotions/${id}`))
    done(await acme().post('/promotions', { ...again, isActive: false }))
  })

  test('a promotion that names deleted records can be changed, and a new unknown record is still 404', async () => {
    const api = await workspace('Deleted names')
    const gone = await makeCategory(api)
    const { id: group } = done(await api.post('/customer-groups', { name: 'Grosir' })).customerGroup
    const named = { categoryIds: [gone], customerGroupIds: [group] }
    const id = await makePromotion(api, { ...tenth, ...named })
    done(await api.delete(`/categories/${gone}`))
    done(await api.delete(`/customer-groups/${group}`))
    expect(done(await api.patch(`/promotions/${id}`, { isActive: false })).promotion).toMatchObject({
      isActive: false,
      ...named,
    })
    const unknown = { categoryIds: [gone, 'cat_00000000000000000000000000'] }
    expect(refusalOf(await api.patch(`/promotions/${id}`, unknown))).toEqual({
      status: 404,
      code: 'NOT_FOUND',
      param: 'categoryIds[1]',
    })
  })

  test('a cashier reads no promotions, because they hold codes', async () => {
    const { api } = await memberOf(acme(), 'CASHIER')
    expect((await api.get('/promotions')).status).toBe(403)
  })
})

describe('a sale', () => {
  test('freezes its promotions and takes them off before the order discount and tax', async () => {
    const { api, sell, latte, cake } = await shopIn('Frozen', { taxRateBps: 1_000 })
    const id = await makePromotion(api, tenth)
    const sale = await sell([latte(2, { discount: 5_000 }), cake()], {
      status: 'COMPLETED',
      orderDiscount: 1_250,
    })
    // 25.000 + 7.500 after item discounts, 3.250 off; 29.250 less 1.250 is 28.000, with 10% tax 30.800.
    expect(sale).toMatchObject({
      promotions: [{ id, name: 'Promo', amount: 3_250 }],
      subtotal: 29_250,
      orderDiscount: 1_250,
      discountTotal: 9_500,
      total: 30_800,
    })
    expect(sharesOf(sale)).toEqual([
      [2, 2_500],
      [1, 750],
    ])
    done(await api.patch(`/promotions/${id}`, { percentBps: 5_000 }))
    done(await api.delete(`/promotions/${id}`))
    expect(saleOf(await api.get(`/sales/${sale.id}`))).toMatchObject({ total: 30_800, promotions: [{ id }] })
    await assertInvariants(deps().db)
  })

  test('refunds of its items take back their share exactly', async () => {
    const { api, sell, latte, cake } = await shopIn('Refund', { taxRateBps: 1_100 })
    await makePromotion(api, { kind: 'AMOUNT', amount: 9_999 })
    const sale = await sell([latte(3), cake(2)], { status: 'COMPLETED' })
    const [first, second] = sale.items
    let returned = 0
    for (const [item, qty] of [
      [first, 1],
      [second, 2],
      [first, 1],
      [first, 1],
    ]) {
      const answer = done(
        await api.post(`/sales/${sale.id}/refund`, { lines: [{ transactionItemId: item.id, qty }] }),
      )
      returned = answer.sale.refundedTotal
    }
    expect([returned, sale.total]).toEqual([55_501, 55_501])
    await assertInvariants(deps().db)
  })

  test('an item that is refunded in any pieces gives back what it gives as a whole, and all items together what was paid', async () => {
    const { api, sell, latte, cake } = await shopIn('Pieces', { taxRateBps: 1_100 })
    await makePromotion(api, { kind: 'PERCENT', percentBps: 733 })
    await makePromotion(api, { kind: 'BUY_X_GET_Y', buyQuantity: 2, getQuantity: 1, priority: 1 })
    await makePromotion(api, { kind: 'AMOUNT', amount: 3_333, priority: 2 })
    const quantity = fc.integer({ min: 1, max: 5 })
    const goods = fc.array(fc.record({ isLatte: fc.boolean(), quantity }), { minLength: 1, maxLength: 4 })
    /** What the refunds of a sale give back for each item, by its place. */
    const returned = async (sale: { id: string; items: { id: string }[] }, pieces: [number, number][]) => {
      const amounts = sale.items.map(() => 0)
      for (const [place, qty] of pieces) {
        const lines = [{ transactionItemId: sale.items[place]?.id, qty }]
        const { refunds, refundStatus } = saleOf(await api.post(`/sales/${sale.id}/refund`, { lines }))
        amounts[place] = (amounts[place] ?? 0) + refunds.at(-1).amount
        // Only units that cost nothing are left (B-refund-1).
        if (refundStatus === 'FULL') break
      }
      return amounts
    }
    await fc.assert(
      fc.asyncProperty(goods, fc.infiniteStream(fc.nat()), async (basket, order) => {
        const items = basket.map(({ isLatte, quantity: count }) => (isLatte ? latte(count) : cake(count)))
        const whole = await sell(items, { status: 'COMPLETED' })
        const inPieces = await sell(items, { status: 'COMPLETED' })
        const units = items
          .flatMap((item, place) =>
            Array.from({ length: item.quantity }, () => ({ place, at: order.next().value })),
          )
          .sort((one, other) => one.at - other.at)
        const all = items.map((item, place): [number, number] => [place, item.quantity])
        const amounts = await returned(whole, all)
        expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe(whole.total)
        expect(
          await returned(
            inPieces,
            units.map(({ place }) => [place, 1]),
          ),
        ).toEqual(amounts)
      }),
      { numRuns: 20 },
    )
    await assertInvariants(deps().db)
  }, 120_000)

  test('a promotion shows on the receipt, before the subtotal', async () => {
    const { api, sell, latte } = await shopIn('Receipt')
    await makePromotion(api, { ...tenth, name: 'Diskon Senin' })
    const sale = await sell([latte(2)], { status: 'COMPLETED' })
    const { text } = await api.get(`/sales/${sale.id}/receipt?format=text`)
    expect(text).toMatch(/Diskon Senin +-Rp 3\.000\nSubtotal +Rp 27\.000/)
  })

  test('a cashier needs no approval for a promotion, and one for a discount of their own above the limit', async () => {
    const { api, outletId, latte } = await shopIn('Approval')
    await makePromotion(api, { kind: 'PERCENT', percentBps: 5_000 })
    done(await api.put('/settings', { approvals: { discountAboveBps: 1_000 } }))
    const { api: cashier } = await memberOf(api, 'CASHIER')
    const send = (orderDiscount: number) =>
      cashier.post('/sales', { outletId, status: 'PARKED', items: [latte(2)], orderDiscount })
    expect(saleOf(await send(3_000)).total).toBe(12_000)
    expect(refusalOf(await send(3_001))).toMatchObject({ status: 403, code: 'APPROVAL_REQUIRED' })
  })
})

test('a workspace has at most 500 active promotions without a code; vouchers and inactive ones do not count', async () => {
  const { api } = await shopIn('Many')
  const { id } = done(await api.post('/promotions', { ...tenth, name: 'First' })).promotion
  await deps().pool.query(
    `insert into promotions select (jsonb_populate_record(p, jsonb_build_object('id', p.id || n))).*
      from promotions p, generate_series(1, 501) n where p.id = $1`,
    [id],
  )
  await makePromotion(api, { ...tenth, code: 'HEMAT' })
  const oneMore = await makePromotion(api, { ...tenth, isActive: false })
  const refused = { status: 403, code: 'LIMIT_REACHED', param: 'promotions' }
  expect(refusalOf(await api.post('/promotions', { ...tenth, name: 'Last' }))).toEqual(refused)
  expect(refusalOf(await api.patch(`/promotions/${oneMore}`, { isActive: true }))).toEqual(refused)
  // A workspace that has more from before can still change and switch off what it has.
  done(await api.patch(`/promotions/${id}`, { name: 'Renamed' }))
  for (const suffix of ['', '1', '2', '3'])
    done(await api.patch(`/promotions/${id}${suffix}`, { isActive: false }))
  done(await api.patch(`/promotions/${oneMore}`, { isActive: true }))
})

test('a workspace has at most 10,000 promotions and vouchers', async () => {
  const { api } = await shopIn('Vouchers')
  const id = await makePromotion(api, { ...tenth, code: 'HEMAT' })
  await deps().pool.query(
    `insert into promotions select (jsonb_populate_record(p,
        jsonb_build_object('id', p.id || n, 'code', 'HEMAT' || n, 'code_key', 'hemat' || n))).*
      from promotions p, generate_series(1, 9999) n where p.id = $1`,
    [id],
  )
  const oneMore = () => api.post('/promotions', { ...tenth, name: 'Last', code: 'LAST' })
  expect(refusalOf(await oneMore())).toEqual({ status: 403, code: 'LIMIT_REACHED', param: 'promotions' })
  done(await api.patch(`/promotions/${id}`, { code: 'HEMAT-LAGI', isActive: false }))
  expect(done(await api.get('/promotions')).promotions).toHaveLength(10_000)
  done(await api.delete(`/promotions/${id}`))
  expect((await oneMore()).status).toBe(201)
})

test('the promotions and vouchers of a workspace have at most 100,000 ids and channels in all', async () => {
  const { api, ids, outletId } = await shopIn('Named')
  const both = { variantIds: [ids.latte, ids.cake] }
  const longId = await makePromotion(api, { ...tenth, variantIds: [ids.latte], code: 'HEMAT' })
  await deps().pool.query(
    `update promotions set variant_ids = variant_ids || array(select 'var_' || n from generate_series(1, 99997) n)
      where id = $1`,
    [longId],
  )
  const growing = await makePromotion(api, { ...tenth, variantIds: [ids.latte] })
  const refused = { status: 403, code: 'LIMIT_REACHED', param: 'promotions' }
  const refusalOfChange = async (change: Fields) =>
    refusalOf(await api.patch(`/promotions/${growing}`, change))
  done(await api.patch(`/promotions/${growing}`, { categoryIds: [await makeCategory(api)] }))
  for (const more of [both, { ...both, code: 'LAST' }, { ...both, isActive: false }])
    expect(refusalOf(await api.post('/promotions', { name: 'Last', ...tenth, ...more }))).toEqual(refused)
  expect(await refusalOfChange(both)).toEqual(refused)
  expect(await refusalOfChange({ outletIds: [outletId] })).toEqual(refused)
  expect(await refusalOfChange({ channels: ['GOFOOD'] })).toEqual(refused)
  // What adds no ids is possible at the limit.
  done(await api.patch(`/promotions/${growing}`, { name: 'Renamed', variantIds: [ids.cake] }))
  await makePromotion(api, tenth)
})

test('a promotion names each of its goods once; one that names some twice from before can change', async () => {
  const { api, ids } = await shopIn('Twice')
  const categoryId = await makeCategory(api)
  const post = (fields: Fields) => api.post('/promotions', { name: 'Promo', ...tenth, ...fields })
  const refused = (param: string) => ({ status: 400, code: 'VALIDATION_ERROR', param })
  const twice = [ids.latte, ids.cake, ids.latte]
  expect(refusalOf(await post({ variantIds: twice }))).toEqual(refused('variantIds[2]'))
  expect(refusalOf(await post({ categoryIds: [categoryId, categoryId] }))).toEqual(refused('categoryIds[1]'))
  const id = await makePromotion(api, { ...tenth, variantIds: [ids.latte] })
  expect(refusalOf(await api.patch(`/promotions/${id}`, { variantIds: twice }))).toEqual(
    refused('variantIds[2]'),
  )
  await deps().pool.query('update promotions set variant_ids = $2 where id = $1', [id, twice])
  const { promotion } = done(await api.patch(`/promotions/${id}`, { name: 'Renamed' }))
  expect(promotion.variantIds).toEqual(twice)
})

test('the report of promotions has what each gave in completed sales that are not voided', async () => {
  const { api, outletId, sell, latte } = await shopIn('Report')
  const tenthId = await makePromotion(api, { ...tenth, name: 'Sepuluh', priority: 1 })
  const fixedId = await makePromotion(api, { kind: 'AMOUNT', amount: 500, name: 'Tetap', priority: 2 })
  const completed = { status: 'COMPLETED' }
  await sell([latte(2)], completed)
  await sell([latte(1)], completed)
  done(await api.post(`/sales/${(await sell([latte(4)], completed)).id}/void`))
  await sell([latte(4)])
  clock.set(HAPPY_HOUR)
  const read = async (query = '') =>
    done(await api.get(`/reports/promotions?outletId=${outletId}${query}`)).promotions
  expect(await read()).toEqual([
    { promotionId: tenthId, name: 'Sepuluh', sales: 2, amount: 4_500 },
    { promotionId: fixedId, name: 'Tetap', sales: 2, amount: 1_000 },
  ])
  expect(await read('&from=2026-11-01&to=2026-11-02')).toEqual([])
})

describe('an open bill', () => {
  test('keeps happy hour for what was ordered in it; units added later are an item of their own', async () => {
    const { api, sell, latte } = await shopIn('Happy hour')
    await makePromotion(api, { ...tenth, from: '15:00', to: '17:00' })
    clock.set(HAPPY_HOUR)
    const bill = await sell([latte(2)])
    expect(sharesOf(bill)).toEqual([[2, 3_000]])
    clock.set(AFTER)
    const { id } = bill.items[0]
    const grown = await edit(api, bill.id, { items: [{ id, quantity: 3 }] })
    expect(sharesOf(grown)).toEqual([
      [2, 3_000],
      [1, 0],
    ])
    expect(grown.total).toBe(42_000)
    await assertInvariants(deps().db)
  })

  test('adds units ordered later to no item of happy hour, also beside an item of now with a note', async () => {
    const { api, sell, latte } = await shopIn('Beside a note')
    await makePromotion(api, { ...tenth, from: '15:00', to: '17:00' })
    clock.set(HAPPY_HOUR)
    const bill = await sell([latte(2)])
    clock.set(AFTER)
    const { id } = bill.items[0]
    const noted = { ...latte(1), note: 'less sugar' }
    await edit(api, bill.id, { items: [noted, { id }] })
    const grown = await edit(api, bill.id, { items: [noted, latte(3)] })
    expect(sharesOf(grown)).toEqual([
      [1, 0],
      [2, 3_000],
      [1, 0],
    ])
  })

  test('is decided again by an edit, and keeps each rupiah in a split and a merge', async () => {
    const { api, sell, latte, cake } = await shopIn('Split')
    await makePromotion(api, { kind: 'BUY_X_GET_Y', buyQuantity: 2, getQuantity: 1 })
    const bill = await sell([latte(2)])
    expect(bill.promotions).toEqual([])
    const three = await edit(api, bill.id, { items: [{ id: bill.items[0].id }, cake(1)] })
    expect([three.total, sharesOf(three)]).toEqual([
      30_000,
      [
        [2, 0],
        [1, 7_500],
      ],
    ])
    const items = [{ id: three.items[1].id, quantity: 1 }]
    const { sale, from } = done(await api.post(`/sales/${bill.id}/split`, { items }))
    expect([sale.total, sale.promotions.length, from.total, from.promotions]).toEqual([0, 1, 30_000, []])
    const merged = done(await api.post(`/sales/${bill.id}/merge`, { saleId: sale.id })).sale
    expect([merged.total, merged.promotions[0].amount]).toEqual([30_000, 7_500])
    const fewer = await edit(api, bill.id, { items: [{ id: merged.items[0].id }] })
    expect([fewer.total, fewer.promotions]).toEqual([30_000, []])
    await assertInvariants(deps().db)
  })

  test('is paid at the total that its promotions gave it, also after they ended', async () => {
    const { api, sell, latte } = await shopIn('Paid')
    const id = await makePromotion(api, tenth)
    const bill = await sell([latte(2)])
    done(await api.delete(`/promotions/${id}`))
    const paid = saleOf(
      await api.post(`/sales/${bill.id}/settle`, { payments: [{ method: 'CASH', amount: 27_000 }] }),
    )
    expect(paid).toMatchObject({ status: 'COMPLETED', total: 27_000, promotions: [{ id }] })
  })
})

/** As a till does: what could not be served on a busy machine is sent again. */
async function insist<A extends { status: number }>(send: () => Promise<A>): Promise<A> {
  for (;;) {
    const answer = await send()
    if (answer.status !== 503) return answer
  }
}

describe('a voucher', () => {
  test('is used by a completed sale and given back by a void', async () => {
    const { api, send, sell, latte } = await shopIn('Use')
    const id = await makePromotion(api, { ...tenth, code: 'HEMAT', usageLimit: 1 })
    const usedCount = async () => done(await api.get(`/promotions/${id}`)).promotion.usedCount
    const voucherCodes = ['hemat']
    const bill = await sell([latte(2)], { voucherCodes })
    expect([bill.total, bill.voucherCodes, await usedCount()]).toEqual([27_000, ['hemat'], 0])
    const other = await sell([latte(2)], { voucherCodes })
    const pay = (sale: { id: string }) =>
      api.post(`/sales/${sale.id}/settle`, { payments: [{ method: 'CASH', amount: 27_000 }] })
    done(await pay(bill))
    expect(await usedCount()).toBe(1)
    const late = await pay(other)
    expect(refusalOf(late)).toEqual({ status: 422, code: 'VALIDATION_ERROR', param: 'voucherCodes' })
    expect(late.error?.message).toBe('The voucher is used up: take it off the sale')
    const fresh = await send([latte(2)], { voucherCodes })
    expect(refusalOf(fresh)).toMatchObject({ status: 422, param: 'voucherCodes[0]' })
    done(await api.post(`/sales/${bill.id}/void`))
    expect(await usedCount()).toBe(0)
    done(await pay(other))
    expect(await usedCount()).toBe(1)
    const taken = await edit(api, (await sell([latte(1)])).id, { items: [latte(1)], voucherCodes: [] })
    expect(taken.voucherCodes).toEqual([])
    await assertInvariants(deps().db)
  })

  test('that cannot be used is 422 and says why', async () => {
    const { api, send, sell, latte } = await shopIn('Refused')
    await makePromotion(api, { ...tenth, code: 'OLD', endsAt: MONDAY })
    await makePromotion(api, { ...tenth, code: 'SOON', startsAt: HAPPY_HOUR })
    await makePromotion(api, { ...tenth, code: 'OFF', isActive: false })
    await makePromotion(api, { ...tenth, code: 'OK' })
    const messageOf = async (voucherCodes: string[]) => {
      const answer = await send([latte()], { voucherCodes })
      return [answer.status, answer.error?.param, answer.error?.message]
    }
    expect(await messageOf(['OLD'])).toEqual([
      422,
      'voucherCodes[0]',
      'The voucher has expired: sell without it',
    ])
    expect(await messageOf(['SOON'])).toEqual([
      422,
      'voucherCodes[0]',
      'The voucher is not valid yet: sell without it',
    ])
    const unknown = 'No voucher has this code: check it and try again'
    expect(await messageOf(['OFF'])).toEqual([422, 'voucherCodes[0]', unknown])
    expect(await messageOf(['OK', 'nope'])).toEqual([422, 'voucherCodes[1]', unknown])
    expect(await messageOf(['OK', 'ok'])).toEqual([
      422,
      'voucherCodes[1]',
      'The code is in the list twice: send it once',
    ])
    const bill = await sell([latte()], { voucherCodes: ['OK'] })
    const refused = await api.patch(`/sales/${bill.id}/items`, {
      items: [latte()],
      voucherCodes: ['OK', 'OLD'],
    })
    expect(refusalOf(refused)).toMatchObject({ status: 422, param: 'voucherCodes[1]' })
  })

  test('whose conditions are not met gives nothing and a warning', async () => {
    const { api, send, latte } = await shopIn('Warned')
    await makePromotion(api, { ...tenth, code: 'BIG', minSpend: 20_000 })
    const answer = done(await send([latte()], { voucherCodes: ['BIG'] }))
    expect([answer.sale.total, answer.sale.promotions]).toEqual([15_000, []])
    expect(answer.warnings).toEqual([
      {
        code: 'VOUCHER_NOT_APPLIED',
        field: 'voucherCodes[0]',
        message:
          'The voucher gives no discount in this sale: its conditions are not met, or another promotion gives more',
      },
    ])
    const grown = done(await api.patch(`/sales/${answer.sale.id}/items`, { items: [latte(2)] }))
    expect([grown.sale.total, grown.warnings]).toEqual([27_000, []])
  })

  test('once per customer needs a customer and is refused the second time', async () => {
    const { api, send, sell, latte } = await shopIn('Once')
    await makePromotion(api, { ...tenth, code: 'FIRST', oncePerCustomer: true })
    await makePromotion(api, { kind: 'AMOUNT', amount: 100, oncePerCustomer: true })
    const customerId = await makeCustomer(api)
    const completed = { status: 'COMPLETED', customerId }
    expect((await sell([latte()], { voucherCodes: ['FIRST'] })).total).toBe(15_000)
    const first = await sell([latte()], { ...completed, voucherCodes: ['FIRST'] })
    expect(first.total).toBe(13_400)
    const again = await send([latte()], { ...completed, voucherCodes: ['FIRST'] })
    expect(refusalOf(again)).toMatchObject({ status: 422, param: 'voucherCodes[0]' })
    expect(again.error?.message).toBe('This customer has used the promotion before: take it off the sale')
    expect((await sell([latte()], completed)).total).toBe(15_000)
    done(await api.post(`/sales/${first.id}/void`))
    expect((await sell([latte()], completed)).total).toBe(14_900)
    await assertInvariants(deps().db)
  })

  test('gives its discount once to a bill that another bill with it is merged into', async () => {
    const { api, sell, latte, cake } = await shopIn('Merge')
    const off = await makePromotion(api, { kind: 'AMOUNT', amount: 10_000, code: 'V10', usageLimit: 1 })
    const once = await makePromotion(api, { kind: 'AMOUNT', amount: 1_000, oncePerCustomer: true })
    const each = await makePromotion(api, { kind: 'AMOUNT', amount: 100 })
    const tenths = await makePromotion(api, { ...tenth, priority: -1, code: 'P10', usageLimit: 1 })
    const customerId = await makeCustomer(api)
    const buyer = { customerId, voucherCodes: ['V10', 'P10'] }
    const small = await sell([cake()], buyer)
    const large = await sell([latte(2)], { ...buyer, voucherCodes: ['p10', 'v10'] })
    // 7,500 - 10% leaves 6,750; 30,000 - 10% leaves 27,000.
    expect([small.total, large.total]).toEqual([0, 15_900])
    const merged = done(await api.post(`/sales/${small.id}/merge`, { saleId: large.id })).sale
    const amounts = new Map(merged.promotions.map(({ id, amount }: Fields) => [id, amount]))
    // What grows with the goods is added up, as one sale with all of them has it.
    expect(amounts).toEqual(
      new Map([
        [tenths, 3_750],
        [off, 10_000],
        [once, 1_000],
        [each, 100],
      ]),
    )
    expect([merged.total, merged.voucherCodes]).toEqual([37_500 - 14_850, ['V10', 'P10']])
    const paid = done(
      await api.post(`/sales/${small.id}/settle`, {
        payments: [{ method: 'CASH', amount: merged.total }],
      }),
    ).sale
    expect(paid.status).toBe('COMPLETED')
    expect(done(await api.get(`/promotions/${off}`)).promotion.usedCount).toBe(1)
    await assertInvariants(deps().db)
  })

  test('leaves a bill whose customer has used it when another bill brings it along, so that the bill can be paid', async () => {
    const { api, sell, latte, cake } = await shopIn('Merge used')
    const once = await makePromotion(api, { ...tenth, oncePerCustomer: true })
    await makePromotion(api, { kind: 'AMOUNT', amount: 5_000, code: 'FIRST', oncePerCustomer: true })
    const each = await makePromotion(api, { kind: 'AMOUNT', amount: 100, priority: -1 })
    const [used, unused] = [await makeCustomer(api), await makeCustomer(api)]
    const codes = { voucherCodes: ['FIRST'] }
    await sell([latte()], { ...codes, customerId: used, status: 'COMPLETED' })
    const target = await sell([latte()], { customerId: used })
    const other = await sell([cake()], { ...codes, customerId: unused })
    expect([target.total, other.total]).toEqual([14_900, 1_660])
    const merged = done(await api.post(`/sales/${target.id}/merge`, { saleId: other.id })).sale
    expect([merged.total, merged.customerId]).toEqual([14_900 + 7_400, used])
    expect(merged.promotions).toMatchObject([{ id: each, amount: 200 }])
    const payments = [{ method: 'CASH', amount: merged.total }]
    const paid = saleOf(await api.post(`/sales/${target.id}/settle`, { payments }))
    expect(paid.status).toBe('COMPLETED')
    expect(done(await api.get(`/promotions/${once}`)).promotion.usedCount).toBe(1)
    await assertInvariants(deps().db)
  })

  test('stays whole on the bill with its code when items are split off, and no edit gives it again', async () => {
    const { api, sell, latte, cake } = await shopIn('Split off')
    const off = await makePromotion(api, { kind: 'AMOUNT', amount: 10_000, code: 'V10', usageLimit: 1 })
    const customerId = await makeCustomer(api)
    const bill = await sell([latte(2), cake(2)], { customerId, voucherCodes: ['V10'] })
    expect(bill.total).toBe(35_000)
    const items = [
      { id: bill.items[0].id, quantity: 1 },
      { id: bill.items[1].id, quantity: 2 },
    ]
    const { sale, from } = done(await api.post(`/sales/${bill.id}/split`, { items }))
    expect([sale.total, sale.promotions, from.total]).toEqual([30_000, [], 5_000])
    expect(from.promotions).toEqual([{ id: off, name: 'Promo', amount: 10_000 }])
    const edited = await edit(api, bill.id, { items: [{ id: from.items[0].id }] })
    expect(edited.total).toBe(5_000)
    const back = done(await api.post(`/sales/${bill.id}/merge`, { saleId: sale.id })).sale
    expect([back.total, back.promotions[0].amount]).toEqual([35_000, 10_000])
    await assertInvariants(deps().db)
  })

  test('gives no more than the goods that stay cost, and leaves items that it does not cover alone', async () => {
    const { api, ids, sell, latte, cake } = await shopIn('Split rest')
    const forCake = { kind: 'AMOUNT', amount: 12_000, variantIds: [ids.cake], code: 'C12' }
    await makePromotion(api, forCake)
    const bill = await sell([latte(1), cake(2)], { voucherCodes: ['C12'] })
    expect(bill.total).toBe(18_000)
    const items = [{ id: bill.items[1].id, quantity: 1 }]
    const { sale, from } = done(await api.post(`/sales/${bill.id}/split`, { items }))
    expect([sale.total, from.total, sharesOf(from)]).toEqual([
      7_500,
      15_000,
      [
        [1, 0],
        [1, 7_500],
      ],
    ])
    await assertInvariants(deps().db)
  })

  test('of a share of the price leaves with no item that is split off', async () => {
    const { api, sell, latte, cake } = await shopIn('Split tenth')
    await makePromotion(api, { ...tenth, code: 'P10', usageLimit: 1 })
    const bill = await sell([latte(2), cake(1)], { voucherCodes: ['P10'] })
    const items = [{ id: bill.items[0].id, quantity: 1 }]
    const { sale, from } = done(await api.post(`/sales/${bill.id}/split`, { items }))
    expect([sale.total, sale.promotions, from.total]).toEqual([15_000, [], 22_500 - 2_250])
    await assertInvariants(deps().db)
  })

  test('is used only by sales that have its code, not by those that got the promotion while it had none', async () => {
    const { api, send, sell, latte } = await shopIn('Code since')
    const id = await makePromotion(api, tenth)
    const customerId = await makeCustomer(api)
    const parked = await sell([latte()], { customerId })
    const printed = [latte(1, { unitPrice: 15_000, promotions: [{ id, name: 'Promo', amount: 1_500 }] })]
    done(await api.patch(`/promotions/${id}`, { code: 'Hemat', usageLimit: 1 }))
    const usedCount = async () => done(await api.get(`/promotions/${id}`)).promotion.usedCount
    const offline = { ref: fresh('T'), soldAt: MONDAY, terms: {}, printedTotal: 13_500 }
    const payments = [{ method: 'CASH', amount: 13_500 }]
    const till = await sell(printed, { status: undefined, customerId, payments, offline })
    expect([till.total, await usedCount()]).toEqual([13_500, 0])
    expect((await send([latte()], { status: 'COMPLETED', voucherCodes: ['HEMAT'] })).status).toBe(201)
    expect(await usedCount()).toBe(1)
    const pay = await api.post(`/sales/${parked.id}/payments`, { method: 'CASH', amount: 13_500 })
    expect(saleOf(pay)).toMatchObject({ status: 'COMPLETED', total: 13_500 })
    expect(await usedCount()).toBe(1)
    done(await api.post(`/sales/${parked.id}/void`))
    expect(await usedCount()).toBe(1)
    await assertInvariants(deps().db)
  })

  test('counts for an open bill that has its earlier code', async () => {
    const { api, sell, latte } = await shopIn('Renamed')
    const id = await makePromotion(api, { ...tenth, code: 'LAMA', usageLimit: 1 })
    const [first, second] = [
      await sell([latte()], { voucherCodes: ['lama'] }),
      await sell([latte()], { voucherCodes: ['lama'] }),
    ]
    done(await api.patch(`/promotions/${id}`, { code: 'BARU' }))
    const pay = (bill: { id: string }) =>
      api.post(`/sales/${bill.id}/payments`, { method: 'CASH', amount: 13_500 })
    expect(saleOf(await pay(first)).status).toBe('COMPLETED')
    expect(done(await api.get(`/promotions/${id}`)).promotion.usedCount).toBe(1)
    expect(refusalOf(await pay(second))).toMatchObject({ status: 422, param: 'voucherCodes' })
  })

  test('goes to one of 50 tills that use the last one at the same time; a void gives it back', async () => {
    const { api, send, latte } = await shopIn('Race')
    const id = await makePromotion(api, { ...tenth, code: 'LAST', usageLimit: 1 })
    const body = { status: 'COMPLETED', voucherCodes: ['LAST'] }
    const answers = await Promise.all(Array.from({ length: 50 }, () => insist(() => send([latte()], body))))
    const won = answers.filter(({ status }) => status === 201)
    expect(won).toHaveLength(1)
    for (const answer of answers)
      if (answer.status !== 201)
        expect([answer.status, answer.error?.message]).toEqual([
          422,
          'The voucher is used up: take it off the sale',
        ])
    expect(done(await api.get(`/promotions/${id}`)).promotion.usedCount).toBe(1)
    done(await api.post(`/sales/${won[0]?.data.sale.id}/void`))
    expect((await send([latte()], body)).status).toBe(201)
    await assertInvariants(deps().db)
  })
})

describe('an offline sale', () => {
  const offline = (printedTotal: number, soldAt = MONDAY) => ({
    ref: fresh('T'),
    soldAt,
    terms: {},
    printedTotal,
  })
  const paid = (amount: number) => ({ status: undefined, payments: [{ method: 'CASH', amount }] })

  test('gets the promotions without a code of its time, and none if its till printed none', async () => {
    const { api, send, sell, latte } = await shopIn('Offline')
    await makePromotion(api, { ...tenth, from: '15:00', to: '17:00' })
    await makePromotion(api, { kind: 'AMOUNT', amount: 100, oncePerCustomer: true })
    clock.set(AFTER)
    const customerId = await makeCustomer(api)
    const items = [latte(2, { unitPrice: 15_000 })]
    const during = await sell(items, { ...paid(27_000), customerId, offline: offline(27_000, HAPPY_HOUR) })
    expect([during.status, during.total, during.promotions.length]).toEqual(['COMPLETED', 27_000, 1])
    const unknown = await sell(items, { ...paid(30_000), offline: offline(30_000, HAPPY_HOUR) })
    expect([unknown.total, unknown.promotions]).toEqual([30_000, []])
    const wrong = await send(items, { ...paid(26_000), offline: offline(26_000, HAPPY_HOUR) })
    expect(refusalOf(wrong)).toMatchObject({ status: 422, code: 'OFFLINE_TOTAL' })
    const code = await send(items, { ...paid(30_000), voucherCodes: ['X'], offline: offline(30_000) })
    expect(refusalOf(code)).toEqual({ status: 400, code: 'VALIDATION_ERROR', param: 'voucherCodes' })
    await assertInvariants(deps().db)
  })

  test('is stored although the customer has used its promotion, which is once per customer since it was printed', async () => {
    const { api, send, sell, latte } = await shopIn('Once since')
    const id = await makePromotion(api, tenth)
    const customerId = await makeCustomer(api)
    const name = 'Promo'
    const items = [latte(2, { unitPrice: 15_000, promotions: [{ id, name, amount: 3_000 }] })]
    const printed = () => ({ ...paid(27_000), customerId, offline: offline(27_000) })
    done(await api.patch(`/promotions/${id}`, { oncePerCustomer: true }))
    const first = await sell(items, printed())
    const second = await sell(items, printed())
    expect([first.total, second.total, second.promotions]).toEqual([
      27_000,
      27_000,
      [{ id, name, amount: 3_000 }],
    ])
    const usedCount = async () => done(await api.get(`/promotions/${id}`)).promotion.usedCount
    expect(await usedCount()).toBe(2)
    expect((await sell([latte(2)], { customerId })).promotions).toEqual([])
    const answers = await Promise.all(Array.from({ length: 50 }, () => insist(() => send(items, printed()))))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(await usedCount()).toBe(52)
    done(await api.post(`/sales/${second.id}/void`))
    expect(await usedCount()).toBe(51)
    await assertInvariants(deps().db)
  })

  test('keeps what its till printed for each item, also after the promotion was deleted', async () => {
    const { send, sell, latte, cake } = await shopIn('Printed')
    const gone = { id: 'pro_gone', name: 'Promo lama' }
    const items = [
      latte(1, { unitPrice: 15_000, promotions: [{ ...gone, amount: 1_500 }] }),
      cake(1, { unitPrice: 7_500, promotions: [{ ...gone, amount: 750 }] }),
    ]
    const sale = await sell(items, { ...paid(20_250), offline: offline(20_250) })
    expect(sale.promotions).toEqual([{ ...gone, amount: 2_250 }])
    expect(sharesOf(sale)).toEqual([
      [1, 1_500],
      [1, 750],
    ])
    const tooMuch = [latte(1, { unitPrice: 1_000, promotions: [{ ...gone, amount: 1_001 }] })]
    expect(refusalOf(await send(tooMuch, { ...paid(1), offline: offline(1) }))).toMatchObject({
      status: 422,
      param: 'items[0].promotions',
    })
    const online = await send([latte(1, { promotions: [{ ...gone, amount: 1 }] })])
    expect(refusalOf(online)).toEqual({ status: 400, code: 'VALIDATION_ERROR', param: 'items[0].promotions' })
    await assertInvariants(deps().db)
  })
})

describe('the catalogue of a till', () => {
  test('has promotions without a code, and never a code', async () => {
    const { api, outletId } = await shopIn('Till')
    const categoryId = await makeCategory(api)
    const id = await makePromotion(api, { ...tenth, categoryIds: [categoryId] })
    await makePromotion(api, { ...tenth, code: 'SECRET77' })
    const answer = await api.get(`/catalogue?outletId=${outletId}`)
    const { promotions, version } = done(answer)
    const { code, usageLimit, usedCount, createdAt, updatedAt, ...shown } = done(
      await api.get(`/promotions/${id}`),
    ).promotion
    expect(promotions).toEqual([shown])
    expect(answer.text).not.toContain('SECRET77')
    done(await api.patch(`/promotions/${id}`, { code: 'NOW-A-CODE' }))
    expect(done(await api.get(`/catalogue?outletId=${outletId}&since=${version}`))).toMatchObject({
      promotions: [],
      removed: [{ type: 'promotion', id }],
    })
    await makeProduct(api)
  })
})
