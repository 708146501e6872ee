import type { FastifyInstance } from 'fastify'
import { addDays } from '../core/time.ts'
import {
  CATEGORIES,
  CUSTOMERS,
  type DemoOutlet,
  type DemoProduct,
  type DemoVariant,
  FLOORS,
  MODIFIERS,
  OUTLETS,
  PRODUCTS,
  SUPPLIERS,
} from './catalogue.ts'
import { type Caller, callerOf, signedIn } from './client.ts'

export type Login = { email: string; password: string }
export type Choice = { name: string; price: number; modifierId: string }
/** A variant as the till knows it. */
export type Ware = DemoVariant & {
  variantId: string
  modifiers: readonly (readonly Choice[])[]
  requiresBatch: boolean
}
export type Place = (typeof OUTLETS)[DemoOutlet] & {
  key: DemoOutlet
  id: string
  cashier: Caller
  wares: readonly Ware[]
  supplierId: string
}
export type Furnished = {
  apiKey: string
  owner: Caller
  places: readonly Place[]
  customers: readonly string[]
  tables: readonly string[]
}

/** What of a furnished workspace can be written down, and called back to life by `reopen`. */
export type Inventory = {
  places: readonly Pick<Place, 'key' | 'id' | 'wares' | 'supplierId'>[]
  customers: readonly string[]
  tables: readonly string[]
}

export const inventoryOf = ({ places, customers, tables }: Furnished): Inventory => ({
  places: places.map(({ key, id, wares, supplierId }) => ({ key, id, wares, supplierId })),
  customers,
  tables,
})

/** The same people come in again where the shelves are filled already. */
export async function reopen(
  app: FastifyInstance,
  { login, apiKey, places, customers, tables }: Inventory & { login: Login; apiKey: string },
): Promise<Furnished> {
  const owner = await signedIn(app, '/auth/login', login)
  const cashiers = await enterCashiers(app, owner, login)
  return {
    apiKey,
    owner: callerOf(app, { authorization: `Bearer ${apiKey}` }),
    places: places.map((place): Place => ({ ...OUTLETS[place.key], ...place, cashier: cashiers[place.key] })),
    customers,
    tables,
  }
}

type Id = { id: string }
const KEYS = ['cafe', 'shop', 'pharmacy'] as const

/** Opens the workspace, and answers its owner. */
export const openWorkspace = (app: FastifyInstance, login: Login): Promise<Caller> =>
  signedIn(app, '/auth/signup', {
    ...login,
    name: 'Sinta Maharani',
    businessName: 'Senja Makmur',
    businessType: 'GENERAL',
  })

type Furnishing = { owner: Caller; login: Login; today: string }

/** Fills the shelves of an open workspace: everything that is there before the first customer comes in. */
export async function furnish(app: FastifyInstance, { owner, login, today }: Furnishing): Promise<Furnished> {
  const { key } = await owner.post<{ key: string }>('/api-keys', { name: 'Demo' })
  const api = callerOf(app, { authorization: `Bearer ${key}` })
  await api.put('/settings', {
    transferBankName: 'Bank Nusantara',
    transferBankAccountNumber: '123-555-0100',
    transferBankAccountHolder: 'Sinta Maharani',
    npwp: '01.234.567.8-901.000',
  })
  const outletIds = await openOutlets(api)
  const suppliers = await enter(
    api,
    '/suppliers',
    SUPPLIERS.map(({ outlet: _, ...supplier }) => supplier),
    'supplier',
  )
  const modifiers = await enterModifiers(api)
  const wares = await enterProducts(api, modifiers)
  const cashiers = await hire(app, owner, login)
  const places = KEYS.map((place, index): Place => {
    const id = outletIds[index] ?? ''
    return {
      ...OUTLETS[place],
      key: place,
      id,
      cashier: cashiers[place],
      wares: wares.get(place) ?? [],
      supplierId: suppliers[index] ?? '',
    }
  })
  for (const place of places) await stock(api, place, today)
  const customers = await enter(
    api,
    '/customers',
    CUSTOMERS.map(([name, phone]) => ({ name, phone })),
    'customer',
  )
  await api.post('/gift-cards', {
    amount: 250_000,
    customerId: customers[0],
    code: 'SENJA-2025',
    note: 'Hadiah',
  })
  return { apiKey: key, owner: api, places, customers, tables: await setTables(api, outletIds[0] ?? '') }
}

/** Posts each row in order and answers the ids. */
async function enter(api: Caller, path: string, rows: readonly object[], name: string): Promise<string[]> {
  const ids: string[] = []
  for (const row of rows) ids.push((await api.post<Record<string, Id>>(path, row))[name]?.id ?? '')
  return ids
}

/** Signup with a business name opened a first outlet; it becomes the café. */
async function openOutlets(api: Caller): Promise<string[]> {
  const { outlets } = await api.get<{ outlets: Id[] }>('/outlets')
  const [first] = outlets
  const [cafe, ...others] = KEYS.map((key) => OUTLETS[key])
  if (first === undefined) return enter(api, '/outlets', [cafe ?? {}, ...others], 'outlet')
  await api.patch(`/outlets/${first.id}`, cafe ?? {})
  return [first.id, ...(await enter(api, '/outlets', others, 'outlet'))]
}

type Groups = ReadonlyMap<string, { groupId: string; choices: readonly Choice[] }>

