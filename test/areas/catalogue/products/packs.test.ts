import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { isLeftOut, list } from '../../../../src/areas/catalogue/products/statements-products.ts'
import { brokenInvariants } from '../../../../src/platform/db/invariants.ts'
import { inTx, type Tx } from '../../../../src/platform/db/open.ts'
import type { Answer, Api } from '../../../support/api.ts'
import {
  fresh,
  makeComposite,
  makeOutlet,
  makeProduct,
  makeVariant,
  openBill,
  openShift,
} from '../../../support/build.ts'
import { memberOf, scopeOf } from '../../../support/clients.ts'
import { assertInvariants, done, refusalOf, saleOf } from '../../../support/expect.ts'
import { levelOf } from '../../../support/read.ts'
import { acme, deps, globex, useService, workspace } from '../../../support/service.ts'

useService()

let codes = 0
const newCode = () => `899${String((codes += 1)).padStart(10, '0')}`

/** A medicine sold by tablet and by strip of 10, and bought in cartons of 50 strips. */
async function pharmacy(api: Api, fields: Record<string, unknown> = {}) {
  const [tablet, strip] = [newCode(), newCode()]
  const product = await makeProduct(api, {
    name: fresh('Paracetamol'),
    ...fields,
    variants: [
      {
        price: 1_500,
        cost: 900,
        barcodes: [tablet],
        packs: [
          { name: 'strip', factor: 10, barcode: strip, price: 12_000 },
          { name: 'dus', factor: 500 },
        ],
      },
    ],
  })
  const [variant] = product.variants
  const [stripPack, carton] = variant.packs
  return {
    product,
    variant,
    variantId: variant.id,
    tablet,
    strip,
    stripPack,
    carton,
    outletId: await makeOutlet(api),
  }
}

const sold = (
  api: Api,
  outletId: string,
  item: Record<string, unknown>,
  fields: Record<string, unknown> = {},
) => api.post('/sales', { outletId, items: [item], status: 'COMPLETED', ...fields })

test('a pharmacy buys cartons, sells strips and tablets, and its books explain every rupiah and tablet', async () => {
  const { variantId, strip, stripPack, carton, outletId, product } = await pharmacy(acme())
  const order = done(
    await acme().post('/purchase-orders', {
      outletId,
      items: [
        { variantId, packId: carton.id, qty: 2, cost: 400_001 },
        { variantId, qty: 7, cost: 1_000 },
      ],
    }),
  ).purchaseOrder
  expect(order).toMatchObject({
    total: 807_002,
    items: [
      { qty: 2, cost: 400_001, lineTotal: 800_002, pack: { id: carton.id, name: 'dus', factor: 500 } },
      { qty: 7, cost: 1_000, lineTotal: 7_000, pack: null },
    ],
  })
  done(await acme().post(`/purchase-orders/${order.id}/order`))
  const received = done(
    await acme().post(`/purchase-orders/${order.id}/receive`, {
      items: [
        { itemId: order.items[0].id, qty: 2, batchNo: 'A1', expiryDate: '2030-01-31' },
        { variantId, qty: 7, batchNo: 'A1', expiryDate: '2030-01-31' },
      ],
    }),
  ).purchaseOrder
  expect(received).toMatchObject({ status: 'RECEIVED', items: [{ receivedQty: 2 }, { receivedQty: 7 }] })
  expect(await levelOf(acme(), outletId, variantId)).toBe(1_007)
  const movements = (await acme().get(`/inventory/movements?variantId=${variantId}`)).data
  // 800,002 rupiah over 1,000 tablets: 998 at 800 and 2 at 801.
  expect(
    movements
      .map(({ qtyDelta, unitCost }: { qtyDelta: number; unitCost: number }) => [qtyDelta, unitCost])
      .toSorted(([a = 0]: number[], [b = 0]: number[]) => b - a),
  ).toEqual([
    [998, 800],
    [7, 1_000],
    [2, 801],
  ])
  // (800,002 + 7,000) / 1,007 = 801.39…
  const variant = done(await acme().get(`/products/${product.id}`)).product.variants[0]
  expect(variant.cost).toBe(801)

  const { matches } = done(await acme().get(`/products/lookup?barcode=${strip}`))
  expect(matches).toMatchObject([
    { variantId, price: 1_500, pack: { id: stripPack.id, name: 'strip', factor: 10, price: 12_000 } },
  ])
  const sale = saleOf(
    await acme().post('/sales', {
      outletId,
      status: 'COMPLETED',
      items: [
        { variantId, packId: stripPack.id, quantity: 3 },
        { variantId, quantity: 4 },
      ],
    }),
  )
  expect(sale).toMatchObject({
    total: 42_000,
    items: [
      {
        quantity: 3,
        unitPrice: 12_000,
        lineTotal: 36_000,
        pack: { id: stripPack.id, name: 'strip', factor: 10 },
        batches: [{ qty: 30 }],
      },
      { quantity: 4, unitPrice: 1_500, lineTotal: 6_000, pack: null },
    ],
  })
  expect(await levelOf(acme(), outletId, variantId)).toBe(973)
  const receipt = (await acme().get(`/sales/${sale.id}/receipt?format=text&lang=id`)).text
  expect(receipt).toContain('3 strip x')

  const refund = done(
    await acme().post(`/sales/${sale.id}/refund`, {
      lines: [{ transactionItemId: sale.items[0].id, qty: 1 }],
      restock: true,
    }),
  )
  expect(refund.sale.refunds[0]).toMatchObject({ amount: 12_000, lines: [{ qty: 1 }] })
  expect(await levelOf(acme(), outletId, variantId)).toBe(983)
  // Sold: 34 tablets at 801, of which 10 came back. 48,000 rupiah less 12,000 were kept.
  const { products: rows } = done(await acme().get(`/reports/margin?outletId=${outletId}`))
  expect(rows).toMatchObject([{ quantity: 24, revenue: 30_000, cost: 24 * 801, margin: 30_000 - 24 * 801 }])
  await assertInvariants(deps().db)
})

