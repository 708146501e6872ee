import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { expectBooks } from './books.ts'
import { type FaultDatabase, startDatabase } from './database.ts'
import { fault, noteRecovery } from './fault.ts'
import { drawFor, rounds } from './options.ts'
import { createService, type FaultyService } from './service.ts'
import { type FaultShop, openFaultShop, openTills } from './tills.ts'

/** From Debian's package faketime; a path of another system goes first. */
const LIBRARIES = [
  process.env['LIBFAKETIME'] ?? '',
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1',
]
const library = LIBRARIES.find((name) => name !== '' && existsSync(name))

const HOUR_S = 3_600
const DAY_S = 24 * HOUR_S
/** Jumps in both directions, in seconds; each begins at the true time. */
const JUMPS = [2 * DAY_S, -HOUR_S, -30 * DAY_S, 23 * HOUR_S, -2 * DAY_S, 400 * DAY_S, -600, 36_500 * DAY_S]
const COUNT = rounds(16, 4)

let database: FaultDatabase
let service: FaultyService | undefined
let room = ''
beforeAll(async () => {
  if (library === undefined) return
  database = await startDatabase()
  room = await mkdtemp(path.join(tmpdir(), 'kasir-clock-'))
  await writeOffset(0)
  service = await createService({
    env: {
      ...database.env,
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: path.join(room, 'offset'),
      FAKETIME_CACHE_DURATION: '1',
      // Its name in older and in newer versions.
      DONT_FAKE_MONOTONIC: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
  })
  await service.start()
})
afterAll(async () => {
  await service?.stop()
  await service?.remove()
  await database?.stop()
  if (room !== '') await rm(room, { recursive: true, force: true })
})

const writeOffset = (seconds: number) =>
  writeFile(path.join(room, 'offset'), `${seconds < 0 ? '' : '+'}${seconds}\n`)

/** How far the clock of the service is from that of this process, by the Date of its answers. */
async function offsetS(address: string): Promise<number> {
  const response = await fetch(`${address}/api/v1/health`)
  await response.arrayBuffer()
  return (Date.parse(response.headers.get('date') ?? '') - Date.now()) / 1_000
}

/** Moves the clock of the service and waits until it has noticed. */
async function jump({ address }: FaultyService, seconds: number) {
  await writeOffset(seconds)
  const departure = async () => Math.abs((await offsetS(address())) - seconds)
  await expect.poll(departure, { timeout: 15_000 }).toBeLessThan(60)
}

const saleOf = ({ outletId, variants }: FaultShop) => ({
  outletId,
  items: [{ variantId: variants[0], quantity: 1 }],
  status: 'COMPLETED',
  payments: [{ method: 'CASH', amount: 11_100 }],
})

fault(
  `the clock of the service jumps: ${COUNT} times in both directions while tills sell, and a request repeated over a jump keeps its first answer`,
  async ({ row, say, skip }) => {
    if (service === undefined) return skip('libfaketime is not installed (Debian: apt-get install faketime)')
    const shop = await openFaultShop(service.address)
    const draw = drawFor('clock')
    const tills = openTills(shop, { addresses: [service.address], name: 'clock' })
    for (let n = 1; n <= COUNT; n += 1) {
      const offset = JUMPS[(n - 1) % JUMPS.length] ?? 0
      const key = `over-jump-${n}`
      const sell = () => shop.call('/sales', saleOf(shop), { 'idempotency-key': key })
      await tills.acknowledged(draw.between(5, 20))
      const sold = await sell()
      expect([sold.status, sold.message]).toEqual([201, ''])
      tills.ledger.sales.set(key, { id: sold.data.sale.id, isVoided: false, quantities: [1, 0, 0] })
      await jump(service, offset)
      noteRecovery(row, await tills.recoveredS(performance.now()))
      const away = await sell()
      expect([offset, away.data?.sale.id], 'the repetition is the first sale').toEqual([
        offset,
        sold.data.sale.id,
      ])
      await tills.acknowledged(10)
      await jump(service, 0)
      noteRecovery(row, await tills.recoveredS(performance.now()))
      const back = await sell()
      expect([offset, back.data?.sale.id], 'and so it is after the clock is right again').toEqual([
        offset,
        sold.data.sale.id,
      ])
      row.rounds = n
      say(`clock: ${offset / HOUR_S} hours and back`)
    }
    await tills.close()
    await expectBooks(database.url, shop, tills, row)
  },
)
