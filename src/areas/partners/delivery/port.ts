import type { Tx } from '../../../platform/db/open.ts'
import type { Deps } from '../../../platform/deps.ts'
import type { Partner } from '../../../platform/http/partner.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { ShipmentProgress, ShipmentState } from './rules.ts'
import type { Courier, OriginPatch, Rate, RateIn, SentParcel, ShipmentPlace } from './schema.ts'

export type CourierContext = {
  deps: Pick<Deps, 'partners' | 'secrets' | 'clock'>
  scope: Scope
  partner: Partner
}

/** The identity of a shipment at a partner. */
export type ShipmentReference = { id: string; providerRef: string; status: ShipmentState }

/** A request for a draft. A caller who names the sale again finds the same request. */
export type ShipmentRequest = { id: string; saleId: string | null; parcel: SentParcel }

/**
 * The port of delivery partners; it hides their differences. Every function throws a partner's rejection as an error
 * of the service (4xx), and 502, 503 or 504 like `PartnerClient`.
 */
export type Couriers = {
  /** The name of the partner. A shipment belongs to one partner. */
  id: string
  readOrigin(): Promise<ShipmentPlace | null>
  writeOrigin(patch: OriginPatch): Promise<ShipmentPlace>
  listCouriers(): Promise<Courier[]>
  quote(parcel: RateIn & Pick<SentParcel, 'origin'>): Promise<Rate[]>
  /** The origin of a new parcel, for a partner that does not store it. */
  originOf?(tx: Tx): Promise<ShipmentPlace | null>
  /** Creates a draft; repeated calls with the same id create only one. */
  create(request: ShipmentRequest): Promise<ShipmentProgress>
  /** Returns null if the partner does not know the shipment. */
  read(known: ShipmentReference): Promise<ShipmentProgress | null>
  /** Books the courier of a draft. */
  book(known: ShipmentReference): Promise<ShipmentProgress>
  cancel(known: ShipmentReference): Promise<ShipmentProgress>
}
