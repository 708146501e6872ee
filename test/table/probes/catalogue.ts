import {
  fresh,
  makeCategory,
  makeModifier,
  makeModifierGroup,
  makePackedVariant,
  makeProduct,
  makeVariant,
} from '../../support/build.ts'
import { done } from '../../support/expect.ts'
import { byId, type Make } from '../request.ts'

export const catalogue: Record<string, Make> = {
  'GET /categories': async () => ({}),
  'POST /categories': async () => ({ body: { name: fresh('Category') } }),
  'PATCH /categories/{id}': byId(makeCategory, { body: { name: 'Renamed' } }),
  'DELETE /categories/{id}': byId(makeCategory),
  'POST /categories/reorder': async (api) => {
    await makeCategory(api)
    const { categories } = done(await api.get('/categories'))
    return { body: { ids: categories.map((row: { id: string }) => row.id).reverse() } }
  },
  'GET /products': async (api) => {
    const categoryId = await makeCategory(api)
    await makeProduct(api, { categoryId })
    return { query: { categoryId } }
  },
  'POST /products': async (api) => ({
    body: { name: fresh('Product'), categoryId: await makeCategory(api), variants: [{ price: 5_000 }] },
  }),
  'GET /products/lookup': async () => ({ query: { q: 'Product' } }),
  'POST /products/bulk-category': async (api) => ({
    body: { productIds: [(await makeProduct(api)).id], categoryId: await makeCategory(api) },
  }),
  'GET /products/{id}': byId(async (api) => (await makeProduct(api)).id),
  'PATCH /products/{id}': async (api) => {
    const { productId: id, variantId, packId } = await makePackedVariant(api)
    return {
      params: { id },
      body: {
        name: 'Renamed',
        categoryId: await makeCategory(api),
        variants: [{ id: variantId, price: 6_000, packs: [{ id: packId, name: 'strip', factor: 10 }] }],
      },
    }
  },
  'DELETE /products/{id}': byId(async (api) => (await makeProduct(api)).id),
  'POST /products/{id}/variants': byId(async (api) => (await makeProduct(api)).id, {
    body: { name: 'Large', price: 7_000 },
  }),
  'PATCH /products/{id}/variants/{vid}': async (api) => {
    const { productId: id, variantId: vid, packId } = await makePackedVariant(api)
    return {
      params: { id, vid },
      body: { name: 'Large', packs: [{ id: packId, name: 'strip', factor: 10 }] },
    }
  },
  'DELETE /products/{id}/variants/{vid}': async (api) => {
    const { id, variants } = await makeProduct(api, { variants: [{ price: 1 }, { name: 'Two', price: 2 }] })
    return { params: { id, vid: variants[0].id } }
  },
  'GET /products/{id}/variants/{vid}/recipe': async (api) => {
    const { id, variants } = await makeProduct(api)
    return { params: { id, vid: variants[0].id } }
  },
  'PUT /products/{id}/variants/{vid}/recipe': async (api) => {
    const { id, variants } = await makeProduct(api)
    const components = [{ componentVariantId: await makeVariant(api), quantity: 2 }]
    return { params: { id, vid: variants[0].id }, body: { isComposite: true, components } }
  },
  'GET /modifiers': async () => ({}),
  'POST /modifiers': async () => ({ body: { name: fresh('Group') } }),
  'GET /modifiers/{id}': byId(makeModifierGroup),
  'PATCH /modifiers/{id}': byId(makeModifierGroup, { body: { name: 'Renamed' } }),
  'DELETE /modifiers/{id}': byId(makeModifierGroup),
  'POST /modifiers/{id}/items': byId(makeModifierGroup, { body: { name: 'Oat milk', price: 3_000 } }),
  'PATCH /modifiers/{id}/items/{modId}': async (api) => {
    const id = await makeModifierGroup(api)
    return { params: { id, modId: await makeModifier(api, id) }, body: { name: 'Soy milk' } }
  },
  'DELETE /modifiers/{id}/items/{modId}': async (api) => {
    const id = await makeModifierGroup(api)
    return { params: { id, modId: await makeModifier(api, id) } }
  },
  'GET /modifiers/product/{productId}': async (api) => ({
    params: { productId: (await makeProduct(api)).id },
  }),
  'PUT /modifiers/product/{productId}': async (api) => ({
    params: { productId: (await makeProduct(api)).id },
    body: { groupIds: [await makeModifierGroup(api)] },
  }),
}
