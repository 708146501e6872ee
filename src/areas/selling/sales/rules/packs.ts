import { invalid } from '../../../../core/errors.ts'
import { MAX_UNITS, type Pack, type PricedPack, unitsOf } from '../../../../core/packs.ts'

/** The pack of a variant that an item names; null for loose units. */
export const packOf = (
  goods: { packs: readonly PricedPack[] | null } | undefined,
  packId: string | null | undefined,
): PricedPack | null => goods?.packs?.find(({ id }) => id === packId) ?? null

/** 422 for an item of more units than stock can move (B-pack-5). */
export function requireUnitsWithin(quantity: number, pack: Pick<Pack, 'factor'> | null, param: string) {
  const units = unitsOf(quantity, pack)
  if (units <= MAX_UNITS) return
  throw invalid(param, `These packs hold ${units} units; one item can have at most ${MAX_UNITS}`)
}
