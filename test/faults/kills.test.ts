import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, expect } from 'vitest'
import { findRunning } from '../../src/platform/db/embedded.ts'
import { expectBooks } from './books.ts'
import { fault, noteRecovery } from './fault.ts'
import { drawFor, rounds } from './options.ts'
import { createService, type FaultyService } from './service.ts'
import { type FaultShop, openFaultShop, openTills } from './tills.ts'

const SERVICE_KILLS = rounds(40, 4)
const DATABASE_KILLS = rounds(10, 2)
/** The service gives up a PostgreSQL that ends more often than five times a minute. */
const SPACED_MS = rounds(13_000, 0)
const TILLS = 8
const MOST_RECOVERY_S = 20

const services: FaultyService[] = []
afterAll(async () => {
  for (const service of services) {
    await service.stop().catch(() => {})
    await service.remove()
  }
})

async function startSelling(): Promise<{ service: FaultyService; shop: FaultShop; url(): Promise<string> }> {
  const service = await createService()
  services.push(service)
  await service.start()
  const shop = await openFaultShop(service.address)
  return { service, shop, url: async () => (await findRunning(service.dataDir)) ?? '' }
}

const isUp = async (address: string) =>
  fetch(`${address}/api/v1/health`, { signal: AbortSignal.timeout(3_000) }).then(
    ({ status }) => status === 200,
    () => false,
  )

fault(
  `kill -9 of the service: ${SERVICE_KILLS} kills under selling tills lose no acknowledged sale and double none`,
  async ({ row, say }) => {
    const { service, shop, url } = await startSelling()
    const draw = drawFor('kill of the service')
    const tills = openTills(shop, { addresses: [service.address], name: 'service-kill', count: TILLS })
    for (let kill = 1; kill <= SERVICE_KILLS; kill += 1) {
      await tills.acknowledged(draw.between(20, 80))
      // The moment of a kill inside a request is drawn as well.
      await sleep(draw.between(0, 20))
      const killedMs = performance.now()
      await service.kill()
      await service.start()
      const recovered = await tills.recoveredS(killedMs)
      row.rounds = kill
      noteRecovery(row, recovered)
      say(`service: kill ${kill}, the next sale after ${recovered.toFixed(1)} s`)
      expect(await isUp(service.address())).toBe(true)
      expect(recovered).toBeLessThan(MOST_RECOVERY_S)
    }
    await tills.close()
    await expectBooks(await url(), shop, tills, row)
    row.remark = `${tills.ledger.unanswered} without an answer, ${tills.ledger.replays} replays`
  },
)

/** A process of PostgreSQL that serves a connection; its death makes all others end, and a recovery. */
async function backendOf(postmaster: number): Promise<number> {
  const { stdout } = await promisify(execFile)('pgrep', ['-P', String(postmaster), '-f', 'kasir'])
  return Number(stdout.trim().split('\n')[0])
}

fault(
  `kill -9 of PostgreSQL: ${DATABASE_KILLS} crashes under selling tills lose no acknowledged sale; the service stays and answers 503 with Retry-After meanwhile`,
  async ({ row, say }) => {
    const { service, shop, url } = await startSelling()
    const draw = drawFor('kill of PostgreSQL')
    const pid = service.pid()
    const tills = openTills(shop, { addresses: [service.address], name: 'database-kill', count: TILLS })
    let latestMs = Number.NEGATIVE_INFINITY
    for (let kill = 1; kill <= DATABASE_KILLS; kill += 1) {
      await expect.poll(() => performance.now() - latestMs).toBeGreaterThan(SPACED_MS)
      await tills.acknowledged(draw.between(20, 80))
      await sleep(draw.between(0, 20))
      const postmaster = await service.postmaster()
      const victim = kill % 4 === 0 ? await backendOf(postmaster) : postmaster
      const killedMs = performance.now()
      latestMs = killedMs
      process.kill(victim, 'SIGKILL')
      const recovered = await tills.recoveredS(killedMs)
      row.rounds = kill
      noteRecovery(row, recovered)
      const what = victim === postmaster ? 'all of it' : 'one connection'
      say(`PostgreSQL: kill ${kill} (${what}), the next sale after ${recovered.toFixed(1)} s`)
      expect(recovered).toBeLessThan(MOST_RECOVERY_S)
    }
    await tills.close()
    expect([service.isRunning(), service.pid()], 'the service was not restarted').toEqual([true, pid])
    const refusals = [...tills.ledger.unavailable.values()].reduce((sum, count) => sum + count, 0)
    expect(refusals, 'tills were refused with 503 and Retry-After').toBeGreaterThan(0)
    await expectBooks(await url(), shop, tills, row)
    row.remark = `${refusals} of 503, ${tills.ledger.unanswered} without an answer`
  },
)
