import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { brokenInvariants } from '../../../../src/platform/db/invariants.ts'
import { inTx, type Tx } from '../../../../src/platform/db/open.ts'
import type { Answer, Api } from '../../../support/api.ts'
import {
  fresh,
  makeOutlet,
  makeProduct,
  makeVariant,
  openBill,
  openShift,
  stock,
} from '../../../support/build.ts'
import { memberOf } from '../../../support/clients.ts'
import { assertInvariants, done, refusalOf, saleOf } from '../../../support/expect.ts'
import { eventsOf, levelOf } from '../../../support/read.ts'
import { deps, useService, workspace } from '../../../support/service.ts'

useService()

const SCALES = [
  { prefix: '21', itemDigits: 5, valueDigits: 5, value: 'WEIGHT' },
  { prefix: '22', itemDigits: 5, valueDigits: 5, value: 'PRICE' },
]

/** A greengrocer whose scale prints weights (21) and prices (22). Apples cost 32,000 per kilogram. */
async function greengrocer(fields: Record<string, unknown> = {}) {
  const api = await workspace()
  done(await api.put('/settings', { scaleBarcodes: SCALES }))
  const product = await makeProduct(api, {
    name: 'Apel',
    ...fields,
    variants: [{ price: 32_000, cost: 20_000, soldBy: 'WEIGHT', barcode: '00123', sku: 'APEL' }],
  })
  const variantId: string = product.variants[0].id
  const path = `/products/${product.id}/variants/${variantId}`
  return { api, product, variantId, path, outletId: await makeOutlet(api) }
}

const sold = (api: Api, outletId: string, items: object[], fields: object = {}) =>
  api.post('/sales', { outletId, items, status: 'COMPLETED', ...fields })
const looked = async (api: Api, barcode: string) =>
  done(await api.get(`/products/lookup?barcode=${barcode}`)).matches
