import { expect, test } from 'vitest'
import { acme, globex, useService } from '../../support/api.ts'
import { makeProduct } from '../../support/make.ts'

useService()

test('POST /products answers 201 with every field, its default and its variants', async () => {
  const created = await acme().post('/products', { name: ' Es kopi susu ', variants: [{ price: 18_000 }] })
  expect(created.status).toBe(201)
  const { product } = created.data
  expect(product).toMatchObject({
    name: 'Es kopi susu',
    description: null,
    categoryId: null,
    categoryName: null,
    kind: 'GOODS',
    trackStock: true,
    requiresBatch: false,
    imageUrl: null,
    station: null,
    isActive: true,
    modifierGroupIds: [],
  })
  expect(product.id).toMatch(/^prd_[0-9A-HJKMNP-TV-Z]{26}$/)
  expect(product.variants).toEqual([
    {
      id: expect.stringMatching(/^var_[0-9A-HJKMNP-TV-Z]{26}$/),
      productId: product.id,
      name: 'Default',
      sku: null,
      barcode: null,
      price: 18_000,
      cost: 0,
      sortOrder: 0,
      isComposite: false,
      isActive: true,
      createdAt: product.createdAt,
      updatedAt: product.createdAt,
    },
  ])
  expect((await acme().get(`/products/${product.id}`)).data.product).toEqual(product)
})

test('a product of another workspace answers 404 to every verb', async () => {
  const product = await makeProduct(acme())
  const path = `/products/${product.id}`
  const variant = `${path}/variants/${product.variants[0].id}`
  const answers = [
    await globex().get(path),
    await globex().patch(path, { name: 'Mine' }),
    await globex().delete(path),
    await globex().post(`${path}/variants`, { price: 1 }),
    await globex().patch(variant, { price: 1 }),
    await globex().delete(variant),
  ]
  expect(answers.map((answer) => [answer.status, answer.error.code])).toEqual(
    Array(6).fill([404, 'NOT_FOUND']),
  )
  expect((await globex().get('/products')).data.products).toEqual([])
})
