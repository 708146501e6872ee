import { settle } from '../lib/database.ts'
import { median, table, whole } from '../lib/figures.ts'
import { CONNECTIONS, load, serviceOf, warmUp } from '../lib/sales-run.ts'
import { alternate, type Options, type Report, ratioOf, type Suite } from '../lib/suite.ts'

const WARM_UP = 4_000
/** It is only reported. */
const ROUNDS = 2

/** Whether a second process helps where the database, both processes and the load share the machine. */
export const processes: Suite = {
  name: 'processes',
  about: 'sales of two service processes over those of one, on the same database',
  uses: 'shops',
  measure,
}

async function measure({ seconds, quick, shops, say }: Options): Promise<Report> {
  const [bench, first] = [await shops.get(), await shops.service()]
  const second = await serviceOf(bench, bench.database.url, 'second')
  try {
    await warmUp(bench, second, { sales: WARM_UP, quick })
    await settle(bench.database.url)
    const limit = { seconds }
    const turns = await alternate(
      ROUNDS,
      () => load(bench, first, { addresses: [first.address, second.address], limit }),
      () => load(bench, first, { limit }),
    )
    const [two, one] = [turns.a, turns.b].map((side) => side.map(({ perSecond }) => perSecond))
    const ratio = ratioOf(two ?? [], one ?? [])
    const row = {
      what: 'sales/s of two processes over one',
      measured: `${whole(median(two ?? []))}/s`,
      yardstick: `${whole(median(one ?? []))}/s`,
      value: ratio,
      bar: null,
    }
    say(`two ${row.measured}, one ${row.yardstick}`)
    return {
      title: 'Two processes',
      text: [
        `${CONNECTIONS} connections over all outlets, half of them to each process. Both share the processors with the database and the load.`,
        table(['two processes, sales/s', 'one, sales/s'], [[row.measured, row.yardstick]]),
      ].join('\n\n'),
      rows: [row],
    }
  } finally {
    await second.stop()
  }
}
