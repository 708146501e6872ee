/**
 * One valid request per route, built in the caller's own workspace. The tenancy, idempotency and bad-input tests derive
 * their cases from these: a route without an entry fails the tests, and so does an id field that no request fills.
 */
import { newId } from '../../src/core/ids.ts'
import type { Route } from '../../src/platform/http/route.ts'
import type { Answer, Api } from '../support/api.ts'
import { type Make, nameOf, type Probe } from './request.ts'

const made = async (answer: Promise<Answer>) => {
  const got = await answer
  if (got.status >= 300) throw new Error(`a probe could not be built: ${got.status} ${got.text}`)
  return got.data
}
/** Names, codes and bar codes that no other probe uses. */
const fresh = (word: string) => `${word} ${newId('event').slice(-12)}`

const outlet = async (api: Api): Promise<string> =>
  (await made(api.post('/outlets', { name: fresh('Outlet') }))).outlet.id
const category = async (api: Api): Promise<string> =>
  (await made(api.post('/categories', { name: fresh('Category') }))).category.id
const product = async (api: Api, more: object = {}) =>
  (await made(api.post('/products', { name: fresh('Product'), variants: [{ price: 5_000 }], ...more })))
    .product
const variantId = async (api: Api, more: object = {}): Promise<string> =>
  (await product(api, more)).variants[0].id
const modifierGroup = async (api: Api): Promise<string> =>
  (await made(api.post('/modifiers', { name: fresh('Group') }))).group.id
const modifier = async (api: Api, id: string): Promise<string> =>
  (await made(api.post(`/modifiers/${id}/items`, { name: fresh('Modifier'), price: 500 }))).modifier.id
const customer = async (api: Api): Promise<string> =>
  (await made(api.post('/customers', { name: fresh('Customer') }))).customer.id
const supplier = async (api: Api): Promise<string> =>
  (await made(api.post('/suppliers', { name: fresh('Supplier') }))).supplier.id
const floor = async (api: Api, outletId: string): Promise<string> =>
  (await made(api.post('/floors', { outletId, name: fresh('Floor') }))).floor.id
const table = async (api: Api, outletId: string): Promise<string> =>
  (await made(api.post('/tables', { outletId, label: fresh('T') }))).table.id
const shift = async (api: Api, outletId: string): Promise<string> =>
  (await made(api.post('/shifts/open', { outletId, openingFloat: 0 }))).shift.id
const giftCard = async (api: Api, amount = 50_000) =>
  (await made(api.post('/gift-cards', { amount }))).giftCard as { id: string; code: string }
const stocked = async (api: Api, outletId: string, id: string, qtyDelta = 50) =>
  made(api.post('/inventory/adjust', { outletId, variantId: id, qtyDelta }))

/** An address, so that no name server is asked; nothing is sent to it in these tests. */
const HOOK = 'https://8.8.4.4/hook'
const endpoint = async (api: Api): Promise<string> =>
  (await made(api.post('/webhook-subscriptions', { url: HOOK }))).subscription.id
/** One whose endpoint was paused and switched on again: it failed, and may be sent by hand. */
const failedDelivery = async (api: Api): Promise<string> => {
  const id = await endpoint(api)
  await customer(api)
  for (const active of [false, true]) await made(api.patch(`/webhook-subscriptions/${id}`, { active }))
  const [delivery] = await made(api.get(`/webhook-subscriptions/deliveries?subscriptionId=${id}`))
  return delivery.id
}

type Sale = { id: string; items: { id: string; variantId: string }[] }
const sale = async (api: Api, more: object = {}): Promise<Sale> => {
  const outletId = await outlet(api)
  const body = { outletId, items: [{ variantId: await variantId(api), quantity: 2 }], ...more }
  const { id } = (await made(api.post('/sales', body))).sale
  return (await made(api.get(`/sales/${id}`))).sale
}
const bill = (api: Api, more: object = {}) => sale(api, { status: 'PARKED', ...more })
const sold = (api: Api, more: object = {}) => sale(api, { status: 'COMPLETED', ...more })
const purchaseOrder = async (api: Api) => {
  const outletId = await outlet(api)
  const items = [{ variantId: await variantId(api), qty: 5 }]
  return (await made(api.post('/purchase-orders', { outletId, items }))).purchaseOrder
}
const ordered = async (api: Api) => {
  const { id } = await purchaseOrder(api)
  return (await made(api.post(`/purchase-orders/${id}/order`))).purchaseOrder
}

