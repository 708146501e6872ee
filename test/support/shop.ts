import { expect } from 'vitest'
import type { Api } from './api.ts'

export type Shop = { outletId: string; latte: string; cake: string; bag: string }

const firstVariant = async (api: Api, body: Record<string, unknown>): Promise<string> => {
  const made = await api.post('/products', body)
  expect(made.status, made.text).toBe(201)
  return made.data.product.variants[0].id
}

/** An outlet with three things to sell: latte 15.000 and cake 7.500 from stock, a paper bag 500 that is not tracked. */
export async function openShop(api: Api, outlet: Record<string, unknown> = {}): Promise<Shop> {
  const { data } = await api.post('/outlets', { name: 'Kemang', ...outlet })
  return {
    outletId: data.outlet.id,
    latte: await firstVariant(api, { name: 'Latte', variants: [{ price: 15_000, cost: 6_000 }] }),
    cake: await firstVariant(api, { name: 'Cake', variants: [{ price: 7_500, cost: 3_000 }] }),
    bag: await firstVariant(api, { name: 'Bag', trackStock: false, variants: [{ price: 500 }] }),
  }
}

export const stock = async (api: Api, outletId: string, variantId: string, qtyDelta: number) => {
  const adjusted = await api.post('/inventory/adjust', { outletId, variantId, qtyDelta })
  expect(adjusted.status, adjusted.text).toBe(200)
}

export const levelOf = async (api: Api, outletId: string, variantId: string): Promise<number | undefined> => {
  const { data } = await api.get(`/inventory/levels?outletId=${outletId}`)
  return data.levels.find((level: { variantId: string }) => level.variantId === variantId)?.quantity
}
