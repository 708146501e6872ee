import type { FastifyInstance } from 'fastify'
import { addDays } from '../core/time.ts'
import {
  CATEGORIES,
  type DemoProduct,
  MODIFIERS,
  type ModifierChoice,
  PRODUCTS,
  type Ware,
} from './catalogue.ts'
import { callerOf, type DemoClient, signedIn } from './client.ts'
import { createOffers } from './offers.ts'
import { CUSTOMERS, type DemoOutlet, EXPENSES, FLOORS, OUTLETS, SUPPLIERS } from './outlets.ts'

export type Login = { email: string; password: string }
export type DemoShop = (typeof OUTLETS)[DemoOutlet] & {
  key: DemoOutlet
  id: string
  cashier: DemoClient
  wares: readonly Ware[]
  supplierId: string
}
export type FurnishedDemo = {
  apiKey: string
  owner: DemoClient
  places: readonly DemoShop[]
  customers: readonly string[]
  tables: readonly string[]
}

/** The part of a furnished workspace that can be saved; `reopen` restores it. */
export type Inventory = {
  places: readonly Pick<DemoShop, 'key' | 'id' | 'wares' | 'supplierId'>[]
  customers: readonly string[]
  tables: readonly string[]
}

export const inventoryOf = ({ places, customers, tables }: FurnishedDemo): Inventory => ({
  places: places.map(({ key, id, wares, supplierId }) => ({ key, id, wares, supplierId })),
  customers,
  tables,
})

/** Signs the same members in again to a workspace that is already stocked. */
export async function reopen(
  app: FastifyInstance,
  { login, apiKey, places, customers, tables }: Inventory & { login: Login; apiKey: string },
): Promise<FurnishedDemo> {
  const owner = await signedIn(app, '/auth/login', login)
  const cashiers = await createCashiers(app, owner, login)
  return {
    apiKey,
    owner: callerOf(app, { authorization: `Bearer ${apiKey}` }),
    places: places.map(
      (place): DemoShop => ({ ...OUTLETS[place.key], ...place, cashier: cashiers[place.key] }),
    ),
    customers,
    tables,
  }
}

type Id = { id: string }
const KEYS = ['cafe', 'shop', 'pharmacy'] as const

/** Opens the workspace and returns a client for its owner. */
export const openWorkspace = (app: FastifyInstance, login: Login): Promise<DemoClient> =>
  signedIn(app, '/auth/signup', {
    ...login,
    name: 'Sinta Maharani',
    businessName: 'Senja Makmur',
    businessType: 'GENERAL',
  })

type FurnishOptions = { owner: DemoClient; login: Login; today: string }