const byId =
  (build: (api: Api) => Promise<string>, more: object = {}): Make =>
  async (api) => ({ params: { id: await build(api) }, ...more })

const CATALOGUE: Record<string, Make> = {
  'GET /categories': async () => ({}),
  'POST /categories': async () => ({ body: { name: fresh('Category') } }),
  'PATCH /categories/{id}': byId(category, { body: { name: 'Renamed' } }),
  'DELETE /categories/{id}': byId(category),
  'POST /categories/reorder': async (api) => {
    await category(api)
    const { categories } = await made(api.get('/categories'))
    return { body: { ids: categories.map((row: { id: string }) => row.id).reverse() } }
  },
  'GET /products': async (api) => {
    const categoryId = await category(api)
    await product(api, { categoryId })
    return { query: { categoryId } }
  },
  'POST /products': async (api) => ({
    body: { name: fresh('Product'), categoryId: await category(api), variants: [{ price: 5_000 }] },
  }),
  'GET /products/lookup': async () => ({ query: { q: 'Product' } }),
  'POST /products/bulk-category': async (api) => ({
    body: { productIds: [(await product(api)).id], categoryId: await category(api) },
  }),
  'GET /products/{id}': byId(async (api) => (await product(api)).id),
  'PATCH /products/{id}': async (api) => {
    const { id, variants } = await product(api)
    return {
      params: { id },
      body: {
        name: 'Renamed',
        categoryId: await category(api),
        variants: [{ id: variants[0].id, price: 6_000 }],
      },
    }
  },
  'DELETE /products/{id}': byId(async (api) => (await product(api)).id),
  'POST /products/{id}/variants': byId(async (api) => (await product(api)).id, {
    body: { name: 'Large', price: 7_000 },
  }),
  'PATCH /products/{id}/variants/{vid}': async (api) => {
    const { id, variants } = await product(api)
    return { params: { id, vid: variants[0].id }, body: { name: 'Large' } }
  },
  'DELETE /products/{id}/variants/{vid}': async (api) => {
    const { id, variants } = await product(api, { variants: [{ price: 1 }, { name: 'Two', price: 2 }] })
    return { params: { id, vid: variants[0].id } }
  },
  'GET /products/{id}/variants/{vid}/recipe': async (api) => {
    const { id, variants } = await product(api)
    return { params: { id, vid: variants[0].id } }
  },
  'PUT /products/{id}/variants/{vid}/recipe': async (api) => {
    const { id, variants } = await product(api)
    const components = [{ componentVariantId: await variantId(api), quantity: 2 }]
    return { params: { id, vid: variants[0].id }, body: { isComposite: true, components } }
  },
  'GET /modifiers': async () => ({}),
  'POST /modifiers': async () => ({ body: { name: fresh('Group') } }),
  'GET /modifiers/{id}': byId(modifierGroup),
  'PATCH /modifiers/{id}': byId(modifierGroup, { body: { name: 'Renamed' } }),
  'DELETE /modifiers/{id}': byId(modifierGroup),
  'POST /modifiers/{id}/items': byId(modifierGroup, { body: { name: 'Oat milk', price: 3_000 } }),
  'PATCH /modifiers/{id}/items/{modId}': async (api) => {
    const id = await modifierGroup(api)
    return { params: { id, modId: await modifier(api, id) }, body: { name: 'Soy milk' } }
  },
  'DELETE /modifiers/{id}/items/{modId}': async (api) => {
    const id = await modifierGroup(api)
    return { params: { id, modId: await modifier(api, id) } }
  },
  'GET /modifiers/product/{productId}': async (api) => ({ params: { productId: (await product(api)).id } }),
  'PUT /modifiers/product/{productId}': async (api) => ({
    params: { productId: (await product(api)).id },
    body: { groupIds: [await modifierGroup(api)] },
  }),
}

