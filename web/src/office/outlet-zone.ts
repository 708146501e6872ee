import { useShop } from '../offline/shop.ts'

/** The zones of Indonesia by the names that people use. */
export const ZONES: Readonly<Record<string, string>> = {
  'Asia/Jakarta': 'WIB',
  'Asia/Makassar': 'WITA',
  'Asia/Jayapura': 'WIT',
}

/** The time zone of dates in the back office: of the oldest chosen outlet, else of the oldest one of the workspace. */
export function zoneOf(outletIds: readonly string[] = []): string {
  const { outlets, inactiveOutlets = [] } = useShop.getState()
  const all = [...outlets, ...inactiveOutlets]
  return (all.find(({ id }) => outletIds.includes(id)) ?? all[0])?.timezone ?? 'Asia/Jakarta'
}

/** The name of that zone, for a hint. */
export function zoneName(outletIds: readonly string[] = []): string {
  const zone = zoneOf(outletIds)
  return ZONES[zone] ?? zone
}
