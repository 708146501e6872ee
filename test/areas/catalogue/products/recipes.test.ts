import { expect, test } from 'vitest'
import { derivedCostOf } from '../../../../src/areas/catalogue/products/rules.ts'
import { makeOutlet, makeProduct, stockSomewhere } from '../../../support/build.ts'
import { refusalOf } from '../../../support/expect.ts'
import { eventsOf } from '../../../support/read.ts'
import { acme, globex, useService, workspace } from '../../../support/service.ts'
import { watching } from '../../../support/statements.ts'

useService()

const one = async (fields: Record<string, unknown> = {}, variant: object = {}) => {
  const product = await makeProduct(acme(), { ...fields, variants: [{ price: 1, ...variant }] })
  const id: string = product.variants[0].id
  return { product, id, path: `/products/${product.id}/variants/${id}/recipe` }
}

test('a recipe is read back with names and the cost that follows from it', async () => {
  const bean = await one({ name: 'Biji kopi' }, { name: 'Arabika', cost: 250 })
  const milk = await one({ name: 'Susu' }, { cost: 20 })
  const drink = await one({ name: 'Es kopi susu' }, { cost: 9_000 })
  const put = await acme().put(drink.path, {
    isComposite: true,
    components: [
      { componentVariantId: milk.id, quantity: 150, unit: 'ml' },
      { componentVariantId: bean.id, quantity: 18 },
    ],
  })
  expect(put.status).toBe(200)
  expect(put.data).toMatchObject({
    isComposite: true,
    components: [
      {
        id: expect.stringMatching(/^rcp_/),
        componentVariantId: milk.id,
        quantity: 150,
        unit: 'ml',
        productName: 'Susu',
        variantName: 'Default',
        cost: 20,
      },
      { componentVariantId: bean.id, quantity: 18, unit: null, variantName: 'Arabika', cost: 250 },
    ],
    derivedCost: 7_500,
  })
  expect((await acme().get(drink.path)).data).toEqual(put.data)
  const { product } = (await acme().get(`/products/${drink.product.id}`)).data
  expect(product.variants[0]).toMatchObject({ isComposite: true, cost: 9_000, derivedCost: 7_500 })
  const { products } = (await acme().get('/products?q=es%20kopi%20susu')).data
  expect(products[0].variants[0].derivedCost).toBe(7_500)
  const { product: plain } = (await acme().get(`/products/${bean.product.id}`)).data
  expect(plain.variants[0].derivedCost).toBeNull()
  expect((await eventsOf(acme(), 'service.product.updated.v1')).at(-1)).toEqual({ product })

  const cleared = await acme().put(drink.path, { isComposite: false, components: [] })
  expect(cleared.data).toEqual({ isComposite: false, components: [], derivedCost: null })
})

test('a list of composites costs as many statements as a list of plain goods', async () => {
  const api = await workspace()
  const bean = await makeProduct(api, { name: 'Bean', variants: [{ price: 1, cost: 3 }] })
  const statements = async () => {
    const sent: string[] = []
    await watching(
      ({ text }) => sent.push(text),
      () => api.get('/products'),
    )
    return sent.filter((text) => text.includes('variants')).length
  }
  const before = await statements()
  for (let n = 1; n <= 5; n += 1) {
    const drink = await makeProduct(api, { name: `Drink ${n}`, variants: [{ price: 1 }] })
    await api.put(`/products/${drink.id}/variants/${drink.variants[0].id}/recipe`, {
      isComposite: true,
      components: [{ componentVariantId: bean.variants[0].id, quantity: n }],
    })
  }
  expect(await statements()).toBe(before)
  const { products } = (await api.get('/products')).data
  expect(
    products.map((row: { variants: { derivedCost: number | null }[] }) => row.variants[0]?.derivedCost),
  ).toEqual([null, 3, 6, 9, 12, 15])
})

test('PUT replaces all components and keeps the new order', async () => {
  const [a, b, drink] = [await one(), await one(), await one()]
  const put = (ids: string[]) =>
    acme().put(drink.path, {
      isComposite: true,
      components: ids.map((componentVariantId) => ({ componentVariantId, quantity: 1 })),
    })
  await put([a.id, b.id])
  const second = await put([b.id])
  expect(
    second.data.components.map((part: { componentVariantId: string }) => part.componentVariantId),
  ).toEqual([b.id])
  expect((await acme().delete(`/products/${a.product.id}`)).data).toEqual({ id: a.product.id, deleted: true })
})

