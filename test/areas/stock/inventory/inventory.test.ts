import { afterEach, beforeAll, expect, test } from 'vitest'
import type { Api } from '../../../support/api.ts'
import { makeComposite, makeOutlet, makeVariant, setNegativeStock } from '../../../support/build.ts'
import { assertStockInvariants, refusalOf } from '../../../support/expect.ts'
import { eventsOf } from '../../../support/read.ts'
import { acme, deps, globex, useService, workspace } from '../../../support/service.ts'

useService()
afterEach(() => assertStockInvariants(deps().db))

const UNKNOWN_OUTLET = 'out_01ARZ3NDEKTSV4RRFFQ69G5FAV'
const UNKNOWN_VARIANT = 'var_01ARZ3NDEKTSV4RRFFQ69G5FAV'
let outletId: string
let other: string
beforeAll(async () => {
  outletId = await makeOutlet(acme(), { name: 'Kemang' })
  other = await makeOutlet(acme(), { name: 'Senopati' })
})

const adjust = (variantId: string, qtyDelta: number, reason?: string) =>
  acme().post('/inventory/adjust', { outletId, variantId, qtyDelta, ...(reason ? { reason } : {}) })
const put = (variantId: string, qty: number, fields: Record<string, unknown> = {}) =>
  acme().post('/inventory/batches', { outletId, variantId, qty, ...fields })
const batchesOf = async (variantId: string, query = '') =>
  (await acme().get(`/inventory/batches?variantId=${variantId}${query}`)).data.batches
const levelOf = async (variantId: string, at = outletId) =>
  (await acme().get(`/inventory/levels?outletId=${at}`)).data.levels.find(
    (level: { variantId: string }) => level.variantId === variantId,
  )

test('an adjustment answers the level and the movement, and writes one event with both', async () => {
  const variantId = await makeVariant(acme(), { name: 'Aren sugar', cost: 12_000 })
  const answer = await adjust(variantId, 10, ' first count ')
  expect(answer.status).toBe(200)
  expect(answer.data.level).toMatchObject({
    outletId,
    variantId,
    productName: 'Aren sugar',
    variantName: 'Default',
    sku: null,
    quantity: 10,
    reorderPoint: null,
    isLow: false,
  })
  expect(answer.data.movement).toMatchObject({
    type: 'ADJUSTMENT',
    qtyDelta: 10,
    balanceAfter: 10,
    batchId: null,
    transactionId: null,
    refundId: null,
    purchaseOrderId: null,
    transferId: null,
    unitCost: 12_000,
    reason: 'first count',
    actorId: acme().workspace.keyId,
  })
  const events = await eventsOf(acme(), 'service.stock.adjusted.v1')
  expect(events.at(-1)).toEqual(answer.data)
  expect(await levelOf(variantId)).toEqual(answer.data.level)
})

test('a count may fall below zero while the workspace allows it', async () => {
  const variantId = await makeVariant(acme())
  expect((await adjust(variantId, -3)).data.level.quantity).toBe(-3)
  expect((await adjust(variantId, 2)).data.level.quantity).toBe(-1)
})

test('under BLOCK a count stops at zero, and a level that is below already may still rise', async () => {
  const strict = await workspace('Strict')
  const at = await makeOutlet(strict)
  const variantId = await makeVariant(strict, { name: 'Cup' })
  const count = (qtyDelta: number) => strict.post('/inventory/adjust', { outletId: at, variantId, qtyDelta })
  await count(-2)
  await setNegativeStock(strict, 'BLOCK')
  expect((await count(1)).data.level.quantity).toBe(-1)
  const refused = await count(-1)
  expect(refusalOf(refused)).toEqual({ status: 422, code: 'VALIDATION_ERROR', param: 'qtyDelta' })
  await count(6)
  expect((await count(-6)).status).toBe(422)
  expect((await count(-5)).data.level.quantity).toBe(0)
})

