import { fileURLToPath } from 'node:url'
import type { Books } from '../kit/db.ts'

/** Both reference-partners/src/fulfillment and dist/reference-partners/fulfillment lie three folders below the root. */
export const BOOKS: Books = {
  schema: 'reference_fulfillment',
  migrations: fileURLToPath(new URL('../../../migrations/reference-fulfillment/', import.meta.url)),
}
