import { invalid } from '../../../core/errors.ts'
import type { Tx } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { CourierContext, Couriers } from './port.ts'
import { requireFindable } from './rules.ts'
import type { OriginPatch, ShipmentPlace } from './schema.ts'
import * as store from './store.ts'

const NEEDED = ['contactName', 'contactPhone', 'address'] as const

/**
 * Changes only the fields that are sent. The first call requires all of them. Throws 422 if a courier could not find
 * the address.
 */
async function write(tx: Tx, scope: Scope, patch: OriginPatch): Promise<ShipmentPlace> {
  const origin = { ...(await store.findOrigin(tx, scope)), ...patch } as ShipmentPlace
  const missing = NEEDED.find((name) => origin[name] === undefined)
  if (missing)
    throw invalid(missing, `The place where couriers pick up parcels is incomplete: send ${missing} as well`)
  requireFindable(origin, '')
  await store.writeOrigin(tx, scope, origin)
  return origin
}

/** Wraps a partner that does not store the origin. The service stores it and sends it with each parcel. */
export function withOwnOrigin(couriers: Couriers, { scope, partner }: CourierContext): Couriers {
  const read = () => partner.read((db) => store.findOrigin(db, scope))
  const required = async () => {
    const origin = await read()
    if (origin) return origin
    throw invalid('origin', 'Set the place where couriers pick up parcels first: PATCH /delivery/origin')
  }
  return {
    ...couriers,
    readOrigin: read,
    writeOrigin: (patch) => partner.inTx((tx) => write(tx, scope, patch)),
    quote: async (parcel) => couriers.quote({ ...parcel, origin: await required() }),
    originOf: (tx) => store.findOrigin(tx, scope),
    create: async ({ parcel, ...request }) =>
      couriers.create({ ...request, parcel: { ...parcel, origin: parcel.origin ?? (await required()) } }),
  }
}