const SALES: Record<string, Make> = {
  'GET /sales': async (api) => {
    const outletId = await outlet(api)
    const query = {
      outletId,
      shiftId: await shift(api, outletId),
      tableId: await table(api, outletId),
      customerId: await customer(api),
    }
    const items = [{ variantId: await variantId(api), quantity: 1 }]
    await made(api.post('/sales', { ...query, items }))
    return { query }
  },
  'POST /sales': async (api) => {
    const outletId = await outlet(api)
    const groupId = await modifierGroup(api)
    const card = await giftCard(api)
    return {
      body: {
        outletId,
        shiftId: await shift(api, outletId),
        customerId: await customer(api),
        tableId: await table(api, outletId),
        items: [
          {
            variantId: await variantId(api),
            quantity: 2,
            modifiers: [{ name: 'Oat milk', price: 500, modifierId: await modifier(api, groupId) }],
          },
        ],
        payments: [{ method: 'GIFT_CARD', amount: 1_000, reference: card.code }],
        note: 'Probe',
      },
    }
  },
  'GET /sales/{id}': byId(async (api) => (await bill(api)).id),
  'GET /sales/{id}/receipt': byId(async (api) => (await bill(api)).id),
  'PATCH /sales/{id}/items': async (api) => {
    const { id, items } = await bill(api)
    const [line] = items
    const outletId = (await made(api.get(`/sales/${id}`))).sale.outletId
    const customerId = await customer(api)
    const groupId = await modifierGroup(api)
    const modifiers = [{ name: 'Oat milk', price: 500, modifierId: await modifier(api, groupId) }]
    const lines = [{ id: line?.id, variantId: line?.variantId, quantity: 3, modifiers }]
    return { params: { id }, body: { customerId, tableId: await table(api, outletId), items: lines } }
  },
  'POST /sales/{id}/payments': byId(async (api) => (await bill(api)).id, {
    body: { method: 'CASH', amount: 1_000 },
  }),
  'POST /sales/{id}/settle': byId(async (api) => (await bill(api)).id, {
    body: { payments: [{ method: 'CASH', amount: 20_000 }] },
  }),
  'POST /sales/{id}/void': byId(async (api) => (await sold(api)).id, { body: { reason: 'Mistyped' } }),
  'POST /sales/{id}/discard': byId(async (api) => (await bill(api)).id, { body: { reason: 'Left' } }),
  'POST /sales/{id}/refund': async (api) => {
    const { id, items } = await sold(api)
    return {
      params: { id },
      body: { lines: [{ transactionItemId: items[0]?.id, qty: 1 }], reason: 'Broken' },
    }
  },
}

Object.assign(SALES, {
  'POST /sales/{id}/split': async (api) => {
    const { id, items } = await bill(api)
    const outletId = (await made(api.get(`/sales/${id}`))).sale.outletId
    const tableId = await table(api, outletId)
    return { params: { id }, body: { items: [{ id: items[0]?.id, quantity: 1 }], tableId, note: 'Probe' } }
  },
  'POST /sales/{id}/merge': async (api) => {
    const { id, items } = await bill(api)
    const { outletId } = (await made(api.get(`/sales/${id}`))).sale
    const lines = [{ variantId: items[0]?.variantId, quantity: 1 }]
    const other = (await made(api.post('/sales', { outletId, items: lines, status: 'PARKED' }))).sale
    return { params: { id }, body: { saleId: other.id } }
  },
} satisfies Record<string, Make>)

const kitchenSale = async (api: Api) => {
  const { id, items } = await bill(api, { orderType: 'TAKEAWAY' })
  return { id, itemId: items[0]?.id ?? '' }
}
const advanced = async (api: Api) => {
  const ticket = await kitchenSale(api)
  await made(api.post(`/kds/${ticket.id}/advance`))
  return ticket
}

