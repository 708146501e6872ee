import { assert } from '../../../core/assert.ts'
import { conflict, invalid, notFound } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { emit } from '../../../platform/events/outbox.ts'
import type { Scope } from '../../../platform/scope.ts'
import { getOutlet } from '../../workspace/outlets/index.ts'
import { postDifferences, requireStockable, shareForStock } from '../inventory/index.ts'
import { countPosted } from './events.ts'
import { readCsv, requireOpenCount, requireUnmoved } from './rules.ts'
import type { CountIn, CountLine, LinesIn, StockCount, StockCountDetail } from './schema.ts'
import * as statements from './statements.ts'
import * as store from './store.ts'

/** Returns the count with its lines; 404 if it is unknown. */
export async function getCount(db: Db, scope: Scope, id: string): Promise<StockCountDetail> {
  const count = await store.find(db, scope, id)
  if (!count) throw notFound('stock count')
  return { ...count, lines: await readLines(db, scope, count, null) }
}

/** The lines as answered: a blind count shows no expected quantity while it is open (B-count-1). */
async function readLines(
  db: Db,
  scope: Scope,
  { id, blind, status }: StockCount,
  variantIds: readonly string[] | null,
): Promise<CountLine[]> {
  const isHidden = blind && status === 'OPEN'
  const rows = await statements.listLines(db, scope, id, variantIds)
  return rows.map(({ expected, ...line }) => ({
    ...line,
    expected: isHidden ? null : expected,
    variance: isHidden ? null : line.quantity - expected,
  }))
}

/** Opens a count. An outlet may have several open counts. Throws 404 for an unknown outlet or category. */
export async function createCount(tx: Tx, scope: Scope, input: CountIn): Promise<StockCountDetail> {
  const { outletId, blind = false } = input
  await getOutlet(tx, scope, outletId, 'outletId')
  const categoryIds = input.categoryIds ? [...new Set(input.categoryIds)] : null
  const known = await store.findCategories(tx, scope, categoryIds ?? [''])
  const unknown = (input.categoryIds ?? []).findIndex((id) => !known.has(id))
  if (unknown >= 0) throw notFound('category', `categoryIds[${unknown}]`)
  // A post that has begun would not see the new count (B-count-6).
  await store.shareOpen(tx, scope, outletId)
  return getCount(tx, scope, await store.insert(tx, scope, { outletId, categoryIds, blind }))
}

type CountedGoods = { variantId: string; quantity: number; param: string }

/**
 * Writes lines beside the present levels; the last line of a variant wins (B-count-2). Throws 404 for unknown goods,
 * 409 for a closed count, and 422 for goods without stock or of another category.
 */
export async function countLines(
  tx: Tx,
  scope: Scope,
  id: string,
  input: LinesIn,
): Promise<{ stockCount: StockCount; lines: CountLine[] }> {
  const count = await store.share(tx, scope, id)
  if (!count) throw notFound('stock count')
  const counted = await readInput(tx, scope, input)
  const variants = await shareForStock(tx, scope, [...new Set(counted.map((line) => line.variantId))].sort())
  const goods = await statements.findGoods(tx, scope, 'variantId', [...variants.keys()])
  const categories = new Map(goods.map(({ variantId, categoryId }) => [variantId, categoryId]))
  for (const { variantId, param } of counted) if (!variants.has(variantId)) throw notFound('variant', param)
  requireOpenCount(count)
  for (const { variantId, param } of counted) {
    const variant = variants.get(variantId)
    assert(variant, 'every variant was found')
    requireStockable(variant, param)
    const categoryId = categories.get(variantId) ?? null
    if (count.categoryIds !== null && (categoryId === null || !count.categoryIds.includes(categoryId)))
      throw invalid(param, `${variant.productName} is not in the categories of this count. Leave it out`)
  }
  const quantities = new Map(counted.map(({ variantId, quantity }) => [variantId, quantity]))
  const variantIds = [...quantities.keys()].sort()
  const levels = await statements.findLevels(tx, scope, count.outletId, variantIds)
  await statements.putLines(
    tx,
    scope,
    id,
    variantIds.map((variantId) => ({
      variantId,
      quantity: quantities.get(variantId) ?? 0,
      expected: levels.get(variantId) ?? 0,
    })),
  )
  const stockCount = await store.find(tx, scope, id)
  assert(stockCount, 'a shared count exists')
  return { stockCount, lines: await readLines(tx, scope, stockCount, variantIds) }
}

/** The lines of the request with the parameter to name in an error: those of `lines`, or those of `csv`. */
async function readInput(db: Db, scope: Scope, { lines, csv }: LinesIn): Promise<CountedGoods[]> {
  if ((lines === undefined) === (csv === undefined))
    throw invalid('lines', 'Send either lines or csv, and not both')
  if (lines) return lines.map((line, index) => ({ ...line, param: `lines[${index}].variantId` }))
  const table = readCsv(csv ?? '')
  const found = await statements.findGoods(
    db,
    scope,
    table.by,
    table.lines.map(({ key }) => key),
  )
  const ids = new Map(found.map(({ key, variantId }) => [key, variantId]))
  return table.lines.map(({ key, quantity, row }) => {
    const variantId = ids.get(key)
    if (variantId === undefined)
      throw invalid('csv', `Row ${row}: there are no goods with ${table.by} ${key}`)
    return { variantId, quantity, param: 'csv' }
  })
}

/**
 * Moves each counted level by its difference, once (B-count-3). Throws 409 for a closed count, one without lines, or one
 * with goods that another count has corrected since (B-count-6), and 422 if a difference would take more than there is and stock may not be negative.
 */
export async function postCount(tx: Tx, scope: Scope, id: string): Promise<StockCountDetail> {
  const found = await store.find(tx, scope, id)
  if (!found) throw notFound('stock count')
  const { outletId } = found
  const open = await store.lockOpen(tx, scope, outletId)
  if (!open.includes(id)) requireOpenCount(await getCount(tx, scope, id))
  const lines = await statements.listLines(tx, scope, id, null)
  if (lines.length === 0)
    throw conflict('Nothing is counted yet. Count at least one product, or cancel the stock count')
  requireUnmoved(await statements.listOutdated(tx, scope, id))
  const moved = await postDifferences(tx, scope, {
    outletId,
    stockCountId: id,
    differences: lines.flatMap(({ variantId, quantity, expected }) =>
      quantity === expected ? [] : [{ variantId, qtyDelta: quantity - expected }],
    ),
  })
  await statements.markPosted(tx, scope, id, moved)
  await statements.markOutdated(
    tx,
    scope,
    open.filter((other) => other !== id),
    moved,
  )
  await store.close(tx, scope, id, 'POSTED')
  const { lines: _, ...stockCount } = await getCount(tx, scope, id)
  await emit(tx, scope, countPosted, id, { stockCount })
  return getCount(tx, scope, id)
}

/** Cancels an open count, which moves no stock. Throws 409 for a closed one. */
export async function cancelCount(tx: Tx, scope: Scope, id: string): Promise<StockCountDetail> {
  const count = await store.lock(tx, scope, id)
  if (!count) throw notFound('stock count')
  requireOpenCount(count)
  await store.close(tx, scope, id, 'CANCELLED')
  return getCount(tx, scope, id)
}
