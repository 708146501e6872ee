import { mul, mulDivFloor } from './money.ts'

/** The pack of a variant that an item is sold or ordered in: `factor` units of the variant (B-pack-1). */
export type Pack = { id: string; name: string; factor: number }
/** A pack as the catalogue has it; without a price it costs its units. */
export type PricedPack = Pack & { price: number | null }

/** The most units that one item may sell or order (B-pack-5). */
export const MAX_UNITS = 1_000_000

/** The units of the variant in a quantity, which counts packs if there is a pack. */
export const unitsOf = (quantity: number, pack: Pick<Pack, 'factor'> | null): number =>
  mul(quantity, pack?.factor ?? 1)

/** The price of a pack, or of a unit if there is no pack; rupiah (B-pack-3). */
export const priceOfPack = (unitPrice: number, pack: Pick<PricedPack, 'factor' | 'price'> | null): number =>
  pack === null ? unitPrice : (pack.price ?? mul(unitPrice, pack.factor))

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
