import { sql } from 'kysely'
import { newId } from '../../../core/ids.ts'
import { type Db, named, type Tx } from '../../../platform/db/open.ts'
import { orderByName } from '../../../platform/db/order-by-name.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { FloorTable, Layout, Table, TableIn, TablePatch } from './schema.ts'

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

/** Occupancy is computed from the open bills, never stored (B-table-2). The oldest bill represents its table. */
export const FLOOR_MAP = statement(
  'tables_floor',
  `with bills as (
      select distinct on (table_id) table_id, id, number, total, paid_total, item_count, created_at,
        count(*) over (partition by table_id) as open_count
      from sales
      where account_id = $1 and outlet_id = $2 and status = 'PARKED' and table_id is not null
      order by table_id, created_at, id)
    select t.id, t.outlet_id as "outletId", t.floor_id as "floorId", t.label, t.zone, t.seats,
      t.sort_order as "sortOrder", t.pos_x as "posX", t.pos_y as "posY", t.shape, t.width, t.height,
      t.is_active as "isActive", t.created_at as "createdAt", t.updated_at as "updatedAt",
      b.id as "billId", b.number, b.total, b.paid_total as "paidTotal", b.item_count as "itemCount",
      b.created_at as "openedAt", coalesce(b.open_count, 0) as "openBillCount"
    from dining_tables t left join bills b on b.table_id = t.id
    where t.account_id = $1 and t.outlet_id = $2 and t.is_active and ($3::text is null or t.floor_id = $3)
    order by t.sort_order, lower(t.label), t.id`,
)

type BillColumns = {
  billId: string | null
  number: string
  total: number
  paidTotal: number
  itemCount: number
  openedAt: string
  openBillCount: number
}

export async function floorMap(
  db: Db,
  scope: Scope,
  outletId: string,
  floorId: string | undefined,
): Promise<FloorTable[]> {
  const values = [scope.accountId, outletId, floorId ?? null]
  const rows = await named<Table & BillColumns>(db, FLOOR_MAP, values)
  return rows.map(({ billId, number, total, paidTotal, itemCount, openedAt, openBillCount, ...table }) => ({
    ...table,
    occupied: openBillCount > 0,
    openBill:
      billId === null
        ? null
        : { id: billId, number, total, paidTotal, remaining: total - paidTotal, itemCount, openedAt },
    openBillCount,
  }))
}

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

export async function place(tx: Tx, scope: Scope, tables: Layout['tables']) {
  const column = <K extends keyof Layout['tables'][number]>(key: K) =>
    tables.map((table) => table[key] ?? null)
  await sql`update dining_tables t set pos_x = l.pos_x, pos_y = l.pos_y, shape = coalesce(l.shape, t.shape),
      width = coalesce(l.width, t.width), height = coalesce(l.height, t.height), updated_at = ${scope.now}
    from unnest(${column('id')}::text[], ${column('posX')}::int[], ${column('posY')}::int[],
      ${column('shape')}::text[], ${column('width')}::int[], ${column('height')}::int[])
      as l(id, pos_x, pos_y, shape, width, height)
    where t.account_id = ${scope.accountId} and t.id = l.id`.execute(tx)
}

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
