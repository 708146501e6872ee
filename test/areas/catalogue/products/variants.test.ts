import { expect, test } from 'vitest'
import { reconcile } from '../../../../src/areas/catalogue/products/rules.ts'
import type { Api } from '../../../support/api.ts'
import { makeProduct, makePurchaseOrder, sell, stockSomewhere } from '../../../support/build.ts'
import { done, refusalOf } from '../../../support/expect.ts'
import { acme, deps, useService, workspace } from '../../../support/service.ts'

useService()

type V = { id: string; name: string; sku: string | null; price: number; isActive: boolean }

test('POST variants answers 201 with the variant; PATCH changes what is sent', async () => {
  const product = await makeProduct(acme())
  const path = `/products/${product.id}/variants`
  const made = await acme().post(path, { price: 12_000, name: 'Besar', sku: ' V-1 ', cost: 4_000 })
  expect(made.status).toBe(201)
  expect(made.data.variant).toMatchObject({
    productId: product.id,
    name: 'Besar',
    sku: 'V-1',
    barcode: null,
    price: 12_000,
    cost: 4_000,
    sortOrder: 0,
    isComposite: false,
    isActive: true,
  })
  const changed = await acme().patch(`${path}/${made.data.variant.id}`, { price: 0, isActive: false })
  expect(changed.data.variant).toMatchObject({ name: 'Besar', sku: 'V-1', price: 0, isActive: false })
  const same = await acme().patch(`${path}/${made.data.variant.id}`, {})
  expect(same.data.variant).toEqual(changed.data.variant)
})

test.each([
  [{}, 'price'],
  [{ price: null }, 'price'],
  [{ price: -1 }, 'price'],
  [{ price: 1_000_000_001 }, 'price'],
  [{ price: 1, cost: 1_000_000_001 }, 'cost'],
  [{ price: 1, name: ' ' }, 'name'],
  [{ price: 1, sortOrder: 1_000_001 }, 'sortOrder'],
  [{ price: 1, sku: 5 }, 'sku'],
])('POST variants refuses %j', async (body, param) => {
  const product = await makeProduct(acme())
  const refused = await acme().post(`/products/${product.id}/variants`, body)
  expect(refusalOf(refused)).toMatchObject({ status: 400, param })
})

test('a variant under another product answers 404', async () => {
  const [a, b] = [await makeProduct(acme()), await makeProduct(acme())]
  const path = `/products/${a.id}/variants/${b.variants[0].id}`
  const answers = [
    await acme().patch(path, { price: 1 }),
    await acme().delete(path),
    await acme().get(`${path}/recipe`),
    await acme().put(`${path}/recipe`, { isComposite: false }),
  ]
  expect(answers.map((answer) => answer.status)).toEqual([404, 404, 404, 404])
})

test('variants come by sort order, then as made', async () => {
  const product = await makeProduct(acme(), {
    variants: [
      { price: 1, name: 'C', sortOrder: 2 },
      { price: 1, name: 'A' },
      { price: 1, name: 'B' },
      { price: 1, name: 'D', sortOrder: 1 },
    ],
  })
  expect(product.variants.map((variant: V) => variant.name)).toEqual(['A', 'B', 'D', 'C'])
})

test('an unsold variant goes with its stock, also the last one', async () => {
  const product = await makeProduct(acme())
  const [{ id }] = product.variants
  await stockSomewhere(acme(), id, 4)
  const gone = await acme().delete(`/products/${product.id}/variants/${id}`)
  expect([gone.status, gone.data]).toEqual([200, { id, deleted: true }])
  expect((await acme().get(`/products/${product.id}`)).data.product.variants).toEqual([])
  const levels = await deps().db.selectFrom('stockLevels').select('id').where('variantId', '=', id).execute()
  expect(levels).toEqual([])
})

test('a variant that was sold, is used by a recipe or was ordered is deactivated', async () => {
  const product = await makeProduct(acme(), {
    variants: [{ price: 1, sku: 'KEEP-1' }, { price: 1 }, { price: 1 }, { price: 1, name: 'Mix' }],
  })
  const [sold, part, ordered, mix] = product.variants
  await sell(acme(), sold.id)
  await makePurchaseOrder(acme(), { items: [{ variantId: ordered.id, qty: 1 }] })
  await acme().put(`/products/${product.id}/variants/${mix.id}/recipe`, {
    isComposite: true,
    components: [{ componentVariantId: part.id, quantity: 1 }],
  })
  for (const { id } of [sold, part, ordered]) {
    const kept = await acme().delete(`/products/${product.id}/variants/${id}`)
    expect(kept.data).toMatchObject({ variant: { id, isActive: false }, deactivated: true })
  }
  expect((await acme().delete(`/products/${product.id}/variants/${mix.id}`)).data).toEqual({
    id: mix.id,
    deleted: true,
  })
  await makeProduct(acme(), { variants: [{ price: 1, sku: 'KEEP-1' }] })
})

