import { documentOf } from '../kit/document.ts'
import { NOTICE_TYPES } from './notice-types.ts'
import { Payout } from './payouts/schema.ts'
import { routes } from './routes.ts'
import { CheckoutSession } from './sessions/schema.ts'

/** The partner's OpenAPI document: what a payment partner must speak. */
export const document = (server: string) =>
  documentOf({
    title: 'Kasir reference payment partner',
    description:
      'What a payment partner must speak. Bodies are `{ data, meta? }`, or `{ error }` with a status of 4xx or 5xx. Amounts are whole units of their currency.',
    server,
    routes,
    notices: Object.fromEntries(
      NOTICE_TYPES.map((type) => [
        type,
        type.startsWith('payout') ? { payout: Payout } : { session: CheckoutSession },
      ]),
    ),
  })
