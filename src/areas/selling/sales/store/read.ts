import { assert } from '../../../../core/assert.ts'
import { type Cursor, decodeCursor } from '../../../../core/cursor.ts'
import { storedInstant } from '../../../../core/time.ts'
import { camelOf } from '../../../../platform/db/names.ts'
import { type Db, named, type Tx } from '../../../../platform/db/open.ts'
import { type Statement, statement } from '../../../../platform/db/statement.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { SALE_STATUSES } from '../rules/state.ts'
import type { Sale } from '../sale/types.ts'
import { ORDER_TYPES } from '../schema.ts'
import { aliasesOf, SALE_COLUMNS } from './columns.ts'

/**
 * One statement reads a sale with everything on it, so a receipt is one moment in time: rows of other tables come as
 * JSON. Every table is compared with the account parameter itself, as a sharded engine demands.
 */
const children = `
  coalesce((select json_agg(to_json(p) order by p.id) from payments p
    where p.account_id = $1 and p.sale_id = s.id), '[]') as payments,
  coalesce((select json_agg(to_json(r) order by r.id) from (
    select f.*,
      coalesce((select json_agg(to_json(l)) from refund_lines l where l.account_id = $1 and l.refund_id = f.id), '[]') as lines,
      coalesce((select json_agg(to_json(t)) from refund_tenders t where t.account_id = $1 and t.refund_id = f.id), '[]') as tenders
    from refunds f where f.account_id = $1 and f.sale_id = s.id) r), '[]') as refunds`

const around = `
  coalesce((select json_agg(to_json(i) order by i.position, i.id) from sale_items i
    where i.account_id = $1 and i.sale_id = s.id), '[]') as items,
  json_build_object(
    'outlet', (select json_build_object('name', o.name, 'address', o.address, 'phone', o.phone,
        'receiptHeader', o.receipt_header, 'receiptFooter', o.receipt_footer)
      from outlets o where o.account_id = $1 and o.id = s.outlet_id),
    'customer', (select json_build_object('id', c.id, 'name', c.name, 'phone', c.phone)
      from customers c where c.account_id = $1 and c.id = s.customer_id),
    'table', (select json_build_object('id', d.id, 'label', d.label)
      from dining_tables d where d.account_id = $1 and d.id = s.table_id)) as around`

/** Named one by one: a prepared `select *` breaks when a migration adds a column. */
const COLUMNS = `s.id, s.number, s.outlet_id as "outletId", s.created_at as "createdAt",
  s.delivery_status as "deliveryStatus", s.shipment_id as "shipmentId", ${aliasesOf(SALE_COLUMNS, 's.')}`

const FIND = statement(
  'sale_find',
  `select ${COLUMNS}, ${children}, ${around} from sales s where s.account_id = $1 and s.id = $2`,
)

const LOCK = statement('sale_lock', 'select id from sales where account_id = $1 and id = $2 for update')

type Row = Record<string, unknown>

/** How a column of a row inside JSON is read; each is looked at once in the life of the process. */
const readings = new Map<string, { field: string; isInstant: boolean }>()
function readingOf(column: string) {
  let reading = readings.get(column)
  if (!reading) {
    reading = { field: camelOf(column), isInstant: column.endsWith('_at') }
    readings.set(column, reading)
  }
  return reading
}

/** A row that came inside JSON: names in camel case, instants in the form that columns have. */
function rowOf(row: Row): Row {
  const renamed: Row = {}
  for (const column in row) {
    if (column === 'account_id') continue
    const value = row[column]
    const { field, isInstant } = readingOf(column)
    renamed[field] = isInstant && typeof value === 'string' ? storedInstant(value) : value
  }
  return renamed
}

const rowsOf = (rows: unknown): Row[] => (rows as Row[]).map(rowOf)

/** The row becomes the sale: a list copies none of its forty columns. */
function saleOf(row: Row): Sale {
  row['items'] = rowsOf(row['items'] ?? [])
  row['payments'] = rowsOf(row['payments'])
  row['refunds'] = (row['refunds'] as Row[]).map((refund) => {
    const read = rowOf(refund)
    read['lines'] = rowsOf(refund['lines'])
    read['tenders'] = rowsOf(refund['tenders'])
    return read
  })
  row['around'] ??= { outlet: undefined, customer: null, table: null }
  // The columns are those of the tables behind `Sale`; this is the one place that says so without a proof.
  return row as unknown as Sale
}

export async function find(db: Db, scope: Scope, id: string): Promise<Sale | undefined> {
  const [row] = await named<Row>(db, FIND, [scope.accountId, id])
  return row && saleOf(row)
}

/** Locks the sale, then reads it: what is read after the wait is what the winner of the wait left behind. */
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
}

const FILTER_COLUMNS = {
  outletId: 's.outlet_id',
  shiftId: 's.shift_id',
  tableId: 's.table_id',
  customerId: 's.customer_id',
} as const

/**
 * Filters of a few words, which are written into the text: a plan for all values cannot use the index of one
 * (decision 0013).
 */
const FILTER_WORDS = {
  status: { column: 's.status', words: SALE_STATUSES },
  orderType: { column: 's.order_type', words: ORDER_TYPES },
} as const

/** By the filters they have: a few hundred, since each is there or not and the words are few. */
const lists = new Map<string, Statement>()

/** Newest first; an id carries its creation time, so the order of ids is the order of creation. */
export async function list(
  db: Db,
  scope: Scope,
  filter: SaleFilter,
  page: { limit: number; cursor?: string | undefined },
): Promise<(Omit<Sale, 'items' | 'around'> & Cursor)[]> {
  const values: unknown[] = [scope.accountId]
  const conditions = ['s.account_id = $1']
  const used: string[] = []
  for (const [key, column] of Object.entries(FILTER_COLUMNS)) {
    const value = filter[key as keyof typeof FILTER_COLUMNS]
    if (value === undefined) continue
    used.push(key)
    conditions.push(`${column} = $${values.push(value)}`)
  }
  for (const [key, { column, words }] of Object.entries(FILTER_WORDS)) {
    const value = filter[key as keyof typeof FILTER_WORDS]
    if (value === undefined) continue
    assert((words as readonly string[]).includes(value), 'a word of SQL is one of our own')
    used.push(value)
    conditions.push(`${column} = '${value}'`)
  }
  if (page.cursor !== undefined) {
    used.push('cursor')
    conditions.push(`s.id < $${values.push(decodeCursor(page.cursor, 'sale').id)}`)
  }
  const limit = `$${values.push(page.limit + 1)}`
  const text = `select ${COLUMNS}, ${children} from sales s where ${conditions.join(' and ')} order by s.id desc limit ${limit}`
  // The same set of filters is the same statement, so it is prepared once under a name made of them.
  const name = ['sale_list', ...used].join('_')
  const known = lists.get(name) ?? statement(name, text)
  lists.set(name, known)
  const rows = await named<Row>(db, known, values)
  return rows.map((row) => saleOf(row) as Sale & Cursor)
}
