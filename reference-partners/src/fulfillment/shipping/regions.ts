import { invalid, malformed } from 'kasir/partner-tools'

/**
 * The first two digits of an Indonesian postal code: the province they belong to, the group of islands, and the middle
 * of what they cover (degrees, to the nearest tenth). Codes that the post has not given out are left out.
 */
type Region = { province: string; group: Group; latitude: number; longitude: number }

/** Groups of regions, from the one with most senders to the farthest. */
export type Group = 'java' | 'sumatra' | 'bali' | 'kalimantan' | 'nusa' | 'sulawesi' | 'east'

const LINES: readonly (readonly [
  digits: string,
  province: string,
  Group,
  latitude: number,
  longitude: number,
])[] = [
  ['10', 'Jakarta', 'java', -6.2, 106.8],
  ['11', 'Jakarta', 'java', -6.2, 106.7],
  ['12', 'Jakarta', 'java', -6.3, 106.8],
  ['13', 'Jakarta', 'java', -6.2, 106.9],
  ['14', 'Jakarta', 'java', -6.1, 106.9],
  ['15', 'Banten', 'java', -6.2, 106.6],
  ['16', 'Jawa Barat', 'java', -6.6, 106.8],
  ['17', 'Jawa Barat', 'java', -6.2, 107.0],
  ['20', 'Sumatera Utara', 'sumatra', 3.6, 98.7],
  ['21', 'Sumatera Utara', 'sumatra', 2.9, 99.4],
  ['22', 'Sumatera Utara', 'sumatra', 1.7, 98.8],
  ['23', 'Aceh', 'sumatra', 5.5, 95.3],
  ['24', 'Aceh', 'sumatra', 4.9, 97.4],
  ['25', 'Sumatera Barat', 'sumatra', -0.9, 100.4],
  ['26', 'Sumatera Barat', 'sumatra', -0.3, 100.5],
  ['27', 'Sumatera Barat', 'sumatra', -0.8, 101.0],
  ['28', 'Riau', 'sumatra', 0.5, 101.4],
  ['29', 'Kepulauan Riau', 'sumatra', 1.1, 104.0],
  ['30', 'Sumatera Selatan', 'sumatra', -3.0, 104.8],
  ['31', 'Sumatera Selatan', 'sumatra', -3.4, 103.9],
  ['32', 'Sumatera Selatan', 'sumatra', -4.1, 104.2],
  ['33', 'Kepulauan Bangka Belitung', 'sumatra', -2.1, 106.1],
  ['34', 'Lampung', 'sumatra', -4.9, 105.1],
  ['35', 'Lampung', 'sumatra', -5.4, 105.3],
  ['36', 'Jambi', 'sumatra', -1.6, 103.6],
  ['37', 'Jambi', 'sumatra', -2.1, 101.7],
  ['38', 'Bengkulu', 'sumatra', -3.8, 102.3],
  ['39', 'Bengkulu', 'sumatra', -3.4, 102.4],
  ['40', 'Jawa Barat', 'java', -6.9, 107.6],
  ['41', 'Jawa Barat', 'java', -6.4, 107.5],
  ['42', 'Banten', 'java', -6.1, 106.1],
  ['43', 'Jawa Barat', 'java', -6.9, 106.9],
  ['44', 'Jawa Barat', 'java', -7.2, 107.9],
  ['45', 'Jawa Barat', 'java', -6.7, 108.4],
  ['46', 'Jawa Barat', 'java', -7.3, 108.3],
  ['50', 'Jawa Tengah', 'java', -7.0, 110.4],
  ['51', 'Jawa Tengah', 'java', -6.9, 109.7],
  ['52', 'Jawa Tengah', 'java', -6.9, 109.1],
  ['53', 'Jawa Tengah', 'java', -7.4, 109.3],
  ['54', 'Jawa Tengah', 'java', -7.7, 109.9],
  ['55', 'DI Yogyakarta', 'java', -7.8, 110.4],
  ['56', 'Jawa Tengah', 'java', -7.4, 110.2],
  ['57', 'Jawa Tengah', 'java', -7.6, 110.8],
  ['58', 'Jawa Tengah', 'java', -7.1, 111.1],
  ['59', 'Jawa Tengah', 'java', -6.8, 110.9],
  ['60', 'Jawa Timur', 'java', -7.3, 112.7],
  ['61', 'Jawa Timur', 'java', -7.3, 112.6],
  ['62', 'Jawa Timur', 'java', -7.0, 112.1],
  ['63', 'Jawa Timur', 'java', -7.6, 111.4],
  ['64', 'Jawa Timur', 'java', -7.8, 112.0],
  ['65', 'Jawa Timur', 'java', -8.0, 112.6],
  ['66', 'Jawa Timur', 'java', -8.1, 111.9],
  ['67', 'Jawa Timur', 'java', -7.8, 113.1],
  ['68', 'Jawa Timur', 'java', -8.2, 113.9],
  ['69', 'Jawa Timur', 'java', -7.1, 113.4],
  ['70', 'Kalimantan Selatan', 'kalimantan', -3.3, 114.6],
  ['71', 'Kalimantan Selatan', 'kalimantan', -2.7, 115.3],
  ['72', 'Kalimantan Selatan', 'kalimantan', -3.5, 115.9],
  ['73', 'Kalimantan Tengah', 'kalimantan', -2.1, 114.0],
  ['74', 'Kalimantan Tengah', 'kalimantan', -2.5, 112.5],
  ['75', 'Kalimantan Timur', 'kalimantan', -0.5, 117.1],
  ['76', 'Kalimantan Timur', 'kalimantan', -1.3, 116.7],
  ['77', 'Kalimantan Utara', 'kalimantan', 3.2, 117.2],
  ['78', 'Kalimantan Barat', 'kalimantan', 0.0, 109.6],
  ['79', 'Kalimantan Barat', 'kalimantan', 0.8, 109.1],
  ['80', 'Bali', 'bali', -8.6, 115.2],
  ['81', 'Bali', 'bali', -8.3, 115.0],
  ['82', 'Bali', 'bali', -8.5, 115.2],
  ['83', 'Nusa Tenggara Barat', 'nusa', -8.6, 116.2],
  ['84', 'Nusa Tenggara Barat', 'nusa', -8.5, 118.1],
  ['85', 'Nusa Tenggara Timur', 'nusa', -9.9, 124.0],
  ['86', 'Nusa Tenggara Timur', 'nusa', -8.6, 121.4],
  ['87', 'Nusa Tenggara Timur', 'nusa', -9.7, 119.9],
  ['90', 'Sulawesi Selatan', 'sulawesi', -5.1, 119.5],
  ['91', 'Sulawesi Selatan', 'sulawesi', -3.6, 119.6],
  ['92', 'Sulawesi Selatan', 'sulawesi', -5.3, 120.1],
  ['93', 'Sulawesi Tenggara', 'sulawesi', -4.1, 122.4],
  ['94', 'Sulawesi Tengah', 'sulawesi', -1.2, 120.5],
  ['95', 'Sulawesi Utara', 'sulawesi', 1.3, 124.8],
  ['96', 'Gorontalo', 'sulawesi', 0.6, 122.7],
  ['97', 'Maluku', 'east', -3.2, 128.5],
  ['98', 'Papua Barat', 'east', -2.0, 134.5],
  ['99', 'Papua', 'east', -3.5, 139.5],
]