test('a pack without a price costs factor × the price of the variant, and its cost is factor × the unit cost', async () => {
  const { variantId, carton, outletId } = await pharmacy(acme())
  const sale = saleOf(await sold(acme(), outletId, { variantId, packId: carton.id, quantity: 2 }))
  expect(sale).toMatchObject({ total: 1_500_000, items: [{ unitPrice: 750_000 }] })
  const { products: rows } = done(await acme().get(`/reports/margin?outletId=${outletId}`))
  expect(rows).toMatchObject([{ quantity: 1_000, revenue: 1_500_000, cost: 900_000 }])
})

test('an order of a pack without a cost asks factor × the cost of the variant', async () => {
  const { variantId, carton, outletId } = await pharmacy(acme())
  const items = [{ variantId, packId: carton.id, qty: 1 }]
  const { purchaseOrder } = done(await acme().post('/purchase-orders', { outletId, items }))
  expect(purchaseOrder).toMatchObject({ total: 450_000, items: [{ cost: 450_000 }] })
})

test('barcode stays the first of barcodes, and each finds the variant', async () => {
  const [a, b, c, d] = [newCode(), newCode(), newCode(), newCode()]
  const product = await makeProduct(acme(), {
    name: fresh('Teh'),
    variants: [{ price: 5_000, barcodes: [a, b, c] }],
  })
  const [{ id: variantId, barcode, barcodes, packs }] = product.variants
  expect({ barcode, barcodes, packs }).toEqual({ barcode: a, barcodes: [a, b, c], packs: [] })
  for (const code of [a, b, c])
    expect(done(await acme().get(`/products/lookup?barcode=${code}`)).matches).toMatchObject([
      { variantId, barcode: a, pack: null },
    ])
  const path = `/products/${product.id}/variants/${variantId}`
  const changed = async (patch: object) => done(await acme().patch(path, patch)).variant
  expect(await changed({ barcode: d })).toMatchObject({ barcode: d, barcodes: [d, b, c] })
  expect(done(await acme().get(`/products/lookup?barcode=${a}`)).matches).toEqual([])
  expect(await changed({ barcode: null })).toMatchObject({ barcode: b, barcodes: [b, c] })
  expect(await changed({ barcodes: [c, a], barcode: c })).toMatchObject({ barcode: c, barcodes: [c, a] })
  expect(await changed({ price: 6_000 })).toMatchObject({ barcodes: [c, a] })
  expect(await changed({ barcodes: [] })).toMatchObject({ barcode: null, barcodes: [] })
  expect(done(await acme().get(`/products/lookup?barcode=${c}`)).matches).toEqual([])
})

