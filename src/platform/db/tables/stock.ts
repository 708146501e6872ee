// Rows of migrations/0005_stock.sql, 0011_transfer_ends.sql, 0190_packs.sql and 0211_stock_counts.sql, as Kysely sees
// them.
import type { ColumnType, Generated } from 'kysely'
import type { Pack } from '../../../core/packs.ts'

export type StockLevelsRow = {
  accountId: string
  outletId: string
  variantId: string
  id: string
  quantity: number
  reorderPoint: number | null
  createdAt: string
  updatedAt: string
}

type ReasonCode = 'COUNT' | 'WASTE' | 'DAMAGE' | 'OWN_USE' | 'OTHER'

export type StockMovementsRow = {
  accountId: string
  id: string
  outletId: string
  variantId: string
  type: 'PURCHASE' | 'SALE' | 'REFUND' | 'VOID' | 'ADJUSTMENT' | 'TRANSFER_OUT' | 'TRANSFER_IN'
  qtyDelta: number
  balanceAfter: number
  batchId: string | null
  transactionId: string | null
  refundId: string | null
  purchaseOrderId: string | null
  transferId: string | null
  counterOutletId: string | null
  unitCost: number | null
  reason: string | null
  reasonCode: ReasonCode | null
  stockCountId: string | null
  averageCost: number | null
  actorId: string
  createdAt: string
  updatedAt: string
}

export type StockBatchesRow = {
  accountId: string
  id: string
  outletId: string
  variantId: string
  batchNo: string | null
  expiryDate: string | null
  receivedQty: number
  remainingQty: number
  cost: Generated<number>
  createdAt: string
  updatedAt: string
}

export type StockCountsRow = {
  accountId: string
  id: string
  outletId: string
  categoryIds: string[] | null
  blind: boolean
  status: Generated<'OPEN' | 'POSTED' | 'CANCELLED'>
  createdBy: string
  postedBy: string | null
  postedAt: string | null
  cancelledAt: string | null
  createdAt: string
  updatedAt: string
}

export type StockCountLinesRow = {
  accountId: string
  countId: string
  variantId: string
  quantity: number
  expected: number
  countedBy: string
  countedAt: string
  posted: number | null
  outdated: boolean
  createdAt: string
  updatedAt: string
}

export type PurchaseOrdersRow = {
  accountId: string
  id: string
  number: string
  outletId: string
  supplierId: string | null
  status: Generated<'DRAFT' | 'ORDERED' | 'PARTIALLY_RECEIVED' | 'RECEIVED' | 'CANCELLED'>
  total: number
  note: string | null
  orderedAt: string | null
  receivedAt: string | null
  cancelledAt: string | null
  createdAt: string
  updatedAt: string
}

export type PurchaseOrderItemsRow = {
  accountId: string
  purchaseOrderId: string
  id: string
  position: number
  variantId: string
  qty: number
  pack: ColumnType<Pack | null, string | null | undefined, string | null>
  soldBy: 'WEIGHT' | null
  receivedQty: Generated<number>
  stockedQty: Generated<number>
  cost: number
  createdAt: string
  updatedAt: string
}

export type StockTables = {
  stockLevels: StockLevelsRow
  stockMovements: StockMovementsRow
  stockBatches: StockBatchesRow
  stockCounts: StockCountsRow
  stockCountLines: StockCountLinesRow
  purchaseOrders: PurchaseOrdersRow
  purchaseOrderItems: PurchaseOrderItemsRow
}
