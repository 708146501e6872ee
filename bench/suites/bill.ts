import { settle } from '../lib/database.ts'
import { fixed, median, table, whole } from '../lib/figures.ts'
import { type Bench, CONNECTIONS, load, makeYardstick, type SaleCounts } from '../lib/sales-run.ts'
import type { Service } from '../lib/service.ts'
import { alternate, type Options, type Report, ratioOf, type Suite } from '../lib/suite.ts'

const WHERE = { spread: true }

/** A sale in three requests: parked, paid in part, and covered. */
export const bill: Suite = {
  name: 'bill',
  about: 'bills that are parked, paid in part and covered, over the rows of a sale written by one statement',
  uses: 'shops',
  measure,
}

async function measure({ seconds, rounds, shops, say }: Options): Promise<Report> {
  const [bench, service] = [await shops.get(), await shops.service()]
  const sell = (over: number) => sellBills(bench, service, over)
  const { yardstick, tool } = await makeYardstick(bench)
  await sell(1)
  await settle(bench.database.url)
  const turns = await alternate(
    rounds,
    () => sell(seconds),
    () => yardstick(WHERE, { seconds }),
  )
  const ratio = ratioOf(
    turns.a.map(({ perSecond }) => perSecond),
    turns.b.map(({ perSecond }) => perSecond),
  )
  const perSecond = median(turns.a.map((turn) => turn.perSecond))
  const yard = median(turns.b.map((turn) => turn.perSecond))
  say(`${whole(perSecond)} bills/s, yardstick ${whole(yard)} sales/s`)
  const cpu = (of: keyof SaleCounts['cpu']) => whole(median(turns.a.map((turn) => turn.cpu[of])))
  return {
    title: 'A bill',
    text: [
      `Three lines, parked, then half of it paid in cash, then the rest: three requests with a key each, ${CONNECTIONS} connections over all outlets. The yardstick (${tool}) writes the rows of a sale that is paid at once.`,
      table(
        ['', 'bills/s', 'p50 of a bill, ms', 'database, µs', 'service, µs'],
        [
          ['yardstick', whole(yard), '', '', ''],
          [
            'service',
            whole(perSecond),
            fixed(median(turns.a.map(({ p50 }) => p50)), 1),
            cpu('database'),
            cpu('service'),
          ],
        ],
      ),
    ].join('\n\n'),
    rows: [
      {
        what: 'bills/s over sales/s of the statement alone',
        measured: `${whole(perSecond)}/s`,
        yardstick: `${whole(yard)}/s`,
        value: ratio,
        bar: { atLeast: 0.3 },
      },
    ],
  }
}

const sellBills = (bench: Bench, service: Service, seconds: number) =>
  load(bench, service, { ...WHERE, bills: true, limit: { seconds } })
