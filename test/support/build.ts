import { newId } from '../../src/core/ids.ts'
import type { Api } from './api.ts'
import { done } from './expect.ts'

// Each builder makes one thing through the API as a shop would, and takes whatever fields matter to its caller.

type Fields = Record<string, unknown>
type Id = { id: string }

/** A name, label or code that nothing else has. */
export const fresh = (word: string) => `${word} ${newId('event').slice(-12)}`

export const makeOutlet = async (api: Api, fields: Fields = {}): Promise<string> =>
  done(await api.post('/outlets', { name: 'Kemang', ...fields })).outlet.id

export const makeFloor = async (api: Api, outletId: string, fields: Fields = {}): Promise<string> =>
  done(await api.post('/floors', { outletId, name: fresh('Floor'), ...fields })).floor.id

export const makeTable = async (
  api: Api,
  outletId: string,
  label: string = fresh('T'),
  fields: Fields = {},
): Promise<{ id: string; floorId: string; label: string }> =>
  done(await api.post('/tables', { outletId, label, ...fields })).table

export const makeCategory = async (api: Api, fields: Fields = {}): Promise<string> =>
  done(await api.post('/categories', { name: fresh('Category'), ...fields })).category.id

/** A product with one variant; `variants[0]` is it. */
export const makeProduct = async (api: Api, fields: Fields = {}) =>
  done(await api.post('/products', { name: 'Product', variants: [{ price: 10_000 }], ...fields })).product

export type Goods = {
  name?: string
  variantName?: string
  kind?: 'GOODS' | 'SERVICE'
  trackStock?: boolean
  requiresBatch?: boolean
  isActive?: boolean
  cost?: number
  price?: number
}

/** A product with one variant of which only the id matters. */
export async function makeVariant(api: Api, goods: Goods = {}): Promise<string> {
  const { name = fresh('Product'), variantName = 'Default', price = 10_000, cost = 0, ...fields } = goods
  const variants = [{ name: variantName, price, cost }]
  return (await makeProduct(api, { name, ...fields, variants })).variants[0].id
}

/** A variant that is also sold in a pack of 10. */
export async function makePackedVariant(api: Api) {
  const packs = [{ name: 'strip', factor: 10, price: 12_000 }]
  const product = await makeProduct(api, { name: fresh('Product'), variants: [{ price: 1_500, packs }] })
  const [variant] = product.variants
  return {
    productId: product.id as string,
    variantId: variant.id as string,
    packId: variant.packs[0].id as string,
  }
}

/** A composite; its recipe is component variant id → quantity, in order. */
export async function makeComposite(
  api: Api,
  recipe: readonly [string, number][],
  { name = fresh('Product'), variantName = 'Default' }: Goods = {},
): Promise<string> {
  const product = await makeProduct(api, { name, variants: [{ name: variantName, price: 10_000 }] })
  const { id } = product.variants[0]
  const components = recipe.map(([componentVariantId, quantity]) => ({ componentVariantId, quantity }))
  done(await api.put(`/products/${product.id}/variants/${id}/recipe`, { isComposite: true, components }))
  return id
}

export const makeModifierGroup = async (api: Api, fields: Fields = {}): Promise<string> =>
  done(await api.post('/modifiers', { name: fresh('Group'), ...fields })).group.id

export const makeModifier = async (api: Api, groupId: string, fields: Fields = {}): Promise<string> =>
  done(await api.post(`/modifiers/${groupId}/items`, { name: fresh('Modifier'), price: 500, ...fields }))
    .modifier.id

export type Shop = { outletId: string; latte: string; cake: string; bag: string }

/** An outlet with three things to sell: latte 15.000 and cake 7.500 from stock, a paper bag 500 that is not tracked. */
export async function openShop(api: Api, outlet: Fields = {}): Promise<Shop> {
  return {
    outletId: await makeOutlet(api, outlet),
    latte: await makeVariant(api, { name: 'Latte', price: 15_000, cost: 6_000 }),
    cake: await makeVariant(api, { name: 'Cake', price: 7_500, cost: 3_000 }),
    bag: await makeVariant(api, { name: 'Bag', trackStock: false, price: 500 }),
  }
}