test('a product that needs batches never falls below zero, whatever the policy', async () => {
  const variantId = await makeVariant(acme(), { requiresBatch: true })
  await put(variantId, 4, { batchNo: 'A' })
  const refused = await adjust(variantId, -5)
  expect(refusalOf(refused)).toMatchObject({ status: 422, param: 'qtyDelta' })
  expect((await adjust(variantId, -4)).data.level.quantity).toBe(0)
})

test('counting down takes unbatched units, then expired batches, then the earliest date', async () => {
  const variantId = await makeVariant(acme(), { requiresBatch: true })
  const late = (await put(variantId, 5, { expiryDate: '2099-12-31' })).data.batch.id
  const expired = (await put(variantId, 5, { expiryDate: '2001-01-31' })).data.batch.id
  const soon = (await put(variantId, 5, { expiryDate: '2098-01-01' })).data.batch.id
  await adjust(variantId, 5)
  const left = async () =>
    Object.fromEntries(
      (await batchesOf(variantId, '&all=true')).map((batch: { id: string; remainingQty: number }) => [
        batch.id,
        batch.remainingQty,
      ]),
    )
  expect((await adjust(variantId, -3)).data.movement.batchId).toBe(null)
  expect(await left()).toEqual({ [expired]: 5, [soon]: 5, [late]: 5 })
  expect((await adjust(variantId, -4)).data.movement.batchId).toBe(null)
  expect(await left()).toEqual({ [expired]: 3, [soon]: 5, [late]: 5 })
  expect((await adjust(variantId, -3)).data.movement.batchId).toBe(expired)
  expect((await adjust(variantId, -6)).data.movement.batchId).toBe(null)
  expect(await left()).toEqual({ [expired]: 0, [soon]: 0, [late]: 4 })
  expect((await adjust(variantId, -4)).data.movement.batchId).toBe(late)
})

test.each([
  ['adjust', { qtyDelta: 0 }, 422, 'qtyDelta'],
  ['adjust', { qtyDelta: 1_000_001 }, 400, 'qtyDelta'],
  ['adjust', { qtyDelta: -1_000_001 }, 400, 'qtyDelta'],
  ['adjust', { qtyDelta: 1.5 }, 400, 'qtyDelta'],
  ['adjust', { qtyDelta: '1' }, 400, 'qtyDelta'],
  ['adjust', {}, 400, 'qtyDelta'],
  ['adjust', { qtyDelta: 1, outletId: 7 }, 400, 'outletId'],
  ['adjust', { qtyDelta: 1, variantId: null }, 400, 'variantId'],
  ['adjust', { qtyDelta: 1, reason: 'x'.repeat(301) }, 400, 'reason'],
  ['batches', {}, 400, 'qty'],
  ['batches', { qty: 0 }, 400, 'qty'],
  ['batches', { qty: 2, cost: -1 }, 400, 'cost'],
  ['batches', { qty: 2, cost: 1_000_000_001 }, 400, 'cost'],
  ['batches', { qty: 2, batchNo: 'x'.repeat(121) }, 400, 'batchNo'],
  ['batches', { qty: 2, expiryDate: 'tomorrow' }, 400, 'expiryDate'],
  ['batches', { qty: 2, expiryDate: '2027-02-30' }, 400, 'expiryDate'],
  ['batches', { qty: 2, expiryDate: '2027-02-28T10:00:00' }, 400, 'expiryDate'],
  ['batches', { qty: 2, expiryDate: '0000-01-01' }, 400, 'expiryDate'],
  ['batches', { qty: 2, expiryDate: '9999-12-31T23:59:59-12:00' }, 400, 'expiryDate'],
  ['batches', { qty: 2, expiryDate: '' }, 400, 'expiryDate'],
])('POST /inventory/%s refuses %j', async (route, fields, status, param) => {
  const variantId = await makeVariant(acme())
  const refused = await acme().post(`/inventory/${route}`, { outletId, variantId, ...fields })
  expect(refusalOf(refused)).toEqual({ status, code: 'VALIDATION_ERROR', param })
  expect(await levelOf(variantId)).toBeUndefined()
})

const compositeOf = async (api: Api) => makeComposite(api, [[await makeVariant(api), 1]])