test('a search by text finds a variant by another barcode, and a pack by its own', async () => {
  const { variantId, strip, stripPack } = await pharmacy(acme())
  expect(done(await acme().get(`/products/lookup?q=${strip}`)).matches[0]).toMatchObject({
    variantId,
    pack: { id: stripPack.id },
  })
  expect(done(await acme().get(`/products/lookup?q=${strip.slice(3)}`)).matches).toMatchObject([
    { variantId },
  ])
})

test('a list of packs replaces the packs: an id keeps its pack with what is not sent, and others vanish', async () => {
  const { product, variantId, stripPack, strip } = await pharmacy(acme())
  const path = `/products/${product.id}/variants/${variantId}`
  const { variant } = done(
    await acme().patch(path, {
      packs: [
        { id: stripPack.id, name: 'blister', factor: 10 },
        { name: 'botol', factor: 100, price: 99_000 },
      ],
    }),
  )
  expect(variant.packs).toMatchObject([
    { id: stripPack.id, name: 'blister', barcode: strip, price: 12_000 },
    { name: 'botol', factor: 100, barcode: null, price: 99_000 },
  ])
  const cleared = done(
    await acme().patch(path, { packs: [{ ...variant.packs[0], barcode: null, price: null }] }),
  ).variant
  expect(cleared.packs).toEqual([
    { id: stripPack.id, name: 'blister', factor: 10, barcode: null, price: null },
  ])
  expect(done(await acme().get(`/products/lookup?barcode=${strip}`)).matches).toEqual([])
})

