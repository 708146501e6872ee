import { addMs } from '../../../core/time.ts'
import { type Db, named, namedWrite, type Tx } from '../../../platform/db/open.ts'
import { statement, writeStatement } from '../../../platform/db/statement.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { KitchenItem, KitchenState } from './rules.ts'

/** An item as the boards show it. */
export type TicketLine = KitchenItem & {
  saleId: string
  name: string
  variantName: string
  quantity: number
  soldBy: 'WEIGHT' | null
  pack: { id: string; name: string; factor: number } | null
  modifiers: readonly { name: string; price: number }[] | null
  note: string | null
  station: string | null
  cancelledQty: number
  kitchenUpdatedAt: string | null
  createdAt: string
  updatedAt: string
}

/** A sale as the boards show it. */
export type KitchenSale = {
  id: string
  number: string
  outletId: string
  tableId: string | null
  tableLabel: string | null
  orderType: 'DINE_IN' | 'TAKEAWAY' | 'DELIVERY' | null
  status: string
  note: string | null
  kitchenOpen: boolean
  createdAt: string
  updatedAt: string
  items: TicketLine[]
}

/** An open item without a station is on no ticket (B-openitem-3). */
const IS_FOR_KITCHEN = '(variant_id is not null or station is not null)'

/**
 * The sales with their items, the newest first. The lateral query reads only the items of these few sales, whatever the planner
 * estimates about old sales.
 */
const withLines = (sales: string, limit = '') => `
  select s.id, s.number, s.outlet_id as "outletId", s.table_id as "tableId", t.label as "tableLabel",
    s.order_type as "orderType", s.status, s.note, s.kitchen_open as "kitchenOpen", s.created_at as "createdAt",
    s.updated_at as "updatedAt",
    i.id as "itemId", i.product_name as name, i.variant_name as "variantName", i.quantity, i.modifiers,
    i.sold_by as "soldBy", i.pack,
    i.note as "itemNote", i.station, i.kitchen_status as "kitchenStatus",
    i.kitchen_updated_at as "kitchenUpdatedAt", i.is_active as "isActive", i.cancelled_qty as "cancelledQty",
    i.created_at as "itemCreatedAt", i.updated_at as "itemUpdatedAt"
  from ${sales} s
    left join dining_tables t on t.account_id = $1 and t.id = s.table_id
    cross join lateral (
      select * from sale_items where account_id = $1 and sale_id = s.id and ${IS_FOR_KITCHEN} order by position, id) i
  order by s.id desc, i.position, i.id${limit}`

/**
 * Selects the tickets of an outlet on a board: those of open bills, and those of other sales for a day after their
 * last change (B-kitchen-5). Two scans of small indexes replace one of a large one, which has all tickets of shops
 * that never serve one.
 */
const ticketsOf = (outlet: string, since: string) => `
  select * from sales where account_id = $1 and outlet_id = ${outlet} and status = 'PARKED' and kitchen_open
  union all
  select * from sales where account_id = $1 and outlet_id = ${outlet} and status <> 'PARKED' and kitchen_open
    and updated_at >= ${since}`

const OF_OUTLET = `(${ticketsOf('$2', '$3')})`

const OF_ALL = `(select b.* from outlets o cross join lateral (${ticketsOf('o.id', '$2')}) b where o.account_id = $1)`

/** A board shows the newest tickets (B-kitchen-9): one answer has all of them, and each process serves all workspaces. */
const MAX_TICKETS = 1_000
const MAX_LINES = 5_000

const newest = (tickets: string) => `(select * from ${tickets} b order by id desc limit ${MAX_TICKETS})`
const ONE_MORE = ` limit ${MAX_LINES + 1}`

export const BOARD = statement('kitchen_board', withLines(newest(OF_OUTLET), ONE_MORE))

export const BOARD_OF_ALL = statement('kitchen_board_all', withLines(newest(OF_ALL), ONE_MORE))

const OF_SALES = statement(
  'kitchen_of_sales',
  withLines('(select * from sales where account_id = $1 and id = any($2::text[]))'),
)

/**
 * The time for which a ticket stays on the boards after the last change of its sale, unless the sale is an open bill
 * (B-kitchen-5).
 */
const ON_BOARD_MS = 24 * 3_600_000

const boardSince = ({ now }: Pick<Scope, 'now'>) => addMs(now, -ON_BOARD_MS)

type KitchenRow = Omit<KitchenSale, 'items'> &
  Omit<TicketLine, 'id' | 'saleId' | 'note' | 'createdAt' | 'updatedAt'> & {
    itemId: string
    itemNote: string | null
    itemCreatedAt: string
    itemUpdatedAt: string
  }

