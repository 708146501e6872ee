import { conflict, invalid } from '../../../core/errors.ts'
import { mul, sumOfProducts } from '../../../core/money.ts'
import { MAX_UNITS, type Pack, unitsOf, weightCostOf } from '../../../core/packs.ts'
import { isWeighed } from '../../../core/sale-totals.ts'
import { amountOfWeight, type SoldBy } from '../../../core/weights.ts'

/** The most items of an order, and of a receipt of goods (B-purchase-2). */
export const MOST_ITEMS = 500

export const ORDER_STATUSES = ['DRAFT', 'ORDERED', 'PARTIALLY_RECEIVED', 'RECEIVED', 'CANCELLED'] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]

/** The actions on an order, each with the statuses that allow it (B-purchase-1). */
const ALLOWED = {
  change: ['DRAFT'],
  order: ['DRAFT'],
  receive: ['ORDERED', 'PARTIALLY_RECEIVED'],
  cancel: ['DRAFT', 'ORDERED', 'PARTIALLY_RECEIVED'],
} as const satisfies Record<string, readonly OrderStatus[]>

const REFUSAL = {
  change: 'only a draft can be changed',
  order: 'only a draft can be ordered',
  receive: 'goods can only be received on an open order that was placed',
  cancel: 'it is already closed',
} as const satisfies Record<keyof typeof ALLOWED, string>

/** Throws 409 if the status of the order does not allow the action. */
export function requireAllowed(
  act: keyof typeof ALLOWED,
  { number, status }: { number: string; status: OrderStatus },
) {
  if ((ALLOWED[act] as readonly OrderStatus[]).includes(status)) return
  throw conflict(`${number} is ${status.toLowerCase().replaceAll('_', ' ')}; ${REFUSAL[act]}`)
}

/** Formats an order number such as PO-000001: six digits, or more for larger numbers (B-purchase-3). */
export const orderNumber = (n: number): string => `PO-${String(n).padStart(6, '0')}`

/** The largest cost of one unit or pack of an order, in rupiah. */
export const MAX_COST = 1_000_000_000

/**
 * The largest total. An item with the largest quantity and cost is within the limit, and every smaller sum is an
 * exact integer.
 */
export const MAX_ORDER_TOTAL = 1_000_000_000_000_000

/** The cost of an item in rupiah: quantity × cost; the cost of grams is per kilogram (B-weight-4). */
export const lineTotalOf = ({ qty, cost, soldBy, pack }: PricedLine): number =>
  isWeighed({ soldBy: soldBy ?? null, pack: pack ?? null }) ? amountOfWeight(qty, cost) : mul(qty, cost)

type PricedLine = { qty: number; cost: number; soldBy?: 'WEIGHT' | null; pack?: object | null }

/** Returns the sum of the items in rupiah. Throws 422 above MAX_ORDER_TOTAL. */
export function totalOf(items: readonly PricedLine[]): number {
  const total = sumOfProducts(items.map((item) => [lineTotalOf(item), 1]))
  if (total > BigInt(MAX_ORDER_TOTAL))
    throw invalid('items', 'The total of this order is too large; split it into several orders')
  return Number(total)
}

/** Throws 422 if two items have the same variant in the same pack, or both without one (B-purchase-2). */
export function requireVariantsOnce(
  items: readonly { variantId: string; packId?: string | null | undefined }[],
) {
  const seen = new Set<string>()
  for (const [index, { variantId, packId }] of items.entries()) {
    const goods = `${variantId} ${packId ?? ''}`
    if (seen.has(goods))
      throw invalid(
        `items[${index}].variantId`,
        'This variant is already on the order; change that item instead',
      )
    seen.add(goods)
  }
}

/** Throws 422 if the packs of an item have more units than one item may order (B-pack-7). */
export function requireUnits(qty: number, pack: Pack | null, param: string) {
  const units = unitsOf(qty, pack)
  if (units > MAX_UNITS)
    throw invalid(param, `These packs hold ${units} units; one item can have at most ${MAX_UNITS}`)
}

/**
 * Throws 422 if an item costs more than an item or a variant can: a pack of weighed goods sets the cost of a kilogram
 * (B-weight-4).
 */
export function requireCost({ cost, pack, soldBy }: CostedItem, param: string) {
  if (cost > MAX_COST)
    throw invalid(param, `The units of a pack cost ${cost} in all; send the cost of a pack`)
  if (pack === null || soldBy !== 'WEIGHT') return
  const perKilogram = weightCostOf(cost, pack.factor)
  if (perKilogram > MAX_COST)
    throw invalid(
      param,
      `At this cost of a pack a kilogram costs ${perKilogram}, and at most ${MAX_COST} is possible. Check the cost and the grams of the pack`,
    )
}
type CostedItem = { cost: number; pack: Pack | null; soldBy: SoldBy | null }

export type OrderLine = {
  id: string
  variantId: string
  pack: Pick<Pack, 'id'> | null
  qty: number
  receivedQty: number
  cost: number
}
export type ReceiveRow = { itemId?: string; variantId?: string; packId?: string | null; qty: number }

/**
 * Finds the item of the order that each row receives, in order of the rows (B-purchase-4). Several rows can name the
 * same item; together they cannot exceed its outstanding quantity. Throws 422 for a row that names no item or
 * receives too much.
 */
export function linesOf<L extends OrderLine>(lines: readonly L[], rows: readonly ReceiveRow[]): L[] {
  const outstanding = new Map(lines.map((line) => [line.id, line.qty - line.receivedQty]))
  return rows.map((row, index) => {
    const line = lineOf(lines, row, index)
    const left = (outstanding.get(line.id) ?? 0) - row.qty
    if (left < 0) {
      throw invalid(
        `items[${index}].qty`,
        `${line.qty} were ordered and ${left + row.qty} are still outstanding; this row would receive ${row.qty}`,
      )
    }
    outstanding.set(line.id, left)
    return line
  })
}

function lineOf<L extends OrderLine>(
  lines: readonly L[],
  { itemId, variantId, packId }: ReceiveRow,
  index: number,
): L {
  if (itemId === undefined && variantId === undefined)
    throw invalid(`items[${index}].itemId`, 'Send itemId or variantId to say which item was received')
  const line =
    itemId === undefined
      ? lineOfVariant(lines, { variantId, packId })
      : lines.find((each) => each.id === itemId)
  if (!line)
    throw invalid(
      `items[${index}].${itemId === undefined ? 'variantId' : 'itemId'}`,
      'This item is not on the order',
    )
  if (variantId !== undefined && line.variantId !== variantId)
    throw invalid(`items[${index}].variantId`, 'itemId and variantId name different items; send one of them')
  if (packId !== undefined && (line.pack?.id ?? null) !== packId)
    throw invalid(`items[${index}].packId`, 'itemId and packId name different items; send one of them')
  return line
}

/** The item of the variant in this pack. Without a pack the loose units, or the only item of the variant. */
function lineOfVariant<L extends OrderLine>(
  lines: readonly L[],
  { variantId, packId }: { variantId: string | undefined; packId: string | null | undefined },
): L | undefined {
  const same = lines.filter((each) => each.variantId === variantId)
  if (packId === undefined && same.length === 1) return same[0]
  return same.find((each) => (each.pack?.id ?? null) === (packId ?? null))
}

/** Returns RECEIVED if no quantity is outstanding. */
export const statusAfter = (lines: readonly { qty: number; receivedQty: number }[]): OrderStatus =>
  lines.every((line) => line.receivedQty === line.qty) ? 'RECEIVED' : 'PARTIALLY_RECEIVED'