test('what no barcode, pack or item may say is refused with the field', async () => {
  const mine = await pharmacy(acme())
  const other = await pharmacy(acme())
  const foreign = await pharmacy(globex())
  const price = 1_000
  const created = (variant: object) =>
    acme().post('/products', { name: fresh('P'), variants: [{ price, ...variant }] })
  const refused = async (answer: Promise<Answer>) => {
    const { status, code, param } = refusalOf(await answer)
    return [status, code, param]
  }
  const bad = (param: string) => [400, 'VALIDATION_ERROR', param]
  const wrong = (param: string) => [422, 'VALIDATION_ERROR', param]
  const missing = (param: string) => [404, 'NOT_FOUND', param]
  const taken = [409, 'CONFLICT', undefined]
  const pack = (fields: object) => created({ packs: [{ name: 'strip', factor: 10, ...fields }] })
  expect(await refused(pack({ factor: 1 }))).toEqual(bad('variants[0].packs[0].factor'))
  expect(await refused(pack({ factor: 100_001 }))).toEqual(bad('variants[0].packs[0].factor'))
  expect(await refused(pack({ factor: 2.5 }))).toEqual(bad('variants[0].packs[0].factor'))
  expect(await refused(pack({ name: '' }))).toEqual(bad('variants[0].packs[0].name'))
  expect(await refused(pack({ price: -1 }))).toEqual(bad('variants[0].packs[0].price'))
  expect(await refused(created({ barcodes: Array.from({ length: 21 }, newCode) }))).toEqual(
    bad('variants[0].barcodes'),
  )
  expect(await refused(created({ barcodes: [''] }))).toEqual(bad('variants[0].barcodes[0]'))
  const [a, b] = [newCode(), newCode()]
  expect(await refused(created({ barcode: a, barcodes: [b, a] }))).toEqual(wrong('variants[0].barcode'))
  // One name space of barcodes and pack barcodes.
  expect(await refused(created({ barcodes: [a, a] }))).toEqual(taken)
  expect(await refused(created({ barcode: a, packs: [{ name: 'p', factor: 2, barcode: a }] }))).toEqual(taken)
  for (const code of [mine.tablet, mine.strip]) {
    expect(await refused(created({ barcode: code }))).toEqual(taken)
    expect(await refused(created({ barcodes: [newCode(), code] }))).toEqual(taken)
    expect(await refused(pack({ barcode: code }))).toEqual(taken)
    expect(
      await refused(
        acme().patch(`/products/${other.product.id}/variants/${other.variantId}`, { barcodes: [code] }),
      ),
    ).toEqual(taken)
  }
  const path = `/products/${mine.product.id}/variants/${mine.variantId}`
  const patched = (packs: object[]) => acme().patch(path, { packs })
  const kept = { id: mine.stripPack.id, name: 'strip', factor: 10 }
  expect(await refused(patched([{ ...kept, id: other.stripPack.id }]))).toEqual(wrong('packs[0].id'))
  expect(await refused(patched([{ ...kept, id: 'pck_unknown' }]))).toEqual(missing('packs[0].id'))
  expect(await refused(patched([{ ...kept, id: foreign.stripPack.id }]))).toEqual(missing('packs[0].id'))
  expect(await refused(patched([kept, kept]))).toEqual(wrong('packs[1].id'))

  const item = (fields: object) =>
    sold(acme(), mine.outletId, {
      variantId: mine.variantId,
      packId: mine.stripPack.id,
      quantity: 1,
      ...fields,
    })
  expect(await refused(item({ packId: 'pck_unknown' }))).toEqual(missing('items[0].packId'))
  expect(await refused(item({ packId: foreign.stripPack.id }))).toEqual(missing('items[0].packId'))
  expect(await refused(item({ packId: other.stripPack.id }))).toEqual(wrong('items[0].packId'))
  expect(await refused(item({ quantity: 100_000 }))).toEqual([201, undefined, undefined])
  expect(await refused(item({ packId: mine.carton.id, quantity: 2_000 }))).toEqual([
    201,
    undefined,
    undefined,
  ])
  expect(await refused(item({ packId: mine.carton.id, quantity: 2_001 }))).toEqual(wrong('items[0].quantity'))
  const open = { name: 'Jasa', unitPrice: 1_000, quantity: 1, packId: mine.stripPack.id }
  expect(await refused(sold(acme(), mine.outletId, open))).toEqual(bad('items[0].packId'))

  const ordered = (...items: object[]) => acme().post('/purchase-orders', { outletId: mine.outletId, items })
  const line = { variantId: mine.variantId, packId: mine.carton.id, qty: 1 }
  expect(await refused(ordered({ ...line, packId: 'pck_unknown' }))).toEqual(missing('items[0].packId'))
  expect(await refused(ordered({ ...line, packId: other.carton.id }))).toEqual(wrong('items[0].packId'))
  expect(await refused(ordered({ ...line, qty: 2_001 }))).toEqual(wrong('items[0].qty'))
  expect(await refused(ordered(line, line))).toEqual(wrong('items[1].variantId'))
  const dear = await pharmacy(acme())
  done(await acme().patch(`/products/${dear.product.id}/variants/${dear.variantId}`, { cost: 1_000_000_000 }))
  expect(await refused(ordered({ variantId: dear.variantId, packId: dear.carton.id, qty: 1 }))).toEqual(
    wrong('items[0].cost'),
  )
  const { purchaseOrder } = done(await ordered(line, { variantId: mine.variantId, qty: 3 }))
  done(await acme().post(`/purchase-orders/${purchaseOrder.id}/order`))
  const receive = (row: object) =>
    acme().post(`/purchase-orders/${purchaseOrder.id}/receive`, { items: [row] })
  const [cartonLine] = purchaseOrder.items
  expect(await refused(receive({ itemId: cartonLine.id, qty: 2 }))).toEqual(wrong('items[0].qty'))
  expect(await refused(receive({ itemId: cartonLine.id, packId: mine.stripPack.id, qty: 1 }))).toEqual(
    wrong('items[0].packId'),
  )
  expect(await refused(receive({ itemId: cartonLine.id, packId: 'pck_unknown', qty: 1 }))).toEqual(
    missing('items[0].packId'),
  )
  expect(await refused(receive({ variantId: mine.variantId, packId: mine.stripPack.id, qty: 1 }))).toEqual(
    wrong('items[0].variantId'),
  )
  done(await receive({ variantId: mine.variantId, packId: mine.carton.id, qty: 1 }))
})

