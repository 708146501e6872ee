import { type Scope, touchBoard } from '../../../../platform/scope.ts'
import type { Bill } from './types.ts'

type Seen = Pick<Bill, 'outletId' | 'orderType' | 'tableId' | 'items'>

const isSeenByWaiters = (bill: Seen) =>
  bill.items.some(
    (item) => item.isActive && (item.kitchenStatus === 'READY' || item.kitchenStatus === 'SERVED'),
  )

/**
 * Marks the boards on which a sale shows or showed; pass it as it was and as it is (contract 20.2). The waiters' board
 * changes only with lines that are ready or served, the floor only with a sale at a table.
 */
export function touchBoards(scope: Scope, ...bills: readonly Seen[]) {
  for (const bill of bills) {
    const { outletId, orderType, tableId } = bill
    if (orderType !== null) touchBoard(scope, 'kds', outletId)
    if (orderType !== null && isSeenByWaiters(bill)) touchBoard(scope, 'serve', outletId)
    if (tableId !== null) touchBoard(scope, 'floor', outletId)
  }
}