const DINING: Record<string, Make> = {
  'GET /tables': async (api) => {
    const outletId = await outlet(api)
    const floorId = await floor(api, outletId)
    await made(api.post('/tables', { outletId, floorId, label: fresh('T') }))
    return { query: { outletId, floorId } }
  },
  'GET /tables/floor': async (api) => {
    const outletId = await outlet(api)
    const floorId = await floor(api, outletId)
    await made(api.post('/tables', { outletId, floorId, label: fresh('T') }))
    return { query: { outletId, floorId } }
  },
  'POST /tables': async (api) => {
    const outletId = await outlet(api)
    return { body: { outletId, floorId: await floor(api, outletId), label: fresh('T') } }
  },
  'PATCH /tables/{id}': async (api) => {
    const outletId = await outlet(api)
    const id = await table(api, outletId)
    return { params: { id }, body: { label: fresh('R'), floorId: await floor(api, outletId) } }
  },
  'DELETE /tables/{id}': byId(async (api) => table(api, await outlet(api))),
  'PUT /tables/layout': async (api) => {
    const outletId = await outlet(api)
    const floorId = await floor(api, outletId)
    const { id } = (await made(api.post('/tables', { outletId, floorId, label: fresh('T') }))).table
    return { body: { outletId, floorId, tables: [{ id, posX: 10, posY: 20 }] } }
  },
  'GET /floors': async (api) => {
    const outletId = await outlet(api)
    await floor(api, outletId)
    return { query: { outletId } }
  },
  'POST /floors': async (api) => ({ body: { outletId: await outlet(api), name: fresh('Floor') } }),
  'PATCH /floors/{id}': byId(async (api) => floor(api, await outlet(api)), { body: { name: 'Roof' } }),
  'DELETE /floors/{id}': byId(async (api) => floor(api, await outlet(api))),
  'GET /kds': async (api) => ({ query: { outletId: await outlet(api) } }),
  'GET /kds/ready': async (api) => ({ query: { outletId: await outlet(api) } }),
  'GET /kds/counts': async (api) => ({ query: { outletId: await outlet(api) } }),
  'POST /kds/{id}/advance': async (api) => ({ params: { id: (await kitchenSale(api)).id } }),
  'POST /kds/{id}/back': async (api) => ({ params: { id: (await advanced(api)).id } }),
  'POST /kds/items/{itemId}/advance': async (api) => ({
    params: { itemId: (await kitchenSale(api)).itemId },
  }),
  'POST /kds/items/{itemId}/back': async (api) => ({ params: { itemId: (await advanced(api)).itemId } }),
  'POST /kds/tables/{tableId}/serve': async (api) => {
    const outletId = await outlet(api)
    const tableId = await table(api, outletId)
    const items = [{ variantId: await variantId(api), quantity: 1 }]
    const { id } = (await made(api.post('/sales', { outletId, tableId, items, status: 'PARKED' }))).sale
    await made(api.post(`/kds/${id}/advance`))
    await made(api.post(`/kds/${id}/advance`))
    return { params: { tableId } }
  },
  'GET /events/stream': async (api) => ({ query: { outletId: await outlet(api) } }),
}

const atOutlet = async (api: Api, more: object = {}) => ({
  outletId: await outlet(api),
  variantId: await variantId(api),
  ...more,
})

