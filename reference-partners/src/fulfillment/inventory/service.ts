import { conflict, invalid, malformed, notFound } from 'kasir/partner-tools'
import type { Tx } from '../../kit/db.ts'
import { newId } from '../ids.ts'
import { lockWarehouse } from '../warehouses/store.ts'
import type { Adjust, AdjustedStock } from './schema.ts'
import * as store from './store.ts'

async function skuOf(tx: Tx, workspaceId: string, { productId, sku }: Adjust): Promise<string> {
  if (productId === undefined) {
    if (sku === undefined) throw malformed('sku', 'Send the sku of the product, or its productId')
    return sku
  }
  const product = await store.findProduct(tx, workspaceId, productId)
  if (!product) throw notFound('product', 'productId')
  if (sku !== undefined && sku !== product.sku)
    throw invalid('sku', `The product of productId has the sku ${product.sku}; send one of the two`)
  return product.sku
}

type StockAdjustment = { workspaceId: string; body: Adjust; now: string }

/**
 * Moves goods into or out of a warehouse. Throws 404 if the warehouse does not exist, 409 for goods into an inactive one,
 * 422 for a quantity of zero or beyond the stock.
 */
export async function adjustStock(
  tx: Tx,
  { workspaceId, body, now }: StockAdjustment,
): Promise<AdjustedStock> {
  const { warehouseId, name, qtyDelta } = body
  const warehouse = await lockWarehouse(tx, workspaceId, warehouseId, { share: true })
  if (!warehouse) throw notFound('warehouse', 'warehouseId')
  if (qtyDelta > 0 && !warehouse.isActive)
    throw conflict('This warehouse is switched off and takes no goods in')
  if (qtyDelta === 0) throw invalid('qtyDelta', 'A step of zero moves nothing')
  const sku = await skuOf(tx, workspaceId, body)
  const product = await store.upsertProduct(tx, { workspaceId, id: newId('product'), sku, name, now })
  const place = { workspaceId, warehouseId, productId: product.id, now }
  const moved = await store.moveLevel(tx, { ...place, id: newId('level'), qtyDelta })
  if (!moved) {
    const quantity = await store.quantityOf(tx, place)
    throw invalid(
      'qtyDelta',
      `There are ${quantity} of ${sku} in ${warehouse.name}; no more can be taken out`,
    )
  }
  const { id: levelId, quantity, movements: seq } = moved
  const reason = body.reason || null
  const step = { id: newId('movement'), qtyDelta, balanceAfter: quantity, reason, createdAt: now }
  await store.insertMovement(tx, { workspaceId, levelId, seq, ...step })
  const where = { warehouseId, productId: product.id, sku }
  return {
    level: {
      id: levelId,
      ...where,
      warehouseName: warehouse.name,
      productName: product.name,
      quantity,
      updatedAt: now,
    },
    movement: { ...where, ...step },
  }
}
