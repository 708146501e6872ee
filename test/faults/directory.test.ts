import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect } from 'vitest'
import { pngOf } from '../support/images.ts'
import { openSmallDisk } from '../support/small-disk.ts'
import { expectBooks } from './books.ts'
import { type FaultDatabase, startDatabase } from './database.ts'
import { fault, noteRecovery } from './fault.ts'
import { rounds } from './options.ts'
import { createService } from './service.ts'
import { type FaultShop, openFaultShop, openTills } from './tills.ts'

const ROUNDS = rounds(5, 1)
/** Less free space than 500 MiB would degrade the health by itself. */
const ENOUGH_MIB = 1_500
const run = promisify(execFile)

let database: FaultDatabase
beforeAll(async () => {
  database = await startDatabase()
})
afterAll(() => database?.stop())

const remount = (folder: string, mode: 'ro' | 'rw') => run('mount', ['-o', `remount,${mode}`, folder])

async function upload({ call }: FaultShop, address: string): Promise<number> {
  const signed = await call('/uploads/sign', { contentType: 'image/png' })
  if (signed.status >= 300) return signed.status
  const { pathname, search } = new URL(signed.data.url)
  const body = new Uint8Array(pngOf(8, 8))
  const put = { method: 'PUT', body, headers: { 'content-type': 'image/png' } }
  return (await fetch(address + pathname + search, put)).status
}

async function healthOf(address: string) {
  const response = await fetch(`${address}/api/v1/health`)
  const { data } = (await response.json()) as { data: { status: string; checks: { storage: string } } }
  return [response.status, data.status, data.checks.storage]
}

/** A start whose database would lie in a directory that cannot be written ends with one sentence. */
async function expectRefusedStart(dataDir: string) {
  const service = await createService({ dataDir })
  try {
    service.launch()
    await service.ended()
    expect(service.output()).toMatch(/DATA_DIR \S+ cannot be created or written \(EROFS\)/)
    expect(service.output().trim().split('\n').length, service.output()).toBe(1)
  } finally {
    await service.stop()
    await service.remove()
  }
}

fault(
  `a data directory that becomes read-only: ${ROUNDS} times tills sell on, images are refused with 503, and health names the storage`,
  async ({ row, skip }) => {
    const disk = await openSmallDisk(ENOUGH_MIB)
    if (disk === null) return skip('only root may mount a small file system')
    const dataDir = path.join(disk.folder, 'data')
    const service = await createService({ env: database.env, dataDir })
    try {
      await service.start()
      const shop = await openFaultShop(service.address)
      const tills = openTills(shop, { addresses: [service.address], name: 'read-only' })
      expect(await upload(shop, service.address())).toBe(200)
      for (let n = 1; n <= ROUNDS; n += 1) {
        await tills.acknowledged(10)
        await remount(disk.folder, 'ro')
        noteRecovery(row, await tills.recoveredS(performance.now()))
        expect(await upload(shop, service.address())).toBe(503)
        await expect.poll(() => healthOf(service.address())).toEqual([200, 'degraded', 'down'])
        await tills.acknowledged(10)
        await remount(disk.folder, 'rw')
        expect(await upload(shop, service.address())).toBe(200)
        await expect.poll(() => healthOf(service.address())).toEqual([200, 'ok', 'ok'])
        row.rounds = n
      }
      await tills.close()
      await expectBooks(database.url, shop, tills, row)
      await service.stop()
      await remount(disk.folder, 'ro')
      await expectRefusedStart(path.join(disk.folder, 'other'))
    } finally {
      await service.stop()
      await service.remove()
      await disk.close()
    }
  },
)