async function enterModifiers(api: Caller): Promise<Groups> {
  const groups = new Map<string, { groupId: string; choices: Choice[] }>()
  for (const { items, ...group } of MODIFIERS) {
    const made = await api.post<{ group: Id }>('/modifiers', group)
    const choices: Choice[] = []
    for (const [name, price] of items) {
      const { modifier } = await api.post<{ modifier: Id }>(`/modifiers/${made.group.id}/items`, {
        name,
        price,
      })
      choices.push({ name, price, modifierId: modifier.id })
    }
    groups.set(group.name, { groupId: made.group.id, choices })
  }
  return groups
}

async function enterProducts(api: Caller, groups: Groups) {
  const categoryIds = await enter(api, '/categories', CATEGORIES, 'category')
  const wares = new Map<DemoOutlet, Ware[]>(KEYS.map((key) => [key, []]))
  const bySku = new Map<string, string>()
  for (const product of PRODUCTS) {
    const categoryId = categoryIds[CATEGORIES.findIndex(({ name }) => name === product.category)]
    const chosen = (product.modifiers ?? []).flatMap((name) => groups.get(name) ?? [])
    const made = await enterProduct(api, product, categoryId ?? null)
    if (chosen.length > 0) {
      await api.put(`/modifiers/product/${made.id}`, { groupIds: chosen.map(({ groupId }) => groupId) })
    }
    product.variants.forEach((variant, index) => {
      const variantId = made.variants[index]?.id ?? ''
      bySku.set(variant.sku, variantId)
      const modifiers = chosen.map(({ choices }) => choices)
      wares
        .get(product.outlet)
        ?.push({ ...variant, variantId, modifiers, requiresBatch: product.requiresBatch ?? false })
    })
    await enterRecipes(api, product, made, bySku)
  }
  return wares
}

type Made = Id & { variants: Id[] }

async function enterProduct(api: Caller, product: DemoProduct, categoryId: string | null): Promise<Made> {
  const { outlet: _, category: __, modifiers: ___, variants, ...rest } = product
  const body = {
    ...rest,
    categoryId,
    variants: variants.map(({ sku, price, cost, name, barcode }, sortOrder) => ({
      sku,
      price,
      cost,
      sortOrder,
      ...(name === undefined ? {} : { name }),
      ...(barcode === undefined ? {} : { barcode }),
    })),
  }
  return (await api.post<{ product: Made }>('/products', body)).product
}

async function enterRecipes(
  api: Caller,
  { variants }: DemoProduct,
  made: Made,
  bySku: ReadonlyMap<string, string>,
) {
  for (const [index, { recipe }] of variants.entries()) {
    if (recipe === undefined) continue
    const components = Object.entries(recipe).map(([sku, quantity]) => ({
      componentVariantId: bySku.get(sku) ?? '',
      quantity,
      unit: sku === 'BB-CUP' ? 'pcs' : sku === 'BB-SUSU' || sku === 'BB-AREN' ? 'ml' : 'g',
    }))
    const variantId = made.variants[index]?.id ?? ''
    await api.put(`/products/${made.id}/variants/${variantId}/recipe`, { isComposite: true, components })
  }
}

const CASHIERS = ['rina', 'bagus'] as const
const addressOf = (login: Login, name: string) => login.email.replace('@', `+${name}@`)

/** Two cashiers beside the owner: three members, as many as the free plan holds. */
async function hire(app: FastifyInstance, owner: Caller, login: Login): Promise<Record<DemoOutlet, Caller>> {
  const { password } = login
  for (const name of CASHIERS) {
    const called = `${name.charAt(0).toUpperCase()}${name.slice(1)} Kasir`
    await owner.post('/members', { email: addressOf(login, name), name: called, role: 'CASHIER', password })
  }
  return enterCashiers(app, owner, login)
}

async function enterCashiers(
  app: FastifyInstance,
  owner: Caller,
  login: Login,
): Promise<Record<DemoOutlet, Caller>> {
  const { password } = login
  const [cafe, shop] = await Promise.all(
    CASHIERS.map((name) => signedIn(app, '/auth/login', { email: addressOf(login, name), password })),
  )
  return { cafe: cafe ?? owner, shop: shop ?? owner, pharmacy: owner }
}

/** The first delivery. Medicine comes in batches, one of them about to expire; the rest is simply counted. */
async function stock(api: Caller, { id: outletId, wares }: Place, today: string) {
  for (const [index, ware] of wares.entries()) {
    const { variantId, stock = 0, reorderPoint, requiresBatch } = ware
    if (stock === 0) continue
    if (requiresBatch) {
      const early = Math.ceil(stock / 2)
      const batches = [
        { batchNo: `A${100 + index}`, expiryDate: addDays(today, 20 + 9 * (index % 4)), qty: early },
        { batchNo: `B${100 + index}`, expiryDate: addDays(today, 300 + 10 * index), qty: stock - early },
      ]
      for (const batch of batches) await api.post('/inventory/batches', { outletId, variantId, ...batch })
    } else {
      await api.post('/inventory/adjust', { outletId, variantId, qtyDelta: stock, reason: 'Stok awal' })
    }
    if (reorderPoint !== undefined) await api.put('/inventory/reorder', { outletId, variantId, reorderPoint })
  }
}

async function setTables(api: Caller, outletId: string): Promise<string[]> {
  const ids: string[] = []
  for (const [sortOrder, { name, tables }] of FLOORS.entries()) {
    const { floor } = await api.post<{ floor: Id }>('/floors', { outletId, name, sortOrder })
    const rows = tables.map(([label, seats, posX, posY, shape], place) => ({
      outletId,
      floorId: floor.id,
      label,
      seats,
      posX,
      posY,
      shape,
      sortOrder: place,
      ...(shape === 'RECT' ? { width: 160, height: 80 } : {}),
    }))
    ids.push(...(await enter(api, '/tables', rows, 'table')))
  }
  return ids
}
