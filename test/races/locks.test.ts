import { expect, test } from 'vitest'
import { makeProduct, openShop } from '../support/build.ts'
import { expectNoDeadlocks } from '../support/expect.ts'
import { acme, deps, useService } from '../support/service.ts'

useService({ env: { DATABASE_POOL_SIZE: '16' } })
expectNoDeadlocks(deps)

const ROUNDS = 15
const highest = (answers: readonly { status: number }[]) => Math.max(...answers.map(({ status }) => status))

test('a variant that a PATCH removes and goods of it that come in never wait for each other in a circle', async () => {
  const { outletId } = await openShop(acme())
  const { supplier } = (await acme().post('/suppliers', { name: 'Supplier' })).data
  const product = await makeProduct(acme(), {
    name: 'Renewed',
    variants: [
      { name: 'Kept', price: 1_000 },
      { name: 'Goes 0', price: 1_000 },
    ],
  })
  const [kept] = product.variants
  for (let round = 0; round < ROUNDS; round += 1) {
    const { variants } = (await acme().get(`/products/${product.id}`)).data.product
    const goes = variants.find(({ id }: { id: string }) => id !== kept.id)
    const items = [kept, goes].map(({ id: variantId }) => ({ variantId, qty: 5 }))
    const order = { outletId, supplierId: supplier.id, items: items.slice(0, 1) }
    const { purchaseOrder } = (await acme().post('/purchase-orders', order)).data
    await acme().post(`/purchase-orders/${purchaseOrder.id}/order`)
    const batch = (variantId: string) =>
      acme().post('/inventory/batches', { outletId, variantId, qty: 1, cost: 500, batchNo: `R${round}` })
    const answers = await Promise.all([
      batch(goes.id),
      batch(kept.id),
      acme().patch(`/products/${product.id}`, {
        variants: [{ id: kept.id }, { name: `Goes ${round + 1}`, price: 1_000 }],
      }),
      batch(kept.id),
      acme().post(`/purchase-orders/${purchaseOrder.id}/receive`, {
        items: [{ variantId: kept.id, qty: 5 }],
      }),
      batch(goes.id),
    ])
    expect(highest(answers)).toBeLessThan(500)
  }
})
