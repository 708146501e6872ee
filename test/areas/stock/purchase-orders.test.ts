import { afterEach, beforeAll, expect, test } from 'vitest'
import { makeComposite, makeOutlet, makeProduct, makeVariant } from '../../support/build.ts'
import { assertStockInvariants, refusalOf } from '../../support/expect.ts'
import { eventsOf } from '../../support/read.ts'
import { acme, deps, globex, useService, workspace } from '../../support/service.ts'

useService()
afterEach(() => assertStockInvariants(deps().db))

let outletId: string
beforeAll(async () => {
  outletId = await makeOutlet(acme(), { name: 'Apotek', timezone: 'Asia/Jayapura' })
})

type Line = { variantId: string; qty: number; cost?: number }
const draft = async (items: Line[], fields: Record<string, unknown> = {}) =>
  (await acme().post('/purchase-orders', { outletId, items, ...fields })).data.purchaseOrder
const act = (id: string, verb: 'order' | 'cancel') => acme().post(`/purchase-orders/${id}/${verb}`)
const receive = (id: string, items: unknown[]) => acme().post(`/purchase-orders/${id}/receive`, { items })
const ordered = async (items: Line[], fields: Record<string, unknown> = {}) => {
  const { id } = await draft(items, fields)
  return (await act(id, 'order')).data.purchaseOrder
}
const quantityOf = async (variantId: string) =>
  (
    await deps()
      .db.selectFrom('stockLevels')
      .select('quantity')
      .where('variantId', '=', variantId)
      .where('outletId', '=', outletId)
      .executeTakeFirst()
  )?.quantity
const costOf = async (variantId: string) =>
  (
    await deps()
      .db.selectFrom('variants')
      .select('cost')
      .where('id', '=', variantId)
      .executeTakeFirstOrThrow()
  ).cost

test('a draft answers 201 with its lines, its total and the next number of the workspace', async () => {
  const shop = await workspace('Numbers')
  const at = await makeOutlet(shop)
  const [beans, milk] = [
    await makeVariant(shop, { name: 'Beans', variantName: '1 kg', cost: 90_000 }),
    await makeVariant(shop, { name: 'Milk' }),
  ]
  const { data: made } = await shop.post('/suppliers', { name: 'Sumber' })
  const items = [
    { variantId: beans, qty: 3 },
    { variantId: milk, qty: 10, cost: 15_500 },
  ]
  const body = { outletId: at, items, supplierId: made.supplier.id, note: ' pagi ' }
  const created = await shop.post('/purchase-orders', body)
  expect(created.status).toBe(201)
  expect(created.data.purchaseOrder).toMatchObject({
    number: 'PO-000001',
    outletId: at,
    supplierId: made.supplier.id,
    status: 'DRAFT',
    total: 425_000,
    note: 'pagi',
    orderedAt: null,
    receivedAt: null,
    cancelledAt: null,
    items: [
      {
        variantId: beans,
        productName: 'Beans',
        variantName: '1 kg',
        qty: 3,
        receivedQty: 0,
        cost: 90_000,
        lineTotal: 270_000,
      },
      { variantId: milk, qty: 10, cost: 15_500, lineTotal: 155_000 },
    ],
  })
  expect(created.data.purchaseOrder.id).toMatch(/^pur_/)
  expect(created.data.purchaseOrder.items[0].id).toMatch(/^poi_/)
  expect((await shop.post('/purchase-orders', body)).data.purchaseOrder.number).toBe('PO-000002')
  const at2 = await makeOutlet(globex())
  const other = { outletId: at2, items: [{ variantId: await makeVariant(globex()), qty: 1 }] }
  expect((await globex().post('/purchase-orders', other)).data.purchaseOrder.number).toBe('PO-000001')
})

