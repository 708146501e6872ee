import { assert } from '../../../../core/assert.ts'
import { type Cursor, decodeCursor } from '../../../../core/cursor.ts'
import { storedInstant } from '../../../../core/time.ts'
import type { Window } from '../../../../core/window.ts'
import { anyOf, batchReads } from '../../../../platform/db/batch-reads.ts'
import { camelOf } from '../../../../platform/db/names.ts'
import { type Db, named, type Tx } from '../../../../platform/db/open.ts'
import { formatInstants } from '../../../../platform/db/records.ts'
import { type Statement, statement } from '../../../../platform/db/statement.ts'
import { walkText } from '../../../../platform/db/walk.ts'
import { expiredBefore, type StoredReply } from '../../../../platform/http/idempotency.ts'
import type { Role, Scope } from '../../../../platform/scope.ts'
import { SALE_STATUSES } from '../rules/state.ts'
import type { Sale } from '../sale/types.ts'
import { ORDER_TYPES } from '../schema.ts'
import {
  aliasesOf,
  type Columns,
  ITEM_COLUMNS,
  PAYMENT_COLUMNS,
  REFUND_COLUMNS,
  REFUND_LINE_COLUMNS,
  REFUND_TENDER_COLUMNS,
  SALE_COLUMNS,
} from './columns.ts'
import { GOODS_OF_BILL, type GoodsOfBill } from './context.ts'
import { refundedWithin, soldWithin, withReference } from './sources.ts'

/** Columns of one table as JSON records with the names of the code, so that none is renamed afterwards. */
const records = (columns: Columns, rows: string, order: string) =>
  `coalesce((select json_agg(x order by ${order}) from (select ${aliasesOf(columns, 'c.')} from ${rows}) x), '[]')`

const OWN = { id: 'text', sale_id: 'text' } as const

/**
 * One statement reads a sale with everything on it, so a receipt is one moment in time: rows of other tables come as
 * JSON. Every table is compared with the account parameter itself, because a sharded database needs that.
 */
const children = `
  ${records(
    { ...OWN, ...PAYMENT_COLUMNS },
    'payments c where c.account_id = $1 and c.sale_id = s.id',
    'x.id',
  )} as payments,
  coalesce((select json_agg(x order by x.id) from (select ${aliasesOf({ ...OWN, ...REFUND_COLUMNS }, 'f.')},
      ${records(REFUND_LINE_COLUMNS, 'refund_lines c where c.account_id = $1 and c.refund_id = f.id', 'x."itemId"')} as lines,
      ${records(REFUND_TENDER_COLUMNS, 'refund_tenders c where c.account_id = $1 and c.refund_id = f.id', 'x.position')} as tenders
    from refunds f where f.account_id = $1 and f.sale_id = s.id) x), '[]') as refunds`

const around = `
  ${records(
    { ...OWN, ...ITEM_COLUMNS },
    'sale_items c where c.account_id = $1 and c.sale_id = s.id',
    'x.position, x.id',
  )} as items,
  json_build_object(
    'outlet', (select json_build_object('name', o.name, 'address', o.address, 'phone', o.phone,
        'receiptHeader', o.receipt_header, 'receiptFooter', o.receipt_footer)
      from outlets o where o.account_id = $1 and o.id = s.outlet_id),
    'customer', (select json_build_object('id', c.id, 'name', c.name, 'phone', c.phone)
      from customers c where c.account_id = $1 and c.id = s.customer_id),
    'table', (select json_build_object('id', d.id, 'label', d.label)
      from dining_tables d where d.account_id = $1 and d.id = s.table_id),
    'stationPrinters', (select o.station_printers from outlets o where o.account_id = $1 and o.id = s.outlet_id)) as around`

/** Named one by one: a prepared `select *` breaks when a migration adds a column. */
const COLUMNS = `s.id, s.number, s.outlet_id as "outletId", s.created_at as "createdAt",
  s.delivery_status as "deliveryStatus", s.shipment_id as "shipmentId", ${aliasesOf(SALE_COLUMNS, 's.')}`

