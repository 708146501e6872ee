import { newId } from '../../../core/ids.ts'
import { type Db, type Tx } from '../../../platform/db/open.ts'
import { orderByName } from '../../../platform/db/order-by-name.ts'
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

/** How labels are compared: without case, arriving trimmed (B-table-1). */
const keyOf = (label: string) => label.toLowerCase()

const all = (db: Db, scope: Scope) =>
  db.selectFrom('diningTables').select(FIELDS).where('accountId', '=', scope.accountId)

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

/** The table that has this label at the outlet, active or not. */
export const findByLabel = (db: Db, scope: Scope, outletId: string, label: string) =>
  db
    .selectFrom('diningTables')
    .select(['id', 'label', 'isActive'])
    .where('accountId', '=', scope.accountId)
    .where('outletId', '=', outletId)
    .where('labelKey', '=', keyOf(label))
    .executeTakeFirst()

export async function insert(tx: Tx, scope: Scope, input: TableIn & { floorId: string }) {
  const id = newId('table')
  const stamps = { createdAt: scope.now, updatedAt: scope.now }
  await tx
    .insertInto('diningTables')
    .values({ ...input, labelKey: keyOf(input.label), id, accountId: scope.accountId, ...stamps })
    .execute()
  return id
}

export const update = (tx: Tx, scope: Scope, id: string, patch: TablePatch) =>
  tx
    .updateTable('diningTables')
    .set({
      ...patch,
      ...(patch.label === undefined ? {} : { labelKey: keyOf(patch.label) }),
      updatedAt: scope.now,
    })
    .where('accountId', '=', scope.accountId)
    .where('id', '=', id)
    .execute()

/** Held until the transaction ends: no bill can come to the table while its deletion is decided. */
export const lock = (tx: Tx, scope: Scope, id: string) =>
  all(tx, scope).where('id', '=', id).forUpdate().executeTakeFirst()

/** In one order, so that two layouts saved at once wait for each other instead of colliding. */
export const lockAll = (tx: Tx, scope: Scope, ids: readonly string[]) =>
  tx
    .selectFrom('diningTables')
    .select(['id', 'outletId', 'floorId', 'label'])
    .where('accountId', '=', scope.accountId)
    .where('id', 'in', ids)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()

/** Any sale row of any status counts (B-table-4). */
export const hasSales = async (db: Db, scope: Scope, id: string) =>
  (await db
    .selectFrom('sales')
    .select('id')
    .where('accountId', '=', scope.accountId)
    .where('tableId', '=', id)
    .limit(1)
    .executeTakeFirst()) !== undefined

export const remove = (tx: Tx, scope: Scope, id: string) =>
  tx.deleteFrom('diningTables').where('accountId', '=', scope.accountId).where('id', '=', id).execute()

/** What counts towards the cap of the plan (B-plan-1). */
export async function countLive(tx: Tx, scope: Scope): Promise<number> {
  const { n } = await tx
    .selectFrom('diningTables')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('accountId', '=', scope.accountId)
    .where('isActive', '=', true)
    .executeTakeFirstOrThrow()
  return n
}