test('a refused order takes no number', async () => {
  const shop = await workspace('No gaps')
  const at = await makeOutlet(shop)
  const variantId = await makeVariant(shop)
  const twice = [
    { variantId, qty: 1 },
    { variantId, qty: 1 },
  ]
  expect((await shop.post('/purchase-orders', { outletId: at, items: twice })).status).toBe(422)
  const made = await shop.post('/purchase-orders', { outletId: at, items: twice.slice(1) })
  expect(made.data.purchaseOrder.number).toBe('PO-000001')
})

test.each([
  [{ items: undefined }, 400, 'items'],
  [{ items: [] }, 400, 'items'],
  [{ items: [{}] }, 400, 'items[0].variantId'],
  [{ items: 'x' }, 400, 'items'],
  [{ outletId: undefined }, 400, 'outletId'],
  [{ outletId: 'out_unknown' }, 404, 'outletId'],
  [{ supplierId: 'sup_unknown' }, 404, 'supplierId'],
  [{ supplierId: 5 }, 400, 'supplierId'],
  [{ note: 'x'.repeat(1001) }, 400, 'note'],
])('POST /purchase-orders refuses %j', async (fields, status, param) => {
  const items = [{ variantId: await makeVariant(acme()), qty: 1 }]
  const refused = await acme().post('/purchase-orders', { outletId, items, ...fields })
  expect(refusalOf(refused)).toMatchObject({ status, param })
})

test.each([
  [{ qty: 0 }, 400, 'items[1].qty'],
  [{ qty: 1_000_001 }, 400, 'items[1].qty'],
  [{ qty: 1.5 }, 400, 'items[1].qty'],
  [{ qty: 1, cost: -1 }, 400, 'items[1].cost'],
  [{ qty: 1, cost: 1_000_000_001 }, 400, 'items[1].cost'],
  [{ qty: 1, variantId: 'var_unknown' }, 404, 'items[1].variantId'],
])('a line of an order refuses %j', async (fields, status, param) => {
  const good = { variantId: await makeVariant(acme()), qty: 1 }
  const bad = { variantId: await makeVariant(acme()), ...fields }
  const refused = await acme().post('/purchase-orders', { outletId, items: [good, bad] })
  expect(refusalOf(refused)).toMatchObject({ status, param })
})

test('an order has at most 500 lines', async () => {
  const line = { variantId: await makeVariant(acme()), qty: 1 }
  const refused = await acme().post('/purchase-orders', { outletId, items: Array(501).fill(line) })
  expect(refusalOf(refused)).toEqual({ status: 400, code: 'VALIDATION_ERROR', param: 'items' })
})

test('services, composites, inactive and repeated variants, inactive outlets and suppliers are 422', async () => {
  const good = await makeVariant(acme())
  const post = (body: Record<string, unknown>) =>
    acme().post('/purchase-orders', { outletId, items: [{ variantId: good, qty: 1 }], ...body })
  const unfit = [
    await makeVariant(acme(), { kind: 'SERVICE' }),
    await makeComposite(acme(), [[good, 1]]),
    await makeVariant(acme(), { isActive: false }),
  ]
  for (const variantId of unfit) {
    const items = [{ variantId, qty: 1 }]
    expect(refusalOf(await post({ items }))).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      param: 'items[0].variantId',
    })
  }
  const twice = [
    { variantId: good, qty: 1 },
    { variantId: good, qty: 2 },
  ]
  expect(refusalOf(await post({ items: twice }))).toEqual({
    status: 422,
    code: 'VALIDATION_ERROR',
    param: 'items[1].variantId',
  })
  const closed = await makeOutlet(acme())
  await acme().patch(`/outlets/${closed}`, { isActive: false })
  expect(refusalOf(await post({ outletId: closed }))).toEqual({
    status: 422,
    code: 'VALIDATION_ERROR',
    param: 'outletId',
  })
  const { data } = await acme().post('/suppliers', { name: 'Gone' })
  await acme().delete(`/suppliers/${data.supplier.id}`)
  const gone = await post({ supplierId: data.supplier.id })
  expect(refusalOf(gone)).toEqual({ status: 422, code: 'VALIDATION_ERROR', param: 'supplierId' })
})

