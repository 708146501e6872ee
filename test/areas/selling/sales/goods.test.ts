import { describe, expect, test } from 'vitest'
import { manualClock } from '../../../../src/platform/clock.ts'
import type { Api } from '../../../support/api.ts'
import { makeCustomer, makeProduct, openShop, setNegativeStock, stock } from '../../../support/build.ts'
import { refusalOf, saleOf } from '../../../support/expect.ts'
import { levelOf } from '../../../support/read.ts'
import { acme, useService, workspace } from '../../../support/service.ts'

const clock = manualClock('2026-03-10T05:00:00.000Z')
useService({ clock })

type Fields = Record<string, unknown>
const line = (variantId: string, quantity = 1) => ({ variantId, quantity })
const post = (api: Api, outletId: string, items: Fields[], fields: Fields = {}) =>
  api.post('/sales', { outletId, items, status: 'COMPLETED', ...fields })
const refund = (api: Api, id: string, body: Fields) => api.post(`/sales/${id}/refund`, body)

/** A café: a set of 2 beans, 1 milk and 1 cup that nobody counts; 20 beans and 20 milk on the shelf. */
async function café(api: Api) {
  const { outletId } = await openShop(api)
  const variant = async (name: string, fields: Fields = {}) => {
    const product = await makeProduct(api, { name, ...fields })
    return { productId: product.id, variantId: product.variants[0].id }
  }
  const [beans, milk, cup] = [
    await variant('Beans', { variants: [{ name: 'Arabica', price: 4_000, cost: 2_000 }] }),
    await variant('Milk'),
    await variant('Cup', { trackStock: false }),
  ]
  const set = await variant('Coffee set')
  const cook = async (beansEach: number) => {
    const components = [
      { componentVariantId: beans.variantId, quantity: beansEach, unit: 'g' },
      { componentVariantId: milk.variantId, quantity: 1 },
      { componentVariantId: cup.variantId, quantity: 1 },
    ]
    const path = `/products/${set.productId}/variants/${set.variantId}/recipe`
    const { status, text } = await api.put(path, { isComposite: true, components })
    expect(status, text).toBe(200)
  }
  await cook(2)
  for (const { variantId } of [beans, milk]) await stock(api, outletId, variantId, 20)
  const shelf = async () => [
    await levelOf(api, outletId, beans.variantId),
    await levelOf(api, outletId, milk.variantId),
    await levelOf(api, outletId, set.variantId),
  ]
  const ids = { beans: beans.variantId, milk: milk.variantId, cup: cup.variantId, set: set.variantId }
  return { outletId, cook, shelf, ...ids }
}