test('a message about a pack tells a cashier what to do', async () => {
  const { variantId, carton, outletId } = await pharmacy(acme())
  const other = await pharmacy(acme())
  const message = async (item: object) =>
    (await sold(acme(), outletId, { variantId, quantity: 1, ...item })).error?.message
  expect(await message({ packId: carton.id, quantity: 2_001 })).toBe(
    'These packs hold 1000500 units; one item can have at most 1000000',
  )
  expect(await message({ packId: other.carton.id })).toBe(
    'This pack belongs to another variant; choose a pack of the variant that is sold',
  )
})

test('of 50 clients that create the same barcode at the same time, one wins', async () => {
  const api = await workspace()
  const code = newCode()
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => {
      const price = 1_000
      const forms = [
        { price, barcode: code },
        { price, barcodes: [newCode(), code] },
        { price, packs: [{ name: 'strip', factor: 10, barcode: code }] },
      ]
      return api.post('/products', { name: `Produk ${n}`, variants: [forms[n % 3]] })
    }),
  )
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(1)
  expect(statuses.filter((status) => status === 409)).toHaveLength(49)
  expect(done(await api.get(`/products/lookup?barcode=${code}`)).matches).toHaveLength(1)
  await assertInvariants(deps().db)
})

test('the barcodes of a deactivated or deleted variant are free, and come back only where they still are', async () => {
  const { product, variantId, outletId, tablet, strip, stripPack } = await pharmacy(acme())
  saleOf(await sold(acme(), outletId, { variantId, packId: stripPack.id, quantity: 1 }))
  const path = `/products/${product.id}/variants/${variantId}`
  done(await acme().patch(path, { isActive: false }))
  expect(done(await acme().get(`/products/lookup?barcode=${strip}`)).matches).toEqual([])
  const heir = await makeProduct(acme(), {
    name: fresh('Heir'),
    variants: [{ price: 1, barcodes: [newCode(), strip] }],
  })
  expect(refusalOf(await acme().patch(path, { isActive: true }))).toMatchObject({
    status: 409,
    code: 'CONFLICT',
  })
  done(await acme().delete(`/products/${heir.id}`))
  done(await acme().patch(path, { isActive: true }))
  expect(done(await acme().get(`/products/lookup?barcode=${strip}`)).matches).toMatchObject([{ variantId }])
  done(await acme().delete(`/products/${product.id}`))
  expect(done(await acme().get(`/products/lookup?barcode=${tablet}`)).matches).toEqual([])
  await assertInvariants(deps().db)
})

test('two variants of a product swap their barcodes in one update', async () => {
  const [a, b] = [newCode(), newCode()]
  const product = await makeProduct(acme(), {
    name: fresh('Swap'),
    variants: [
      { price: 1, name: 'A', barcodes: [newCode(), a] },
      { price: 1, name: 'B', packs: [{ name: 'p', factor: 2, barcode: b }] },
    ],
  })
  const [first, second] = product.variants
  const { product: after } = done(
    await acme().patch(`/products/${product.id}`, {
      variants: [
        { id: first.id, barcodes: [b] },
        { id: second.id, packs: [{ ...second.packs[0], barcode: a }] },
      ],
    }),
  )
  expect(after.variants).toMatchObject([{ barcodes: [b] }, { packs: [{ barcode: a }] }])
  await assertInvariants(deps().db)
})

