import type { Cart, CartLine } from './cart.ts'
import { type CartTotals, lineDiscountOf } from './cart-totals.ts'
import type { Tender } from './tender.ts'

const goodsOf = ({ variantId, name }: CartLine) => (variantId === null ? { name } : { variantId })

const itemOf = (line: CartLine) => ({
  quantity: line.quantity,
  // The price that the customer saw, even if the catalogue changed meanwhile.
  unitPrice: line.unitPrice,
  discount: lineDiscountOf(line),
  modifiers: line.modifiers.map(({ modifierId, name, price }) => ({ modifierId, name, price })),
  note: line.note === '' ? null : line.note,
})

const headOf = (cart: Cart, totals: CartTotals) => ({
  customerId: cart.customer?.id ?? null,
  orderType: cart.orderType,
  orderDiscount: totals.orderDiscount,
  note: cart.note === '' ? null : cart.note,
})

const paymentOf = ({ method, amount, tendered, reference }: Tender) => ({
  method,
  amount,
  ...(tendered === null ? {} : { tendered }),
  ...(reference === '' ? {} : { reference }),
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
  items: cart.lines.map((line) => ({ ...goodsOf(line), ...itemOf(line) })),
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
    ...itemOf(line),
  })),
})

export const settleBody = (tenders: readonly Tender[]) => ({ payments: tenders.map(paymentOf) })
