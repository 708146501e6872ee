import { useSession } from '../app/session.ts'
import { centered, localTime, type PaperRow, pair, receiptRows, slipsOf } from '../core-paper.ts'
import { type OutboxRow, soldAtOf } from '../offline/outbox-row.ts'
import { findOutlet, useShop } from '../offline/shop.ts'
import type { Cart, CartLine } from '../selling/cart.ts'
import { lineDiscountOf } from '../selling/cart-totals.ts'
import { stationOf } from '../selling/station.ts'

/** The papers of a sale that this device made: the service may not have it yet. */

/** The name by which the books call the only variant of a product. */
const ONLY_VARIANT = 'Default'

const outletOf = ({ body }: OutboxRow) => findOutlet(useShop.getState(), body.outletId)

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)

/** What an item is, for receipts and for the kitchen. */
const goodsOf = (line: CartLine) => ({
  id: String(line.key),
  isActive: true,
  productName: line.name,
  variantName: line.variantName || ONLY_VARIANT,
  quantity: line.quantity,
  pack: line.pack ?? null,
})

const itemsOf = ({ cart, body }: OutboxRow) =>
  cart.lines.map((line, place) => ({
    ...goodsOf(line),
    unitPrice: line.unitPrice,
    modifiers: line.modifiers,
    discount: lineDiscountOf(line),
    promotionShare: sum((body.items[place]?.promotions ?? []).map(({ amount }) => amount)),
    labelPrice: line.labelPrice ?? null,
    soldBy: line.soldBy ?? null,
  }))

/** What the customer handed over; the change is printed below. */
const paymentsOf = ({ tenders }: OutboxRow) =>
  tenders.map(({ method, amount, tendered, reference }) => ({
    method,
    status: 'PAID',
    applied: true,
    amount: tendered ?? amount,
    rounding: 0,
    change: 0,
    reference,
  }))

/** The charges of a row of an older version are unknown apart from its tax. */
const chargesOf = ({ receipt, body }: OutboxRow) => {
  const rateBps = body.offline?.terms.taxRateBps ?? 0
  return (
    receipt.charges ?? {
      orderDiscount: receipt.orderDiscount,
      promoDiscount: 0,
      serviceCharge: null,
      taxes: [{ rateBps, base: 0, tax: receipt.taxTotal }],
      deliveryFee: 0,
      taxLabel: null,
      taxInclusive: body.offline?.terms.taxInclusive ?? false,
    }
  )
}

function printedSale(row: OutboxRow) {
  const { cart, receipt } = row
  const items = itemsOf(row)
  const { orderDiscount, promoDiscount, ...charges } = chargesOf(row)
  const onLines = sum(items.map(({ discount, promotionShare }) => discount + promotionShare))
  const outlet = outletOf(row)
  return {
    ...charges,
    number: row.ref,
    status: 'COMPLETED',
    refundStatus: 'NONE',
    createdAt: soldAtOf(row),
    completedAt: soldAtOf(row),
    voidedAt: null,
    voidReason: null,
    outlet: {
      name: row.outletName,
      address: outlet?.address ?? null,
      phone: outlet?.phone ?? null,
      receiptHeader: outlet?.receiptHeader ?? null,
      receiptFooter: outlet?.receiptFooter ?? null,
    },
    orderType: cart.orderType,
    table: cart.table,
    customer: cart.customer,
    items,
    subtotal: receipt.subtotal,
    discountTotal: onLines + orderDiscount + promoDiscount,
    promoDiscount,
    discountCode: null,
    promotions: receipt.promotions ?? [],
    taxRateBps: row.body.offline?.terms.taxRateBps ?? 0,
    total: receipt.total,
    roundingTotal: receipt.rounding ?? 0,
    payments: paymentsOf(row),
    changeTotal: receipt.change,
    remaining: 0,
    refunds: [],
    refundedTotal: 0,
  }
}

/** The receipt of a sale of this device. It bears the reference of the till, and says that the number follows. */
export function ownReceiptRows(row: OutboxRow, language: 'id' | 'en'): PaperRow[] {
  const { settings } = useShop.getState()
  return receiptRows({
    sale: printedSale(row),
    business: {
      name: settings?.businessName ?? useSession.getState().account?.businessName ?? row.outletName,
      npwp: settings?.npwp ?? null,
      thanks: settings?.receiptThanks ?? null,
    },
    taxLabel: chargesOf(row).taxLabel ?? 'Pajak',
    timezone: outletOf(row)?.timezone ?? 'Asia/Jakarta',
    cashierName: row.seller.name || null,
    pointsKept: 0,
    logo: null,
    language,
    isProvisional: true,
  })
}

const kitchenLineOf = (line: CartLine) => ({
  ...goodsOf(line),
  soldBy: line.soldBy === 'WEIGHT' ? ('WEIGHT' as const) : null,
  modifiers: line.modifiers,
  note: line.note || null,
  station: stationOf(line),
  kitchenStatus: 'NEW',
})

/** The printed lines of a cart of an older version, which did not keep those that were removed. */
const printedLinesOf = ({ lines }: Cart): CartLine[] =>
  lines
    .map((line) => ({ ...line, quantity: line.kitchenPrinted ?? 0 }))
    .filter(({ quantity }) => quantity > 0)

type KitchenCart = { cart: Cart; number: string; time: string; outletId: string }

/**
 * Kitchen slips for a cart that was sold or held offline, of all stations: no other printer can be reached, and the service
 * prints none for an offline sale (B-print-2). Items that were printed before are left out, and removed ones are cancelled.
 */
export const ownSlips = (order: KitchenCart): PaperRow[][] =>
  changeSlips(order, order.cart.kitchenLines ?? printedLinesOf(order.cart), order.cart.lines).map((rows) => [
    centered('Dicetak kasir tanpa jaringan', true),
    ...rows,
  ])

/**
 * Kitchen slips that cancel lines which this till printed while it was offline and the cashier has removed since. The
 * service never had these lines, so it cannot cancel them.
 */
export function cancellationSlips(order: KitchenCart): PaperRow[][] {
  const { kitchenLines, lines } = order.cart
  const isKept = ({ key }: CartLine) =>
    lines.some((line) => line.key === key && (line.kitchenPrinted ?? 0) > 0)
  return changeSlips(order, kitchenLines?.filter((line) => !isKept(line)) ?? [], [])
}

function changeSlips(
  { cart, number, time, outletId }: KitchenCart,
  printed: readonly CartLine[],
  lines: readonly CartLine[],
): PaperRow[][] {
  const items = lines.map(kitchenLineOf)
  const order = {
    number,
    status: 'COMPLETED',
    orderType: cart.orderType,
    tableId: cart.table?.id ?? null,
    tableLabel: cart.table?.label ?? null,
    note: cart.note || null,
    items,
  }
  const known = printed.map(kitchenLineOf)
  const before = known.length === 0 ? null : { ...order, items: known }
  const names = [...known, ...items].flatMap(({ station }) => station ?? [])
  const timezone = findOutlet(useShop.getState(), outletId)?.timezone
  return slipsOf(before, order, Object.fromEntries(names.map((name) => [name, true]))).map(({ rows }) => [
    ...rows,
    pair('Waktu', localTime(time, timezone ?? 'Asia/Jakarta')),
  ])
}

/** The cart as the kitchen knows it now. */
export const markKitchenPrinted = (cart: Cart): Cart => ({
  ...cart,
  kitchenLines: cart.lines.filter((line) => stationOf(line) !== null),
  lines: cart.lines.map((line) =>
    stationOf(line) === null ? line : { ...line, kitchenPrinted: line.quantity },
  ),
})
