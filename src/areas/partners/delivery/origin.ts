import { invalid } from '../../../core/errors.ts'
import type { Tx } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { Couriers, Means } from './port.ts'
import { requireFindable } from './rules.ts'
import type { OriginPatch, Place } from './schema.ts'
import * as store from './store.ts'

const NEEDED = ['contactName', 'contactPhone', 'address'] as const

/** Changes what was sent; the first time it must be whole. 422 where nobody could find the place then. */
async function write(tx: Tx, scope: Scope, patch: OriginPatch): Promise<Place> {
  const origin = { ...(await store.findOrigin(tx, scope)), ...patch } as Place
  const missing = NEEDED.find((name) => origin[name] === undefined)
  if (missing) throw invalid(missing, `Say where couriers fetch parcels: ${missing} is missing`)
  requireFindable(origin, '')
  await store.writeOrigin(tx, scope, origin)
  return origin
}

/** A partner that does not keep where parcels are fetched: it is kept here, and goes along with each of them. */
export function withOwnOrigin(couriers: Couriers, { scope, partner }: Means): Couriers {
  const read = () => partner.read((db) => store.findOrigin(db, scope))
  const required = async () => {
    const origin = await read()
    if (origin) return origin
    throw invalid('origin', 'Say where couriers fetch parcels first: PATCH /delivery/origin')
  }
  return {
    ...couriers,
    readOrigin: read,
    writeOrigin: (patch) => partner.inTx((tx) => write(tx, scope, patch)),
    quote: async (parcel) => couriers.quote({ ...parcel, origin: await required() }),
    create: async (id, parcel) => couriers.create(id, { ...parcel, origin: await required() }),
  }
}
