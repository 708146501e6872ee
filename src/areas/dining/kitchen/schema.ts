import { type Static, Type } from 'typebox'
import { SOLD_BY } from '../../../core/weights.ts'
import { FilterId, Id, Instant, Nullable, Timestamps, Words } from '../../../platform/http/shapes.ts'
import { KITCHEN_STATES } from './rules.ts'

const State = Words(KITCHEN_STATES)
const OrderType = Words(['DINE_IN', 'TAKEAWAY', 'DELIVERY'] as const)
const Station = Type.String({ minLength: 1, maxLength: 40 })

export const TicketItem = Type.Object(
  {
    id: Id,
    saleId: Id,
    name: Type.String(),
    variantName: Type.String(),
    quantity: Type.Integer({
      description:
        'Packs, if the item has a pack; else grams of goods sold by weight. 0 for a cancelled part',
    }),
    soldBy: Words(SOLD_BY),
    pack: Nullable(
      Type.Object({ id: Id, name: Type.String(), factor: Type.Integer() }, { title: 'TicketPack' }),
    ),
    modifiers: Type.Array(Type.Object({ name: Type.String(), price: Type.Integer() })),
    note: Nullable(Type.String()),
    station: Nullable(Type.String()),
    status: State,
    isActive: Type.Boolean({
      description: 'False for a part that was cancelled after the kitchen had started it',
    }),
    cancelledQty: Type.Integer({ description: 'The part that was cancelled, in the unit of `quantity`' }),
    kitchenUpdatedAt: Type.Unsafe<string | null>({
      ...Nullable(Instant),
      description: 'Time of the last step; null before the first one',
    }),
    ...Timestamps,
  },
  { title: 'TicketItem' },
)

export const Ticket = Type.Object(
  {
    id: Id,
    number: Type.String(),
    outletId: Id,
    tableId: Nullable(Id),
    tableLabel: Nullable(Type.String()),
    orderType: OrderType,
    state: Type.Unsafe<(typeof KITCHEN_STATES)[number]>({
      ...State,
      description: 'The status of the least advanced active item',
    }),
    openedAt: Instant,
    note: Nullable(Type.String()),
    items: Type.Array(TicketItem),
    ...Timestamps,
  },
  { title: 'Ticket' },
)

/** The unserved items of one table, or of one order without a table. */
export const ServeGroup = Type.Object(
  {
    tableId: Nullable(Id),
    tableLabel: Nullable(Type.String()),
    saleId: Type.String({
      description: 'The oldest sale of the group; every item also has the id of its sale',
    }),
    number: Type.String(),
    orderType: OrderType,
    items: Type.Array(TicketItem),
  },
  { title: 'ServeGroup' },
)

/** Which items of a ticket a step moves. Without it, every item that can move. */
export const TicketStep = Type.Object(
  {
    from: Type.Optional(
      Type.Unsafe<(typeof KITCHEN_STATES)[number]>({
        ...State,
        description: 'Moves only items with this status. If another screen was faster, the answer is 409',
      }),
    ),
    itemIds: Type.Optional(
      Type.Array(Id, { minItems: 1, maxItems: 500, description: 'Moves only these items of the ticket' }),
    ),
  },
  { title: 'TicketStep' },
)

export const BoardQuery = Type.Object({ outletId: FilterId })
export const TicketsQuery = Type.Object({ outletId: FilterId, station: Type.Optional(Station) })

export type Ticket = Static<typeof Ticket>
export type TicketItem = Static<typeof TicketItem>
export type ServeGroup = Static<typeof ServeGroup>
