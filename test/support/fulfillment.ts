import { startReferenceFulfillmentPartner } from '../../reference-partners/src/fulfillment/index.ts'
import { makeLog } from '../../src/platform/log/log.ts'
import type { Api } from './api.ts'
import { enableModule } from './build.ts'
import { cloneDatabase } from './db.ts'
import { done } from './expect.ts'
import { type PartnerRequest, sendJson, settingsOfModule, startPartner } from './partner.ts'

const PLATFORM_KEY = 'platform-key-of-this-test'

/** The reference fulfillment partner behind a server that can be away while a test wants it. */
export async function startFulfillment() {
  const database = await cloneDatabase()
  const front = await startPartner()
  const real = await startReferenceFulfillmentPartner({
    databaseUrl: database.url,
    port: 0,
    platformKey: PLATFORM_KEY,
    webhookSecret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
    noticeUrl: null,
    log: makeLog('fatal'),
  })
  let isAway = false
  front.answers(async (request, response) => {
    if (isAway) return void sendJson(response, 503, { error: { code: 'DOWN', message: 'Maintenance' } })
    const answer = await handOn(real.url, request)
    const type = answer.headers.get('content-type') ?? ''
    response.writeHead(answer.status, { 'content-type': type }).end(Buffer.from(await answer.arrayBuffer()))
  })
  return {
    settings: settingsOfModule('FULFILLMENT', { url: front.url, platformKey: PLATFORM_KEY }),
    setAway: (value: boolean) => void (isAway = value),
    close: async () => {
      await front.close()
      await real.close()
      await database.drop()
    },
  }
}

function handOn(url: string, { method, path, query, headers, body }: PartnerRequest) {
  const { host: _host, connection: _connection, 'content-length': _length, ...rest } = headers
  return fetch(`${url}${path}${query && `?${query}`}`, {
    method,
    headers: rest as Record<string, string>,
    ...(body === '' ? {} : { body }),
  })
}

export const DESTINATION = {
  contactName: 'Ibu Ani',
  contactPhone: '081298765432',
  address: 'Jl. Melati 5',
  postalCode: '40115',
}
export const PARCEL = [{ name: 'Kopi Gayo', quantity: 2, weight: 500, value: 60_000 }]

/** Switches the module on, and sets where couriers pick up parcels. */
export async function openDelivery(api: Api) {
  await enableModule(api, 'fulfillment')
  const origin = {
    contactName: 'Toko Sari',
    contactPhone: '02155501234',
    address: 'Jl. Kemang Raya 1',
    postalCode: '12730',
  }
  done(await api.patch('/delivery/origin', origin))
}

export async function makeShipment(api: Api, contactName = DESTINATION.contactName) {
  const destination = { ...DESTINATION, contactName }
  const body = { destination, courierCode: 'jne', courierServiceCode: 'reg', items: PARCEL }
  return done(await api.post('/delivery/shipments', body)).shipment
}
