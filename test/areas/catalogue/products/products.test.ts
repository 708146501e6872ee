import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { exportCatalogue } from '../../../../src/areas/catalogue/products/csv/export.ts'
import { list } from '../../../../src/areas/catalogue/products/statements-products.ts'
import {
  makeOutlet,
  makeProduct,
  makePurchaseOrder,
  sell,
  stock,
  stockSomewhere,
} from '../../../support/build.ts'
import { scopeOf } from '../../../support/clients.ts'
import { assertStockInvariants, done, refusalOf } from '../../../support/expect.ts'
import { eventsOf } from '../../../support/read.ts'
import { acme, as, deps, globex, useService, workspace } from '../../../support/service.ts'
import { watching } from '../../../support/statements.ts'

useService()

const V = [{ price: 1 }]

test('POST /products answers 201 with every field, its default and its variants', async () => {
  const created = await acme().post('/products', { name: ' Es kopi susu ', variants: [{ price: 18_000 }] })
  expect(created.status).toBe(201)
  const { product } = created.data
  expect(product).toMatchObject({
    name: 'Es kopi susu',
    description: null,
    categoryId: null,
    categoryName: null,
    kind: 'GOODS',
    trackStock: true,
    requiresBatch: false,
    imageUrl: null,
    thumbnailUrl: null,
    station: null,
    isActive: true,
    modifierGroupIds: [],
  })
  expect(product.id).toMatch(/^prd_[0-9A-HJKMNP-TV-Z]{26}$/)
  expect(product.variants).toEqual([
    {
      id: expect.stringMatching(/^var_[0-9A-HJKMNP-TV-Z]{26}$/),
      productId: product.id,
      name: 'Default',
      sku: null,
      barcode: null,
      barcodes: [],
      packs: [],
      soldBy: 'UNIT',
      price: 18_000,
      cost: 0,
      sortOrder: 0,
      isComposite: false,
      derivedCost: null,
      isActive: true,
      createdAt: product.createdAt,
      updatedAt: product.createdAt,
    },
  ])
  expect((await acme().get(`/products/${product.id}`)).data.product).toEqual(product)
})

test('every field at its bound is stored and read back', async () => {
  const { data } = await acme().post('/categories', { name: 'Kopi', station: 'BAR' })
  const fields = {
    name: '☕'.repeat(160),
    description: 'd'.repeat(2000),
    categoryId: data.category.id,
    kind: 'GOODS',
    trackStock: true,
    requiresBatch: true,
    imageUrl: `HTTPS://x.id/${'a'.repeat(587)}`,
    station: 's'.repeat(40),
    isActive: false,
  }
  const variant = {
    name: 'v'.repeat(80),
    sku: 'k'.repeat(64),
    barcode: 'b'.repeat(64),
    price: 1_000_000_000,
    cost: 1_000_000_000,
    sortOrder: 1_000_000,
    isActive: false,
  }
  const created = await acme().post('/products', { ...fields, variants: [variant] })
  expect(created.data.product).toMatchObject({ ...fields, categoryName: 'Kopi', variants: [variant] })
})

