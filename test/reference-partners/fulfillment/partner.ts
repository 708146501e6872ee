import { startReferenceFulfillmentPartner } from '../../../reference-partners/src/fulfillment/index.ts'
import { routes } from '../../../reference-partners/src/fulfillment/routes.ts'
import { type Client, harnessOf } from '../harness.ts'

export { SECRET } from '../harness.ts'

export const { clientOf, partner, usePartner, rowsOf } = harnessOf(routes, startReferenceFulfillmentPartner)

export const JAKARTA = {
  contactName: 'Toko Kopi',
  contactPhone: '081200000001',
  address: 'Jl. Sudirman 1',
  postalCode: '12190',
}
export const BANDUNG = {
  contactName: 'Ibu Sri',
  contactPhone: '081200000002',
  address: 'Jl. Braga 9',
  postalCode: '40111',
}
export const COFFEE = { name: 'Kopi bubuk', quantity: 2, weight: 500, value: 60_000 }

/** A draft from Jakarta to Bandung with JNE REG: Rp 11.000. */
export const drafted = async (client: Client, more: Record<string, unknown> = {}) =>
  (
    await client.post('/v1/shipments', {
      origin: JAKARTA,
      destination: BANDUNG,
      courierCode: 'jne',
      courierServiceCode: 'reg',
      items: [COFFEE],
      ...more,
    })
  ).data

export const confirmed = async (client: Client, more: Record<string, unknown> = {}) =>
  (await client.post(`/v1/shipments/${(await drafted(client, more)).id}/confirm-pickup`)).data
