import pg from 'pg'
import { rollWorkspace } from '../../src/areas/insight/reports/roll.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { openDb } from '../../src/platform/db/open.ts'
import type { AccountId } from '../../src/platform/scope.ts'
import { behindIndexes, inParallel } from './bulk.ts'
import { type Database, freshDatabase, setsOf, settle } from './database.ts'
import { whole } from './figures.ts'
import { accountId, outletId, seedShops, VARIANTS, WORKSPACES } from './sales-shop.ts'
import { type Catalogue, seedCatalogue } from './seed-catalogue.ts'

/** The past sales of a workspace at its first outlet. */
export type Past = {
  workspace: number
  /** A workspace that `seedShops` did not make, with `workspace: 0`: its goods are those of `fillCatalogue`. */
  at?: { accountId: string; outletId: string }
  sales: number
  /** The age of the last sale in days, and the number of sales a day. */
  daysAgo?: number
  perDay: number
  /** Lines of a sale, 1 if left out. */
  lines?: number
  /**
   * The number of open bills. They are the oldest sales, which is the worst order for a list that starts with the
   * newest.
   */
  open?: number
  /** The shift of all sales. */
  shiftId?: string
}

const TABLES = ['sales', 'sale_items', 'payments', 'stock_movements']
const PRICE = 10_000
const TAX = 1_100

/**
 * Writes sales, their lines, cash and QRIS payments and stock movements by sets, over two connections. The rows are
 * valid, so foreign keys are not checked, and secondary indexes are built afterwards. The schema ends unchanged.
 * The workspaces must exist. Returns the seconds that it took.
 */
export async function writeHistory({ adminUrl }: Database, pasts: readonly Past[]): Promise<number> {
  const began = performance.now()
  const clients = [
    new pg.Client({ connectionString: adminUrl }),
    new pg.Client({ connectionString: adminUrl }),
  ]
  for (const client of clients) {
    await client.connect()
    await client.query(`set session_replication_role = replica; set synchronous_commit = off; set maintenance_work_mem = '256MB';
      set max_parallel_maintenance_workers = 0`)
  }
  try {
    await behindIndexes(clients, TABLES, () => inParallel(clients, pasts.flatMap(insertsOf)))
  } finally {
    for (const client of clients) await client.end()
  }
  return (performance.now() - began) / 1000
}

/**
 * Ids are numbers that are unique among the fifty workspaces, and lower than the ids that the service makes later.
 */
const idOf = (prefix: string, { workspace }: Past, number = 'n') =>
  `'${prefix}_' || lpad((${workspace}::bigint * 100000000 + ${number})::text, 26, '0')`

