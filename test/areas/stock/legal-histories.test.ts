import { expect, test } from 'vitest'
import { brokenInvariants } from '../../../src/platform/db/invariants.ts'
import { makeProduct, openShop, stock } from '../../support/build.ts'
import { levelOf } from '../../support/read.ts'
import { acme, deps, useService } from '../../support/service.ts'

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
