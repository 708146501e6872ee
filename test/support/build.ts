import { expect } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import type { Api } from './api.ts'
import { done } from './expect.ts'
import { deps } from './service.ts'

export const makeOutlet = async (api: Api, fields: Record<string, unknown> = {}): Promise<string> =>
  (await api.post('/outlets', { name: 'Kemang', ...fields })).data.outlet.id

export const makeTable = async (
  api: Api,
  outletId: string,
  label: string,
  fields: Record<string, unknown> = {},
): Promise<{ id: string; floorId: string; label: string }> =>
  (await api.post('/tables', { outletId, label, ...fields })).data.table

/** A product with one variant; `variants[0]` is it. */
export const makeProduct = async (api: Api, fields: Record<string, unknown> = {}) => {
  const answer = await api.post('/products', { name: 'Product', variants: [{ price: 10_000 }], ...fields })
  if (answer.status !== 201) throw new Error(`no product was made: ${answer.text}`)
  return answer.data.product
}

export type Goods = {
  name?: string
  variantName?: string
  kind?: 'GOODS' | 'SERVICE'
  trackStock?: boolean
  requiresBatch?: boolean
  isComposite?: boolean
  isActive?: boolean
  cost?: number
  price?: number
}

/** A product with one variant, written directly: stock tests need its row, not its routes. */
export async function makeVariant(api: Api, goods: Goods = {}): Promise<string> {
  const { accountId } = api.workspace
  const { kind = 'GOODS', requiresBatch = false, isActive = true } = goods
  const [productId, id] = [newId('product'), newId('variant')]
  const name = goods.name ?? `Product ${id.slice(-6)}`
  await deps()
    .db.insertInto('products')
    .values({
      accountId,
      id: productId,
      name,
      kind,
      requiresBatch,
      isActive,
      trackStock: goods.trackStock ?? kind === 'GOODS',
    })
    .execute()
  await deps()
    .db.insertInto('variants')
    .values({
      accountId,
      id,
      productId,
      name: goods.variantName ?? 'Default',
      price: goods.price ?? 10_000,
      cost: goods.cost ?? 0,
      isComposite: goods.isComposite ?? false,
      isActive,
      isLive: isActive,
      searchText: name.toLowerCase(),
    })
    .execute()
  return id
}

/** Writes the recipe of a composite: component variant id → quantity, in order. */
export async function makeRecipe(api: Api, variantId: string, parts: readonly [string, number][]) {
  const { accountId } = api.workspace
  await deps()
    .db.insertInto('recipeComponents')
    .values(
      parts.map(([componentVariantId, quantity], sortOrder) => ({
        accountId,
        id: newId('recipeComponent'),
        variantId,
        componentVariantId,
        quantity,
        sortOrder,
      })),
    )
    .execute()
}

/** Stands in for settings until a test has reason to go through their route. */
export async function setNegativeStock(api: Api, policy: 'ALLOW' | 'BLOCK') {
  const { accountId } = api.workspace
  await deps()
    .db.insertInto('settings')
    .values({ accountId, id: newId('settings'), businessName: 'Shop', negativeStock: policy })
    .onConflict((oc) => oc.column('accountId').doUpdateSet({ negativeStock: policy }))
    .execute()
}

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

/** A customer with a name, made through the API. */
export const makeCustomer = async (api: Api, fields: Record<string, unknown> = {}): Promise<string> =>
  (await api.post('/customers', { name: 'Sari', ...fields })).data.customer.id

/** A gift card of some rupiah; its id and code. */
export const makeCard = async (
  api: Api,
  amount: number,
  fields: Record<string, unknown> = {},
): Promise<{ id: string; code: string }> =>
  (await api.post('/gift-cards', { amount, ...fields })).data.giftCard

export const openShift = async (api: Api, outletId: string, openingFloat = 0): Promise<string> =>
  (await api.post('/shifts/open', { outletId, openingFloat })).data.shift.id

/** Leaves a sale row that names the variant. */
export async function sell(
  api: Api,
  variantId: string,
  status: 'PARKED' | 'COMPLETED' | 'VOIDED' = 'COMPLETED',
) {
  const outletId = await makeOutlet(api)
  const { sale } = done(
    await api.post('/sales', {
      outletId,
      items: [{ variantId, quantity: 1 }],
      status: status === 'PARKED' ? 'PARKED' : 'COMPLETED',
    }),
  )
  if (status === 'VOIDED') done(await api.post(`/sales/${sale.id}/void`))
}

/** Counts the variant at a new outlet; 0 leaves a level that never moved. */
export async function stockSomewhere(api: Api, variantId: string, quantity: number): Promise<string> {
  const outletId = await makeOutlet(api)
  if (quantity === 0) done(await api.put('/inventory/reorder', { outletId, variantId, reorderPoint: 0 }))
  else done(await api.post('/inventory/adjust', { outletId, variantId, qtyDelta: quantity }))
  return outletId
}

/** A draft order that names the variant. */
export const orderSomewhere = async (api: Api, variantId: string) =>
  done(
    await api.post('/purchase-orders', { outletId: await makeOutlet(api), items: [{ variantId, qty: 1 }] }),
  )

/** Switches a module on for the workspace; `payment` and `fulfillment` need a partner in the settings of the service. */
export async function enableModule(api: Api, module: 'payment' | 'fulfillment' | 'marketing') {
  done(await api.post('/modules', { module, enabled: true }))
}
