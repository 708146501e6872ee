import { assert } from '../../../core/assert.ts'
import { invalid, notFound } from '../../../core/errors.ts'
import { shortened } from '../../../core/events.ts'
import { type Pack, priceOfPack } from '../../../core/packs.ts'
import { emptyToNull } from '../../../core/text.ts'
import { nextNumber } from '../../../platform/db/counters.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { emit } from '../../../platform/events/outbox.ts'
import type { Scope } from '../../../platform/scope.ts'
import { findPackIds } from '../../catalogue/products/index.ts'
import { getSupplier } from '../suppliers/index.ts'
import { orderCancelled, orderPlaced } from './events.ts'
import {
  orderNumber,
  requireAllowed,
  requireCost,
  requireUnits,
  requireVariantsOnce,
  totalOf,
} from './rules.ts'
import type { OrderIn, OrderItem, OrderItemIn, OrderPatch, PurchaseOrderView } from './schema.ts'
import * as store from './store.ts'

export async function getOrder(db: Db, scope: Scope, id: string): Promise<PurchaseOrderView> {
  const order = await store.find(db, scope, id)
  if (!order) throw notFound('purchase order')
  return order
}

/** Locks the order until the transaction ends. Throws 404 if it does not exist. */
export async function lockOrder(tx: Tx, scope: Scope, id: string): Promise<PurchaseOrderView> {
  const order = await store.lock(tx, scope, id)
  if (!order) throw notFound('purchase order')
  return order
}

/** Throws 422 for services and composites (B-purchase-2). Untracked goods can be ordered but change no stock. */
export function requireGoods({ kind, isComposite, productName }: store.OrderableVariant, param: string) {
  if (kind === 'SERVICE') throw invalid(param, `${productName} is a service and cannot be ordered`)
  if (isComposite) throw invalid(param, `${productName} is made from its components; order those instead`)
}

type LockedRecords = { supplierId: string | null; items: readonly Pick<OrderItem, 'variantId' | 'pack'>[] }
const NOTHING_HELD: LockedRecords = { supplierId: null, items: [] }

type CheckedOrder = { lines: store.NewItem[]; total: number }

/**
 * Reads the records that the body names and returns a function that checks them. Errors follow the order of
 * B-request-2: unknown ids are 404 here, the caller then checks the state of the order, and `judge` throws 422.
 * Records that a draft already names can be inactive.
 */
async function readBody(
  tx: Tx,
  scope: Scope,
  { items, supplierId }: { items: readonly OrderItemIn[]; supplierId?: string | null },
  held: LockedRecords = NOTHING_HELD,
): Promise<{ judge(): CheckedOrder }> {
  const goods = await store.lockGoods(
    tx,
    scope,
    items.map((item) => item.variantId),
  )
  const found = items.map((item, index) => {
    const variant = goods.get(item.variantId)
    if (!variant) throw notFound('variant', `items[${index}].variantId`)
    const packs = [...(variant.packs ?? []), ...packsHeld(held, variant.id)]
    return { item, variant, pack: packs.find(({ id }) => id === item.packId) ?? null }
  })
  const refusePacks = await requirePacksKnown(tx, scope, found)
  const supplier = supplierId ? await getSupplier(tx, scope, supplierId, 'supplierId') : null
  const judge = () => {
    if (supplier && !supplier.isActive && supplier.id !== held.supplierId)
      throw invalid('supplierId', `${supplier.name} is inactive; activate it first`)
    refusePacks()
    requireVariantsOnce(items)
    const variantsHeld = new Set(held.items.map(({ variantId }) => variantId))
    const lines = found.map(({ item, variant, pack }, index) => {
      const param = `items[${index}].variantId`
      requireGoods(variant, param)
      if (!variant.isLive && !variantsHeld.has(variant.id))
        throw invalid(param, `${variant.productName} is inactive; activate it first`)
      requireUnits(item.qty, pack, `items[${index}].qty`)
      const cost =
        item.cost ?? priceOfPack({ ...variant, price: variant.cost }, pack && { ...pack, price: null })
      const soldBy = variant.soldBy === 'WEIGHT' ? ('WEIGHT' as const) : null
      requireCost({ cost, pack, soldBy }, `items[${index}].cost`)
      return { variantId: variant.id, pack, soldBy, qty: item.qty, cost }
    })
    return { lines, total: totalOf(lines) }
  }
  return { judge }
}

