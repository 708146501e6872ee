import { afterEach, beforeAll, expect, test } from 'vitest'
import { manualClock } from '../../../../src/platform/clock.ts'
import { makeOutlet, makeVariant } from '../../../support/build.ts'
import { assertStockInvariants, refusalOf } from '../../../support/expect.ts'
import { eventsOf } from '../../../support/read.ts'
import { acme, deps, useService, workspace } from '../../../support/service.ts'

const clock = manualClock('2027-03-10T03:00:00Z')
useService({ clock })
afterEach(async () => {
  clock.set('2027-03-10T03:00:00Z')
  await assertStockInvariants(deps().db)
})

let jakarta: string
let jayapura: string
beforeAll(async () => {
  jakarta = await makeOutlet(acme(), { name: 'Jakarta' })
  jayapura = await makeOutlet(acme(), { name: 'Jayapura', timezone: 'Asia/Jayapura' })
})

const put = (outletId: string, variantId: string, qty: number, fields: Record<string, unknown> = {}) =>
  acme().post('/inventory/batches', { outletId, variantId, qty, ...fields })
const list = async (query: string) => (await acme().get(`/inventory/batches?${query}`)).data.batches
const costOf = async (variantId: string) =>
  (
    await deps()
      .db.selectFrom('variants')
      .select('cost')
      .where('accountId', '=', acme().workspace.accountId)
      .where('id', '=', variantId)
      .executeTakeFirstOrThrow()
  ).cost

test('a batch answers 201 with its record, the level and the PURCHASE movement, and is announced', async () => {
  const variantId = await makeVariant(acme(), { name: 'Paracetamol', requiresBatch: true, cost: 900 })
  const made = await put(jakarta, variantId, 20, { batchNo: ' PCT-1 ', expiryDate: '2027-09-30' })
  expect(made.status).toBe(201)
  expect(made.data.batch).toMatchObject({
    outletId: jakarta,
    variantId,
    productName: 'Paracetamol',
    batchNo: 'PCT-1',
    expiryDate: '2027-09-30',
    receivedQty: 20,
    remainingQty: 20,
    cost: 900,
    isExpired: false,
  })
  expect(made.data.level.quantity).toBe(20)
  expect(made.data.movement).toMatchObject({
    type: 'PURCHASE',
    qtyDelta: 20,
    balanceAfter: 20,
    batchId: made.data.batch.id,
    unitCost: 900,
  })
  const told = await eventsOf(acme(), 'service.stock.received.v1')
  expect(told.at(-1)).toEqual({ batch: made.data.batch, level: made.data.level })
})

test('the same number and date merge at the weighted cost of what is left and what came', async () => {
  const variantId = await makeVariant(acme(), { requiresBatch: true })
  const key = { batchNo: 'M-1', expiryDate: '2027-12-31' }
  const first = await put(jakarta, variantId, 10, { ...key, cost: 1_000 })
  await acme().post('/inventory/adjust', { outletId: jakarta, variantId, qtyDelta: -6 })
  const merged = await put(jakarta, variantId, 4, { ...key, cost: 2_001 })
  expect(merged.status).toBe(201)
  expect(merged.data.batch).toMatchObject({
    id: first.data.batch.id,
    receivedQty: 14,
    remainingQty: 8,
    cost: 1_501,
  })
  const others = [
    await put(jakarta, variantId, 1, { ...key, batchNo: 'M-2' }),
    await put(jakarta, variantId, 1, { ...key, expiryDate: '2028-01-01' }),
    await put(jakarta, variantId, 1, { batchNo: 'M-1' }),
    await put(jayapura, variantId, 1, key),
  ]
  expect(new Set([first, ...others].map((answer) => answer.data.batch.id)).size).toBe(5)
  const undated = await put(jakarta, variantId, 1, { batchNo: 'M-1', expiryDate: null })
  expect(undated.data.batch).toMatchObject({ id: others[2]?.data.batch.id, remainingQty: 2 })
})

test('an emptied batch is refilled under its number, at the cost of what came', async () => {
  const variantId = await makeVariant(acme(), { requiresBatch: true })
  await put(jakarta, variantId, 3, { batchNo: 'E', cost: 500 })
  await acme().post('/inventory/adjust', { outletId: jakarta, variantId, qtyDelta: -3 })
  const again = await put(jakarta, variantId, 2, { batchNo: 'E', cost: 800 })
  expect(again.data.batch).toMatchObject({ receivedQty: 5, remainingQty: 2, cost: 800 })
})

test('a product that needs batches takes none without number and date; another may', async () => {
  const strict = await makeVariant(acme(), { requiresBatch: true })
  for (const fields of [{}, { batchNo: null, expiryDate: null }, { batchNo: '  ' }]) {
    const refused = await put(jakarta, strict, 1, fields)
    expect(refusalOf(refused)).toEqual({ status: 422, code: 'VALIDATION_ERROR', param: 'batchNo' })
  }
  const loose = await makeVariant(acme())
  const made = await put(jakarta, loose, 1)
  expect([made.status, made.data.batch.batchNo, made.data.batch.expiryDate]).toEqual([201, null, null])
})

test('a batch with a cost moves the cost of the variant over all outlets; without one nothing moves', async () => {
  const variantId = await makeVariant(acme(), { cost: 1_000 })
  await acme().post('/inventory/adjust', { outletId: jakarta, variantId, qtyDelta: 4 })
  await acme().post('/inventory/adjust', { outletId: jayapura, variantId, qtyDelta: 6 })
  await put(jakarta, variantId, 10, { cost: 2_001 })
  expect(await costOf(variantId)).toBe(1_501)
  const silent = await put(jayapura, variantId, 7)
  expect([silent.data.batch.cost, await costOf(variantId)]).toEqual([1_501, 1_501])
})