test.each([
  ['a service', (api: Api) => makeVariant(api, { kind: 'SERVICE' })],
  ['goods that are not tracked', (api: Api) => makeVariant(api, { trackStock: false })],
  ['a composite', compositeOf],
])('no route that moves or watches stock accepts %s', async (_, make) => {
  const variantId = await make(acme())
  const answers = [
    await adjust(variantId, 1),
    await put(variantId, 1),
    await acme().put('/inventory/reorder', { outletId, variantId, reorderPoint: 1 }),
    await acme().post('/inventory/transfer', {
      fromOutletId: outletId,
      toOutletId: other,
      variantId,
      qty: 1,
    }),
  ]
  expect(answers.map(refusalOf)).toEqual(
    Array(4).fill({ status: 422, code: 'VALIDATION_ERROR', param: 'variantId' }),
  )
})

test('unknown and foreign outlets and variants answer 404 and name the field', async () => {
  const mine = await makeVariant(acme())
  const foreignOutlet = await makeOutlet(globex())
  const foreignVariant = await makeVariant(globex())
  for (const [at, variantId, param] of [
    [UNKNOWN_OUTLET, mine, 'outletId'],
    [foreignOutlet, mine, 'outletId'],
    [outletId, UNKNOWN_VARIANT, 'variantId'],
    [outletId, foreignVariant, 'variantId'],
  ] as const) {
    const answers = [
      await acme().post('/inventory/adjust', { outletId: at, variantId, qtyDelta: 1 }),
      await acme().post('/inventory/batches', { outletId: at, variantId, qty: 1 }),
      await acme().put('/inventory/reorder', { outletId: at, variantId, reorderPoint: 1 }),
    ]
    expect(answers.map(refusalOf)).toEqual(Array(3).fill({ status: 404, code: 'NOT_FOUND', param }))
  }
  for (const [fields, param] of [
    [{ fromOutletId: foreignOutlet }, 'fromOutletId'],
    [{ toOutletId: foreignOutlet }, 'toOutletId'],
    [{ variantId: foreignVariant }, 'variantId'],
  ] as const) {
    const body = { fromOutletId: outletId, toOutletId: other, variantId: mine, qty: 1, ...fields }
    const refused = await acme().post('/inventory/transfer', body)
    expect(refusalOf(refused)).toMatchObject({ status: 404, param })
  }
})

test('another workspace sees none of the stock, and its filters by foreign ids are empty', async () => {
  const variantId = await makeVariant(acme(), { requiresBatch: true })
  await put(variantId, 3, { batchNo: 'T-1', expiryDate: '2001-01-01' })
  const lists = [
    (await globex().get(`/inventory/levels?outletId=${outletId}`)).data.levels,
    (await globex().get(`/inventory/movements?variantId=${variantId}`)).data,
    (await globex().get(`/inventory/batches?variantId=${variantId}&all=true`)).data.batches,
    (await globex().get(`/inventory/expiring?outletId=${outletId}`)).data.batches,
    (await globex().get('/inventory/expiring')).data.batches,
  ]
  expect(lists).toEqual([[], [], [], [], []])
  expect((await globex().get(`/inventory/composites?outletId=${outletId}`)).status).toBe(404)
})

test('a reorder point is set before goods ever move, and marks the level low at or below it', async () => {
  const variantId = await makeVariant(acme())
  const set = (reorderPoint: unknown) =>
    acme().put('/inventory/reorder', { outletId, variantId, reorderPoint })
  const zero = await set(0)
  expect([zero.status, zero.data.level]).toMatchObject([200, { quantity: 0, reorderPoint: 0, isLow: true }])
  await adjust(variantId, 5)
  expect((await set(4)).data.level).toMatchObject({ quantity: 5, reorderPoint: 4, isLow: false })
  const low = async () =>
    (await acme().get(`/inventory/levels?outletId=${outletId}&low=true`)).data.levels.map(
      (level: { variantId: string }) => level.variantId,
    )
  expect(await low()).not.toContain(variantId)
  expect((await set(5)).data.level.isLow).toBe(true)
  expect(await low()).toContain(variantId)
  for (const bad of [-1, null, 'x', 1.5]) {
    const refused = await set(bad)
    expect(refusalOf(refused)).toMatchObject({ status: 400, param: 'reorderPoint' })
  }
})