const GOODS: Record<string, Make> = {
  'GET /inventory/levels': async (api) => {
    const { outletId, variantId: id } = await atOutlet(api)
    await stocked(api, outletId, id)
    return { query: { outletId } }
  },
  'GET /inventory/composites': async (api) => ({ query: { outletId: await outlet(api) } }),
  'POST /inventory/adjust': async (api) => ({ body: await atOutlet(api, { qtyDelta: 5, reason: 'Count' }) }),
  'PUT /inventory/reorder': async (api) => ({ body: await atOutlet(api, { reorderPoint: 3 }) }),
  'POST /inventory/transfer': async (api) => {
    const { outletId, variantId: id } = await atOutlet(api)
    await stocked(api, outletId, id)
    return { body: { fromOutletId: outletId, toOutletId: await outlet(api), variantId: id, qty: 2 } }
  },
  'GET /inventory/movements': async (api) => {
    const { outletId, variantId: id } = await atOutlet(api)
    await stocked(api, outletId, id)
    return { query: { outletId, variantId: id } }
  },
  'GET /inventory/batches': async (api) => {
    const body = await atOutlet(api)
    await made(api.post('/inventory/batches', { ...body, qty: 3, batchNo: 'B1' }))
    return { query: body }
  },
  'POST /inventory/batches': async (api) => ({ body: await atOutlet(api, { qty: 3, batchNo: 'B1' }) }),
  'GET /inventory/expiring': async (api) => {
    const body = await atOutlet(api)
    await made(api.post('/inventory/batches', { ...body, qty: 3, expiryDate: '2020-01-01' }))
    return { query: { outletId: body.outletId } }
  },
  'GET /suppliers': async () => ({}),
  'POST /suppliers': async () => ({ body: { name: fresh('Supplier') } }),
  'GET /suppliers/{id}': byId(supplier),
  'PATCH /suppliers/{id}': byId(supplier, { body: { name: 'Renamed' } }),
  'DELETE /suppliers/{id}': byId(supplier),
  'GET /purchase-orders': async (api) => ({ query: { outletId: (await purchaseOrder(api)).outletId } }),
  'POST /purchase-orders': async (api) => ({
    body: {
      outletId: await outlet(api),
      supplierId: await supplier(api),
      items: [{ variantId: await variantId(api), qty: 5 }],
      note: 'Probe',
    },
  }),
  'GET /purchase-orders/{id}': byId(async (api) => (await purchaseOrder(api)).id),
  'PATCH /purchase-orders/{id}': async (api) => ({
    params: { id: (await purchaseOrder(api)).id },
    body: { supplierId: await supplier(api), items: [{ variantId: await variantId(api), qty: 7 }] },
  }),
  'POST /purchase-orders/{id}/order': byId(async (api) => (await purchaseOrder(api)).id),
  'POST /purchase-orders/{id}/receive': async (api) => {
    const { id, items } = await ordered(api)
    const [line] = items
    return { params: { id }, body: { items: [{ itemId: line.id, variantId: line.variantId, qty: 2 }] } }
  },
  'POST /purchase-orders/{id}/cancel': byId(async (api) => (await ordered(api)).id),
}

const PEOPLE: Record<string, Make> = {
  'GET /customers': async () => ({}),
  'POST /customers': async () => ({ body: { name: fresh('Customer') } }),
  'GET /customers/{id}': byId(customer),
  'PATCH /customers/{id}': byId(customer, { body: { name: 'Renamed' } }),
  'DELETE /customers/{id}': byId(customer),
  'GET /customers/{id}/loyalty': byId(customer),
  'POST /customers/{id}/loyalty/adjust': byId(customer, { body: { points: 5, reason: 'Birthday' } }),
  'POST /customers/{id}/loyalty/redeem': async (api) => {
    const id = await customer(api)
    await made(api.post(`/customers/${id}/loyalty/adjust`, { points: 50 }))
    return { params: { id }, body: { points: 5 } }
  },
  'GET /gift-cards': async (api) => {
    const customerId = await customer(api)
    await made(api.post('/gift-cards', { amount: 5_000, customerId }))
    return { query: { customerId } }
  },
  'POST /gift-cards': async (api) => ({
    body: { amount: 50_000, customerId: await customer(api), note: 'Probe' },
  }),
  'GET /gift-cards/{code}': async (api) => ({ params: { code: (await giftCard(api)).code } }),
  'POST /gift-cards/{id}/void': byId(async (api) => (await giftCard(api)).id),
  'GET /shifts': async (api) => {
    const outletId = await outlet(api)
    await shift(api, outletId)
    return { query: { outletId } }
  },
  'GET /shifts/{id}': byId(async (api) => shift(api, await outlet(api))),
  'GET /shifts/current': async (api) => ({ query: { outletId: await outlet(api) } }),
  'POST /shifts/open': async (api) => ({ body: { outletId: await outlet(api), openingFloat: 100_000 } }),
  'POST /shifts/{id}/cash-movements': byId(async (api) => shift(api, await outlet(api)), {
    body: { type: 'PAID_IN', amount: 10_000 },
  }),
  'POST /shifts/{id}/close': byId(async (api) => shift(api, await outlet(api)), { body: { countedCash: 0 } }),
}

