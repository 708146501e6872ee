import { type Static, Type } from 'typebox'
import { SOLD_BY } from '../../../core/weights.ts'
import {
  Amount,
  FilterId,
  FreeText,
  Id,
  Instant,
  Nullable,
  Rupiah,
  Text,
  Timestamps,
  WholeQuery,
  Words,
} from '../../../platform/http/shapes.ts'
import { MOST_ITEMS, ORDER_STATUSES } from './rules.ts'

const Status = Words(ORDER_STATUSES)
const ItemIn = Type.Object(
  {
    variantId: Id,
    packId: Type.Optional(
      Type.Unsafe<string | null>({
        ...Nullable(Id),
        description: 'A pack of the variant: `qty` and `cost` then count packs',
      }),
    ),
    qty: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
    /** The default is the cost of the variant, times the units of a pack. */
    cost: Type.Optional(Rupiah),
  },
  { title: 'PurchaseOrderItemCreate' },
)
const Items = Type.Array(ItemIn, { minItems: 1, maxItems: MOST_ITEMS })
const Settable = { supplierId: Type.Optional(Nullable(Id)), note: Type.Optional(FreeText(1000)) }

export const OrderIn = Type.Object(
  { outletId: Id, items: Items, ...Settable },
  { title: 'PurchaseOrderCreate' },
)
export const OrderPatch = Type.Object({ items: Items, ...Settable }, { title: 'PurchaseOrderUpdate' })

const ReceiveItem = Type.Object({
  itemId: Type.Optional(Id),
  variantId: Type.Optional(Id),
  packId: Type.Optional(
    Type.Unsafe<string | null>({
      ...Nullable(Id),
      description: 'Beside variantId: the item with this pack',
    }),
  ),
  qty: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
  /** The default is the cost of the order item. */
  cost: Type.Optional(Rupiah),
  batchNo: Type.Optional(FreeText(120)),
  expiryDate: Type.Optional(
    Nullable(Type.String({ maxLength: 40, description: 'YYYY-MM-DD, or RFC 3339 with an offset' })),
  ),
})
export const ReceiveIn = Type.Object(
  { items: Type.Array(ReceiveItem, { minItems: 1, maxItems: MOST_ITEMS }) },
  { title: 'PurchaseOrderReceive' },
)

const OrderItem = Type.Object(
  {
    id: Id,
    variantId: Id,
    productName: Text(160),
    variantName: Text(80),
    qty: Type.Integer({ description: 'Packs, if the item has a pack; else grams of goods sold by weight' }),
    soldBy: Words(SOLD_BY),
    pack: Nullable(
      Type.Object(
        { id: Id, name: Type.String(), factor: Type.Integer() },
        {
          title: 'OrderPack',
          description: 'The pack ordered, as it was then: `factor` units of the variant each',
        },
      ),
    ),
    receivedQty: Type.Integer({ minimum: 0 }),
    cost: Type.Integer({
      ...Amount,
      description: 'Of a pack, if the item has one; else of a kilogram of goods sold by weight',
    }),
    lineTotal: Amount,
    ...Timestamps,
  },
  { title: 'PurchaseOrderItem' },
)
export const PurchaseOrderView = Type.Object(
  {
    id: Id,
    number: Type.String({ description: 'For example PO-000001; numbers run per workspace' }),
    outletId: Id,
    supplierId: Nullable(Id),
    status: Status,
    items: Type.Array(OrderItem),
    total: Amount,
    note: Nullable(Type.String()),
    orderedAt: Nullable(Instant),
    receivedAt: Nullable(
      Type.String({ format: 'date-time', description: 'When the last goods were received' }),
    ),
    cancelledAt: Nullable(Instant),
    ...Timestamps,
  },
  { title: 'PurchaseOrder' },
)
export const OrderQuery = Type.Object({ outletId: FilterId, status: Type.Optional(Status), ...WholeQuery })

export type OrderIn = Static<typeof OrderIn>
export type OrderPatch = Static<typeof OrderPatch>
export type OrderItemIn = Static<typeof ItemIn>
export type ReceiveIn = Static<typeof ReceiveIn>
export type ReceiveItem = Static<typeof ReceiveItem>
export type OrderItem = Static<typeof OrderItem>
export type PurchaseOrderView = Static<typeof PurchaseOrderView>
