import { expect, test } from 'vitest'
import type { Api } from '../../../support/api.ts'
import { makeProduct, openShop, stock } from '../../../support/build.ts'
import { assertInvariants, saleOf } from '../../../support/expect.ts'
import { levelOf } from '../../../support/read.ts'
import { acme, deps, useService } from '../../../support/service.ts'

useService()

type Thing = { productId: string; variantId: string }
const thing = async (api: Api, name: string): Promise<Thing> => {
  const product = await makeProduct(api, { name, variants: [{ price: 4_000 }] })
  return { productId: product.id, variantId: product.variants[0].id }
}
const cook = async (api: Api, { productId, variantId }: Thing, parts: readonly [Thing, number][]) => {
  const components = parts.map(([part, quantity]) => ({ componentVariantId: part.variantId, quantity }))
  const path = `/products/${productId}/variants/${variantId}/recipe`
  const answer = await api.put(path, { isComposite: parts.length > 0, components })
  expect(answer.status, answer.text).toBe(200)
}
const sell = async (api: Api, outletId: string, ...lines: [Thing, number][]) => {
  const items = lines.map(([{ variantId }, quantity]) => ({ variantId, quantity }))
  return saleOf(await api.post('/sales', { outletId, items, status: 'COMPLETED' }))
}
/** A jar of jam, bought in and counted to nothing, that is cooked from fruit and sugar from now on. */
async function jam(api: Api) {
  const { outletId } = await openShop(api)
  const [jar, fruit, sugar] = [await thing(api, 'Jam'), await thing(api, 'Fruit'), await thing(api, 'Sugar')]
  const level = ({ variantId }: Thing) => levelOf(api, outletId, variantId)
  return { outletId, jar, fruit, sugar, level }
}

test('a void moves nothing for goods that became composite since they were sold, and says so', async () => {
  const { outletId, jar, fruit, level } = await jam(acme())
  await stock(acme(), outletId, jar.variantId, 3)
  await stock(acme(), outletId, fruit.variantId, 10)
  const sale = await sell(acme(), outletId, [jar, 1], [jar, 2], [fruit, 4])
  await cook(acme(), jar, [[fruit, 5]])
  const answer = await acme().post(`/sales/${sale.id}/void`)
  expect([saleOf(answer).status, answer.data.stockWarnings]).toEqual([
    'VOIDED',
    [
      {
        variantId: jar.variantId,
        productName: 'Jam',
        variantName: 'Default',
        reason: 'NOW_COMPOSITE',
        requested: 3,
        available: 0,
        level: 0,
      },
    ],
  ])
  expect(await level(fruit)).toBe(10)
  const { data: moves } = await acme().get(`/inventory/movements?variantId=${jar.variantId}`)
  expect(moves.map((move: { type: string }) => move.type)).not.toContain('VOID')
  await assertInvariants(deps().db)
  // Plain again, it is counted by hand; the voided sale has no claim on it.
  await cook(acme(), jar, [])
  await stock(acme(), outletId, jar.variantId, 1)
  await assertInvariants(deps().db)
})

test('a restock moves nothing for goods that became composite, now or once they are plain again', async () => {
  const { outletId, jar, fruit, level } = await jam(acme())
  await stock(acme(), outletId, jar.variantId, 3)
  const sale = await sell(acme(), outletId, [jar, 3])
  await cook(acme(), jar, [[fruit, 5]])
  const lines = [{ transactionItemId: sale.items[0].id, qty: 2 }]
  const first = await acme().post(`/sales/${sale.id}/refund`, { lines, restock: true })
  expect(first.data.stockWarnings).toMatchObject([
    { variantId: jar.variantId, reason: 'NOW_COMPOSITE', requested: 2 },
  ])
  expect(saleOf(first).refundedTotal).toBe(8_000)
  await assertInvariants(deps().db)
  await cook(acme(), jar, [])
  const second = await acme().post(`/sales/${sale.id}/refund`, { restock: true })
  expect([saleOf(second).refundStatus, second.data.stockWarnings]).toEqual(['FULL', []])
  expect(await level(jar)).toBe(1)
})

test('a composite gives back the components that are plain, and says which is not any more', async () => {
  const { outletId, jar, fruit, sugar, level } = await jam(acme())
  await cook(acme(), jar, [
    [fruit, 5],
    [sugar, 2],
  ])
  for (const part of [fruit, sugar]) await stock(acme(), outletId, part.variantId, 10)
  const [voided, refunded] = [await sell(acme(), outletId, [jar, 1]), await sell(acme(), outletId, [jar, 1])]
  await cook(acme(), jar, [])
  const cane = await thing(acme(), 'Cane')
  await stock(acme(), outletId, sugar.variantId, -6)
  await cook(acme(), sugar, [[cane, 3]])
  const answer = await acme().post(`/sales/${voided.id}/void`)
  expect(answer.data.stockWarnings).toMatchObject([
    { variantId: sugar.variantId, productName: 'Sugar', reason: 'NOW_COMPOSITE', requested: 2 },
  ])
  expect([await level(fruit), await level(jar)]).toEqual([5, undefined])
  const restocked = await acme().post(`/sales/${refunded.id}/refund`, { restock: true })
  expect(restocked.data.stockWarnings).toMatchObject([{ variantId: sugar.variantId, requested: 2 }])
  expect(await level(fruit)).toBe(10)
  await assertInvariants(deps().db)
})

