import { expect, test } from 'vitest'
import type { Api } from '../support/api.ts'
import { useService, workspace } from '../support/service.ts'

useService()

const NAMES = ['cherry', 'apple 2', 'Banana', 'Apple']
const SORTED = ['Apple', 'apple 2', 'Banana', 'cherry']

const outletOf = async (api: Api): Promise<string> =>
  (await api.post('/outlets', { name: 'Kemang' })).data.outlet.id

const lists: Record<string, (api: Api) => Promise<unknown[]>> = {
  products: async (api) => {
    for (const name of NAMES) await api.post('/products', { name, variants: [{ price: 1 }] })
    return (await api.get('/products')).data.products
  },
  levels: async (api) => {
    const outletId = await outletOf(api)
    for (const name of NAMES) {
      const { product } = (await api.post('/products', { name, variants: [{ price: 1 }] })).data
      await api.post('/inventory/adjust', { outletId, variantId: product.variants[0].id, qtyDelta: 1 })
    }
    const { levels } = (await api.get('/inventory/levels')).data
    return levels.map((level: { productName: string }) => ({ name: level.productName }))
  },
  categories: async (api) => {
    for (const name of NAMES) await api.post('/categories', { name })
    return (await api.get('/categories')).data.categories
  },
  customers: async (api) => {
    for (const name of NAMES) await api.post('/customers', { name })
    return (await api.get('/customers')).data.customers
  },
  suppliers: async (api) => {
    for (const name of NAMES) await api.post('/suppliers', { name })
    return (await api.get('/suppliers')).data.suppliers
  },
  'modifier groups': async (api) => {
    for (const name of NAMES) await api.post('/modifiers', { name })
    return (await api.get('/modifiers')).data.groups
  },
  floors: async (api) => {
    const outletId = await outletOf(api)
    for (const name of NAMES) await api.post('/floors', { outletId, name, sortOrder: 1 })
    return (await api.get(`/floors?outletId=${outletId}`)).data.floors.filter(({ name }: { name: string }) =>
      NAMES.includes(name),
    )
  },
  tables: async (api) => {
    const outletId = await outletOf(api)
    for (const label of NAMES) await api.post('/tables', { outletId, label, sortOrder: 1 })
    const { tables } = (await api.get(`/tables?outletId=${outletId}`)).data
    return tables.map((table: { label: string }) => ({ name: table.label }))
  },
  'tables of the floor map': async (api) => {
    const outletId = await outletOf(api)
    for (const label of NAMES) await api.post('/tables', { outletId, label, sortOrder: 1 })
    const { tables } = (await api.get(`/tables/floor?outletId=${outletId}`)).data
    return tables.map((table: { label: string }) => ({ name: table.label }))
  },
}

test.each(Object.entries(lists))(
  '%s come by name as people read it, whatever its case',
  async (name, read) => {
    const rows = (await read(await workspace(`Order of ${name}`))) as { name: string }[]
    expect(rows.map((row) => row.name)).toEqual(SORTED)
  },
)
