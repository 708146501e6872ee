import type { CatalogueTables } from './tables/catalogue.ts'
import type { InstallationTables } from './tables/installation.ts'
import type { MarketingTables } from './tables/marketing.ts'
import type { PartnerTables } from './tables/partners.ts'
import type { PeopleTables } from './tables/people.ts'
import type { PrintingTables } from './tables/printing.ts'
import type { ReportTables } from './tables/reports.ts'
import type { SalesTables } from './tables/sales.ts'
import type { StockTables } from './tables/stock.ts'
import type { WebhookTables } from './tables/webhooks.ts'
import type { WorkspaceTables } from './tables/workspace.ts'

/** Every table, in camel case, as Kysely types it. */
export type Database = InstallationTables &
  WorkspaceTables &
  CatalogueTables &
  PeopleTables &
  PrintingTables &
  SalesTables &
  StockTables &
  MarketingTables &
  ReportTables &
  WebhookTables &
  PartnerTables

/**
 * Every column that holds sealed texts (platform/secrets/secrets.ts); add new ones here. Rotation seals them again, and `kasir
 * serve --new-key` counts the lost ones. `row` names the column that identifies a row beside `account_id`, or a fixed
 * word if a workspace has one row. `what` names the loss to the operator if the key is lost. A test finds missing
 * columns by their names.
 */
export const SEALED = [
  { table: 'mails', column: 'body', row: { column: 'id' }, what: 'mails waiting to be sent' },
  {
    table: 'second_factors',
    column: 'secret',
    row: { column: 'member_id' },
    what: 'second factors of members, who then need a recovery code',
  },
  {
    table: 'pin_keys',
    column: 'key',
    row: { word: 'pinKey' },
    what: 'keys of PINs, whose members then need a new PIN',
  },
  {
    table: 'webhook_subscriptions',
    column: 'secret',
    row: { column: 'id' },
    what: 'signing secrets of webhooks',
  },
  {
    table: 'modules',
    column: 'partner_key',
    row: { column: 'module' },
    what: 'partner keys of workspaces',
  },
  {
    table: 'pixel_settings',
    column: 'social_capi_access_token',
    row: { word: 'socialCapiAccessToken' },
    what: 'access tokens of tracking pixels',
  },
  {
    table: 'idempotency_keys',
    column: 'body',
    row: { column: 'key' },
    what: 'stored replies that show a new API key',
  },
] as const

