import { documentOf } from '../kit/document.ts'
import { routes } from './routes.ts'

/** The partner's OpenAPI document: what a marketing partner must speak. */
export const document = (server: string) =>
  documentOf({
    title: 'Kasir reference marketing partner',
    description:
      'What a marketing partner must speak. Bodies are `{ data, meta? }`, or `{ error }` with a status of 4xx or 5xx. Amounts are whole rupiah.',
    server,
    routes,
    notices: {},
  })
