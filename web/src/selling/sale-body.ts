import type { Outlet, SaleCreate } from 'kasir-client'
import type { Cart, CartLine } from './cart.ts'
import { type CartTotals, lineDiscountOf } from './cart-totals.ts'
import type { Tender } from './tender.ts'

const goodsOf = ({ variantId, name, pack }: CartLine) => {
  if (variantId === null) return { name }
  return pack ? { variantId, packId: pack.id } : { variantId }
}

/** An item that left its pack says so. */
const packOf = ({ itemId, variantId, pack }: CartLine) =>
  itemId === null || variantId === null ? {} : { packId: pack?.id ?? null }

/** A new line says the price of its label only if it has one; an item that lost its label says so. */
const labelOf = ({ itemId, soldBy, labelPrice = null }: CartLine) =>
  labelPrice !== null || (itemId !== null && soldBy === 'WEIGHT') ? { labelPrice } : {}

const itemOf = (line: CartLine) => ({
  quantity: line.quantity,
  // The price that the customer saw, even if the catalogue changed meanwhile.
  unitPrice: line.unitPrice,
  ...labelOf(line),
  discount: lineDiscountOf(line),
  modifiers: line.modifiers.map(({ modifierId, name, price }) => ({ modifierId, name, price })),
  note: line.note === '' ? null : line.note,
})

const headOf = (cart: Cart, totals: CartTotals) => ({
  customerId: cart.customer?.id ?? null,
  orderType: cart.orderType,
  ...(cart.channel === null && cart.bill === null ? {} : { channel: cart.channel }),
  orderDiscount: totals.orderDiscount,
  note: cart.note === '' ? null : cart.note,
  ...(cart.table === null ? {} : { tableId: cart.table.id }),
})

const paymentOf = ({ method, amount, tendered, reference, dueDate }: Tender) => ({
  method,
  amount,
  ...(tendered === null ? {} : { tendered }),
  ...(reference === '' ? {} : { reference }),
  ...(dueDate && { dueDate }),
})

/** The body that sells the cart, or holds it as an open bill when there are no tenders. */
export const saleBody = (
  outletId: string,
  cart: Cart,
  totals: CartTotals,
  tenders: readonly Tender[] | null,
) => ({
  outletId,
  ...headOf(cart, totals),
  items: cart.lines.map((line) => ({
    ...goodsOf(line),
    ...itemOf(line),
    ...(line.kitchenPrinted && { kitchenPrinted: line.kitchenPrinted }),
  })),
  ...(tenders === null
    ? { status: 'PARKED' as const }
    : { status: 'COMPLETED' as const, payments: tenders.map(paymentOf) }),
})

/** The body that writes the cart into the open bill that it came from. */
export const billBody = (cart: Cart, totals: CartTotals) => ({
  ...headOf(cart, totals),
  items: cart.lines.map((line) => ({
    ...(line.itemId === null ? {} : { id: line.itemId }),
    ...goodsOf(line),
    ...packOf(line),
    ...itemOf(line),
  })),
})

export const settleBody = (tenders: readonly Tender[]) => ({ payments: tenders.map(paymentOf) })

/** The money fields of an outlet: a sale made without the service is computed by those that the till knew. */
const TERMS = [
  'taxRateBps',
  'taxInclusive',
  'serviceChargeBps',
  'serviceChargeOrderTypes',
  'serviceChargeBase',
  'serviceChargeTaxable',
  'cashRounding',
] as const
export const termsOf = (outlet: Outlet): NonNullable<SaleCreate['offline']>['terms'] =>
  Object.fromEntries(
    TERMS.flatMap((name) => {
      const value = (outlet as Readonly<Record<string, unknown>>)[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )

type OwnSale = { cart: Cart; totals: CartTotals; tenders: readonly Tender[] }
type Receipt = { ref: string; soldAt: string; soldBy: string }

/** The printed promotions of a line, even if they changed meanwhile. */
const printedPromotions = ({ promotions, parts }: CartTotals, place: number) =>
  promotions.length === 0 ? {} : { promotions: (parts[place] ?? []).map((part) => ({ ...part })) }

/** The body of an offline sale of this device (B-offline-1), with its printed figures. */
export const offlineBody = (
  outlet: Outlet,
  { cart, totals, tenders }: OwnSale,
  { ref, soldAt, soldBy }: Receipt,
): SaleCreate => ({
  ...saleBody(outlet.id, cart, totals, tenders),
  items: cart.lines.map((line, place) => ({
    ...goodsOf(line),
    ...itemOf(line),
    ...printedPromotions(totals, place),
    // The rate that was printed, even if the catalogue changed meanwhile.
    taxRateBps: line.taxRateBps ?? null,
  })),
  offline: { ref, soldAt, soldBy, terms: termsOf(outlet), printedTotal: totals.total },
})
