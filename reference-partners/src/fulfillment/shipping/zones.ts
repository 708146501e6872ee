import { invalid } from 'kasir/partner-tools'
import { type Coordinates, distanceKm, type Group, regionAt, regionOf } from './regions.ts'

/** The zones of a parcel, from the same city to the farthest islands. */
export const ZONES = ['city', 'province', 'island', 'near', 'far', 'remote'] as const
export type Zone = (typeof ZONES)[number]

type Where = {
  postalCode?: string | null | undefined
  areaId?: string | null | undefined
  latitude?: number | null | undefined
  longitude?: number | null | undefined
}

/** A place as rates see it. */
export type Spot = { city: string | null; province: string; group: Group; point: Coordinates | null }

/** Jakarta is one city although its codes begin with 10 to 14. */
const cityOf = (postalCode: string): string => (/^1[0-4]/.test(postalCode) ? '1' : postalCode.slice(0, 3))

/**
 * Where a place is: by its postal code, else by the postal code that its `areaId` ends in (as those of Biteship do), else
 * by its coordinates. 422 for a place that no courier knows.
 */
export function spotOf(place: Where, under: string): Spot {
  const point =
    typeof place.latitude === 'number' && typeof place.longitude === 'number'
      ? { latitude: place.latitude, longitude: place.longitude }
      : null
  if (typeof place.postalCode === 'string') return byCode(place.postalCode, point, `${under}postalCode`)
  if (typeof place.areaId === 'string') {
    const code = /\d{5}$/.exec(place.areaId)?.[0]
    if (code === undefined)
      throw invalid(`${under}areaId`, 'This area is not known here; send the postal code instead')
    return byCode(code, point, `${under}areaId`)
  }
  if (point === null)
    throw invalid(`${under}postalCode`, 'Send a postal code, an areaId, or latitude and longitude')
  const region = regionAt(point)
  if (!region)
    throw invalid(`${under}latitude`, 'No courier delivers there: the coordinates are not in Indonesia')
  return { city: null, province: region.province, group: region.group, point }
}

function byCode(postalCode: string, point: Coordinates | null, param: string): Spot {
  const region = regionOf(postalCode, param)
  return { city: cityOf(postalCode), province: region.province, group: region.group, point }
}

/** Two points so near each other are of one city. */
const CITY_KM = 25

/** What a parcel between two groups of islands crosses; within one group it is `island`. */
const CLASS: Readonly<Record<Group, number>> = {
  java: 0,
  bali: 0,
  sumatra: 1,
  kalimantan: 2,
  nusa: 2,
  sulawesi: 2,
  east: 3,
}
const ACROSS: readonly Zone[] = ['near', 'near', 'far', 'remote']

export function zoneBetween(from: Spot, to: Spot): Zone {
  const km = kmBetween(from, to)
  if (km !== null ? km <= CITY_KM : from.city !== null && from.city === to.city) return 'city'
  if (from.province === to.province) return 'province'
  if (from.group === to.group) return 'island'
  return ACROSS[Math.max(CLASS[from.group], CLASS[to.group])] ?? 'remote'
}

/** Null if one of the two has no coordinates. */
export const kmBetween = (from: Spot, to: Spot): number | null =>
  from.point === null || to.point === null ? null : distanceKm(from.point, to.point)
