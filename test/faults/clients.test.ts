import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect } from 'vitest'
import { type Cut, cuttingProxy } from '../support/cutting-proxy.ts'
import { expectBooks } from './books.ts'
import { type FaultDatabase, startDatabase } from './database.ts'
import { fault, noteRecovery } from './fault.ts'
import { drawFor, rounds } from './options.ts'
import { createService, type FaultyService } from './service.ts'
import { type FaultShop, openFaultShop, openTills, type Tills } from './tills.ts'

const CUTS = rounds(1_000, 60)
const VANISHED = rounds(60, 10)
/** requestTimeout of the service, and the time until it looks. */
const CLOSED_MS = 40_000

let database: FaultDatabase
let service: FaultyService
beforeAll(async () => {
  database = await startDatabase()
  service = await createService({ env: database.env })
  await service.start()
})
afterAll(async () => {
  await service?.stop()
  await service?.remove()
  await database?.stop()
})

fault(
  `clients cut while they send or read: ${CUTS} cuts lose and double nothing, and the key settles each request`,
  async ({ row }) => {
    const shop = await openFaultShop(service.address, 'cuts@example.com')
    const draw = drawFor('clients')
    const fates: Cut[] = ['before', 'amid', 'after']
    const proxy = await cuttingProxy(() => (draw() < 0.3 ? draw.one(fates) : null))
    proxy.leadTo(service.address())
    const tills = openTills(shop, { addresses: [() => proxy.url], name: 'cut-client' })
    try {
      await expect.poll(() => proxy.cuts(), { timeout: 300_000 }).toBeGreaterThanOrEqual(CUTS)
      row.rounds = proxy.cuts()
      noteRecovery(row, await tills.recoveredS(performance.now()))
      await tills.close()
    } finally {
      await proxy.close()
    }
    await expectBooks(database.url, shop, tills, row)
    row.remark = `${tills.ledger.replays} replays`
  },
)

/** Sends a sale, or its first half, over a connection that never reads and is never closed. */
function sendAndVanish(shop: FaultShop, key: string, isWhole: boolean): Promise<Socket> {
  const { hostname, port } = new URL(service.address())
  const body = JSON.stringify(saleOfOne(shop))
  const head = [
    'POST /api/v1/sales HTTP/1.1',
    `Host: ${hostname}`,
    `Authorization: Bearer ${shop.key}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    `Idempotency-Key: ${key}`,
  ].join('\r\n')
  const sent = `${head}\r\n\r\n${isWhole ? body : body.slice(0, body.length / 2)}`
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    socket.once('error', reject)
    socket.write(sent, () => {
      socket.off('error', reject)
      socket.on('error', () => {})
      resolve(socket)
    })
  })
}

const saleOfOne = ({ outletId, variants }: FaultShop) => ({
  outletId,
  items: [{ variantId: variants[0], quantity: 1 }],
  status: 'COMPLETED',
  payments: [{ method: 'CASH', amount: 11_100 }],
})

async function sellAgain(shop: FaultShop, { ledger }: Tills, key: string) {
  const sentMs = performance.now()
  const answer = await shop.call('/sales', saleOfOne(shop), { 'idempotency-key': key })
  expect([answer.status, answer.message]).toEqual([201, ''])
  ledger.acknowledgements.push({ sentMs, answeredMs: performance.now() })
  ledger.sales.set(key, { id: answer.data.sale.id, isVoided: false, quantities: [1, 0, 0] })
}

fault(
  `clients that vanish without closing: ${VANISHED} half-open connections hold up no till, and their keys sell once`,
  async ({ row }) => {
    const shop = await openFaultShop(service.address, 'vanished@example.com')
    const tills = openTills(shop, { addresses: [service.address], name: 'vanished', count: 2 })
    const sockets: Socket[] = []
    try {
      for (let n = 1; n <= VANISHED; n += 1) {
        const isWhole = n % 2 === 0
        const key = `vanished-client-${n}`
        sockets.push(await sendAndVanish(shop, key, isWhole))
        noteRecovery(row, await tills.recoveredS(performance.now()))
        await sellAgain(shop, tills, key)
        row.rounds = n
      }
      if (rounds(1, 0) === 1) await expectClosed(sockets)
    } finally {
      for (const socket of sockets) socket.destroy()
    }
    await tills.close()
    await expectBooks(database.url, shop, tills, row)
  },
)

/** The service ends connections whose request does not arrive; this side notices once it reads. */
async function expectClosed(sockets: Socket[]) {
  const halves = sockets.filter((_, index) => index % 2 === 0)
  for (const socket of halves) socket.resume()
  const isClosed = (socket: Socket) => socket.readableEnded || socket.destroyed
  await expect.poll(() => halves.filter((socket) => !isClosed(socket)).length, { timeout: CLOSED_MS }).toBe(0)
}
