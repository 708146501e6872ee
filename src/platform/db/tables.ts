import type { CatalogueTables } from './tables/catalogue.ts'
import type { PeopleTables } from './tables/people.ts'
import type { SalesTables } from './tables/sales.ts'
import type { StockTables } from './tables/stock.ts'
import type { WorkspaceTables } from './tables/workspace.ts'

/** Every table as Kysely sees it, in camel case. */
export type Database = WorkspaceTables & CatalogueTables & PeopleTables & SalesTables & StockTables

/** The folder that may write each table; anyone may read. A test scans the stores for violations. */
export const TABLE_OWNER: Record<keyof Database, string> = {
  accounts: 'areas/auth',
  settings: 'areas/settings',
  members: 'areas/members',
  memberEmails: 'areas/members',
  mails: 'platform',
  sessions: 'platform/auth',
  apiKeys: 'platform/auth',
  loginFailures: 'areas/auth',
  idempotencyKeys: 'platform/http',
  events: 'platform',
  counters: 'platform/db',
  outlets: 'areas/outlets',
  categories: 'areas/categories',
  products: 'areas/products',
  variants: 'areas/products',
  recipeComponents: 'areas/products',
  modifierGroups: 'areas/modifiers',
  modifiers: 'areas/modifiers',
  productModifierGroups: 'areas/modifiers',
  customers: 'areas/customers',
  loyaltyEntries: 'areas/customers',
  shifts: 'areas/shifts',
  cashMovements: 'areas/shifts',
  floors: 'areas/tables',
  diningTables: 'areas/tables',
  suppliers: 'areas/suppliers',
  outletDays: 'areas/sales',
  sales: 'areas/sales',
  saleItems: 'areas/sales',
  payments: 'areas/sales',
  refunds: 'areas/sales',
  refundLines: 'areas/sales',
  refundTenders: 'areas/sales',
  giftCards: 'areas/gift-cards',
  giftCardEntries: 'areas/gift-cards',
  giftCardMisses: 'areas/gift-cards',
  stockLevels: 'areas/inventory',
  stockMovements: 'areas/inventory',
  stockBatches: 'areas/inventory',
  purchaseOrders: 'areas/purchase-orders',
  purchaseOrderItems: 'areas/purchase-orders',
}

/** Columns that a second folder may update, and why; rows are still made and removed by the owner alone. */
export const SHARED_WRITES: readonly {
  table: keyof Database
  columns: readonly string[]
  writer: string
  reason: string
}[] = [
  {
    table: 'saleItems',
    columns: ['kitchenStatus', 'kitchenUpdatedAt', 'updatedAt'],
    writer: 'areas/kitchen',
    reason: 'the kitchen steps lines that the sale made; a copy of them would be two truths',
  },
  {
    table: 'sales',
    columns: ['kitchenOpen'],
    writer: 'areas/kitchen',
    reason: 'the flag that keeps the board small follows from the lines the kitchen steps',
  },
]