test.each([
  [{ variants: V }, 400, 'name'],
  [{ name: ' ', variants: V }, 400, 'name'],
  [{ name: 'x'.repeat(161), variants: V }, 400, 'name'],
  [{ name: 'A' }, 400, 'variants'],
  [{ name: 'A', variants: [] }, 400, 'variants'],
  [{ name: 'A', variants: Array(251).fill({ price: 1 }) }, 400, 'variants'],
  [{ name: 'A', variants: [{}] }, 400, 'variants[0].price'],
  [{ name: 'A', variants: [{ price: 1 }, { price: -1 }] }, 400, 'variants[1].price'],
  [{ name: 'A', variants: [{ price: 1_000_000_001 }] }, 400, 'variants[0].price'],
  [{ name: 'A', variants: [{ price: '1' }] }, 400, 'variants[0].price'],
  [{ name: 'A', variants: [{ price: 1.5 }] }, 400, 'variants[0].price'],
  [{ name: 'A', variants: [{ price: 1, cost: -1 }] }, 400, 'variants[0].cost'],
  [{ name: 'A', variants: [{ price: 1, cost: 1_000_000_001 }] }, 400, 'variants[0].cost'],
  [{ name: 'A', variants: [{ price: 1, name: '' }] }, 400, 'variants[0].name'],
  [{ name: 'A', variants: [{ price: 1, name: 'x'.repeat(81) }] }, 400, 'variants[0].name'],
  [{ name: 'A', variants: [{ price: 1, sku: 'x'.repeat(65) }] }, 400, 'variants[0].sku'],
  [{ name: 'A', variants: [{ price: 1, barcode: 'x'.repeat(65) }] }, 400, 'variants[0].barcode'],
  [{ name: 'A', variants: [{ price: 1, sortOrder: -1 }] }, 400, 'variants[0].sortOrder'],
  [{ name: 'A', variants: [{ price: 1, isActive: 'yes' }] }, 400, 'variants[0].isActive'],
  [{ name: 'A', variants: V, description: 'x'.repeat(2001) }, 400, 'description'],
  [{ name: 'A', variants: V, kind: 'goods' }, 400, 'kind'],
  [{ name: 'A', variants: V, trackStock: 1 }, 400, 'trackStock'],
  [{ name: 'A', variants: V, requiresBatch: 'no' }, 400, 'requiresBatch'],
  [{ name: 'A', variants: V, imageUrl: 'ftp://x/y.png' }, 400, 'imageUrl'],
  [{ name: 'A', variants: V, imageUrl: 'javascript:alert(1)' }, 400, 'imageUrl'],
  [{ name: 'A', variants: V, imageUrl: `https://x/${'a'.repeat(600)}` }, 400, 'imageUrl'],
  [{ name: 'A', variants: V, station: 'x'.repeat(41) }, 400, 'station'],
  [{ name: 'A', variants: V, isActive: null }, 400, 'isActive'],
  [{ name: 'A', variants: V, requiresBatch: true, trackStock: false }, 422, 'requiresBatch'],
  [{ name: 'A', variants: V, requiresBatch: true, kind: 'SERVICE' }, 422, 'requiresBatch'],
])('POST /products refuses %#: %j', async (body, status, param) => {
  const refused = await acme().post('/products', body)
  expect(refusalOf(refused)).toEqual({ status, code: 'VALIDATION_ERROR', param })
})

test('an unknown or foreign category answers 404 with its field', async () => {
  const { data } = await globex().post('/categories', { name: 'Theirs' })
  const product = await makeProduct(acme())
  const answers = [
    await acme().post('/products', { name: 'A', variants: V, categoryId: data.category.id }),
    await acme().patch(`/products/${product.id}`, { categoryId: 'cat_unknown' }),
    await acme().post('/products/bulk-category', {
      productIds: [product.id],
      categoryId: data.category.id,
    }),
  ]
  expect(answers.map(refusalOf)).toMatchObject(Array(3).fill({ status: 404, param: 'categoryId' }))
})

test('a service never tracks stock, whatever is sent; as goods it is tracked again', async () => {
  const product = await makeProduct(acme(), { kind: 'SERVICE', trackStock: true })
  expect(product).toMatchObject({ kind: 'SERVICE', trackStock: false })
  const stubborn = await acme().patch(`/products/${product.id}`, { trackStock: true })
  expect(stubborn.data.product.trackStock).toBe(false)
  const goods = await acme().patch(`/products/${product.id}`, { kind: 'GOODS' })
  expect(goods.data.product).toMatchObject({ kind: 'GOODS', trackStock: true })
})

test('PATCH weighs batches against the stored product', async () => {
  const product = await makeProduct(acme(), { requiresBatch: true })
  const path = `/products/${product.id}`
  for (const body of [{ trackStock: false }, { kind: 'SERVICE' }]) {
    const refused = await acme().patch(path, body)
    expect(refusalOf(refused)).toMatchObject({ status: 422, param: 'requiresBatch' })
  }
  const both = await acme().patch(path, { trackStock: false, requiresBatch: false })
  expect(both.data.product).toMatchObject({ trackStock: false, requiresBatch: false })
})

test('batches are not required of goods whose batches hold more than their level', async () => {
  const outletId = (await acme().post('/outlets', { name: 'Oversold' })).data.outlet.id
  const product = await makeProduct(acme(), { name: 'Oversold', variants: [{ price: 1_000 }] })
  const item = { variantId: product.variants[0].id, quantity: 1 }
  await acme().post('/sales', { outletId, items: [item], status: 'COMPLETED' })
  await acme().post('/inventory/batches', { outletId, variantId: item.variantId, qty: 10, batchNo: 'B1' })
  const refused = await acme().patch(`/products/${product.id}`, { requiresBatch: true })
  expect(refusalOf(refused)).toMatchObject({ status: 409, code: 'CONFLICT' })
  await acme().post('/inventory/adjust', { outletId, variantId: item.variantId, qtyDelta: 1 })
  expect((await acme().patch(`/products/${product.id}`, { requiresBatch: true })).status).toBe(200)
})

