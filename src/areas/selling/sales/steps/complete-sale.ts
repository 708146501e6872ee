/**
 * What completing a sale does, called directly and in visible order inside the sale's own transaction (contract S3).
 * Every path here takes its locks in the order of the house (ARCHITECTURE.md, "Locks are taken in one order").
 */
import { assert } from '../../../../core/assert.ts'
import type { Tx } from '../../../../platform/db/open.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { earnForSale } from '../../customers/index.ts'
import { eligibleOf } from '../rules/totals.ts'
import { derived } from '../sale/facts.ts'
import type { Bill } from '../sale/types.ts'
import type { StockWarning } from '../schema.ts'
import type { Context } from '../store/context.ts'
import { takeStock } from './take-stock.ts'

/**
 * Completes a bill that is paid in full: its customer is credited, its goods are taken, its PENDING tenders have failed
 * (contract 7.6). The caller stores the bill it gets back.
 */
export async function completeSale(
  tx: Tx,
  scope: Scope,
  bill: Bill,
  context: Context,
): Promise<{ bill: Bill; warnings: StockWarning[] }> {
  assert(bill.paidTotal === bill.total, 'a completed sale is paid in full')
  const loyalty = bill.customerId === null ? {} : await credit(tx, scope, bill, bill.customerId)
  const { items, warnings } = await takeStock(tx, scope, bill, context)
  const byId = new Map(items.map((item) => [item.id, item]))
  const completed = derived({
    ...bill,
    ...loyalty,
    status: 'COMPLETED',
    completedAt: scope.now,
    items: bill.items.map((item) => byId.get(item.id) ?? item),
    payments: bill.payments.map((tender) =>
      tender.status === 'PENDING' ? { ...tender, status: 'FAILED' as const, updatedAt: scope.now } : tender,
    ),
  })
  return { bill: completed, warnings }
}

async function credit(tx: Tx, scope: Scope, bill: Bill, customerId: string) {
  const earned = await earnForSale(tx, scope, {
    customerId,
    saleId: bill.id,
    eligible: eligibleOf(bill),
    total: bill.total,
  })
  return { pointsEarned: earned.pointsEarned, loyaltyRupiahPerPoint: earned.rupiahPerPoint }
}