test.each([
  ['the variant', (api: Api, path: string, id: string) => api.delete(`${path}/variants/${id}`)],
  ['its product', (api: Api, path: string) => api.delete(path)],
  [
    'it from the list of its product',
    (api: Api, path: string) => api.patch(path, { variants: [{ price: 1, name: 'Other' }] }),
  ],
])(
  'deleting %s keeps the stock movements of a former component and the cost of past sales',
  async (_what, remove) => {
    const api = await workspace()
    const beans = await makeProduct(api, { variants: [{ price: 1, cost: 400 }] })
    const [{ id }] = beans.variants
    const drink = await makeProduct(api, { name: 'Drink', variants: [{ price: 20_000 }] })
    const recipe = `/products/${drink.id}/variants/${drink.variants[0].id}/recipe`
    const components = [{ componentVariantId: id, quantity: 18 }]
    done(await api.put(recipe, { isComposite: true, components }))
    await sell(api, drink.variants[0].id)
    done(await api.put(recipe, { isComposite: false }))
    done(await remove(api, `/products/${beans.id}`, id))
    const { product } = done(await api.get(`/products/${beans.id}`))
    expect(product.variants.map((variant: V) => variant.id)).toContain(id)
    const movements = (await api.get(`/inventory/movements?variantId=${id}`)).data
    expect(movements).toMatchObject([{ type: 'SALE', qtyDelta: -18 }])
    const to = new Date(Date.now() + 86_400_000).toISOString()
    const { products } = done(await api.get(`/reports/margin?to=${to}`))
    expect(products).toMatchObject([{ name: 'Drink', revenue: 20_000, cost: 7_200 }])
  },
)

const known = (id: string, fields: object = {}) => ({
  id,
  name: 'Default',
  sku: null,
  barcode: null,
  otherBarcodes: null,
  packs: null,
  soldBy: 'UNIT' as const,
  price: 10,
  cost: 3,
  sortOrder: 0,
  isActive: true,
  ...fields,
})

test('a list reconciles: by id, by SKU, new, and what is missing goes', () => {
  const plan = reconcile(
    [
      known('a'),
      known('b', { sku: 'B' }),
      known('c', { sku: 'C' }),
      known('d', { sku: 'D', isActive: false }),
    ],
    [
      { id: 'a', price: 20 },
      { sku: 'B', price: 30, name: 'Bee' },
      { sku: 'D', price: 40 },
      { sku: 'E', price: 50 },
    ],
  )
  expect(plan.update).toEqual([
    known('a', { price: 20 }),
    known('b', { sku: 'B', price: 30, name: 'Bee' }),
    known('d', { sku: 'D', price: 40, isActive: true }),
  ])
  expect(plan.create).toEqual([
    {
      name: 'Default',
      sku: 'E',
      barcode: null,
      otherBarcodes: null,
      packs: null,
      soldBy: 'UNIT',
      price: 50,
      cost: 0,
      sortOrder: 0,
      isActive: true,
    },
  ])
  expect(plan.remove).toEqual(['c'])
})

test('an entry with an id keeps its variant from being matched by SKU', () => {
  const plan = reconcile(
    [known('a', { sku: 'A' })],
    [
      { sku: 'A', price: 5 },
      { id: 'a', sku: 'Z' },
    ],
  )
  expect([plan.create.length, plan.update.map(({ id, sku }) => [id, sku]), plan.remove]).toEqual([
    1,
    [['a', 'Z']],
    [],
  ])
})

test('PATCH with variants leaves exactly that list, keeping sold ones inactive', async () => {
  const product = await makeProduct(acme(), {
    variants: [
      { price: 1, name: 'S', sku: 'R-S' },
      { price: 2, name: 'M', sku: 'R-M' },
      { price: 3, name: 'L', sku: 'R-L' },
    ],
  })
  const [small, medium, large] = product.variants
  await sell(acme(), large.id)
  const answer = await acme().patch(`/products/${product.id}`, {
    variants: [
      { id: small.id, price: 10 },
      { sku: 'R-M', price: 20 },
      { price: 40, name: 'XL' },
    ],
  })
  expect(answer.status).toBe(200)
  expect(
    answer.data.product.variants.map(({ id, name, price, isActive }: V) => [id, name, price, isActive]),
  ).toEqual([
    [small.id, 'S', 10, true],
    [medium.id, 'M', 20, true],
    [large.id, 'L', 3, false],
    [expect.any(String), 'XL', 40, true],
  ])
})