test('an open bill edits, splits, merges and pays packs as items of their own', async () => {
  const { product, variantId, stripPack, carton, outletId } = await pharmacy(acme())
  const bill = await openBill(acme(), {
    outletId,
    items: [
      { variantId, packId: stripPack.id, quantity: 3 },
      { variantId, quantity: 5 },
    ],
  })
  const edit = (items: object[]) => acme().patch(`/sales/${bill.id}/items`, { items })
  const same = saleOf(
    await edit([
      { variantId, quantity: 6 },
      { variantId, packId: stripPack.id, quantity: 4 },
    ]),
  )
  expect(same.items).toMatchObject([
    { id: bill.items[1]?.id, quantity: 6, pack: null },
    { id: bill.items[0]?.id, quantity: 4, pack: { id: stripPack.id } },
  ])
  // A bill that was read can be sent back, also after its pack has left the catalogue.
  done(await acme().patch(`/products/${product.id}/variants/${variantId}`, { packs: [{ ...carton }] }))
  const back = saleOf(
    await edit([
      { variantId, packId: stripPack.id, quantity: 4 },
      { id: bill.items[1]?.id, quantity: 6 },
    ]),
  )
  expect(back.items).toMatchObject([{ id: bill.items[0]?.id, unitPrice: 12_000 }, { quantity: 6 }])
  const changed = saleOf(
    await edit([{ id: bill.items[0]?.id, packId: carton.id, quantity: 1 }, { id: bill.items[1]?.id }]),
  )
  expect(changed.items).toMatchObject([
    { pack: { id: carton.id }, quantity: 1, unitPrice: 750_000 },
    { pack: null, quantity: 6 },
  ])
  expect(changed.items[0].id).not.toBe(bill.items[0]?.id)
  expect(refusalOf(await edit([{ id: changed.items[0].id, quantity: 2_001 }]))).toEqual({
    status: 422,
    code: 'VALIDATION_ERROR',
    param: 'items[0].quantity',
  })
  const three = saleOf(await edit([{ id: changed.items[0].id, quantity: 3 }, { id: changed.items[1].id }]))
  const split = done(
    await acme().post(`/sales/${bill.id}/split`, { items: [{ id: three.items[0].id, quantity: 2 }] }),
  )
  expect(split.sale).toMatchObject({ total: 1_500_000, items: [{ quantity: 2, pack: { factor: 500 } }] })
  const merged = done(await acme().post(`/sales/${bill.id}/merge`, { saleId: split.sale.id })).sale
  expect(merged.total).toBe(3 * 750_000 + 6 * 1_500)
  saleOf(
    await acme().post(`/sales/${bill.id}/settle`, { payments: [{ method: 'CASH', amount: merged.total }] }),
  )
  expect(await levelOf(acme(), outletId, variantId)).toBe(-1_506)
  done(await acme().post(`/sales/${bill.id}/void`, {}))
  expect(await levelOf(acme(), outletId, variantId)).toBe(0)
  await assertInvariants(deps().db)
})

test('a pack of a composite takes its recipe for every unit, and gives it back', async () => {
  const egg = await makeVariant(acme(), { name: fresh('Telur') })
  const cake = await makeComposite(acme(), [[egg, 2]])
  const outletId = await makeOutlet(acme())
  const { productId } = done(await acme().get(`/inventory/composites?outletId=${outletId}`)).composites.find(
    (one: { variantId: string }) => one.variantId === cake,
  )
  const { variant } = done(
    await acme().patch(`/products/${productId}/variants/${cake}`, { packs: [{ name: 'lusin', factor: 12 }] }),
  )
  const sale = saleOf(
    await sold(acme(), outletId, { variantId: cake, packId: variant.packs[0].id, quantity: 2 }),
  )
  expect(await levelOf(acme(), outletId, egg)).toBe(-48)
  done(
    await acme().post(`/sales/${sale.id}/refund`, {
      lines: [{ transactionItemId: sale.items[0].id, qty: 1 }],
      restock: true,
    }),
  )
  expect(await levelOf(acme(), outletId, egg)).toBe(-24)
  await assertInvariants(deps().db)
})

