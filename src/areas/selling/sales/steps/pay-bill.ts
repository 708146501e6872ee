import type { Tx } from '../../../../platform/db/open.ts'
import { type Scope, touchBoard } from '../../../../platform/scope.ts'
import { shareVariants } from '../../../catalogue/products/index.ts'
import { endPromotion, redemptionOf } from '../../promotions/index.ts'
import { decidePayment, paidIds } from '../decide/payment.ts'
import { activeItems } from '../sale/facts.ts'
import type { Sale, SaleTransition } from '../sale/types.ts'
import type { SaleAnswer } from '../schema.ts'
import { type Context, readContext } from '../store/context.ts'
import { writeLocked } from '../store/write.ts'
import { onePendingReference, shareShifts } from './book-payments.ts'
import { chargeCards } from './charge-cards.ts'
import { chargeCredits } from './charge-credit.ts'
import { completeSale } from './complete-sale.ts'

/**
 * Debits cards, completes a covered sale, books the payments to their shift, and writes the sale with its events.
 */
export async function payBill(
  tx: Tx,
  scope: Scope,
  { before, after: paid }: SaleTransition,
  {
    completes,
    isPaidFor = false,
    paramOf,
  }: { completes: boolean; isPaidFor?: boolean; paramOf: (index: number, field: string) => string },
): Promise<SaleAnswer> {
  const context = completes ? await shareGoods(tx, scope, paid) : null
  const debited = await chargeCards(tx, scope, paid, paramOf)
  const bookCredits = await chargeCredits(tx, scope, debited, {
    paidBefore: paidIds(before),
    subjectId: before.id,
    paramOf,
  })
  const { sale: done, warnings } = context
    ? await completeSale(tx, scope, debited, {
        context,
        redemption: await redemptionOf(tx, scope, debited),
        isPaidFor,
      })
    : { sale: debited, warnings: [] }
  const shifts = await shareShifts(tx, scope, done)
  const paidFor = await bookCredits(done)
  const { change, sale } = decidePayment(scope, { before, after: paidFor }, shifts)
  const { after } = change
  await onePendingReference(writeLocked(tx, [change]))
  if (completes) await endPromotion(tx, scope, after, 'redeemed')
  if (after.tableId !== null) touchBoard(scope, 'floor', after.outletId)
  return { sale, stockWarnings: warnings }
}

/** Locks and reads the variants of the bill: the lock order puts them before gift cards and the customer. */
async function shareGoods(tx: Tx, scope: Scope, bill: Sale): Promise<Context> {
  const variantIds = [...new Set(activeItems(bill).flatMap(({ variantId }) => variantId ?? []))]
  await shareVariants(tx, scope, variantIds)
  return readContext(tx, scope, { outletId: bill.outletId, variantIds, modifierIds: [] })
}
