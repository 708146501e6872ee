import { mul, mulDivFloor, mulDivHalfUp } from './money.ts'
import { amountOfWeight, type SoldBy } from './weights.ts'

/** The pack of a variant that an item is sold or ordered in: `factor` units of the variant (B-pack-1). */
export type Pack = { id: string; name: string; factor: number }
/** A pack as the catalogue has it; without a price it costs its units. */
export type PricedPack = Pack & { price: number | null }

/** The most units that one item may sell or order (B-pack-5). */
export const MAX_UNITS = 1_000_000

/** The units of the variant in a quantity, which counts packs if there is a pack. */
export const unitsOf = (quantity: number, pack: Pick<Pack, 'factor'> | null): number =>
  mul(quantity, pack?.factor ?? 1)

/** What `units` of a variant cost at its price or cost: grams by the kilogram; rupiah (B-weight-1). */
export const amountOfUnits = (units: number, price: number, soldBy: SoldBy): number =>
  soldBy === 'WEIGHT' ? amountOfWeight(units, price) : mul(units, price)

type PricedGoods = { price: number; soldBy: SoldBy }

/** The price of a pack, or that of the variant if there is no pack; rupiah (B-pack-3). */
export const priceOfPack = (
  { price, soldBy }: PricedGoods,
  pack: Pick<PricedPack, 'factor' | 'price'> | null,
): number => (pack === null ? price : (pack.price ?? amountOfUnits(pack.factor, price, soldBy)))

/**
 * The money of a delivery shared over its units by largest remainder: units of one cost, and those that cost one rupiah
 * more. Quantity × cost of these parts is exactly `money` (B-pack-7).
 */
export function unitCostsOf(money: number, units: number): { qty: number; cost: number }[] {
  const cost = mulDivFloor(money, 1, units)
  const dearer = money - mul(cost, units)
  return [
    { qty: units - dearer, cost },
    { qty: dearer, cost: cost + 1 },
  ].filter(({ qty }) => qty > 0)
}

/** The cost of a kilogram of a delivery of `grams` (above 0), rounded half up (B-weight-4). */
export const weightCostOf = (money: number, grams: number): number => mulDivHalfUp(money, 1_000, grams)