/** The folder that may write each table; every folder may read it. A test scans the stores for violations. */
export const TABLE_OWNER: Record<keyof Database, string> = {
  accounts: 'areas/workspace/auth',
  settings: 'areas/workspace/settings',
  uploads: 'areas/workspace/uploads',
  accountSlugs: 'areas/workspace/settings',
  modules: 'areas/workspace/modules',
  partnerNotices: 'areas/partners/inbound',
  paymentSessions: 'areas/partners/payments',
  shipments: 'areas/partners/delivery',
  shipmentRequests: 'areas/partners/delivery',
  shippingOrigins: 'areas/partners/delivery',
  billingSubscriptions: 'areas/workspace/billing',
  billingCheckouts: 'areas/workspace/billing',
  billingPayments: 'areas/workspace/billing',
  members: 'areas/workspace/members',
  memberEmails: 'areas/workspace/members',
  mails: 'platform',
  sentMails: 'platform',
  sessions: 'platform/auth',
  tills: 'platform/auth',
  pinKeys: 'platform/auth',
  memberPins: 'platform/auth',
  tillMembers: 'platform/auth',
  approvals: 'platform/auth',
  mailedLinks: 'platform/auth',
  secondFactors: 'platform/auth',
  recoveryCodes: 'platform/auth',
  apiKeys: 'platform/auth',
  loginFailures: 'platform/auth',
  idempotencyKeys: 'platform/http',
  events: 'platform',
  catalogueVersions: 'platform/events',
  catalogueSteps: 'platform/events',
  catalogueChanges: 'platform/events',
  counters: 'platform/db',
  secretsKeys: 'platform',
  jobs: 'platform',
  sweepClock: 'platform',
  heartbeats: 'platform/db',
  operatorTokens: 'platform/auth',
  backups: 'platform/backup',
  outlets: 'areas/workspace/outlets',
  categories: 'areas/catalogue/categories',
  products: 'areas/catalogue/products',
  variants: 'areas/catalogue/products',
  variantBarcodes: 'areas/catalogue/products',
  recipeComponents: 'areas/catalogue/products',
  modifierGroups: 'areas/catalogue/modifiers',
  modifiers: 'areas/catalogue/modifiers',
  productModifierGroups: 'areas/catalogue/modifiers',
  customers: 'areas/selling/customers',
  customerGroups: 'areas/selling/customers',
  priceLists: 'areas/selling/pricing',
  promotions: 'areas/selling/pricing',
  promotionUses: 'areas/selling/pricing',
  loyaltyEntries: 'areas/selling/customers',
  customerCreditEntries: 'areas/selling/customer-credit',
  shifts: 'areas/selling/shifts',
  cashMovements: 'areas/selling/shifts',
  floors: 'areas/dining/tables',
  diningTables: 'areas/dining/tables',
  printers: 'areas/dining/printers',
  printJobs: 'areas/dining/printers',
  drawerKicks: 'areas/dining/printers',
  suppliers: 'areas/stock/suppliers',
  outletDays: 'areas/selling/sales',
  sales: 'areas/selling/sales',
  offlineSales: 'areas/selling/sales',
  receiptLinks: 'areas/selling/receipt-links',
  saleItems: 'areas/selling/sales',
  payments: 'areas/selling/sales',
  refunds: 'areas/selling/sales',
  refundLines: 'areas/selling/sales',
  refundTenders: 'areas/selling/sales',
  giftCards: 'areas/selling/gift-cards',
  giftCardEntries: 'areas/selling/gift-cards',
  giftCardMisses: 'areas/selling/gift-cards',
  giftCardMoves: 'areas/selling/gift-cards',
  stockLevels: 'areas/stock/inventory',
  stockMovements: 'areas/stock/inventory',
  stockBatches: 'areas/stock/inventory',
  stockCounts: 'areas/stock/stock-counts',
  stockCountLines: 'areas/stock/stock-counts',
  purchaseOrders: 'areas/stock/purchase-orders',
  purchaseOrderItems: 'areas/stock/purchase-orders',
  blogPosts: 'areas/marketing/blog',
  pixelSettings: 'areas/marketing/pixels',
  feedSettings: 'areas/marketing/feeds',
  abandonedCartSettings: 'areas/marketing/abandoned-carts',
  cartReminders: 'areas/marketing/abandoned-carts',
  salePromotions: 'areas/selling/promotions',
  reportPositions: 'areas/insight/reports',
  reportOutlets: 'areas/insight/reports',
  reportFigures: 'areas/insight/reports',
  reportMethods: 'areas/insight/reports',
  reportGoods: 'areas/insight/reports',
  reportTaxes: 'areas/insight/reports',
  referralPrograms: 'areas/marketing/referrals',
  referralLinks: 'areas/marketing/referrals',
  referralAttributions: 'areas/marketing/referrals',
  webhookSubscriptions: 'platform/webhooks',
  webhookDeliveries: 'platform/webhooks',
}

/**
 * Where the rows of a table are stored in a sharded database (docs/scaling.md): `account` on the worker of their
 * workspace, `reference` in full on every node, `local` only on the coordinator.
 */
export type Placement = 'account' | 'reference' | 'local'

/**
 * Tables that are not distributed by account, with the reason: their rows are looked up before the workspace is known,
 * or belong to the installation.
 */
export const PLACED_APART: Partial<
  Record<keyof Database, { placement: Exclude<Placement, 'account'>; reason: string }>
