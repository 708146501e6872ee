import { documentOf } from '../kit/document.ts'
import { STATUS_CHANGED } from './notice-types.ts'
import { routes } from './routes.ts'
import { Shipment } from './shipments/schema.ts'

/** The partner's OpenAPI document: what a fulfillment partner must speak. */
export const document = (server: string) =>
  documentOf({
    title: 'Kasir reference fulfillment partner',
    description:
      'What a fulfillment partner must speak. Bodies are `{ data, meta? }`, or `{ error }` with a status of 4xx or 5xx. Amounts are whole rupiah, weights grams, lengths centimetres.',
    server,
    routes,
    notices: { [STATUS_CHANGED]: { shipment: Shipment } },
  })
