import type { CatalogueTables } from './tables/catalogue.ts'
import type { PeopleTables } from './tables/people.ts'
import type { SalesTables } from './tables/sales.ts'
import type { StockTables } from './tables/stock.ts'
import type { WorkspaceTables } from './tables/workspace.ts'

/** Every table as Kysely sees it, in camel case. */
export type Database = WorkspaceTables & CatalogueTables & PeopleTables & SalesTables & StockTables

/** The folder that may write each table; anyone may read. A test scans the stores for violations. */
export const TABLE_OWNER: Record<keyof Database, string> = {
  accounts: 'areas/workspace/auth',
  settings: 'areas/workspace/settings',
  members: 'areas/workspace/members',
  memberEmails: 'areas/workspace/members',
  mails: 'platform',
  sentMails: 'platform',
  sessions: 'platform/auth',
  apiKeys: 'platform/auth',
  loginFailures: 'platform/auth',
  idempotencyKeys: 'platform/http',
  events: 'platform',
  counters: 'platform/db',
  secretsKeys: 'platform',
  outlets: 'areas/workspace/outlets',
  categories: 'areas/catalogue/categories',
  products: 'areas/catalogue/products',
  variants: 'areas/catalogue/products',
  recipeComponents: 'areas/catalogue/products',
  modifierGroups: 'areas/catalogue/modifiers',
  modifiers: 'areas/catalogue/modifiers',
  productModifierGroups: 'areas/catalogue/modifiers',
  customers: 'areas/selling/customers',
  loyaltyEntries: 'areas/selling/customers',
  shifts: 'areas/selling/shifts',
  cashMovements: 'areas/selling/shifts',
  floors: 'areas/dining/tables',
  diningTables: 'areas/dining/tables',
  suppliers: 'areas/stock/suppliers',
  outletDays: 'areas/selling/sales',
  sales: 'areas/selling/sales',
  saleItems: 'areas/selling/sales',
  payments: 'areas/selling/sales',
  refunds: 'areas/selling/sales',
  refundLines: 'areas/selling/sales',
  refundTenders: 'areas/selling/sales',
  giftCards: 'areas/selling/gift-cards',
  giftCardEntries: 'areas/selling/gift-cards',
  giftCardMisses: 'areas/selling/gift-cards',
  stockLevels: 'areas/stock/inventory',
  stockMovements: 'areas/stock/inventory',
  stockBatches: 'areas/stock/inventory',
  purchaseOrders: 'areas/stock/purchase-orders',
  purchaseOrderItems: 'areas/stock/purchase-orders',
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
    writer: 'areas/dining/kitchen',
    reason: 'the kitchen steps lines that the sale made; a copy of them would be two truths',
  },
  {
    table: 'sales',
    columns: ['kitchenOpen', 'updatedAt'],
    writer: 'areas/dining/kitchen',
    reason:
      'what keeps a board small follows from the lines the kitchen steps: the flag, and when that last happened',
  },
]
