import { type Db, named, namedWrite, type Tx } from '../../../platform/db/open.ts'
import { statement, writeStatement } from '../../../platform/db/statement.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { FloorTable, Layout, Table } from './schema.ts'

/**
 * Computes the occupancy of tables from open bills, because it is not stored (B-table-2). The oldest bill represents
 * its table.
 */
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

const PLACE = writeStatement(
  'tables_place',
  `update dining_tables t set pos_x = l.pos_x, pos_y = l.pos_y, shape = coalesce(l.shape, t.shape),
      width = coalesce(l.width, t.width), height = coalesce(l.height, t.height), updated_at = $2
    from unnest($3::text[], $4::int[], $5::int[], $6::text[], $7::int[], $8::int[])
      as l(id, pos_x, pos_y, shape, width, height)
    where t.account_id = $1 and t.id = l.id`,
)

export async function updateLayout(tx: Tx, scope: Scope, tables: Layout['tables']) {
  const column = <K extends keyof Layout['tables'][number]>(key: K) =>
    tables.map((table) => table[key] ?? null)
  const columns = (['id', 'posX', 'posY', 'shape', 'width', 'height'] as const).map(column)
  await namedWrite(tx, PLACE, [scope.accountId, scope.now, ...columns])
}
