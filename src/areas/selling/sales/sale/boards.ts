import { type Scope, touchBoard } from '../../../../platform/scope.ts'
import type { Sale } from './types.ts'

type BoardFacts = Pick<Sale, 'outletId' | 'orderType' | 'tableId' | 'items'>

const isSeenByWaiters = (sale: BoardFacts) =>
  sale.items.some(
    (item) => item.isActive && (item.kitchenStatus === 'READY' || item.kitchenStatus === 'SERVED'),
  )

/**
 * Marks the boards that show the sale before or after a change; pass both states (B-live-2). The waiters' board
 * changes only with items that are ready or served, the floor only with a sale at a table.
 */
export function touchBoards(scope: Scope, ...sales: readonly BoardFacts[]) {
  for (const sale of sales) {
    const { outletId, orderType, tableId } = sale
    if (orderType !== null) touchBoard(scope, 'kds', outletId)
    if (orderType !== null && isSeenByWaiters(sale)) touchBoard(scope, 'serve', outletId)
    if (tableId !== null) touchBoard(scope, 'floor', outletId)
  }
}