test('an order worth more than exact integers hold is refused, one line at its bounds is not', async () => {
  const [a, b] = [await makeVariant(acme()), await makeVariant(acme())]
  const line = (variantId: string) => ({ variantId, qty: 1_000_000, cost: 1_000_000_000 })
  const post = (items: Line[]) => acme().post('/purchase-orders', { outletId, items })
  expect((await post([line(a)])).data.purchaseOrder.total).toBe(1_000_000_000_000_000)
  expect(refusalOf(await post([line(a), line(b)]))).toEqual({
    status: 422,
    code: 'VALIDATION_ERROR',
    param: 'items',
  })
})

test('PATCH replaces the lines of a draft and keeps supplier and note when they are absent', async () => {
  const { data } = await acme().post('/suppliers', { name: 'Kept' })
  const [a, b] = [await makeVariant(acme(), { cost: 700 }), await makeVariant(acme())]
  const order = await draft([{ variantId: a, qty: 5 }], { supplierId: data.supplier.id, note: 'first' })
  const patch = (body: unknown) => acme().patch(`/purchase-orders/${order.id}`, body)
  await acme().delete(`/suppliers/${data.supplier.id}`)
  const changed = await patch({
    items: [
      { variantId: b, qty: 2, cost: 10 },
      { variantId: a, qty: 1 },
    ],
  })
  expect(changed.data.purchaseOrder).toMatchObject({
    number: order.number,
    supplierId: data.supplier.id,
    note: 'first',
    total: 720,
    items: [
      { variantId: b, qty: 2 },
      { variantId: a, qty: 1, cost: 700 },
    ],
  })
  const kept = await patch({ items: [{ variantId: a, qty: 1 }], supplierId: data.supplier.id })
  expect(kept.status).toBe(200)
  const cleared = await patch({ items: [{ variantId: a, qty: 1 }], supplierId: null, note: null })
  expect(cleared.data.purchaseOrder).toMatchObject({ supplierId: null, note: null })
  expect(refusalOf(await patch({ note: 'x' }))).toEqual({
    status: 400,
    code: 'VALIDATION_ERROR',
    param: 'items',
  })
  expect(refusalOf(await patch({ items: [{ variantId: 'var_unknown', qty: 1 }] }))).toEqual({
    status: 404,
    code: 'NOT_FOUND',
    param: 'items[0].variantId',
  })
})

test('every act in every status answers as the table of transitions says', async () => {
  const variantId = await makeVariant(acme())
  const acts = {
    change: (id: string) => acme().patch(`/purchase-orders/${id}`, { items: [{ variantId, qty: 3 }] }),
    order: (id: string) => act(id, 'order'),
    receive: (id: string) => receive(id, [{ variantId, qty: 1 }]),
    cancel: (id: string) => act(id, 'cancel'),
  }
  const reach = {
    DRAFT: async () => (await draft([{ variantId, qty: 3 }])).id,
    ORDERED: async () => (await ordered([{ variantId, qty: 3 }])).id,
    PARTIALLY_RECEIVED: async () => {
      const { id } = await ordered([{ variantId, qty: 3 }])
      await receive(id, [{ variantId, qty: 1 }])
      return id
    },
    RECEIVED: async () => {
      const { id } = await ordered([{ variantId, qty: 3 }])
      await receive(id, [{ variantId, qty: 3 }])
      return id
    },
    CANCELLED: async () => {
      const { id } = await draft([{ variantId, qty: 3 }])
      await act(id, 'cancel')
      return id
    },
  }
  const table: Record<string, Record<string, string>> = {}
  for (const [status, make] of Object.entries(reach)) {
    const row: Record<string, string> = {}
    for (const [name, run] of Object.entries(acts)) {
      const answer = await run(await make())
      row[name] = answer.status === 200 ? answer.data.purchaseOrder.status : answer.error.code
    }
    table[status] = row
  }
  const no = 'CONFLICT'
  expect(table).toEqual({
    DRAFT: { change: 'DRAFT', order: 'ORDERED', receive: no, cancel: 'CANCELLED' },
    ORDERED: { change: no, order: no, receive: 'PARTIALLY_RECEIVED', cancel: 'CANCELLED' },
    PARTIALLY_RECEIVED: { change: no, order: no, receive: 'PARTIALLY_RECEIVED', cancel: 'CANCELLED' },
    RECEIVED: { change: no, order: no, receive: no, cancel: no },
    CANCELLED: { change: no, order: no, receive: no, cancel: no },
  })
})