test('a recipe refuses what cannot be in it', async () => {
  const [plain, drink, composite] = [await one(), await one(), await one()]
  const service = await one({ kind: 'SERVICE' })
  const inactive = await one({ isActive: false })
  const foreign = await makeProduct(globex())
  await acme().put(composite.path, {
    isComposite: true,
    components: [{ componentVariantId: plain.id, quantity: 1 }],
  })
  const part = (componentVariantId: string, more: object = {}) => ({
    componentVariantId,
    quantity: 1,
    ...more,
  })
  const first = 'components[0].componentVariantId'
  const cases: [unknown, number, string][] = [
    [{}, 400, 'isComposite'],
    [{ isComposite: 'yes' }, 400, 'isComposite'],
    [{ isComposite: true, components: [{ quantity: 1 }] }, 400, first],
    [{ isComposite: true, components: [{ componentVariantId: plain.id }] }, 400, 'components[0].quantity'],
    [{ isComposite: true, components: [part(plain.id, { quantity: 0 })] }, 400, 'components[0].quantity'],
    [
      { isComposite: true, components: [part(plain.id, { quantity: 1_000_001 })] },
      400,
      'components[0].quantity',
    ],
    [{ isComposite: true, components: [part(plain.id, { quantity: 0.5 })] }, 400, 'components[0].quantity'],
    [
      { isComposite: true, components: [part(plain.id, { unit: 'x'.repeat(21) })] },
      400,
      'components[0].unit',
    ],
    [{ isComposite: true, components: Array(101).fill(part(plain.id)) }, 400, 'components'],
    [{ isComposite: true }, 422, 'components'],
    [{ isComposite: true, components: [] }, 422, 'components'],
    [{ isComposite: true, components: [part(drink.id)] }, 422, first],
    [{ isComposite: true, components: [part(composite.id)] }, 422, first],
    [{ isComposite: true, components: [part(service.id)] }, 422, first],
    [{ isComposite: true, components: [part(inactive.id)] }, 422, first],
    [
      { isComposite: true, components: [part(plain.id), part(plain.id)] },
      422,
      'components[1].componentVariantId',
    ],
    [
      { isComposite: true, components: [part(plain.id), part('var_unknown')] },
      404,
      'components[1].componentVariantId',
    ],
    [{ isComposite: true, components: [part(foreign.variants[0].id)] }, 404, first],
  ]
  for (const [body, status, param] of cases) {
    const refused = await acme().put(drink.path, body)
    expect([body, refused.status, refused.error?.param]).toEqual([body, status, param])
  }
  const used = await acme().put(plain.path, { isComposite: true, components: [part(drink.id)] })
  expect(refusalOf(used)).toMatchObject({ status: 422, param: 'isComposite' })
})

test('a variant with stock at any outlet cannot become a composite until it is counted to zero', async () => {
  const [plain, drink] = [await one(), await one()]
  const outletId = await stockSomewhere(acme(), drink.id, -2)
  await stockSomewhere(acme(), drink.id, 0)
  const body = { isComposite: true, components: [{ componentVariantId: plain.id, quantity: 1 }] }
  const refused = await acme().put(drink.path, body)
  expect(refusalOf(refused)).toMatchObject({ status: 409, code: 'CONFLICT' })
  await acme().post('/inventory/adjust', { outletId, variantId: drink.id, qtyDelta: 2 })
  expect((await acme().put(drink.path, body)).status).toBe(200)
})

test('a component that became inactive may stay in its recipe', async () => {
  const [plain, other, drink] = [await one(), await one(), await one()]
  const part = { componentVariantId: plain.id, quantity: 1 }
  await acme().put(drink.path, { isComposite: true, components: [part] })
  await acme().patch(`/products/${plain.product.id}`, { isActive: false })
  const again = await acme().put(drink.path, {
    isComposite: true,
    components: [part, { componentVariantId: other.id, quantity: 2 }],
  })
  expect(again.data.components).toHaveLength(2)
})

test('absurd costs stop at the largest exact integer', () => {
  expect(derivedCostOf(Array(100).fill({ cost: 1_000_000_000, quantity: 1_000_000 }))).toBe(
    9_007_199_254_740_991,
  )
  expect(derivedCostOf([])).toBe(0)
})

test('a line is cooked at the station of its product, else at that of its category', async () => {
  const bar = (await acme().post('/categories', { name: 'Bar', station: 'BAR' })).data.category
  const drink = await one({ categoryId: bar.id })
  const cake = await one({ categoryId: bar.id, station: 'OVEN' })
  const outletId = await makeOutlet(acme())
  const items = [drink, cake].map(({ id: variantId }) => ({ variantId, quantity: 1 }))
  const { sale } = (await acme().post('/sales', { outletId, items })).data
  expect(sale.items.map(({ station }: { station: string }) => station)).toEqual(['BAR', 'OVEN'])
})