test('with nothing on hand the received cost is used', async () => {
  const variantId = await makeVariant(acme(), { cost: 9_000 })
  await acme().post('/inventory/adjust', { outletId: jakarta, variantId, qtyDelta: -5 })
  await put(jayapura, variantId, 2, { cost: 700 })
  expect(await costOf(variantId)).toBe(700)
})

test('a date-time becomes the day it is in the zone of the outlet', async () => {
  const variantId = await makeVariant(acme(), { requiresBatch: true })
  const instant = '2027-06-30T16:30:00Z'
  expect((await put(jakarta, variantId, 1, { expiryDate: instant })).data.batch.expiryDate).toBe('2027-06-30')
  expect((await put(jayapura, variantId, 1, { expiryDate: instant })).data.batch.expiryDate).toBe(
    '2027-07-01',
  )
  const offset = '2027-06-30T00:30:00+09:00'
  expect((await put(jakarta, variantId, 1, { expiryDate: offset })).data.batch.expiryDate).toBe('2027-06-29')
})

test('a batch is good through the end of its date in the zone of the outlet', async () => {
  const variantId = await makeVariant(acme(), { requiresBatch: true })
  for (const outletId of [jakarta, jayapura]) await put(outletId, variantId, 1, { expiryDate: '2027-03-10' })
  const expired = async (outletId: string) =>
    (await list(`variantId=${variantId}&outletId=${outletId}`))[0].isExpired
  // 23:59 in Jayapura (UTC+9), then midnight there while Jakarta (UTC+7) still has two hours to sell.
  clock.set('2027-03-10T14:59:00Z')
  expect([await expired(jayapura), await expired(jakarta)]).toEqual([false, false])
  clock.set('2027-03-10T15:00:00Z')
  expect([await expired(jayapura), await expired(jakarta)]).toEqual([true, false])
  clock.set('2027-03-10T17:00:00Z')
  expect([await expired(jayapura), await expired(jakarta)]).toEqual([true, true])
})

test('the list runs by date with undated last, and shows empty batches on request', async () => {
  const variantId = await makeVariant(acme(), { requiresBatch: true })
  await put(jakarta, variantId, 1, { batchNo: 'undated' })
  await put(jakarta, variantId, 1, { batchNo: 'late', expiryDate: '2028-01-01' })
  await put(jakarta, variantId, 1, { batchNo: 'expired', expiryDate: '2027-03-09' })
  await put(jakarta, variantId, 1, { batchNo: 'soon', expiryDate: '2027-03-12' })
  const numbers = async (query = '') =>
    (await list(`variantId=${variantId}${query}`)).map((batch: { batchNo: string }) => batch.batchNo)
  expect(await numbers()).toEqual(['expired', 'soon', 'late', 'undated'])
  await acme().post('/inventory/adjust', { outletId: jakarta, variantId, qtyDelta: -1 })
  expect(await numbers()).toEqual(['soon', 'late', 'undated'])
  expect(await numbers('&all=true')).toEqual(['expired', 'soon', 'late', 'undated'])
  expect(await numbers('&all=0')).toEqual(['soon', 'late', 'undated'])
  expect((await acme().get('/inventory/batches?all=yes')).error.param).toBe('all')
  expect(await list('outletId=out_nowhere')).toEqual([])
})

test('expiring lists what has expired and what expires within the days, by the calendar of each outlet', async () => {
  const shop = await workspace('Pharmacy')
  const west = await makeOutlet(shop, { name: 'West' })
  const east = await makeOutlet(shop, { name: 'East', timezone: 'Asia/Jayapura' })
  const variantId = await makeVariant(shop, { requiresBatch: true })
  const add = (outletId: string, batchNo: string, expiryDate?: string) =>
    shop.post('/inventory/batches', {
      outletId,
      variantId,
      qty: 1,
      batchNo,
      ...(expiryDate ? { expiryDate } : {}),
    })
  await add(west, 'w-month', '2027-04-09')
  await add(west, 'w-later', '2027-04-10')
  await add(west, 'w-never')
  await add(east, 'e-next', '2027-04-10')
  await add(east, 'e-gone', '2027-01-01')
  const numbers = async (query = '') =>
    (await shop.get(`/inventory/expiring${query}`)).data.batches.map(
      (batch: { batchNo: string; isExpired: boolean }) => `${batch.batchNo}${batch.isExpired ? '!' : ''}`,
    )
  expect(await numbers()).toEqual(['e-gone!', 'w-month'])
  // 16:00 UTC is the next day in Jayapura only, so only its limit moves on.
  clock.set('2027-03-10T16:00:00Z')
  expect(await numbers()).toEqual(['e-gone!', 'w-month', 'e-next'])
  expect(await numbers(`?outletId=${west}`)).toEqual(['w-month'])
  expect(await numbers('?days=365')).toEqual(['e-gone!', 'w-month', 'w-later', 'e-next'])
  expect(await numbers('?outletId=out_nowhere')).toEqual([])
  for (const days of ['0', '366', '1.5', 'x']) {
    const refused = await shop.get(`/inventory/expiring?days=${days}`)
    expect(refusalOf(refused)).toMatchObject({ status: 400, param: 'days' })
  }
})