/** Stocks an open workspace: everything that exists before the first customer comes in. */
export async function furnish(
  app: FastifyInstance,
  { owner, login, today }: FurnishOptions,
): Promise<FurnishedDemo> {
  const { key } = await owner.post<{ key: string }>('/api-keys', { name: 'Demo' })
  const api = callerOf(app, { authorization: `Bearer ${key}` })
  await api.put('/settings', {
    transferBankName: 'Bank Nusantara',
    transferBankAccountNumber: '123-555-0100',
    transferBankAccountHolder: 'Sinta Maharani',
    npwp: '01.234.567.8-901.000',
    expenseCategories: [...EXPENSES],
    scaleBarcodes: [{ prefix: '21', itemDigits: 5, valueDigits: 5, value: 'WEIGHT' }],
  })
  const outletIds = await openOutlets(api)
  const suppliers = await createAll(
    api,
    '/suppliers',
    SUPPLIERS.map(({ outlet: _, ...supplier }) => supplier),
    'supplier',
  )
  const modifiers = await createModifiers(api)
  const wares = await createProducts(api, modifiers)
  const cashiers = await hire(app, owner, login)
  const places = KEYS.map((place, index): DemoShop => {
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
  const customers = await createAll(
    api,
    '/customers',
    CUSTOMERS.map(([name, phone, creditLimit = 0]) => ({ name, phone, creditLimit })),
    'customer',
  )
  await createOffers(api, { cafeId: outletIds[0] ?? '', wares: wares.get('cafe') ?? [], customers })
  await api.post('/gift-cards', {
    amount: 250_000,
    customerId: customers[0],
    code: 'SENJA-2025',
    note: 'Hadiah',
  })
  return { apiKey: key, owner: api, places, customers, tables: await setTables(api, outletIds[0] ?? '') }
}

/** Posts each row in order and returns the ids. */
async function createAll(
  api: DemoClient,
  path: string,
  rows: readonly object[],
  name: string,
): Promise<string[]> {
  const ids: string[] = []
  for (const row of rows) ids.push((await api.post<Record<string, Id>>(path, row))[name]?.id ?? '')
  return ids
}

/** Signup with a business name creates the first outlet; it becomes the café. */
async function openOutlets(api: DemoClient): Promise<string[]> {
  const { outlets } = await api.get<{ outlets: Id[] }>('/outlets')
  const [first] = outlets
  const [cafe, ...others] = KEYS.map((key) => OUTLETS[key])
  if (first === undefined) return createAll(api, '/outlets', [cafe ?? {}, ...others], 'outlet')
  await api.patch(`/outlets/${first.id}`, cafe ?? {})
  return [first.id, ...(await createAll(api, '/outlets', others, 'outlet'))]
}

type Groups = ReadonlyMap<string, { groupId: string; choices: readonly ModifierChoice[] }>

async function createModifiers(api: DemoClient): Promise<Groups> {
  const groups = new Map<string, { groupId: string; choices: ModifierChoice[] }>()
  for (const { items, ...group } of MODIFIERS) {
    const made = await api.post<{ group: Id }>('/modifiers', group)
    const choices: ModifierChoice[] = []
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

async function createProducts(api: DemoClient, groups: Groups) {
  const categoryIds = await createAll(api, '/categories', CATEGORIES, 'category')
  const wares = new Map<DemoOutlet, Ware[]>(KEYS.map((key) => [key, []]))
  const bySku = new Map<string, string>()
  for (const product of PRODUCTS) {
    const categoryId = categoryIds[CATEGORIES.findIndex(({ name }) => name === product.category)]
    const chosen = (product.modifiers ?? []).flatMap((name) => groups.get(name) ?? [])
    const made = await createProduct(api, product, categoryId ?? null)
    if (chosen.length > 0) {
      await api.put(`/modifiers/product/${made.id}`, { groupIds: chosen.map(({ groupId }) => groupId) })
    }
    product.variants.forEach((variant, index) => {
      const { id: variantId = '', packs = [] } = made.variants[index] ?? {}
      const packId = packs[0]?.id ?? null
      bySku.set(variant.sku, variantId)
      const modifiers = chosen.map(({ choices }) => choices)
      wares
        .get(product.outlet)
        ?.push({ ...variant, variantId, packId, modifiers, requiresBatch: product.requiresBatch ?? false })
    })
    await createRecipes(api, product, made, bySku)
  }
  return wares
}

type CreatedProduct = Id & { variants: (Id & { packs: Id[] })[] }

async function createProduct(
  api: DemoClient,
  product: DemoProduct,
  categoryId: string | null,
): Promise<CreatedProduct> {
  const { outlet: _, category: __, modifiers: ___, variants, ...rest } = product
  const body = {
    ...rest,
    categoryId,
    variants: variants.map(({ sku, price, cost, name, barcode, soldBy, pack }, sortOrder) => ({
      sku,
      price,
      cost,
      sortOrder,
      ...(name === undefined ? {} : { name }),
      ...(barcode === undefined ? {} : { barcode }),
      ...(soldBy === undefined ? {} : { soldBy }),
      ...(pack === undefined ? {} : { packs: [pack] }),
    })),
  }
  return (await api.post<{ product: CreatedProduct }>('/products', body)).product
}

async function createRecipes(
  api: DemoClient,
  { variants }: DemoProduct,
  made: CreatedProduct,
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

/** Two cashiers besides the owner: three members, the limit of the free plan. */
async function hire(
  app: FastifyInstance,
  owner: DemoClient,
  login: Login,
): Promise<Record<DemoOutlet, DemoClient>> {
  const { password } = login
  for (const name of CASHIERS) {
    const called = `${name.charAt(0).toUpperCase()}${name.slice(1)} Kasir`
    await owner.post('/members', { email: addressOf(login, name), name: called, role: 'CASHIER', password })
  }
  return createCashiers(app, owner, login)
}

async function createCashiers(
  app: FastifyInstance,
  owner: DemoClient,
  login: Login,
): Promise<Record<DemoOutlet, DemoClient>> {
  const { password } = login
  const [cafe, shop] = await Promise.all(
    CASHIERS.map((name) => signedIn(app, '/auth/login', { email: addressOf(login, name), password })),
  )
  return { cafe: cafe ?? owner, shop: shop ?? owner, pharmacy: owner }
}

/** The first delivery. Medicine arrives in batches, one of them about to expire; other goods are simply counted. */
async function stock(api: DemoClient, { id: outletId, wares }: DemoShop, today: string) {
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

async function setTables(api: DemoClient, outletId: string): Promise<string[]> {
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
    ids.push(...(await createAll(api, '/tables', rows, 'table')))
  }
  return ids
}