test('a composite and its component leave in one PATCH; a sold composite keeps its component', async () => {
  const withBox = async () => {
    const product = await makeProduct(acme(), {
      variants: [
        { price: 1, name: 'Unit' },
        { price: 2, name: 'Box' },
        { price: 3, name: 'Rest' },
      ],
    })
    const [unit, box, rest] = product.variants
    await acme().put(`/products/${product.id}/variants/${box.id}/recipe`, {
      isComposite: true,
      components: [{ componentVariantId: unit.id, quantity: 12 }],
    })
    const keep = async (...ids: string[]) => {
      const answer = await acme().patch(`/products/${product.id}`, { variants: ids.map((id) => ({ id })) })
      return answer.data.product.variants.map(({ name, isActive }: V) => [name, isActive])
    }
    return { unit, box, rest, keep }
  }
  const unsold = await withBox()
  expect(await unsold.keep(unsold.rest.id)).toEqual([['Rest', true]])
  const sold = await withBox()
  await sell(acme(), sold.box.id)
  expect(await sold.keep(sold.rest.id)).toEqual([
    ['Unit', false],
    ['Box', false],
    ['Rest', true],
  ])
  const used = await withBox()
  expect(await used.keep(used.rest.id, used.box.id)).toEqual([
    ['Unit', false],
    ['Box', true],
    ['Rest', true],
  ])
})

test('two variants swap their SKUs in one PATCH', async () => {
  const product = await makeProduct(acme(), {
    variants: [
      { price: 1, sku: 'SWAP-A' },
      { price: 1, sku: 'SWAP-B' },
    ],
  })
  const [a, b] = product.variants
  const answer = await acme().patch(`/products/${product.id}`, {
    variants: [
      { id: a.id, sku: 'SWAP-B' },
      { id: b.id, sku: 'SWAP-A' },
    ],
  })
  expect(answer.data.product.variants.map((variant: V) => variant.sku)).toEqual(['SWAP-B', 'SWAP-A'])
})

test('a code of a removed variant is free for a new one in the same PATCH', async () => {
  const product = await makeProduct(acme(), { variants: [{ price: 1, barcode: 'FREE-1' }] })
  const answer = await acme().patch(`/products/${product.id}`, {
    variants: [{ price: 2, barcode: 'FREE-1' }],
  })
  expect(answer.data.product.variants).toMatchObject([{ price: 2, barcode: 'FREE-1' }])
})

test('reconciling refuses what it cannot place', async () => {
  const [product, other] = [await makeProduct(acme()), await makeProduct(acme())]
  const [{ id }] = product.variants
  const patch = (variants: unknown) => acme().patch(`/products/${product.id}`, { variants })
  const cases: [unknown, number, string][] = [
    [[], 400, 'variants'],
    [[{ id }, { name: 'No price' }], 400, 'variants[1].price'],
    [[{ id }, { id: 'var_unknown' }], 404, 'variants[1].id'],
    [[{ id: other.variants[0].id }], 422, 'variants[0].id'],
    [[{ id }, { id }], 422, 'variants[1].id'],
    [[{ id, price: -1 }], 400, 'variants[0].price'],
    [[{ id: '' }], 400, 'variants[0].id'],
  ]
  for (const [variants, status, param] of cases) {
    const refused = await patch(variants)
    expect([variants, refused.status, refused.error.param]).toEqual([variants, status, param])
  }
})

test('a kind that can no longer change is reported before a variant of another product, an unknown one before both', async () => {
  const [product, other] = [await makeProduct(acme()), await makeProduct(acme())]
  await stockSomewhere(acme(), product.variants[0].id, 1)
  const patch = (id: string) =>
    acme().patch(`/products/${product.id}`, { kind: 'SERVICE', variants: [{ id, price: 1 }] })
  const answers = [await patch(other.variants[0].id), await patch('var_unknown')]
  expect(answers.map(({ status }) => status)).toEqual([409, 404])
})

