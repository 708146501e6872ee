import pg from 'pg'
import { BOARD, BOARD_OF_ALL, COUNTS, COUNTS_OF_ALL } from '../../src/areas/dining/kitchen/statements.ts'
import { FLOOR_MAP } from '../../src/areas/dining/tables/statements.ts'
import { freshDatabase } from '../lib/database.ts'
import { type DatabaseTime, databaseTime } from '../lib/database-time.ts'
import { fixed, table, whole } from '../lib/figures.ts'
import type { Options, Report, Suite } from '../lib/suite.ts'

type Load = { oldSales: number; openTickets: number; tables: number; runs: number }
type BoardFigure = DatabaseTime & { query: string }

const LOAD: Load = { oldSales: 50_000, openTickets: 200, tables: 40, runs: 30 }

const ACCOUNT = `acc_${'K'.padStart(26, '0')}`
const OUTLET = `out_${'K'.padStart(26, '0')}`
const SINCE = new Date(Date.now() - 24 * 3_600_000).toISOString()

/**
 * The database time of the boards of a busy kitchen. Each screen reads again at every change, so it must be a few ms.
 */
export const kitchen: Suite = {
  name: 'kitchen',
  about: 'boards of a full kitchen, ms of database',
  measure,
}

async function measure({ quick, say }: Options): Promise<Report> {
  const database = await freshDatabase()
  try {
    const figures = await timeBoards(database.url, quick ? { ...LOAD, oldSales: 5_000, runs: 5 } : LOAD)
    for (const { query, ms } of figures) say(`${query}: ${fixed(ms)} ms`)
    return {
      title: 'A full kitchen',
      text: [
        '200 open tickets of four lines among 50,000 old sales, one outlet with 40 tables; planning and execution inside the database, median of 30.',
        table(
          ['', 'rows', 'ms', 'worst, ms'],
          figures.map(({ query, rows, ms, worstMs }) => [query, whole(rows), fixed(ms), fixed(worstMs)]),
        ),
      ].join('\n\n'),
      rows: [
        {
          what: 'slowest board of 200 open tickets, ms of database',
          measured: '',
          yardstick: '',
          value: Math.max(...figures.map(({ ms }) => ms)),
          bar: { atMost: 5 },
        },
      ],
    }
  } finally {
    await database.stop()
  }
}

/** `openTickets` of four lines among `oldSales` of three, in one busy outlet. */
async function timeBoards(url: string, load: Load): Promise<BoardFigure[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await seed(client, load)
    const queries = [
      { query: 'GET /kds of an outlet', text: BOARD.text, values: [ACCOUNT, OUTLET, SINCE] },
      { query: 'GET /kds of all outlets', text: BOARD_OF_ALL.text, values: [ACCOUNT, SINCE] },
      { query: 'GET /kds/counts of an outlet', text: COUNTS.text, values: [ACCOUNT, OUTLET, SINCE] },
      { query: 'GET /kds/counts of all outlets', text: COUNTS_OF_ALL.text, values: [ACCOUNT, SINCE] },
      { query: 'GET /tables/floor', text: FLOOR_MAP.text, values: [ACCOUNT, OUTLET, null] },
    ]
    const figures: BoardFigure[] = []
    for (const { query, text, values } of queries) {
      figures.push({ query, ...(await databaseTime(client, { text, values }, load.runs)) })
    }
    return figures
  } finally {
    await client.end()
  }
}

const id = (prefix: string, n: string) => `'${prefix}_' || lpad((${n})::text, 26, '0')`

async function seed(client: pg.Client, { oldSales, openTickets, tables }: Load) {
  const floor = `flr_${'K'.padStart(26, '0')}`
  const variant = `var_${'K'.padStart(26, '0')}`
  const product = `prd_${'K'.padStart(26, '0')}`
  const one: [string, unknown[]][] = [
    [`insert into accounts (account_id, name) values ($1, 'Dapur')`, [ACCOUNT]],
    [`insert into outlets (account_id, id, name) values ($1, $2, 'Kemang')`, [ACCOUNT, OUTLET]],
    [`insert into products (account_id, id, name) values ($1, $2, 'Kopi')`, [ACCOUNT, product]],
    [
      `insert into variants (account_id, id, product_id, price) values ($1, $2, $3, 1)`,
      [ACCOUNT, variant, product],
    ],
    [
      `insert into floors (account_id, id, outlet_id, name) values ($1, $2, $3, 'Main floor')`,
      [ACCOUNT, floor, OUTLET],
    ],
    [
      `insert into dining_tables (account_id, id, outlet_id, floor_id, label, label_key)
        select $1, ${id('tbl', 'n')}, $2, $3, n::text, n::text from generate_series(0, $4::int - 1) n`,
      [ACCOUNT, OUTLET, floor, tables],
    ],
    // The open tickets are the newest sales.
    [
      `insert into sales (account_id, id, number, outlet_id, table_id, order_type, status, item_count, subtotal,
          discount_total, order_discount, tax_rate_bps, tax_inclusive, tax_total, delivery_fee, total, paid_total,
          change_total, kitchen_open, cashier_id, created_at, updated_at, completed_at)
        select $1, ${id('txn', 'n')}, n::text, $2, ${id('tbl', 'n % $5::int')}, 'DINE_IN',
          case when n <= $3::int then 'COMPLETED' else 'PARKED' end, 4, 4, 0, 0, 0, false, 0, 0, 4,
          case when n <= $3::int then 4 else 0 end, 0, n > $3::int, 'usr_1',
          now() - ($3::int + $4::int - n) * interval '1 minute', now(), now()
        from generate_series(1, $3::int + $4::int) n`,
      [ACCOUNT, OUTLET, oldSales, openTickets, tables],
    ],
    [
      `insert into sale_items (account_id, sale_id, id, position, variant_id, product_id, product_name, variant_name,
          quantity, unit_price, modifiers, discount, order_discount_share, tax_amount, line_total, kitchen_status,
          created_at, updated_at)
        select $1, ${id('txn', 'n')}, ${id('tli', 'n * 10 + line')}, line, $4, $5, 'Kopi Susu', 'Default', 1, 1,
          '[{"name": "Less sugar", "price": 0}]', 0, 0, 0, 1,
          case when n <= $2::int then 'SERVED' else (array['NEW', 'PREPARING', 'READY', 'SERVED'])[1 + (n + line) % 4] end,
          now(), now()
        from generate_series(1, $2::int + $3::int) n, generate_series(1, case when n <= $2::int then 3 else 4 end) line`,
      [ACCOUNT, oldSales, openTickets, variant, product],
    ],
    ['vacuum analyze', []],
  ]
  for (const [text, values] of one) await client.query(text, values)
}
