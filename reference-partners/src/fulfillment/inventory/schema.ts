import { FilterId, FreeText, Instant, Nullable, PageQuery, Text, Timestamps } from 'kasir/partner-tools'
import { type Static, Type } from 'typebox'

const Sku = Type.String({ minLength: 1, maxLength: 64 })
const Units = Type.Integer({ description: 'Units; never below zero' })

export const Product = Type.Object(
  { id: Type.String(), sku: Type.String(), name: Type.String(), quantity: Units, ...Timestamps },
  { title: 'InventoryProduct' },
)
export type Product = Static<typeof Product>

export const Level = Type.Object(
  {
    id: Type.String(),
    warehouseId: Type.String(),
    warehouseName: Type.String(),
    productId: Type.String(),
    sku: Type.String(),
    productName: Type.String(),
    quantity: Units,
    updatedAt: Instant,
  },
  { title: 'StockLevel' },
)
export type Level = Static<typeof Level>

export const Movement = Type.Object(
  {
    id: Type.String(),
    warehouseId: Type.String(),
    productId: Type.String(),
    sku: Type.String(),
    qtyDelta: Type.Integer({ description: 'Signed' }),
    balanceAfter: Units,
    reason: Nullable(Type.String()),
    createdAt: Instant,
  },
  { title: 'StockMovement' },
)
export type Movement = Static<typeof Movement>

export const ProductQuery = Type.Object({ ...PageQuery, sku: Type.Optional(Sku) })
export const StockQuery = Type.Object({ ...PageQuery, warehouseId: FilterId, productId: FilterId })

const MOST = 1_000_000
export const Adjust = Type.Object(
  {
    warehouseId: Type.String({ minLength: 1, maxLength: 64 }),
    productId: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    sku: Type.Optional({
      ...Sku,
      description: 'Instead of `productId`; a product that is not there yet is added',
    }),
    name: Type.Optional({
      ...Text(120),
      description: 'Of the product, from now on; the `sku` where it has none',
    }),
    qtyDelta: Type.Integer({ minimum: -MOST, maximum: MOST }),
    reason: Type.Optional(FreeText(300)),
  },
  { title: 'StockAdjust' },
)
export type Adjust = Static<typeof Adjust>
export const AdjustedStock = Type.Object({ level: Level, movement: Movement }, { title: 'StockAdjusted' })
export type AdjustedStock = Static<typeof AdjustedStock>
