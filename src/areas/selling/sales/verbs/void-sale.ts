import type { Tx } from '../../../../platform/db/open.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { reverseForSale } from '../../customers/index.ts'
import { requireVoidable } from '../rules/state.ts'
import { refundStatusOf } from '../sale/facts.ts'
import { lockSale, withSaleOnConflict } from '../sale/load.ts'

import type { SaleAnswer } from '../schema.ts'
import { returnStock, shareReturning } from '../steps/return-stock.ts'
import { reversePayments, storeReversal } from '../steps/reverse-sale.ts'

/** Takes a completed sale back whole: money by its own methods, goods to stock, points reversed (B-void-1). */
export async function voidSale(tx: Tx, scope: Scope, id: string, reason: string | null): Promise<SaleAnswer> {
  const before = await lockSale(tx, scope, id)
  return withSaleOnConflict(before, async () => {
    requireVoidable({ status: before.status, refundStatus: refundStatusOf(before) })
    const leaving = before.items
      .filter((item) => item.isActive)
      .map((item) => ({ item, qty: item.quantity - item.restockedQty }))
    const returning = await shareReturning(tx, scope, before, {
      items: leaving,
      type: 'VOID',
      refundId: null,
    })
    const reversal = await reversePayments(tx, scope, before, 'VOID', reason)
    if (before.customerId !== null) {
      const { customerId, pointsEarned: points, total: spent } = before
      await reverseForSale(tx, scope, { customerId, saleId: id, refundId: null, points, spent, visits: 1 })
    }
    const { items, warnings } = await returnStock(tx, scope, before, returning)
    const { sale } = await storeReversal(tx, scope, before, { ...before, items }, reversal, reason)
    return { sale, stockWarnings: warnings }
  })
}
