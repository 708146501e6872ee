import { assert } from './assert.ts'
import { invalid } from './errors.ts'
import { MAX_SALE_TOTAL, mul, mulDivHalfUp, splitByWeight, sum } from './money.ts'
import type { ServiceCharge, ServiceTerms } from './service-charge.ts'
import { type TaxRule, taxOf } from './tax.ts'
import { amountOfWeight, type SoldBy } from './weights.ts'

/** One active item to be priced. Rupiah; `discount` is for the whole item, not per unit (B-sale-4). */
export type PricedItem = {
  quantity: number
  unitPrice: number
  modifiers: readonly { price: number }[]
  discount: number
  /** Its part of promotions, in rupiah (B-promo-6). Default 0. */
  promotionShare?: number
  /** The tax rate of the item; null or absent means that of the sale (B-tax-1). */
  taxRateBps?: number | null
  /** WEIGHT: `quantity` is grams and `unitPrice` is for a kilogram, unless the item has a pack. Null or absent: UNIT. */
  soldBy?: SoldBy | null
  pack?: object | null
  /** The price on the label of a weighed item, which is then its gross (B-weight-3). */
  labelPrice?: number | null
}

/** The tax rule is the outlet's, as the sale froze it. */
export type TotalsInput = TaxRule & {
  items: readonly PricedItem[]
  orderDiscount: number
  deliveryFee: number
  /** The discount of the marketing partner, kept apart from the cashier's discount (B-sale-11). Default 0. */
  promoDiscount?: number
  /** The service charge, if the sale has one (B-service-1). */
  service?: ServiceTerms | null
  /** True when the order discount is carried over by an edit instead of sent: then it is lowered to the subtotal. */
  clampOrderDiscount?: boolean
  /** The body path of an item in errors; default `items[index]`. */
  paramOf?: (index: number) => string
}

/**
 * `lineTotal` is what the customer pays for the item (B-money-7), `serviceShare` its part of the service charge with the
 * tax on it (B-service-3).
 */
export type ItemTotals = {
  orderDiscountShare: number
  taxAmount: number
  lineTotal: number
  serviceShare: number
}

/** The items taxed at one rate: `base` excludes the tax (B-tax-2). */
export type TaxGroup = { rateBps: number; base: number; tax: number }

/**
 * `subtotal` is after item discounts and promotions, and before the order discount (B-money-3); `orderDiscount` and `promoDiscount`
 * are what was really taken. `taxTotal` is Σ `taxes`, which are sorted by rate.
 */
export type Totals = {
  items: ItemTotals[]
  subtotal: number
  discountTotal: number
  orderDiscount: number
  promoDiscount: number
  taxes: TaxGroup[]
  taxTotal: number
  serviceCharge: ServiceCharge | null
  deliveryFee: number
  total: number
}

/** The base without tax and without the service charge that loyalty counts (B-points-1); rupiah. */
export const eligibleOf = (
  sale: Pick<Totals, 'subtotal' | 'orderDiscount' | 'promoDiscount' | 'taxTotal'> &
    Pick<TaxRule, 'taxInclusive'> & { serviceChargeTax?: number | null },
) => {
  const taxInPrices = sale.taxInclusive ? sale.taxTotal - (sale.serviceChargeTax ?? 0) : 0
  return sale.subtotal - sale.orderDiscount - sale.promoDiscount - taxInPrices
}

/** Whether the quantity of an item is grams: packs of weighed goods are counted (B-weight-1). */
export const isWeighed = ({ soldBy, pack }: Pick<PricedItem, 'soldBy' | 'pack'>): boolean =>
  soldBy === 'WEIGHT' && !pack

/** The price of the goods of an item without modifiers: quantity × unit price, for grams by the kilogram; rupiah. */
export const goodsGross = (
  item: Omit<PricedItem, 'discount' | 'promotionShare' | 'taxRateBps' | 'modifiers'>,
): number => {
  if (!isWeighed(item)) return mul(item.quantity, item.unitPrice)
  return item.labelPrice ?? amountOfWeight(item.quantity, item.unitPrice)
}

