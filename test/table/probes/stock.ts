import type { Api } from '../../support/api.ts'
import {
  fresh,
  makeCategory,
  makeOutlet,
  makePackedVariant,
  makePurchaseOrder,
  makeSupplier,
  makeVariant,
  stock,
} from '../../support/build.ts'
import { done } from '../../support/expect.ts'
import { byId, type Make } from '../request.ts'

const atOutlet = async (api: Api, more: object = {}) => ({
  outletId: await makeOutlet(api),
  variantId: await makeVariant(api),
  ...more,
})

const packedItem = async (api: Api) => {
  const { variantId, packId } = await makePackedVariant(api)
  return { variantId, packId }
}

const ordered = async (api: Api) => {
  const items = [{ ...(await packedItem(api)), qty: 5 }]
  const { id } = await makePurchaseOrder(api, { items })
  return done(await api.post(`/purchase-orders/${id}/order`)).purchaseOrder
}

/** A count with one line that differs from the level. */
const counted = async (api: Api): Promise<string> => {
  const { outletId, variantId } = await atOutlet(api)
  await stock(api, outletId, variantId, 5)
  const { id } = done(await api.post('/stock-counts', { outletId })).stockCount
  done(await api.post(`/stock-counts/${id}/lines`, { lines: [{ variantId, quantity: 4 }] }))
  return id
}

export const stockRooms: Record<string, Make> = {
  'GET /inventory/levels': async (api) => {
    const { outletId, variantId: id } = await atOutlet(api)
    await stock(api, outletId, id, 50)
    return { query: { outletId } }
  },
  'GET /inventory/composites': async (api) => ({ query: { outletId: await makeOutlet(api) } }),
  'POST /inventory/adjust': async (api) => ({ body: await atOutlet(api, { qtyDelta: 5, reason: 'Count' }) }),
  'PUT /inventory/reorder': async (api) => ({ body: await atOutlet(api, { reorderPoint: 3 }) }),
  'POST /inventory/transfer': async (api) => {
    const { outletId, variantId: id } = await atOutlet(api)
    await stock(api, outletId, id, 50)
    return { body: { fromOutletId: outletId, toOutletId: await makeOutlet(api), variantId: id, qty: 2 } }
  },
  'GET /inventory/movements': async (api) => {
    const { outletId, variantId: id } = await atOutlet(api)
    await stock(api, outletId, id, 50)
    return { query: { outletId, variantId: id } }
  },
  'GET /inventory/batches': async (api) => {
    const body = await atOutlet(api)
    done(await api.post('/inventory/batches', { ...body, qty: 3, batchNo: 'B1' }))
    return { query: body }
  },
  'POST /inventory/batches': async (api) => ({ body: await atOutlet(api, { qty: 3, batchNo: 'B1' }) }),
  'GET /inventory/expiring': async (api) => {
    const body = await atOutlet(api)
    done(await api.post('/inventory/batches', { ...body, qty: 3, expiryDate: '2020-01-01' }))
    return { query: { outletId: body.outletId } }
  },
  'GET /stock-counts': async (api) => {
    const outletId = await makeOutlet(api)
    done(await api.post('/stock-counts', { outletId }))
    return { query: { outletId } }
  },
  'POST /stock-counts': async (api) => ({
    body: { outletId: await makeOutlet(api), categoryIds: [await makeCategory(api)], blind: true },
  }),
  'GET /stock-counts/{id}': byId(counted),
  'POST /stock-counts/{id}/lines': async (api) => {
    const { outletId, variantId } = await atOutlet(api)
    const { id } = done(await api.post('/stock-counts', { outletId })).stockCount
    return { params: { id }, body: { lines: [{ variantId, quantity: 4 }] } }
  },
  'POST /stock-counts/{id}/post': byId(counted),
  'POST /stock-counts/{id}/cancel': byId(counted),
  'GET /suppliers': async () => ({}),
  'POST /suppliers': async () => ({ body: { name: fresh('Supplier') } }),
  'GET /suppliers/{id}': byId(makeSupplier),
  'PATCH /suppliers/{id}': byId(makeSupplier, { body: { name: 'Renamed' } }),
  'DELETE /suppliers/{id}': byId(makeSupplier),
  'GET /purchase-orders': async (api) => ({ query: { outletId: (await makePurchaseOrder(api)).outletId } }),
  'POST /purchase-orders': async (api) => ({
    body: {
      outletId: await makeOutlet(api),
      supplierId: await makeSupplier(api),
      items: [{ ...(await packedItem(api)), qty: 5 }],
      note: 'Probe',
    },
  }),
  'GET /purchase-orders/{id}': byId(async (api) => (await makePurchaseOrder(api)).id),
  'PATCH /purchase-orders/{id}': async (api) => ({
    params: { id: (await makePurchaseOrder(api)).id },
    body: { supplierId: await makeSupplier(api), items: [{ ...(await packedItem(api)), qty: 7 }] },
  }),
  'POST /purchase-orders/{id}/order': byId(async (api) => (await makePurchaseOrder(api)).id),
  'POST /purchase-orders/{id}/receive': async (api) => {
    const { id, items } = await ordered(api)
    const [line] = items
    return {
      params: { id },
      body: { items: [{ itemId: line.id, variantId: line.variantId, packId: line.pack.id, qty: 2 }] },
    }
  },
  'POST /purchase-orders/{id}/cancel': byId(async (api) => (await ordered(api)).id),
}