describe('a composite', () => {
  test('takes its components, summed with what is sold of them directly, and remembers its recipe', async () => {
    const shop = await café(acme())
    const sold = await post(acme(), shop.outletId, [line(shop.set, 3), line(shop.beans), line(shop.set)])
    const sale = saleOf(sold)
    expect(await shop.shelf()).toEqual([11, 16, undefined])
    expect(sold.data.stockWarnings).toEqual([])
    const { data: moves } = await acme().get(`/inventory/movements?outletId=${shop.outletId}`)
    const own = moves.filter((row: Fields) => row['transactionId'] === sale.id)
    const expected = [
      [shop.beans, -9, 11],
      [shop.milk, -4, 16],
    ]
    expect(
      own.map((row: Fields) => [row['variantId'], row['qtyDelta'], row['balanceAfter']]).toSorted(),
    ).toEqual(expected.toSorted())
    expect(own.find((row: Fields) => row['variantId'] === shop.beans).unitCost).toBe(2_000)
    expect(sale.items[0].components).toEqual([
      { variantId: shop.beans, name: 'Beans (Arabica)', quantity: 2, unit: 'g', batches: [] },
      { variantId: shop.milk, name: 'Milk', quantity: 1, unit: null, batches: [] },
      { variantId: shop.cup, name: 'Cup', quantity: 1, unit: null, batches: [] },
    ])
    expect([sale.items[0].batches, sale.items[1].components]).toEqual([[], []])
    expect(saleOf(await acme().get(`/sales/${sale.id}`))).toEqual(sale)
  })

  test('goes back to the shelf as it was taken, whatever its recipe says by then', async () => {
    const shop = await café(acme())
    const sell = async () => saleOf(await post(acme(), shop.outletId, [line(shop.set, 3)]))
    const [voided, refunded] = [await sell(), await sell()]
    expect(await shop.shelf()).toEqual([8, 14, undefined])
    await shop.cook(7)
    saleOf(await acme().post(`/sales/${voided.id}/void`))
    expect(await shop.shelf()).toEqual([14, 17, undefined])
    const lines = [{ transactionItemId: refunded.items[0].id, qty: 2 }]
    saleOf(await refund(acme(), refunded.id, { lines, restock: true }))
    expect(await shop.shelf()).toEqual([18, 19, undefined])
    saleOf(await refund(acme(), refunded.id, { restock: true }))
    expect(await shop.shelf()).toEqual([20, 20, undefined])
  })

  test('gives the batches of its components back piece by piece, the last used first', async () => {
    const shop = await café(acme())
    for (const [batchNo, expiryDate] of [
      ['B1', '2026-04-01'],
      ['B2', '2026-05-01'],
    ]) {
      const batch = {
        outletId: shop.outletId,
        variantId: shop.beans,
        qty: 2,
        cost: 2_000,
        batchNo,
        expiryDate,
      }
      expect((await acme().post('/inventory/batches', batch)).status).toBe(201)
    }
    const left = async () => {
      const { batches } = (await acme().get(`/inventory/batches?outletId=${shop.outletId}`)).data
      const held = ({ batchNo, remainingQty }: Fields) => [batchNo, remainingQty]
      return Object.fromEntries(batches.map(held))
    }
    const sale = saleOf(await post(acme(), shop.outletId, [line(shop.set, 2)]))
    expect(await left()).toEqual({})
    const back = async () => {
      const lines = [{ transactionItemId: sale.items[0].id, qty: 1 }]
      saleOf(await refund(acme(), sale.id, { lines, restock: true }))
      return left()
    }
    expect(await back()).toEqual({ B2: 2 })
    expect(await back()).toEqual({ B1: 2, B2: 2 })
  })

  test('held on a bill takes nothing, and is cooked by the recipe of the day it is paid', async () => {
    const shop = await café(acme())
    const bill = saleOf(await post(acme(), shop.outletId, [line(shop.set, 2)], { status: 'PARKED' }))
    expect([await shop.shelf(), bill.items[0].components]).toEqual([[20, 20, undefined], []])
    await shop.cook(5)
    const sale = saleOf(await acme().post(`/sales/${bill.id}/payments`, { method: 'CASH', amount: 20_000 }))
    expect(sale.items[0].components[0].quantity).toBe(5)
    expect(await shop.shelf()).toEqual([10, 18, undefined])
    const dropped = saleOf(await post(acme(), shop.outletId, [line(shop.set, 2)], { status: 'PARKED' }))
    saleOf(await acme().post(`/sales/${dropped.id}/discard`))
    expect(await shop.shelf()).toEqual([10, 18, undefined])
  })

  test('warns by its component, and is refused at the line that runs short where a shop blocks', async () => {
    const api = await workspace()
    const shop = await café(api)
    const items = [line(shop.beans, 5), line(shop.set, 5), line(shop.set, 4)]
    const warned = await post(api, shop.outletId, items)
    expect(warned.data.stockWarnings).toEqual([
      {
        variantId: shop.beans,
        productName: 'Beans',
        variantName: 'Arabica',
        reason: 'SHORT',
        requested: 23,
        available: 20,
        level: -3,
      },
    ])
    saleOf(await api.post(`/sales/${saleOf(warned).id}/void`))
    await setNegativeStock(api, 'BLOCK')
    expect(refusalOf(await post(api, shop.outletId, items))).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      param: 'items[2].quantity',
    })
    expect(await shop.shelf()).toEqual([20, 20, undefined])
    expect((await post(api, shop.outletId, [line(shop.cup, 99), line(shop.set, 10)])).status).toBe(201)
  })

  test('is named in a shortage when the items before it take exactly the rest', async () => {
    const api = await workspace()
    const shop = await café(api)
    await setNegativeStock(api, 'BLOCK')
    const short = async (...items: Fields[]) => refusalOf(await post(api, shop.outletId, items)).param
    expect(await short(line(shop.beans, 20), line(shop.cup), line(shop.set, 1))).toBe('items[2].quantity')
    expect(await short(line(shop.set, 10), line(shop.beans, 1))).toBe('items[1].quantity')
    expect(await short(line(shop.beans, 6), line(shop.set, 7), line(shop.set, 1), line(shop.beans, 1))).toBe(
      'items[2].quantity',
    )
    expect(await short(line(shop.beans, 21), line(shop.set, 1))).toBe('items[0].quantity')
    expect(await shop.shelf()).toEqual([20, 20, undefined])
  })
})

