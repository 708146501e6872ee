import type { Sale } from 'kasir-client'
import { itemGross, sum } from '../core.ts'
import { type BillPromotions, billPromotions } from './bill-promotions.ts'
import { goodsIn } from './quantity.ts'

/** What is being sold, and the changes a cashier makes to it. Pure: the store (cart-store.ts) keeps the result. */

export type CartModifier = { modifierId: string | null; name: string; price: number }
/** Rupiah, or basis points of the price it is taken from. */
export type Discount = { kind: 'amount'; value: number } | { kind: 'percent'; bps: number }
/** What a line counts instead of units: `factor` units of the variant each. */
export type CartPack = { id: string; name: string; factor: number }
export type CartLine = {
  /** Unique within this cart and never reused. */
  key: number
  /** The item of the open bill that this line is; null for a line that the bill does not hold yet. */
  itemId: string | null
  /** Null for an open item, which is not in the catalogue. */
  variantId: string | null
  productId: string | null
  name: string
  /** Empty if the product has one variant. */
  variantName: string
  /** The id of the pack, if the line has one. */
  unitPrice: number
  /** WEIGHT: the quantity is grams and the price is for a kilogram, unless the line has a pack. */
  soldBy?: 'UNIT' | 'WEIGHT'
  /** The price on the label of a scale: the line costs that. */
  labelPrice?: number | null
  /** The price of the catalogue, from which price lists set `unitPrice`; a line of a bill has none. */
  basePrice?: number | null
  /** The price list that set `unitPrice`. */
  priceListId?: string | null
  pack?: CartPack | null
  /** The tax rate of the goods; null means that of the outlet (B-tax-1). */
  taxRateBps: number | null
  quantity: number
  modifiers: readonly CartModifier[]
  discount: Discount | null
  note: string
  /** How many of them this till has printed for the kitchen while it was offline (B-print-11). */
  kitchenPrinted?: number
  /** When the item of the bill was ordered. */
  orderedAt?: string
}
/** Entered on this device: the service does not have the customer yet. `key` is the Idempotency-Key that creates it. */
export type NewCustomer = { id: null; key: string; name: string; phone: string | null }
export type KnownCustomer = {
  id: string
  name: string
  phone: string | null
  /** Absent if the groups are not known yet. */
  groupIds?: readonly string[]
  /** The credit limit of the customer when this device read it. */
  creditLimit?: number
}
export type CartCustomer = KnownCustomer | NewCustomer
export type CartTable = { id: string; label: string }
export type OrderType = 'DINE_IN' | 'TAKEAWAY' | 'DELIVERY'
/** The open bill that the cart was taken from: `version` is the one this device has seen. */
export type CartBill = {
  id: string
  number: string
  version: number
  paid: number
  deliveryFee: number
  promoDiscount: number
  /** The bill has no service charge although its outlet takes one for its order type (B-service-5). */
  isServiceWaived: boolean
  voucherCodes?: readonly string[]
  promotions?: BillPromotions
}
export type Cart = {
  lines: readonly CartLine[]
  selected: number | null
  orderDiscount: Discount | null
  customer: CartCustomer | null
  orderType: OrderType | null
  /** Where the order comes from, such as GOFOOD; null at the counter. */
  channel: string | null
  /** The name of the bill when it is held. */
  note: string
  /** Where the guests sit; null for a sale without a table. */
  table: CartTable | null
  bill: CartBill | null
  /** The lines as this till last printed them for the kitchen while it was offline. */
  kitchenLines?: readonly CartLine[] | null | undefined
}

export const EMPTY_CART: Cart = {
  lines: [],
  selected: null,
  orderDiscount: null,
  customer: null,
  orderType: null,
  channel: null,
  note: '',
  table: null,
  bill: null,
  kitchenLines: null,
}

/** The cart without the rest of its store. */
export const cartOf = (cart: Cart): Cart => {
  const { lines, selected, orderDiscount, customer, orderType, channel, note, table, bill, kitchenLines } =
    cart
  return { lines, selected, orderDiscount, customer, orderType, channel, note, table, bill, kitchenLines }
}