/** How often the modifiers of an item are charged: for each unit or pack, and once for a weight. */
export const timesOfModifiers = (item: Pick<PricedItem, 'quantity' | 'soldBy' | 'pack'>): number =>
  isWeighed(item) ? 1 : item.quantity

/** The price of an item before any discount, with its modifiers, in rupiah (B-money-2, B-weight-2). */
export const itemGross = (item: Omit<PricedItem, 'discount' | 'promotionShare' | 'taxRateBps'>): number =>
  goodsGross(item) + mul(timesOfModifiers(item), sum(item.modifiers.map((modifier) => modifier.price)))

/** The cap holds before discounts too: a discount must not smuggle figures past the range that reports can add up. */
function requireWithinCap(amount: bigint, param: string): void {
  if (amount <= BigInt(MAX_SALE_TOTAL)) return
  throw invalid(param, `A sale may not exceed Rp ${MAX_SALE_TOTAL}; split it into several sales`)
}

function netOf(item: PricedItem, gross: number, path: string): number {
  if (item.discount > gross) {
    throw invalid(`${path}.discount`, `The discount ${item.discount} is larger than the item amount ${gross}`)
  }
  return gross - item.discount - (item.promotionShare ?? 0)
}

function orderDiscountOf(input: TotalsInput, subtotal: number): number {
  if (input.orderDiscount <= subtotal) return input.orderDiscount
  if (input.clampOrderDiscount) return subtotal
  throw invalid(
    'orderDiscount',
    `The order discount ${input.orderDiscount} is larger than the subtotal ${subtotal}`,
  )
}

/** The items of one tax rate, by their places in the sale. */
type RateGroup = { rateBps: number; places: number[] }

/** Sorted by rate. The rate of the outlet has a group even without items if the service charge is taxed at it. */
function rateGroupsOf({ items, taxRateBps, service }: TotalsInput): RateGroup[] {
  const groups = new Map<number, number[]>()
  if (service?.isTaxable) groups.set(taxRateBps, [])
  items.forEach((item, place) => {
    const rateBps = item.taxRateBps ?? taxRateBps
    const places = groups.get(rateBps)
    if (places) places.push(place)
    else groups.set(rateBps, [place])
  })
  return [...groups].map(([rateBps, places]) => ({ rateBps, places })).sort((a, b) => a.rateBps - b.rateBps)
}

const partOf = (amounts: readonly number[], { places }: RateGroup): number[] =>
  places.map((place) => amounts[place] ?? 0)

/** The base of the charge, and the charge, both without the tax inside the prices, which is rounded for each rate. */
function chargeOf(
  { service, taxInclusive }: TotalsInput,
  groups: readonly RateGroup[],
  { grosses, bases }: { grosses: readonly number[]; bases: readonly number[] },
): Pick<ServiceCharge, 'base' | 'amount'> {
  if (!service) return { base: 0, amount: 0 }
  const amounts = service.base === 'BEFORE_DISCOUNT' ? grosses : bases
  const base = sum(
    groups.map((group) => {
      const rule = { taxRateBps: group.rateBps, taxInclusive }
      return taxOf(sum(partOf(amounts, group)), rule).netOfTax
    }),
  )
  return { base, amount: mulDivHalfUp(base, service.bps, 10_000) }
}

type TaxedGroup = TaxGroup & { places: number[]; itemTaxes: number[]; chargeTax: number }

/** The tax of one rate, rounded once and shared by largest remainder; `charge` is the service charge taxed with it (B-tax-2). */
function taxedGroup(
  group: RateGroup,
  bases: readonly number[],
  { taxInclusive, charge }: { taxInclusive: boolean; charge: number },
): TaxedGroup {
  const { rateBps, places } = group
  const own = partOf(bases, group)
  if (taxInclusive) {
    // Prices contain their tax, the charge does not: its tax comes on top.
    const goods = taxOf(sum(own), { taxRateBps: rateBps, taxInclusive })
    const chargeTax = taxOf(charge, { taxRateBps: rateBps, taxInclusive: false }).tax
    const itemTaxes = splitByWeight(goods.tax, own)
    return {
      rateBps,
      base: goods.netOfTax + charge,
      tax: goods.tax + chargeTax,
      places,
      itemTaxes,
      chargeTax,
    }
  }
  const base = sum(own) + charge
  const { tax } = taxOf(base, { taxRateBps: rateBps, taxInclusive })
  const parts = splitByWeight(tax, [...own, charge])
  return {
    rateBps,
    base,
    tax,
    places,
    itemTaxes: parts.slice(0, own.length),
    chargeTax: parts[own.length] ?? 0,
  }
}

