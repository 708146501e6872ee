import { spendApproval } from '../../../../platform/auth/approvals.ts'
import type { Tx } from '../../../../platform/db/open.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { returnForSale, reverseForSale } from '../../customers/index.ts'
import { returnUses } from '../../pricing/index.ts'
import { redemptionOf } from '../../promotions/index.ts'
import { requireVoidable } from '../rules/state.ts'
import { refundStatusOf } from '../sale/facts.ts'
import { lockSale, withSaleOnConflict } from '../sale/load.ts'

import type { Sale } from '../sale/types.ts'
import type { SaleAnswer } from '../schema.ts'
import { lockOpenCredit } from '../steps/charge-credit.ts'
import { movePoints } from '../steps/move-points.ts'
import { returnStock, shareReturning } from '../steps/return-stock.ts'
import { reversePayments, storeReversal } from '../steps/reverse-sale.ts'

/**
 * Voids a completed sale: money returns by its methods, goods return to stock, and points are reversed (B-void-1).
 */
export async function voidSale(tx: Tx, scope: Scope, id: string, reason: string | null): Promise<SaleAnswer> {
  const before = await lockSale(tx, scope, id)
  return withSaleOnConflict(before, async () => {
    requireVoidable({ status: before.status, refundStatus: refundStatusOf(before) })
    const approvedBy = await spendApproval(tx, scope, 'void', id)
    const credit = await lockOpenCredit(tx, scope, before)
    const leaving = before.items
      .filter((item) => item.isActive)
      .map((item) => ({ item, qty: item.quantity - item.restockedQty }))
    const returning = await shareReturning(tx, scope, before, {
      items: leaving,
      type: 'VOID',
      refundId: null,
    })
    const refund = await reversePayments(tx, scope, before, { kind: 'VOID', reason, credit })
    await reversePoints(tx, scope, before)
    if (before.promotions !== null) await returnUses(tx, scope, id)
    const { items, warnings } = await returnStock(tx, scope, before, returning)
    const taken = { ...before, items, approvedBy: approvedBy ?? before.approvedBy }
    const { sale } = await storeReversal(tx, scope, before, {
      taken,
      refund: refund && { ...refund, approvedBy },
      reason,
    })
    return { sale, stockWarnings: warnings }
  })
}

async function reversePoints(tx: Tx, scope: Scope, sale: Sale) {
  const redemption = await redemptionOf(tx, scope, sale)
  const { id: saleId, customerId, pointsEarned: points, total: spent } = sale
  const refundId = null
  await movePoints([
    customerId === null
      ? null
      : {
          customerId,
          write: () => reverseForSale(tx, scope, { customerId, saleId, refundId, points, spent, visits: 1 }),
        },
    redemption && {
      customerId: redemption.customerId,
      write: () => returnForSale(tx, scope, { ...redemption, saleId, refundId }),
    },
  ])
}
