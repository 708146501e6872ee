/**
 * The effects of completing a sale, called directly and in visible order inside its transaction (B-complete-1). Every
 * path here takes its locks in the one order (ARCHITECTURE.md, "Locks are taken in one order").
 */
import { assert } from '../../../../core/assert.ts'
import { eligibleOf } from '../../../../core/sale-totals.ts'
import type { Tx } from '../../../../platform/db/open.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { earnForSale, redeemForSale } from '../../customers/index.ts'
import { claimUses } from '../../pricing/index.ts'
import type { Redemption } from '../../promotions/index.ts'
import { completed } from '../decide/payment.ts'
import { mayCountUses } from '../sale/facts.ts'
import type { Sale } from '../sale/types.ts'
import type { StockWarning } from '../schema.ts'
import type { Context } from '../store/context.ts'
import { movePoints } from './move-points.ts'
import { takeStock } from './take-stock.ts'

type Completion = {
  context: Context
  /** The points that the sale redeems. */
  redemption: Redemption | null
  /** Whether the customer has paid already, at a partner or at an offline till: then no promotion may refuse the sale. */
  isPaidFor?: boolean
  /** When an offline sale was made; left out: now. */
  soldAt?: string
}

/**
 * Completes a bill that is paid in full: the points it redeems are booked, its customer is credited, its goods are
 * taken, its vouchers are used, its PENDING payments have failed (B-payment-6). The caller stores the returned sale.
 */
export async function completeSale(
  tx: Tx,
  scope: Scope,
  sale: Sale,
  { context, redemption, isPaidFor = false, soldAt = scope.now }: Completion,
): Promise<{ sale: Sale; warnings: StockWarning[] }> {
  assert(sale.paidTotal === sale.total, 'a completed sale is paid in full')
  const { id: saleId, customerId } = sale
  let loyalty = {}
  await movePoints([
    redemption && {
      customerId: redemption.customerId,
      write: () => redeemForSale(tx, scope, { ...redemption, saleId }),
    },
    customerId === null
      ? null
      : {
          customerId,
          write: async () => {
            loyalty = await credit(tx, scope, sale, { customerId, soldAt })
          },
        },
  ])
  await useVouchers(tx, scope, sale, isPaidFor)
  const { items, warnings } = await takeStock(tx, scope, sale, { context, soldAt })
  return { sale: completed(scope, { ...sale, ...loyalty }, items), warnings }
}

/** Counts the uses of vouchers and of promotions once per customer (B-promo-7). */
async function useVouchers(tx: Tx, scope: Scope, sale: Sale, isPaidFor: boolean) {
  if (!mayCountUses(sale)) return
  const { id: saleId, customerId, promotions, voucherCodes } = sale
  const promotionIds = (promotions ?? []).map(({ id }) => id)
  await claimUses(tx, scope, { saleId, customerId, promotionIds, codes: voucherCodes ?? [], isPaidFor })
}

async function credit(
  tx: Tx,
  scope: Scope,
  sale: Sale,
  { customerId, soldAt }: { customerId: string; soldAt: string },
) {
  const earned = await earnForSale(tx, scope, {
    customerId,
    saleId: sale.id,
    eligible: eligibleOf(sale),
    total: sale.total,
    soldAt,
  })
  return { pointsEarned: earned.pointsEarned, loyaltyRupiahPerPoint: earned.rupiahPerPoint }
}