const toTicketLine = (row: KitchenRow): TicketLine => ({
  id: row.itemId,
  saleId: row.id,
  name: row.name,
  variantName: row.variantName,
  quantity: row.quantity,
  soldBy: row.soldBy,
  pack: row.pack,
  modifiers: row.modifiers,
  note: row.itemNote,
  station: row.station,
  kitchenStatus: row.kitchenStatus,
  kitchenUpdatedAt: row.kitchenUpdatedAt,
  isActive: row.isActive,
  cancelledQty: row.cancelledQty,
  createdAt: row.itemCreatedAt,
  updatedAt: row.itemUpdatedAt,
})

/** Groups rows into sales; the rows of a sale are consecutive. */
function salesOf(rows: readonly KitchenRow[]): KitchenSale[] {
  const sales: KitchenSale[] = []
  for (const row of rows) {
    const last = sales.at(-1)
    if (last?.id === row.id) {
      last.items.push(toTicketLine(row))
      continue
    }
    const { id, number, outletId, tableId, tableLabel, orderType, status, note, kitchenOpen } = row
    const facts = { id, number, outletId, tableId, tableLabel, orderType, status, note, kitchenOpen }
    sales.push({ ...facts, createdAt: row.createdAt, updatedAt: row.updatedAt, items: [toTicketLine(row)] })
  }
  return sales
}

/** Lists the newest open tickets with their items, the oldest of them first, of one outlet or of all. */
export async function board(db: Db, scope: Scope, outletId: string | undefined): Promise<KitchenSale[]> {
  const rows =
    outletId === undefined
      ? await named<KitchenRow>(db, BOARD_OF_ALL, [scope.accountId, boardSince(scope)])
      : await named<KitchenRow>(db, BOARD, [scope.accountId, outletId, boardSince(scope)])
  const sales = salesOf(rows)
  // The limit can cut the last ticket, and a ticket is shown whole.
  if (rows.length > MAX_LINES) sales.pop()
  return sales.reverse()
}

export const readKitchenSales = async (
  db: Db,
  scope: Scope,
  ids: readonly string[],
): Promise<KitchenSale[]> => salesOf(await named<KitchenRow>(db, OF_SALES, [scope.accountId, ids])).reverse()

const HAS_READY = `exists (
      select from sale_items i where i.account_id = $1 and i.sale_id = s.id and i.is_active
        and i.kitchen_status = 'READY')`

const countsOf = (sales: string) => `
  select count(*) as active, count(*) filter (where ${HAS_READY}) as ready
  from ${sales} s`

export const COUNTS = statement('kitchen_counts', countsOf(OF_OUTLET))

export const COUNTS_OF_ALL = statement('kitchen_counts_all', countsOf(OF_ALL))

export type Counts = { active: number; ready: number }

export async function counts(db: Db, scope: Scope, outletId: string | undefined): Promise<Counts> {
  const [row] =
    outletId === undefined
      ? await named<Counts>(db, COUNTS_OF_ALL, [scope.accountId, boardSince(scope)])
      : await named<Counts>(db, COUNTS, [scope.accountId, outletId, boardSince(scope)])
  return row ?? { active: 0, ready: 0 }
}

/** One request serves the oldest tickets of a table. */
const MAX_SERVED = 50

const OF_TABLE = statement(
  'kitchen_of_table',
  `select id from ${OF_OUTLET} s where s.table_id = $4 and ${HAS_READY} order by id limit ${MAX_SERVED}`,
)

const LOCK = statement(
  'kitchen_lock',
  'select id from sales where account_id = $1 and id = any($2::text[]) and table_id = $3 and kitchen_open order by id for update',
)

/**
 * Locks the tickets of a table that are on the board and have READY items, in order of id. Skips tickets that moved to another table
 * meanwhile.
 */
export async function lockTickets(tx: Tx, scope: Scope, table: { id: string; outletId: string }) {
  const values = [scope.accountId, table.outletId, boardSince(scope), table.id]
  const tickets = await named<{ id: string }>(tx, OF_TABLE, values)
  return named<{ id: string }>(tx, LOCK, [scope.accountId, tickets.map(({ id }) => id), table.id])
}

export type StepWrite = { saleId: string; id: string; to: KitchenState }

const STEP = writeStatement(
  'kitchen_step',
  `update sale_items i set kitchen_status = s.kitchen_status, kitchen_updated_at = $2, updated_at = $2
    from unnest($3::text[], $4::text[], $5::text[]) as s(sale_id, id, kitchen_status)
    where i.account_id = $1 and i.sale_id = s.sale_id and i.id = s.id`,
)

export const writeSteps = (tx: Tx, scope: Scope, steps: readonly StepWrite[]) =>
  namedWrite(tx, STEP, [
    scope.accountId,
    scope.now,
    steps.map((step) => step.saleId),
    steps.map((step) => step.id),
    steps.map((step) => step.to),
  ])