test('batches are not required of goods whose level is below zero, with or without batches', async () => {
  const outletId = await makeOutlet(acme(), { name: 'Below zero' })
  const product = await makeProduct(acme(), { name: 'Below zero', variants: [{ price: 1_000 }] })
  const variantId = product.variants[0].id
  done(await acme().post('/sales', { outletId, items: [{ variantId, quantity: 5 }], status: 'COMPLETED' }))
  const requireBatches = () => acme().patch(`/products/${product.id}`, { requiresBatch: true })
  expect(refusalOf(await requireBatches())).toMatchObject({ status: 409, code: 'CONFLICT' })
  await stock(acme(), outletId, variantId, 5)
  done(await requireBatches())
  done(await acme().post('/inventory/batches', { outletId, variantId, qty: 10, batchNo: 'B1' }))
  await assertStockInvariants(deps().db)
})

test('the kind changes until stock has moved or a recipe uses it', async () => {
  const moved = await makeProduct(acme())
  await stockSomewhere(acme(), moved.variants[0].id, 3)
  const [cup, drink] = [await makeProduct(acme()), await makeProduct(acme())]
  const part = { componentVariantId: cup.variants[0].id, quantity: 1 }
  await acme().put(`/products/${drink.id}/variants/${drink.variants[0].id}/recipe`, {
    isComposite: true,
    components: [part],
  })
  for (const id of [moved.id, cup.id]) {
    const refused = await acme().patch(`/products/${id}`, { kind: 'SERVICE' })
    expect(refusalOf(refused)).toMatchObject({ status: 409, code: 'CONFLICT' })
    expect((await acme().patch(`/products/${id}`, { kind: 'GOODS' })).status).toBe(200)
  }
})

test('PATCH keeps what is absent, clears what is null or empty, and {} changes nothing', async () => {
  const product = await makeProduct(acme(), {
    description: 'Hot',
    imageUrl: 'http://x.id/a',
    station: 'BAR',
    variants: [{ price: 5, sku: 'PATCH-1', barcode: 'PATCH-1' }],
  })
  const path = `/products/${product.id}`
  const same = await acme().patch(path, {})
  expect([same.status, same.data.product]).toEqual([200, product])
  const cleared = await acme().patch(path, { description: null, imageUrl: '', station: '' })
  expect(cleared.data.product).toMatchObject({
    name: 'Product',
    description: null,
    imageUrl: null,
    thumbnailUrl: null,
    station: null,
  })
  const variant = await acme().patch(`${path}/variants/${product.variants[0].id}`, { sku: '', barcode: null })
  expect(variant.data.variant).toMatchObject({ price: 5, sku: null, barcode: null })
  const refused = await acme().patch(path, { name: null })
  expect(refusalOf(refused)).toMatchObject({ status: 400, param: 'name' })
})

test('the list is sorted by name, filtered by category, state and text', async () => {
  const api = await workspace()
  const { data } = await api.post('/categories', { name: 'Minuman' })
  const categoryId = data.category.id
  await makeProduct(api, { name: 'Teh', categoryId, variants: [{ price: 1, sku: 'TX-Kotak' }] })
  await makeProduct(api, { name: 'Kopi', isActive: false, variants: [{ price: 1, barcode: '4711' }] })
  await makeProduct(api, { name: 'Gula', variants: [{ price: 1, name: 'Besar' }, { price: 2 }] })
  const names = async (query: string) =>
    (await api.get(`/products${query}`)).data.products.map((product: { name: string }) => product.name)
  expect(await names('')).toEqual(['Gula', 'Kopi', 'Teh'])
  expect(await names(`?categoryId=${categoryId}`)).toEqual(['Teh'])
  expect(await names('?categoryId=cat_unknown')).toEqual([])
  expect(await names('?active=true')).toEqual(['Gula', 'Teh'])
  expect(await names('?active=0')).toEqual(['Kopi'])
  expect(await names('?q=KOP')).toEqual(['Kopi'])
  expect(await names('?q=kotak')).toEqual(['Teh'])
  expect(await names('?q=471')).toEqual(['Kopi'])
  expect(await names('?q=x')).toEqual(['Teh'])
  expect(await names('?q=zz')).toEqual([])
  const refused = await api.get('/products?active=yes')
  expect(refusalOf(refused)).toMatchObject({ status: 400, param: 'active' })
})

