import type { Api } from './api.ts'
import { makeCustomer, makeModifier, makeModifierGroup, makeOutlet, makeProduct, stock } from './build.ts'
import { done } from './expect.ts'

const MENU = {
  Kopi: [
    ['Americano', 22_000],
    ['Es Kopi', 18_000],
    ['Kopi Tubruk', 12_000],
  ],
  Makanan: [
    ['Nasi Goreng', 32_000],
    ['Soto Ayam', 28_000],
    ['Mie Ayam Bakso Spesial', 30_000],
  ],
  'Roti & kue': [
    ['Croissant', 24_000],
    ['Roti Bakar', 19_500],
    ['Lapis Legit', 45_000],
  ],
} as const

type Ids = Readonly<Record<string, string>>
export type PictureShop = { outletId: string; products: Ids; variants: Ids }

/** A café with a small menu, the same at every run. */
export async function fillShop(api: Api, pass: () => void): Promise<PictureShop> {
  const outletId = await makeOutlet(api, {
    name: 'Kopi Senja Cikini',
    address: 'Jl. Cikini Raya 12, Jakarta',
    taxRateBps: 1_100,
    taxLabel: 'PPN',
  })
  done(await api.put('/settings', { businessType: 'FNB' }))
  const [products, variants]: [Record<string, string>, Record<string, string>] = [{}, {}]
  for (const [category, goods] of Object.entries(MENU)) {
    const categoryId = done(await api.post('/categories', { name: category })).category.id
    for (const [name, price] of goods) {
      pass()
      const isCounted = category === 'Roti & kue'
      const product = await makeProduct(api, {
        name,
        categoryId,
        trackStock: isCounted,
        variants: [
          { price, cost: Math.round(price / 3), sku: `${name.replaceAll(/[a-z ]/g, '')}-${price / 500}` },
        ],
      })
      products[name] = product.id
      variants[name] = product.variants[0].id
      if (isCounted) await stock(api, outletId, product.variants[0].id, price / 1_500)
    }
  }
  pass()
  const latte = await makeProduct(api, {
    name: 'Kopi Susu',
    trackStock: false,
    variants: [
      { name: 'Panas', price: 15_000 },
      { name: 'Dingin', price: 18_000 },
    ],
  })
  const sugar = await makeModifierGroup(api, { name: 'Gula', minSelect: 1, maxSelect: 1 })
  for (const name of ['Normal', 'Sedikit', 'Tanpa gula']) await makeModifier(api, sugar, { name, price: 0 })
  done(await api.put(`/modifiers/product/${latte.id}`, { groupIds: [sugar] }))
  for (const [name, phone] of [
    ['Bu Tini', '081234567890'],
    ['Pak Joko', '081298765432'],
    ['Sari Dewanti', null],
  ] as const) {
    pass()
    await makeCustomer(api, { name, ...(phone && { phone }) })
  }
  return { outletId, products, variants }
}

/** Sells one of each, paid in full. */
export async function sellAt(
  api: Api,
  { outletId, variants }: PictureShop,
  goods: readonly string[],
  method = 'CASH',
): Promise<{ id: string }> {
  const items = goods.map((name) => ({ variantId: variants[name], quantity: 1 }))
  const bill = done(await api.post('/sales', { outletId, items, status: 'PARKED' })).sale
  const payments = [{ method, amount: bill.total }]
  return done(await api.post(`/sales/${bill.id}/settle`, { payments })).sale
}
