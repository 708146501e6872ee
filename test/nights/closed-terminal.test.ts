import { afterAll, beforeAll, expect } from 'vitest'
import { newLedger, openShopAt, type Shop } from '../support/tills.ts'
import {
  createInstallation,
  expectEverySaleOnce,
  expectRecovered,
  type Installation,
  openTills,
} from './installation.ts'
import { expectGone, familyOf } from './processes.ts'
import { type Step, step } from './step.ts'

/** What `docker stop` and systemd wait at most before they kill. */
const STOP_MS = 10_000
/** Log lines of a kilobyte each: they fill a pipe many times. */
const LINES = 400

let house: Installation
let shop: Shop
const ledger = newLedger()
beforeAll(async () => {
  house = await createInstallation({ LOG_LEVEL: 'info', LOG_REQUESTS: 'all' })
  await house.serve()
  shop = await openShopAt(house.address)
  await house.stop()
})
afterAll(() => house.remove())

async function expectStop(signal: 'SIGTERM' | 'SIGHUP', { say, remark }: Step) {
  const service = house.service()
  const family = await familyOf(service.pid)
  expect(family.length, 'the service and its PostgreSQL').toBeGreaterThan(1)
  const began = performance.now()
  service.child.kill(signal)
  expect(await service.ended).toBe(0)
  const tookMs = Math.round(performance.now() - began)
  expect(tookMs, `${signal} ends the service in time`).toBeLessThan(STOP_MS)
  await expectGone(family)
  say(`${signal} ended the service and its PostgreSQL after ${tookMs} ms`)
  remark(`${signal} took ${tookMs} ms`)
}

for (const [what, lose] of [
  ['has gone', (stdout: NodeJS.ReadableStream & { destroy(): void }) => stdout.destroy()],
  ['has stalled', (stdout: NodeJS.ReadableStream) => void stdout.pause()],
] as const)
  step(
    `a log whose reader ${what}: the service sells, and SIGTERM ends it and its PostgreSQL within 10 s`,
    async (night) => {
      await house.serve()
      const { stdout } = house.service().child
      if (stdout) lose(stdout)
      const tills = openTills(shop, ledger)
      await tills.sold(40)
      for (let count = 0; count < LINES; count += 1) await shop.call(`/unknown/${'x'.repeat(1_000)}`)
      await tills.sold(40)
      expect((await fetch(`${house.address()}/api/v1/health`)).status).toBe(200)
      await tills.close()
      await expectEverySaleOnce(house, ledger)
      await expectStop('SIGTERM', night)
    },
  )

step(
  'a closed terminal (SIGHUP) while tills sell: the service ends with its PostgreSQL and loses no sale',
  async (night) => {
    await house.serve()
    const tills = openTills(shop, ledger)
    await tills.sold(40)
    house.service().child.stdout?.destroy()
    await expectStop('SIGHUP', night)
    await house.serve()
    await tills.close()
    await expectEverySaleOnce(house, ledger)
    await expectRecovered(house)
    await house.stop()
  },
)
