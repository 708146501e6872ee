import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPrinter, type TestPrinter } from '../support/printer.ts'
import { type OwnService, ownService } from '../support/service.ts'
import { callerAt } from '../support/tills.ts'

const JOBS = 60
const KILLS = 3
const STATIONS = ['dapur', 'bar', 'panggang', 'kasir']

let service: OwnService
let printers: TestPrinter[]

beforeAll(async () => {
  service = await ownService({ PRINTER_NETWORKS: '127.0.0.0/8' })
  printers = await Promise.all(STATIONS.map(() => startPrinter()))
  await service.start()
}, 90_000)
afterAll(async () => {
  await service.end()
  for (const printer of printers) await printer.close()
})

type Job = { status: string; copy: boolean; station: string }

test(`of ${JOBS} jobs under ${KILLS} kills each is printed at least once, and again only where it is marked SALINAN`, async () => {
  const login = { email: 'print@example.com', password: 'a password for a while' }
  const { cookie } = await callerAt(service.address)('/auth/signup', login)
  const { key } = (await callerAt(service.address)('/api-keys', { name: 'Till' }, { cookie })).data
  const call = callerAt(service.address, key)
  const outletId = (await call('/outlets', { name: 'Warung' })).data.outlet.id as string
  for (const [at, station] of STATIONS.entries()) {
    const { port } = printers[at] ?? { port: 0 }
    // Each answer takes a while, so that every kill meets jobs in print.
    printers[at]?.answerAfter(30)
    const body = { outletId, name: station, kind: 'NETWORK', host: '127.0.0.1', port, stations: [station] }
    expect((await call('/printers', body)).status).toBe(201)
  }
  const papers = () => printers.flatMap((printer) => printer.texts())
  for (let n = 0; n < JOBS; n += 1) {
    const item = { name: `Menu-${n}.`, unitPrice: 1_000, quantity: 1, station: STATIONS[n % STATIONS.length] }
    const body = { outletId, orderType: 'TAKEAWAY', status: 'PARKED', items: [item] }
    const idempotencyKey = `print-${n}`
    await expect
      .poll(
        async () =>
          (await call('/sales', body, { 'idempotency-key': idempotencyKey }).catch(() => null))?.status,
        { timeout: 30_000 },
      )
      .toBe(201)
    if (n % 15 !== 14 || n / 15 > KILLS) continue
    const before = papers().length
    await expect.poll(() => papers().length, { interval: 2, timeout: 30_000 }).toBeGreaterThan(before)
    await service.kill('service')
    await service.start()
  }
  const read = async () => {
    const jobs: Job[] = []
    for (const status of ['queued', 'printing', 'failed'])
      jobs.push(...(await call(`/print-jobs?status=${status}&limit=100`)).data)
    return jobs
  }
  await expect.poll(read, { timeout: 60_000, interval: 200 }).toEqual([])
  const texts = papers()
  for (let n = 0; n < JOBS; n += 1) {
    const [first, ...again] = texts.filter((text) => text.includes(`Menu-${n}.`))
    expect([n, first === undefined]).toEqual([n, false])
    expect([n, again.filter((text) => !text.includes('SALINAN'))]).toEqual([n, []])
  }
  const copies = texts.filter((text) => text.includes('SALINAN')).length
  // Each kill can interrupt one job of each printer.
  expect(copies).toBeLessThanOrEqual(KILLS * STATIONS.length)
}, 180_000)
