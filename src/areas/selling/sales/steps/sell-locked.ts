import { ApiError } from '../../../../core/errors.ts'
import type { Tx } from '../../../../platform/db/open.ts'
import type { Deps } from '../../../../platform/deps.ts'
import { Errand } from '../../../../platform/http/errands.ts'
import { type IdempotencyKey, type Reply, runWrite } from '../../../../platform/http/idempotency.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { shareVariants } from '../../../catalogue/products/index.ts'
import { type Customer, shareActiveCustomer } from '../../customers/index.ts'
import { readVouchers } from '../../pricing/index.ts'
import {
  type Offer,
  promoDiscountOf,
  redemptionOffered,
  settleOffer,
  type Warning,
  warningsOf,
} from '../../promotions/index.ts'
import { booked } from '../decide/payment.ts'
import { decideSale } from '../decide/sale.ts'
import { touchBoards } from '../sale/boards.ts'
import type { Sale } from '../sale/types.ts'
import type { NewSaleAnswer, SaleIn } from '../schema.ts'
import { readContext } from '../store/context.ts'
import { writeLocked } from '../store/write.ts'
import { approveSale } from './approve-sale.ts'
import { onePendingReference, shareShifts } from './book-payments.ts'
import { chargeCards } from './charge-cards.ts'
import { chargeCredits } from './charge-credit.ts'
import { checkAndPrice, goodsInBody } from './check-sale.ts'
import { completeSale } from './complete-sale.ts'
import { printedBefore, sendToKitchen } from './send-to-kitchen.ts'

/** Writes a new sale of any kind in one transaction that takes its locks first. */
export const sellLocked = (
  { deps, idem }: { deps: Deps; idem: IdempotencyKey | null },
  scope: Scope,
  body: SaleIn,
  promotion: Offer | readonly Warning[],
): Promise<Reply> =>
  runWrite(deps, scope, idem, async (tx) => ({
    status: 201,
    value: await write(tx, scope, body, promotion),
    secret: false,
  }))

/**
 * Locks in the house's order: its customer, variants, cards, the customer's balance, levels, shift, and the receipt counter
 * last.
 */
async function write(
  tx: Tx,
  scope: Scope,
  body: SaleIn,
  promotion: Offer | readonly Warning[],
): Promise<NewSaleAnswer> {
  const offer = 'id' in promotion ? promotion : null
  const notDone = 'id' in promotion ? warningsOf(promotion, 0) : promotion
  const goods = goodsInBody(body)
  const findCustomer = body.customerId ? await shareFirst(tx, scope, body.customerId) : null
  await shareVariants(tx, scope, goods.variantIds)
  const context = await readContext(tx, scope, goods)
  const { voucherCodes, customerId } = body
  const vouchers = await readVouchers(tx, scope, {
    codes: voucherCodes ?? [],
    customerId: customerId || null,
    pricing: context.pricing,
  })
  const priced = await checkAndPrice(tx, scope, body, {
    context,
    findCustomer,
    vouchers,
    promoDiscount: offer ? promoDiscountOf(offer) : 0,
  })
  const paramOf = (index: number, field: string) => `payments[${index}].${field}`
  const approve = (sold: Sale) =>
    approveSale(tx, scope, { after: sold, before: null }, priced.pricer.unitPriceOf)
  const debited = await chargeCards(tx, scope, priced.sale, paramOf).catch(async (error: unknown) => {
    // The partner debits the card next: not for a sale that needs an approval it does not have.
    if (error instanceof Errand) await approve(priced.sale)
    throw error
  })
  const bookCredits = await chargeCredits(tx, scope, debited, {
    paidBefore: new Set(),
    subjectId: null,
    paramOf,
  })
  const { sale, warnings: stockWarnings } =
    debited.status === 'COMPLETED'
      ? await completeSale(tx, scope, debited, {
          context: priced.context,
          redemption: offer && redemptionOffered(offer),
        })
      : { sale: debited, warnings: [] }
  const shifts = await shareShifts(tx, scope, sale)
  // Approvals come last: a sale that is refused anyway needs none (B-approval-2).
  const after = booked(await bookCredits(await approve(sale)), shifts)
  const change = decideSale(scope, after, {
    day: priced.day,
    stockWarnings,
    warnings: [...notDone, ...priced.warnings],
  })
  const [data = ''] = await onePendingReference(writeLocked(tx, [change]))
  if (offer) await settleOffer(tx, scope, offer, after)
  touchBoards(scope, after)
  const answer = JSON.parse(data) as NewSaleAnswer
  const stored = { ...after, number: answer.sale.number }
  await sendToKitchen(tx, scope, printedBefore(stored, body.items), stored)
  return answer
}

/** Shares the customer first. A refusal is thrown later, when the order of checks reaches the customer. */
export async function shareFirst(
  tx: Tx,
  scope: Scope,
  customerId: string,
  share: (tx: Tx, scope: Scope, customerId: string, param: string) => Promise<Customer> = shareActiveCustomer,
): Promise<() => Promise<Customer>> {
  const shared = share(tx, scope, customerId, 'customerId')
  await shared.catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error
  })
  return () => shared
}