export const setNegativeStock = async (api: Api, negativeStock: 'ALLOW' | 'BLOCK') =>
  done(await api.put('/settings', { negativeStock }))

export const stock = async (api: Api, outletId: string, variantId: string, qtyDelta: number) =>
  done(await api.post('/inventory/adjust', { outletId, variantId, qtyDelta }))

/** Counts the variant at a new outlet; 0 leaves a level that never moved. */
export async function stockSomewhere(api: Api, variantId: string, quantity: number): Promise<string> {
  const outletId = await makeOutlet(api)
  if (quantity === 0) done(await api.put('/inventory/reorder', { outletId, variantId, reorderPoint: 0 }))
  else await stock(api, outletId, variantId, quantity)
  return outletId
}

export const makeSupplier = async (api: Api, fields: Fields = {}): Promise<string> =>
  done(await api.post('/suppliers', { name: fresh('Supplier'), ...fields })).supplier.id

/** A draft; the outlet and the goods are made for it unless they are given. */
export async function makePurchaseOrder(api: Api, fields: Fields = {}) {
  const outletId = fields['outletId'] ?? (await makeOutlet(api))
  const items = fields['items'] ?? [{ variantId: await makeVariant(api), qty: 5 }]
  return done(await api.post('/purchase-orders', { ...fields, outletId, items })).purchaseOrder
}

/** A customer with a name. */
export const makeCustomer = async (api: Api, fields: Fields = {}): Promise<string> =>
  done(await api.post('/customers', { name: 'Sari', ...fields })).customer.id

/** A gift card of some rupiah; its id and code. */
export const makeCard = async (
  api: Api,
  amount = 50_000,
  fields: Fields = {},
): Promise<Id & { code: string }> => done(await api.post('/gift-cards', { amount, ...fields })).giftCard

export const openShift = async (api: Api, outletId: string, openingFloat = 0): Promise<string> =>
  done(await api.post('/shifts/open', { outletId, openingFloat })).shift.id

/** Closes every open shift, such as those of a first try that failed. */
export async function closeShifts(api: Api) {
  const { data } = await api.get('/shifts?status=OPEN')
  for (const { id } of data) done(await api.post(`/shifts/${id}/close`, { countedCash: 0 }))
}

export type MadeSale = Id & { outletId: string; items: (Id & { variantId: string })[] }

/** A sale as GET shows it; the outlet and two pieces of something are made for it unless they are given. */
export async function makeSale(api: Api, fields: Fields = {}): Promise<MadeSale> {
  const outletId = fields['outletId'] ?? (await makeOutlet(api))
  const items = fields['items'] ?? [{ variantId: await makeVariant(api), quantity: 2 }]
  const { sale } = done(await api.post('/sales', { status: 'COMPLETED', ...fields, outletId, items }))
  return done(await api.get(`/sales/${sale.id}`)).sale
}

/** A sale that is still open. */
export const openBill = (api: Api, fields: Fields = {}): Promise<MadeSale> =>
  makeSale(api, { ...fields, status: 'PARKED' })

/** Leaves a sale row that names the variant. */
export async function sell(
  api: Api,
  variantId: string,
  status: 'PARKED' | 'COMPLETED' | 'VOIDED' = 'COMPLETED',
) {
  const items = [{ variantId, quantity: 1 }]
  const { id } = await makeSale(api, { items, status: status === 'PARKED' ? 'PARKED' : 'COMPLETED' })
  if (status === 'VOIDED') done(await api.post(`/sales/${id}/void`))
}

/** Switches a module on for the workspace; `payment` and `fulfillment` need a partner in the settings of the service. */
export async function enableModule(api: Api, module: 'payment' | 'fulfillment' | 'marketing') {
  done(await api.post('/modules', { module, enabled: true }))
}
