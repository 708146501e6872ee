import path from 'node:path'
import { expect } from 'vitest'
import { findRunning } from '../../src/platform/db/embedded.ts'
import { openSmallDisk } from '../support/small-disk.ts'
import { expectBooks } from './books.ts'
import { fault, noteRecovery } from './fault.ts'
import { rounds } from './options.ts'
import { createService } from './service.ts'
import { openFaultShop, openTills } from './tills.ts'

const FILLS = rounds(3, 1)
/** Enough that the service sees no shortage before the disk is filled. */
const DISK_MIB = 1_024
const NO_SPACE = /^No space left on the database's disk/
const MOST_RECOVERY_S = 30

fault(
  `the disk is full: ${FILLS} times under selling tills, which are refused with 503 and that reason, and sell on without a restart once there is space`,
  async ({ row, say, skip }) => {
    const disk = await openSmallDisk(DISK_MIB)
    if (disk === null) return skip('this machine mounts no file system for a test')
    const service = await createService({ dataDir: path.join(disk.folder, 'data') })
    const health = async () => {
      const response = await fetch(`${service.address()}/api/v1/health`)
      const { data } = (await response.json()) as { data: { status: string } }
      return [response.status, data.status]
    }
    try {
      await service.start()
      const pid = service.pid()
      const shop = await openFaultShop(service.address)
      const tills = openTills(shop, { addresses: [service.address], name: 'full-disk' })
      const refusals = () =>
        [...tills.ledger.unavailable]
          .filter(([message]) => NO_SPACE.test(message))
          .reduce((sum, [, count]) => sum + count, 0)
      await expect.poll(health).toEqual([200, 'ok'])
      for (let n = 1; n <= FILLS; n += 1) {
        await tills.acknowledged(40)
        const before = refusals()
        await disk.fill()
        // The database first uses up the space of its log.
        await expect.poll(refusals, { timeout: 120_000 }).toBeGreaterThan(before + 20)
        await expect.poll(async () => (await health())[1]).not.toBe('ok')
        await disk.empty()
        noteRecovery(row, await tills.recoveredS(performance.now()))
        await expect.poll(health).toEqual([200, 'ok'])
        row.rounds = n
        say(`full disk ${n}: ${refusals() - before} requests refused`)
      }
      await tills.close()
      expect([service.isRunning(), service.pid()]).toEqual([true, pid])
      await expectBooks((await findRunning(service.dataDir)) ?? '', shop, tills, row)
      expect(row.worstRecoveryS).toBeLessThan(MOST_RECOVERY_S)
      row.remark = `${refusals()} of 503 for the disk`
    } finally {
      await service.stop()
      await service.remove()
      await disk.close()
    }
  },
)
