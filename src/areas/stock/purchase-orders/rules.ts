import { conflict, invalid } from '../../../core/errors.ts'
import { sumOfProducts } from '../../../core/money.ts'

export const ORDER_STATUSES = ['DRAFT', 'ORDERED', 'PARTIALLY_RECEIVED', 'RECEIVED', 'CANCELLED'] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]

/** What may be done to an order, and from where (B-purchase-1). */
const ALLOWED = {
  change: ['DRAFT'],
  order: ['DRAFT'],
  receive: ['ORDERED', 'PARTIALLY_RECEIVED'],
  cancel: ['DRAFT', 'ORDERED', 'PARTIALLY_RECEIVED'],
} as const satisfies Record<string, readonly OrderStatus[]>

const REFUSAL = {
  change: 'only a draft can be changed',
  order: 'only a draft can be ordered',
  receive: 'goods can only be received on an order that was placed and is still open',
  cancel: 'it is already closed',
} as const satisfies Record<keyof typeof ALLOWED, string>

/** 409 when the order's status does not allow the act. */
export function requireAllowed(
  act: keyof typeof ALLOWED,
  { number, status }: { number: string; status: OrderStatus },
) {
  if ((ALLOWED[act] as readonly OrderStatus[]).includes(status)) return
  throw conflict(`${number} is ${status.toLowerCase().replaceAll('_', ' ')}; ${REFUSAL[act]}`)
}

/** PO-000001: at least six digits, more when they are used up (B-purchase-3). */
export const orderNumber = (n: number): string => `PO-${String(n).padStart(6, '0')}`

/** One line at both of its bounds still fits; every sum below it is an exact integer. */
export const MAX_ORDER_TOTAL = 1_000_000_000_000_000

/** Σ qty × cost in rupiah; 422 above MAX_ORDER_TOTAL. */
export function totalOf(items: readonly { qty: number; cost: number }[]): number {
  const total = sumOfProducts(items.map(({ qty, cost }) => [qty, cost]))
  if (total > BigInt(MAX_ORDER_TOTAL))
    throw invalid('items', 'The total of this order is too large; split it into several orders')
  return Number(total)
}

/** 422 when a variant is on two lines (B-purchase-2). */
export function requireVariantsOnce(items: readonly { variantId: string }[]) {
  const seen = new Set<string>()
  for (const [index, { variantId }] of items.entries()) {
    if (seen.has(variantId))
      throw invalid(
        `items[${index}].variantId`,
        'This variant is already on the order; change that line instead',
      )
    seen.add(variantId)
  }
}

export type Line = { id: string; variantId: string; qty: number; receivedQty: number; cost: number }
export type ReceiveRow = { itemId?: string; variantId?: string; qty: number }

/**
 * The line of the order that each row receives, in row order (B-purchase-4). Rows may share a line (two batches), and
 * together may not exceed what is outstanding. 422 for a row that names no line, or too much of one.
 */
export function linesOf<L extends Line>(lines: readonly L[], rows: readonly ReceiveRow[]): L[] {
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

function lineOf<L extends Line>(lines: readonly L[], { itemId, variantId }: ReceiveRow, index: number): L {
  if (itemId === undefined && variantId === undefined)
    throw invalid(`items[${index}].itemId`, 'Say which line was received: itemId or variantId')
  const line = lines.find((each) =>
    itemId === undefined ? each.variantId === variantId : each.id === itemId,
  )
  if (!line)
    throw invalid(
      `items[${index}].${itemId === undefined ? 'variantId' : 'itemId'}`,
      'This is not on the order',
    )
  if (variantId !== undefined && line.variantId !== variantId)
    throw invalid(`items[${index}].variantId`, 'This variant is not the one on the line that itemId names')
  return line
}

/** RECEIVED once nothing is outstanding. */
export const statusAfter = (lines: readonly { qty: number; receivedQty: number }[]): OrderStatus =>
  lines.every((line) => line.receivedQty === line.qty) ? 'RECEIVED' : 'PARTIALLY_RECEIVED'
