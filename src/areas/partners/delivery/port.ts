import type { Deps } from '../../../platform/deps.ts'
import type { Partner } from '../../../platform/http/partner.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { Progress, State } from './rules.ts'
import type { Courier, OriginPatch, Parcel, Place, Rate, RateIn } from './schema.ts'

export type Means = { deps: Pick<Deps, 'partners' | 'secrets' | 'clock'>; scope: Scope; partner: Partner }

/** What a shipment is known by at a partner. */
export type Known = { id: string; providerRef: string; status: State }

/** A parcel with where it is fetched, for a partner that does not keep that. */
type Fetched<T> = T & { origin?: Place }

/**
 * What delivering needs of a partner, in words of its own: all that differs between partners is behind it. Every function
 * throws the partner's refusal as ours (4xx), 502, 503 or 504 as `PartnerClient` does.
 */
export type Couriers = {
  /** Names the partner; a shipment of one is unknown to another. */
  id: string
  readOrigin(): Promise<Place | null>
  writeOrigin(patch: OriginPatch): Promise<Place>
  listCouriers(): Promise<Courier[]>
  quote(parcel: Fetched<RateIn>): Promise<Rate[]>
  /** Makes a draft, once for each id however often it is asked. */
  create(id: string, parcel: Fetched<Parcel>): Promise<Progress>
  /** Null where the partner knows none. */
  read(known: Known): Promise<Progress | null>
  /** Books the courier of a draft. */
  book(known: Known): Promise<Progress>
  cancel(known: Known): Promise<Progress>
}