const readOf = (more: string) =>
  `select ${COLUMNS}, ${children}, ${around}${more} from sales s where s.account_id = $1 and s.id = ${anyOf('$2')}`

const FIND = statement('sale_find', readOf(''))

/** A sale with the records that only its receipt names. The cashier is a member or an API key. */
const PRINTED = statement(
  'sale_printed',
  readOf(`,
  (select json_build_object('timezone', o.timezone, 'taxLabel', o.tax_label)
    from outlets o where o.account_id = $1 and o.id = s.outlet_id) as clock,
  (select json_build_object('businessName', t.business_name, 'npwp', t.npwp, 'receiptThanks', t.receipt_thanks, 'receiptQr', t.receipt_qr, 'logoUrl', t.logo_url)
    from settings t where t.account_id = $1) as settings,
  (select a.name from accounts a where a.account_id = $1) as "accountName",
  coalesce((select m.name from members m where m.account_id = $1 and m.id = s.cashier_id),
    (select k.name from api_keys k where k.account_id = $1 and k.id = s.cashier_id)) as "cashierName"`),
)

/**
 * A bill with the facts for a payment on it: whether the caller's API key is valid, the stored reply of the
 * Idempotency-Key, the cashier's open shift, and whether the bill's own shift is open. If `$5` rupiah cover the bill,
 * its goods are read too. If the bill does not exist, all columns but the first two are null.
 */
const TO_PAY = statement(
  'sale_to_pay',
  `select exists (select from api_keys k where k.account_id = $1 and k.id = $3 and k.revoked_at is null) as "keyHolds",
    (select json_build_object('fingerprint', k.fingerprint, 'status', k.status, 'body', k.body, 'created_at', k.created_at)
      from idempotency_keys k where k.account_id = $1 and k.key = $4 and k.created_at >= ${expiredBefore('$6')}) as replay, b.*
    from (select 1) one left join lateral (
      ${readOf(`, s.xmin::text as seen,
      (select h.id from shifts h where h.account_id = $1 and h.outlet_id = s.outlet_id and h.cashier_id = $3 and h.status = 'OPEN') as "ownShiftId",
      (select h.status = 'OPEN' from shifts h where h.account_id = $1 and h.id = s.shift_id) as "isShiftOpen",
      case when s.status = 'PARKED' and s.paid_total + $5::bigint + coalesce((s.cash_rounding ->> 'step')::bigint, 0) >= s.total then ${GOODS_OF_BILL} end as shop`)}
    ) b on true`,
)

const KEY_HOLDS = statement(
  'sale_key_holds',
  'select k.role from api_keys k where k.account_id = $1 and k.id = $2 and k.revoked_at is null',
)

const LOCK = statement('sale_lock', 'select id from sales where account_id = $1 and id = $2 for update')
const LOCK_TO_PRINT = statement(
  'sale_lock_to_print',
  'select id from sales where account_id = $1 and id = $2 for no key update',
)

type Row = Record<string, unknown>

/** The present role of the caller's API key; null if the key is no longer valid. */
export async function findKeyRole(db: Db, { accountId, actor }: Scope): Promise<Role | null> {
  const [row] = await named<{ role: Role }>(db, KEY_HOLDS, [accountId, actor.id])
  return row?.role ?? null
}

/** The conditions under which a payment was requested. */
export type Payer = { key: string | null; since: string; amount: number }
export type BillToPay = {
  sale: Sale
  /** A different value after each change of the bill or of a record on it. */
  seen: string
  ownShiftId: string | null
  isShiftOpen: boolean | null
  shop: GoodsOfBill | null
}
export type ToPay = { keyHolds: boolean; replay: StoredReply | null; bill: BillToPay | null }

