import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, open, readFile, rm, stat, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect } from 'vitest'
import { findRunning } from '../../src/platform/db/embedded.ts'
import { program } from '../support/program.ts'
import { expectBooks } from './books.ts'
import { fault } from './fault.ts'
import { drawFor, rounds } from './options.ts'
import { createService, type FaultyService } from './service.ts'
import { openFaultShop, openTills } from './tills.ts'

const TORN = rounds(12, 2)
const run = promisify(execFile)

let service: FaultyService
let room = ''
beforeAll(async () => {
  room = await mkdtemp(path.join(tmpdir(), 'kasir-torn-'))
  service = await createService()
  await service.start()
})
afterAll(async () => {
  await service?.stop()
  await service?.remove()
  await rm(room, { recursive: true, force: true })
})

async function kasir(...args: string[]): Promise<{ code: number; output: string }> {
  const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: service.dataDir, LOG_LEVEL: 'error' }
  const ran = run(process.execPath, [...program(), ...args], { env })
  return ran.then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, output: String(stdout) + String(stderr) }),
  )
}

async function flipBit(file: string, byte: number, bit: number) {
  const handle = await open(file, 'r+')
  try {
    const one = Buffer.alloc(1)
    await handle.read(one, 0, 1, byte)
    one[0] = (one[0] ?? 0) ^ (1 << bit)
    await handle.write(one, 0, 1, byte)
  } finally {
    await handle.close()
  }
}

fault(
  `a backup that is cut off or has a flipped bit: ${TORN} restores over the books are refused in a sentence and leave them as they are`,
  async ({ row }) => {
    const shop = await openFaultShop(service.address)
    const tills = openTills(shop, { addresses: [service.address], name: 'backup' })
    await tills.acknowledged(60)
    const whole = path.join(room, 'whole.tar.gz')
    expect(await kasir('backup', whole)).toMatchObject({ code: 0 })
    await tills.acknowledged(20)
    await tills.close()
    await service.stop()
    const key = await readFile(path.join(service.dataDir, 'secrets.key'))
    const draw = drawFor('torn backup')
    const torn = path.join(room, 'torn.tar.gz')
    for (let n = 1; n <= TORN; n += 1) {
      await copyFile(whole, torn)
      const { size } = await stat(torn)
      if (n % 2 === 1) await truncate(torn, draw.between(1, size - 1))
      else await flipBit(torn, draw.between(0, size - 1), draw.between(0, 7))
      const refused = await kasir('restore', torn, '--replace', 'kasir')
      expect(refused.code, refused.output).toBe(1)
      expect(refused.output).toMatch(
        /The backup is (cut off|damaged)|This is not a backup of Kasir|This backup was written by/,
      )
      row.rounds = n
    }
    expect(await readFile(path.join(service.dataDir, 'secrets.key'))).toEqual(key)
    await service.start()
    await expectBooks((await findRunning(service.dataDir)) ?? '', shop, tills, row)
  },
)
