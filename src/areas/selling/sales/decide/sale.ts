import { newId } from '../../../../core/ids.ts'
import { isForKitchen } from '../../../../core/paper/kitchen-slips.ts'
import type { Scope } from '../../../../platform/scope.ts'
import type { Warning } from '../../promotions/index.ts'
import { isApprovalNeeded } from '../rules/approvals.ts'
import type { Sale } from '../sale/types.ts'
import { saleView } from '../sale/view.ts'
import type { StockWarning } from '../schema.ts'
import type { SaleChange } from '../store/change.ts'
import { openingEvents } from './events.ts'
import { plainGoods } from './plain-goods.ts'
import type { PricedSale } from './price-sale.ts'

type NewSale = {
  day: string
  /** Warnings about goods that the caller has taken from stock. */
  stockWarnings?: readonly StockWarning[]
  warnings?: readonly Warning[]
}

/** A new sale whose locks the caller holds. */
export function decideSale(
  scope: Scope,
  sale: Sale,
  { day, stockWarnings = [], warnings = [] }: NewSale,
): SaleChange {
  // Only the write knows the number. The placeholder is a new ULID, which no field of a client can contain.
  const placeholder = newId('request')
  const view = saleView({ ...sale, number: placeholder })
  return {
    scope,
    before: null,
    after: sale,
    number: { day, placeholder },
    movements: [],
    events: openingEvents(scope, sale, view),
    guards: [],
    seen: null,
    reply: {
      sale: JSON.stringify(view),
      stockWarnings: JSON.stringify(stockWarnings),
      warnings: JSON.stringify(warnings),
    },
    idempotency: null,
  }
}

/** A new sale for one statement that proves what was read, completed or held as a bill; null if it needs locks. */
export function decidePlainSale(
  scope: Scope,
  { sale, context, outlet, pricer, day, warnings }: PricedSale,
  { notDone, idempotency }: { notDone: readonly Warning[]; idempotency: SaleChange['idempotency'] },
): SaleChange | null {
  const { openShiftId: shiftId } = context
  const paidNow = sale.payments.every(
    ({ method, status }) => method !== 'GIFT_CARD' && method !== 'CREDIT' && status !== 'PENDING',
  )
  const plain = plainGoods(sale.items, context.sellables)
  if (!plain || sale.shiftId !== shiftId || !paidNow || sale.customerId !== null) return null
  if (isApprovalNeeded(scope, sale, pricer.unitPriceOf)) return null
  // Its slips are rows of the same transaction.
  if (isForKitchen(sale, sale.around.stationPrinters)) return null
  const completes = sale.status === 'COMPLETED'
  if (completes ? context.negativeStock === 'BLOCK' : sale.tableId !== null) return null
  const payments = sale.payments.map((payment) =>
    payment.status === 'PAID' ? { ...payment, shiftId } : payment,
  )
  const booked = { ...sale, items: completes ? plain.items : sale.items, payments }
  const decided = decideSale(scope, booked, { day, warnings: [...notDone, ...warnings] })
  return {
    ...decided,
    movements: completes ? plain.moves : [],
    guards: shiftId === null ? [] : [shiftId],
    seen: {
      goods: plain.goods,
      sale: null,
      outlet: outlet.seen,
      policy: context.policySeen,
      shiftId,
      isFollowed: context.isFollowed,
    },
    reply: decided.reply && { ...decided.reply, stockWarnings: null },
    idempotency,
  }
}