test('goods come in by line or by variant, in part and then whole, each receipt in ledger and events', async () => {
  const shop = await workspace('Receipts')
  const at = await makeOutlet(shop)
  const [a, b] = [await makeVariant(shop, { name: 'A' }), await makeVariant(shop, { name: 'B' })]
  const { data } = await shop.post('/purchase-orders', {
    outletId: at,
    items: [
      { variantId: a, qty: 10, cost: 1_000 },
      { variantId: b, qty: 4, cost: 2_000 },
    ],
  })
  const { id, items } = data.purchaseOrder
  await shop.post(`/purchase-orders/${id}/order`)
  const take = (rows: unknown[]) => shop.post(`/purchase-orders/${id}/receive`, { items: rows })
  const first = await take([{ itemId: items[0].id, qty: 6 }])
  expect([first.status, first.data.purchaseOrder]).toMatchObject([
    200,
    { status: 'PARTIALLY_RECEIVED', receivedAt: null, items: [{ receivedQty: 6 }, { receivedQty: 0 }] },
  ])
  const last = await take([
    { variantId: b, qty: 4 },
    { variantId: a, itemId: items[0].id, qty: 4, cost: 1_200 },
  ])
  expect(last.data.purchaseOrder).toMatchObject({
    status: 'RECEIVED',
    items: [{ receivedQty: 10 }, { receivedQty: 4 }],
  })
  expect(last.data.purchaseOrder.receivedAt).toMatch(/Z$/)
  const { data: ledger } = await shop.get('/inventory/movements')
  expect(ledger).toMatchObject([
    { variantId: a, type: 'PURCHASE', qtyDelta: 4, balanceAfter: 10, unitCost: 1_200, purchaseOrderId: id },
    { variantId: b, type: 'PURCHASE', qtyDelta: 4, balanceAfter: 4, unitCost: 2_000, purchaseOrderId: id },
    { variantId: a, type: 'PURCHASE', qtyDelta: 6, balanceAfter: 6, unitCost: 1_000, purchaseOrderId: id },
  ])
  expect(await shop.events()).toEqual([
    'service.product.created.v1',
    'service.product.created.v1',
    'service.purchase_order.ordered.v1',
    'service.purchase_order.received.v1',
    'service.stock.received.v1',
    'service.purchase_order.received.v1',
    'service.stock.received.v1',
  ])
  const told = await eventsOf(shop, 'service.purchase_order.received.v1')
  expect(told.at(-1)).toEqual(last.data)
})

test('a line may come in as two batches, dated in the zone of the outlet', async () => {
  const variantId = await makeVariant(acme(), { requiresBatch: true })
  const { id } = await ordered([{ variantId, qty: 10, cost: 500 }])
  const answer = await receive(id, [
    { variantId, qty: 6, batchNo: 'L-1', expiryDate: '2028-01-31T20:00:00Z' },
    { variantId, qty: 3, batchNo: 'L-2', cost: 600 },
    { variantId, qty: 1, batchNo: 'L-1', expiryDate: '2028-02-01' },
  ])
  expect(answer.data.purchaseOrder.status).toBe('RECEIVED')
  const { data } = await acme().get(`/inventory/batches?variantId=${variantId}`)
  expect(data.batches).toMatchObject([
    { batchNo: 'L-1', expiryDate: '2028-02-01', receivedQty: 7, remainingQty: 7, cost: 500 },
    { batchNo: 'L-2', expiryDate: null, receivedQty: 3, remainingQty: 3, cost: 600 },
  ])
  const { data: ledger } = await acme().get(`/inventory/movements?variantId=${variantId}`)
  expect(ledger.map((row: { batchId: string }) => row.batchId)).toEqual([
    data.batches[0].id,
    data.batches[1].id,
    data.batches[0].id,
  ])
})

