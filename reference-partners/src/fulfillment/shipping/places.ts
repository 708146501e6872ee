import { invalid, malformed } from 'kasir/partner-tools'
import type { Db, Tx } from '../../kit/db.ts'
import { lockWorkspace } from '../../kit/workspaces/store.ts'
import type { Origin, OriginPatch, PlaceInput, RatePlace, ShippingPlace } from './schema.ts'
import { findOrigin, saveOrigin } from './store.ts'
import { type Spot, spotOf } from './zones.ts'

const UNKNOWN = {
  note: null,
  postalCode: null,
  areaId: null,
  latitude: null,
  longitude: null,
}
const NOWHERE: Origin = {
  contactName: null,
  contactPhone: null,
  address: null,
  ...UNKNOWN,
  updatedAt: null,
}

export async function readOrigin(db: Db, workspaceId: string): Promise<Origin> {
  const found = await findOrigin(db, workspaceId)
  return found ? { ...found.place, updatedAt: found.updatedAt } : NOWHERE
}

/** `under` begins the params (`destination.`): 400 for half of a pair of coordinates, 422 for a place that no courier knows. */
export function locate(place: RatePlace, under: string): Spot {
  const { latitude = null, longitude = null } = place
  if (latitude === null && longitude !== null)
    throw malformed(`${under}latitude`, 'Send latitude and longitude together')
  if (longitude === null && latitude !== null)
    throw malformed(`${under}longitude`, 'Send latitude and longitude together')
  return spotOf(place, under)
}

/** The stored form of a place, once its zone is known. */
export function locatePlace(input: PlaceInput, under: string): ShippingPlace {
  locate(input, under)
  return { ...UNKNOWN, ...input }
}

const NEEDED = ['contactName', 'contactPhone', 'address'] as const

type Change = { workspaceId: string; patch: OriginPatch; now: string }

/** Changes the sent fields of the saved origin. The first time all required fields must be present. */
export async function changeOrigin(tx: Tx, { workspaceId, patch, now }: Change): Promise<Origin> {
  await lockWorkspace(tx, workspaceId)
  const before = await findOrigin(tx, workspaceId)
  const { contactName, contactPhone, address, ...rest } = { ...UNKNOWN, ...before?.place, ...patch }
  if (contactName === undefined || contactPhone === undefined || address === undefined) {
    const missing = NEEDED.find((field) => patch[field] === undefined) ?? 'address'
    throw invalid(missing, `The first origin needs ${NEEDED.join(', ')} and where it is`)
  }
  const place = { ...rest, contactName, contactPhone, address }
  await saveOrigin(tx, { workspaceId, place: locatePlace(place, ''), now })
  return { ...place, updatedAt: now }
}

/** Returns the origin of a parcel: the one sent, else the saved one. Throws 422 without either. */
export async function originOf<T extends RatePlace>(
  db: Db,
  workspaceId: string,
  sent: T | undefined,
): Promise<T | ShippingPlace> {
  const found = sent ?? (await findOrigin(db, workspaceId))?.place
  if (found === undefined)
    throw invalid('origin', 'There is no shipping origin yet: save one, or send it with the request')
  return found
}