const packsHeld = (held: LockedRecords, variantId: string) =>
  held.items.flatMap((item) => (item.variantId === variantId && item.pack ? [item.pack] : []))

/** Throws 404 for a pack that does not exist. Returns a function that throws 422 for a pack of another variant. */
async function requirePacksKnown(
  tx: Tx,
  scope: Scope,
  found: readonly { item: OrderItemIn; pack: Pack | null }[],
): Promise<() => void> {
  const foreign = found.flatMap(({ item: { packId }, pack }, index) =>
    packId && pack === null ? [{ packId, param: `items[${index}].packId` }] : [],
  )
  const [first] = foreign
  if (!first) return () => {}
  const existing = await findPackIds(
    tx,
    scope,
    foreign.map(({ packId }) => packId),
  )
  const unknown = foreign.find(({ packId }) => !existing.has(packId))
  if (unknown) throw notFound('pack', unknown.param)
  return () => {
    throw invalid(first.param, 'This pack belongs to another variant; choose a pack of the variant ordered')
  }
}

export async function createOrder(tx: Tx, scope: Scope, input: OrderIn): Promise<PurchaseOrderView> {
  const outlet = await store.findOutlet(tx, scope, input.outletId)
  if (!outlet) throw notFound('outlet', 'outletId')
  const { judge } = await readBody(tx, scope, input)
  if (!outlet.isActive) throw invalid('outletId', `${outlet.name} is inactive; activate it first`)
  const { lines, total } = judge()
  const id = await store.insert(tx, scope, {
    number: orderNumber(await nextNumber(tx, scope, 'purchase_orders')),
    outletId: outlet.id,
    supplierId: input.supplierId ?? null,
    note: emptyToNull(input.note),
    total,
  })
  await store.replaceItems(tx, scope, id, lines)
  return getOrder(tx, scope, id)
}

/** Replaces the items of a draft. Supplier and note stay unchanged if the body leaves them out (B-purchase-2). */
export async function updateOrder(
  tx: Tx,
  scope: Scope,
  id: string,
  patch: OrderPatch,
): Promise<PurchaseOrderView> {
  const order = await lockOrder(tx, scope, id)
  const { judge } = await readBody(tx, scope, patch, {
    supplierId: order.supplierId,
    items: order.items,
  })
  requireAllowed('change', order)
  const { lines, total } = judge()
  await store.replaceItems(tx, scope, id, lines)
  await store.update(tx, scope, id, {
    total,
    ...(patch.supplierId === undefined ? {} : { supplierId: patch.supplierId }),
    ...(patch.note === undefined ? {} : { note: emptyToNull(patch.note) }),
  })
  return getOrder(tx, scope, id)
}

export async function placeOrder(tx: Tx, scope: Scope, id: string): Promise<PurchaseOrderView> {
  requireAllowed('order', await lockOrder(tx, scope, id))
  await store.update(tx, scope, id, { status: 'ORDERED', orderedAt: scope.now })
  return announced(tx, scope, id, orderPlaced)
}

/** Goods that were already received stay in stock (B-purchase-1). */
export async function cancelOrder(tx: Tx, scope: Scope, id: string): Promise<PurchaseOrderView> {
  requireAllowed('cancel', await lockOrder(tx, scope, id))
  await store.update(tx, scope, id, { status: 'CANCELLED', cancelledAt: scope.now })
  return announced(tx, scope, id, orderCancelled)
}

export async function announced(
  tx: Tx,
  scope: Scope,
  id: string,
  type: typeof orderPlaced,
): Promise<PurchaseOrderView> {
  const purchaseOrder = await getOrder(tx, scope, id)
  assert(purchaseOrder.status !== 'DRAFT', 'a draft is never announced')
  await emit(tx, scope, type, id, { purchaseOrder: shortened(purchaseOrder, 'items') })
  return purchaseOrder
}
