import type { SoldBy } from '../../../../core/weights.ts'
import type { EventRow } from '../../../../platform/events/outbox.ts'
import type { Scope } from '../../../../platform/scope.ts'
import type { Sale } from '../sale/types.ts'

/** One level that a sale lowers, with the names its warning would show. */
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

/** The facts that a change was decided from without a lock. Its statement proves them, or writes nothing. */
export type SeenFacts = {
  /** The variants sold, each once. */
  goods: readonly SeenGoods[]
  /** The row of the sale, of the outlet and of the policy, each where the change depends on it. */
  sale: string | null
  outlet: string | null
  policy: string | null
  /** The open shift of the cashier; null if there was none. */
  shiftId: string | null
  /** Whether a webhook endpoint of the workspace subscribes to events. */
  isFollowed: boolean
}

/** One write of a sale, new or stored. A `decide…` function makes it, and `writeSaleChanges` writes it. */
export type SaleChange = {
  scope: Scope
  /** The stored sale; null if the sale is new. Rows of it that stay are the same objects in `after`. */
  before: Sale | null
  after: Sale
  /** The local day of the outlet whose counter numbers a new sale, and the text that stands for the number (B-sale-7). */
  number: { day: string; placeholder: string } | null
  /** Levels to lower in this write; empty if the caller has moved the stock. */
  movements: readonly PlainMove[]
  events: readonly SaleEvent[]
  /** Shifts that must be open when the sale is written. */
  guards: readonly string[]
  /** Null if the caller holds the locks. */
  seen: SeenFacts | null
  reply: SaleReply | null
  idempotency: { key: string; fingerprint: string } | null
}

/** The texts of a reply, as JSON; `SaleChange.reply` is null if the caller makes the reply. */
type SaleReply = {
  sale: string
  /** Warnings found by the caller; null lets the write find them on the levels it lowers. */
  stockWarnings: string | null
  /** The warnings about parts of the request without effect (B-answer-7). */
  warnings: string
}

/** The result of the write of one sale. */
export type WrittenSale = {
  /** The JSON text of its reply; '' if it has none. */
  data: string
  number: string
  /** The state of the sale, as `SeenFacts.sale` proves it; null if the transaction of the write continues. */
  seen: string | null
}