/** The cart as if this till had printed nothing of it for the kitchen. */
export const withoutKitchenMarks = (cart: Cart): Cart => ({
  ...cart,
  kitchenLines: null,
  lines: cart.lines.map((line) => ({ ...line, kitchenPrinted: 0 })),
})

/** The service takes no more (B-sale-4). */
export const MAX_QUANTITY = 100_000
export const MAX_LINES = 500

/**
 * The most that the goods of a cart may cost before discounts, in rupiah: with tax and service charge a sale then stays below the
 * largest total of the service (B-money-1).
 */
const MAX_GROSS = 250_000_000_000

/** Whether the cart has more lines, or its goods cost more, than the register sells at once. */
export function isTooLarge({ lines }: Pick<Cart, 'lines'>): boolean {
  if (lines.length > MAX_LINES) return true
  try {
    return sum(lines.map(itemGross)) > MAX_GROSS
  } catch {
    // The sum is no exact number any more.
    return true
  }
}

export type Goods = Omit<CartLine, 'key' | 'itemId' | 'quantity' | 'discount'>

const isSame = (line: CartLine, goods: Goods) =>
  line.variantId === goods.variantId &&
  // Open items have no variant: their name tells them apart.
  line.name === goods.name &&
  (line.pack?.id ?? null) === (goods.pack?.id ?? null) &&
  // An item of a bill keeps its price, so goods that cost another one now are a line of their own. On other lines a
  // price list may have set another price since their goods were added.
  (line.itemId === null
    ? (line.basePrice ?? line.unitPrice) === (goods.basePrice ?? goods.unitPrice)
    : line.unitPrice === goods.unitPrice) &&
  line.taxRateBps === goods.taxRateBps &&
  line.note === goods.note &&
  line.discount === null &&
  (line.labelPrice ?? null) === null &&
  JSON.stringify(line.modifiers) === JSON.stringify(goods.modifiers)

const bounded = (quantity: number) => Math.min(Math.max(1, Math.trunc(quantity)), MAX_QUANTITY)

/**
 * Adds goods: the same goods raise the quantity of their line, unless it would exceed what a line can hold. Others become a line
 * at the end.
 */
export function addGoods(cart: Cart, goods: Goods, quantity = 1): Cart {
  const known = cart.lines.find((line) => isSame(line, goods) && line.quantity + quantity <= MAX_QUANTITY)
  return known
    ? setQuantity({ ...cart, selected: known.key }, known.key, known.quantity + quantity)
    : addLine(cart, goods, quantity)
}

/** Adds goods as a line at the end. Each pack with the label of a scale is one. */
export function addLine(cart: Cart, goods: Goods, quantity: number): Cart {
  const key = Math.max(0, ...cart.lines.map((line) => line.key)) + 1
  const line: CartLine = { ...goods, key, itemId: null, quantity: bounded(quantity), discount: null }
  return { ...cart, lines: [...cart.lines, line], selected: key }
}

/** The cart without price lists: prices of a list become those of the catalogue; items of a bill keep theirs. */
export function atBasePrices(cart: Cart): Cart {
  const isListed = (line: CartLine) => line.itemId === null && line.basePrice != null && line.priceListId
  if (!cart.lines.some(isListed)) return cart
  return {
    ...cart,
    lines: cart.lines.map((line) =>
      isListed(line) ? { ...line, unitPrice: line.basePrice ?? line.unitPrice, priceListId: null } : line,
    ),
  }
}

type LineChange = Partial<Omit<CartLine, 'key' | 'itemId'>>

/** With another note or other modifiers a line is another order: the kitchen gets all of it. */
const isOtherOrder = (line: CartLine, { note = line.note, modifiers = line.modifiers }: LineChange) =>
  note !== line.note || JSON.stringify(modifiers) !== JSON.stringify(line.modifiers)

export const changeLine = (cart: Cart, key: number, change: LineChange): Cart => ({
  ...cart,
  lines: cart.lines.map((line) =>
    line.key === key
      ? { ...line, ...change, ...(isOtherOrder(line, change) && { kitchenPrinted: 0 }) }
      : line,
  ),
})