test('the list asks the database once however many products there are', async () => {
  const api = await workspace()
  for (let n = 0; n < 12; n += 1) await makeProduct(api, { variants: [{ price: 1 }, { price: 2 }] })
  const reads: string[] = []
  await watching(
    ({ text }) => reads.push(text),
    async () => {
      const products = await list(deps().db, scopeOf(api), {}, { after: null, limit: 50 })
      expect(products).toHaveLength(12)
    },
  )
  expect(reads.filter((text) => text.startsWith('select'))).toHaveLength(1)
})

test('a page of products is one statement for a key that is known, and 401 once the key is revoked', async () => {
  const api = await workspace()
  await makeProduct(api)
  const made = await api.post('/api-keys', { name: 'Till' })
  const till = as(made.data.key)
  await till.get('/products?limit=50')
  const reads: string[] = []
  const answer = await watching(
    ({ text }) => reads.push(text),
    () => till.get('/products?limit=50'),
  )
  expect(answer.data.products).toHaveLength(1)
  // The service's own work goes on meanwhile and is none of the request.
  expect(reads.filter((text) => /\b(api_keys|products)\b/.test(text))).toHaveLength(1)
  expect((await till.get('/products?q=nothing')).data).toEqual({ products: [] })
  await api.delete(`/api-keys/${made.data.apiKey.id}`)
  for (const path of ['/products', '/products?limit=50', '/products?q=nothing'])
    expect(refusalOf(await till.get(path))).toMatchObject({ status: 401, code: 'AUTH_REQUIRED' })
})

test('a page of very large products ends early, and its cursors, the whole list and the export have them all', async () => {
  const api = await workspace()
  const packs = [2, 3, 4].map((factor) => ({ name: `Box of ${factor}`, factor }))
  const variants = Array.from({ length: 250 }, (_, n) => ({ name: `Size ${n}`, price: 1, packs }))
  for (const name of ['A', 'B', 'C', 'D', 'E', 'F']) await makeProduct(api, { name, variants })
  const page = async (cursor: string) => {
    const { data, meta } = await api.get(`/products?limit=100${cursor}`)
    const names = data.products.map(({ name }: { name: string }) => name)
    for (const product of data.products) expect(product.variants).toHaveLength(250)
    return { names, hasMore: meta?.hasMore, cursor: meta?.cursor }
  }
  const first = await page('')
  expect(first).toMatchObject({ names: ['A', 'B', 'C', 'D'], hasMore: true })
  const second = await page(`&cursor=${encodeURIComponent(String(first.cursor))}`)
  expect(second).toEqual({ names: ['E', 'F'], hasMore: false, cursor: null })
  expect((await api.get('/products')).data.products).toHaveLength(6)
  expect(await exportCatalogue(deps(), scopeOf(api), new PassThrough().resume())).toBe(1_500)
})

test('bulk-category moves all named products or none', async () => {
  const api = await workspace()
  const { data } = await api.post('/categories', { name: 'Snack' })
  const [a, b] = [await makeProduct(api), await makeProduct(api)]
  const move = (productIds: string[], categoryId: string | null) =>
    api.post('/products/bulk-category', { productIds, categoryId })
  const refused = await move([a.id, 'prd_unknown'], data.category.id)
  expect(refusalOf(refused)).toMatchObject({ status: 404, param: 'productIds[1]' })
  expect((await api.get(`/products/${a.id}`)).data.product.categoryId).toBeNull()
  const moved = await move([a.id, b.id, a.id], data.category.id)
  expect([moved.status, moved.data]).toEqual([200, { updated: 2 }])
  expect((await api.get(`/products/${b.id}`)).data.product.categoryName).toBe('Snack')
  expect((await move([b.id], null)).data).toEqual({ updated: 1 })
  expect((await api.get(`/products/${b.id}`)).data.product.categoryId).toBeNull()
  expect((await eventsOf(api, 'service.product.updated.v1')).length).toBe(3)
})