/** A pharmacy: pills in batches `old` (2 days past), `soon` (5), `late` (5) and `undated` (5). */
async function pharmacy(api: Api, fields: Fields = {}) {
  const { outletId } = await openShop(api, { timezone: 'Asia/Jakarta' })
  const pills = (await makeProduct(api, { name: 'Pills', ...fields })).variants[0].id
  const receive = async (batchNo: string, expiryDate: string | null, qty: number): Promise<string> => {
    const made = await api.post('/inventory/batches', {
      outletId,
      variantId: pills,
      batchNo,
      expiryDate,
      qty,
    })
    expect(made.status, made.text).toBe(201)
    return made.data.batch.id
  }
  const ids = {
    late: await receive('late', '2026-06-30', 5),
    undated: await receive('undated', null, 5),
    soon: await receive('soon', '2026-03-10', 5),
    old: await receive('old', '2026-03-08', 2),
  }
  const left = async () => {
    const { batches } = (await api.get(`/inventory/batches?outletId=${outletId}&all=true`)).data
    const of = (id: string) => batches.find((batch: { id: string }) => batch.id === id).remainingQty
    return [of(ids.old), of(ids.soon), of(ids.late), of(ids.undated)]
  }
  return { outletId, pills, left, ...ids }
}
const uses = (...parts: [string, number][]) => parts.map(([batchId, qty]) => ({ batchId, qty }))

