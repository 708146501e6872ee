import type { Db, Tx } from '../../kit/db.ts'
import type { Warehouse } from './schema.ts'

const COLUMNS = 'id, name, address, postal_code, is_active, created_at, updated_at'

export const insertWarehouse = (tx: Tx, workspaceId: string, row: Warehouse) =>
  tx.rows(
    `insert into reference_fulfillment.warehouses (workspace_id, ${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [workspaceId, row.id, row.name, row.address, row.postalCode, row.isActive, row.createdAt, row.updatedAt],
  )

export const updateWarehouse = (tx: Tx, workspaceId: string, row: Warehouse) =>
  tx.rows(
    `update reference_fulfillment.warehouses set name = $3, address = $4, postal_code = $5, is_active = $6, updated_at = $7
      where workspace_id = $1 and id = $2`,
    [workspaceId, row.id, row.name, row.address, row.postalCode, row.isActive, row.updatedAt],
  )

export const findWarehouse = async (
  db: Db,
  workspaceId: string,
  id: string,
): Promise<Warehouse | undefined> =>
  (
    await db.rows<Warehouse>(
      `select ${COLUMNS} from reference_fulfillment.warehouses where workspace_id = $1 and id = $2`,
      [workspaceId, id],
    )
  )[0]

/**
 * Locks a warehouse. With `share`, other transactions may move goods there but not change the warehouse; without,
 * they may do neither.
 */
export const lockWarehouse = async (
  tx: Tx,
  workspaceId: string,
  id: string,
  { share }: { share: boolean },
): Promise<Warehouse | undefined> =>
  (
    await tx.rows<Warehouse>(
      `select ${COLUMNS} from reference_fulfillment.warehouses where workspace_id = $1 and id = $2
        for ${share ? 'share' : 'update'}`,
      [workspaceId, id],
    )
  )[0]

type WarehouseFilter = { isActive: boolean | undefined; after: string | null; limit: number }
export const listWarehouses = (db: Db, workspaceId: string, { isActive, after, limit }: WarehouseFilter) =>
  db.rows<Warehouse>(
    `select ${COLUMNS} from reference_fulfillment.warehouses
      where workspace_id = $1 and ($2::boolean is null or is_active = $2) and ($3::text is null or id < $3)
      order by id desc limit $4`,
    [workspaceId, isActive ?? null, after, limit],
  )

/** False if goods were moved in it. */
export const deleteWarehouse = async (tx: Tx, workspaceId: string, id: string): Promise<boolean> =>
  (
    await tx.rows(
      `delete from reference_fulfillment.warehouses where workspace_id = $1 and id = $2
        and not exists (select from reference_fulfillment.stock_levels where workspace_id = $1 and warehouse_id = $2)
        returning id`,
      [workspaceId, id],
    )
  ).length === 1