test('deleting a category changes each of its products as bulk-category would, however many there are', async () => {
  const api = await workspace()
  const { accountId } = api.workspace
  const categoryId = (await api.post('/categories', { name: 'Snack' })).data.category.id
  const other = (await api.post('/categories', { name: 'Kopi' })).data.category.id
  const made = await makeProduct(api, { categoryId })
  const elsewhere = await makeProduct(api, { categoryId: other })
  const rows = Array.from({ length: 600 }, (_, n) => ({
    accountId,
    id: `prd_${n}`,
    name: 'Filler',
    categoryId,
  }))
  await deps().db.insertInto('products').values(rows).execute()
  const gone = await api.delete(`/categories/${categoryId}`)
  expect([gone.status, gone.data]).toEqual([200, { id: categoryId, deleted: true }])
  const { product } = (await api.get(`/products/${made.id}`)).data
  expect(product).toEqual({ ...made, categoryId: null, categoryName: null, updatedAt: expect.any(String) })
  expect(product.updatedAt > made.updatedAt).toBe(true)
  const told = await eventsOf(api, 'service.product.updated.v1')
  expect(told).toHaveLength(601)
  expect(told).toContainEqual({ product })
  expect((await api.get(`/products?categoryId=${categoryId}`)).data.products).toEqual([])
  expect((await api.get(`/products/${elsewhere.id}`)).data.product).toEqual(elsewhere)
  expect((await api.delete(`/categories/${categoryId}`)).status).toBe(404)
})

test.each([
  [{ productIds: [], categoryId: null }, 'productIds'],
  [{ productIds: Array(501).fill('prd_1'), categoryId: null }, 'productIds'],
  [{ productIds: ['prd_1'] }, 'categoryId'],
  [{ categoryId: null }, 'productIds'],
  [{ productIds: [5], categoryId: null }, 'productIds[0]'],
])('bulk-category refuses %#', async (body, param) => {
  const refused = await acme().post('/products/bulk-category', body)
  expect(refusalOf(refused)).toMatchObject({ status: 400, param })
})

test('a product that nothing refers to is deleted with its variants, levels and movements', async () => {
  const product = await makeProduct(acme(), { variants: [{ price: 1 }, { price: 2 }] })
  await stockSomewhere(acme(), product.variants[0].id, 5)
  const gone = await acme().delete(`/products/${product.id}`)
  expect([gone.status, gone.data]).toEqual([200, { id: product.id, deleted: true }])
  expect((await acme().get(`/products/${product.id}`)).status).toBe(404)
  const left = await deps()
    .db.selectFrom('stockMovements')
    .select('id')
    .where('variantId', '=', product.variants[0].id)
    .execute()
  expect(left).toEqual([])
  expect((await acme().delete(`/products/${product.id}`)).status).toBe(404)
})

test('a composite and its component in one product are deleted together', async () => {
  const product = await makeProduct(acme(), { variants: [{ price: 1 }, { price: 2 }] })
  const [unit, box] = product.variants
  await acme().put(`/products/${product.id}/variants/${box.id}/recipe`, {
    isComposite: true,
    components: [{ componentVariantId: unit.id, quantity: 12 }],
  })
  expect((await acme().delete(`/products/${product.id}`)).data).toEqual({ id: product.id, deleted: true })
})

test.each(['PARKED', 'COMPLETED', 'VOIDED'] as const)(
  'a product named by a %s sale is deactivated, and its codes are free',
  async (status) => {
    const sku = `SOLD-${status}`
    const product = await makeProduct(acme(), { variants: [{ price: 1, sku }] })
    await sell(acme(), product.variants[0].id, status)
    const kept = await acme().delete(`/products/${product.id}`)
    expect(kept.data).toMatchObject({ product: { id: product.id, isActive: false }, deactivated: true })
    await makeProduct(acme(), { variants: [{ price: 1, sku }] })
    const clash = await acme().patch(`/products/${product.id}`, { isActive: true })
    expect(refusalOf(clash)).toMatchObject({ status: 409, code: 'CONFLICT' })
    expect(clash.error.message).toContain(`SKU ${sku}`)
  },
)

test('a product used by a recipe or named by an order is deactivated', async () => {
  const [bean, ordered, drink] = [
    await makeProduct(acme()),
    await makeProduct(acme()),
    await makeProduct(acme()),
  ]
  await acme().put(`/products/${drink.id}/variants/${drink.variants[0].id}/recipe`, {
    isComposite: true,
    components: [{ componentVariantId: bean.variants[0].id, quantity: 18 }],
  })
  await makePurchaseOrder(acme(), { items: [{ variantId: ordered.variants[0].id, qty: 1 }] })
  for (const product of [bean, ordered]) {
    expect((await acme().delete(`/products/${product.id}`)).data).toMatchObject({ deactivated: true })
  }
})