describe('batches', () => {
  const ways = {
    create: (api: Api, outletId: string, items: Fields[]) => post(api, outletId, items),
    'create for a customer': async (api: Api, outletId: string, items: Fields[]) =>
      post(api, outletId, items, { customerId: await makeCustomer(api) }),
    payment: async (api: Api, outletId: string, items: Fields[]) => {
      const bill = saleOf(await post(api, outletId, items, { status: 'PARKED' }))
      return api.post(`/sales/${bill.id}/payments`, { method: 'CASH', amount: bill.total })
    },
    settle: async (api: Api, outletId: string, items: Fields[]) => {
      const bill = saleOf(await post(api, outletId, items, { status: 'PARKED' }))
      return api.post(`/sales/${bill.id}/settle`, { payments: [{ method: 'CARD', amount: bill.total }] })
    },
  }
  test.each(Object.entries(ways))('leave first expired first, today still good, by %s', async (_, sell) => {
    const shop = await pharmacy(acme(), { requiresBatch: true })
    const sale = saleOf(await sell(acme(), shop.outletId, [line(shop.pills, 3), line(shop.pills, 9)]))
    expect(await shop.left()).toEqual([2, 0, 0, 3])
    expect(sale.items.map((item: Fields) => item['batches'])).toEqual([
      uses([shop.soon, 3]),
      uses([shop.soon, 2], [shop.late, 5], [shop.undated, 2]),
    ])
    expect(await levelOf(acme(), shop.outletId, shop.pills)).toBe(5)
    expect(saleOf(await acme().get(`/sales/${sale.id}`))).toEqual(sale)
  })

  test.each(Object.entries(ways))('beyond what they hold fresh nothing is sold, by %s', async (_, sell) => {
    const shop = await pharmacy(acme(), { requiresBatch: true })
    const items = [line(shop.pills, 10), line(shop.pills, 6)]
    expect(refusalOf(await sell(acme(), shop.outletId, items))).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      param: 'items[1].quantity',
    })
    expect(await shop.left()).toEqual([2, 5, 5, 5])
  })

  test('of today are good until midnight of the outlet, not of London', async () => {
    const shop = await pharmacy(acme(), { requiresBatch: true })
    clock.set('2026-03-10T16:59:59.999Z')
    expect(saleOf(await post(acme(), shop.outletId, [line(shop.pills)])).items[0].batches).toEqual(
      uses([shop.soon, 1]),
    )
    clock.set('2026-03-10T17:00:00.000Z')
    expect(saleOf(await post(acme(), shop.outletId, [line(shop.pills)])).items[0].batches).toEqual(
      uses([shop.late, 1]),
    )
    clock.set('2026-03-10T05:00:00.000Z')
  })

  test('go back to where they came from, the last used first', async () => {
    const shop = await pharmacy(acme(), { requiresBatch: true })
    const sale = saleOf(await post(acme(), shop.outletId, [line(shop.pills, 12)]))
    expect(await shop.left()).toEqual([2, 0, 0, 3])
    const back = async (qty: number) => {
      const lines = [{ transactionItemId: sale.items[0].id, qty }]
      saleOf(await refund(acme(), sale.id, { lines, restock: true }))
      return shop.left()
    }
    expect(await back(1)).toEqual([2, 0, 0, 4])
    expect(await back(3)).toEqual([2, 0, 2, 5])
    saleOf(await refund(acme(), sale.id, { lines: [{ transactionItemId: sale.items[0].id, qty: 2 }] }))
    expect(await shop.left()).toEqual([2, 0, 2, 5])
    expect(await back(4)).toEqual([2, 1, 5, 5])
    saleOf(await refund(acme(), sale.id, { restock: true }))
    // Two were refunded without coming back: the units first used are the ones that stay away.
    expect(await shop.left()).toEqual([2, 3, 5, 5])
    const { data: moves } = await acme().get(`/inventory/movements?outletId=${shop.outletId}`)
    const refunds = moves.filter((row: Fields) => row['type'] === 'REFUND')
    expect(refunds.every((row: Fields) => row['refundId'] !== null && row['transactionId'] === sale.id)).toBe(
      true,
    )
  })

  test('all go back by a void', async () => {
    const shop = await pharmacy(acme(), { requiresBatch: true })
    const sale = saleOf(await post(acme(), shop.outletId, [line(shop.pills, 7), line(shop.pills, 6)]))
    expect(await shop.left()).toEqual([2, 0, 0, 2])
    saleOf(await acme().post(`/sales/${sale.id}/void`))
    expect(await shop.left()).toEqual([2, 5, 5, 5])
    expect(await levelOf(acme(), shop.outletId, shop.pills)).toBe(17)
  })

  test('that nobody requires give way to loose units, never to expired ones', async () => {
    const shop = await pharmacy(acme())
    await stock(acme(), shop.outletId, shop.pills, 3)
    const sold = await post(acme(), shop.outletId, [line(shop.pills, 20)])
    expect(sold.data.stockWarnings).toMatchObject([{ requested: 20, available: 18, level: 0 }])
    expect(await shop.left()).toEqual([2, 0, 0, 0])
    expect(saleOf(sold).items[0].batches).toEqual(uses([shop.soon, 5], [shop.late, 5], [shop.undated, 5]))
    saleOf(await acme().post(`/sales/${saleOf(sold).id}/void`))
    expect([await shop.left(), await levelOf(acme(), shop.outletId, shop.pills)]).toEqual([[2, 5, 5, 5], 20])
  })

  test('lie untouched while a bill is held, and expired stock blocks where a shop blocks', async () => {
    const api = await workspace()
    const shop = await pharmacy(api)
    await setNegativeStock(api, 'BLOCK')
    const bill = saleOf(await post(api, shop.outletId, [line(shop.pills, 16)], { status: 'PARKED' }))
    expect([await shop.left(), bill.items[0].batches]).toEqual([[2, 5, 5, 5], []])
    const paid = await api.post(`/sales/${bill.id}/payments`, { method: 'CASH', amount: bill.total })
    expect(refusalOf(paid)).toEqual({ status: 422, code: 'VALIDATION_ERROR', param: 'items[0].quantity' })
    expect((await post(api, shop.outletId, [line(shop.pills, 15)])).status).toBe(201)
  })
})