test('adjusting down across the reorder point announces it once', async () => {
  const shop = await workspace('Low')
  const at = await makeOutlet(shop)
  const variantId = await makeVariant(shop)
  const count = (qtyDelta: number) => shop.post('/inventory/adjust', { outletId: at, variantId, qtyDelta })
  await count(5)
  await shop.put('/inventory/reorder', { outletId: at, variantId, reorderPoint: 0 })
  for (const delta of [-4, -1, -1, 1]) await count(delta)
  expect(await eventsOf(shop, 'service.stock.low.v1')).toMatchObject([
    { level: { variantId, quantity: 0, reorderPoint: 0, isLow: true } },
  ])
})

test('levels are listed by product name for one outlet or all, and an unknown outlet has none', async () => {
  const shop = await workspace('Names')
  const [first, second] = [await makeOutlet(shop), await makeOutlet(shop)]
  for (const [name, at] of [
    ['Zaitun', first],
    ['Apel', second],
    ['Mangga', first],
  ] as const) {
    await shop.post('/inventory/adjust', {
      outletId: at,
      variantId: await makeVariant(shop, { name }),
      qtyDelta: 1,
    })
  }
  const names = async (query: string) =>
    (await shop.get(`/inventory/levels${query}`)).data.levels.map(
      (level: { productName: string }) => level.productName,
    )
  expect(await names('')).toEqual(['Apel', 'Mangga', 'Zaitun'])
  expect(await names(`?outletId=${first}`)).toEqual(['Mangga', 'Zaitun'])
  expect(await names(`?outletId=${UNKNOWN_OUTLET}`)).toEqual([])
  expect((await shop.get('/inventory/levels?low=maybe')).error.param).toBe('low')
})

test('the ledger is paged newest first and filtered by outlet and variant', async () => {
  const variantId = await makeVariant(acme())
  for (const delta of [1, 2, 3, 4, 5]) await adjust(variantId, delta)
  await acme().post('/inventory/transfer', { fromOutletId: outletId, toOutletId: other, variantId, qty: 2 })
  const page = await acme().get(`/inventory/movements?variantId=${variantId}&limit=4`)
  expect(page.data.map((row: { qtyDelta: number }) => row.qtyDelta)).toEqual([2, -2, 5, 4])
  expect(page.meta.hasMore).toBe(true)
  const rest = await acme().get(
    `/inventory/movements?variantId=${variantId}&limit=4&cursor=${page.meta.cursor}`,
  )
  expect(rest.data.map((row: { qtyDelta: number }) => row.qtyDelta)).toEqual([3, 2, 1])
  expect(rest.meta).toMatchObject({ hasMore: false, cursor: null })
  const there = await acme().get(`/inventory/movements?variantId=${variantId}&outletId=${other}`)
  expect(there.data).toMatchObject([{ type: 'TRANSFER_IN', qtyDelta: 2, balanceAfter: 2 }])
  for (const [query, param] of [
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['cursor=nonsense', 'cursor'],
  ]) {
    const refused = await acme().get(`/inventory/movements?${query}`)
    expect(refusalOf(refused)).toMatchObject({ status: 400, param })
  }
})

test('the ledger by type needs a time range, and a time range needs no type', async () => {
  const variantId = await makeVariant(acme())
  await adjust(variantId, 3)
  const read = (query: string) => acme().get(`/inventory/movements?variantId=${variantId}${query}`)
  expect(refusalOf(await read('&type=ADJUSTMENT'))).toMatchObject({ status: 422, param: 'from' })
  const [before, after] = [-1, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString())
  for (const query of [`&from=${before}`, `&to=${after}`, `&type=ADJUSTMENT&from=${before}`])
    expect((await read(query)).data, query).toMatchObject([{ qtyDelta: 3 }])
})