test('each change announces the product as GET returns it', async () => {
  const api = await workspace()
  const product = await makeProduct(api)
  const path = `/products/${product.id}`
  const variant = (await api.post(`${path}/variants`, { price: 7 })).data.variant
  await api.patch(`${path}/variants/${variant.id}`, { price: 8 })
  await api.delete(`${path}/variants/${variant.id}`)
  await api.patch(path, { name: 'Renamed' })
  const last = (await api.get(path)).data.product
  await api.delete(path)
  expect(await api.events()).toEqual([
    'service.product.created.v1',
    'service.product.updated.v1',
    'service.product.updated.v1',
    'service.product.updated.v1',
    'service.product.updated.v1',
    'service.product.deleted.v1',
  ])
  expect(await eventsOf(api, 'service.product.created.v1')).toEqual([{ product }])
  expect((await eventsOf(api, 'service.product.updated.v1')).at(-1)).toEqual({ product: last })
  expect(await eventsOf(api, 'service.product.deleted.v1')).toEqual([{ product: last }])
})

test('a refused change announces nothing', async () => {
  const api = await workspace()
  const product = await makeProduct(api)
  await api.patch(`/products/${product.id}`, { requiresBatch: true, trackStock: false })
  await api.patch(`/products/${product.id}`, {})
  expect(await api.events()).toEqual(['service.product.created.v1'])
})

test('a product of another workspace answers 404 to every verb', async () => {
  const product = await makeProduct(acme())
  const path = `/products/${product.id}`
  const variant = `${path}/variants/${product.variants[0].id}`
  const answers = [
    await globex().get(path),
    await globex().patch(path, { name: 'Mine' }),
    await globex().delete(path),
    await globex().post(`${path}/variants`, { price: 1 }),
    await globex().patch(variant, { price: 1 }),
    await globex().delete(variant),
    await globex().get(`${variant}/recipe`),
    await globex().put(`${variant}/recipe`, { isComposite: false }),
    await globex().get(`/modifiers/product/${product.id}`),
    await globex().put(`/modifiers/product/${product.id}`, { groupIds: [] }),
    await globex().post('/products/bulk-category', { productIds: [product.id], categoryId: null }),
  ]
  expect(answers.map(refusalOf)).toMatchObject(Array(11).fill({ status: 404, code: 'NOT_FOUND' }))
  expect((await globex().get('/products')).data.products).toEqual([])
})

test('a category carries its station', async () => {
  const { data } = await acme().post('/categories', { name: 'Bar', station: ' BAR ' })
  expect(data.category.station).toBe('BAR')
  const path = `/categories/${data.category.id}`
  expect((await acme().patch(path, { name: 'Bar 2' })).data.category.station).toBe('BAR')
  expect((await acme().patch(path, { station: '' })).data.category.station).toBeNull()
  const refused = await acme().post('/categories', { name: 'Bar', station: 'x'.repeat(41) })
  expect(refusalOf(refused)).toMatchObject({ status: 400, param: 'station' })
})

test('events of a product carry its first 100 variants and say when there are more', async () => {
  const api = await workspace()
  const variants = Array.from({ length: 101 }, (_, size) => ({ name: `M${size}`, price: 1_000 }))
  const { id } = await makeProduct(api, { variants })
  const path = `/products/${id}`
  const { data } = await api.patch(path, { description: 'Baut baja' })
  const last = data.product.variants.at(-1).id
  await api.patch(`${path}/variants/${last}`, { price: 2_000 })
  await api.post('/products/bulk-category', { productIds: [id], categoryId: null })
  await api.delete(`${path}/variants/${last}`)
  await api.post(`${path}/variants`, { name: 'M101', price: 1_000 })
  await api.delete(path)
  const told = async (what: string) =>
    (await eventsOf(api, `service.product.${what}.v1`)).map((event) => {
      const { variants, truncated } = event['product'] as { variants: unknown[]; truncated?: true }
      return [variants.length, truncated]
    })
  expect(await told('created')).toEqual([[100, true]])
  expect(await told('updated')).toEqual([
    [100, true],
    [100, true],
    [100, true],
    [100, undefined],
    [100, true],
  ])
  expect(await told('deleted')).toEqual([[100, true]])
  const [first] = await eventsOf(api, 'service.product.updated.v1')
  const cut = data.product.variants.slice(0, 100)
  expect(first?.product).toEqual({ ...data.product, variants: cut, truncated: true })
})
