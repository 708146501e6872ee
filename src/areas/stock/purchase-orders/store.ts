import { sql } from 'kysely'
import { newId } from '../../../core/ids.ts'
import type { Pack } from '../../../core/packs.ts'
import type { SoldBy } from '../../../core/weights.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { deleteOwn, insertOwn, ownRows, updateOwn } from '../../../platform/db/own-rows.ts'
import { walk } from '../../../platform/db/walk.ts'
import type { Span } from '../../../platform/http/whole.ts'
import type { Scope } from '../../../platform/scope.ts'
import { lineTotalOf, MOST_ITEMS, type OrderStatus } from './rules.ts'
import type { OrderItem, PurchaseOrderView } from './schema.ts'

const FIELDS = [
  'id',
  'number',
  'outletId',
  'supplierId',
  'status',
  'total',
  'note',
  'orderedAt',
  'receivedAt',
  'cancelledAt',
  'createdAt',
  'updatedAt',
] as const

const orders = (db: Db, scope: Scope) => ownRows(db, scope, 'purchaseOrders').select(FIELDS)

type Filter = { outletId: string | undefined; status: OrderStatus | undefined }

/** The most items of the orders of one answer: 2 MB. */
const MOST_IN_ANSWER = 5_000

/** Whether the list has left out the items of an order, because those before it are many. */
export const isLeftOut = (order: PurchaseOrderView) => (order.items as OrderItem[] | null) === null

/**
 * Lists orders with their items, newest first, after the key `after`. Leaves out the items of orders after large ones
 * (`isLeftOut`).
 */
export async function list(
  db: Db,
  scope: Scope,
  { outletId, status }: Filter,
  { after, limit }: Span,
): Promise<PurchaseOrderView[]> {
  const before = after?.[0] ?? null
  const [by] = [
    ...(outletId === undefined ? [] : [['outletId', sql.val(outletId)] as const]),
    ...(status === undefined ? [] : [['status', sql.val(status)] as const]),
  ]
  const { where, order } = walk({
    by: by === undefined ? [] : [by],
    id: 'id',
    from: null,
    before: before === null ? null : sql.val(before),
  })
  const rows = await orders(db, scope)
    .where(where)
    .$if(status !== undefined, (q) => q.where('status', '=', status ?? 'DRAFT'))
    .orderBy(order)
    .limit(limit)
    .execute()
  const ids = rows.map((row) => row.id)
  const fitting = await fittingOf(db, scope, ids)
  const items = await itemsOf(db, scope, ids.slice(0, fitting))
  // The items that were not read are null for `isLeftOut`.
  return rows.map((row, at) => ({
    ...row,
    items: at < fitting ? (items.get(row.id) ?? []) : (null as never),
  }))
}

/** How many of the orders fit into one answer with their items. */
async function fittingOf(db: Db, scope: Scope, orderIds: readonly string[]): Promise<number> {
  if (orderIds.length * MOST_ITEMS <= MOST_IN_ANSWER) return orderIds.length
  const rows = await ownRows(db, scope, 'purchaseOrderItems')
    .where(sql<boolean>`purchase_order_id = any(${orderIds}::text[])`)
    .select(['purchaseOrderId', (eb) => eb.fn.countAll<number>().as('count')])
    .groupBy('purchaseOrderId')
    .execute()
  const counts = new Map(rows.map(({ purchaseOrderId, count }) => [purchaseOrderId, count]))
  let left = MOST_IN_ANSWER
  const over = orderIds.findIndex((id) => {
    left -= counts.get(id) ?? 0
    return left < 0
  })
  return over === -1 ? orderIds.length : over
}

export async function find(db: Db, scope: Scope, id: string): Promise<PurchaseOrderView | undefined> {
  const row = await orders(db, scope).where('id', '=', id).executeTakeFirst()
  return row && { ...row, items: (await itemsOf(db, scope, [id])).get(id) ?? [] }
}

/** Locks the order and then reads its items, so that concurrent receipts read them one after another. */
export async function lock(tx: Tx, scope: Scope, id: string): Promise<PurchaseOrderView | undefined> {
  const row = await orders(tx, scope).where('id', '=', id).forUpdate().executeTakeFirst()
  return row && { ...row, items: (await itemsOf(tx, scope, [id])).get(id) ?? [] }
}