test('what was composite when it was sold goes back as its components, though it is plain by now', async () => {
  const { outletId, jar, fruit, level } = await jam(acme())
  await cook(acme(), jar, [[fruit, 5]])
  await stock(acme(), outletId, fruit.variantId, 10)
  const sale = await sell(acme(), outletId, [jar, 2])
  await cook(acme(), jar, [])
  const answer = await acme().post(`/sales/${sale.id}/void`)
  expect([saleOf(answer).status, answer.data.stockWarnings]).toEqual(['VOIDED', []])
  expect([await level(fruit), await level(jar)]).toEqual([10, undefined])
})

test('a component that an earlier version deleted does not come back, and nothing fails', async () => {
  const { outletId, jar, fruit, sugar, level } = await jam(acme())
  await cook(acme(), jar, [
    [fruit, 5],
    [sugar, 2],
  ])
  const sale = await sell(acme(), outletId, [jar, 1])
  await cook(acme(), jar, [[fruit, 5]])
  const { accountId } = acme().workspace
  const text = 'delete from products where account_id = $1 and id = $2'
  await deps().pool.query(text, [accountId, sugar.productId])
  const answer = await acme().post(`/sales/${sale.id}/void`)
  expect([saleOf(answer).status, answer.data.stockWarnings]).toEqual([
    'VOIDED',
    [
      {
        variantId: sugar.variantId,
        productName: 'Sugar',
        variantName: '',
        reason: 'DELETED',
        requested: 2,
        available: 0,
        level: 0,
      },
    ],
  ])
  expect(await level(fruit)).toBe(0)
})

test('a component that was deleted since is only deactivated, so it comes back', async () => {
  const { outletId, jar, sugar, level } = await jam(acme())
  await cook(acme(), jar, [[sugar, 2]])
  await stock(acme(), outletId, sugar.variantId, 10)
  const sale = await sell(acme(), outletId, [jar, 1])
  await cook(acme(), jar, [])
  expect((await acme().delete(`/products/${sugar.productId}`)).data).toMatchObject({ deactivated: true })
  const answer = await acme().post(`/sales/${sale.id}/void`)
  expect([saleOf(answer).status, answer.data.stockWarnings]).toEqual(['VOIDED', []])
  expect(await level(sugar)).toBe(10)
  await assertInvariants(deps().db)
})

test('a discarded bill moved nothing, so nothing is said of its goods', async () => {
  const { outletId, jar, fruit } = await jam(acme())
  const items = [{ variantId: jar.variantId, quantity: 1 }]
  const bill = saleOf(await acme().post('/sales', { outletId, items, status: 'PARKED' }))
  await cook(acme(), jar, [[fruit, 5]])
  const answer = await acme().post(`/sales/${bill.id}/discard`)
  expect([saleOf(answer).status, answer.data.stockWarnings]).toEqual(['VOIDED', []])
})

test.each([
  [
    'a refund with restock',
    'refund',
    (item: string) => ({ lines: [{ transactionItemId: item, qty: 750 }], restock: true }),
  ],
  ['a void', 'void', () => ({})],
])('%s of grams adds no units to goods that are counted since', async (_, verb, bodyOf) => {
  const { outletId } = await openShop(acme())
  const product = await makeProduct(acme(), {
    name: 'Apples',
    variants: [{ price: 32_000, soldBy: 'WEIGHT' }],
  })
  const variantId = product.variants[0].id
  await stock(acme(), outletId, variantId, 750)
  const sale = await sell(acme(), outletId, [{ productId: product.id, variantId }, 750])
  const counted = await acme().patch(`/products/${product.id}`, {
    variants: [{ id: variantId, price: 5_000, soldBy: 'UNIT' }],
  })
  expect(counted.status, counted.text).toBe(200)
  const answer = await acme().post(`/sales/${sale.id}/${verb}`, bodyOf(sale.items[0].id))
  expect(answer.status, answer.text).toBeLessThan(300)
  expect(answer.data.stockWarnings).toMatchObject([{ variantId, reason: 'SOLD_BY_CHANGED', requested: 750 }])
  expect(await levelOf(acme(), outletId, variantId)).toBe(0)
  await assertInvariants(deps().db)
})
