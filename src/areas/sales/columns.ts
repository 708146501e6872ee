import type { Bill, Item, RefundRecord, Tender } from './bill.ts'

/**
 * How rows travel to PostgreSQL: as one JSON parameter that json_to_recordset types again, so any number of rows is one
 * statement of one text. A column stands here once; inserts and updates are printed from it.
 */
type Columns = Readonly<Record<string, string>>

export const SALE_COLUMNS = {
  shift_id: 'text',
  customer_id: 'text',
  table_id: 'text',
  order_type: 'text',
  status: 'text',
  note: 'text',
  item_count: 'int',
  subtotal: 'bigint',
  discount_total: 'bigint',
  order_discount: 'bigint',
  promo_discount: 'bigint',
  tax_rate_bps: 'int',
  tax_inclusive: 'boolean',
  tax_total: 'bigint',
  delivery_fee: 'bigint',
  total: 'bigint',
  paid_total: 'bigint',
  change_total: 'bigint',
  refunded_goods: 'bigint',
  refunded_tax: 'bigint',
  refunded_delivery_fee: 'bigint',
  points_earned: 'bigint',
  loyalty_rupiah_per_point: 'bigint',
  discount_code: 'text',
  redeem_points: 'bigint',
  delivery_draft: 'jsonb',
  kitchen_open: 'boolean',
  version: 'int',
  cashier_id: 'text',
  updated_at: 'timestamptz',
  completed_at: 'timestamptz',
  voided_at: 'timestamptz',
  void_reason: 'text',
} as const satisfies Columns

export const ITEM_COLUMNS = {
  position: 'int',
  variant_id: 'text',
  product_id: 'text',
  product_name: 'text',
  variant_name: 'text',
  sku: 'text',
  quantity: 'int',
  unit_price: 'bigint',
  modifiers: 'jsonb',
  modifiers_total: 'bigint',
  discount: 'bigint',
  order_discount_share: 'bigint',
  tax_amount: 'bigint',
  line_total: 'bigint',
  note: 'text',
  refunded_qty: 'int',
  refunded_value: 'bigint',
  refunded_tax: 'bigint',
  restocked_qty: 'int',
  moved_stock: 'boolean',
  components: 'jsonb',
  batches: 'jsonb',
  station: 'text',
  kitchen_status: 'text',
  kitchen_updated_at: 'timestamptz',
  is_active: 'boolean',
  cancelled_qty: 'int',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
} as const satisfies Columns

export const PAYMENT_COLUMNS = {
  method: 'text',
  amount: 'bigint',
  tendered: 'bigint',
  change: 'bigint',
  reference: 'text',
  provider_ref: 'text',
  status: 'text',
  verified: 'boolean',
  applied: 'boolean',
  gift_card_id: 'text',
  shift_id: 'text',
  refunded_amount: 'bigint',
  paid_at: 'timestamptz',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
} as const satisfies Columns

export const namesOf = (columns: Columns, prefix = ''): string =>
  Object.keys(columns)
    .map((name) => `${prefix}${name}`)
    .join(', ')

export const typedNamesOf = (columns: Columns): string =>
  Object.entries(columns)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ')

export const assignmentsOf = (columns: Columns): string =>
  Object.keys(columns)
    .map((name) => `${name} = x.${name}`)
    .join(', ')

const snake = (key: string) => key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** A row as the statements read it: snake case, JSON columns as JSON. */
export const rowJson = (row: Item | Tender | RefundRecord | Bill): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).map(([key, value]) => [snake(key), value]))

export const rowsJson = (rows: readonly (Item | Tender)[]): string => JSON.stringify(rows.map(rowJson))