/** A quantity of 0 or less removes the line. */
export const setQuantity = (cart: Cart, key: number, quantity: number): Cart =>
  quantity < 1 ? removeLine(cart, key) : changeLine(cart, key, { quantity: bounded(quantity) })

export function removeLine(cart: Cart, key: number): Cart {
  const at = cart.lines.findIndex((line) => line.key === key)
  const lines = cart.lines.filter((line) => line.key !== key)
  const selected = cart.selected === key ? ((lines[at] ?? lines.at(-1))?.key ?? null) : cart.selected
  // Without goods nothing is left that a discount could lower.
  return { ...cart, lines, selected, orderDiscount: lines.length === 0 ? null : cart.orderDiscount }
}

type KeyedCart = Pick<Cart, 'lines' | 'bill'> & { key: string }

/** Whether goods were removed and can come back. A cart that was sold or held has another key; a split bill is another bill. */
export const isUndoable = (now: KeyedCart, before: KeyedCart): boolean =>
  now.lines.length < before.lines.length &&
  now.key === before.key &&
  (now.lines.length === 0 || now.bill === before.bill)

/** Moves the selection up (-1) or down (1), and stops at both ends. */
export function moveSelection(cart: Cart, step: 1 | -1): Cart {
  const at = cart.lines.findIndex((line) => line.key === cart.selected)
  const next = at === -1 ? cart.lines.at(step === 1 ? 0 : -1) : cart.lines[at + step]
  return next ? { ...cart, selected: next.key } : cart
}

export const countGoods = (cart: Pick<Cart, 'lines'>): number =>
  cart.lines.reduce((count, line) => count + goodsIn(line), 0)

/** What the register knows beside the bill: an edit takes the present tax rates and the present service charge. */
export type BillContext = {
  /** The present rate of a product; undefined if it is not on sale. */
  rateOf(productId: string): number | null | undefined
  isServiceCharged(orderType: OrderType | null): boolean
}

const rateOfItem = ({ productId, taxRateBps }: Sale['items'][number], { rateOf }: BillContext) => {
  const rate = productId === null ? undefined : rateOf(productId)
  return rate === undefined ? taxRateBps : rate
}

/** The cart that continues an open bill. Items that the kitchen has cancelled are no part of it. */
export function cartFromBill(sale: Sale, context: BillContext): Cart {
  const lines = sale.items
    .filter((item) => item.isActive)
    .map(
      (item, index): CartLine => ({
        key: index + 1,
        itemId: item.id,
        variantId: item.variantId,
        productId: item.productId,
        name: item.productName,
        variantName: item.variantName === 'Default' ? '' : item.variantName,
        unitPrice: item.unitPrice,
        priceListId: item.priceListId,
        taxRateBps: rateOfItem(item, context),
        quantity: item.quantity,
        soldBy: item.soldBy,
        pack: item.pack,
        labelPrice: item.labelPrice,
        modifiers: item.modifiers,
        discount: item.discount > 0 ? { kind: 'amount', value: item.discount } : null,
        note: item.note ?? '',
        orderedAt: item.createdAt,
      }),
    )
  const cart: Cart = {
    ...EMPTY_CART,
    lines,
    orderDiscount: sale.orderDiscount > 0 ? { kind: 'amount', value: sale.orderDiscount } : null,
    customer: sale.customer,
    orderType: sale.orderType,
    channel: sale.channel,
    note: sale.note ?? '',
    table: sale.table,
  }
  return { ...cart, bill: { ...billOf(sale, context), promotions: billPromotions(sale, cart) } }
}

export const billOf = (sale: Sale, { isServiceCharged }: BillContext): CartBill => ({
  id: sale.id,
  number: sale.number,
  version: sale.version,
  paid: sale.paidTotal,
  deliveryFee: sale.deliveryFee,
  promoDiscount: sale.promoDiscount,
  voucherCodes: sale.voucherCodes,
  isServiceWaived: sale.serviceCharge === null && isServiceCharged(sale.orderType),
})