> = {
  memberEmails: {
    placement: 'local',
    reason: 'sign-in has only an address, which is unique in the installation',
  },
  accountSlugs: {
    placement: 'local',
    reason: 'a public URL has only a slug, which is unique in the installation',
  },
  loginFailures: { placement: 'local', reason: 'failures are counted by address or IP' },
  sentMails: { placement: 'local', reason: 'mails are counted by mailbox, across all workspaces' },
  secretsKeys: { placement: 'local', reason: "the installation's" },
  jobs: { placement: 'local', reason: "the installation's" },
  sweepClock: { placement: 'local', reason: "the installation's" },
  heartbeats: { placement: 'local', reason: "the installation's" },
  operatorTokens: { placement: 'local', reason: "the installation's" },
  backups: { placement: 'local', reason: "the installation's" },
}

export const placementOf = (table: keyof Database): Placement => PLACED_APART[table]?.placement ?? 'account'

const STEPS = 'the kitchen updates the items of a sale; a copy of them could contradict the sale'
const ON_BOARD =
  'the flag that keeps a kitchen board small, and its last change, follow from the items that the kitchen updates'
const ERASURE =
  'an erased customer leaves no address behind: the erasure removes addresses of parcels in its transaction'
const ONE_ROUND_TRIP =
  'a plain sale is one statement: its rows, stock, events and stored reply in one round trip (decision 0009)'

const THUMBNAIL =
  'a thumbnail made later for an older image is stored in each row that has the URL of the image'

/**
 * Writes outside the owner's folder: the folder or file that writes, and why. It inserts rows (`insert`, which may
 * update an existing row), deletes them (`delete`) or updates these columns only (`update`). A test finds any other.
 */
export const SHARED_WRITES: readonly ({
  table: keyof Database
  writer: string
  reason: string
} & ({ does: 'insert' | 'delete' } | { does: 'update'; columns: readonly string[] }))[] = [
  {
    table: 'saleItems',
    does: 'update',
    columns: ['kitchenStatus', 'kitchenUpdatedAt', 'updatedAt'],
    writer: 'areas/dining/kitchen',
    reason: STEPS,
  },
  {
    table: 'sales',
    does: 'update',
    columns: ['kitchenOpen', 'updatedAt'],
    writer: 'areas/dining/kitchen',
    reason: ON_BOARD,
  },
  {
    table: 'sales',
    does: 'update',
    columns: ['deliveryDraft'],
    writer: 'areas/selling/customers',
    reason: ERASURE,
  },
  {
    table: 'shipments',
    does: 'update',
    columns: ['destination', 'history'],
    writer: 'areas/selling/customers',
    reason: ERASURE,
  },
  {
    table: 'shipmentRequests',
    does: 'delete',
    writer: 'areas/selling/customers',
    reason: ERASURE,
  },
  {
    table: 'receiptLinks',
    does: 'delete',
    writer: 'areas/selling/customers',
    reason: 'an erased customer leaves no public receipt behind',
  },
  {
    table: 'printJobs',
    does: 'delete',
    writer: 'areas/selling/customers',
    reason: 'an erased customer leaves no printed receipt behind',
  },
  {
    table: 'stockLevels',
    does: 'insert',
    writer: 'areas/selling/sales/store/parts.ts',
    reason: ONE_ROUND_TRIP,
  },
  {
    table: 'stockMovements',
    does: 'insert',
    writer: 'areas/selling/sales/store/parts.ts',
    reason: ONE_ROUND_TRIP,
  },
  {
    table: 'events',
    does: 'insert',
    writer: 'areas/selling/sales/store/parts.ts',
    reason: ONE_ROUND_TRIP,
  },
  {
    table: 'idempotencyKeys',
    does: 'insert',
    writer: 'areas/selling/sales/store/parts.ts',
    reason: ONE_ROUND_TRIP,
  },
  {
    table: 'products',
    does: 'update',
    columns: ['thumbnailUrl'],
    writer: 'areas/workspace/uploads',
    reason: THUMBNAIL,
  },
  {
    table: 'settings',
    does: 'update',
    columns: ['thumbnailUrl'],
    writer: 'areas/workspace/uploads',
    reason: THUMBNAIL,
  },
  {
    table: 'printers',
    does: 'update',
    columns: ['tillId', 'updatedAt'],
    writer: 'areas/workspace/tills',
    reason: 'a browser that is enrolled again as a till prints on the printer that is attached to it',
  },
]
