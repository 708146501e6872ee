import pg from 'pg'
import { getSummary, listDays } from '../../src/areas/insight/reports/service.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { type Db, openDb } from '../../src/platform/db/open.ts'
import type { Scope } from '../../src/platform/scope.ts'
import { type SentStatement, watching } from '../../test/support/statements.ts'
import { type DatabaseTime, databaseTime } from '../lib/database-time.ts'
import { fixed, table, whole } from '../lib/figures.ts'
import type { History } from '../lib/history.ts'
import { accountId } from '../lib/sales-shop.ts'
import type { Options, Report, Suite } from '../lib/suite.ts'

const RUNS = 100
/** Counting a year of sales anew takes a second. */
const RAW_RUNS = 5

type Ask = (db: Db, scope: Scope) => Promise<unknown>

/**
 * The database time of reports: thirty days with ten years of sales over thirty days with a month of sales, and a
 * year by day.
 */
export const reports: Suite = {
  name: 'reports',
  about: 'summary of 30 days in a million sales over one in 10,000, a year by day',
  uses: 'history',
  measure,
}

async function measure({ history, say }: Options): Promise<Report> {
  const made = await history()
  const { db, close } = openDb({ url: made.database.url, poolSize: 2 })
  const client = new pg.Client({ connectionString: made.database.url })
  await client.connect()
  const cost = async (what: string, workspace: number, ask: Ask, runs = RUNS) => {
    const time = await databaseTime(client, await statementOf(db, workspace, ask), runs)
    say(`${what}: ${fixed(time.ms)} ms, p99 ${fixed(time.p99Ms)} ms of database`)
    return time
  }
  try {
    const year = (at: Db, scope: Scope) => listDays(at, scope, { days: 365 })
    const figures = {
      small: await cost(`30 days in ${whole(made.small)}`, 2, (at, scope) => getSummary(at, scope, {})),
      large: await cost(`30 days in ${whole(made.large)}`, 1, (at, scope) => getSummary(at, scope, {})),
      year: await cost('365 days by day', 1, year),
    }
    // Without a position the figures are computed from the sales; the rollback restores the position.
    await client.query('begin; delete from report_positions')
    const raw = await cost('365 days by day, from the sales', 1, year, RAW_RUNS)
    await client.query('rollback')
    return reportOf({ ...figures, raw }, made)
  } finally {
    await client.end()
    await close()
  }
}

const scopeOf = (workspace: number) =>
  ({ accountId: accountId(workspace), now: systemClock.now() }) as unknown as Scope

/** The statement that the service sends for a report. */
async function statementOf(db: Db, workspace: number, ask: Ask) {
  const sent: SentStatement[] = []
  await watching(
    (statement) => sent.push(statement),
    () => ask(db, scopeOf(workspace)),
  )
  const statement = sent.find(({ name }) => name?.startsWith('report_'))
  if (statement === undefined) throw new Error('the report sent no statement')
  return statement
}

type Figures = Record<'small' | 'large' | 'year' | 'raw', DatabaseTime>

function reportOf(
  { small, large, year, raw }: Figures,
  { small: few, large: many, seconds }: History,
): Report {
  const row = (what: string, { ms, p99Ms }: DatabaseTime) => [what, fixed(ms), fixed(p99Ms)]
  return {
    title: 'Reports',
    text: [
      `${whole(many)} sales of one workspace and ${whole(few)} of another, as many a day at one outlet, written in ${whole(seconds.rows)} s and rolled up by the worker in ${whole(seconds.reports)} s. Planning and execution inside the database, ${RUNS} runs, ${RAW_RUNS} of the last line.`,
      table(
        ['', 'median, ms', 'p99, ms'],
        [
          row(`summary of 30 days, of ${whole(few)} sales`, small),
          row(`summary of 30 days, of ${whole(many)} sales`, large),
          row(`365 days by day, of ${whole(many)} sales`, year),
          row('the same straight from the sales', raw),
        ],
      ),
    ].join('\n\n'),
    rows: [
      {
        what: `summary of 30 days in ${whole(many)} sales over in ${whole(few)}`,
        measured: `${fixed(large.ms)} ms`,
        yardstick: `${fixed(small.ms)} ms`,
        value: large.ms / small.ms,
        bar: { atMost: 1.5 },
      },
      {
        what: '365 days by day, p99, ms of database',
        measured: '',
        yardstick: '',
        value: year.p99Ms,
        bar: { atMost: 25 },
      },
      {
        what: `rows of ${whole(many)} sales written by SQL, s`,
        measured: '',
        yardstick: '',
        value: seconds.rows,
        bar: { atMost: 120 },
      },
    ],
  }
}
