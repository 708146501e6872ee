import type { Api } from '../../support/api.ts'
import { fresh, makeFloor, makeOutlet, makeTable, makeVariant, openBill } from '../../support/build.ts'
import { done } from '../../support/expect.ts'
import { byId, type Make } from '../request.ts'

const kitchenSale = async (api: Api) => {
  const { id, items } = await openBill(api, { orderType: 'TAKEAWAY' })
  return { id, itemId: items[0]?.id ?? '' }
}
const advanced = async (api: Api) => {
  const ticket = await kitchenSale(api)
  done(await api.post(`/kds/${ticket.id}/advance`))
  return ticket
}

export const dining: Record<string, Make> = {
  'GET /tables': async (api) => {
    const outletId = await makeOutlet(api)
    const floorId = await makeFloor(api, outletId)
    done(await api.post('/tables', { outletId, floorId, label: fresh('T') }))
    return { query: { outletId, floorId } }
  },
  'GET /tables/floor': async (api) => {
    const outletId = await makeOutlet(api)
    const floorId = await makeFloor(api, outletId)
    done(await api.post('/tables', { outletId, floorId, label: fresh('T') }))
    return { query: { outletId, floorId } }
  },
  'POST /tables': async (api) => {
    const outletId = await makeOutlet(api)
    return { body: { outletId, floorId: await makeFloor(api, outletId), label: fresh('T') } }
  },
  'PATCH /tables/{id}': async (api) => {
    const outletId = await makeOutlet(api)
    const id = (await makeTable(api, outletId)).id
    return { params: { id }, body: { label: fresh('R'), floorId: await makeFloor(api, outletId) } }
  },
  'DELETE /tables/{id}': byId(async (api) => (await makeTable(api, await makeOutlet(api))).id),
  'PUT /tables/layout': async (api) => {
    const outletId = await makeOutlet(api)
    const floorId = await makeFloor(api, outletId)
    const { id } = done(await api.post('/tables', { outletId, floorId, label: fresh('T') })).table
    return { body: { outletId, floorId, tables: [{ id, posX: 10, posY: 20 }] } }
  },
  'GET /floors': async (api) => {
    const outletId = await makeOutlet(api)
    await makeFloor(api, outletId)
    return { query: { outletId } }
  },
  'POST /floors': async (api) => ({ body: { outletId: await makeOutlet(api), name: fresh('Floor') } }),
  'PATCH /floors/{id}': byId(async (api) => makeFloor(api, await makeOutlet(api)), {
    body: { name: 'Roof' },
  }),
  'DELETE /floors/{id}': byId(async (api) => makeFloor(api, await makeOutlet(api))),
  'GET /kds': async (api) => ({ query: { outletId: await makeOutlet(api) } }),
  'GET /kds/ready': async (api) => ({ query: { outletId: await makeOutlet(api) } }),
  'GET /kds/counts': async (api) => ({ query: { outletId: await makeOutlet(api) } }),
  'POST /kds/{id}/advance': async (api) => ({ params: { id: (await kitchenSale(api)).id } }),
  'POST /kds/{id}/back': async (api) => ({ params: { id: (await advanced(api)).id } }),
  'POST /kds/items/{itemId}/advance': async (api) => ({
    params: { itemId: (await kitchenSale(api)).itemId },
  }),
  'POST /kds/items/{itemId}/back': async (api) => ({ params: { itemId: (await advanced(api)).itemId } }),
  'POST /kds/tables/{tableId}/serve': async (api) => {
    const outletId = await makeOutlet(api)
    const tableId = (await makeTable(api, outletId)).id
    const items = [{ variantId: await makeVariant(api), quantity: 1 }]
    const { id } = done(await api.post('/sales', { outletId, tableId, items, status: 'PARKED' })).sale
    done(await api.post(`/kds/${id}/advance`))
    done(await api.post(`/kds/${id}/advance`))
    return { params: { tableId } }
  },
}
