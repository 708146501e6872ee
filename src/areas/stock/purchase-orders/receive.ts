import { notFound } from '../../../core/errors.ts'
import { shortened } from '../../../core/events.ts'
import { mul } from '../../../core/money.ts'
import { unitCostsOf, unitsOf, weightCostOf } from '../../../core/packs.ts'
import { emptyToNull } from '../../../core/text.ts'
import type { Tx } from '../../../platform/db/open.ts'
import { emit } from '../../../platform/events/outbox.ts'
import type { Scope } from '../../../platform/scope.ts'
import { findPackIds } from '../../catalogue/products/index.ts'
import { type Expiry, expiryDay, readExpiry, receiveStock, requireBatchLabel } from '../inventory/index.ts'
import { orderReceived, stockOfOrderReceived } from './events.ts'
import { linesOf, requireAllowed, requireCost, statusAfter } from './rules.ts'
import type { OrderItem, PurchaseOrderView, ReceiveIn, ReceiveItem } from './schema.ts'
import { announced, lockOrder, requireGoods } from './service.ts'
import * as statements from './statements.ts'
import * as store from './store.ts'

/**
 * Receives goods of an order, in part or in full (B-purchase-4, B-batch-6). Locks the order first, so that two
 * concurrent receipts together never exceed the ordered quantity. An inactive outlet can receive goods too
 * (B-outlet-2).
 */
export async function receiveOrder(
  tx: Tx,
  scope: Scope,
  id: string,
  { items: rows }: ReceiveIn,
): Promise<PurchaseOrderView> {
  const expiries = rows.map((row, index) => readExpiry(row.expiryDate, `items[${index}].expiryDate`))
  const order = await lockOrder(tx, scope, id)
  const goods = await goodsOf(tx, scope, order, rows)
  requireAllowed('receive', order)
  const lines = linesOf(order.items, rows)
  const receipts = await receiptsOf(tx, scope, order, { rows, lines, expiries, goods })
  await receiveStock(tx, scope, { outletId: order.outletId, receipts, source: { purchaseOrderId: id } })
  const received = new Map<string, number>()
  const stocked = new Map<string, number>()
  for (const [index, { qty }] of rows.entries()) {
    const { id: lineId = '', variantId = '', pack = null } = lines[index] ?? {}
    received.set(lineId, (received.get(lineId) ?? 0) + qty)
    if (goods.get(variantId)?.trackStock) stocked.set(lineId, (stocked.get(lineId) ?? 0) + unitsOf(qty, pack))
  }
  await statements.addReceived(tx, scope, { orderId: id, received, stocked })
  const status = statusAfter(
    order.items.map((line) => ({
      qty: line.qty,
      receivedQty: line.receivedQty + (received.get(line.id) ?? 0),
    })),
  )
  await store.update(tx, scope, id, {
    status,
    ...(status === 'RECEIVED' ? { receivedAt: scope.now } : {}),
  })
  const purchaseOrder = await announced(tx, scope, id, orderReceived)
  await emit(tx, scope, stockOfOrderReceived, id, { purchaseOrder: shortened(purchaseOrder, 'items') })
  return purchaseOrder
}

/**
 * Locks the variants of the order and of the rows. Throws 404 for an unknown variant or item. A known one that is not
 * on this order is 422, which a later step checks (B-ids-4, B-purchase-4).
 */
async function goodsOf(tx: Tx, scope: Scope, order: PurchaseOrderView, rows: readonly ReceiveItem[]) {
  const ordered = order.items.map((line) => line.variantId)
  const named = rows.flatMap(({ variantId }) => variantId ?? [])
  const goods = await store.lockGoods(tx, scope, [...new Set([...ordered, ...named])], 'receive')
  for (const [index, { variantId }] of rows.entries())
    if (variantId !== undefined && !goods.has(variantId))
      throw notFound('variant', `items[${index}].variantId`)
  await requireLinesExist(tx, scope, order, rows)
  await requirePacksExist(tx, scope, order, rows)
  return goods
}

async function requireLinesExist(
  tx: Tx,
  scope: Scope,
  order: PurchaseOrderView,
  rows: readonly ReceiveItem[],
) {
  const own = new Set(order.items.map((line) => line.id))
  const foreign = rows.flatMap(({ itemId }) => (itemId === undefined || own.has(itemId) ? [] : [itemId]))
  if (foreign.length === 0) return
  const elsewhere = await store.findItemIds(tx, scope, foreign)
  const index = rows.findIndex(
    ({ itemId }) => itemId !== undefined && !own.has(itemId) && !elsewhere.has(itemId),
  )
  if (index >= 0) throw notFound('order line', `items[${index}].itemId`)
}

async function requirePacksExist(
  tx: Tx,
  scope: Scope,
  order: PurchaseOrderView,
  rows: readonly ReceiveItem[],
) {
  const own = new Set(order.items.flatMap(({ pack }) => pack?.id ?? []))
  const foreign = rows.flatMap(({ packId }) => (packId && !own.has(packId) ? [packId] : []))
  if (foreign.length === 0) return
  const elsewhere = await findPackIds(tx, scope, foreign)
  const index = rows.findIndex(({ packId }) => packId && !own.has(packId) && !elsewhere.has(packId))
  if (index >= 0) throw notFound('pack', `items[${index}].packId`)
}

/** The units of a received row: packs become units that together cost what the packs cost (B-pack-7, B-weight-4). */
function bookedUnits({ pack, soldBy }: OrderItem, qty: number, cost: number) {
  if (pack === null) return [{ qty, cost }]
  const units = unitsOf(qty, pack)
  const money = mul(qty, cost)
  return soldBy === 'WEIGHT' ? [{ qty: units, cost: weightCostOf(money, units) }] : unitCostsOf(money, units)
}

type GoodsReceipt = {
  rows: readonly ReceiveItem[]
  lines: readonly OrderItem[]
  expiries: readonly Expiry[]
  goods: ReadonlyMap<string, store.OrderableVariant>
}

async function receiptsOf(
  tx: Tx,
  scope: Scope,
  order: PurchaseOrderView,
  { rows, lines, expiries, goods }: GoodsReceipt,
) {
  const outlet = await store.findOutlet(tx, scope, order.outletId)
  if (!outlet) throw notFound('outlet')
  return lines.flatMap((line, index) => {
    const [row, variant] = [rows[index], goods.get(line.variantId)]
    if (!row || !variant) return []
    requireGoods(variant, `items[${index}].${row.itemId === undefined ? 'variantId' : 'itemId'}`)
    const label = {
      batchNo: emptyToNull(row.batchNo),
      expiryDate: expiryDay(expiries[index] ?? null, outlet.timezone),
    }
    requireBatchLabel(variant, label, `items[${index}].batchNo`)
    const labelled = label.batchNo !== null || label.expiryDate !== null
    const cost = row.cost ?? line.cost
    requireCost({ ...line, cost }, `items[${index}].cost`)
    return bookedUnits(line, row.qty, cost).map((units) => ({
      variantId: line.variantId,
      ...units,
      batch: labelled ? label : null,
      isTracked: variant.trackStock,
    }))
  })
}
