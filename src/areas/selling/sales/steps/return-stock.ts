import { sum } from '../../../../core/money.ts'
import type { Tx } from '../../../../platform/db/open.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { type StockVariant, shareStockVariants } from '../../../catalogue/products/index.ts'
import { lockStock, moveStock, returnToBatches, type StockMove } from '../../../stock/inventory/index.ts'
import { isGoods, itemUnits } from '../sale/facts.ts'
import type { Item, Part, Sale } from '../sale/types.ts'
import type { StockWarning } from '../schema.ts'

/** The movements that bring `qty` of a sold item back, in packs if it has a pack: same batches in reverse, composites by their snapshot. */
function movesBack(
  sale: Sale,
  { item, qty }: Back['items'][number],
  { type, refundId }: Pick<Back, 'type' | 'refundId'>,
): StockMove[] {
  const to = (variantId: string, parts: readonly Part[]): StockMove[] =>
    parts.map((part) => ({
      outletId: sale.outletId,
      variantId,
      type,
      qtyDelta: part.qty,
      batchId: part.batchId,
      transactionId: sale.id,
      ...(refundId === null ? {} : { refundId }),
    }))
  if (!isGoods(item) || !item.movedStock || qty === 0) return []
  const units = itemUnits(item, qty)
  const before = itemUnits(item, item.restockedQty)
  if (!item.components) {
    const all = [{ batchId: null, qty: itemUnits(item, item.quantity) }]
    return to(item.variantId, returnToBatches(item.batches ?? all, before, units))
  }
  return item.components
    .filter((component) => component.tracked)
    .flatMap(({ variantId, quantity, parts }) =>
      to(variantId, returnToBatches(parts, before * quantity, units * quantity)),
    )
}

type Back = {
  items: readonly { item: Item; qty: number }[]
  type: 'VOID' | 'REFUND'
  refundId: string | null
}

export type ReturnPlan = {
  back: Back
  moves: StockMove[]
  variantIds: string[]
  facts: ReadonlyMap<string, StockVariant>
}

/** Locks the variants of the returned goods: the lock order puts them before gift cards and the customer. */
export async function shareReturning(tx: Tx, scope: Scope, sale: Sale, back: Back): Promise<ReturnPlan> {
  const moves = back.items.flatMap((returning) => movesBack(sale, returning, back))
  const variantIds = [...new Set(moves.map((move) => move.variantId))].sort()
  const facts = variantIds.length === 0 ? [] : await shareStockVariants(tx, scope, variantIds)
  return { back, moves, variantIds, facts: new Map(facts.map((fact) => [fact.variantId, fact])) }
}

/** What the quantities of a returned variant count: grams or units, as the items of the sale remember it. */
const measuresOf = ({ items }: Back): ReadonlyMap<string, StockVariant['soldBy']> =>
  new Map(
    items.flatMap(({ item }) =>
      isGoods(item)
        ? [
            [item.variantId, item.soldBy ?? 'UNIT'] as const,
            ...(item.components ?? []).map(
              ({ variantId, weighed }) => [variantId, weighed ? 'WEIGHT' : 'UNIT'] as const,
            ),
          ]
        : [],
    ),
  )

/** Why goods do not go back to stock; null if they do (B-stock-6). */
function reasonToStay(
  fact: StockVariant | undefined,
  measure: StockVariant['soldBy'] | undefined,
): StockWarning['reason'] | null {
  if (!fact) return 'DELETED'
  if (fact.isComposite) return 'NOW_COMPOSITE'
  return fact.soldBy === measure ? null : 'SOLD_BY_CHANGED'
}

/** The result of a return: the items as the sale stores them, and a warning for each variant that could not return. */
export type StockReturn = { items: Item[]; warnings: StockWarning[] }

/**
 * Returns goods to stock by what each item remembers, never by the present recipe (B-stock-6). Goods that were
 * deleted, became a composite or changed `soldBy` since the sale are not returned; a warning lists them.
 */
export async function returnStock(
  tx: Tx,
  scope: Scope,
  sale: Sale,
  { back, moves, variantIds, facts }: ReturnPlan,
): Promise<StockReturn> {
  if (variantIds.length === 0) return { items: sale.items, warnings: [] }
  const measures = measuresOf(back)
  const staying = new Map(
    variantIds.flatMap((id) => {
      const reason = reasonToStay(facts.get(id), measures.get(id))
      return reason === null ? [] : [[id, reason] as const]
    }),
  )
  const returning = variantIds.filter((id) => !staying.has(id))
  await lockStock(tx, scope, sale.outletId, returning)
  await moveStock(
    tx,
    scope,
    moves.filter((move) => !staying.has(move.variantId)),
  )
  const quantities = new Map(back.items.map(({ item, qty }) => [item.id, qty]))
  return {
    items: sale.items.map((item) => returned(item, quantities.get(item.id) ?? 0, back.type, staying)),
    warnings: [...staying].map(([variantId, reason]) => ({
      ...namesOf(sale, variantId, facts.get(variantId)),
      reason,
      requested: sum(moves.filter((move) => move.variantId === variantId).map((move) => move.qtyDelta)),
      available: 0,
      level: 0,
    })),
  }
}

/** The current names; for a deleted variant, the names that the sale recorded. */
function namesOf(sale: Sale, variantId: string, fact: StockVariant | undefined) {
  if (fact) return { variantId, productName: fact.productName, variantName: fact.variantName }
  const snapshot = sale.items
    .flatMap((item) => item.components ?? [])
    .find((component) => component.variantId === variantId)
  return { variantId, productName: snapshot?.name ?? '', variantName: '' }
}

/**
 * Units whose return is settled, whether they reached the shelf or not. A variant that stops being a composite later
 * gets none of them back. A voided item without a return keeps its 0, and a component without a return is marked, so
 * that the books show why the movements of a voided sale do not cancel out.
 */
function returned(
  item: Item,
  qty: number,
  type: 'VOID' | 'REFUND',
  staying: ReadonlyMap<string, unknown>,
): Item {
  if (qty === 0 || !isGoods(item) || !item.movedStock) return item
  if (!item.components) {
    const stays = type === 'VOID' && staying.has(item.variantId)
    return stays ? item : { ...item, restockedQty: item.restockedQty + qty }
  }
  const components = item.components.map((component) =>
    component.tracked && staying.has(component.variantId) ? { ...component, stayed: true } : component,
  )
  return { ...item, components, restockedQty: item.restockedQty + qty }
}
