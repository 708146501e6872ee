import { setTimeout as sleep } from 'node:timers/promises'
import { fixed, table, whole } from '../lib/figures.ts'
import { rssOf } from '../lib/machine.ts'
import { load, serviceOf } from '../lib/sales-run.ts'
import type { Service } from '../lib/service.ts'
import type { Options, Report, Suite } from '../lib/suite.ts'

const EARLY = 10_000
const LATE = 100_000
const CONNECTIONS = 64

/** A till that runs for weeks must not grow with what it has sold. */
export const memory: Suite = {
  name: 'memory',
  about: 'resident memory after 100,000 sales over after 10,000',
  uses: 'shops',
  measure,
}

async function measure({ quick, shops, say }: Options): Promise<Report> {
  const [early, late] = quick ? [200, 1_000] : [EARLY, LATE]
  const bench = await shops.get()
  const service = await serviceOf(bench)
  try {
    const sell = (count: number, spread: boolean) =>
      load(bench, service, { spread, connections: CONNECTIONS, limit: { count } })
    for (const spread of [true, false]) await sell(early / 2, spread)
    const before = await restingRss(service)
    say(`${whole(before)} MiB after ${whole(early)} sales`)
    await sell(late - early, false)
    const after = await restingRss(service)
    say(`${whole(after)} MiB after ${whole(late)} sales`)
    return {
      title: 'Memory',
      text: [
        `Resident memory of the service, ${CONNECTIONS} connections: ${whole(early / 2)} sales over 50 workspaces, all others at one hot outlet, where they go fastest; the least of some seconds after the last sale.`,
        table(
          [`after ${whole(early)} sales, MiB`, `after ${whole(late)}, MiB`],
          [[fixed(before, 0), fixed(after, 0)]],
        ),
      ].join('\n\n'),
      rows: [
        {
          what: `resident memory after ${whole(late)} sales over after ${whole(early)}`,
          measured: `${whole(after)} MiB`,
          yardstick: `${whole(before)} MiB`,
          value: after / before,
          bar: { atMost: 1.2 },
        },
      ],
    }
  } finally {
    await service.stop()
  }
}

const LOOKS = 6

/** What the collector has not got to yet comes and goes; what stays is asked for. */
async function restingRss({ pid }: Service): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let look = 0; look < LOOKS; look += 1) {
    await sleep(500)
    least = Math.min(least, await rssOf(pid))
  }
  return least
}