/** Reads for a payment of `amount` rupiah; nothing is locked. `since` is when the oldest key that counts was used, by the clock of this process. */
export async function findToPay(
  db: Db,
  scope: Scope,
  id: string,
  { key, since, amount }: Payer,
): Promise<ToPay> {
  const values = [scope.accountId, [id], scope.actor.id, key, amount, since]
  const [row] = await named<Row & Omit<ToPay, 'bill'> & Omit<BillToPay, 'sale'>>(db, TO_PAY, values)
  assert(row, 'a select from nothing answers one row')
  const { keyHolds: holds, replay, seen, ownShiftId, isShiftOpen, shop } = row
  if (replay) replay.created_at = storedInstant(replay.created_at)
  const bill = row['id'] === null ? null : { sale: saleOf(row), seen, ownShiftId, isShiftOpen, shop }
  return { keyHolds: holds, replay, bill }
}

const instantsOf = (columns: Columns): string[] =>
  Object.entries(columns).flatMap(([name, type]) => (type === 'timestamptz' ? [camelOf(name)] : []))

const OF_ITEM = instantsOf(ITEM_COLUMNS)
const OF_PAYMENT = instantsOf(PAYMENT_COLUMNS)
const OF_REFUND = instantsOf(REFUND_COLUMNS)

type SaleRow = Omit<Sale, 'items' | 'around'>

/**
 * The row becomes the sale. No field is added that the statement did not select: that would cost more than filling
 * all forty (decision 0014).
 */
function rowOf(row: Row): SaleRow {
  formatInstants(row['payments'], OF_PAYMENT)
  formatInstants(row['refunds'], OF_REFUND)
  // The columns are those of the tables behind `Sale`. The compiler cannot check this cast, and there is no other.
  return row as unknown as SaleRow
}

function saleOf(row: Row): Sale {
  formatInstants(row['items'], OF_ITEM)
  return rowOf(row) as Sale
}

export async function find(db: Db, scope: Scope, id: string): Promise<Sale | undefined> {
  const [row] = await named<Row>(db, FIND, [scope.accountId, [id]])
  return row && saleOf(row)
}

/**
 * The same outside of transactions. Concurrent callers share one statement, and may share the sale, so they must not
 * change it.
 */
export const findShared = batchReads<Readonly<Sale>>(async (db, accountId, ids) => {
  const rows = await named<Row>(db, FIND, [accountId, ids])
  return new Map(rows.map((row) => [row['id'] as string, saleOf(row)]))
})

/** The fields of a receipt that are not part of the sale. `cashierName` is null once the cashier no longer exists. */
export type ReceiptData = {
  clock: { timezone: string; taxLabel: string }
  settings: {
    businessName: string
    npwp: string | null
    receiptThanks: string | null
    receiptQr: boolean
    logoUrl: string | null
  } | null
  accountName: string
  cashierName: string | null
}

/** A sale with the fields of its receipt, in one statement for all concurrent callers. */
export const findPrinted = batchReads<Readonly<Sale & ReceiptData>>(async (db, accountId, ids) => {
  const rows = await named<Row>(db, PRINTED, [accountId, ids])
  return new Map(rows.map((row) => [row['id'] as string, saleOf(row) as Sale & ReceiptData]))
})

/** Locks the sale; false if there is none. */
export const lockRowToPrint = async (tx: Tx, scope: Scope, id: string): Promise<boolean> =>
  (await named(tx, LOCK_TO_PRINT, [scope.accountId, id])).length > 0

/** Locks the sale, then reads it, so that it reads the result of a write that it waited for. */
export async function lockSaleRow(tx: Tx, scope: Scope, id: string): Promise<Sale | undefined> {
  const locked = await named(tx, LOCK, [scope.accountId, id])
  return locked.length === 0 ? undefined : find(tx, scope, id)
}

export type SaleFilter = {
  outletId?: string | undefined
  status?: string | undefined
  shiftId?: string | undefined
  tableId?: string | undefined
  customerId?: string | undefined
  orderType?: string | undefined
  cashierId?: string | undefined
  method?: string | undefined
  productId?: string | undefined
  categoryId?: string | undefined
  q?: string | undefined
  windows?: readonly (Window & { what: (typeof WINDOWS)[number] })[]
}

export const WINDOWS = ['sold', 'completed', 'voided', 'refunded'] as const

