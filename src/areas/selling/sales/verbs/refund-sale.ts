import { newId } from '../../../../core/ids.ts'
import { sum } from '../../../../core/money.ts'
import { spendApproval } from '../../../../platform/auth/approvals.ts'
import type { Tx } from '../../../../platform/db/open.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { type ChargeShare, reverseCredit, shareOverCharges } from '../../customer-credit/index.ts'
import { returnForSale, reverseForSale } from '../../customers/index.ts'
import { creditGiftCard, issueStoreCredit } from '../../gift-cards/index.ts'
import { endPromotion, redemptionOf } from '../../promotions/index.ts'
import { shareBookingShift } from '../../shifts/index.ts'
import {
  decideRefund,
  pointsReturned,
  type RefundParts,
  refundable,
  requireRoomForRefund,
} from '../decide/refund.ts'
import { pointsOfRefund } from '../rules/loyalty.ts'
import { payoutOf, planRefund } from '../rules/refundable.ts'
import { refundStatusOf } from '../sale/facts.ts'
import { lockSale, withSaleOnConflict } from '../sale/load.ts'

import type { Sale } from '../sale/types.ts'
import type { RefundIn, SaleView, StockWarning } from '../schema.ts'
import { lockOpenCredit } from '../steps/charge-credit.ts'
import { requireItemsExist } from '../steps/check-body.ts'
import { movePoints } from '../steps/move-points.ts'
import { returnStock, shareReturning } from '../steps/return-stock.ts'
import { writeLocked } from '../store/write.ts'

export type StoreCredit = { id: string; code: string; balance: number }

export type RefundAnswer = {
  sale: SaleView
  refundId: string
  giftCard: StoreCredit | null
  stockWarnings: StockWarning[]
}

/**
 * Refunds a completed sale, in several refunds until nothing is left (B-refund-1, B-refund-2). Shares of gift cards
 * return to their cards; the rest is cash, another method, or one new store credit. Goods return to stock
 * if the body says `restock`.
 */
export async function refundSale(tx: Tx, scope: Scope, id: string, body: RefundIn): Promise<RefundAnswer> {
  const before = await lockSale(tx, scope, id)
  return withSaleOnConflict(before, async () => {
    await requireItemsExist(tx, scope, before, body)
    const plan = planRefund(refundable(before), body)
    requireRoomForRefund(before, plan)
    const approvedBy = await spendApproval(tx, scope, 'refund', id)
    const refundId = newId('refund')
    const credit = await lockOpenCredit(tx, scope, before)
    const quantities = new Map(plan.restockLines.map((line) => [line.id, line.qty]))
    const items = before.items.map((item) => ({ item, qty: quantities.get(item.id) ?? 0 }))
    const returning = await shareReturning(tx, scope, before, { items, type: 'REFUND', refundId })
    const taken = shareOverCharges(credit, plan.amount)
    const { payout, cards } = await payOut(tx, scope, before, { plan, body, refundId, taken })
    const toStoreCredit = sum(
      payout.payouts.flatMap(({ method, amount }) => (method === 'STORE_CREDIT' ? [amount] : [])),
    )
    const giftCard =
      toStoreCredit > 0
        ? await issueStoreCredit(tx, scope, {
            amount: toStoreCredit,
            customerId: before.customerId,
            refundId,
          })
        : null
    await reverseCredit(tx, scope, taken, { saleId: id, refundId, outletId: before.outletId })
    await reversePoints(tx, scope, before, { plan, refundId })
    const back = await returnStock(tx, scope, before, returning)
    const shiftId = await shareBookingShift(tx, scope, {
      outletId: before.outletId,
      saleShiftId: before.shiftId,
    })
    const parts = { plan, payout, cards, refundId, shiftId, giftCard, body, approvedBy }
    const { change, sale } = decideRefund(scope, { ...before, items: back.items }, before, parts)
    await writeLocked(tx, [change])
    if (refundStatusOf(change.after) === 'FULL') await endPromotion(tx, scope, change.after, 'released')
    return { sale, refundId, giftCard, stockWarnings: back.warnings }
  })
}

/** Credits the cards that paid; the share of a card that was voided meanwhile is paid out as cash (B-card-5). */
async function payOut(
  tx: Tx,
  scope: Scope,
  sale: Sale,
  {
    plan,
    body,
    refundId,
    taken,
  }: Pick<RefundParts, 'plan' | 'body' | 'refundId'> & { taken: readonly ChargeShare[] },
) {
  const payments = sale.payments
    .filter((payment) => payment.status === 'PAID' && payment.applied)
    .map((payment) => ({
      paymentId: payment.id,
      method: payment.method,
      amount: payment.amount,
      refundedAmount: payment.refundedAmount,
    }))
  const wish = {
    amount: plan.amount,
    refundToStoreCredit: body.refundToStoreCredit ?? false,
    credit: creditByPayment(taken),
    ...(body.method === undefined ? {} : { method: body.method }),
  }
  const cardOf = new Map(sale.payments.map((payment) => [payment.id, payment.giftCardId]))
  const wanted = payoutOf({ ...wish, payments })
  const cards = new Map<string, string>()
  const voided = new Set<string>()
  const toCards = wanted.payouts
    .flatMap(({ paymentId, amount, method }) => {
      const giftCardId = paymentId === null || method !== 'GIFT_CARD' ? null : cardOf.get(paymentId)
      return giftCardId && paymentId !== null ? [{ paymentId, giftCardId, amount }] : []
    })
    .toSorted((a, b) => (a.giftCardId < b.giftCardId ? -1 : 1))
  for (const { paymentId, giftCardId, amount } of toCards) {
    const credited = await creditGiftCard(tx, scope, { giftCardId, amount, saleId: sale.id, refundId })
    if (credited) cards.set(paymentId, giftCardId)
    else voided.add(paymentId)
  }
  const flagged = payments.map((payment) => ({ ...payment, cardVoided: voided.has(payment.paymentId) }))
  return { cards, payout: voided.size === 0 ? wanted : payoutOf({ ...wish, payments: flagged }) }
}

function creditByPayment(taken: readonly ChargeShare[]) {
  const byPayment = new Map<string, number>()
  for (const { paymentId, taken: amount } of taken) {
    if (paymentId !== null) byPayment.set(paymentId, (byPayment.get(paymentId) ?? 0) + amount)
  }
  return [...byPayment].map(([paymentId, amount]) => ({ paymentId, amount }))
}

async function reversePoints(
  tx: Tx,
  scope: Scope,
  sale: Sale,
  { plan, refundId }: Pick<RefundParts, 'plan' | 'refundId'>,
) {
  const redemption = await redemptionOf(tx, scope, sale)
  const { id: saleId, customerId } = sale
  const returned = redemption ? pointsReturned(sale, plan, redemption.points) : 0
  await movePoints([
    customerId === null
      ? null
      : {
          customerId,
          write: () => {
            const points = pointsOfRefund(sale, plan.split.goods)
            const spent = plan.amount
            return reverseForSale(tx, scope, { customerId, saleId, refundId, points, spent, visits: 0 })
          },
        },
    redemption && returned > 0
      ? {
          customerId: redemption.customerId,
          write: () =>
            returnForSale(tx, scope, {
              customerId: redemption.customerId,
              saleId,
              refundId,
              points: returned,
            }),
        }
      : null,
  ])
}
