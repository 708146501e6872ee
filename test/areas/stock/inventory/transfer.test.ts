import { afterEach, beforeAll, expect, test } from 'vitest'
import { makeOutlet, makeVariant } from '../../../support/build.ts'
import { assertStockInvariants, refusalOf } from '../../../support/expect.ts'
import { eventsOf } from '../../../support/read.ts'
import { acme, deps, useService } from '../../../support/service.ts'

useService()
afterEach(() => assertStockInvariants(deps().db))

let from: string
let to: string
beforeAll(async () => {
  from = await makeOutlet(acme(), { name: 'Warehouse' })
  to = await makeOutlet(acme(), { name: 'Shop' })
})

const send = (variantId: string, qty: number, fields: Record<string, unknown> = {}) =>
  acme().post('/inventory/transfer', { fromOutletId: from, toOutletId: to, variantId, qty, ...fields })
const put = (outletId: string, variantId: string, qty: number, fields: Record<string, unknown>) =>
  acme().post('/inventory/batches', { outletId, variantId, qty, ...fields })
const left = async (outletId: string, variantId: string) =>
  (
    await acme().get(`/inventory/batches?outletId=${outletId}&variantId=${variantId}&all=true`)
  ).data.batches.map((batch: { batchNo: string; remainingQty: number; cost: number }) => [
    batch.batchNo,
    batch.remainingQty,
    batch.cost,
  ])

test('a transfer is one movement out and one in, under one id, with both levels in the answer', async () => {
  const variantId = await makeVariant(acme(), { cost: 250 })
  await acme().post('/inventory/adjust', { outletId: from, variantId, qtyDelta: 10 })
  const sent = await send(variantId, 4)
  expect(sent.status).toBe(200)
  expect(sent.data.transferId).toMatch(/^trf_/)
  const { transferId } = sent.data
  expect(sent.data.from).toMatchObject({
    level: { outletId: from, quantity: 6 },
    movement: {
      type: 'TRANSFER_OUT',
      qtyDelta: -4,
      balanceAfter: 6,
      transferId,
      batchId: null,
      unitCost: 250,
    },
  })
  expect(sent.data.to).toMatchObject({
    level: { outletId: to, quantity: 4 },
    movement: { type: 'TRANSFER_IN', qtyDelta: 4, balanceAfter: 4, transferId, batchId: null, unitCost: 250 },
  })
  expect((await eventsOf(acme(), 'service.stock.transferred.v1')).at(-1)).toEqual(sent.data)
})

test('batches travel first expired first, keep number, date and cost, and expired ones go last', async () => {
  const variantId = await makeVariant(acme(), { requiresBatch: true })
  await put(from, variantId, 5, { batchNo: 'late', expiryDate: '2099-06-01', cost: 300 })
  await put(from, variantId, 5, { batchNo: 'gone', expiryDate: '2001-06-01', cost: 100 })
  await put(from, variantId, 5, { batchNo: 'soon', expiryDate: '2098-06-01', cost: 200 })
  await put(to, variantId, 5, { batchNo: 'soon', expiryDate: '2098-06-01', cost: 401 })
  const one = await send(variantId, 3)
  expect(one.data.from.movement.batchId).toMatch(/^bat_/)
  expect(one.data.to.movement.batchId).toMatch(/^bat_/)
  expect(one.data.to.movement.batchId).not.toBe(one.data.from.movement.batchId)
  expect(await left(to, variantId)).toEqual([['soon', 8, 326]])
  const many = await send(variantId, 4)
  expect([many.data.from.movement.batchId, many.data.to.movement.batchId]).toEqual([null, null])
  expect(await left(from, variantId)).toEqual([
    ['gone', 5, 100],
    ['soon', 0, 200],
    ['late', 3, 300],
  ])
  await send(variantId, 4)
  expect(await left(from, variantId)).toEqual([
    ['gone', 4, 100],
    ['soon', 0, 200],
    ['late', 0, 300],
  ])
  expect(await left(to, variantId)).toEqual([
    ['gone', 1, 100],
    ['soon', 10, 301],
    ['late', 5, 300],
  ])
})

test('unbatched units go before expired batches and arrive unbatched', async () => {
  const variantId = await makeVariant(acme())
  await put(from, variantId, 2, { batchNo: 'old', expiryDate: '2001-01-01' })
  await acme().post('/inventory/adjust', { outletId: from, variantId, qtyDelta: 3 })
  await send(variantId, 3)
  expect(await left(to, variantId)).toEqual([])
  await send(variantId, 2)
  expect(await left(to, variantId)).toEqual([['old', 2, 0]])
})

test('goods that are not there cannot be sent, whatever the policy', async () => {
  const variantId = await makeVariant(acme())
  for (const qty of [1, 1_000_000_000]) {
    const refused = await send(variantId, qty)
    expect(refusalOf(refused)).toEqual({ status: 422, code: 'VALIDATION_ERROR', param: 'qty' })
  }
  await acme().post('/inventory/adjust', { outletId: from, variantId, qtyDelta: 2 })
  expect((await send(variantId, 3)).status).toBe(422)
  expect((await send(variantId, 2)).status).toBe(200)
})

test.each([
  [{ qty: 0 }, 400, 'qty'],
  [{ qty: -1 }, 400, 'qty'],
  [{ qty: 1.5 }, 400, 'qty'],
  [{ qty: '2' }, 400, 'qty'],
  [{ fromOutletId: null }, 400, 'fromOutletId'],
  [{ toOutletId: '' }, 400, 'toOutletId'],
  [{ variantId: undefined }, 400, 'variantId'],
])('POST /inventory/transfer refuses %j', async (fields, status, param) => {
  const refused = await send(await makeVariant(acme()), 1, fields)
  expect(refusalOf(refused)).toEqual({ status, code: 'VALIDATION_ERROR', param })
})

test('an outlet cannot send to itself', async () => {
  const variantId = await makeVariant(acme())
  await acme().post('/inventory/adjust', { outletId: from, variantId, qtyDelta: 2 })
  const refused = await send(variantId, 1, { toOutletId: from })
  expect(refusalOf(refused)).toMatchObject({ status: 422, param: 'toOutletId' })
})

test('sending the last units announces a low level at the source only', async () => {
  const variantId = await makeVariant(acme())
  await acme().post('/inventory/adjust', { outletId: from, variantId, qtyDelta: 5 })
  for (const outletId of [from, to])
    await acme().put('/inventory/reorder', { outletId, variantId, reorderPoint: 2 })
  await send(variantId, 3)
  const told = await eventsOf(acme(), 'service.stock.low.v1')
  expect(told).toMatchObject([{ level: { outletId: from, variantId, quantity: 2 } }])
})
