import { fileURLToPath } from 'node:url'
import type { Books } from '../kit/db.ts'

/** Both reference-partners/src/payment and dist/reference-partners/payment lie three folders below the root. */
export const BOOKS: Books = {
  schema: 'reference_payment',
  migrations: fileURLToPath(new URL('../../../migrations/reference-payment/', import.meta.url)),
}
