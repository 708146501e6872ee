import { sql } from 'kysely'
import { dayOf } from '../../../core/time.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { ownRows } from '../../../platform/db/own-rows.ts'
import type { Span } from '../../../platform/http/whole.ts'
import type { Scope } from '../../../platform/scope.ts'
import { isExpired } from './rules/fefo.ts'
import type { Batch } from './schema.ts'

/** Two deliveries with an equal key are the same batch at an outlet. Null equals null (B-batch-1). */
export type BatchKey = { variantId: string; batchNo: string | null; expiryDate: string | null }

const batches = (db: Db, scope: Scope) =>
  db
    .selectFrom('stockBatches as b')
    .innerJoin('variants as v', 'v.id', 'b.variantId')
    .innerJoin('products as p', 'p.id', 'v.productId')
    .innerJoin('outlets as o', 'o.id', 'b.outletId')
    .where('b.accountId', '=', scope.accountId)
    .where('v.accountId', '=', scope.accountId)
    .where('p.accountId', '=', scope.accountId)
    .where('o.accountId', '=', scope.accountId)
    .select([
      'b.id',
      'b.outletId',
      'b.variantId',
      'v.productId',
      'p.name as productName',
      'v.name as variantName',
      'v.sku',
      'v.soldBy',
      'b.batchNo',
      'b.expiryDate',
      'b.receivedQty',
      'b.remainingQty',
      'b.cost',
      'b.createdAt',
      'b.updatedAt',
      'o.timezone',
    ])

type BatchRow = Omit<Batch, 'isExpired'> & { timezone: string }

/** Adds `isExpired`, which depends on the time zone of the outlet. */
function judged(scope: Scope, rows: readonly BatchRow[]): Batch[] {
  const today = new Map<string, string>()
  return rows.map(({ timezone, ...row }) => {
    const day = today.get(timezone) ?? dayOf(scope.now, timezone)
    today.set(timezone, day)
    return { ...row, isExpired: isExpired(row, day) }
  })
}

export async function findBatch(db: Db, scope: Scope, id: string): Promise<Batch | undefined> {
  return judged(scope, await batches(db, scope).where('b.id', '=', id).execute())[0]
}

type BatchFilter = { outletId?: string | undefined; variantId?: string | undefined; all: boolean }

type Batches = ReturnType<typeof batches>

/**
 * Selects the batches of one outlet. A range of one value, which is also part of the order, keeps the planner from
 * scanning the batches of all other outlets.
 */
const ofOutlet = (rows: Batches, outletId: string) =>
  rows.where(sql<boolean>`b.outlet_id between ${outletId} and ${outletId}`).orderBy('b.outletId')

const byExpiry = (rows: Batches) => rows.orderBy('b.expiryDate').orderBy('b.id')

/**
 * Reads batches by expiry date and id, after the key `after`. A separate statement reads those without a date, which
 * come last: the index can scan dated or undated batches as a range, but not both.
 */
async function inOrder(rows: Batches, { after, limit }: Span): Promise<BatchRow[]> {
  const [day, id] = after ?? []
  const first = byExpiry(rows)
  const dated =
    after !== null && day === null
      ? []
      : await first
          .where('b.expiryDate', 'is not', null)
          .$if(after !== null, (q) => q.where(sql<boolean>`(b.expiry_date, b.id) > (${day}::date, ${id})`))
          .limit(limit)
          .execute()
  if (dated.length === limit) return dated
  const undated = await first
    .where('b.expiryDate', 'is', null)
    .$if(after !== null && day === null, (q) => q.where('b.id', '>', id ?? ''))
    .limit(limit - dated.length)
    .execute()
  return [...dated, ...undated]
}

export async function listBatches(
  db: Db,
  scope: Scope,
  { outletId, variantId, all }: BatchFilter,
  span: Span,
) {
  const found = batches(db, scope)
  const rows = (outletId === undefined ? found : ofOutlet(found, outletId))
    .$if(variantId !== undefined, (q) => q.where('b.variantId', '=', variantId ?? ''))
    .$if(!all, (q) => q.where(sql<boolean>`b.remaining_qty > 0`))
  return judged(scope, await inOrder(rows, span))
}

/** Lists the time zones of the outlets. */
export const listZones = (db: Db, scope: Scope, outletId: string | undefined) =>
  ownRows(db, scope, 'outlets')
    .select(['id', 'timezone'])
    .$if(outletId !== undefined, (q) => q.where('id', '=', outletId ?? ''))
    .execute()

/** Lists non-empty batches of tracked goods that expire on or before the last day of their outlet in `limits`. */
export async function listExpiring(
  db: Db,
  scope: Scope,
  limits: ReadonlyMap<string, string>,
  { after, limit }: Span,
) {
  if (limits.size === 0) return []
  const latest = [...limits.values()].sort().at(-1) ?? ''
  const found = batches(db, scope)
  const [outletId, ...others] = limits.keys()
  const rows = await byExpiry(
    others.length === 0 && outletId !== undefined ? ofOutlet(found, outletId) : found,
  )
    .where('p.trackStock', '=', true)
    .where(sql<boolean>`b.remaining_qty > 0`)
    .where('b.expiryDate', '<=', latest)
    .where(
      sql<boolean>`b.expiry_date <= (select u.day from unnest(${[...limits.keys()]}::text[], ${[...limits.values()]}::date[]) as u(outlet_id, day) where u.outlet_id = b.outlet_id)`,
    )
    .$if(after !== null, (q) =>
      q.where(sql<boolean>`(b.expiry_date, b.id) > (${after?.[0]}::date, ${after?.[1]})`),
    )
    .limit(limit)
    .execute()
  return judged(scope, rows)
}

/** Reads the fields of batches that a transfer copies (B-stock-7). */
export const findLabels = (tx: Tx, scope: Scope, ids: readonly string[]) =>
  ownRows(tx, scope, 'stockBatches')
    .select(['id', 'variantId', 'batchNo', 'expiryDate', 'cost'])
    .where('id', 'in', ids)
    .execute()
