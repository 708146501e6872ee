import { debitGiftCard } from '../../src/areas/selling/gift-cards/index.ts'
import { shareBookingShift } from '../../src/areas/selling/shifts/index.ts'
import { newId } from '../../src/core/ids.ts'
import { inTx, type Tx } from '../../src/platform/db/open.ts'
import type { Scope } from '../../src/platform/scope.ts'
import { type Api, deps } from './api.ts'
import { insertSale, type SaleRow } from './make.ts'

export type BookedSale = { id: string; outletId: string; shiftId: string | null }
type Method = 'CASH' | 'QRIS' | 'VA' | 'CARD' | 'TRANSFER' | 'GIFT_CARD' | 'OTHER'

/** A sale of a shift, written directly as the sales area leaves it. */
export async function insertShiftSale(
  api: Api,
  sale: SaleRow & { shiftId: string | null; discountTotal?: number; taxTotal?: number },
): Promise<BookedSale> {
  const { shiftId, discountTotal = 0, taxTotal = 0, ...row } = sale
  const { id } = await insertSale(deps(), api, row)
  await deps()
    .db.updateTable('sales')
    .set((eb) => ({
      shiftId,
      discountTotal,
      orderDiscount: discountTotal,
      taxTotal,
      subtotal: eb('total', '+', discountTotal - taxTotal),
    }))
    .where('accountId', '=', api.workspace.accountId)
    .where('id', '=', id)
    .execute()
  return { id, outletId: row.outletId, shiftId }
}

type Tender = { method?: Method; amount: number; status?: 'PENDING' | 'PAID' | 'FAILED'; applied?: boolean }

/** Books a tender by the rule of the drawer, in a transaction of its own; answers the shift it went to. */
export const bookTender = (scope: Scope, sale: BookedSale, tender: Tender): Promise<string | null> =>
  inTx(deps().db, async (tx) => {
    const shiftId = await shareBookingShift(tx, scope, { outletId: sale.outletId, saleShiftId: sale.shiftId })
    await insertTender(tx, scope, sale, shiftId, tender)
    return shiftId
  })

export const insertTender = (
  tx: Tx,
  scope: Scope,
  sale: BookedSale,
  shiftId: string | null,
  { method = 'CASH', amount, status = 'PAID', applied = true }: Tender,
) =>
  tx
    .insertInto('payments')
    .values({
      accountId: scope.accountId,
      saleId: sale.id,
      id: newId('payment'),
      method,
      amount,
      status,
      applied,
      shiftId,
      createdAt: scope.now,
      updatedAt: scope.now,
    })
    .execute()

/** Books money given back by the rule of the drawer: a refund, a void or a discard. */
export const bookRefund = (
  scope: Scope,
  sale: BookedSale,
  tenders: { method: string; amount: number }[],
  kind: 'REFUND' | 'VOID' | 'DISCARD' = 'REFUND',
): Promise<string | null> =>
  inTx(deps().db, async (tx) => {
    const shiftId = await shareBookingShift(tx, scope, { outletId: sale.outletId, saleShiftId: sale.shiftId })
    const amount = tenders.reduce((total, tender) => total + tender.amount, 0)
    const id = newId('refund')
    const stamps = { createdAt: scope.now, updatedAt: scope.now }
    await tx
      .insertInto('refunds')
      .values({
        accountId: scope.accountId,
        id,
        saleId: sale.id,
        kind,
        amount,
        goods: amount,
        tax: 0,
        deliveryFee: 0,
        shiftId,
        actorId: scope.actor.id,
        ...stamps,
      })
      .execute()
    const rows = tenders.map((tender, position) => ({
      ...tender,
      accountId: scope.accountId,
      refundId: id,
      position,
    }))
    await tx.insertInto('refundTenders').values(rows).execute()
    return shiftId
  })

/** Debits a card for a tender of the sale and stores that tender, as a payment of the sale does. */
export async function payWithCard(
  tx: Tx,
  scope: Scope,
  saleId: string,
  { code, amount, param }: { code: string; amount: number; param: string },
) {
  const paymentId = newId('payment')
  const card = await debitGiftCard(tx, scope, { code, amount, saleId, paymentId, param })
  const stamps = { createdAt: scope.now, updatedAt: scope.now }
  const { giftCardId, masked: reference } = card
  await tx
    .insertInto('payments')
    .values({
      accountId: scope.accountId,
      saleId,
      id: paymentId,
      method: 'GIFT_CARD',
      amount,
      status: 'PAID',
      giftCardId,
      reference,
      ...stamps,
    })
    .execute()
  return card
}