test('a cashier who sells a pack at its price needs no approval, and at another price does', async () => {
  const api = await workspace()
  const { variantId, stripPack, carton, outletId } = await pharmacy(api)
  done(await api.put('/settings', { approvals: { priceChange: true } }))
  const { api: cashier } = await memberOf(api, 'CASHIER')
  await openShift(cashier, outletId)
  const sell = async (item: object) =>
    (await sold(cashier, outletId, { variantId, quantity: 1, ...item })).status
  expect(await sell({ packId: stripPack.id })).toBe(201)
  expect(await sell({ packId: stripPack.id, unitPrice: 12_000 })).toBe(201)
  expect(await sell({ packId: carton.id, unitPrice: 750_000 })).toBe(201)
  expect(await sell({ packId: stripPack.id, unitPrice: 11_000 })).toBe(403)
  expect(await sell({ packId: stripPack.id, unitPrice: 1_500 })).toBe(403)
})

test('an offline sale of packs stores what was printed, and says that the price of the pack has changed', async () => {
  const { product, variantId, stripPack, outletId } = await pharmacy(acme())
  const items = [{ variantId, packId: stripPack.id, quantity: 2, unitPrice: 12_000 }]
  const offline = (ref: string) => ({
    ref,
    soldAt: new Date(Date.now() - 60_000).toISOString(),
    terms: {},
    printedTotal: 24_000,
  })
  const first = done(await acme().post('/sales', { outletId, items, offline: offline(newCode()) }))
  expect(first.warnings).toEqual([])
  done(
    await acme().patch(`/products/${product.id}/variants/${variantId}`, {
      packs: [{ ...stripPack, price: 13_000 }],
    }),
  )
  const second = done(await acme().post('/sales', { outletId, items, offline: offline(newCode()) }))
  expect(second.warnings).toMatchObject([{ code: 'PRICE_CHANGED', field: 'items[0].unitPrice' }])
  expect(second.sale.items).toMatchObject([{ quantity: 2, unitPrice: 12_000, pack: { factor: 10 } }])
  expect(await levelOf(acme(), outletId, variantId)).toBe(-40)
})

test('the catalogue of a till has every barcode and pack', async () => {
  const { variantId, tablet, strip, stripPack, outletId } = await pharmacy(acme())
  const { variants } = done(await acme().get(`/catalogue?outletId=${outletId}`))
  expect(variants.find(({ id }: { id: string }) => id === variantId)).toMatchObject({
    barcodes: [tablet],
    packs: [
      { id: stripPack.id, name: 'strip', factor: 10, barcode: strip, price: 12_000 },
      { name: 'dus', factor: 500, barcode: null, price: null },
    ],
  })
})

/** The sentences that a change breaks; the change is undone. */
async function brokenBy(change: string): Promise<string[]> {
  let names: string[] = []
  const work = async (tx: Tx) => {
    // oxlint-disable-next-line typescript/no-explicit-any -- a test may write what no store writes
    await sql.raw(change).execute(tx as any)
    names = (await brokenInvariants(tx as never)).map(({ name }) => name)
    throw new Error('undone')
  }
  await inTx(deps().db, work).catch((error: unknown) => {
    if (!(error instanceof Error) || error.message !== 'undone') throw error
  })
  return names
}