/** The times of a sale that filters use, each with an index. An open bill has only the time at which it was opened; a discarded bill does not count as voided. */
const WINDOW_CONDITIONS = {
  sold: (from: string, to: string) => `(s.completed_at >= ${from} and s.completed_at < ${to}
    or s.status = 'PARKED' and s.created_at >= ${from} and s.created_at < ${to})`,
  refunded: (
    from: string,
    to: string,
  ) => `exists (select from refunds r where r.account_id = $1 and r.sale_id = s.id and r.kind = 'REFUND'
    and r.created_at >= ${from} and r.created_at < ${to})`,
  completed: (from: string, to: string) => `s.completed_at >= ${from} and s.completed_at < ${to}`,
  voided: (from: string, to: string) =>
    `s.voided_at >= ${from} and s.voided_at < ${to} and s.completed_at is not null`,
} as const
/**
 * Conditions without an index. Each sale of a window is checked by them; a null one is left out. PostgreSQL does not
 * turn a scalar subquery into a scan of all items.
 */
const WITHIN_WINDOW = {
  shiftId: (value: string) => `s.shift_id = ${value}`,
  tableId: (value: string) => `s.table_id = ${value}`,
  customerId: (value: string) => `s.customer_id = ${value}`,
  status: (value: string) => `s.status = ${value}`,
  orderType: (value: string) => `s.order_type = ${value}`,
  cashierId: (value: string) => `s.cashier_id = ${value}`,
  method: (value: string) => `(select true from payments p where p.account_id = $1 and p.sale_id = s.id
    and p.method = ${value} and p.status = 'PAID' and p.applied limit 1)`,
  productId: (value: string) => `(select true from sale_items i where i.account_id = $1 and i.sale_id = s.id
    and i.is_active and i.product_id = ${value} limit 1)`,
  categoryId: (
    value: string,
  ) => `(select true from sale_items i join products c on c.account_id = $1 and c.id = i.product_id
    where i.account_id = $1 and i.sale_id = s.id and i.is_active and c.category_id = ${value} limit 1)`,
} as const

/**
 * Each has an index in which its sales are in order of ids. With several filters the index of the first one is used.
 */
const FILTER_COLUMNS = {
  customerId: 's.customer_id',
  shiftId: 's.shift_id',
  tableId: 's.table_id',
  outletId: 's.outlet_id',
} as const

/**
 * Filters of a few words, which are written into the text: a plan for all values cannot use the index of one
 * (decision 0013).
 */
const FILTER_WORDS = {
  status: { column: 's.status', words: SALE_STATUSES },
  orderType: { column: 's.order_type', words: ORDER_TYPES },
} as const

/** Windows that lead to their sales, the rarer first. */
const LEADING = ['refunded', 'sold'] as const

/** Indexes by time begin with the outlet. */
const OF_ANY_OUTLET = 's.outlet_id in (select o.id from outlets o where o.account_id = $1)'

/**
 * The sales of a time are found by it and then sorted: walking back from the newest sale could take all of history.
 * Every other filter is always part of the text, so there are few texts.
 */
