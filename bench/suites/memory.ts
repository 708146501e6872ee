import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fixed, table, whole } from '../lib/figures.ts'
import { rssOf } from '../lib/machine.ts'
import { load } from '../lib/sales-run.ts'
import { type Service, startService } from '../lib/service.ts'
import type { Options, Report, Suite } from '../lib/suite.ts'

const EARLY = 10_000
const LATE = 100_000
const CONNECTIONS = 64

/** The service collects its garbage on a signal. */
const COLLECTING = [
  '--expose-gc',
  '--import',
  'data:text/javascript,process.on("SIGUSR2", () => { for (let n = 0; n < 2; n += 1) globalThis.gc() })',
]

/** The memory of a service must not grow with its sales. */
export const memory: Suite = {
  name: 'memory',
  about: 'resident memory after 100,000 sales over after 10,000, collected',
  uses: 'shops',
  measure,
}

async function measure({ quick, shops, say }: Options): Promise<Report> {
  const [early, late] = quick ? [200, 1_000] : [EARLY, LATE]
  const bench = await shops.get()
  const { url, dir } = bench.database
  const service = await startService(url, path.join(dir, 'service'), { nodeFlags: COLLECTING })
  try {
    const sell = (count: number, spread: boolean) =>
      load(bench, service, { spread, connections: CONNECTIONS, limit: { count } })
    for (const spread of [true, false]) await sell(early / 2, spread)
    const before = await memoryOf(service)
    say(`${told(before)} after ${whole(early)} sales`)
    await sell(late - early, false)
    const after = await memoryOf(service)
    say(`${told(after)} after ${whole(late)} sales`)
    return {
      title: 'Memory',
      text: [
        `Resident memory of the service once it has collected its garbage, ${CONNECTIONS} connections: ${whole(early / 2)} sales over 50 workspaces, all others at one hot outlet, where they go fastest. What is not collected yet comes and goes: the collector lets it lie while there is room.`,
        table(
          ['', `after ${whole(early)} sales, MiB`, `after ${whole(late)}, MiB`],
          [
            ['collected', fixed(before.kept, 0), fixed(after.kept, 0)],
            ['as it was', fixed(before.found, 0), fixed(after.found, 0)],
          ],
        ),
      ].join('\n\n'),
      rows: [
        {
          what: `resident memory after ${whole(late)} sales over after ${whole(early)}, collected`,
          measured: `${whole(after.kept)} MiB`,
          yardstick: `${whole(before.kept)} MiB`,
          value: after.kept / before.kept,
          bar: { atMost: 1.2 },
        },
      ],
    }
  } finally {
    await service.stop()
  }
}

const LOOKS = 6

type Memory = { found: number; kept: number }
const told = ({ found, kept }: Memory) => `${whole(kept)} MiB (${whole(found)} before it was collected)`

/** Resident memory, MiB: after the last answers, and the minimum in the seconds after a garbage collection. */
async function memoryOf({ pid }: Service): Promise<Memory> {
  await sleep(500)
  const found = await rssOf(pid)
  process.kill(pid, 'SIGUSR2')
  let kept = found
  for (let look = 0; look < LOOKS; look += 1) {
    await sleep(500)
    kept = Math.min(kept, await rssOf(pid))
  }
  return { found, kept }
}