test('an invariant notices a quantity, a movement or a received unit of a pack that is off by one', async () => {
  const { variantId, stripPack, carton, outletId } = await pharmacy(acme())
  const sale = saleOf(await sold(acme(), outletId, { variantId, packId: stripPack.id, quantity: 1 }))
  const items = [{ variantId, packId: carton.id, qty: 1, cost: 1 }]
  const { purchaseOrder } = done(await acme().post('/purchase-orders', { outletId, items }))
  done(await acme().post(`/purchase-orders/${purchaseOrder.id}/order`))
  done(
    await acme().post(`/purchase-orders/${purchaseOrder.id}/receive`, {
      items: [{ itemId: purchaseOrder.items[0].id, qty: 1 }],
    }),
  )
  const taken = 'an item that moved stock took its quantity, in units of its pack, or its recipe as often'
  const ofSale = `sale_id = '${sale.id}'`
  expect(
    await brokenBy(`update sale_items set pack = jsonb_set(pack, '{factor}', '11') where ${ofSale}`),
  ).toEqual([taken])
  expect(
    await brokenBy(
      `update stock_movements set qty_delta = qty_delta - 1 where transaction_id = '${sale.id}'`,
    ),
  ).toContain(taken)
  const received = 'an order never received more than it asked for, and its ledger agrees'
  const ofOrder = `purchase_order_id = '${purchaseOrder.id}'`
  expect(
    await brokenBy(`update purchase_order_items set stocked_qty = stocked_qty - 1 where ${ofOrder}`),
  ).toEqual([received])
  expect(
    await brokenBy(`update purchase_order_items set stocked_qty = stocked_qty + 1 where ${ofOrder}`),
  ).toEqual([received])
  const used = 'the barcodes in use are those of the live variants and of their packs'
  const ofVariant = `variant_id = '${variantId}'`
  expect(await brokenBy(`delete from variant_barcodes where ${ofVariant} and pack_id is not null`)).toEqual([
    used,
  ])
  expect(await brokenBy(`update variant_barcodes set barcode = barcode || '1' where ${ofVariant}`)).toEqual([
    used,
  ])
  expect(await brokenBy(`update variants set packs = null where id = '${variantId}'`)).toEqual([used])
})

test('a product has at most 1,000 packs and further barcodes in all, however one is added', async () => {
  const api = await workspace()
  const packs = Array.from({ length: 20 }, (_, n) => ({ name: `isi ${n}`, factor: n + 2 }))
  const variants = Array.from({ length: 50 }, (_, n) => ({ name: `V${n}`, price: 1, packs }))
  const full = await makeProduct(api, { variants })
  const [{ id, packs: known }] = full.variants
  const path = `/products/${full.id}`
  const [one, other] = [newCode(), newCode()]
  for (const answer of [
    await api.post('/products', {
      name: 'Penuh',
      variants: [...variants, { price: 1, packs: packs.slice(0, 1) }],
    }),
    await api.post(`${path}/variants`, { price: 1, packs: packs.slice(0, 1) }),
    await api.patch(`${path}/variants/${id}`, { barcodes: [one, other] }),
    await api.patch(path, {
      variants: full.variants.map((each: { id: string }) =>
        each.id === id ? { id, barcodes: [one, other] } : { id: each.id },
      ),
    }),
  ]) {
    expect(refusalOf(answer)).toMatchObject({ status: 409, code: 'CONFLICT' })
    expect(answer.error.message).toContain('at most 1000 packs and further barcodes')
  }
  done(await api.patch(`${path}/variants/${id}`, { barcode: one, price: 2 }))
  done(await api.patch(`${path}/variants/${id}`, { barcodes: [one, other], packs: known.slice(1) }))
})

test('a list of products with many packs is sent in smaller portions, and is whole', async () => {
  const api = await workspace()
  const packs = Array.from({ length: 20 }, (_, n) => ({ name: `isi ${n}`, factor: n + 2 }))
  const variants = Array.from({ length: 50 }, (_, n) => ({ name: `V${n}`, price: 1, packs }))
  const names = ['A', 'B', 'C', 'D', 'E', 'F']
  for (const name of names) await makeProduct(api, name === 'D' ? { name } : { name, variants })
  const portion = async (after: [string, string] | null, filter = {}) => {
    const products = await list(deps().db, scopeOf(api), filter, { after, limit: 200 })
    return products.filter((product) => !isLeftOut(product)).map(({ name }) => name)
  }
  expect(await portion(null)).toEqual(['A', 'B', 'C', 'D'])
  expect(await portion(['B', 'prd_z'])).toEqual(['C', 'D', 'E', 'F'])
  expect(await portion(null, { q: 'D' })).toEqual(['D'])
  const { products } = (await api.get('/products')).data
  expect(products.map(({ name }: { name: string }) => name)).toEqual(names)
  expect(await portion(null, { active: false })).toEqual([])
})
