import pg from 'pg'
import { rollWorkspace } from '../../src/areas/insight/reports/roll.ts'
import { getSummary, listDays } from '../../src/areas/insight/reports/service.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { type Db, openDb } from '../../src/platform/db/open.ts'
import type { AccountId, Scope } from '../../src/platform/scope.ts'
import { fillTable } from '../../test/support/fill.ts'
import { type Sent, watching } from '../../test/support/statements.ts'

import { freshDatabase, settle } from '../lib/database.ts'
import { type DatabaseTime, databaseTime } from '../lib/database-time.ts'
import { fixed, table, whole } from '../lib/figures.ts'
import { loadNow } from '../lib/machine.ts'
import { accountId, outletId, seedShops } from '../lib/sales-shop.ts'
import type { Options, Report } from '../lib/suite.ts'

/** As many a day in both workspaces, so that thirty days of either are the same work. */
const A_DAY = 333
const LARGE = 1_000_000
const SMALL = 10_000
const RUNS = 100

/** What reports cost the database: thirty days of ten years over thirty days of a month, and a year by day. */
export async function reports({ say }: Options): Promise<Report> {
  const database = await freshDatabase()
  try {
    await seedShops(database.url, 2)
    const filling = await timed(() => fillHistory(database.url))
    const { db, close } = openDb({ url: database.url, poolSize: 2 })
    const rolling = await timed(async () => {
      for (const workspace of [1, 2]) await rollWorkspace({ db, clock: systemClock }, ownerOf(workspace))
    })
    await settle(database.url)
    say(
      `  ${whole(LARGE + SMALL)} sales written in ${whole(filling)} s, rolled up in ${whole(rolling)} s (load ${loadNow()})`,
    )
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    const cost = async (what: string, workspace: number, ask: (db: Db, scope: Scope) => Promise<unknown>) => {
      const time = await databaseTime(client, await statementOf(db, workspace, ask), RUNS)
      say(`  ${what}: ${fixed(time.ms)} ms, p99 ${fixed(time.p99Ms)} ms of database (load ${loadNow()})`)
      return time
    }
    const small = await cost('30 days in 10,000', 2, (at, scope) => getSummary(at, scope, {}))
    const large = await cost('30 days in 1,000,000', 1, (at, scope) => getSummary(at, scope, {}))
    const year = await cost('365 days by day', 1, (at, scope) => listDays(at, scope, { days: 365 }))
    await client.query('delete from report_positions')
    const raw = await cost('365 days by day, from the sales', 1, (at, scope) =>
      listDays(at, scope, { days: 365 }),
    )
    await client.end()
    await close()
    return reportOf({ small, large, year, raw, filling, rolling })
  } finally {
    await database.stop()
  }
}

const timed = async (work: () => Promise<unknown>) => {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}

const ownerOf = (workspace: number) => ({
  accountId: accountId(workspace) as AccountId,
  now: systemClock.now(),
})

/** The statement that the service sends for a report. */
async function statementOf(db: Db, workspace: number, ask: (db: Db, scope: Scope) => Promise<unknown>) {
  const sent: Sent[] = []
  await watching(
    (statement) => sent.push(statement),
    () => ask(db, ownerOf(workspace) as unknown as Scope),
  )
  const statement = sent.find(({ name }) => name?.startsWith('report_'))
  if (statement === undefined) throw new Error('the report sent no statement')
  return statement
}

/** Sales of one line and one payment, `A_DAY` a day back from now: workspace, how many, and where their numbers begin. */
const HISTORIES = [
  [1, LARGE, 1],
  [2, SMALL, LARGE + 1],
] as const

async function fillHistory(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const at = `now() - (h.n - g.i) * interval '1 day' / ${A_DAY}`
  const rows = `(values ${HISTORIES.map(([w, n, first]) => `('${accountId(w)}', '${outletId(w, 1)}', ${n}, ${first}, ${w})`).join(', ')})
      as h(account_id, outlet_id, n, first, w), generate_series(1, h.n) g(i)`
  const id = (prefix: string) => `'${prefix}_' || lpad((h.first + g.i)::text, 26, '0')`
  try {
    await fillTable(
      client,
      'sales',
      `insert into sales (account_id, id, number, outlet_id, status, item_count, subtotal, discount_total, order_discount,
          tax_rate_bps, tax_inclusive, tax_total, delivery_fee, total, paid_total, change_total, cashier_id, created_at,
          updated_at, completed_at)
        select h.account_id, ${id('txn')}, g.i::text, h.outlet_id, 'COMPLETED', 1, 10000, 0, 0, 1100, false, 1100, 0, 11100, 11100, 0,
          'usr_' || (g.i % 5), ${at}, ${at}, ${at} from ${rows}`,
    )
    await fillTable(
      client,
      'sale_items',
      `insert into sale_items (account_id, sale_id, id, position, variant_id, product_id, product_name, variant_name, quantity,
          unit_price, discount, order_discount_share, tax_amount, line_total, created_at, updated_at)
        select h.account_id, ${id('txn')}, ${id('tli')}, 0, 'var_' || lpad((h.w * 1000 + 1 + g.i % 200)::text, 26, '0'),
          'prd_' || lpad((h.w * 1000 + 1 + g.i % 200)::text, 26, '0'), 'Kopi', 'Default', 1, 10000, 0, 0, 1100, 11100, ${at}, ${at}
        from ${rows}`,
    )
    await fillTable(
      client,
      'payments',
      `insert into payments (account_id, sale_id, id, method, amount, status, paid_at, created_at, updated_at)
        select h.account_id, ${id('txn')}, ${id('pay')}, case when g.i % 3 = 0 then 'QRIS' else 'CASH' end, 11100, 'PAID', ${at}, ${at}, ${at}
        from ${rows}`,
    )
  } finally {
    await client.end()
  }
}

type Figures = Record<'small' | 'large' | 'year' | 'raw', DatabaseTime> &
  Record<'filling' | 'rolling', number>

function reportOf({ small, large, year, raw, filling, rolling }: Figures): Report {
  const row = (what: string, { ms, p99Ms }: DatabaseTime) => [what, fixed(ms), fixed(p99Ms)]
  return {
    title: 'Reports',
    text: [
      `${whole(LARGE)} sales of one workspace and ${whole(SMALL)} of another, ${A_DAY} a day at one outlet, written in ${whole(filling)} s and rolled up by the worker in ${whole(rolling)} s. Planning and execution inside the database, ${RUNS} runs.`,
      table(
        ['', 'median, ms', 'p99, ms'],
        [
          row('summary of 30 days, of 10,000 sales', small),
          row('summary of 30 days, of 1,000,000 sales', large),
          row('365 days by day, of 1,000,000 sales', year),
          row('the same straight from the sales', raw),
        ],
      ),
    ].join('\n\n'),
    verdicts: [
      {
        what: 'summary of 30 days: in 1,000,000 sales / in 10,000',
        value: large.ms / small.ms,
        bar: 1.5,
        atLeast: false,
      },
      { what: '365 days by day, p99 ms of database', value: year.p99Ms, bar: 25, atLeast: false },
    ],
  }
}
