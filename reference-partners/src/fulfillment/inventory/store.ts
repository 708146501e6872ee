import type { Db, Tx } from '../../kit/db.ts'
import type { Level, Movement, Product } from './schema.ts'

type SoldProduct = { workspaceId: string; id: string; sku: string; name: string | undefined; now: string }

/** Finds or creates the product of a sku and updates its name. */
export async function upsertProduct(tx: Tx, { workspaceId, id, sku, name, now }: SoldProduct) {
  const [row] = await tx.rows<{ id: string; name: string }>(
    `insert into reference_fulfillment.products (workspace_id, id, sku, name, created_at, updated_at)
      values ($1, $2, $3, coalesce($4, $3), $5, $5)
      on conflict (workspace_id, sku) do update set name = coalesce($4, products.name),
        updated_at = case when $4 is null or $4 = products.name then products.updated_at else excluded.updated_at end
      returning id, name`,
    [workspaceId, id, sku, name ?? null, now],
  )
  return { id: row?.id ?? id, name: row?.name ?? sku }
}

export const findProduct = async (
  db: Db,
  workspaceId: string,
  id: string,
): Promise<{ id: string; sku: string } | undefined> =>
  (
    await db.rows<{ id: string; sku: string }>(
      'select id, sku from reference_fulfillment.products where workspace_id = $1 and id = $2',
      [workspaceId, id],
    )
  )[0]

type StockLocation = { workspaceId: string; id: string; warehouseId: string; productId: string; now: string }
type StockChange = StockLocation & { qtyDelta: number }

/**
 * Changes a stock level and locks it until the transaction ends. Returns undefined, without a change, if the level would
 * fall below zero.
 */
export async function moveLevel(
  tx: Tx,
  { workspaceId, id, warehouseId, productId, qtyDelta, now }: StockChange,
) {
  await tx.rows(
    `insert into reference_fulfillment.stock_levels (workspace_id, id, warehouse_id, product_id, quantity, movements, updated_at)
      values ($1, $2, $3, $4, 0, 0, $5) on conflict (workspace_id, product_id, warehouse_id) do nothing`,
    [workspaceId, id, warehouseId, productId, now],
  )
  const [row] = await tx.rows<{ id: string; quantity: number; movements: number }>(
    `update reference_fulfillment.stock_levels set quantity = quantity + $4, movements = movements + 1, updated_at = $5
      where workspace_id = $1 and product_id = $2 and warehouse_id = $3 and quantity + $4 >= 0
      returning id, quantity, movements`,
    [workspaceId, productId, warehouseId, qtyDelta, now],
  )
  return row
}

export async function quantityOf(
  db: Db,
  { workspaceId, warehouseId, productId }: Pick<StockLocation, 'workspaceId' | 'warehouseId' | 'productId'>,
): Promise<number> {
  const [row] = await db.rows<{ quantity: number }>(
    `select quantity from reference_fulfillment.stock_levels
      where workspace_id = $1 and warehouse_id = $2 and product_id = $3`,
    [workspaceId, warehouseId, productId],
  )
  return row?.quantity ?? 0
}

type NewMovement = Pick<Movement, 'id' | 'qtyDelta' | 'balanceAfter' | 'reason' | 'createdAt'> & {
  workspaceId: string
  levelId: string
  seq: number
}
export const insertMovement = (tx: Tx, row: NewMovement) =>
  tx.rows(
    `insert into reference_fulfillment.stock_movements (workspace_id, id, level_id, seq, qty_delta, balance_after, reason, created_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      row.workspaceId,
      row.id,
      row.levelId,
      row.seq,
      row.qtyDelta,
      row.balanceAfter,
      row.reason,
      row.createdAt,
    ],
  )

type ProductFilter = { after: string | null; limit: number }
export const listProducts = (
  db: Db,
  workspaceId: string,
  { sku, after, limit }: ProductFilter & { sku: string | undefined },
) =>
  db.rows<Product>(
    `select p.id, p.sku, p.name, (select coalesce(sum(l.quantity), 0)::bigint from reference_fulfillment.stock_levels l
        where l.workspace_id = p.workspace_id and l.product_id = p.id) as quantity, p.created_at, p.updated_at
      from reference_fulfillment.products p
      where p.workspace_id = $1 and ($2::text is null or p.sku = $2) and ($3::text is null or p.id < $3)
      order by p.id desc limit $4`,
    [workspaceId, sku ?? null, after, limit],
  )

type Somewhere = ProductFilter & { warehouseId: string | undefined; productId: string | undefined }

export const listLevels = (
  db: Db,
  workspaceId: string,
  { warehouseId, productId, after, limit }: Somewhere,
) =>
  db.rows<Level>(
    `select l.id, l.warehouse_id, w.name as warehouse_name, l.product_id, p.sku, p.name as product_name, l.quantity, l.updated_at
      from reference_fulfillment.stock_levels l
      join reference_fulfillment.warehouses w on w.workspace_id = l.workspace_id and w.id = l.warehouse_id
      join reference_fulfillment.products p on p.workspace_id = l.workspace_id and p.id = l.product_id
      where l.workspace_id = $1 and ($2::text is null or l.warehouse_id = $2) and ($3::text is null or l.product_id = $3)
        and ($4::text is null or l.id < $4)
      order by l.id desc limit $5`,
    [workspaceId, warehouseId ?? null, productId ?? null, after, limit],
  )

export const listMovements = (
  db: Db,
  workspaceId: string,
  { warehouseId, productId, after, limit }: Somewhere,
) =>
  db.rows<Movement>(
    `select m.id, l.warehouse_id, l.product_id, p.sku, m.qty_delta, m.balance_after, m.reason, m.created_at
      from reference_fulfillment.stock_movements m
      join reference_fulfillment.stock_levels l on l.workspace_id = m.workspace_id and l.id = m.level_id
      join reference_fulfillment.products p on p.workspace_id = l.workspace_id and p.id = l.product_id
      where m.workspace_id = $1 and ($2::text is null or l.warehouse_id = $2) and ($3::text is null or l.product_id = $3)
        and ($4::text is null or m.id < $4)
      order by m.id desc limit $5`,
    [workspaceId, warehouseId ?? null, productId ?? null, after, limit],
  )
