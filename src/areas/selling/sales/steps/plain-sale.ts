import type { Scope } from '../../../../platform/scope.ts'
import { isForKitchen } from '../../../dining/printers/index.ts'
import type { Warning } from '../../promotions/index.ts'
import type { NewSale } from '../store/fresh.ts'
import { isApprovalNeeded } from './approve-sale.ts'
import { newSale } from './new-sale.ts'
import { plainGoods } from './plain-goods.ts'
import type { PricedSale } from './price-sale.ts'

/** The sale ready for one statement, completed or held as a bill; null if it needs locks. */
export function plainSale(
  scope: Scope,
  { sale, context, outlet, pricer, day, warnings }: PricedSale,
  notDone: readonly Warning[],
): NewSale | null {
  const ownShift = sale.shiftId === context.openShiftId
  const paidAtOnce = sale.payments.every(
    ({ method, status }) => method !== 'GIFT_CARD' && method !== 'CREDIT' && status !== 'PENDING',
  )
  const plain = plainGoods(sale.items, context.sellables)
  if (!plain || !ownShift || !paidAtOnce || sale.customerId !== null) return null
  if (isApprovalNeeded(scope, sale, pricer.unitPriceOf)) return null
  // Its slips are rows of the same transaction.
  if (isForKitchen(sale, sale.around.stationPrinters)) return null
  const completes = sale.status === 'COMPLETED'
  if (completes ? context.negativeStock === 'BLOCK' : sale.tableId !== null) return null
  const payments = sale.payments.map((payment) =>
    payment.status === 'PAID' ? { ...payment, shiftId: context.openShiftId } : payment,
  )
  const booked = { ...sale, items: completes ? plain.items : sale.items, payments }
  return {
    ...newSale(scope, booked, day, warnings.length === 0 ? notDone : [...notDone, ...warnings]),
    goods: plain.goods,
    moves: completes ? plain.moves : [],
    warnings: null,
    guardShiftId: context.openShiftId,
    seen: { outlet: outlet.seen, policy: context.policySeen },
    isFollowed: context.isFollowed,
  }
}