const refused = async (answer: Promise<Answer>) => {
  const { status, code, param } = refusalOf(await answer)
  return [status, code, param]
}
/** The barcode of a scale for these 12 digits. */
const scaled = (digits: string) => {
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

const bad = (param: string) => [400, 'VALIDATION_ERROR', param]
const wrong = (param: string) => [422, 'VALIDATION_ERROR', param]

test('a greengrocer sells by weight, refunds grams, and its books explain every rupiah and gram', async () => {
  const { api, variantId, outletId } = await greengrocer()
  const order = done(
    await api.post('/purchase-orders', { outletId, items: [{ variantId, qty: 20_000, cost: 21_000 }] }),
  ).purchaseOrder
  expect(order).toMatchObject({ total: 420_000, items: [{ soldBy: 'WEIGHT', lineTotal: 420_000 }] })
  done(await api.post(`/purchase-orders/${order.id}/order`))
  done(
    await api.post(`/purchase-orders/${order.id}/receive`, {
      items: [{ variantId, qty: 20_000, batchNo: 'A' }],
    }),
  )
  expect(await levelOf(api, outletId, variantId)).toBe(20_000)

  const [weighed] = await looked(api, '2100123007509')
  expect(weighed).toMatchObject({
    variantId,
    soldBy: 'WEIGHT',
    price: 32_000,
    quantity: 750,
    labelPrice: null,
  })
  const [priced] = await looked(api, '2200123240002')
  expect(priced).toMatchObject({ variantId, quantity: 750, labelPrice: 24_000 })
  const sale = saleOf(
    await sold(api, outletId, [
      { variantId, quantity: 333, modifiers: [{ name: 'Potong', price: 1_000 }] },
      { variantId, quantity: 750, labelPrice: 24_000 },
    ]),
  )
  // 333 g at 32,000 are 10,656, and the modifier counts once.
  expect(sale).toMatchObject({
    total: 35_656,
    items: [
      { soldBy: 'WEIGHT', quantity: 333, unitPrice: 32_000, lineTotal: 11_656, labelPrice: null },
      { quantity: 750, lineTotal: 24_000, labelPrice: 24_000, batches: [{ qty: 750 }] },
    ],
  })
  expect(await levelOf(api, outletId, variantId)).toBe(18_917)
  const receipt = (await api.get(`/sales/${sale.id}/receipt?format=text&lang=id`)).text
  expect(receipt).toContain('0,333 kg x Rp 32.000')
  expect(receipt).toContain('0,750 kg')
  const refund = done(
    await api.post(`/sales/${sale.id}/refund`, {
      lines: [{ transactionItemId: sale.items[1].id, qty: 250 }],
      restock: true,
    }),
  ).sale
  expect(refund.refunds[0]).toMatchObject({ amount: 8_000, lines: [{ qty: 250, amount: 8_000 }] })
  expect(await levelOf(api, outletId, variantId)).toBe(19_167)
  const rest = done(await api.post(`/sales/${sale.id}/refund`, { restock: true })).sale
  expect(rest).toMatchObject({ refundStatus: 'FULL', refundedTotal: 35_656 })
  expect(await levelOf(api, outletId, variantId)).toBe(20_000)
  await assertInvariants(deps().db)
})

test('product reports count grams apart from units, in rows and in totals, and cost them by the kilogram', async () => {
  const { api, product, variantId, outletId } = await greengrocer()
  const { variants } = done(
    await api.patch(`/products/${product.id}`, {
      variants: [{ id: variantId }, { name: 'Per buah', price: 5_000, soldBy: 'UNIT' }],
    }),
  ).product
  const piece = variants.find(({ id }: { id: string }) => id !== variantId).id
  const bag = await makeVariant(api, { name: 'Kantong', price: 500 })
  const items = [
    { variantId, quantity: 333 },
    { variantId: piece, quantity: 4 },
    { variantId: bag, quantity: 2 },
  ]
  const sale = saleOf(await sold(api, outletId, items))
  const lines = [
    { transactionItemId: sale.items[0].id, qty: 133 },
    { transactionItemId: sale.items[1].id, qty: 1 },
  ]
  done(await api.post(`/sales/${sale.id}/refund`, { lines, restock: true }))
  const voided = saleOf(await sold(api, outletId, [{ variantId, quantity: 5_000 }]))
  done(await api.post(`/sales/${voided.id}/void`))
  const report = async (name: string) => done(await api.get(`/reports/${name}?outletId=${outletId}`))
  const { products, total } = await report('margin')
  expect(products).toMatchObject([
    { name: 'Apel', quantity: 3, grams: 200, revenue: 21_400, cost: 4_000, margin: 17_400 },
    { name: 'Kantong', quantity: 2, grams: 0, revenue: 1_000 },
  ])
  expect(total).toMatchObject({ quantity: 5, grams: 200, revenue: 22_400, cost: 4_000 })
  expect((await report('categories')).categories).toMatchObject([{ quantity: 5, grams: 200 }])
  const best = (await report('top-products')).products
  expect(best).toMatchObject([
    { name: 'Apel', quantity: 3, grams: 200 },
    { name: 'Kantong', quantity: 2, grams: 0 },
  ])
  const table = (await api.get(`/reports/margin?outletId=${outletId}&format=csv`)).text.split('\r\n')
  expect(table[0]?.split(',').slice(1, 4)).toEqual(['name', 'quantity', 'grams'])
  expect(table[1]?.split(',').slice(1, 4)).toEqual(['Apel', '3', '200'])
})

test('a kilogram ranks as one unit among the best sellers', async () => {
  const { api, variantId, outletId } = await greengrocer()
  const [bag, crate] = [
    await makeVariant(api, { name: 'Kantong', price: 500 }),
    await makeVariant(api, { name: 'Peti', price: 500 }),
  ]
  const items = [
    { variantId: bag, quantity: 3 },
    { variantId, quantity: 2_500 },
    { variantId: crate, quantity: 2 },
  ]
  saleOf(await sold(api, outletId, items))
  const { products } = done(await api.get(`/reports/top-products?outletId=${outletId}`))
  expect(products.map(({ name }: { name: string }) => name)).toEqual(['Kantong', 'Apel', 'Peti'])
})

test('the stock value of grams is their cost by the kilogram, rounded half up, and its total never adds grams and units', async () => {
  const { api, variantId, outletId } = await greengrocer()
  const other = await makeVariant(api, { cost: 3 })
  await stock(api, outletId, variantId, 1_250)
  await stock(api, outletId, other, 2)
  const { total, variants } = done(await api.get('/reports/stock-value'))
  expect(variants).toMatchObject([
    { variantId, quantity: 1_250, cost: 20_000, value: 25_000 },
    { variantId: other, quantity: 2, cost: 3, value: 6 },
  ])
  expect(variants.map(({ soldBy }: { soldBy: string }) => soldBy)).toEqual(['WEIGHT', 'UNIT'])
  expect(total).toEqual({ quantity: 2, grams: 1_250, value: 25_006 })
})

test('a price list sets the price of a kilogram; another weight keeps it, and the list explains a label', async () => {
  const { api, variantId, outletId } = await greengrocer()
  const entries = [{ variantId, adjustBps: -1_000 }]
  const list = done(await api.post('/price-lists', { name: 'Grosir', entries })).priceList
  const items = [{ variantId, quantity: 750 }]
  const bill = saleOf(await api.post('/sales', { outletId, status: 'PARKED', items }))
  expect(bill.items).toMatchObject([{ unitPrice: 28_800, priceListId: list.id, lineTotal: 21_600 }])
  done(await api.patch(`/price-lists/${list.id}`, { isActive: false }))
  const path = `/sales/${bill.id}/items`
  const edited = saleOf(await api.patch(path, { items: [{ id: bill.items[0].id, quantity: 1_000 }] }))
  expect(edited.items).toMatchObject([
    { quantity: 1_000, unitPrice: 28_800, priceListId: list.id, lineTotal: 28_800 },
  ])
  done(await api.patch(`/price-lists/${list.id}`, { isActive: true }))
  done(await api.put('/settings', { approvals: { priceChange: true } }))
  const { api: cashier } = await memberOf(api, 'CASHIER')
  await openShift(cashier, outletId)
  const sell = async (labelPrice: number) =>
    (await sold(cashier, outletId, [{ variantId, quantity: 750, labelPrice }])).status
  expect(await sell(24_000)).toBe(201)
  expect(await sell(10_000)).toBe(403)
  await assertInvariants(deps().db)
})

test('a recipe counts grams, and its cost is theirs by the kilogram', async () => {
  const { api, variantId, outletId } = await greengrocer()
  const juice = await makeProduct(api, { name: fresh('Jus'), variants: [{ price: 18_000 }] })
  const id = juice.variants[0].id
  const { derivedCost, components } = done(
    await api.put(`/products/${juice.id}/variants/${id}/recipe`, {
      isComposite: true,
      components: [{ componentVariantId: variantId, quantity: 255, unit: 'g' }],
    }),
  )
  expect({ derivedCost, components }).toMatchObject({
    derivedCost: 5_100,
    components: [{ soldBy: 'WEIGHT' }],
  })
  expect(done(await api.get(`/products/${juice.id}`)).product.variants[0].derivedCost).toBe(5_100)
  saleOf(await sold(api, outletId, [{ variantId: id, quantity: 2 }]))
  expect(await levelOf(api, outletId, variantId)).toBe(-510)
  const { products } = done(await api.get(`/reports/margin?outletId=${outletId}`))
  expect(products).toMatchObject([{ quantity: 2, cost: 10_200 }])
  await assertInvariants(deps().db)
})

test('a reorder point in grams announces low stock once', async () => {
  const { api, variantId, outletId } = await greengrocer()
  await stock(api, outletId, variantId, 5_000)
  done(await api.put('/inventory/reorder', { outletId, variantId, reorderPoint: 4_500 }))
  for (const quantity of [499, 1, 100]) saleOf(await sold(api, outletId, [{ variantId, quantity }]))
  expect(await eventsOf(api, 'service.stock.low.v1')).toMatchObject([
    { level: { soldBy: 'WEIGHT', quantity: 4_500, reorderPoint: 4_500 } },
  ])
})

test('levels, movements, batches, counts, recipes and low stock say which quantities are grams', async () => {
  const { api, variantId, outletId } = await greengrocer()
  const piece = await makeVariant(api, { name: 'Kantong' })
  const both = [
    { variantId, soldBy: 'WEIGHT' },
    { variantId: piece, soldBy: 'UNIT' },
  ]
  const count = done(await api.post('/stock-counts', { outletId })).stockCount
  const { lines } = done(
    await api.post(`/stock-counts/${count.id}/lines`, {
      lines: both.map((goods) => ({ variantId: goods.variantId, quantity: 100 })),
    }),
  )
  expect(lines).toMatchObject(both)
  expect(done(await api.post(`/stock-counts/${count.id}/post`)).stockCount.lines).toMatchObject(both)
  const batch = { outletId, variantId, batchNo: 'A1', expiryDate: '2030-01-01', qty: 500 }
  expect(done(await api.post('/inventory/batches', batch))).toMatchObject({
    batch: { soldBy: 'WEIGHT' },
    level: { soldBy: 'WEIGHT' },
    movement: { soldBy: 'WEIGHT', qtyDelta: 500 },
  })
  const adjusted = await api.post('/inventory/adjust', { outletId, variantId: piece, qtyDelta: 1 })
  expect(done(adjusted).movement).toMatchObject({ soldBy: 'UNIT', qtyDelta: 1 })
  for (const query of [
    `outletId=${outletId}`,
    `outletId=${outletId}&variantId=${variantId}`,
    `variantId=${variantId}`,
  ]) {
    const { data } = await api.get(`/inventory/movements?${query}`)
    const known = new Map(both.map((goods) => [goods.variantId, goods.soldBy]))
    expect(data.length).toBeGreaterThan(1)
    for (const movement of data) expect(movement.soldBy).toBe(known.get(movement.variantId))
  }
  for (const query of ['', `?outletId=${outletId}`])
    expect(done(await api.get(`/inventory/levels${query}`)).levels).toMatchObject(both)
  expect(done(await api.get(`/inventory/batches?outletId=${outletId}`)).batches).toMatchObject([
    { soldBy: 'WEIGHT', remainingQty: 500 },
  ])
  done(await api.put('/inventory/reorder', { outletId, variantId, reorderPoint: 5_000 }))
  expect(done(await api.get('/reports/low-stock')).levels).toMatchObject([
    { soldBy: 'WEIGHT', quantity: 600 },
  ])
  const juice = await makeProduct(api, { name: 'Jus', variants: [{ price: 18_000 }] })
  const components = [{ componentVariantId: variantId, quantity: 255 }]
  const recipe = { isComposite: true, components }
  done(await api.put(`/products/${juice.id}/variants/${juice.variants[0].id}/recipe`, recipe))
  const { composites } = done(await api.get(`/inventory/composites?outletId=${outletId}`))
  expect(composites).toMatchObject([{ components: [{ soldBy: 'WEIGHT', quantity: 255, stock: 600 }] }])
})

test('a sack of 25 kg is a pack: bought and sold by the sack, booked in grams', async () => {
  const { api, path, variantId, outletId } = await greengrocer()
  const { variant } = done(await api.patch(path, { packs: [{ name: 'karung', factor: 25_000 }] }))
  const packId = variant.packs[0].id
  const items = [{ variantId, packId, qty: 2 }]
  const { purchaseOrder } = done(await api.post('/purchase-orders', { outletId, items }))
  expect(purchaseOrder).toMatchObject({ total: 1_000_000, items: [{ cost: 500_000, lineTotal: 1_000_000 }] })
  done(await api.post(`/purchase-orders/${purchaseOrder.id}/order`))
  done(
    await api.post(`/purchase-orders/${purchaseOrder.id}/receive`, {
      items: [{ variantId, qty: 2, cost: 525_000 }],
    }),
  )
  expect(await levelOf(api, outletId, variantId)).toBe(50_000)
  expect(done(await api.get(path.replace(/\/variants.*/, ''))).product.variants[0].cost).toBe(21_000)
  const sale = saleOf(await sold(api, outletId, [{ variantId, packId, quantity: 1 }]))
  expect(sale).toMatchObject({ total: 800_000, items: [{ unitPrice: 800_000, pack: { factor: 25_000 } }] })
  expect(await levelOf(api, outletId, variantId)).toBe(25_000)
  const { products } = done(await api.get(`/reports/margin?outletId=${outletId}`))
  expect(products).toMatchObject([{ quantity: 0, grams: 25_000, cost: 525_000 }])
  await assertInvariants(deps().db)
})

test('a pack of weighed goods costs at most 1,000,000,000 a kilogram, in an order and in its receipt', async () => {
  const { api, path, product, variantId, outletId } = await greengrocer()
  const { variant } = done(await api.patch(path, { packs: [{ name: 'sachet', factor: 5 }] }))
  const packId = variant.packs[0].id
  const write = (cost: number) =>
    api.post('/purchase-orders', { outletId, items: [{ variantId, packId, qty: 1, cost }] })
  expect(await refused(write(5_000_001))).toEqual(wrong('items[0].cost'))
  const { id } = done(await write(5_000_000)).purchaseOrder
  done(await api.post(`/purchase-orders/${id}/order`))
  const receive = (cost?: number) =>
    api.post(`/purchase-orders/${id}/receive`, { items: [{ variantId, qty: 1, cost }] })
  expect(await refused(receive(6_000_000))).toEqual(wrong('items[0].cost'))
  expect(await levelOf(api, outletId, variantId)).toBeUndefined()
  done(await receive())
  expect(done(await api.get(`/products/${product.id}`)).product.variants[0].cost).toBe(1_000_000_000)
})

test('an exact barcode wins over a scale, then the item code is a barcode, then a SKU', async () => {
  const { api } = await greengrocer()
  const exact = await makeVariant(api, { name: 'Kaleng' })
  const bySku = await makeProduct(api, {
    name: 'Jeruk',
    variants: [{ price: 25_000, soldBy: 'WEIGHT', sku: '00456' }],
  })
  const whole = await makeProduct(api, {
    name: 'Paket',
    variants: [{ price: 9_000, barcode: '2100123007509' }],
  })
  expect(exact).toBeDefined()
  expect(await looked(api, '2100123007509')).toMatchObject([
    { variantId: whole.variants[0].id, quantity: null, soldBy: 'UNIT' },
  ])
  expect(await looked(api, scaled('210045600500'))).toMatchObject([
    { variantId: bySku.variants[0].id, quantity: 500 },
  ])
  await makeProduct(api, { name: 'Salak', variants: [{ price: 1, soldBy: 'WEIGHT', barcode: '00456' }] })
  expect(await looked(api, scaled('210045600500'))).toMatchObject([{ productName: 'Salak' }])
})

test('a code with a wrong check digit, another prefix, an unknown item or goods by the unit finds nothing', async () => {
  const { api } = await greengrocer()
  await makeProduct(api, { name: 'Kaleng', variants: [{ price: 1, barcode: '00999' }] })
  expect(await looked(api, '2100123007502')).toEqual([])
  expect(await looked(api, scaled('230012300750'))).toEqual([])
  expect(await looked(api, scaled('210077700750'))).toEqual([])
  expect(await looked(api, scaled('210099900750'))).toEqual([])
  done(await api.put('/settings', { scaleBarcodes: [] }))
  expect(await looked(api, '2100123007509')).toEqual([])
})

test('what no label, item or setting may say is refused with the field', async () => {
  const { api, product, variantId, outletId } = await greengrocer()
  const other = await makeVariant(api)
  await makeProduct(api, { name: 'Gratis', variants: [{ price: 0, soldBy: 'WEIGHT', barcode: '00555' }] })
  const look = (digits: string) => api.get(`/products/lookup?barcode=${scaled(digits)}`)
  expect(await refused(look('210012300000'))).toEqual(bad('barcode'))
  expect(await refused(look('220012300000'))).toEqual(bad('barcode'))
  expect(await refused(look('220055501000'))).toEqual(wrong('barcode'))
  const item = (fields: object) => sold(api, outletId, [{ variantId, quantity: 500, ...fields }])
  expect(await refused(item({ quantity: 0 }))).toEqual(bad('items[0].quantity'))
  expect(await refused(item({ quantity: 100_001 }))).toEqual(bad('items[0].quantity'))
  expect(await refused(item({ quantity: 0.5 }))).toEqual(bad('items[0].quantity'))
  expect(await refused(item({ labelPrice: -1 }))).toEqual(bad('items[0].labelPrice'))
  expect(await refused(item({ variantId: other, labelPrice: 1 }))).toEqual(wrong('items[0].labelPrice'))
  expect(await refused(item({ labelPrice: 1_000, modifiers: [{ name: 'Potong', price: 1 }] }))).toEqual(
    wrong('items[0].labelPrice'),
  )
  expect(await refused(item({ labelPrice: 1_000, discount: 1_001 }))).toEqual(wrong('items[0].discount'))
  expect(
    await refused(api.patch(`/products/${product.id}/variants/${variantId}`, { soldBy: 'LITRE' })),
  ).toEqual(bad('soldBy'))
  const set = (scale: object) =>
    api.put('/settings', { scaleBarcodes: [{ ...SCALES[0], ...scale }, SCALES[1]] })
  expect(await refused(set({ prefix: '30' }))).toEqual(bad('scaleBarcodes[0].prefix'))
  expect(await refused(set({ prefix: '2' }))).toEqual(bad('scaleBarcodes[0].prefix'))
  expect(await refused(set({ itemDigits: 0, valueDigits: 10 }))).toEqual(bad('scaleBarcodes[0].itemDigits'))
  expect(await refused(set({ itemDigits: 6 }))).toEqual(wrong('scaleBarcodes[0].valueDigits'))
  expect(await refused(set({ value: 'LITRE' }))).toEqual(bad('scaleBarcodes[0].value'))
  expect(await refused(set({ prefix: '22' }))).toEqual(wrong('scaleBarcodes[1].prefix'))
})

test('soldBy stays while stock, batches, open bills or open orders count by it', async () => {
  const { api, path, product, variantId, outletId } = await greengrocer()
  const message = async () => {
    const answers = [
      await api.patch(path, { soldBy: 'UNIT' }),
      await api.patch(`/products/${product.id}`, { variants: [{ id: variantId, soldBy: 'UNIT' }] }),
    ]
    for (const answer of answers) expect(refusalOf(answer)).toMatchObject({ status: 409, code: 'CONFLICT' })
    return answers[0]?.error?.message
  }
  await stock(api, outletId, variantId, 500)
  expect(await message()).toBe(
    'The variant still has stock, which count by soldBy; clear them before you change it',
  )
  await stock(api, outletId, variantId, -500)
  const bill = await openBill(api, { outletId, items: [{ variantId, quantity: 500 }] })
  expect(await message()).toContain('open bills')
  done(await api.post(`/sales/${bill.id}/discard`, {}))
  const { purchaseOrder } = done(
    await api.post('/purchase-orders', { outletId, items: [{ variantId, qty: 1 }] }),
  )
  expect(await message()).toContain('open orders')
  done(await api.post(`/purchase-orders/${purchaseOrder.id}/cancel`))
  expect(done(await api.patch(path, { soldBy: 'WEIGHT', price: 33_000 })).variant.soldBy).toBe('WEIGHT')
  expect(done(await api.patch(path, { soldBy: 'UNIT' })).variant.soldBy).toBe('UNIT')
})

const textOf = (answer: Answer) => {
  expect(refusalOf(answer)).toMatchObject({ status: 409, code: 'CONFLICT' })
  return answer.error?.message
}

test('soldBy stays while a line of an open stock count counts by it', async () => {
  const { api, product, variantId, path, outletId } = await greengrocer()
  const open = async () => {
    const { id } = done(await api.post('/stock-counts', { outletId })).stockCount
    done(await api.post(`/stock-counts/${id}/lines`, { lines: [{ variantId, quantity: 3 }] }))
    return id
  }
  const id = await open()
  for (const [at, body] of [
    [path, { soldBy: 'UNIT' }],
    [`/products/${product.id}`, { variants: [{ id: variantId, soldBy: 'UNIT' }] }],
  ] as const) {
    const answer = await api.patch(at, body)
    expect(refusalOf(answer)).toMatchObject({ status: 409, code: 'CONFLICT' })
    expect(answer.error.message).toContain('lines of an open stock count')
  }
  done(await api.post(`/stock-counts/${id}/cancel`))
  done(await api.patch(path, { soldBy: 'UNIT' }))
  await open()
  expect(refusalOf(await api.patch(path, { soldBy: 'WEIGHT' }))).toMatchObject({ status: 409 })
})

test('soldBy stays while a recipe counts by it', async () => {
  const { api, path, product, variantId } = await greengrocer()
  const dish = await makeProduct(api, { variants: [{ price: 18_000 }] })
  const dishPath = `/products/${dish.id}/variants/${dish.variants[0].id}`
  const components = [{ componentVariantId: variantId, quantity: 2 }]
  done(await api.put(`${dishPath}/recipe`, { isComposite: true, components }))
  const entry = { variants: [{ id: variantId, soldBy: 'UNIT' }] }
  for (const answer of [
    await api.patch(path, { soldBy: 'UNIT' }),
    await api.patch(`/products/${product.id}`, entry),
  ])
    expect(textOf(answer)).toBe(
      'The variant still has recipes that use it, which count by soldBy; clear them before you change it',
    )
  expect(textOf(await api.patch(dishPath, { soldBy: 'WEIGHT' }))).toContain('components')
  done(await api.put(`${dishPath}/recipe`, { isComposite: false }))
  done(await api.patch(path, { soldBy: 'UNIT' }))
  done(await api.patch(dishPath, { soldBy: 'WEIGHT' }))
})

test('soldBy stays while a pack keeps a factor that counts by it', async () => {
  const { api, path, product, variantId } = await greengrocer()
  const tray = { name: 'tray', factor: 30 }
  const [{ id }] = done(await api.patch(path, { packs: [tray] })).variant.packs
  const said = { soldBy: 'UNIT' }
  const item = (fields: object) => ({ variants: [{ id: variantId, ...said, ...fields }] })
  for (const answer of [
    await api.patch(path, said),
    await api.patch(path, {
      ...said,
      packs: [
        { id, ...tray, name: 'rak' },
        { name: 'dus', factor: 300 },
      ],
    }),
    await api.patch(`/products/${product.id}`, item({})),
    await api.patch(`/products/${product.id}`, item({ packs: [{ id, ...tray }] })),
  ])
    expect(textOf(answer)).toContain('packs')
  const { variant } = done(await api.patch(path, { ...said, packs: [{ id, ...tray, factor: 2 }] }))
  expect(variant).toMatchObject({ ...said, packs: [{ id, factor: 2 }] })
  done(await api.patch(path, { soldBy: 'WEIGHT', packs: [{ name: 'tray', factor: 2 }] }))
  done(await api.patch(path, { ...said, packs: [] }))
})

test('an open bill corrects, moves and pays weights; a weighed item is not split', async () => {
  const { api, variantId, outletId } = await greengrocer()
  const bill = await openBill(api, {
    outletId,
    orderType: 'TAKEAWAY',
    items: [
      { variantId, quantity: 750, labelPrice: 24_500 },
      { variantId, quantity: 400 },
    ],
  })
  const [labelled, loose] = bill.items
  const edit = (items: object[]) => api.patch(`/sales/${bill.id}/items`, { items })
  const kept = saleOf(await edit([{ variantId, quantity: 750, labelPrice: 24_500 }, { id: loose?.id }]))
  expect(kept.items).toMatchObject([
    { id: labelled?.id, lineTotal: 24_500 },
    { id: loose?.id, lineTotal: 12_800 },
  ])
  done(await api.post(`/kds/items/${loose?.id}/advance`))
  const corrected = saleOf(
    await edit([
      { id: labelled?.id, quantity: 700 },
      { id: loose?.id, quantity: 500 },
    ]),
  )
  expect(corrected.items).toMatchObject([
    { id: labelled?.id, labelPrice: null, lineTotal: 22_400 },
    { id: loose?.id, quantity: 500, lineTotal: 16_000 },
  ])
  expect(corrected.items).toHaveLength(2)
  const split = (quantity: number) =>
    api.post(`/sales/${bill.id}/split`, { items: [{ id: loose?.id, quantity }] })
  expect(await refused(split(200))).toEqual(wrong('items[0].quantity'))
  const { sale: moved } = done(await split(500))
  expect(moved).toMatchObject({ total: 16_000, items: [{ soldBy: 'WEIGHT', quantity: 500 }] })
  done(await api.post(`/sales/${bill.id}/merge`, { saleId: moved.id }))
  saleOf(await api.post(`/sales/${bill.id}/settle`, { payments: [{ method: 'CASH', amount: 38_400 }] }))
  expect(await levelOf(api, outletId, variantId)).toBe(-1_200)
  done(await api.post(`/sales/${bill.id}/void`, {}))
  expect(await levelOf(api, outletId, variantId)).toBe(0)
  await assertInvariants(deps().db)
})

test('a label that a scale prints at the price needs no approval, and a cheaper one does', async () => {
  const { api, variantId, outletId } = await greengrocer()
  done(await api.put('/settings', { approvals: { priceChange: true } }))
  const { api: cashier } = await memberOf(api, 'CASHIER')
  await openShift(cashier, outletId)
  const sell = async (item: object) =>
    (await sold(cashier, outletId, [{ variantId, quantity: 750, ...item }])).status
  expect(await sell({})).toBe(201)
  expect(await sell({ labelPrice: 24_000 })).toBe(201)
  expect(await sell({ labelPrice: 23_990 })).toBe(201)
  expect(await sell({ labelPrice: 10_000 })).toBe(403)
  expect(await sell({ unitPrice: 30_000 })).toBe(403)
})

test('the kitchen, the serve board and the steps of a ticket say which quantities are grams and which are packs', async () => {
  const { api, outletId } = await greengrocer()
  const packs = [{ name: 'karung', factor: 25_000, price: 500_000 }]
  const product = await makeProduct(api, { variants: [{ price: 32_000, soldBy: 'WEIGHT', packs }] })
  const { id: variantId, packs: sacks } = product.variants[0]
  const packId = sacks[0].id
  const sale = saleOf(
    await sold(
      api,
      outletId,
      [
        { variantId, quantity: 750 },
        { variantId, packId, quantity: 2 },
        { variantId: await makeVariant(api), quantity: 3 },
      ],
      { orderType: 'TAKEAWAY' },
    ),
  )
  const items = [
    { quantity: 750, soldBy: 'WEIGHT', pack: null },
    { quantity: 2, soldBy: 'WEIGHT', pack: { id: packId, name: 'karung', factor: 25_000 } },
    { quantity: 3, soldBy: 'UNIT', pack: null },
  ]
  expect(done(await api.get(`/kds?outletId=${outletId}`)).tickets).toMatchObject([{ items }])
  expect(done(await api.get(`/kds/ready?outletId=${outletId}`)).groups).toMatchObject([{ items }])
  expect(done(await api.post(`/kds/${sale.id}/advance`)).ticket).toMatchObject({ items })
})

test('an offline sale of weighed goods stores the printed total', async () => {
  const { api, variantId, outletId } = await greengrocer()
  const offline = {
    ref: 'T1-1',
    soldAt: new Date(Date.now() - 60_000).toISOString(),
    terms: {},
    printedTotal: 24_500,
  }
  const items = [{ variantId, quantity: 750, unitPrice: 32_000, labelPrice: 24_500 }]
  const answer = done(await api.post('/sales', { outletId, items, offline }))
  expect(answer).toMatchObject({ sale: { total: 24_500 }, warnings: [] })
})

test('the catalogue of a till says what is sold by weight, and how scales write', async () => {
  const { api, variantId, outletId } = await greengrocer()
  const { variants, settings } = done(await api.get(`/catalogue?outletId=${outletId}`))
  expect(settings.scaleBarcodes).toEqual(SCALES)
  expect(variants).toMatchObject([{ id: variantId, soldBy: 'WEIGHT' }])
})

test('the invariant of the subtotal notices a gram, a price and a label that are off by one', async () => {
  const { api, variantId, outletId } = await greengrocer()
  const sale = saleOf(
    await sold(api, outletId, [
      { variantId, quantity: 1_000 },
      { variantId, quantity: 750, labelPrice: 24_000 },
    ]),
  )
  const broken = async (change: string) => {
    let names: string[] = []
    const work = async (tx: Tx) => {
      // oxlint-disable-next-line typescript/no-explicit-any -- a test may write what no store writes
      await sql.raw(change).execute(tx as any)
      names = (await brokenInvariants(tx as never, ['sales'])).map(({ name }) => name)
      throw new Error('undone')
    }
    await inTx(deps().db, work).catch((error: unknown) => {
      if (!(error instanceof Error) || error.message !== 'undone') throw error
    })
    return names
  }
  const subtotal =
    'the subtotal of a sale is the sum of its active lines after their discounts and promotions'
  const change = (set: string, which: string) =>
    `update sale_items set ${set} where sale_id = '${sale.id}' and ${which}`
  expect(await broken(change('quantity = quantity + 1', 'label_price is null'))).toContain(subtotal)
  expect(await broken(change('unit_price = unit_price + 1', 'label_price is null'))).toEqual([subtotal])
  expect(await broken(change('label_price = label_price + 1', 'label_price is not null'))).toEqual([subtotal])
})