test('composites count what can be made, name what runs out first, and never count below zero', async () => {
  const shop = await workspace('Cafe')
  const at = await makeOutlet(shop)
  const beans = await makeVariant(shop, { name: 'Beans' })
  const milk = await makeVariant(shop, { name: 'Milk' })
  const ice = await makeVariant(shop, { name: 'Ice', trackStock: false })
  const recipe: [string, number][] = [
    [milk, 150],
    [beans, 18],
    [ice, 3],
  ]
  const kopi = await makeComposite(shop, recipe, { name: 'Kopi Susu', variantName: 'Large' })
  const water = await makeComposite(shop, [[ice, 5]], { name: 'Ice water' })
  const count = (variantId: string, qtyDelta: number) =>
    shop.post('/inventory/adjust', { outletId: at, variantId, qtyDelta })
  await count(beans, 100)
  await count(milk, 1_000)
  const list = async () => (await shop.get(`/inventory/composites?outletId=${at}`)).data.composites
  expect(await list()).toMatchObject([
    { variantId: water, name: 'Ice water', available: null, limitingComponentId: null },
    {
      variantId: kopi,
      name: 'Kopi Susu (Large)',
      available: 5,
      limitingComponentId: beans,
      components: [
        { componentVariantId: milk, name: 'Milk', quantity: 150, stock: 1_000 },
        { componentVariantId: beans, name: 'Beans', quantity: 18, stock: 100 },
        { componentVariantId: ice, name: 'Ice', quantity: 3, stock: null },
      ],
    },
  ])
  await count(milk, -1_100)
  expect((await list())[1]).toMatchObject({ available: 0, limitingComponentId: milk })
  const missing = await shop.get('/inventory/composites')
  expect(refusalOf(missing)).toMatchObject({ status: 400, param: 'outletId' })
  expect((await shop.get(`/inventory/composites?outletId=${UNKNOWN_OUTLET}`)).status).toBe(404)
})

test('a composite shows no level of its own, even if one was left over', async () => {
  const shop = await workspace('Leftover')
  const at = await makeOutlet(shop)
  const variantId = await makeVariant(shop)
  await shop.put('/inventory/reorder', { outletId: at, variantId, reorderPoint: 1 })
  await deps()
    .db.updateTable('variants')
    .set({ isComposite: true })
    .where('accountId', '=', shop.workspace.accountId)
    .where('id', '=', variantId)
    .execute()
  expect((await shop.get('/inventory/levels')).data.levels).toEqual([])
})

test('an inactive outlet can be counted and emptied but not filled', async () => {
  const variantId = await makeVariant(acme())
  const closed = await makeOutlet(acme(), { name: 'Closed' })
  await acme().post('/inventory/adjust', { outletId: closed, variantId, qtyDelta: 5 })
  await acme().patch(`/outlets/${closed}`, { isActive: false })
  expect(
    (await acme().post('/inventory/adjust', { outletId: closed, variantId, qtyDelta: -1 })).data.level
      .quantity,
  ).toBe(4)
  const send = (fromOutletId: string, toOutletId: string) =>
    acme().post('/inventory/transfer', { fromOutletId, toOutletId, variantId, qty: 2 })
  expect((await send(closed, outletId)).status).toBe(200)
  const refused = await send(outletId, closed)
  expect(refusalOf(refused)).toMatchObject({ status: 422, param: 'toOutletId' })
})

test('a repeated Idempotency-Key adjusts once', async () => {
  const variantId = await makeVariant(acme())
  const send = () =>
    acme().post('/inventory/adjust', { outletId, variantId, qtyDelta: 3 }, { idempotencyKey: 'adjust-once' })
  const [first, again] = [await send(), await send()]
  expect(again.data).toEqual(first.data)
  expect((await levelOf(variantId)).quantity).toBe(3)
})

test('a level that would leave its integers is refused and stays as it was', async () => {
  const variantId = await makeVariant(acme())
  const answers = [await put(variantId, 1_000_000_000), await put(variantId, 1_000_000_000)]
  answers.push(await put(variantId, 1_000_000_000, { batchNo: 'other' }))
  expect(answers.map((answer) => answer.status)).toEqual([201, 201, 422])
  expect((await levelOf(variantId)).quantity).toBe(2_000_000_000)
})
