import { assert } from '../../../../core/assert.ts'
import { invalid } from '../../../../core/errors.ts'
import { MAX_SALE_TOTAL, mul, splitByWeight, sum } from '../../../../core/money.ts'
import { type TaxRule, taxOf } from '../../../../core/tax.ts'

/** One active item to be priced. Rupiah; `discount` is for the whole item, not per unit (B-sale-4). */
export type PricedItem = {
  quantity: number
  unitPrice: number
  modifiers: readonly { price: number }[]
  discount: number
}

export type TotalsInput = TaxRule & {
  items: readonly PricedItem[]
  orderDiscount: number
  deliveryFee: number
  /** What the marketing partner takes off, kept apart from the cashier's discount (B-sale-11). Default 0. */
  promoDiscount?: number
  /** True when the order discount is carried over by an edit instead of sent: then it is lowered to the subtotal. */
  clampOrderDiscount?: boolean
  /** The body path of an item in errors; default `items[index]`. */
  paramOf?: (index: number) => string
}

/** `lineTotal` is what the customer pays for the item (B-money-7). */
export type ItemTotals = {
  orderDiscountShare: number
  taxAmount: number
  lineTotal: number
}

/**
 * `subtotal` is after item discounts and before the order discount (B-money-3); `orderDiscount` and `promoDiscount`
 * are what was really taken.
 */
export type Totals = {
  items: ItemTotals[]
  subtotal: number
  discountTotal: number
  orderDiscount: number
  promoDiscount: number
  taxTotal: number
  deliveryFee: number
  total: number
}

/** The base without tax that loyalty counts (B-points-1); rupiah. */
export const eligibleOf = (
  sale: Pick<Totals, 'subtotal' | 'orderDiscount' | 'promoDiscount' | 'taxTotal'> &
    Pick<TaxRule, 'taxInclusive'>,
) => sale.subtotal - sale.orderDiscount - sale.promoDiscount - (sale.taxInclusive ? sale.taxTotal : 0)

/** What an item costs before any discount: quantity × (unit price + modifiers), rupiah (B-money-2). */
export const itemGross = (item: Omit<PricedItem, 'discount'>): number =>
  mul(item.quantity, item.unitPrice + sum(item.modifiers.map((modifier) => modifier.price)))

/** The cap holds before discounts too: a discount must not smuggle figures past the range that reports can add up. */
function requireWithinCap(amount: bigint, param: string): void {
  if (amount <= BigInt(MAX_SALE_TOTAL)) return
  throw invalid(param, `A sale may not exceed Rp ${MAX_SALE_TOTAL}; split it into several sales`)
}

function netOf(item: PricedItem, gross: number, path: string): number {
  if (item.discount > gross) {
    throw invalid(`${path}.discount`, `The discount ${item.discount} is larger than the item amount ${gross}`)
  }
  return gross - item.discount
}

function orderDiscountOf(input: TotalsInput, subtotal: number): number {
  if (input.orderDiscount <= subtotal) return input.orderDiscount
  if (input.clampOrderDiscount) return subtotal
  throw invalid(
    'orderDiscount',
    `The order discount ${input.orderDiscount} is larger than the subtotal ${subtotal}`,
  )
}

/**
 * Every figure of a sale from its active items (B-money-6, B-money-3, B-money-7); rupiah in, rupiah out, one rounding
 * per sale. Order discount and tax are split over the items by largest remainder, so Σ lineTotal + deliveryFee =
 * total exactly.
 * 422: `items[i].discount` above its item, `orderDiscount` above the subtotal, a sale above the cap (`items`, or
 * `deliveryFee` when only the fee lifts it above).
 */
export function totalsOf(input: TotalsInput): Totals {
  const paramOf = input.paramOf ?? ((index: number) => `items[${index}]`)
  const grosses = input.items.map(itemGross)
  requireWithinCap(
    grosses.reduce((total, gross) => total + BigInt(gross), 0n),
    'items',
  )
  const nets = input.items.map((item, index) => netOf(item, grosses[index] ?? 0, paramOf(index)))
  const subtotal = sum(nets)
  const orderDiscount = orderDiscountOf(input, subtotal)
  const promoDiscount = Math.min(input.promoDiscount ?? 0, subtotal - orderDiscount)
  const shares = splitByWeight(orderDiscount + promoDiscount, nets)
  const bases = nets.map((net, index) => net - (shares[index] ?? 0))
  const base = subtotal - orderDiscount - promoDiscount
  const { tax, gross: taxedBase } = taxOf(base, input)
  requireWithinCap(BigInt(taxedBase), 'items')
  requireWithinCap(BigInt(taxedBase) + BigInt(input.deliveryFee), 'deliveryFee')
  const taxes = splitByWeight(tax, bases)
  const items = bases.map((base, index) => {
    const taxAmount = taxes[index] ?? 0
    const lineTotal = base + (input.taxInclusive ? 0 : taxAmount)
    return { orderDiscountShare: shares[index] ?? 0, taxAmount, lineTotal }
  })
  const total = taxedBase + input.deliveryFee
  assert(
    sum(items.map((item) => item.lineTotal)) + input.deliveryFee === total,
    'items and fee make the total',
  )
  return {
    items,
    subtotal,
    discountTotal: sum(input.items.map((item) => item.discount)) + orderDiscount + promoDiscount,
    orderDiscount,
    promoDiscount,
    taxTotal: tax,
    deliveryFee: input.deliveryFee,
    total,
  }
}
