import { beforeAll, describe, expect, test } from 'vitest'
import { makeCustomer, makeSale, openShop, stock } from '../support/build.ts'
import { refusalOf } from '../support/expect.ts'
import { acme, useService } from '../support/service.ts'
import { routes } from './local.ts'

import { probeFor } from './probes/index.ts'
import { nameOf } from './request.ts'

useService()

const lists = routes.filter((row) => row.access === 'whole')
/** A customer with points and debts. */
let regular = ''

// Names that differ in case only, names that are equal, dates that are equal and none: what a page may end at.
beforeAll(async () => {
  const api = acme()
  for (const name of ['budi', 'Budi', 'ani', 'Ani', 'ani']) {
    await makeCustomer(api, { name })
    await api.post('/suppliers', { name })
  }
  regular = await makeCustomer(api, { name: 'Citra', creditLimit: 1_000_000 })
  for (const points of [5, 7, -3]) await api.post(`/customers/${regular}/loyalty/adjust`, { points })
  const shop = await openShop(api)
  for (const quantity of [1, 2, 3]) {
    const { id } = await makeSale(api, {
      outletId: shop.outletId,
      customerId: regular,
      status: 'PARKED',
      items: [{ variantId: shop.bag, quantity }],
    })
    const paid = await api.post(`/sales/${id}/payments`, { method: 'CREDIT', amount: quantity })
    expect(paid.status, paid.text).toBe(200)
  }
  await api.post('/products', { name: 'latte', variants: [{ price: 1 }, { price: 2, name: 'Large' }] })
  for (const variantId of [shop.latte, shop.cake]) await stock(api, shop.outletId, variantId, 5)
  const { product } = (
    await api.post('/products', { name: 'Susu', requiresBatch: true, variants: [{ price: 1 }] })
  ).data
  const variantId = product.variants[0].id
  await api.put('/inventory/reorder', { outletId: shop.outletId, variantId, reorderPoint: 1_000 })
  await api.put('/inventory/reorder', { outletId: shop.outletId, variantId: shop.latte, reorderPoint: 1_000 })
  const soon = new Date(Date.now() + 5 * 24 * 3_600_000).toISOString().slice(0, 10)
  for (const expiryDate of [soon, soon, '2031-01-01', undefined, undefined]) {
    const batchNo = `B${Math.trunc(performance.now() * 1_000)}`
    const made = await api.post('/inventory/batches', {
      outletId: shop.outletId,
      variantId,
      batchNo,
      qty: 1,
      expiryDate,
    })
    expect(made.status, made.text).toBe(201)
  }
  for (let order = 0; order < 3; order += 1) {
    const items = [{ variantId: shop.latte, qty: 1, cost: 1 }]
    await api.post('/purchase-orders', { outletId: shop.outletId, items })
  }
  for (const row of lists.filter(({ area }) => area === 'marketing')) await probeFor(row, api)
})

test('the long lists are whole unless a page is asked for', () => {
  expect(lists.map(nameOf).sort()).toEqual([
    'GET /account/referrals/attributions',
    'GET /account/referrals/links',
    'GET /customers',
    'GET /customers/{id}/credit',
    'GET /customers/{id}/loyalty',
    'GET /inventory/batches',
    'GET /inventory/expiring',
    'GET /inventory/levels',
    'GET /products',
    'GET /purchase-orders',
    'GET /reports/low-stock',
    'GET /suppliers',
  ])
})

const rowsOf = (data: object): { id: string }[] => Object.values(data).find(Array.isArray) ?? []
const pathOf = ({ path }: { path: string }) => path.replace('{id}', regular)
const otherCursor = Buffer.from('["elsewhere","a","b"]').toString('base64url')

describe.each(lists.map((row) => [nameOf(row), row] as const))('%s', (_, row) => {
  test('answers everything without a limit, and page by page the same rows in the same order', async () => {
    const whole = await acme().get(pathOf(row))
    const ids = rowsOf(whole.data).map(({ id }) => id)
    expect(ids.length).toBeGreaterThan(1)
    expect(Object.keys(whole.meta).sort()).toEqual(['requestId', 'timestamp'])
    for (const limit of [1, 2, 100]) {
      const paged: string[] = []
      for (let cursor = ''; ; ) {
        const { data, meta, status, text } = await acme().get(`${pathOf(row)}?limit=${limit}${cursor}`)
        expect(status, text).toBe(200)
        paged.push(...rowsOf(data).map(({ id }) => id))
        expect([rowsOf(data).length <= limit, meta.hasMore]).toEqual([true, meta.cursor !== null])
        if (!meta.hasMore) break
        cursor = `&cursor=${meta.cursor}`
      }
      expect(paged).toEqual(ids)
    }
  })

  test('refuses a limit out of bounds and a cursor of another list', async () => {
    const refusals = await Promise.all(
      ['limit=0', 'limit=101', 'limit=x', 'cursor=x', `cursor=${otherCursor}`].map((query) =>
        acme().get(`${pathOf(row)}?${query}`),
      ),
    )
    expect(refusals.map(refusalOf)).toMatchObject([
      { status: 400, param: 'limit' },
      { status: 400, param: 'limit' },
      { status: 400, param: 'limit' },
      { status: 400, param: 'cursor' },
      { status: 400, param: 'cursor' },
    ])
  })

  test('takes no cursor whose key was made up', async () => {
    const { data, meta } = await acme().get(`${pathOf(row)}?limit=1`)
    expect(rowsOf(data)).toHaveLength(1)
    const [name] = JSON.parse(Buffer.from(meta.cursor, 'base64url').toString())
    for (const key of [[], ['x'], ['x', 'x'], ['x', 'x', 'x', 'x', 'x'], [null, 'x']]) {
      const cursor = Buffer.from(JSON.stringify([name, ...key])).toString('base64url')
      const { status } = await acme().get(`${pathOf(row)}?limit=1&cursor=${cursor}`)
      expect([JSON.stringify(key), status < 500]).toEqual([JSON.stringify(key), true])
    }
  })
})
