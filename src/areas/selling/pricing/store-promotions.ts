import { foldCase } from '../../../core/conditions.ts'
import { newId } from '../../../core/ids.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { deleteOwn, insertOwn, ownRows, updateOwn } from '../../../platform/db/own-rows.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { PromotionValues } from './rules-promotions.ts'
import type { Promotion } from './schema-promotions.ts'
import { conditionColumns, copied } from './store.ts'

const all = (db: Db, scope: Scope) =>
  ownRows(db, scope, 'promotions').select([
    'id',
    'name',
    'kind',
    'priority',
    'stackable',
    'percentBps',
    'amount',
    'buyQuantity',
    'getQuantity',
    'bundle',
    'bundlePrice',
    'variantIds',
    'categoryIds',
    'minSpend',
    'code',
    'usageLimit',
    'usedCount',
    'oncePerCustomer',
    'isActive',
    'outletIds',
    'orderTypes',
    'channels',
    'customerGroupIds',
    'weekdays',
    'fromTime as from',
    'toTime as to',
    'startsAt',
    'endsAt',
    'createdAt',
    'updatedAt',
  ])

// The columns of the query are the fields of the record; the compiler knows neither the words nor the bundle.
const viewOf = (row: unknown) => row as Promotion

/** In order of priority. */
export const list = async (db: Db, scope: Scope): Promise<Promotion[]> =>
  (await all(db, scope).orderBy('priority').orderBy('id').execute()).map(viewOf)

export async function find(db: Db, scope: Scope, id: string): Promise<Promotion | undefined> {
  const row = await all(db, scope).where('id', '=', id).executeTakeFirst()
  return row && viewOf(row)
}

export async function lock(tx: Tx, scope: Scope, id: string): Promise<Promotion | undefined> {
  const row = await all(tx, scope).where('id', '=', id).forUpdate().executeTakeFirst()
  return row && viewOf(row)
}

const stored = ({ bundle, variantIds, categoryIds, ...values }: PromotionValues) => ({
  ...conditionColumns(values),
  variantIds: copied(variantIds),
  categoryIds: copied(categoryIds),
  bundle: bundle && JSON.stringify(bundle),
  codeKey: values.code === null ? null : foldCase(values.code),
})

export async function insert(tx: Tx, scope: Scope, values: PromotionValues): Promise<string> {
  const id = newId('promotion')
  const stamps = { createdAt: scope.now, updatedAt: scope.now }
  await insertOwn(tx, scope, 'promotions', { ...stored(values), id, ...stamps }).execute()
  return id
}

export const update = (tx: Tx, scope: Scope, id: string, values: PromotionValues) =>
  updateOwn(tx, scope, 'promotions')
    .set({ ...stored(values), updatedAt: scope.now })
    .where('id', '=', id)
    .execute()

export const remove = (tx: Tx, scope: Scope, id: string) =>
  deleteOwn(tx, scope, 'promotions').where('id', '=', id).execute()