function insertsOf(past: Past): string[] {
  const { workspace, sales, perDay, daysAgo = 0, lines = 1, open = 0, shiftId } = past
  const place = past.at ?? { accountId: accountId(workspace), outletId: outletId(workspace, 1) }
  const [account, outlet] = [`'${place.accountId}'`, `'${place.outletId}'`]
  const at = `now() - interval '${daysAgo} days' - (${sales} - n) * interval '1 day' / ${perDay}`
  const rows = `generate_series(1, ${sales}) n`
  const rowsOfLines = `${rows}, generate_series(0, ${lines - 1}) l`
  const line = `n * ${lines} + l`
  const goods = (prefix: string) =>
    `'${prefix}_' || lpad((${workspace * 1000 + 1} + (${line}) % ${VARIANTS})::text, 26, '0')`
  const isOpen = `n <= ${open}`
  const shift = shiftId === undefined ? 'null' : `'${shiftId}'`
  const total = lines * (PRICE + TAX)
  return [
    `insert into sale_items (account_id, sale_id, id, position, variant_id, product_id, product_name, variant_name, sku, quantity,
        unit_price, discount, order_discount_share, tax_amount, line_total, moved_stock, created_at, updated_at)
      select ${account}, ${idOf('txn', past)}, ${idOf('tli', past, line)}, l, ${goods('var')}, ${goods('prd')},
        'Kopi Susu Gula Aren', 'Default', 'SKU-1', 1, ${PRICE}, 0, 0, ${TAX}, ${PRICE + TAX}, not ${isOpen}, ${at}, ${at}
      from ${rowsOfLines}`,
    `insert into sales (account_id, id, number, outlet_id, shift_id, status, item_count, subtotal, discount_total, order_discount,
        tax_rate_bps, tax_inclusive, tax_total, delivery_fee, total, paid_total, change_total, cashier_id, created_at,
        updated_at, completed_at)
      select ${account}, ${idOf('txn', past)}, 'B-' || n, ${outlet}, ${shift}, case when ${isOpen} then 'PARKED' else 'COMPLETED' end,
        ${lines}, ${lines * PRICE}, 0, 0, 1100, false, ${lines * TAX}, 0, ${total}, case when ${isOpen} then 0 else ${total} end,
        0, 'usr_' || (n % 5), ${at}, ${at}, case when not ${isOpen} then ${at} end
      from ${rows}`,
    `insert into stock_movements (account_id, id, outlet_id, variant_id, type, qty_delta, balance_after, transaction_id,
        actor_id, created_at, updated_at)
      select ${account}, ${idOf('stk', past, line)}, ${outlet}, ${goods('var')}, 'SALE', -1, 1000000 - n, ${idOf('txn', past)},
        'usr_' || (n % 5), ${at}, ${at}
      from ${rowsOfLines} where not ${isOpen}`,
    `insert into payments (account_id, sale_id, id, method, amount, shift_id, status, paid_at, created_at, updated_at)
      select ${account}, ${idOf('txn', past)}, ${idOf('pay', past)}, case when n % 3 = 0 then 'QRIS' else 'CASH' end, ${total},
        ${shift}, 'PAID', ${at}, ${at}, ${at}
      from ${rows} where not ${isOpen}`,
  ]
}

/** Two workspaces that sell equally much a day, one for years and one for a month; all others are new. */
export type History = {
  database: Database
  /** A key of each workspace; the first has `large` sales, the second `small`. */
  keys: string[]
  large: number
  small: number
  open: number
  /** A workspace with many goods. */
  catalogue: Catalogue
  /** Seconds for the rows, and for the reports made from them. */
  seconds: { rows: number; reports: number }
}

const PER_DAY = 333
const PRODUCTS = 50_000
const OPEN = 30

/** Created when a suite first needs it. */
export function sharedHistory({ quick, say }: { quick: boolean; say(line: string): void }) {
  let made: Promise<History> | undefined
  const make = async (): Promise<History> => {
    const database = await freshDatabase()
    const keys = await seedShops(database.url, WORKSPACES)
    const [large, small] = quick ? [50_000, 5_000] : [1_000_000, 10_000]
    const rows = await writeHistory(database, [
      { workspace: 1, sales: large, perDay: PER_DAY, open: OPEN },
      { workspace: 2, sales: small, perDay: PER_DAY },
    ])
    say(`${whole(large)} sales of one workspace written in ${whole(rows)} s`)
    const pool = setsOf(database)
    const [reports, catalogue] = await Promise.all([
      rollUp(database),
      seedCatalogue(pool, 'Large', quick ? 2_000 : PRODUCTS),
    ])
    await pool.end()
    say(
      `and rolled up in ${whole(reports)} s, ${whole(catalogue.variants)} products of another written meanwhile`,
    )
    await settle(database.url)
    return { database, keys, large, small, open: OPEN, catalogue, seconds: { rows, reports } }
  }
  return {
    get: () => {
      made ??= make()
      return made
    },
    stop: async () => (await made)?.database.stop(),
  }
}

/** Rolled up here, so that no service does so during a measurement. */
async function rollUp({ url }: Database): Promise<number> {
  const began = performance.now()
  const { db, close } = openDb({ url, poolSize: 2 })
  const clock = systemClock
  await Promise.all(
    [1, 2].map((workspace) =>
      rollWorkspace({ db, clock }, { accountId: accountId(workspace) as AccountId, now: clock.now() }),
    ),
  )
  await close()
  return (performance.now() - began) / 1000
}