const REGIONS: ReadonlyMap<string, Region> = new Map(
  LINES.map(([digits, province, group, latitude, longitude]) => [
    digits,
    { province, group, latitude, longitude },
  ]),
)

export type Coordinates = { latitude: number; longitude: number }

/** Throws 400 if the text is not a postal code, 422 if the code is not in use. */
export function regionOf(postalCode: string, param: string): Region {
  if (!/^\d{5}$/.test(postalCode)) throw malformed(param, `${param} must be five digits, like 40111`)
  const region = REGIONS.get(postalCode.slice(0, 2))
  if (!region) throw invalid(param, `There is no postal code ${postalCode} in Indonesia`)
  return region
}

const radians = (degrees: number) => (degrees * Math.PI) / 180
const EARTH_KM = 6_371

/** Kilometres along the great circle (haversine). */
export function distanceKm(a: Coordinates, b: Coordinates): number {
  const [north, east] = [radians(b.latitude - a.latitude), radians(b.longitude - a.longitude)]
  const half =
    Math.sin(north / 2) ** 2 +
    Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * Math.sin(east / 2) ** 2
  return 2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(half)))
}

/** The corners of the country, in degrees. */
const [NORTH, SOUTH, WEST, EAST] = [6.1, -11.1, 94.9, 141.1]

/** The region whose middle is nearest; undefined outside the corners of the country. */
export function regionAt(point: Coordinates): Region | undefined {
  const { latitude, longitude } = point
  if (latitude > NORTH || latitude < SOUTH || longitude < WEST || longitude > EAST) return undefined
  const [nearest] = [...REGIONS.values()]
    .map((region) => ({ region, km: distanceKm(point, region) }))
    .sort((a, b) => a.km - b.km)
  return nearest?.region
}
