import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect } from 'vitest'
import { expectBooks } from './books.ts'
import { type FaultDatabase, startDatabase } from './database.ts'
import { fault, noteRecovery } from './fault.ts'
import { rounds } from './options.ts'
import { createService, type FaultyService } from './service.ts'
import { type Arrivals, openArrivals, openFaultShop, openTills } from './tills.ts'

const SECONDS = rounds(30, 10)
const TICK_MS = 250
/** The best pace is that of two seconds. */
const PACE_TICKS = 8
/** A till that waits for its sale begins no other. */
const TILLS = 2_000
/** The tills whose pace is the rated load. */
const RATED_TILLS = 16
const MOST_GROWTH = 1.3
const MIB = 2 ** 20

let database: FaultDatabase
let service: FaultyService
beforeAll(async () => {
  database = await startDatabase()
  // Thousands of tills have more than one address. With room to spare, the heap would grow until it has to be cleaned.
  const env = {
    ...database.env,
    DATABASE_POOL_SIZE: '4',
    MAX_CONNECTIONS: '100000',
    NODE_OPTIONS: '--max-old-space-size=128',
  }
  service = await createService({ env })
  await service.start()
})
afterAll(async () => {
  await service?.stop()
  await service?.remove()
  await database?.stop()
})

async function residentBytes(): Promise<number> {
  const status = await readFile(`/proc/${service.pid()}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1_024
}

/** Sales a second at the rated load, of a workspace of their own. */
async function ratedPace(): Promise<number> {
  const shop = await openFaultShop(service.address, 'rated@example.com')
  const tills = openTills(shop, { addresses: [service.address], name: 'rated', count: RATED_TILLS })
  await tills.acknowledged(200)
  const [fromMs, before] = [performance.now(), tills.ledger.sales.size]
  await tills.acknowledged(400)
  const pace = (tills.ledger.sales.size - before) / ((performance.now() - fromMs) / 1_000)
  await tills.close()
  return pace
}

/** Begins twice the sales of the best pace so far, for as long as the overload lasts. Returns the memory at each tick. */
async function overload({ begin, made, waiting }: Arrivals, rated: number) {
  const [memory, counts]: [number[], number[]] = [[], []]
  const beganMs = performance.now()
  let [best, owed, lastMs] = [rated, 0, beganMs]
  while (performance.now() - beganMs < SECONDS * 1_000) {
    const nowMs = performance.now()
    owed += (2 * best * (nowMs - lastMs)) / 1_000
    lastMs = nowMs
    begin(Math.min(Math.floor(owed), TILLS - waiting()))
    owed %= 1
    counts.push(made())
    const earlier = counts.at(-1 - PACE_TICKS)
    if (earlier !== undefined) best = Math.max(best, (made() - earlier) / ((PACE_TICKS * TICK_MS) / 1_000))
    memory.push(await residentBytes())
    await sleep(TICK_MS)
  }
  return { memory, best }
}

fault(
  `overload: for ${SECONDS} s tills bring twice the sales that the service makes, which refuses with 503 and Retry-After and keeps its memory, and all get through`,
  async ({ row, say }) => {
    const pid = service.pid()
    const rated = await ratedPace()
    const shop = await openFaultShop(service.address, 'overload@example.com')
    const arrivals = openArrivals(shop, { addresses: [service.address], name: 'overload', isPatient: true })
    const { memory, best } = await overload(arrivals, rated)
    const overMs = performance.now()
    const refused = [...arrivals.ledger.unavailable.values()].reduce((sum, count) => sum + count, 0)
    const paces = `${Math.round(rated)} sales a second at the rated load, ${Math.round(best)} at best`
    say(`overload: ${arrivals.made()} made, ${arrivals.waiting()} waiting, ${refused} refused; ${paces}`)
    expect(refused, 'the service refuses what it cannot do in time').toBeGreaterThan(100)
    await arrivals.allMade()
    noteRecovery(row, (performance.now() - overMs) / 1_000)
    const half = Math.floor(memory.length / 2)
    const [first, second] = [Math.max(...memory.slice(0, half)), Math.max(...memory.slice(half))]
    expect(second / first, 'the memory does not grow with the queue').toBeLessThan(MOST_GROWTH)
    expect([service.isRunning(), service.pid()]).toEqual([true, pid])
    row.rounds = 1
    await expectBooks(database.url, shop, arrivals, row)
    row.remark = `${paces}; ${refused} of 503, ${arrivals.ledger.unanswered} unanswered, ${Math.round(second / MIB)} MiB`
  },
)
