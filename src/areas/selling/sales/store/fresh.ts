import type { SoldBy } from '../../../../core/weights.ts'
import type { EventRow } from '../../../../platform/events/outbox.ts'
import type { Sale } from '../sale/types.ts'

/** One level that a plain sale lowers, with the names its warning would show. */
export type PlainMove = {
  variantId: string
  /** Its ULID is also the id of the level and of the warning, if this sale creates them. */
  movementId: string
  qty: number
  unitCost: number
  productId: string
  productName: string
  variantName: string
  sku: string | null
  soldBy: SoldBy
}

/** A variant that is sold, and the state in which it was read: if it has changed, the sale is priced again. */
export type SeenGoods = { variantId: string; seen: string }

/** An event whose body is known (`body`), or is the sale itself between `prefix` and `suffix`. */
export type SaleEvent = Omit<EventRow, 'body'> &
  ({ body: string } | { prefix: string; suffix: string; sale?: string })

export type NewSale = {
  sale: Sale
  /** Receipt numbers run per local day of the outlet (B-sale-7). */
  day: string
  /** The JSON text of the sale in the reply, with `placeholder` in place of the number. */
  saleJson: string
  placeholder: string
  events: readonly SaleEvent[]
  /** The variants sold, each once, to be locked and compared; empty if the caller has locked them. */
  goods: readonly SeenGoods[]
  /** Levels to lower in this statement; empty when the caller has moved the stock already. */
  moves: readonly PlainMove[]
  /** Warnings found by the caller; null lets the statement find them on the levels it lowered. */
  warnings: string | null
  /** JSON of the warnings about parts of the request without effect (B-answer-7). */
  notDone: string
  /** The shift that must still be open when the statement runs; null if there is none or the caller has locked it. */
  guardShiftId: string | null
  /** The outlet and policy as read, to be proved with the shift and the API key; null if the caller holds locks. */
  seen: { outlet: string; policy: string } | null
  /** Whether a webhook endpoint of the workspace subscribes to events. */
  isFollowed: boolean
  idem: { key: string; fingerprint: string } | null
}
