import { couriersOf } from './couriers.ts'
import type { Means } from './port.ts'
import { requireFindable } from './rules.ts'
import type { Courier, OriginPatch, Place, Rate, RateIn } from './schema.ts'

export const readOrigin = async (means: Means): Promise<Place | null> =>
  (await couriersOf(means)).readOrigin()

/** Changes what was sent; null clears. 422 from the partner where nobody could find the place then. */
export const writeOrigin = async (means: Means, patch: OriginPatch): Promise<Place> =>
  (await couriersOf(means)).writeOrigin(patch)

export const listCouriers = async (means: Means): Promise<Courier[]> =>
  (await couriersOf(means)).listCouriers()

/** What each courier asks, the cheapest first. */
export async function quote(means: Means, parcel: RateIn): Promise<Rate[]> {
  requireFindable(parcel.destination, 'destination.')
  const rates = await (await couriersOf(means)).quote(parcel)
  return rates.toSorted(
    (a, b) =>
      a.price - b.price ||
      a.courierCode.localeCompare(b.courierCode) ||
      a.courierServiceCode.localeCompare(b.courierServiceCode),
  )
}