test('rows without number and date come in unbatched where no batch is needed', async () => {
  const variantId = await makeVariant(acme())
  const { id } = await ordered([{ variantId, qty: 2 }])
  await receive(id, [{ variantId, qty: 2, batchNo: null, expiryDate: null }])
  expect(await quantityOf(variantId)).toBe(2)
  expect((await acme().get(`/inventory/batches?variantId=${variantId}&all=true`)).data.batches).toEqual([])
})

test('the refusals of a receipt name the field and leave everything as it was', async () => {
  const pill = await makeVariant(acme(), { requiresBatch: true })
  const cup = await makeVariant(acme())
  const { id, items } = await ordered([
    { variantId: pill, qty: 5 },
    { variantId: cup, qty: 5 },
  ])
  const [pillLine, cupLine] = items
  const stranger = await makeVariant(acme())
  const elsewhere = await ordered([{ variantId: cup, qty: 1 }])
  const ok = { variantId: cup, qty: 1 }
  const nowhere = await receive(id, [ok, { itemId: 'poi_unknown', qty: 1 }])
  expect(refusalOf(nowhere)).toEqual({ status: 404, code: 'NOT_FOUND', param: 'items[1].itemId' })
  const strangers = [await receive(id, [ok, { variantId: 'var_unknown', qty: 1 }])]
  strangers.push(await receive(id, [ok, { variantId: await makeVariant(globex()), qty: 1 }]))
  for (const answer of strangers)
    expect(refusalOf(answer)).toEqual({ status: 404, code: 'NOT_FOUND', param: 'items[1].variantId' })
  const cases: [unknown[], number, string][] = [
    [[], 400, 'items'],
    [[ok, { variantId: cup }], 400, 'items[1].qty'],
    [[ok, { variantId: cup, qty: 0 }], 400, 'items[1].qty'],
    [[ok, { variantId: cup, qty: 1, cost: -1 }], 400, 'items[1].cost'],
    [[ok, { variantId: cup, qty: 1, expiryDate: 'soon' }], 400, 'items[1].expiryDate'],
    [[ok, { variantId: cup, qty: 1, batchNo: 'x'.repeat(121) }], 400, 'items[1].batchNo'],
    [[ok, { qty: 1 }], 422, 'items[1].itemId'],
    [[ok, { itemId: elsewhere.items[0].id, qty: 1 }], 422, 'items[1].itemId'],
    [[ok, { variantId: stranger, qty: 1 }], 422, 'items[1].variantId'],
    [[ok, { itemId: cupLine.id, variantId: pill, qty: 1 }], 422, 'items[1].variantId'],
    [[ok, { variantId: cup, qty: 5 }], 422, 'items[1].qty'],
    [[ok, { itemId: cupLine.id, qty: 9_000_000 }], 422, 'items[1].qty'],
    [[ok, { itemId: pillLine.id, qty: 1 }], 422, 'items[1].batchNo'],
    [[ok, { itemId: pillLine.id, qty: 1, batchNo: '' }], 422, 'items[1].batchNo'],
  ]
  for (const [rows, status, param] of cases) {
    expect(refusalOf(await receive(id, rows))).toEqual({ status, code: 'VALIDATION_ERROR', param })
  }
  const after = await acme().get(`/purchase-orders/${id}`)
  expect(after.data.purchaseOrder).toMatchObject({
    status: 'ORDERED',
    items: [{ receivedQty: 0 }, { receivedQty: 0 }],
  })
  expect([await quantityOf(cup), await quantityOf(pill)]).toEqual([undefined, undefined])
})

