import type { CatalogueTables } from './tables/catalogue.ts'
import type { MarketingTables } from './tables/marketing.ts'
import type { PartnerTables } from './tables/partners.ts'
import type { PeopleTables } from './tables/people.ts'
import type { ReportTables } from './tables/reports.ts'
import type { SalesTables } from './tables/sales.ts'
import type { StockTables } from './tables/stock.ts'
import type { WebhookTables } from './tables/webhooks.ts'
import type { WorkspaceTables } from './tables/workspace.ts'

/** Every table as Kysely sees it, in camel case. */
export type Database = WorkspaceTables &
  CatalogueTables &
  PeopleTables &
  SalesTables &
  StockTables &
  MarketingTables &
  ReportTables &
  WebhookTables &
  PartnerTables

/**
 * Every column that holds sealed texts (platform/secrets.ts): the one place to add a column to. Rotation seals it again,
 * `kasir serve --new-key` counts what it held. `row` is the column that names a row beside `account_id`, or the word that
 * does where a workspace has one row; `what` is what is lost with the key, for a person who has to decide. A test finds a
 * column whose name promises a secret and is not here.
 */
export const SEALED = [
  { table: 'mails', column: 'body', row: { column: 'id' }, what: 'mails waiting to be sent' },
  {
    table: 'second_factors',
    column: 'secret',
    row: { column: 'member_id' },
    what: 'second factors of members, who need a recovery code then',
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
    what: 'keys of workspaces at partners',
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

/** The folder that may write each table; anyone may read. A test scans the stores for violations. */
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
  billingPayments: 'areas/workspace/billing',
  members: 'areas/workspace/members',
  memberEmails: 'areas/workspace/members',
  mails: 'platform',
  sentMails: 'platform',
  sessions: 'platform/auth',
  mailedLinks: 'platform/auth',
  secondFactors: 'platform/auth',
  recoveryCodes: 'platform/auth',
  apiKeys: 'platform/auth',
  loginFailures: 'platform/auth',
  idempotencyKeys: 'platform/http',
  events: 'platform',
  counters: 'platform/db',
  secretsKeys: 'platform',
  jobs: 'platform',
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
  giftCardMoves: 'areas/selling/gift-cards',
  stockLevels: 'areas/stock/inventory',
  stockMovements: 'areas/stock/inventory',
  stockBatches: 'areas/stock/inventory',
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
  referralPrograms: 'areas/marketing/referrals',
  referralLinks: 'areas/marketing/referrals',
  referralAttributions: 'areas/marketing/referrals',
  webhookSubscriptions: 'platform/webhooks',
  webhookDeliveries: 'platform/webhooks',
}

/**
 * Where the rows of a table lie once the database has several nodes (docs/scaling.md): `account` beside all others of their
 * workspace, on one of the workers; `reference` whole on every node; `local` on the coordinator alone.
 */
export type Placement = 'account' | 'reference' | 'local'

/** Tables whose rows are found before a workspace is known, or belong to the installation; why they are not by account. */
export const PLACED_APART: Partial<
  Record<keyof Database, { placement: Exclude<Placement, 'account'>; reason: string }>
> = {
  memberEmails: {
    placement: 'local',
    reason: 'sign-in knows an address alone, and it is unique in the installation',
  },
  accountSlugs: {
    placement: 'local',
    reason: 'a public address knows a slug alone, and it is unique in the installation',
  },
  loginFailures: { placement: 'local', reason: 'they are counted by address or IP' },
  sentMails: { placement: 'local', reason: 'they are counted by mailbox, whichever workspace wrote to it' },
  secretsKeys: { placement: 'local', reason: "the installation's" },
  jobs: { placement: 'local', reason: "the installation's" },
}

export const placementOf = (table: keyof Database): Placement => PLACED_APART[table]?.placement ?? 'account'

const STEPS = 'the kitchen steps lines that the sale made; a copy of them would be two truths'
const ON_BOARD =
  'what keeps a board small follows from the lines the kitchen steps: the flag, and when that last happened'
const ERASURE =
  'an erased customer leaves no address behind: what is kept of parcels goes in the transaction of the erasure'
const ONE_ROUND_TRIP =
  'a plain sale is one statement: its rows, stock, events and stored reply in one round trip (decision 0009)'

const TWO_ROUND_TRIPS = 'a plain payment on a bill is a read and one statement that writes all of it'

/**
 * What is written outside the owner's folder, by which folder or file, and why. Rows are made (`insert`, which may raise
 * a row that is there), removed (`delete`) or changed (`update`, these columns alone). A test looks for any other.
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
    table: 'stockLevels',
    does: 'insert',
    writer: 'areas/selling/sales/store/create.ts',
    reason: ONE_ROUND_TRIP,
  },
  {
    table: 'stockMovements',
    does: 'insert',
    writer: 'areas/selling/sales/store/create.ts',
    reason: ONE_ROUND_TRIP,
  },
  { table: 'events', does: 'insert', writer: 'areas/selling/sales/store/create.ts', reason: ONE_ROUND_TRIP },
  {
    table: 'idempotencyKeys',
    does: 'insert',
    writer: 'areas/selling/sales/store/create.ts',
    reason: ONE_ROUND_TRIP,
  },
  {
    table: 'stockLevels',
    does: 'insert',
    writer: 'areas/selling/sales/store/pay.ts',
    reason: TWO_ROUND_TRIPS,
  },
  {
    table: 'stockMovements',
    does: 'insert',
    writer: 'areas/selling/sales/store/pay.ts',
    reason: TWO_ROUND_TRIPS,
  },
  { table: 'events', does: 'insert', writer: 'areas/selling/sales/store/pay.ts', reason: TWO_ROUND_TRIPS },
  {
    table: 'idempotencyKeys',
    does: 'insert',
    writer: 'areas/selling/sales/store/pay.ts',
    reason: TWO_ROUND_TRIPS,
  },
]
