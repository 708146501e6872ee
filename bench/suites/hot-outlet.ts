import { query } from '../lib/database.ts'
import { fixed, whole } from '../lib/figures.ts'
import { type Bench, CONNECTIONS, load, serviceOf, warmUp, withShops } from '../lib/sales-run.ts'
import type { Service } from '../lib/service.ts'
import type { Options, Report, Suite } from '../lib/suite.ts'

const PROCESSES = ['first', 'second', 'third']
/** Five minutes by default. */
const TIMES_AS_LONG = 100

/** Checks that three processes that sell at one outlet never deadlock. */
export const hotOutlet: Suite = {
  name: 'hot-outlet',
  about: 'three service processes sell in one outlet for five minutes: no deadlock, and not one sale refused',
  onlyByName: true,
  measure,
}

function measure({ seconds, quick, say }: Options): Promise<Report> {
  return withShops(async (bench) => {
    const { url } = bench.database
    const limit = { seconds: quick ? seconds : seconds * TIMES_AS_LONG }
    const services = await Promise.all(PROCESSES.map((name) => serviceOf(bench, url, name)))
    const sold = await sell(bench, services, quick, limit)
    // A session publishes its statistics when it ends, at the latest.
    const [row] = await query<{ deadlocks: number }>(
      url,
      'select deadlocks::int from pg_stat_database where datname = current_database()',
    )
    const deadlocks = row?.deadlocks ?? Number.NaN
    const measured = `${whole(sold.sales)} sales in ${whole(limit.seconds)} s`
    say(`${measured}, ${whole(sold.perSecond)}/s, ${deadlocks} deadlocks`)
    return {
      title: 'Three processes at one outlet',
      text: `${CONNECTIONS} connections, spread over three processes, sell three lines each from one outlet: ${measured}, ${whole(sold.perSecond)}/s, p50 ${fixed(sold.p50, 1)} ms, p99 ${fixed(sold.p99, 1)} ms. Every answer was 201, and the books moved by exactly what was answered.`,
      rows: [
        {
          what: 'deadlocks of three processes at one outlet',
          measured,
          yardstick: '',
          value: deadlocks,
          bar: { atMost: 0 },
        },
      ],
    }
  })
}

/** Throws if an answer is not 201, or if the books do not match the answers. */
async function sell(bench: Bench, services: readonly Service[], quick: boolean, limit: { seconds: number }) {
  try {
    const [first] = services
    if (!first) throw new Error('no process was started')
    await warmUp(bench, first, { sales: 0, quick })
    return await load(bench, first, {
      addresses: services.map(({ address }) => address),
      spread: false,
      limit,
    })
  } finally {
    await Promise.all(services.map((service) => service.stop()))
  }
}
