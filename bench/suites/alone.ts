import { settle } from '../lib/database.ts'
import { fixed, median, table, whole } from '../lib/figures.ts'
import { load, makeYardstick } from '../lib/sales-run.ts'
import { alternate, type Options, type Report, ratioOf, type Suite } from '../lib/suite.ts'

const WHERE = { spread: true }

/** One till, which shares no statement and no commit. */
export const alone: Suite = {
  name: 'alone',
  about: 'one till: p50 of a sale over the p50 of its rows written by one statement',
  uses: 'shops',
  measure,
}

async function measure({ longer: seconds, rounds, shops, say }: Options): Promise<Report> {
  const [bench, service] = [await shops.get(), await shops.service()]
  const { yardstick, tool } = await makeYardstick(bench)
  await settle(bench.database.url)
  const turns = await alternate(
    rounds,
    () => load(bench, service, { ...WHERE, connections: 1, limit: { seconds } }),
    () => yardstick(WHERE, { seconds, clients: 1 }),
  )
  const [ours, theirs] = [turns.a, turns.b].map((side) => side.map(({ p50 }) => p50))
  const ratio = ratioOf(ours ?? [], theirs ?? [])
  const [p50, yard] = [median(ours ?? []), median(theirs ?? [])]
  say(`p50 ${fixed(p50)} ms, yardstick ${fixed(yard)} ms`)
  return {
    title: 'One till alone',
    text: [
      `One connection, outlets at random. The yardstick is one client (${tool}).`,
      table(
        ['', 'p50, ms', 'sales/s'],
        [
          ['yardstick', fixed(yard), whole(median(turns.b.map(({ perSecond }) => perSecond)))],
          ['service', fixed(p50), whole(median(turns.a.map(({ perSecond }) => perSecond)))],
        ],
      ),
    ].join('\n\n'),
    rows: [
      {
        what: 'one till, p50 over the statement alone',
        measured: `${fixed(p50)} ms`,
        yardstick: `${fixed(yard)} ms`,
        value: ratio,
        bar: { atMost: 1.8 },
      },
    ],
  }
}
