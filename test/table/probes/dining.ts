import type { Api } from '../../support/api.ts'
import {
  fresh,
  makeCategory,
  makeFloor,
  makeOutlet,
  makePackedVariant,
  makePurchaseOrder,
  makeTable,
  makeVariant,
  openBill,
} from '../../support/build.ts'
import { done } from '../../support/expect.ts'
import { enrolTill } from '../../support/pins.ts'
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

const printerAt = async (api: Api, outletId: string, fields: object = {}): Promise<string> => {
  const body = { outletId, name: fresh('Printer'), kind: 'NETWORK', host: '192.168.1.50', ...fields }
  return done(await api.post('/printers', body)).printer.id
}
const networkPrinter = async (api: Api): Promise<string> =>
  printerAt(api, await makeOutlet(api), { opensDrawer: true })
/** A job of a till's printer, which no worker prints. */
const tillJob = async (api: Api) => {
  const till = await enrolTill(api)
  const fields = { kind: 'TILL', host: null, tillId: till.id }
  const printerId = await printerAt(api, till.outletId, fields)
  const { id } = done(await api.post(`/printers/${printerId}/test`)).job
  return { id: id as string, printerId, headers: { cookie: till.cookie } }
}

/** Goods for labels, named in every way. */
const labelled = async (api: Api) => {
  const { productId, variantId, packId } = await makePackedVariant(api)
  const categoryId = await makeCategory(api)
  done(await api.post('/products/bulk-category', { productIds: [productId], categoryId }))
  return {
    items: [{ variantId, packId }],
    categoryId,
    purchaseOrderId: (await makePurchaseOrder(api)).id,
    priceListId: done(await api.post('/price-lists', { name: fresh('List') })).priceList.id,
  }
}

export const dining: Record<string, Make> = {
  'GET /printers': async (api) => {
    const outletId = await makeOutlet(api)
    await printerAt(api, outletId)
    return { query: { outletId } }
  },
  'POST /printers': async (api) => {
    const { id: tillId, outletId } = await enrolTill(api)
    const fallbackPrinterId = await printerAt(api, outletId)
    return { body: { outletId, name: fresh('Printer'), kind: 'TILL', tillId, fallbackPrinterId } }
  },
  'GET /printers/{id}': byId(networkPrinter),
  'PATCH /printers/{id}': async (api) => {
    const till = await enrolTill(api)
    const { outletId } = till
    const id = await printerAt(api, outletId, { kind: 'TILL', host: null, tillId: till.id })
    const fallbackPrinterId = await printerAt(api, outletId)
    return { params: { id }, body: { tillId: till.id, fallbackPrinterId, name: 'Bar' } }
  },
  'DELETE /printers/{id}': byId(networkPrinter),
  'POST /printers/{id}/test': byId(networkPrinter),
  'POST /printers/{id}/drawer': byId(networkPrinter, { body: { reason: 'Change' } }),
  'GET /printers/{id}/drawer': byId(async (api) => {
    const id = await networkPrinter(api)
    done(await api.post(`/printers/${id}/drawer`, { reason: 'Change' }))
    return id
  }),
  'GET /print-jobs': async (api) => ({ query: { printerId: (await tillJob(api)).printerId } }),
  'GET /print-jobs/{id}/content': byId(async (api) => (await tillJob(api)).id),
  'PATCH /print-jobs/{id}': async (api) => {
    const { id, headers } = await tillJob(api)
    return { params: { id }, headers, body: { status: 'printing' } }
  },
  'POST /print-jobs/{id}/reprint': byId(async (api) => {
    const { id, headers } = await tillJob(api)
    for (const status of ['printing', 'printed']) {
      const body = JSON.stringify({ status })
      done(
        await api.raw('PATCH', `/print-jobs/${id}`, body, { ...headers, 'content-type': 'application/json' }),
      )
    }
    return id
  }),
  'POST /sales/{id}/print': async (api) => {
    const { id, outletId } = await openBill(api)
    return { params: { id }, body: { printerId: await printerAt(api, outletId), kind: 'bill' } }
  },
  'POST /labels/pdf': async (api) => ({ body: { ...(await labelled(api)), paper: 'ROLL_40X30' } }),
  'POST /labels/print': async (api) => ({
    body: { ...(await labelled(api)), printerId: await networkPrinter(api) },
  }),
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
  'POST /kds/{id}/advance': async (api) => {
    const { id, itemId } = await kitchenSale(api)
    return { params: { id }, body: { from: 'NEW', itemIds: [itemId] } }
  },
  'POST /kds/{id}/back': async (api) => {
    const { id, itemId } = await advanced(api)
    return { params: { id }, body: { from: 'PREPARING', itemIds: [itemId] } }
  },
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
