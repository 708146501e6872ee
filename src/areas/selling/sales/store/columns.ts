import { camelOf } from '../../../../platform/db/names.ts'
import type { Item, Payment, Sale } from '../sale/types.ts'

/**
 * The columns of the rows that are sent to PostgreSQL. A column is listed here once; inserts and updates are
 * generated from it. Each list names
 * columns in snake case with their SQL type; the value of a column is the field of the same name in camel case.
 *
 * A new sale is written from these lists, whatever the shape of its statements: `SALE_COLUMNS` (its row besides
 * `account_id`, `id`, `outlet_id`, `created_at` and the `number` that the counter gives), `ITEM_COLUMNS` and `PAYMENT_COLUMNS` (each row also has its
 * own `id`), `MOVE_COLUMNS` (the levels it lowers, of which movements and warnings are made), `EVENT_COLUMNS` (what
 * it announces). `SaleChange` in change.ts holds the values. Rows go out as one array for each column (`saleArrays`, or what
 * `fieldsOf` finds in them), or as one JSON parameter that json_to_recordset types again (`typedNamesOf` with `itemsJson`
 * and the like).
 */
export type Columns = Readonly<Record<string, string>>

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
  offline_ref: 'text',
  approved_by: 'text',
  service_charge_bps: 'int',
  service_charge_base_kind: 'text',
  service_charge_taxable: 'boolean',
  service_charge_base: 'bigint',
  service_charge_amount: 'bigint',
  service_charge_tax: 'bigint',
  service_charge_waived: 'boolean',
  taxes: 'jsonb',
  cash_rounding: 'jsonb',
  rounding_total: 'bigint',
  refunded_service: 'bigint',
  channel: 'text',
  promotions: 'jsonb',
  voucher_codes: 'jsonb',
} as const satisfies Columns

export const ITEM_COLUMNS = {
  position: 'int',
  variant_id: 'text',
  product_id: 'text',
  product_name: 'text',
  variant_name: 'text',
  sku: 'text',
  quantity: 'int',
  pack: 'jsonb',
  sold_by: 'text',
  label_price: 'bigint',
  unit_price: 'bigint',
  modifiers: 'jsonb',
  modifiers_total: 'bigint',
  discount: 'bigint',
  order_discount_share: 'bigint',
  tax_amount: 'bigint',
  line_total: 'bigint',
  tax_rate_bps: 'int',
  service_share: 'bigint',
  price_list_id: 'text',
  promotions: 'jsonb',
  promotion_share: 'bigint',
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
  rounding: 'bigint',
  reference: 'text',
  provider_ref: 'text',
  status: 'text',
  verified: 'boolean',
  applied: 'boolean',
  gift_card_id: 'text',
  session_id: 'text',
  shift_id: 'text',
  refunded_amount: 'bigint',
  paid_at: 'timestamptz',
  corrections: 'jsonb',
  due_date: 'date',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
} as const satisfies Columns

/** The stock that a sale takes, by variant, with the fields of its movement and of the warnings about its level. */
export const MOVE_COLUMNS = {
  variant_id: 'text',
  movement_id: 'text',
  qty: 'int',
  unit_cost: 'bigint',
  product_id: 'text',
  product_name: 'text',
  variant_name: 'text',
  sku: 'text',
  sold_by: 'text',
} as const satisfies Columns

/**
 * The body of an event is `body`, or `prefix`, the sale and `suffix`; `sale` is set if the event shows less than the
 * answer.
 */
export const EVENT_COLUMNS = {
  id: 'text',
  type: 'text',
  ref_id: 'text',
  body: 'text',
  prefix: 'text',
  suffix: 'text',
  sale: 'text',
} as const satisfies Columns

export const REFUND_COLUMNS = {
  kind: 'text',
  amount: 'bigint',
  goods: 'bigint',
  tax: 'bigint',
  service: 'bigint',
  delivery_fee: 'bigint',
  rounding: 'bigint',
  taxes: 'jsonb',
  method: 'text',
  restock: 'boolean',
  gift_card_id: 'text',
  reason: 'text',
  shift_id: 'text',
  actor_id: 'text',
  approved_by: 'text',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
} as const satisfies Columns

