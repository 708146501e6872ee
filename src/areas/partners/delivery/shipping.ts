import { couriersOf } from './couriers.ts'
import type { CourierContext } from './port.ts'
import { requireFindable } from './rules.ts'
import type { Courier, OriginPatch, Rate, RateIn, ShipmentPlace } from './schema.ts'

export const readOrigin = async (means: CourierContext): Promise<ShipmentPlace | null> =>
  (await couriersOf(means)).readOrigin()

/**
 * Changes only the fields that are sent; null clears a field. The partner throws 422 if a courier could not find the
 * place.
 */
export const writeOrigin = async (means: CourierContext, patch: OriginPatch): Promise<ShipmentPlace> =>
  (await couriersOf(means)).writeOrigin(patch)

export const listCouriers = async (means: CourierContext): Promise<Courier[]> =>
  (await couriersOf(means)).listCouriers()

/** Returns the prices of the couriers, cheapest first. */
export async function quote(means: CourierContext, parcel: RateIn): Promise<Rate[]> {
  requireFindable(parcel.destination, 'destination.')
  const rates = await (await couriersOf(means)).quote(parcel)
  return rates.toSorted(
    (a, b) =>
      a.price - b.price ||
      a.courierCode.localeCompare(b.courierCode) ||
      a.courierServiceCode.localeCompare(b.courierServiceCode),
  )
}