const HOUSE: Record<string, Make> = {
  'GET /outlets': async () => ({}),
  'POST /outlets': async () => ({ body: { name: fresh('Outlet') } }),
  'GET /outlets/{id}': byId(outlet),
  'PATCH /outlets/{id}': byId(outlet, { body: { name: 'Renamed' } }),
  'DELETE /outlets/{id}': byId(outlet),
  'GET /settings': async () => ({}),
  'PUT /settings': async () => ({ body: { businessName: fresh('Shop') } }),
  'GET /modules': async () => ({}),
  'POST /modules': async () => ({ body: { module: 'marketing', enabled: true } }),
  'GET /events': async () => ({ query: { type: 'service.customer.created.v1', resource: 'cus_x' } }),
  'GET /webhook-subscriptions': async () => ({}),
  'POST /webhook-subscriptions': async () => ({
    body: { url: HOOK, events: ['service.sale.completed.v1'] },
  }),
  'PATCH /webhook-subscriptions/{id}': async (api) => ({
    params: { id: await endpoint(api) },
    body: { url: HOOK, events: [], active: true },
  }),
  'DELETE /webhook-subscriptions/{id}': byId(endpoint),
  'GET /webhook-subscriptions/deliveries': async (api) => ({
    query: { subscriptionId: await endpoint(api), status: 'pending', type: 'service.customer.created.v1' },
  }),
  'GET /webhook-subscriptions/deliveries/{id}': byId(failedDelivery),
  'POST /webhook-subscriptions/deliveries/{id}/retry': byId(failedDelivery),
  'GET /webhook-subscriptions/event-types': async () => ({}),
  'GET /api-keys': async () => ({}),
  'POST /api-keys': async () => ({ body: { name: fresh('Till') } }),
  'DELETE /api-keys/{id}': byId(
    async (api) => (await made(api.post('/api-keys', { name: fresh('Till') }))).apiKey.id,
  ),
  'POST /auth/signup': async () => ({
    body: { email: `${newId('event').slice(-12)}@example.test`, password: 'correct horse', name: 'Ani' },
  }),
  'POST /auth/login': async () => ({ body: { email: 'nobody@example.test', password: 'correct horse' } }),
  'POST /auth/invitations/accept': async () => ({
    body: { token: 'x'.repeat(43), password: 'correct horse' },
  }),
  'POST /auth/password/forgot': async () => ({ body: { email: 'nobody@example.test' } }),
  'POST /auth/password/reset': async () => ({ body: { token: 'x'.repeat(43), password: 'correct horse' } }),
  'POST /auth/email/proof': async () => ({}),
  'POST /auth/email/verify': async () => ({ body: { token: 'x'.repeat(43) } }),
  'POST /auth/password': async () => ({
    body: { currentPassword: 'correct horse', password: 'battery staple' },
  }),
  'GET /auth/sessions': async () => ({}),
  'DELETE /auth/sessions/{id}': async () => ({ params: { id: newId('session') } }),
  'GET /members': async () => ({}),
  'POST /members': async () => ({
    body: { email: `${newId('event').slice(-12)}@example.test`, name: 'Ani', role: 'CASHIER' },
  }),
  'PATCH /members/{id}': byId(
    async (api) => {
      const body = { email: `${newId('event').slice(-12)}@example.test`, name: 'Ani', role: 'CASHIER' }
      return (await made(api.post('/members', body))).member.id
    },
    { body: { name: 'Budi' } },
  ),
  'DELETE /members/{id}': byId(
    async (api) => {
      const body = { email: `${newId('event').slice(-12)}@example.test`, name: 'Ani', role: 'CASHIER' }
      return (await made(api.post('/members', body))).member.id
    },
    { body: { revokeKeys: true } },
  ),
}

const PROBES: Record<string, Make> = {
  ...HOUSE,
  ...CATALOGUE,
  ...SALES,
  ...DINING,
  ...GOODS,
  ...PEOPLE,
}

export const probedNames = Object.keys(PROBES)
export const hasProbe = (row: Route) => nameOf(row) in PROBES

export async function probeFor(row: Route, api: Api): Promise<Probe> {
  const make = PROBES[nameOf(row)]
  if (!make) throw new Error(`test/table/probes.ts has no request for ${nameOf(row)}`)
  return make(api)
}