test('a receipt moves the cost to the average of what the workspace has and what came', async () => {
  const second = await makeOutlet(acme())
  const variantId = await makeVariant(acme(), { cost: 1_000 })
  await acme().post('/inventory/adjust', { outletId, variantId, qtyDelta: 3 })
  await acme().post('/inventory/adjust', { outletId: second, variantId, qtyDelta: 7 })
  const { id } = await ordered([{ variantId, qty: 30, cost: 2_000 }])
  await receive(id, [{ variantId, qty: 10 }])
  expect(await costOf(variantId)).toBe(1_500)
  await receive(id, [
    { variantId, qty: 10, cost: 900 },
    { variantId, qty: 10, cost: 901 },
  ])
  // (20 x 1500 + 10 x 900 + 10 x 901) / 40 = 1200.25
  expect(await costOf(variantId)).toBe(1_200)
})

test('untracked goods are ordered and received without moving stock', async () => {
  const variantId = await makeVariant(acme(), { trackStock: false, cost: 100 })
  const { id } = await ordered([{ variantId, qty: 5, cost: 300 }])
  const answer = await receive(id, [{ variantId, qty: 5, batchNo: 'ignored' }])
  expect(answer.data.purchaseOrder.status).toBe('RECEIVED')
  expect([await quantityOf(variantId), await costOf(variantId)]).toEqual([undefined, 300])
})

test('an order that is open when its outlet closes can still be received', async () => {
  const closing = await makeOutlet(acme())
  const variantId = await makeVariant(acme())
  const { id } = await ordered([{ variantId, qty: 1 }], { outletId: closing })
  await acme().patch(`/outlets/${closing}`, { isActive: false })
  expect((await receive(id, [{ variantId, qty: 1 }])).status).toBe(200)
})

test('goods that came in stay when the rest is cancelled', async () => {
  const variantId = await makeVariant(acme())
  const { id } = await ordered([{ variantId, qty: 5 }])
  await receive(id, [{ variantId, qty: 2 }])
  const cancelled = await act(id, 'cancel')
  expect(cancelled.data.purchaseOrder).toMatchObject({ status: 'CANCELLED', items: [{ receivedQty: 2 }] })
  expect(cancelled.data.purchaseOrder.cancelledAt).toMatch(/Z$/)
  expect(await quantityOf(variantId)).toBe(2)
})

test('orders are listed newest first, by outlet and status', async () => {
  const shop = await workspace('Lists')
  const [one, two] = [await makeOutlet(shop), await makeOutlet(shop)]
  const variantId = await makeVariant(shop)
  const make = async (at: string) =>
    (await shop.post('/purchase-orders', { outletId: at, items: [{ variantId, qty: 1 }] })).data.purchaseOrder
      .id
  const [first, second] = [await make(one), await make(two)]
  await shop.post(`/purchase-orders/${first}/order`)
  const ids = async (query = '') =>
    (await shop.get(`/purchase-orders${query}`)).data.purchaseOrders.map((order: { id: string }) => order.id)
  expect(await ids()).toEqual([second, first])
  expect(await ids(`?outletId=${one}`)).toEqual([first])
  expect(await ids('?status=DRAFT')).toEqual([second])
  expect(await ids(`?status=DRAFT&outletId=${one}`)).toEqual([])
  expect(await ids('?outletId=out_unknown')).toEqual([])
  expect((await shop.get('/purchase-orders?status=draft')).error.param).toBe('status')
  const list = await shop.get('/purchase-orders')
  expect(list.data.purchaseOrders[0].items).toMatchObject([{ variantId, qty: 1 }])
})

