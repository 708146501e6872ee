import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PrinterMood, startPrinter, type TestPrinter } from '../support/printer.ts'
import { type OwnService, ownService } from '../support/service.ts'
import { callerAt } from '../support/tills.ts'

/** `PRINT_JOBS=500 PRINT_KILLS=20 npm test -- test/races/print-kills.test.ts` is the long form. */
const JOBS = Number(process.env['PRINT_JOBS'] ?? 60)
const KILLS = Number(process.env['PRINT_KILLS'] ?? 3)
const STATIONS = ['dapur', 'bar', 'panggang', 'kasir']
/** A kill ends each round of jobs. */
const ROUND = Math.floor(JOBS / KILLS)

/** What a printer does to its jobs, from the middle of a round to the begin of the next one, so that the kill meets it. */
const TROUBLES = ['cut', 'gone', 'paperOut', 'slow', 'runsOut', 'coverOpen', 'mute'] as const
type Trouble = (typeof TROUBLES)[number]

let service: OwnService
/** The printer of each station, and all that ever were: one that went away has kept its papers. */
let printers: TestPrinter[]
const everyPrinter: TestPrinter[] = []

const simulator = async (port?: number) => {
  const printer = await startPrinter(port)
  // Each answer takes a while, so that every kill meets jobs in print.
  printer.answerAfter(30)
  everyPrinter.push(printer)
  return printer
}

beforeAll(async () => {
  service = await ownService({ PRINTER_NETWORKS: '127.0.0.0/8' })
  printers = await Promise.all(STATIONS.map(() => simulator()))
  await service.start()
}, 90_000)
afterAll(async () => {
  await service.end()
  for (const printer of everyPrinter) await printer.close()
})

const papers = () => everyPrinter.flatMap((printer) => printer.texts())
const at = (station: number): TestPrinter => {
  const printer = printers[station % STATIONS.length]
  if (!printer) throw new Error('every station has a printer')
  return printer
}

async function trouble(station: number, kind: Trouble) {
  const printer = at(station)
  if (kind === 'gone') return printer.close()
  if (kind === 'slow') return printer.answerAfter(400)
  printer.be(kind satisfies PrinterMood)
}

/** Someone puts in paper, closes the cover, or switches the printer on again. */
async function mend(station: number, kind: Trouble) {
  const printer = at(station)
  if (kind === 'gone') printers[station % STATIONS.length] = await simulator(printer.port)
  printer.be('ready')
  printer.answerAfter(30)
}

type Job = { id: string; status: string }

test(`of ${JOBS} jobs under ${KILLS} kills and printers that fail each is printed at least once, and again only where it is marked SALINAN`, async () => {
  const login = { email: 'print@example.com', password: 'a password for a while' }
  const { cookie } = await callerAt(service.address)('/auth/signup', login)
  const { key } = (await callerAt(service.address)('/api-keys', { name: 'Till' }, { cookie })).data
  const call = callerAt(service.address, key)
  const outletId = (await call('/outlets', { name: 'Warung' })).data.outlet.id as string
  for (const [index, station] of STATIONS.entries()) {
    const { port } = at(index)
    const body = { outletId, name: station, kind: 'NETWORK', host: '127.0.0.1', port, stations: [station] }
    expect((await call('/printers', body)).status).toBe(201)
  }
  const startedMs = performance.now()
  let failing: { station: number; kind: Trouble } | null = null
  for (let n = 0; n < JOBS; n += 1) {
    const round = Math.floor(n / ROUND)
    if (n % ROUND === Math.floor(ROUND / 4) && failing !== null) {
      await mend(failing.station, failing.kind)
      failing = null
    }
    if (n % ROUND === Math.floor(ROUND / 2) && round < KILLS) {
      // Never the printer of the last job before the kill, which has to be printing then.
      const station = ROUND * (round + 1) + (round % (STATIONS.length - 1))
      failing = { station, kind: TROUBLES[round % TROUBLES.length] ?? 'cut' }
      await trouble(failing.station, failing.kind)
    }
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
    if (n % ROUND !== ROUND - 1 || round >= KILLS) continue
    const before = papers().length
    await expect.poll(() => papers().length, { interval: 2, timeout: 30_000 }).toBeGreaterThan(before)
    await service.kill('service')
    await service.start()
  }
  if (failing !== null) await mend(failing.station, failing.kind)
  const jobsWith = async (status: string): Promise<Job[]> =>
    (await call(`/print-jobs?status=${status}&limit=100`)).data
  // A job that failed three times waits for a person, who prints it again.
  let reprints = 0
  const left = async () => {
    const failed = await jobsWith('failed')
    for (const { id } of failed) {
      expect((await call(`/print-jobs/${id}/reprint`, {})).status).toBe(200)
      reprints += 1
    }
    return [...failed, ...(await jobsWith('queued')), ...(await jobsWith('printing'))]
  }
  await expect.poll(left, { timeout: 120_000, interval: 200 }).toEqual([])
  const texts = papers()
  for (let n = 0; n < JOBS; n += 1) {
    const [first, ...again] = texts.filter((text) => text.includes(`Menu-${n}.`))
    expect([n, first === undefined]).toEqual([n, false])
    expect([n, again.filter((text) => !text.includes('SALINAN'))]).toEqual([n, []])
  }
  const copies = texts.filter((text) => text.includes('SALINAN') && text.includes('Menu-')).length
  const seconds = Math.round((performance.now() - startedMs) / 1_000)
  console.log(
    `print jobs: ${JOBS}, kills: ${KILLS}, papers: ${texts.length}, copies: ${copies}, reprinted by a person: ${reprints}, ${seconds} s`,
  )
  // Each kill can interrupt one job of each printer, and a trouble spoils those of one printer.
  expect(copies).toBeLessThanOrEqual(JOBS / 2)
}, 1_800_000)
