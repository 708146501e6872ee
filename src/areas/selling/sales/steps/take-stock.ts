import { assert } from '../../../../core/assert.ts'
import { invalid } from '../../../../core/errors.ts'
import { labelOf } from '../../../../core/labels.ts'
import { dayOf } from '../../../../core/time.ts'
import type { Tx } from '../../../../platform/db/open.ts'
import type { Scope } from '../../../../platform/scope.ts'
import {
  consumeFefo,
  explode,
  lockStock,
  moveStock,
  type StockMove,
  shareParts,
} from '../../../stock/inventory/index.ts'
import { activeItems, isGoods, itemUnits } from '../sale/facts.ts'
import type { ComponentSnapshot, GoodsItem, Item, Part, Sale } from '../sale/types.ts'
import type { StockWarning } from '../schema.ts'
import type { Component, Context, Sellable } from '../store/context.ts'
import { shortage } from '../store/lowered.ts'

type Facts = Pick<Sellable, 'productName' | 'variantName' | 'cost' | 'requiresBatch'>

/**
 * The stock that a completed sale takes, and its items with the costs and batches of it (B-batch-3, B-batch-4,
 * B-stock-5).
 */
export type StockTaking = { items: Item[]; warnings: StockWarning[] }

/**
 * Takes the goods of a sale: composites by their present recipe, batches first expired first out. Items and
 * components of one variant are summed before any check. Throws 422 `items[i].quantity` if the batches of a product
 * that needs them do not hold enough, or if the workspace blocks negative stock. Locks levels in order of variant id.
 * `soldAt`: batches count as expired by the day of the outlet at this instant.
 */
export async function takeStock(
  tx: Tx,
  scope: Scope,
  sale: Sale,
  { context, soldAt }: { context: Context; soldAt: string },
): Promise<StockTaking> {
  const sold = activeItems(sale).filter(isGoods)
  const sellables = sold.map((item) => sellableOf(context, item.variantId))
  const needs = needsOf(sold, sellables)
  const facts = factsOf(sellables)
  const variantIds = needs.map((need) => need.variantId)
  const { levels, batches } = await lockStock(tx, scope, sale.outletId, variantIds)
  assert(context.outlet, 'a sale keeps its outlet')
  const today = dayOf(soldAt, context.outlet.timezone)
  const moves: StockMove[] = []
  const warnings: StockWarning[] = []
  const partsByItem: Map<string, Part[]>[] = sold.map(() => new Map())
  for (const { variantId, qty, lines: takers } of needs) {
    const fact = facts.get(variantId)
    assert(fact, 'a variant is read before its stock is taken')
    const { cost: unitCost, requiresBatch, productName, variantName } = fact
    const level = levels.get(variantId)?.quantity ?? 0
    const held = { batches: batches.get(variantId) ?? [], levelQuantity: level, today }
    const taken = consumeFefo({ ...held, qty, mode: 'sale', requiresBatch })
    if (taken.shortBy > 0) {
      if (taken.mustRefuse || context.negativeStock === 'BLOCK')
        throw tooFew({ productName, available: taken.available }, takers, sale, sold)
      const names = { variantId, productName, variantName }
      warnings.push(shortage(names, { requested: qty, available: taken.available, level: level - qty }))
    }
    const leaving = {
      outletId: sale.outletId,
      variantId,
      type: 'SALE',
      transactionId: sale.id,
      unitCost,
    } as const
    moves.push(...taken.parts.map((part) => ({ ...leaving, qtyDelta: -part.qty, batchId: part.batchId })))
    const quantities = takers.map((taker) => taker.qty)
    const shares = shareParts(taken.parts, quantities)
    takers.forEach((taker, at) => partsByItem[taker.index]?.set(variantId, shares[at] ?? []))
  }
  await moveStock(tx, scope, moves)
  const items = sold.map((item, index) => remembered(item, sellables[index], partsByItem[index] ?? new Map()))
  return { items, warnings }
}

const needsOf = (sold: readonly GoodsItem[], sellables: readonly Sellable[]) =>
  explode(
    sold.map((item, index) => ({
      variantId: item.variantId,
      quantity: itemUnits(item, item.quantity),
      trackStock: sellables[index]?.trackStock ?? false,
      components: (sellables[index]?.components ?? []).map((component) => ({
        componentVariantId: component.variantId,
        quantity: component.quantity,
        trackStock: component.trackStock,
      })),
    })),
  )

function sellableOf(context: Context, variantId: string): Sellable {
  const sellable = context.sellables.get(variantId)
  assert(sellable, 'every variant of the sale was read with it')
  return sellable
}

/** By variant. If a variant is both sold and a component, both entries are equal. */
const factsOf = (sellables: readonly Sellable[]): Map<string, Facts> =>
  new Map(
    sellables
      .flatMap((sellable): (Facts & { variantId: string })[] => [sellable, ...(sellable.components ?? [])])
      .map((facts) => [facts.variantId, facts]),
  )

/** Returns the first item that the stock does not cover: a cashier would lower this one. */
function tooFew(
  { productName, available }: { productName: string; available: number },
  takers: readonly { index: number; qty: number }[],
  sale: Sale,
  sold: readonly Item[],
) {
  let left = available
  const first = takers.find((taker) => {
    left -= taker.qty
    return left < 0
  })
  const item = sold[first?.index ?? 0]
  const index = item ? sale.items.indexOf(item) : 0
  return invalid(
    `items[${index}].quantity`,
    `Only ${available} of ${productName} can be sold; lower the quantity`,
  )
}

function remembered(
  item: GoodsItem,
  sellable: Sellable | undefined,
  parts: ReadonlyMap<string, Part[]>,
): Item {
  if (sellable?.components) {
    const components = sellable.components.map((component): ComponentSnapshot => snapshotOf(component, parts))
    return { ...item, components, movedStock: components.some((component) => component.tracked) }
  }
  const own = parts.get(item.variantId)
  if (!own) return item
  // Unbatched goods need no list: all of them go back to the level.
  return { ...item, movedStock: true, batches: own.some((part) => part.batchId !== null) ? own : null }
}

const snapshotOf = (component: Component, parts: ReadonlyMap<string, Part[]>): ComponentSnapshot => ({
  variantId: component.variantId,
  name: labelOf(component.productName, component.variantName),
  quantity: component.quantity,
  unit: component.unit,
  ...(component.soldBy === 'WEIGHT' ? { weighed: true as const } : {}),
  tracked: component.trackStock,
  parts: parts.get(component.variantId) ?? [],
})
