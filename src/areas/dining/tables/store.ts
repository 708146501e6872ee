import { newId } from '../../../core/ids.ts'
import { type Db, type Tx } from '../../../platform/db/open.ts'
import { orderByName } from '../../../platform/db/order-by-name.ts'
import { deleteOwn, insertOwn, ownRows, updateOwn } from '../../../platform/db/own-rows.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { TableIn, TablePatch } from './schema.ts'

const FIELDS = [
  'id',
  'outletId',
  'floorId',
  'label',
  'zone',
  'seats',
  'sortOrder',
  'posX',
  'posY',
  'shape',
  'width',
  'height',
  'isActive',
  'createdAt',
  'updatedAt',
] as const

/** Labels are compared without case; they are trimmed already (B-table-1). */
const keyOf = (label: string) => label.toLowerCase()

const all = (db: Db, scope: Scope) => ownRows(db, scope, 'diningTables').select(FIELDS)

const inOrder = (query: ReturnType<typeof all>) =>
  query.orderBy('sortOrder').orderBy(orderByName('label')).orderBy('id').execute()

export type TableFilter = { outletId: string; floorId: string | undefined; includeInactive: boolean }

export function list(db: Db, scope: Scope, { outletId, floorId, includeInactive }: TableFilter) {
  let query = all(db, scope).where('outletId', '=', outletId)
  if (floorId !== undefined) query = query.where('floorId', '=', floorId)
  if (!includeInactive) query = query.where('isActive', '=', true)
  return inOrder(query)
}

export const listByIds = (db: Db, scope: Scope, ids: readonly string[]) =>
  inOrder(all(db, scope).where('id', 'in', ids))

export const find = (db: Db, scope: Scope, id: string) =>
  all(db, scope).where('id', '=', id).executeTakeFirst()

/** Finds the active or inactive table with this label at the outlet. */
export const findByLabel = (db: Db, scope: Scope, outletId: string, label: string) =>
  ownRows(db, scope, 'diningTables')
    .select(['id', 'label', 'isActive'])
    .where('outletId', '=', outletId)
    .where('labelKey', '=', keyOf(label))
    .executeTakeFirst()

export async function insert(tx: Tx, scope: Scope, input: TableIn & { floorId: string }) {
  const id = newId('table')
  const stamps = { createdAt: scope.now, updatedAt: scope.now }
  await insertOwn(tx, scope, 'diningTables', {
    ...input,
    labelKey: keyOf(input.label),
    id,
    ...stamps,
  }).execute()
  return id
}

export const update = (tx: Tx, scope: Scope, id: string, patch: TablePatch) =>
  updateOwn(tx, scope, 'diningTables')
    .set({
      ...patch,
      ...(patch.label === undefined ? {} : { labelKey: keyOf(patch.label) }),
      updatedAt: scope.now,
    })
    .where('id', '=', id)
    .execute()

/** Locks the table until the transaction ends, so that no bill can be added while its deletion is decided. */
export const lock = (tx: Tx, scope: Scope, id: string) =>
  all(tx, scope).where('id', '=', id).forUpdate().executeTakeFirst()

/** Locks tables in order of id, so that two concurrent layouts wait for each other instead of deadlocking. */
export const lockAll = (tx: Tx, scope: Scope, ids: readonly string[]) =>
  ownRows(tx, scope, 'diningTables')
    .select(['id', 'outletId', 'floorId', 'label'])
    .where('id', 'in', ids)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()

/** A sale of any status counts (B-table-4). */
export const hasSales = async (db: Db, scope: Scope, id: string) =>
  (await ownRows(db, scope, 'sales').select('id').where('tableId', '=', id).limit(1).executeTakeFirst()) !==
  undefined

export const remove = (tx: Tx, scope: Scope, id: string) =>
  deleteOwn(tx, scope, 'diningTables').where('id', '=', id).execute()

/** Counts the active tables, which the plan limits (B-plan-1). */
export async function countLive(tx: Tx, scope: Scope): Promise<number> {
  const { n } = await ownRows(tx, scope, 'diningTables')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('isActive', '=', true)
    .executeTakeFirstOrThrow()
  return n
}
