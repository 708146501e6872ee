import type { EventRow } from '../../../../platform/events/outbox.ts'
import type { Sale } from '../sale/types.ts'

/** One level that a plain sale lowers, with the names its warning would show. */
export type PlainMove = {
  variantId: string
  /** Its ULID also names the level and the warning, should this sale be what makes them. */
  movementId: string
  qty: number
  unitCost: number
  productId: string
  productName: string
  variantName: string
  sku: string | null
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
  /** JSON of the sale as it will be answered, with `placeholder` where the number goes. */
  saleJson: string
  placeholder: string
  events: readonly SaleEvent[]
  /** All that is sold, each variant once, to be held and compared; empty when the caller holds it already. */
  goods: readonly SeenGoods[]
  /** Levels to lower in this statement; empty when the caller has moved the stock already. */
  moves: readonly PlainMove[]
  /** Warnings found by the caller; null lets the statement find them on the levels it lowered. */
  warnings: string | null
  /** JSON of what the request asked for and nothing did (B-answer-7). */
  notDone: string
  /** The shift that must still be open when the statement runs; null when there is none or the caller holds its lock. */
  guardShiftId: string | null
  /** What was read of outlet and policy, to be proved with the shift and the API key; null when the caller holds locks. */
  seen: { outlet: string; policy: string } | null
  /** Whether an endpoint of the workspace hears of events. */
  isFollowed: boolean
  idem: { key: string; fingerprint: string } | null
}
