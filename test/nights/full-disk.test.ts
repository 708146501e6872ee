import path from 'node:path'
import { expect } from 'vitest'
import { newLedger, openShopAt } from '../support/tills.ts'
import { expectEverySaleOnce, expectRecovered, installationIn, openTills } from './installation.ts'
import { mountSmallDisk } from './small-disk.ts'
import { step } from './step.ts'

const MIB = 2 ** 20
const NO_SPACE = /^No space left on the database's disk/

type Health = { code: number; status: string }

step(
  'a full disk under selling tills: sales are refused with that reason, and resume without a restart once there is space',
  async ({ say, remark, skip }) => {
    const disk = await mountSmallDisk()
    if (typeof disk === 'string') return skip(disk)
    const house = await installationIn(path.join(disk.room, 'house'))
    const health = async (): Promise<Health> => {
      const response = await fetch(`${house.address()}/api/v1/health`)
      const { data } = (await response.json()) as { data: { status: string } }
      return { code: response.status, status: data.status }
    }
    const freeMiB = async () => Math.floor((await disk.freeBytes()) / MIB)
    try {
      await house.serve()
      const shop = await openShopAt(house.address)
      const ledger = newLedger()
      const tills = openTills(shop, ledger)
      await tills.sold(40)
      expect(await health()).toEqual({ code: 200, status: 'ok' })
      await disk.fill(24 * MIB)
      say(`full disk: ${await freeMiB()} MiB left on ${disk.kind}, the tills fill the rest`)
      const isRefused = () => [...ledger.refusals.keys()].some((message) => NO_SPACE.test(message))
      await expect
        .poll(isRefused, { timeout: 120_000, message: 'a sale is refused with the sentence about the disk' })
        .toBe(true)
      say(`full disk: sales are refused after ${ledger.acknowledged.size}, ${await freeMiB()} MiB left`)
      await expect
        .poll(async () => (await health()).status, { message: 'health says that something is wrong' })
        .not.toBe('ok')
      const refusals = () => [...ledger.refusals.values()].reduce((sum, count) => sum + count, 0)
      const before = refusals()
      await expect.poll(refusals).toBeGreaterThan(before + 20)
      const soldBefore = ledger.acknowledged.size
      await disk.makeRoom()
      await expect
        .poll(() => ledger.acknowledged.size, {
          timeout: 60_000,
          message: 'sales resume without a restart once there is space',
        })
        .toBeGreaterThan(soldBefore + 20)
      expect(house.service().isRunning(), 'the service was not restarted').toBe(true)
      await expect.poll(health).toEqual({ code: 200, status: 'ok' })
      say('full disk: there is space again, and sales resume')
      await tills.close()
      await expectEverySaleOnce(house, ledger)
      await expectRecovered(house)
      await house.stop()
      remark(`${disk.kind}; ${ledger.acknowledged.size} sales, ${refusals()} refused`)
    } finally {
      await house.remove()
      await disk.remove()
    }
  },
)
