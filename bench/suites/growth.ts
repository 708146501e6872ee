import { freshDatabase, settle } from '../lib/database.ts'
import { median, table, whole } from '../lib/figures.ts'
import { writeHistory } from '../lib/history.ts'
import { type Bench, load, serviceOf, warmUp } from '../lib/sales-run.ts'
import { seedShops, WORKSPACES } from '../lib/sales-shop.ts'
import { alternate, type Options, type Report, ratioOf, type Suite } from '../lib/suite.ts'

const WARM_UP = 3_000

/** A shop that has sold for years over one that has sold for a month. */
export const growth: Suite = {
  name: 'growth',
  about: 'sales of a workspace with a million sales over those of one with 10,000',
  uses: 'history',
  measure,
}

async function measure({ longer: seconds, rounds, quick, history, say }: Options): Promise<Report> {
  const past = await history()
  const young = await freshDatabase()
  const services: Awaited<ReturnType<typeof serviceOf>>[] = []
  const open = async (bench: Bench) => {
    const service = await serviceOf(bench)
    services.push(service)
    await warmUp(bench, service, { sales: WARM_UP, quick })
    await settle(bench.database.url)
    return async () => {
      const { perSecond } = await load(bench, service, { limit: { seconds } })
      say(
        `${bench.database === young ? whole(past.small) : whole(past.large)} stored: ${whole(perSecond)} sales/s`,
      )
      return perSecond
    }
  }
  try {
    const keys = await seedShops(young.url, WORKSPACES)
    await writeHistory(young, [{ workspace: 1, sales: past.small, perDay: 333 }])
    const large = await open({ database: past.database, keys: past.keys.slice(0, 1) })
    const small = await open({ database: young, keys: keys.slice(0, 1) })
    const turns = await alternate(rounds, large, small)
    const row = {
      what: `sales/s with ${whole(past.large)} sales stored over with ${whole(past.small)}`,
      measured: `${whole(median(turns.a))}/s`,
      yardstick: `${whole(median(turns.b))}/s`,
      value: ratioOf(turns.a, turns.b),
      bar: { atLeast: 0.9 },
    }
    return {
      title: 'A shop that has grown',
      text: [
        `One workspace sells at its four outlets; ${WORKSPACES - 1} others lie beside it. Each of its sales had one line, one payment and one stock movement.`,
        table(
          [`sales/s with ${whole(past.large)}`, `with ${whole(past.small)}`],
          [[row.measured, row.yardstick]],
        ),
      ].join('\n\n'),
      rows: [row],
    }
  } finally {
    await Promise.all(services.map((service) => service.stop()))
    await young.stop()
  }
}
