import type { Api } from '../../support/api.ts'
import { openBill } from '../../support/build.ts'
import { done } from '../../support/expect.ts'
import { byId, type Make } from '../request.ts'

const destination = {
  contactName: 'Ibu Ani',
  contactPhone: '081298765432',
  address: 'Jl. Melati 5',
  postalCode: '40115',
}
const items = [{ name: 'Kopi', quantity: 1, weight: 500, value: 60_000 }]
/** A parcel that no sale asks for. */
export const parcel = { destination, courierCode: 'jne', courierServiceCode: 'reg', items }

const makeShipment = async (api: Api): Promise<string> =>
  done(await api.post('/delivery/shipments', parcel)).shipment.id

export const partners: Record<string, Make> = {
  'GET /delivery/origin': async () => ({}),
  'PATCH /delivery/origin': async () => ({ body: { note: 'Behind the gate' } }),
  'GET /delivery/couriers': async () => ({}),
  'POST /delivery/rates': async () => ({ body: { destination, items } }),
  'GET /delivery/shipments': async (api) => {
    await makeShipment(api)
    return { query: { status: 'draft' } }
  },
  'POST /delivery/shipments': async (api) => ({
    body: { ...parcel, transactionId: (await openBill(api)).id },
  }),
  'GET /delivery/shipments/{id}': byId(makeShipment),
  'POST /delivery/shipments/{id}/confirm-pickup': byId(makeShipment),
  'POST /delivery/shipments/{id}/cancel': byId(makeShipment),
  'POST /delivery/sales/{id}/dispatch': byId(
    async (api) => (await openBill(api, { orderType: 'DELIVERY', deliveryDraft: parcel })).id,
  ),
}
