// Rows that no request wrote: what would take too long to sell, or what no request leaves behind.

import { debitGiftCard } from '../../src/areas/selling/gift-cards/index.ts'
import { shareBookingShift } from '../../src/areas/selling/shifts/index.ts'
import { newId } from '../../src/core/ids.ts'
import { type PaidTier, PLANS } from '../../src/core/plans.ts'
import { inTx, type Tx } from '../../src/platform/db/open.ts'
import type { Deps } from '../../src/platform/deps.ts'
import type { Scope } from '../../src/platform/scope.ts'
import type { Api } from './api.ts'
import { deps } from './service.ts'

type KitchenStatus = 'NEW' | 'PREPARING' | 'READY' | 'SERVED'

export type LineRow = {
  name?: string
  quantity?: number
  status?: KitchenStatus
  station?: string | null
  note?: string | null
  isActive?: boolean
  cancelledQty?: number
}
export type SaleRow = {
  outletId: string
  tableId?: string | null
  orderType?: 'DINE_IN' | 'TAKEAWAY' | 'DELIVERY' | null
  status?: 'PARKED' | 'COMPLETED' | 'VOIDED'
  note?: string | null
  total?: number
  paidTotal?: number
  lines?: LineRow[]
  createdAt?: string
}
export type MadeSale = { id: string; number: string; itemIds: string[] }

/** A sale written directly, as the sales area leaves it in the books: for tests of what only reads or cooks it. */
export async function insertSale(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { workspace: { accountId } }: Pick<Api, 'workspace'>,
  sale: SaleRow,
): Promise<MadeSale> {
  const lines = sale.lines ?? [{}]
  const { outletId, orderType = 'DINE_IN', status = 'PARKED', total = 10_000 } = sale
  const createdAt = sale.createdAt ?? clock.now()
  const stamps = { createdAt, updatedAt: createdAt }
  const paidTotal = status === 'COMPLETED' ? total : (sale.paidTotal ?? 0)
  const id = newId('sale')
  const number = `261121-${id.slice(-4)}`
  const money = { discountTotal: 0, orderDiscount: 0, taxTotal: 0, deliveryFee: 0, changeTotal: 0 }
  const active = lines.filter((line) => line.isActive !== false)
  await db
    .insertInto('sales')
    .values({
      accountId,
      id,
      number,
      outletId,
      tableId: sale.tableId ?? null,
      orderType,
      status,
      note: sale.note ?? null,
      itemCount: active.length,
      subtotal: total,
      total,
      paidTotal,
      ...money,
      taxRateBps: 0,
      taxInclusive: false,
      deliveryDraft: null,
      kitchenOpen:
        orderType !== null && status !== 'VOIDED' && active.some((line) => line.status !== 'SERVED'),
      cashierId: 'usr_00000000000000000000000000',
      completedAt: status === 'COMPLETED' ? createdAt : null,
      ...stamps,
    })
    .execute()
  const variant = await insertVariant({ db, clock }, accountId)
  const itemIds = lines.map(() => newId('saleItem'))
  await db
    .insertInto('saleItems')
    .values(
      lines.map((line, position) => ({
        accountId,
        saleId: id,
        id: itemIds[position] ?? '',
        position,
        ...variant,
        productName: line.name ?? 'Kopi Susu',
        variantName: 'Default',
        sku: null,
        quantity: line.isActive === false ? 0 : (line.quantity ?? 1),
        unitPrice: 10_000,
        modifiers: JSON.stringify([]),
        discount: 0,
        orderDiscountShare: 0,
        taxAmount: 0,
        lineTotal: 10_000,
        note: line.note ?? null,
        station: line.station ?? null,
        kitchenStatus: line.status ?? ('NEW' as const),
        isActive: line.isActive ?? true,
        cancelledQty: line.cancelledQty ?? 0,
        components: null,
        batches: null,
        ...stamps,
      })),
    )
    .execute()
  return { id, number, itemIds }
}

/** A product with one variant, written directly: what a line must refer to. */
async function insertVariant(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  accountId: string,
): Promise<{ variantId: string; productId: string }> {
  const stamps = { createdAt: clock.now(), updatedAt: clock.now() }
  const productId = newId('product')
  const variantId = newId('variant')
  await db
    .insertInto('products')
    .values({ accountId, id: productId, name: 'Kopi Susu', ...stamps })
    .execute()
  await db
    .insertInto('variants')
    .values({ accountId, id: variantId, productId, price: 10_000, ...stamps })
    .execute()
  return { variantId, productId }
}

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

/** A session that the workspace opened for 30 days of a plan, at its price in rupiah. */
export const insertCheckout = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { workspace: { accountId } }: Pick<Api, 'workspace'>,
  sessionId: string,
  tier: PaidTier,
) =>
  db
    .insertInto('billingCheckouts')
    .values({
      accountId,
      sessionId,
      tier,
      currency: 'IDR',
      amount: PLANS[tier].prices.IDR,
      expiresAt: clock.now(),
      createdAt: clock.now(),
      checkAt: null,
    })
    .execute()