test('an order of another workspace answers 404 to every verb, and its ids cannot be named', async () => {
  const variantId = await makeVariant(acme())
  const { id } = await ordered([{ variantId, qty: 1 }])
  const path = `/purchase-orders/${id}`
  const theirs = await makeVariant(globex())
  const answers = [
    await globex().get(path),
    await globex().patch(path, { items: [{ variantId: theirs, qty: 1 }] }),
    await globex().post(`${path}/order`),
    await globex().post(`${path}/receive`, { items: [{ variantId, qty: 1 }] }),
    await globex().post(`${path}/cancel`),
  ]
  expect(answers.map(refusalOf)).toMatchObject(Array(5).fill({ status: 404, code: 'NOT_FOUND' }))
  expect((await globex().get(`/purchase-orders?outletId=${outletId}`)).data.purchaseOrders).toEqual([])
  const at = await makeOutlet(globex())
  const { data } = await acme().post('/suppliers', { name: 'Ours' })
  for (const [fields, param] of [
    [{ outletId }, 'outletId'],
    [{ supplierId: data.supplier.id }, 'supplierId'],
    [{ items: [{ variantId, qty: 1 }] }, 'items[0].variantId'],
  ] as const) {
    const body = { outletId: at, items: [{ variantId: theirs, qty: 1 }], ...fields }
    expect(refusalOf(await globex().post('/purchase-orders', body))).toEqual({
      status: 404,
      code: 'NOT_FOUND',
      param,
    })
  }
})

test('500 lines are ordered and received in one go; their events carry the first 100', async () => {
  const shop = await workspace('Large')
  const at = await makeOutlet(shop)
  const { accountId } = shop.workspace
  const first = await makeVariant(shop)
  const { productId } = await deps()
    .db.selectFrom('variants')
    .select('productId')
    .where('id', '=', first)
    .executeTakeFirstOrThrow()
  const rows = Array.from({ length: 500 }, (_, n) => ({
    accountId,
    id: `var_LARGE${n}`,
    productId,
    name: `Size ${n}`,
    price: 1,
  }))
  await deps().db.insertInto('variants').values(rows).execute()
  const items = rows.map(({ id }) => ({ variantId: id, qty: 2, cost: 10 }))
  const { data } = await shop.post('/purchase-orders', { outletId: at, items })
  const { id } = data.purchaseOrder
  await shop.post(`/purchase-orders/${id}/order`)
  const received = await shop.post(`/purchase-orders/${id}/receive`, {
    items: items.map(({ variantId }) => ({ variantId, qty: 2 })),
  })
  expect([received.status, received.data.purchaseOrder.status]).toEqual([200, 'RECEIVED'])
  expect(received.data.purchaseOrder.items).toHaveLength(500)
  for (const type of ['service.purchase_order.received.v1', 'service.stock.received.v1']) {
    expect(await eventsOf(shop, type)).toMatchObject([
      { purchaseOrder: { id, truncated: true, items: { length: 100 } } },
    ])
  }
})

test('a page of large orders ends early, and its cursors and the whole list have them all', async () => {
  const shop = await workspace()
  const at = await makeOutlet(shop)
  const variants = Array.from({ length: 250 }, (_, n) => ({ name: `Size ${n}`, price: 1_000 }))
  const products = [await makeProduct(shop, { variants }), await makeProduct(shop, { variants })]
  const items = products
    .flatMap((product) => product.variants)
    .map(({ id }: { id: string }) => ({ variantId: id, qty: 1 }))
  const numbers: string[] = []
  for (let n = 0; n < 12; n += 1) {
    const { data } = await shop.post('/purchase-orders', { outletId: at, items })
    numbers.unshift(data.purchaseOrder.number)
  }
  const page = async (cursor: string) => {
    const { data, meta } = await shop.get(`/purchase-orders?limit=100${cursor}`)
    for (const order of data.purchaseOrders) expect(order.items).toHaveLength(500)
    return {
      numbers: data.purchaseOrders.map(({ number }: { number: string }) => number),
      hasMore: meta?.hasMore,
      cursor: meta?.cursor,
    }
  }
  const first = await page('')
  expect(first).toMatchObject({ numbers: numbers.slice(0, 10), hasMore: true })
  const second = await page(`&cursor=${encodeURIComponent(String(first.cursor))}`)
  expect(second).toEqual({ numbers: numbers.slice(10), hasMore: false, cursor: null })
  const { purchaseOrders } = (await shop.get('/purchase-orders')).data
  expect(purchaseOrders.map(({ number }: { number: string }) => number)).toEqual(numbers)
})