test('a SKU or barcode in use answers 409 and says which and where', async () => {
  const api = await workspace()
  await makeProduct(api, { name: 'Kopi', variants: [{ price: 1, name: 'Besar', sku: 'K1', barcode: '99' }] })
  const other = await makeProduct(api, { name: 'Teh', variants: [{ price: 1, sku: 'T1' }, { price: 1 }] })
  const second = `/products/${other.id}/variants/${other.variants[1].id}`
  const cases = [
    [
      await api.post('/products', { name: 'X', variants: [{ price: 1, sku: 'K1' }] }),
      'SKU K1',
      'Kopi (Besar)',
    ],
    [await api.post(`/products/${other.id}/variants`, { price: 1, barcode: '99' }), 'barcode 99', 'Kopi'],
    [await api.patch(second, { sku: 'T1' }), 'SKU T1', 'Teh'],
    [
      await api.patch(`/products/${other.id}`, {
        variants: [
          { price: 1, sku: 'A' },
          { price: 1, sku: 'A' },
        ],
      }),
      'SKU A',
      'this product',
    ],
    [
      await api.post('/products', {
        name: 'X',
        variants: [
          { price: 1, barcode: 'B' },
          { price: 1, barcode: 'B' },
        ],
      }),
      'barcode B',
      'this product',
    ],
  ] as const
  for (const [answer, what, where] of cases) {
    expect(refusalOf(answer)).toMatchObject({ status: 409, code: 'CONFLICT' })
    expect(answer.error.message).toContain(what)
    expect(answer.error.message).toContain(where)
  }
})

test('codes differ by case, and inactive variants and products do not hold theirs', async () => {
  const api = await workspace()
  const product = await makeProduct(api, {
    variants: [
      { price: 1, sku: 'ab' },
      { price: 1, sku: 'AB' },
    ],
  })
  const path = `/products/${product.id}/variants/${product.variants[0].id}`
  await api.patch(path, { isActive: false })
  const twin = await makeProduct(api, { variants: [{ price: 1, sku: 'ab' }] })
  const back = await api.patch(path, { isActive: true })
  expect([back.status, back.error.message]).toEqual([409, expect.stringContaining('SKU ab')])
  await api.patch(`/products/${twin.id}`, { isActive: false })
  expect((await api.patch(path, { isActive: true })).status).toBe(200)
})

test('a product has at most 250 active variants, however one is added', async () => {
  const api = await workspace()
  const variants = Array.from({ length: 250 }, (_, size) => ({ name: `M${size}`, price: 1_000 }))
  const product = await makeProduct(api, { variants })
  const path = `/products/${product.id}/variants`
  const resting = done(await api.post(path, { name: 'Lama', price: 1, isActive: false })).variant.id
  const refused = [
    await api.post(path, { name: 'Baru', price: 1 }),
    await api.patch(`${path}/${resting}`, { isActive: true }),
  ]
  for (const answer of refused) {
    expect(refusalOf(answer)).toMatchObject({ status: 409, code: 'CONFLICT' })
    expect(answer.error.message).toContain('at most 250 active variants')
  }
  done(await api.patch(`${path}/${resting}`, { price: 2 }))
  done(await api.patch(`${path}/${product.variants[0].id}`, { isActive: false }))
  const answers = await Promise.all([1, 2].map(() => api.post(path, { name: 'Baru', price: 1 })))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
})

test('a product has at most 1,000 variants, inactive ones included, however one is added', async () => {
  const api = await workspace()
  const product = await makeProduct(api, { variants: [{ price: 1, sku: 'V-0' }] })
  const old = Array.from({ length: 998 }, (_, n) => ({
    accountId: api.workspace.accountId,
    id: `var_old_${n}`,
    productId: product.id,
    name: `Lama ${n}`,
    price: 1,
    isActive: false,
  }))
  await deps().db.insertInto('variants').values(old).execute()
  const path = `/products/${product.id}/variants`
  const last = done(await api.post(path, { name: 'Baru', price: 1, isActive: false })).variant
  const one = { id: product.variants[0].id }
  const refused = [
    await api.post(path, { name: 'Lagi', price: 1, isActive: false }),
    await api.post(path, { name: 'Lagi', price: 1 }),
  ]
  for (const answer of refused) {
    expect(refusalOf(answer)).toMatchObject({ status: 409, code: 'CONFLICT' })
    expect(answer.error.message).toContain('at most 1000 variants, inactive ones included')
  }
  done(await api.patch(`${path}/${last.id}`, { price: 2, isActive: true }))
  await makePurchaseOrder(api, { items: [{ variantId: one.id, qty: 1 }] })
  // The list removes the unused variants and deactivates the ordered one.
  done(await api.patch(`/products/${product.id}`, { variants: [{ id: last.id }, { price: 3 }] }))
  expect((await api.get(`/products/${product.id}`)).data.product.variants).toHaveLength(3)
})
