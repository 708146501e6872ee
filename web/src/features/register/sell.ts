import type { Outlet, Settings } from 'kasir-client'
import { isOnline } from '../../app/line.ts'
import type { Member } from '../../app/session.ts'
import { clockOffset, serverNow } from '../../offline/clock.ts'
import { addRow } from '../../offline/outbox.ts'
import type { OutboxRow } from '../../offline/outbox-row.ts'
import { useShop } from '../../offline/shop.ts'
import type { Cart } from '../../selling/cart.ts'
import type { useCart } from '../../selling/cart-store.ts'
import { type CartTotals, grossOf, lineDiscountOf } from '../../selling/cart-totals.ts'
import { chargesOf } from '../../selling/charge-rows.ts'
import type { Correction } from '../../selling/correction.ts'
import { offlineBody } from '../../selling/sale-body.ts'
import { hasKitchenGoods } from '../../selling/station.ts'
import { isOnlyAtService, type Tender } from '../../selling/tender.ts'

const WHOLE_BPS = 10_000

/** Whether the discounts of a cart need an approval. */
function isAboveLimit(cart: Cart, totals: CartTotals, limitBps: number | null): boolean {
  if (limitBps === null) return false
  const gross = cart.lines.reduce((total, line) => total + grossOf(line), 0)
  const discounts = cart.lines.reduce((total, line) => total + lineDiscountOf(line), totals.orderDiscount)
  return discounts * WHOLE_BPS > gross * limitBps
}

type Sale = { cart: Cart; totals: CartTotals; tenders: readonly Tender[] }

/**
 * Whether the service has to make a sale before the receipt: stock that may not go below zero, a discount that a manager
 * approves, goods that the kitchen has to see (B-offline-7). Offline, the till sells, and the service keeps the printed
 * figures (B-offline-6).
 */
function needsService({ cart, totals }: Sale, settings: Settings | null, member: Member): boolean {
  if (!isOnline() || settings === null) return false
  if (hasKitchenGoods(cart)) return true
  if (settings.negativeStock === 'BLOCK') return true
  if (member.role !== 'CASHIER') return false
  if (settings.approvals.openItem && cart.lines.some(({ variantId }) => variantId === null)) return true
  return settings.approvals.priceChange || isAboveLimit(cart, totals, settings.approvals.discountAboveBps)
}

/**
 * Whether this device makes the sale by itself, and sends it afterwards. Open bills, gift cards and credit need the service.
 * The correction of a sale that this device made replaces it in the outbox.
 */
export const canSellAlone = (
  sale: Sale & { correction: Correction | null },
  settings: Settings | null,
  member: Member,
): boolean =>
  sale.cart.bill === null &&
  !sale.tenders.some(({ method }) => isOnlyAtService(method)) &&
  (sale.correction !== null || !needsService(sale, settings, member))

/**
 * Whether only the service knows the total: the shop has a promotion that each customer may use once, and a device cannot
 * count uses (B-promo-8). Offline, and in the correction of a sale that left, the promotion does not apply.
 */
export function needsTotal({ bill, customer, attempt, correction }: ReturnType<typeof useCart.getState>) {
  if (bill !== null || customer === null || attempt !== null || correction !== null) return false
  const { promotions } = useShop.getState()
  return isOnline() && promotions?.promotions.some((each) => each.oncePerCustomer && each.isActive) === true
}

type OwnSale = Sale & {
  accountId: string
  outlet: Outlet
  member: Member
  key: string
  change: number
  correction: Correction | null
}

/** Writes the sale to disk: from here on it is made, whatever happens to page, device or line. */
export function sellAlone(own: OwnSale): Promise<OutboxRow> {
  const { accountId, outlet, member, key, cart, totals, tenders, change, correction } = own
  const seller = correction?.seller ?? { id: member.id, name: member.name ?? '' }
  const soldAt = correction?.soldAt ?? serverNow()
  const { promotions, subtotal, orderDiscount, taxTotal, total } = totals
  const rounding = tenders.reduce((sum, tender) => sum + (tender.rounding ?? 0), 0)
  return addRow(correction?.ref ?? null, (ref) => ({
    ref,
    accountId,
    seller,
    outletName: outlet.name,
    body: offlineBody(outlet, { cart, totals, tenders }, { ref, soldAt, soldBy: seller.id }),
    key,
    cart,
    tenders,
    receipt: {
      promotions,
      subtotal,
      orderDiscount,
      taxTotal,
      charges: chargesOf(totals, outlet),
      total,
      rounding,
      change,
    },
    state: 'waiting',
    problem: null,
    reason: null,
    tries: 0,
    ...(correction === null && { clockOffsetMs: clockOffset() }),
    dueMs: 0,
  }))
}