export const REFUND_LINE_COLUMNS = {
  refund_id: 'text',
  sale_id: 'text',
  item_id: 'text',
  qty: 'int',
  amount: 'bigint',
  service: 'bigint',
} as const satisfies Columns

export const REFUND_TENDER_COLUMNS = {
  refund_id: 'text',
  position: 'int',
  method: 'text',
  amount: 'bigint',
  payment_id: 'text',
  gift_card_id: 'text',
} as const satisfies Columns

export const namesOf = (columns: Columns, prefix = ''): string =>
  Object.keys(columns)
    .map((name) => `${prefix}${name}`)
    .join(', ')

/** Like `namesOf`, but each column is renamed to camel case. */
export const aliasesOf = (columns: Columns, prefix: string): string =>
  Object.keys(columns)
    .map((name) => `${prefix}${name} as "${camelOf(name)}"`)
    .join(', ')

export const typedNamesOf = (columns: Columns): string =>
  Object.entries(columns)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ')

export const assignmentsOf = (columns: Columns): string =>
  Object.keys(columns)
    .map((name) => `${name} = x.${name}`)
    .join(', ')

/** The assignments of an insert that updates a row which exists already. */
export const overwriteOf = (columns: Columns): string =>
  Object.keys(columns)
    .map((name) => `${name} = excluded.${name}`)
    .join(', ')

const named = new WeakMap<Columns, (readonly [column: string, field: string])[]>()
/** Each column with the field that holds its value. */
export function fieldsOf(columns: Columns): readonly (readonly [column: string, field: string])[] {
  let fields = named.get(columns)
  if (!fields) {
    fields = Object.keys(columns).map((column) => [column, camelOf(column)] as const)
    named.set(columns, fields)
  }
  return fields
}

/**
 * Prints rows as the statements read them: columns in snake case, JSON columns as JSON. Leaves out null fields:
 * json_to_recordset reads an absent key as null, and PostgreSQL scans each byte of the text twice.
 */
function printerOf<Row extends object>(columns: Columns): (row: Row) => Record<string, unknown> {
  const fields = fieldsOf(columns)
  return (row) => {
    const values = row as Readonly<Record<string, unknown>>
    const printed: Record<string, unknown> = {}
    for (const [column, field] of fields) {
      const value = values[field]
      if (value !== null) printed[column] = value
    }
    return printed
  }
}

const printSale = printerOf<Sale>(SALE_COLUMNS)
const printItem = printerOf<Item>({ id: 'text', sale_id: 'text', ...ITEM_COLUMNS })
const printPayment = printerOf<Payment>({ id: 'text', sale_id: 'text', ...PAYMENT_COLUMNS })

const saleFields = Object.entries(SALE_COLUMNS).map(
  ([column, type]) => [camelOf(column) as keyof Sale, type === 'jsonb'] as const,
)
/** The driver would send a JSON string bare and an array as PostgreSQL's. */
const sent = (sale: Sale, field: keyof Sale, isJson: boolean): unknown =>
  isJson && sale[field] !== null ? JSON.stringify(sale[field]) : sale[field]
/** The row of a sale as one value for each of `SALE_COLUMNS`. */
export const saleValues = (sale: Sale): unknown[] =>
  saleFields.map(([field, isJson]) => sent(sale, field, isJson))
/** Rows of sales as one array for each of `SALE_COLUMNS`. */
export const saleArrays = (sales: readonly Sale[]): unknown[][] =>
  saleFields.map(([field, isJson]) => sales.map((sale) => sent(sale, field, isJson)))

export const saleJson = (sale: Sale): string => JSON.stringify(printSale(sale))
export const itemsJson = (items: readonly Item[]): string => JSON.stringify(items.map(printItem))
export const paymentsJson = (payments: readonly Payment[]): string =>
  JSON.stringify(payments.map(printPayment))
