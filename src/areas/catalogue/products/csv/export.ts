import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { stringify } from 'csv-stringify'
import { COLUMNS, rowOf } from '../../../../core/catalogue-file/columns.ts'
import type { Deps } from '../../../../platform/deps.ts'
import { portionsOf } from '../../../../platform/http/whole.ts'
import type { Scope } from '../../../../platform/scope.ts'
import type { Product } from '../schema.ts'
import { isLeftOut, list, PORTION } from '../statements-products.ts'
import { countVariants } from './statements.ts'

/**
 * Writes the whole catalogue as CSV, one row per variant, in order of product name. A UTF-8 byte order mark tells
 * spreadsheets the encoding. Returns the number of rows. Only one portion is in memory at a time.
 */
export async function exportCatalogue(
  deps: Deps,
  scope: Scope,
  stream: Writable,
  onProgress: (rows: number, total: number) => void = () => {},
): Promise<number> {
  const total = await countVariants(deps.db, scope)
  let rows = 0
  async function* lines() {
    const portions = portionsOf<Product>({
      read: (span) => list(deps.db, scope, {}, span),
      keyOf: ({ name, id }) => [name, id],
      isLeftOut,
      portion: PORTION,
    })
    for await (const products of portions) {
      for (const product of products) {
        const variants = product.variants.length > 0 ? product.variants : [null]
        for (const variant of variants) {
          rows += 1
          yield rowOf(product, variant)
        }
      }
      onProgress(rows, total)
    }
  }
  await pipeline(
    Readable.from(lines()),
    stringify({ header: true, bom: true, columns: [...COLUMNS] }),
    stream,
  )
  return rows
}