async function listWithin(
  db: Db,
  scope: Scope,
  filter: SaleFilter,
  page: { limit: number; cursor?: string | undefined },
): Promise<(SaleRow & Cursor)[]> {
  const { windows = [], outletId, q } = filter
  const before = page.cursor === undefined ? null : decodeCursor(page.cursor, 'sale').id
  const values: unknown[] = [scope.accountId, page.limit + 1, before]
  const parameter = (value: unknown) => `$${values.push(value)}`
  const outlet = outletId === undefined ? null : parameter(outletId)
  const conditions = [
    's.account_id = $1 and ($3::text is null or s.id < $3)',
    outlet === null ? OF_ANY_OUTLET : `s.outlet_id = ${outlet}`,
    ...Object.entries(WITHIN_WINDOW).map(([key, condition]) => {
      const value = `${parameter(filter[key as keyof typeof WITHIN_WINDOW] ?? null)}::text`
      return `(${value} is null or ${condition(value)})`
    }),
  ]
  // The rarest leads to the sales; the others are tried on each of them.
  const first =
    q === undefined ? LEADING.find((what) => windows.some((window) => window.what === what)) : null
  let source = q === undefined ? 'sales' : withReference(parameter(q))
  for (const { what, from, to } of windows) {
    const edges = [parameter(from), parameter(to)] as const
    if (what !== first) conditions.push(WINDOW_CONDITIONS[what](...edges))
    else source = what === 'refunded' ? refundedWithin(...edges) : soldWithin(...edges, outlet)
  }
  const name = [
    'sale_list',
    outletId === undefined ? 'all' : 'outlet',
    ...windows.map(({ what }) => what),
    ...(q === undefined ? [] : ['q']),
  ].join('_')
  const known =
    lists.get(name) ??
    statement(
      name,
      `select ${COLUMNS}, ${children} from (
        select w.id from (select s.id from ${source} s where ${conditions.join(' and ')} offset 0) w order by w.id desc limit $2
      ) w, lateral (select v.* from sales v where v.account_id = $1 and v.id = w.id offset 0) s order by s.id desc`,
    )
  lists.set(name, known)
  const rows = await named<Row>(db, known, values)
  return rows.map((row) => rowOf(row) as SaleRow & Cursor)
}

/** The statements by their filters: a few hundred at most. */
const lists = new Map<string, Statement>()

/** Newest first; an id carries its creation time, so the order of ids is the order of creation. */
export async function list(
  db: Db,
  scope: Scope,
  filter: SaleFilter,
  page: { limit: number; cursor?: string | undefined },
): Promise<(SaleRow & Cursor)[]> {
  if ((filter.windows ?? []).length > 0 || filter.q !== undefined) return listWithin(db, scope, filter, page)
  const values: unknown[] = [scope.accountId]
  const by: [column: string, value: string][] = []
  const conditions = ['s.account_id = $1']
  const used: string[] = []
  for (const [key, column] of Object.entries(FILTER_COLUMNS)) {
    const value = filter[key as keyof typeof FILTER_COLUMNS]
    if (value === undefined) continue
    used.push(key)
    const parameter = `$${values.push(value)}`
    if (by.length === 0) by.push([column, parameter])
    else conditions.push(`${column} = ${parameter}`)
  }
  const words: string[] = []
  for (const [key, { column, words: known }] of Object.entries(FILTER_WORDS)) {
    const value = filter[key as keyof typeof FILTER_WORDS]
    if (value === undefined) continue
    assert((known as readonly string[]).includes(value), 'a word of SQL is one of our own')
    used.push(value)
    words.push(`${column} = '${value}'`)
  }
  const before = page.cursor === undefined ? null : decodeCursor(page.cursor, 'sale').id
  if (before !== null) used.push('cursor')
  const id = { id: 's.id', from: null, before: before === null ? null : `$${values.push(before)}` }
  const limit = `$${values.push(page.limit + 1)}`
  // The indexes of rare words begin with the outlet, so a list over all outlets takes the newest rows of each.
  const ofEach = words.length > 0 && by.length === 0
  const { where, order } = walkText({ by: ofEach ? [['s.outlet_id', 'o.id']] : by, ...id })
  const found = `from sales s where ${[...conditions, ...words, where].filter(Boolean).join(' and ')} order by ${order} limit ${limit}`
  const text = ofEach
    ? `select ${COLUMNS}, ${children} from (
        select n.* from outlets o cross join lateral (select s.* ${found}) n where o.account_id = $1 order by n.id desc limit ${limit}
      ) s order by s.id desc`
    : `select ${COLUMNS}, ${children} ${found}`
  // The same set of filters is the same statement, so it is prepared once under a name made of them.
  const name = ['sale_list', ...used].join('_')
  const known = lists.get(name) ?? statement(name, text)
  lists.set(name, known)
  const rows = await named<Row>(db, known, values)
  return rows.map((row) => rowOf(row) as SaleRow & Cursor)
}
