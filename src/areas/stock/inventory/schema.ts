import { type Static, Type } from 'typebox'
import { SOLD_BY } from '../../../core/weights.ts'
import {
  Amount,
  Day,
  Edge,
  FilterId,
  Flag,
  FreeText,
  Id,
  Nullable,
  PageQuery,
  Rupiah,
  Text,
  Timestamps,
  WholeQuery,
  Words,
} from '../../../platform/http/shapes.ts'
import { MOVEMENT_TYPES, REASON_CODES } from './movement-types.ts'

/** Limits one delivery, so that the level fits into its integer column. */
const MAX_UNITS = 1_000_000_000
const Units = Type.Integer({ minimum: 1, maximum: MAX_UNITS })
const Named = {
  productId: Id,
  productName: Text(160),
  variantName: Text(80),
  sku: Nullable(Type.String()),
  soldBy: Words(SOLD_BY, { description: 'WEIGHT: quantities are grams, and cost is for a kilogram' }),
}

export const Level = Type.Object(
  {
    id: Id,
    outletId: Id,
    variantId: Id,
    ...Named,
    quantity: Type.Integer({
      description:
        'Units on hand, or grams of goods sold by weight; negative only if the workspace allows it',
    }),
    reorderPoint: Nullable(
      Type.Integer({ minimum: 0, description: 'Null means that the level is never low' }),
    ),
    isLow: Type.Boolean({ description: 'True at or below the reorder point' }),
    ...Timestamps,
  },
  { title: 'StockLevel' },
)

export const Movement = Type.Object(
  {
    id: Id,
    outletId: Id,
    variantId: Id,
    soldBy: Words(SOLD_BY, {
      description: 'How the goods are sold now. WEIGHT: quantities are grams, and cost is for a kilogram',
    }),
    type: Words(MOVEMENT_TYPES),
    qtyDelta: Type.Integer(),
    balanceAfter: Type.Integer({ description: 'The level after this movement' }),
    batchId: Nullable(Id),
    transactionId: Nullable(Id),
    refundId: Nullable(Id),
    purchaseOrderId: Nullable(Id),
    transferId: Nullable(Id),
    counterOutletId: Type.Unsafe<string | null>({
      ...Nullable(Id),
      description: 'The other outlet of a transfer; it can be deleted meanwhile',
    }),
    unitCost: Nullable(Amount),
    reason: Nullable(Type.String()),
    reasonCode: Nullable(Words(REASON_CODES, { description: 'Why stock was adjusted; null if not stated' })),
    stockCountId: Type.Unsafe<string | null>({
      ...Nullable(Id),
      description: 'The stock count that was posted; null for any other movement',
    }),
    actorId: Id,
    ...Timestamps,
  },
  { title: 'StockMovement' },
)

export const Batch = Type.Object(
  {
    id: Id,
    outletId: Id,
    variantId: Id,
    ...Named,
    batchNo: Nullable(Type.String()),
    expiryDate: Nullable(Day),
    receivedQty: Type.Integer(),
    remainingQty: Type.Integer({ minimum: 0 }),
    cost: Amount,
    isExpired: Type.Boolean({
      description: 'True after the last sellable day in the time zone of the outlet',
    }),
    ...Timestamps,
  },
  { title: 'StockBatch' },
)

export const Composite = Type.Object(
  {
    variantId: Id,
    name: Type.String(),
    productId: Id,
    productName: Text(160),
    variantName: Text(80),
    isActive: Type.Boolean(),
    available: Nullable(
      Type.Integer({ minimum: 0, description: 'Null if no component is tracked, so there is no limit' }),
    ),
    limitingComponentId: Nullable(Id),
    components: Type.Array(
      Type.Object({
        componentVariantId: Id,
        name: Type.String(),
        soldBy: Words(SOLD_BY),
        quantity: Type.Integer({
          description: 'Units of the component in one unit of the composite; grams if soldBy is WEIGHT',
        }),
        unit: Nullable(Type.String()),
        stock: Nullable(
          Type.Integer({ description: 'Level at the outlet; null if the component is not tracked' }),
        ),
      }),
    ),
  },
  { title: 'CompositeAvailability' },
)

export const StockAdjustmentIn = Type.Object(
  {
    outletId: Id,
    variantId: Id,
    qtyDelta: Type.Integer({ minimum: -1_000_000, maximum: 1_000_000, description: 'Not 0' }),
    reason: Type.Optional(FreeText(300)),
    reasonCode: Type.Optional(Nullable(Words(REASON_CODES))),
  },
  { title: 'StockAdjust' },
)
export const ReorderIn = Type.Object(
  {
    outletId: Id,
    variantId: Id,
    reorderPoint: Type.Integer({ minimum: 0, maximum: MAX_UNITS }),
  },
  { title: 'StockSetReorderPoint' },
)
export const TransferIn = Type.Object(
  { fromOutletId: Id, toOutletId: Id, variantId: Id, qty: Units },
  { title: 'StockTransfer' },
)
export const BatchFields = {
  batchNo: Type.Optional(FreeText(120)),
  expiryDate: Type.Optional(
    Nullable(Type.String({ maxLength: 40, description: 'YYYY-MM-DD, or RFC 3339 with an offset' })),
  ),
}
export const BatchIn = Type.Object(
  {
    outletId: Id,
    variantId: Id,
    ...BatchFields,
    qty: Units,
    cost: Type.Optional(Rupiah),
  },
  { title: 'BatchCreate' },
)

export const Moved = Type.Object({ level: Level, movement: Movement })
export const Transferred = Type.Object({ transferId: Id, from: Moved, to: Moved })
export const BatchMade = Type.Object({ batch: Batch, level: Level, movement: Movement })

export const LevelQuery = Type.Object({ outletId: FilterId, low: Flag, ...WholeQuery })
export const CompositeQuery = Type.Object({ outletId: Id })
export const MovementQuery = Type.Object({
  outletId: FilterId,
  variantId: FilterId,
  type: Type.Optional(Words(MOVEMENT_TYPES, { description: 'Only movements of this type' })),
  from: Edge('Only movements at or after this instant or day'),
  to: Edge('Only movements before this instant or day'),
  ...PageQuery,
})
export const BatchQuery = Type.Object({ outletId: FilterId, variantId: FilterId, all: Flag, ...WholeQuery })
export const ExpiringQuery = Type.Object({
  outletId: FilterId,
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: 365, default: 30 })),
  ...WholeQuery,
})

export type MovementQuery = Static<typeof MovementQuery>
export type Level = Static<typeof Level>
export type Movement = Static<typeof Movement>
/** A movement as its row keeps it. */
export type MovementRow = Omit<Movement, 'soldBy'>
export type Batch = Static<typeof Batch>
export type Composite = Static<typeof Composite>
export type StockAdjustmentIn = Static<typeof StockAdjustmentIn>
export type ReorderIn = Static<typeof ReorderIn>
export type TransferIn = Static<typeof TransferIn>
export type BatchIn = Static<typeof BatchIn>