async function itemsOf(db: Db, scope: Scope, orderIds: readonly string[]): Promise<Map<string, OrderItem[]>> {
  const rows = await db
    .selectFrom('purchaseOrderItems as i')
    .innerJoin('variants as v', 'v.id', 'i.variantId')
    .innerJoin('products as p', 'p.id', 'v.productId')
    .where('i.accountId', '=', scope.accountId)
    .where('v.accountId', '=', scope.accountId)
    .where('p.accountId', '=', scope.accountId)
    .where(sql<boolean>`i.purchase_order_id = any(${orderIds}::text[])`)
    .select([
      'i.purchaseOrderId',
      'i.id',
      'i.variantId',
      'p.name as productName',
      'v.name as variantName',
      'i.qty',
      'i.pack',
      'i.soldBy',
      'i.receivedQty',
      'i.cost',
      'i.createdAt',
      'i.updatedAt',
    ])
    .orderBy('i.position')
    .execute()
  const items = new Map<string, OrderItem[]>()
  for (const { purchaseOrderId, ...row } of rows) {
    const of = items.get(purchaseOrderId) ?? []
    of.push({ ...row, soldBy: row.soldBy ?? 'UNIT', lineTotal: lineTotalOf(row) })
    items.set(purchaseOrderId, of)
  }
  return items
}

/** Returns the ids that belong to an item of any order of the workspace. */
export async function findItemIds(db: Db, scope: Scope, ids: readonly string[]): Promise<Set<string>> {
  const rows = await ownRows(db, scope, 'purchaseOrderItems')
    .select('id')
    .where(sql<boolean>`id = any(${[...ids]}::text[])`)
    .execute()
  return new Set(rows.map((row) => row.id))
}

type NewOrder = {
  number: string
  outletId: string
  supplierId: string | null
  note: string | null
  total: number
}

export async function insert(tx: Tx, scope: Scope, order: NewOrder): Promise<string> {
  const id = newId('purchaseOrder')
  const stamps = { createdAt: scope.now, updatedAt: scope.now }
  await insertOwn(tx, scope, 'purchaseOrders', { ...order, id, ...stamps }).execute()
  return id
}

type Changes = {
  status?: OrderStatus
  total?: number
  supplierId?: string | null
  note?: string | null
  orderedAt?: string
  receivedAt?: string
  cancelledAt?: string
}

export const update = (tx: Tx, scope: Scope, id: string, changes: Changes) =>
  updateOwn(tx, scope, 'purchaseOrders')
    .set({ ...changes, updatedAt: scope.now })
    .where('id', '=', id)
    .execute()

export type NewItem = {
  variantId: string
  pack: Pack | null
  soldBy: 'WEIGHT' | null
  qty: number
  cost: number
}

/** Replaces all items of the order. */
export async function replaceItems(tx: Tx, scope: Scope, orderId: string, items: readonly NewItem[]) {
  await deleteOwn(tx, scope, 'purchaseOrderItems').where('purchaseOrderId', '=', orderId).execute()
  const common = { purchaseOrderId: orderId, createdAt: scope.now, updatedAt: scope.now }
  const rows = items.map(({ pack, ...item }, position) => ({
    ...common,
    ...item,
    pack: pack && JSON.stringify({ id: pack.id, name: pack.name, factor: pack.factor }),
    id: newId('purchaseOrderItem'),
    position,
  }))
  await insertOwn(tx, scope, 'purchaseOrderItems', rows).execute()
}

export const findOutlet = (db: Db, scope: Scope, id: string) =>
  ownRows(db, scope, 'outlets')
    .select(['id', 'name', 'timezone', 'isActive'])
    .where('id', '=', id)
    .executeTakeFirst()

export type OrderableVariant = {
  id: string
  productName: string
  kind: 'GOODS' | 'SERVICE'
  trackStock: boolean
  requiresBatch: boolean
  isComposite: boolean
  isLive: boolean
  cost: number
  packs: Pack[] | null
  soldBy: SoldBy
}

/**
 * Locks the variants of an order until the transaction ends, so that none becomes a composite or a service meanwhile,
 * and then reads them: a statement that waits for a lock still sees the products as they were before. A receipt also
 * changes the cost of the variants, so it takes the stronger lock from the start.
 */
export async function lockGoods(
  tx: Tx,
  scope: Scope,
  variantIds: readonly string[],
  purpose: 'name' | 'receive' = 'name',
) {
  const isNamed = sql<boolean>`v.id = any(${variantIds}::text[])`
  const lock = tx
    .selectFrom('variants as v')
    .where('v.accountId', '=', scope.accountId)
    .where(isNamed)
    .select('v.id')
    .orderBy('v.id')
  await (purpose === 'receive' ? lock.forNoKeyUpdate() : lock.forKeyShare()).execute()
  const rows: OrderableVariant[] = await tx
    .selectFrom('variants as v')
    .innerJoin('products as p', 'p.id', 'v.productId')
    .where('v.accountId', '=', scope.accountId)
    .where('p.accountId', '=', scope.accountId)
    .where(isNamed)
    .select([
      'v.id',
      'p.name as productName',
      'p.kind',
      'p.trackStock',
      'p.requiresBatch',
      'v.isComposite',
      'v.isLive',
      'v.cost',
      'v.packs',
      'v.soldBy',
    ])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}
