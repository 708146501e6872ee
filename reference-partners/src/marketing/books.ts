import { fileURLToPath } from 'node:url'
import type { Books } from '../kit/db.ts'

/** Both reference-partners/src/marketing and dist/reference-partners/marketing lie three folders below the root. */
export const BOOKS: Books = {
  schema: 'reference_marketing',
  migrations: fileURLToPath(new URL('../../../migrations/reference-marketing/', import.meta.url)),
}
