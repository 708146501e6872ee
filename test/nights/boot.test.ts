import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { newLedger, openShopAt, type Shop } from '../support/tills.ts'
import {
  createInstallation,
  expectEverySaleOnce,
  expectRecovered,
  type Installation,
  openTills,
  tablesIn,
} from './installation.ts'
import { step } from './step.ts'

let house: Installation
let shop: Shop
const ledger = newLedger()
beforeAll(async () => {
  house = await createInstallation()
  await house.serve()
  shop = await openShopAt(house.address)
})
afterAll(() => house.remove())

const claims = async () => {
  const names = await readdir(path.join(house.dataDir, 'lock'))
  return names.filter((name) => name.endsWith('.sock'))
}

for (const first of ['backup', 'service'] as const)
  step(
    `a boot after a power cut that starts the ${first} a moment before the ${first === 'backup' ? 'service' : 'backup'}: both succeed`,
    async ({ say, remark }) => {
      if (!house.service().isRunning()) await house.serve()
      const tills = openTills(shop, ledger)
      await tills.sold(200)
      await house.cutPower()
      // The kernel closes a claim with its process, and leaves the name.
      const dead = await claims()
      const isClaimed = async () => (await claims()).some((name) => !dead.includes(name))
      const file = path.join(house.backups, `boot-${first}.tar.gz`)
      const began = performance.now()
      const startBackup = () => house.command(['backup', file])
      const early = first === 'backup' ? startBackup() : null
      if (early === null) house.launch()
      await vi.waitFor(async () => expect(await isClaimed()).toBe(true), { timeout: 30_000, interval: 1 })
      const backup = early ?? startBackup()
      if (early !== null) house.launch()
      expect(await backup.ended, `the backup fails: ${backup.output()}`).toBe(0)
      await house.untilReady()
      const tookMs = Math.round(performance.now() - began)
      say(`the service sells and the backup is written ${tookMs} ms after the boot`)
      await tills.close()
      await expectEverySaleOnce(house, ledger)
      const sales = (await tablesIn(file)).find(({ table }) => table === 'sales')
      expect(sales?.rows).toBeGreaterThan(200)
      await expectRecovered(house)
      remark(`both after ${tookMs} ms`)
    },
  )