/** The figures of the items from what they are worth after all discounts. */
function itemTotals(
  groups: readonly TaxedGroup[],
  amounts: {
    taxInclusive: boolean
    bases: readonly number[]
    shares: readonly number[]
    serviceShares: readonly number[]
  },
): ItemTotals[] {
  const taxes = new Map(
    groups.flatMap(({ places, itemTaxes }) =>
      places.map((place, at) => [place, itemTaxes[at] ?? 0] as const),
    ),
  )
  return amounts.bases.map((base, index) => {
    const taxAmount = taxes.get(index) ?? 0
    return {
      orderDiscountShare: amounts.shares[index] ?? 0,
      taxAmount,
      lineTotal: base + (amounts.taxInclusive ? 0 : taxAmount),
      serviceShare: amounts.serviceShares[index] ?? 0,
    }
  })
}

/**
 * Every figure of a sale from its active items (B-money-6, B-money-3, B-money-7, B-tax-2, B-service-2); rupiah in, rupiah
 * out, one rounding per tax rate. Order discount, tax and service charge are split over the items by largest
 * remainder, so Σ lineTotal + Σ serviceShare + deliveryFee = total exactly. Throws 422 for `items[i].discount` above
 * its item, `orderDiscount` above the subtotal, and a total above the cap (`items`, or `deliveryFee` if only the fee
 * exceeds it).
 */
export function totalsOf(input: TotalsInput): Totals {
  const { taxInclusive, taxRateBps, deliveryFee, service } = input
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
  const groups = rateGroupsOf(input)
  const charge = chargeOf(input, groups, { grosses, bases })
  const taxedGroups = groups.map((group) => {
    const isWithCharge = service?.isTaxable === true && group.rateBps === taxRateBps
    return taxedGroup(group, bases, { taxInclusive, charge: isWithCharge ? charge.amount : 0 })
  })
  const serviceCharge = service
    ? { bps: service.bps, ...charge, tax: sum(taxedGroups.map(({ chargeTax }) => chargeTax)) }
    : null
  const servicePaid = serviceCharge ? serviceCharge.amount + serviceCharge.tax : 0
  const serviceShares = splitByWeight(servicePaid, sum(bases) > 0 ? bases : grosses)
  const items = itemTotals(taxedGroups, { taxInclusive, bases, shares, serviceShares })
  const withoutFee = sum(items.map(({ lineTotal, serviceShare }) => lineTotal + serviceShare))
  requireWithinCap(BigInt(withoutFee), 'items')
  requireWithinCap(BigInt(withoutFee) + BigInt(deliveryFee), 'deliveryFee')
  const taxes = taxedGroups.map(({ rateBps, base, tax }) => ({ rateBps, base, tax }))
  const taxTotal = sum(taxes.map(({ tax }) => tax))
  const total = subtotal - orderDiscount - promoDiscount + (taxInclusive ? 0 : taxTotal) + deliveryFee
  const onTop = taxInclusive ? servicePaid : charge.amount
  assert(withoutFee + deliveryFee === total + onTop, 'items, service charge and fee make the total')
  return {
    items,
    subtotal,
    discountTotal:
      sum(input.items.map((item) => item.discount + (item.promotionShare ?? 0))) +
      orderDiscount +
      promoDiscount,
    orderDiscount,
    promoDiscount,
    taxes,
    taxTotal,
    serviceCharge,
    deliveryFee,
    total: total + onTop,
  }
}
