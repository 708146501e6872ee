import { expect, test } from 'vitest'
import { brokenInvariants } from '../../../src/platform/db/invariants.ts'
import { makeProduct, openShop, stock } from '../../support/build.ts'
import { done } from '../../support/expect.ts'
import { levelOf } from '../../support/read.ts'
import { acme, deps, useService, workspace } from '../../support/service.ts'

useService()

const outlet = async (name: string): Promise<string> =>
  (await acme().post('/outlets', { name })).data.outlet.id
const product = async (fields: Record<string, unknown> = {}) => {
  const made = await makeProduct(acme(), { variants: [{ price: 4_000 }], ...fields })
  return { productId: made.id as string, variantId: made.variants[0].id as string }
}
const broken = async () => (await brokenInvariants(deps().db)).map(({ name }) => name)

test('goods sent to an outlet that was deleted afterwards are no fault of the books', async () => {
  const { variantId } = await product()
  const [from, to] = [await outlet('Stays'), await outlet('Goes')]
  await stock(acme(), from, variantId, 10)
  const sent = await acme().post('/inventory/transfer', {
    fromOutletId: from,
    toOutletId: to,
    variantId,
    qty: 4,
  })
  expect([sent.data.from.movement.counterOutletId, sent.data.to.movement.counterOutletId]).toEqual([to, from])
  expect((await acme().delete(`/outlets/${to}`)).data).toEqual({ id: to, deleted: true })
  expect(await broken()).toEqual([])
  expect(await levelOf(acme(), from, variantId)).toBe(6)
})

test('a transfer whose half is gone while its outlet is there is a fault of the books', async () => {
  const { variantId } = await product()
  const [from, to] = [await outlet('Sends'), await outlet('Gets')]
  await stock(acme(), from, variantId, 10)
  const body = { fromOutletId: from, toOutletId: to, variantId, qty: 4 }
  const { transferId } = (await acme().post('/inventory/transfer', body)).data
  const lost = await deps()
    .db.deleteFrom('stockMovements')
    .where('accountId', '=', acme().workspace.accountId)
    .where('transferId', '=', transferId)
    .where('type', '=', 'TRANSFER_IN')
    .returningAll()
    .execute()
  try {
    expect((await broken()).join()).toContain('a transfer is goods that left and the same goods that came')
  } finally {
    await deps().db.insertInto('stockMovements').values(lost).execute()
  }
})

test.each([
  ['tracked after the first receipt', false, true, 6],
  ['not tracked any more after the first receipt', true, false, 4],
])(
  'an order of goods that were %s is received in full, and the books agree',
  async (_, before, after, level) => {
    const { outletId } = await openShop(acme())
    const { productId, variantId } = await product({ trackStock: before })
    const order = (await acme().post('/purchase-orders', { outletId, items: [{ variantId, qty: 10 }] })).data
      .purchaseOrder
    const receive = (qty: number) =>
      acme().post(`/purchase-orders/${order.id}/receive`, { items: [{ variantId, qty }] })
    await acme().post(`/purchase-orders/${order.id}/order`)
    expect((await receive(4)).data.purchaseOrder.status).toBe('PARTIALLY_RECEIVED')
    await acme().patch(`/products/${productId}`, { trackStock: after })
    expect((await receive(6)).data.purchaseOrder.status).toBe('RECEIVED')
    expect(await levelOf(acme(), outletId, variantId)).toBe(level)
    expect(await broken()).toEqual([])
  },
)

test('goods whose tracking is switched off count in no stock value, warning or average cost, and again when it is on', async () => {
  const api = await workspace('Untracked')
  const { outletId } = await openShop(api)
  const made = await makeProduct(api, { variants: [{ price: 4_000 }] })
  const variantId = made.variants[0].id as string
  const batch = { outletId, variantId, qty: 40, cost: 100, batchNo: 'B1', expiryDate: '2020-01-01' }
  done(await api.post('/inventory/batches', batch))
  done(await api.put('/inventory/reorder', { outletId, variantId, reorderPoint: 50 }))
  const lowIn = async (query: string) =>
    done(await api.get(`/inventory/levels?low=true${query}`)).levels.map(
      (level: { variantId: string }) => level.variantId,
    )
  const seen = async () => ({
    value: done(await api.get('/reports/stock-value')).total.value,
    expiring: done(await api.get('/inventory/expiring')).batches.length,
    low: await lowIn(''),
    lowAtOutlet: await lowIn(`&outletId=${outletId}`),
  })
  const tracked = { value: 4_000, expiring: 1, low: [variantId], lowAtOutlet: [variantId] }
  expect(await seen()).toEqual(tracked)
  done(await api.patch(`/products/${made.id}`, { trackStock: false }))
  expect(await seen()).toEqual({ value: 0, expiring: 0, low: [], lowAtOutlet: [] })
  const order = done(
    await api.post('/purchase-orders', { outletId, items: [{ variantId, qty: 5, cost: 300 }] }),
  )
  const { id } = order.purchaseOrder
  done(await api.post(`/purchase-orders/${id}/order`))
  done(await api.post(`/purchase-orders/${id}/receive`, { items: [{ variantId, qty: 5 }] }))
  expect(done(await api.get(`/products/${made.id}`)).product.variants[0].cost).toBe(300)
  done(await api.patch(`/products/${made.id}`, { trackStock: true }))
  expect(await seen()).toEqual({ ...tracked, value: 40 * 300 })
})

test('a receipt whose movement is gone is a fault of the books', async () => {
  const { outletId } = await openShop(acme())
  const { variantId } = await product()
  const order = (await acme().post('/purchase-orders', { outletId, items: [{ variantId, qty: 10 }] })).data
    .purchaseOrder
  await acme().post(`/purchase-orders/${order.id}/order`)
  await acme().post(`/purchase-orders/${order.id}/receive`, { items: [{ variantId, qty: 10 }] })
  const lost = await deps()
    .db.deleteFrom('stockMovements')
    .where('accountId', '=', acme().workspace.accountId)
    .where('purchaseOrderId', '=', order.id)
    .returningAll()
    .execute()
  try {
    expect((await broken()).join()).toContain('an order never received more than it asked for')
  } finally {
    await deps().db.insertInto('stockMovements').values(lost).execute()
  }
})
