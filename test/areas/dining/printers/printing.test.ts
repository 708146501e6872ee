import { type AddressInfo, createServer } from 'node:net'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { printerExpires, startPrinting } from '../../../../src/areas/dining/printers/index.ts'
import { oldestJobs } from '../../../../src/areas/dining/printers/rules.ts'
import { claimNext, handOver, stuckJobs } from '../../../../src/areas/dining/printers/statements.ts'
import { release } from '../../../../src/areas/dining/printers/worker.ts'
import { addMs } from '../../../../src/core/time.ts'
import { manualClock } from '../../../../src/platform/clock.ts'
import { readConfig } from '../../../../src/platform/config/config.ts'
import { sweep } from '../../../../src/platform/jobs/sweep.ts'
import { openPrinters, printerNetworksOf } from '../../../../src/platform/outgoing/printers.ts'
import {
  fresh,
  makeCategory,
  makeOutlet,
  makeProduct,
  makeSale,
  makeVariant,
} from '../../../support/build.ts'
import { done, refusalOf, saleOf } from '../../../support/expect.ts'
import { pngOf } from '../../../support/images.ts'
import { enrolAgain, enrolTill, memberWithPin, signedInAt } from '../../../support/pins.ts'
import { startPrinter, type TestPrinter, unusedPort } from '../../../support/printer.ts'
import { acme, address, alongside, deps, useService } from '../../../support/service.ts'
import { openStream } from '../../../support/stream.ts'
import { upload } from '../../../support/uploads.ts'

const clock = manualClock('2026-05-04T02:00:00.000Z')
const SECOND = 1_000
const MINUTE = 60 * SECOND

useService({ clock, env: { PRINTER_NETWORKS: '127.0.0.0/8' } })

const printers: TestPrinter[] = []
const workers: { stop(): Promise<void> }[] = []
const simulator = async (port?: number) => {
  const made = await startPrinter(port)
  printers.push(made)
  return made
}
const work = (tools = deps()) => {
  const made = startPrinting(tools, { lookEveryMs: 20 })
  workers.push(made)
  return made
}
afterEach(async () => {
  for (const one of workers.splice(0)) await one.stop()
})
afterAll(async () => {
  for (const one of printers) await one.close()
})

const printerAt = async (port: number, fields: Record<string, unknown> = {}) =>
  done(
    await acme().post('/printers', {
      outletId: fields['outletId'] ?? (await makeOutlet(acme())),
      name: fresh('Printer'),
      kind: 'NETWORK',
      host: '127.0.0.1',
      port,
      ...fields,
    }),
  ).printer
const testPage = async (printerId: string): Promise<string> =>
  done(await acme().post(`/printers/${printerId}/test`)).job.id
const jobOf = async (printerId: string, id: string, from = printerId) => {
  const [first] = [printerId, from]
  const jobs = [
    ...done(await acme().get(`/print-jobs?printerId=${first}`)),
    ...done(await acme().get(`/print-jobs?printerId=${from}`)),
  ]
  return jobs.find((job: { id: string }) => job.id === id)
}
const becomes = (printerId: string, id: string, expected: object, from?: string) =>
  expect.poll(() => jobOf(printerId, id, from), { timeout: 20_000, interval: 20 }).toMatchObject(expected)

describe('the service prints', () => {
  test('a job on a network printer, once, and says when', async () => {
    const paper = await simulator()
    const { id } = await printerAt(paper.port)
    work()
    const job = await testPage(id)
    await becomes(id, job, {
      status: 'printed',
      attempts: 1,
      reason: null,
      copy: false,
      printedAt: clock.now(),
    })
    expect(paper.texts()).toHaveLength(1)
    expect(paper.texts()[0]).toContain('TES')
    expect(paper.texts()[0]).not.toContain('SALINAN')
  })

  test('on printers that report no state and close the connection', async () => {
    const paper = await simulator()
    paper.be('silent')
    const { id } = await printerAt(paper.port, { codePage: 'ASCII', paper: 58 })
    work()
    await becomes(id, await testPage(id), { status: 'printed', attempts: 1 })
    expect(paper.texts()).toHaveLength(1)
  })

  test('on a slow printer, and meanwhile on every other one', async () => {
    const [slow, quick] = [await simulator(), await simulator()]
    slow.answerAfter(400)
    const [one, other] = [await printerAt(slow.port), await printerAt(quick.port)]
    work()
    const waiting = await testPage(one.id)
    await expect.poll(() => slow.connections(), { interval: 5 }).toBe(1)
    await becomes(other.id, await testPage(other.id), { status: 'printed' })
    await becomes(one.id, waiting, { status: 'printed', attempts: 1 })
    expect(slow.texts()).toHaveLength(1)
  })

  test('on every printer while one of them has more than 500 jobs due', async () => {
    const [slow, quick] = [await simulator(), await simulator()]
    slow.answerAfter(400)
    const [one, other] = [await printerAt(slow.port), await printerAt(quick.port)]
    const items = [{ variantId: await makeVariant(acme()), copies: 200 }]
    for (let prints = 0; prints < 26; prints += 1)
      expect(done(await acme().post('/labels/print', { items, printerId: one.id })).jobs).toHaveLength(20)
    clock.advance(SECOND)
    const later = await testPage(other.id)
    work()
    await becomes(other.id, later, { status: 'printed', attempts: 1 })
    done(await acme().delete(`/printers/${one.id}`))
  })

  test('the slips of a sale, and the drawer without paper', async () => {
    const paper = await simulator()
    const printer = await printerAt(paper.port, { stations: ['bar'], opensDrawer: true })
    const categoryId = await makeCategory(acme(), { station: 'bar' })
    const [{ id: variantId }] = (await makeProduct(acme(), { name: 'Kopi', categoryId, trackStock: false }))
      .variants
    work()
    const items = [{ variantId, quantity: 3 }]
    const { outletId } = printer
    saleOf(await acme().post('/sales', { outletId, orderType: 'TAKEAWAY', status: 'PARKED', items }))
    await expect.poll(() => paper.texts().join(''), { interval: 20 }).toContain('3 x Kopi')
    const { job } = done(await acme().post(`/printers/${printer.id}/drawer`, { reason: 'Change' }))
    await becomes(printer.id, job.id, { status: 'printed' })
    expect([...(paper.papers().at(-1) ?? [])]).toEqual([0x1b, 0x40, 0x1b, 0x70, 0, 25, 250])
  })

  test('each job once, however many processes look for work', async () => {
    const paper = await simulator()
    const printer = await printerAt(paper.port)
    const others = [await alongside(), await alongside()]
    for (const tools of [deps(), ...others.map((other) => other.deps)]) work(tools)
    const ids = await Promise.all(Array.from({ length: 12 }, () => testPage(printer.id)))
    for (const id of ids) await becomes(printer.id, id, { status: 'printed', attempts: 1, copy: false })
    expect(paper.texts()).toHaveLength(12)
    for (const one of workers.splice(0)) await one.stop()
    for (const other of others) await other.stop()
  })

  test('and tells live streams by the topic print', async () => {
    const paper = await simulator()
    const printer = await printerAt(paper.port)
    const stream = await openStream(address(), acme().workspace.key, {
      query: `?outletId=${printer.outletId}`,
    })
    work()
    await testPage(printer.id)
    await stream.until(({ frames }) => frames().some(({ change }) => change.topic === 'print'))
    stream.close()
  })
})

describe('a try that fails', () => {
  test('is repeated 2 and 10 seconds after the first, and then the job failed', async () => {
    const printer = await printerAt(await unusedPort())
    work()
    const job = await testPage(printer.id)
    const start = clock.ms()
    await becomes(printer.id, job, { status: 'queued', attempts: 1, reason: 'UNREACHABLE' })
    expect((await jobOf(printer.id, job)).dueAt).toBe(new Date(start + 2 * SECOND).toISOString())
    clock.advance(2 * SECOND)
    await becomes(printer.id, job, { status: 'queued', attempts: 2 })
    expect((await jobOf(printer.id, job)).dueAt).toBe(new Date(start + 10 * SECOND).toISOString())
    clock.advance(8 * SECOND)
    await becomes(printer.id, job, { status: 'failed', attempts: 3, reason: 'UNREACHABLE', copy: false })
  })

  test('three times goes to the fallback printer, whose paper says so', async () => {
    const paper = await simulator()
    const fallback = await printerAt(paper.port, { name: 'Kasir' })
    const { outletId } = fallback
    const dead = await printerAt(await unusedPort(), {
      outletId,
      name: 'Dapur',
      fallbackPrinterId: fallback.id,
    })
    work()
    const job = await testPage(dead.id)
    await becomes(dead.id, job, { attempts: 1 })
    clock.advance(2 * SECOND)
    await becomes(dead.id, job, { attempts: 2 })
    clock.advance(8 * SECOND)
    await becomes(
      dead.id,
      job,
      { status: 'printed', attempts: 4, printerId: fallback.id, fallbackFrom: dead.id },
      fallback.id,
    )
    expect(paper.texts()[0]).toContain('Printer Dapur gagal: dicetak di sini')
    expect(paper.texts()[0]).not.toContain('SALINAN')
  })

  test.each([
    ['paperOut', 'PAPER_OUT'],
    ['coverOpen', 'COVER_OPEN'],
  ] as const)(
    'because of %s names the cause and sends nothing, so the next try is no copy',
    async (mood, reason) => {
      const paper = await simulator()
      paper.be(mood)
      const printer = await printerAt(paper.port)
      work()
      const job = await testPage(printer.id)
      await becomes(printer.id, job, { status: 'queued', attempts: 1, reason, copy: false })
      expect(paper.papers()).toEqual([])
      paper.be('ready')
      clock.advance(2 * SECOND)
      await becomes(printer.id, job, { status: 'printed', attempts: 2, copy: false })
      expect(paper.texts()).toHaveLength(1)
    },
  )

  test.each([
    ['cut', 'CONNECTION_LOST'],
    ['runsOut', 'PAPER_OUT'],
  ] as const)(
    'in the middle of a job (%s) may have printed, so the next try is marked SALINAN',
    async (mood, reason) => {
      const paper = await simulator()
      paper.be(mood)
      const printer = await printerAt(paper.port)
      work()
      const job = await testPage(printer.id)
      await becomes(printer.id, job, { status: 'queued', attempts: 1, reason, copy: true })
      paper.be('ready')
      clock.advance(2 * SECOND)
      await becomes(printer.id, job, { status: 'printed', attempts: 2, copy: true })
      expect(paper.texts()[1]).toContain('SALINAN')
    },
  )

  test('without an answer may have printed', async () => {
    const paper = await simulator()
    paper.be('mute')
    const printers = openPrinters({
      networks: [{ address: '127.0.0.0', bits: 8, family: 'ipv4' }],
      tuning: { statusMs: 50, deadlineMs: 300 },
    })
    const printer = await printerAt(paper.port)
    work({ ...deps(), printers })
    const job = await testPage(printer.id)
    await becomes(printer.id, job, { status: 'queued', attempts: 1, reason: 'NO_ANSWER', copy: true })
    paper.be('ready')
  })

  test('ends when the printer sends more than its state, and may have printed', async () => {
    const bytes = Buffer.alloc(65_536, 0x12)
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      const flood = () => void socket.write(bytes, (error) => void (error || flood()))
      socket
        .on('end', flood)
        .on('error', () => {})
        .resume()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const networks = [{ address: '127.0.0.0', bits: 8, family: 'ipv4' }] as const
    const { print } = openPrinters({ networks, tuning: { statusMs: 50, deadlineMs: 2_000 } })
    expect(await print({ accountId: 'acc_a', host: '127.0.0.1', port }, Buffer.from('a\n'))).toEqual({
      isPrinted: false,
      reason: 'CONNECTION_LOST',
      mayHavePrinted: true,
    })
    await expect.poll(() => new Promise((give) => server.getConnections((_, open) => give(open)))).toBe(0)
    server.close()
  })

  test('of a process that died is found by another one, and the paper is marked SALINAN', async () => {
    const paper = await simulator()
    const printer = await printerAt(paper.port)
    const job = await testPage(printer.id)
    await deps()
      .db.updateTable('printJobs')
      .set({ status: 'printing', attempts: 1, claimedBy: 'dead', lookAt: clock.now() })
      .where('id', '=', job)
      .execute()
    work()
    await becomes(printer.id, job, { status: 'queued', reason: 'INTERRUPTED', copy: true })
    clock.advance(2 * SECOND)
    await becomes(printer.id, job, { status: 'printed', attempts: 2, copy: true })
    expect(paper.texts()[0]).toContain('SALINAN')
  })

  test('of another process is left alone once it was repeated there, also if it was found interrupted before', async () => {
    const { id: printerId } = await printerAt(await unusedPort())
    const job = await testPage(printerId)
    const account = { accountId: acme().workspace.accountId }
    const claimed = async (by: string) => {
      const now = clock.now()
      const claim = { by, now, until: addMs(now, SECOND), oldest: oldestJobs(now) }
      expect(await claimNext(deps().db, account, printerId, claim)).toBe(job)
    }
    const stuck = async () => {
      const now = clock.now()
      const found = await stuckJobs(deps().db, account, { now, oldest: oldestJobs(now) })
      return found.filter(({ id }) => id === job)
    }
    await claimed('first')
    clock.advance(2 * SECOND)
    const [found] = await stuck()
    if (!found) throw new Error('the job was not found interrupted')
    await release(deps(), account, found)
    await becomes(printerId, job, { status: 'queued', attempts: 1, reason: 'INTERRUPTED' })
    clock.advance(2 * SECOND)
    await claimed('second')
    await release(deps(), account, found)
    expect(await jobOf(printerId, job)).toMatchObject({ status: 'printing', attempts: 2 })
  })
})

const KICK = Buffer.from([0x1b, 0x70, 0])

describe('a receipt whose logo cannot be read, because the storage of images does not answer,', () => {
  test('is printed once without it, and opens the drawer unless it is late by then', async () => {
    const queued = async () => {
      const paper = await simulator()
      const printer = await printerAt(paper.port, { opensDrawer: true })
      const sale = await makeSale(acme(), { outletId: printer.outletId })
      const { job } = done(await acme().post(`/sales/${sale.id}/print`, { printerId: printer.id }))
      return { paper, printer, job }
    }
    const { publicUrl } = await upload(acme(), pngOf(40, 20))
    done(await acme().put('/settings', { logoUrl: publicUrl }))
    const late = await queued()
    clock.advance(29 * SECOND)
    const early = await queued()
    done(await acme().put('/settings', { logoUrl: null }))
    const get = () => {
      clock.advance(2 * SECOND)
      return new Promise<never>(() => {})
    }
    work({ ...deps(), storage: { ...deps().storage, get } })
    for (const { printer, job } of [late, early])
      await becomes(printer.id, job.id, { status: 'printed', attempts: 1, copy: false })
    expect(early.paper.papers().map((bytes) => bytes.includes(KICK))).toEqual([true])
    expect(late.paper.papers().map((bytes) => bytes.includes(KICK))).toEqual([false])
  })
})

describe('a drawer', () => {
  const openedAt = async (printerId: string): Promise<string> =>
    done(await acme().post(`/printers/${printerId}/drawer`, { reason: 'Change' })).job.id
  const withFallback = async () => {
    const paper = await simulator()
    const fallback = await printerAt(paper.port, { opensDrawer: true })
    const fields = { outletId: fallback.outletId, opensDrawer: true, fallbackPrinterId: fallback.id }
    return { paper, fallback, dead: await printerAt(await unusedPort(), fields) }
  }
  const failThreeTimes = async (printerId: string, job: string) => {
    for (const [attempts, wait] of [
      [1, 2],
      [2, 8],
    ] as const) {
      await becomes(printerId, job, { attempts })
      clock.advance(wait * SECOND)
    }
  }

  test('that is opened without a sale stays closed at the fallback printer: the job failed after three tries', async () => {
    const { paper, dead } = await withFallback()
    work()
    const job = await openedAt(dead.id)
    await failThreeTimes(dead.id, job)
    await becomes(dead.id, job, { status: 'failed', attempts: 3, reason: 'UNREACHABLE', fallbackFrom: null })
    expect(paper.connections()).toBe(0)
  })

  test('stays closed at the fallback printer of a receipt, which is printed there', async () => {
    const { paper, fallback, dead } = await withFallback()
    const sale = await makeSale(acme(), { outletId: dead.outletId })
    work()
    const { job } = done(await acme().post(`/sales/${sale.id}/print`, { printerId: dead.id }))
    const content = await acme().get(`/print-jobs/${job.id}/content`)
    expect(Buffer.from(content.text, 'latin1').includes(KICK)).toBe(true)
    await failThreeTimes(dead.id, job.id)
    await becomes(dead.id, job.id, { status: 'printed' }, fallback.id)
    const { number } = saleOf(await acme().get(`/sales/${sale.id}`))
    expect(paper.texts()[0]).toContain(number)
    expect(paper.papers()[0]?.includes(KICK)).toBe(false)
  })

  test('is not opened later than 30 seconds: its job failed as TOO_OLD, and a receipt is printed without it', async () => {
    const paper = await simulator()
    const printer = await printerAt(paper.port, { opensDrawer: true })
    const sale = await makeSale(acme(), { outletId: printer.outletId })
    const kick = await openedAt(printer.id)
    const { job } = done(await acme().post(`/sales/${sale.id}/print`, { printerId: printer.id }))
    clock.advance(30 * SECOND + 1)
    work()
    await becomes(printer.id, kick, { status: 'failed', attempts: 0, reason: 'TOO_OLD' })
    await becomes(printer.id, job.id, { status: 'printed' })
    expect(paper.papers().map((bytes) => bytes.includes(KICK))).toEqual([false])
  })
})

describe('an address', () => {
  const networks = [{ address: '127.0.0.0', bits: 8, family: 'ipv4' }] as const

  test('is resolved at each connection, and refused if any address of its name lies outside by then', async () => {
    const paper = await simulator()
    let addresses = ['127.0.0.1']
    const printers = openPrinters({ networks, resolve: async () => addresses })
    expect(await printers.faultOf({ accountId: 'acc_a', host: 'printer.local' })).toBeNull()
    expect(
      await printers.print(
        { accountId: 'acc_a', host: 'printer.local', port: paper.port },
        Buffer.from('a\n'),
      ),
    ).toEqual({
      isPrinted: true,
    })
    for (const later of [['169.254.169.254'], ['127.0.0.1', '8.8.8.8'], ['10.0.0.1']]) {
      addresses = later
      expect(await printers.faultOf({ accountId: 'acc_a', host: 'printer.local' })).toBe('address')
      expect(
        await printers.print(
          { accountId: 'acc_a', host: 'printer.local', port: paper.port },
          Buffer.from('a\n'),
        ),
      ).toEqual({
        isPrinted: false,
        reason: 'ADDRESS_REFUSED',
        mayHavePrinted: false,
      })
    }
    await expect.poll(() => paper.papers().length).toBe(1)
  })

  test('is refused without a look-up of its name while the operator allows no network', async () => {
    const names: string[] = []
    const printers = openPrinters({
      networks: [],
      resolve: async (name) => {
        names.push(name)
        return ['10.0.0.1']
      },
    })
    expect(await printers.faultOf({ accountId: 'acc_a', host: 'printer.local' })).toBe('address')
    expect(await printers.faultOf({ accountId: 'acc_a', host: 'no name' })).toBe('form')
    expect(
      await printers.print({ accountId: 'acc_a', host: 'printer.local', port: 9100 }, Buffer.from('a\n')),
    ).toMatchObject({
      isPrinted: false,
      reason: 'ADDRESS_REFUSED',
    })
    expect(names).toEqual([])
  })

  test('is looked up for two workspaces at a time, and once for each of its names, however slow the names are', async () => {
    const names: string[] = []
    const printers = openPrinters({
      networks,
      resolve: (name) => {
        names.push(name)
        return new Promise(() => {})
      },
      tuning: { connectMs: 50 },
    })
    const faultsOf = (accountId: string, hosts: string[]) =>
      Promise.all(hosts.map((host) => printers.faultOf({ accountId, host })))
    const slow = faultsOf('acc_a', ['one.local', 'one.local', 'two.local', 'three.local'])
    const other = faultsOf('acc_b', ['four.local'])
    const third = faultsOf('acc_c', ['five.local'])
    expect([await slow, await other, await third]).toEqual([[null, null, null, null], [null], [null]])
    expect(names).toEqual(['one.local', 'four.local'])
  })

  test('of one workspace is found while names of another one do not resolve', async () => {
    const printers = openPrinters({
      networks,
      resolve: (name) => (name === 'kitchen.local' ? Promise.resolve(['8.8.8.8']) : new Promise(() => {})),
      tuning: { connectMs: 200 },
    })
    const slow = ['one.local', 'two.local', 'three.local'].map((host) =>
      printers.faultOf({ accountId: 'acc_a', host }),
    )
    expect(await printers.faultOf({ accountId: 'acc_b', host: 'kitchen.local' })).toBe('address')
    await Promise.all(slow)
  })

  test('whose name did not resolve is not looked up again for 10 seconds, another name is', async () => {
    const names: string[] = []
    const printers = openPrinters({
      networks,
      resolve: async (name) => {
        names.push(name)
        if (name === 'missing.local') throw new Error('ENOTFOUND')
        return ['8.8.8.8']
      },
    })
    for (let asked = 0; asked < 3; asked += 1)
      expect(await printers.faultOf({ accountId: 'acc_a', host: 'missing.local' })).toBeNull()
    expect(await printers.faultOf({ accountId: 'acc_a', host: 'outside.local' })).toBe('address')
    expect(names).toEqual(['missing.local', 'outside.local'])
  })

  test('of this machine needs a network that is loopback itself, and link-local is never allowed', async () => {
    const everything = openPrinters({ networks: [{ address: '0.0.0.0', bits: 0, family: 'ipv4' }] })
    for (const host of ['127.0.0.1', '169.254.169.254', '0.0.0.0', '168.63.129.16'])
      expect([host, await everything.faultOf({ accountId: 'acc_a', host })]).toEqual([host, 'address'])
    expect(await everything.faultOf({ accountId: 'acc_a', host: '8.8.8.8' })).toBeNull()
    const linkLocal = openPrinters({ networks: [{ address: '169.254.0.0', bits: 16, family: 'ipv4' }] })
    expect(await linkLocal.faultOf({ accountId: 'acc_a', host: '169.254.169.254' })).toBe('address')
  })
})

describe('PRINTER_NETWORKS', () => {
  const networksOf = (env: Record<string, string>) =>
    printerNetworksOf(readConfig(env)).map(({ address, bits }) => `${address}/${bits}`)
  const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']

  test('is the private networks by default, and none while anyone may open a workspace', () => {
    expect(networksOf({})).toEqual([])
    expect(networksOf({ SIGNUP: 'open' })).toEqual([])
    expect(networksOf({ SIGNUP: 'first' })).toEqual(PRIVATE)
    expect(networksOf({ SIGNUP: 'closed' })).toEqual(PRIVATE)
  })

  test('is a list of networks or none, whoever may open a workspace', () => {
    expect(networksOf({ SIGNUP: 'open', PRINTER_NETWORKS: '192.168.7.0/24, fd00::/8' })).toEqual([
      '192.168.7.0/24',
      'fd00::/8',
    ])
    expect(networksOf({ SIGNUP: 'closed', PRINTER_NETWORKS: 'none' })).toEqual([])
    for (const text of ['192.168.7.1', '192.168.7.0/33', 'printer.local', '10.0.0.0/8/8'])
      expect(() => networksOf({ PRINTER_NETWORKS: text })).toThrow(
        `PRINTER_NETWORKS must list networks such as 192.168.1.0/24, comma-separated, or be none; "${text}" is not one`,
      )
  })
})

describe('a job', () => {
  test('older than 30 minutes is not printed by itself: it failed as TOO_OLD, and a person prints it', async () => {
    const paper = await simulator()
    const printer = await printerAt(paper.port)
    const job = await testPage(printer.id)
    clock.advance(30 * MINUTE + SECOND)
    work()
    await becomes(printer.id, job, { status: 'failed', attempts: 0, reason: 'TOO_OLD', copy: false })
    expect(paper.connections()).toBe(0)
    done(await acme().post(`/print-jobs/${job}/reprint`))
    await becomes(printer.id, job, { status: 'printed', reprint: true, copy: false })
    expect(paper.texts()[0]).not.toContain('SALINAN')
  })

  test('that was printed is marked SALINAN when it is printed again, and 409 while it waits', async () => {
    const paper = await simulator()
    const printer = await printerAt(paper.port)
    const worker = work()
    const job = await testPage(printer.id)
    await becomes(printer.id, job, { status: 'printed' })
    await worker.stop()
    expect(done(await acme().post(`/print-jobs/${job}/reprint`)).job).toMatchObject({
      status: 'queued',
      reprint: true,
      copy: true,
      attempts: 0,
    })
    expect(refusalOf(await acme().post(`/print-jobs/${job}/reprint`))).toEqual({
      status: 409,
      code: 'CONFLICT',
    })
    work()
    await becomes(printer.id, job, { status: 'printed', copy: true })
    expect(paper.texts()[1]).toContain('SALINAN')
    expect(refusalOf(await acme().post('/print-jobs/pjb_none/reprint'))).toEqual({
      status: 404,
      code: 'NOT_FOUND',
    })
  })

  test('of a printer that is deleted fails, and can still be read', async () => {
    const printer = await printerAt(await unusedPort())
    const job = await testPage(printer.id)
    done(await acme().delete(`/printers/${printer.id}`))
    expect(await jobOf(printer.id, job)).toMatchObject({ status: 'failed', reason: 'PRINTER_REMOVED' })
    expect((await acme().get(`/print-jobs/${job}/content?format=text`)).text).toContain('TES')
    expect(refusalOf(await acme().post(`/print-jobs/${job}/reprint`))).toEqual({
      status: 409,
      code: 'CONFLICT',
    })
  })

  test('is kept 30 days, an opening of the drawer 400', async () => {
    const printer = await printerAt(await unusedPort(), { opensDrawer: true })
    done(await acme().post(`/printers/${printer.id}/drawer`, { reason: 'Change' }))
    clock.advance(31 * 24 * 60 * MINUTE)
    const later = await testPage(printer.id)
    await sweep(deps(), printerExpires)
    expect(
      done(await acme().get(`/print-jobs?printerId=${printer.id}`)).map(({ id }: { id: string }) => id),
    ).toEqual([later])
    expect(done(await acme().get(`/printers/${printer.id}/drawer`))).toHaveLength(1)
    clock.advance(400 * 24 * 60 * MINUTE)
    await sweep(deps(), printerExpires)
    expect(done(await acme().get(`/printers/${printer.id}/drawer`))).toEqual([])
  })
})

describe('a till', () => {
  const tillPrinter = async (more: Record<string, unknown> = {}) => {
    const till = await enrolTill(acme())
    const api = await signedInAt(till, await memberWithPin(acme(), 'CASHIER'))
    const fields = { outletId: till.outletId, kind: 'TILL', host: null, tillId: till.id, ...more }
    return { api, till, printer: await printerAt(9100, fields) }
  }
  const conflict = { status: 409, code: 'CONFLICT' }

  test('takes a job of its printer, prints the bytes and reports', async () => {
    const { api, printer } = await tillPrinter()
    work()
    const id = await testPage(printer.id)
    const [job] = done(await api.get(`/print-jobs?printerId=${printer.id}&status=queued`))
    expect(job).toMatchObject({ id, status: 'queued' })
    expect(done(await api.patch(`/print-jobs/${id}`, { status: 'printing' })).job).toMatchObject({
      status: 'printing',
      attempts: 1,
    })
    const content = await api.get(`/print-jobs/${id}/content`)
    expect(content.headers.get('content-type')).toBe('application/octet-stream')
    expect(content.text).toContain('TES')
    expect(done(await api.patch(`/print-jobs/${id}`, { status: 'printed' })).job).toMatchObject({
      status: 'printed',
      copy: false,
    })
    expect(refusalOf(await api.patch(`/print-jobs/${id}`, { status: 'printing' }))).toEqual(conflict)
  })

  test('takes a job once: of many requests in the same moment one succeeds, the others are 409', async () => {
    const { api, printer } = await tillPrinter()
    const id = await testPage(printer.id)
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => api.patch(`/print-jobs/${id}`, { status: 'printing' })),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 409, 409, 409, 409, 409,
    ])
    expect(await jobOf(printer.id, id)).toMatchObject({ status: 'printing', attempts: 1 })
  })

  test('takes one job at a time on a printer', async () => {
    const { api, printer } = await tillPrinter()
    const [first, second] = [await testPage(printer.id), await testPage(printer.id)]
    done(await api.patch(`/print-jobs/${first}`, { status: 'printing' }))
    expect(refusalOf(await api.patch(`/print-jobs/${second}`, { status: 'printing' }))).toEqual(conflict)
    done(await api.patch(`/print-jobs/${first}`, { status: 'printed' }))
    done(await api.patch(`/print-jobs/${second}`, { status: 'printing' }))
  })

  test('does not take jobs of another till, of the service, or without being a till', async () => {
    const { api, printer } = await tillPrinter()
    const other = await tillPrinter()
    const id = await testPage(printer.id)
    const body = { status: 'printing' }
    const forbidden = { status: 403, code: 'FORBIDDEN' }
    expect(refusalOf(await other.api.patch(`/print-jobs/${id}`, body))).toEqual(forbidden)
    expect(refusalOf(await acme().patch(`/print-jobs/${id}`, body))).toEqual(forbidden)
    const network = await printerAt(await unusedPort())
    expect(refusalOf(await api.patch(`/print-jobs/${await testPage(network.id)}`, body))).toEqual(conflict)
    expect(refusalOf(await api.patch('/print-jobs/pjb_none', body))).toEqual({
      status: 404,
      code: 'NOT_FOUND',
    })
    expect(refusalOf(await api.patch(`/print-jobs/${id}`, { status: 'printed' }))).toEqual(conflict)
    expect(refusalOf(await api.patch(`/print-jobs/${id}`, { status: 'queued' }))).toEqual({
      status: 400,
      code: 'VALIDATION_ERROR',
      param: 'status',
    })
    expect(
      refusalOf(await api.patch(`/print-jobs/${id}`, { status: 'printing', reason: 'PAPER_OUT' })),
    ).toEqual({
      status: 400,
      code: 'VALIDATION_ERROR',
      param: 'reason',
    })
  })

  test('that is enrolled again at its outlet prints on its printer as before', async () => {
    const { till, printer } = await tillPrinter()
    const waiting = await testPage(printer.id)
    const cashier = await memberWithPin(acme(), 'CASHIER')
    const again = await enrolAgain(acme(), till)
    const { tillId } = done(await acme().get(`/printers/${printer.id}`)).printer
    expect(tillId).toBe(again.id)
    const api = await signedInAt(again, cashier)
    done(await api.patch(`/print-jobs/${waiting}`, { status: 'printing' }))
  })

  test('whose new cookie was lost is enrolled again with the old one, and keeps its printer and its members', async () => {
    const { till, printer } = await tillPrinter()
    const lost = await enrolAgain(acme(), till)
    const again = await enrolAgain(acme(), till)
    expect(done(await acme().get(`/printers/${printer.id}`)).printer.tillId).toBe(again.id)
    const ids = done(await acme().get('/tills')).tills.map(({ id }: { id: string }) => id)
    expect([ids.includes(again.id), ids.includes(lost.id), ids.includes(till.id)]).toEqual([
      true,
      false,
      false,
    ])
    const members = await deps()
      .db.selectFrom('tillMembers')
      .select('tillId')
      .where('tillId', 'in', [till.id, lost.id, again.id])
      .execute()
    expect(members).toEqual([{ tillId: again.id }])
    // A till that was revoked by itself has no successor.
    done(await acme().delete(`/tills/${again.id}`))
    const next = await enrolAgain(acme(), again)
    expect(done(await acme().get(`/printers/${printer.id}`)).printer.tillId).not.toBe(next.id)
  })

  test('that is enrolled again at another outlet leaves its printer behind', async () => {
    const { till, printer } = await tillPrinter()
    await enrolAgain(acme(), till, await makeOutlet(acme()))
    expect(done(await acme().get(`/printers/${printer.id}`)).printer.tillId).toBe(till.id)
  })

  test('that reports a failure has the job again after 2 seconds, as a copy unless no byte was sent', async () => {
    const { api, printer } = await tillPrinter()
    const id = await testPage(printer.id)
    done(await api.patch(`/print-jobs/${id}`, { status: 'printing' }))
    const failed = { status: 'failed', reason: 'DRIVER_BUSY' }
    expect(done(await api.patch(`/print-jobs/${id}`, failed)).job).toMatchObject({
      status: 'queued',
      copy: false,
      reason: 'DRIVER_BUSY',
    })
    expect(refusalOf(await api.patch(`/print-jobs/${id}`, { status: 'printing' }))).toEqual(conflict)
    clock.advance(2 * SECOND)
    done(await api.patch(`/print-jobs/${id}`, { status: 'printing' }))
    expect(
      done(await api.patch(`/print-jobs/${id}`, { status: 'failed', reason: 'PAPER_OUT' })).job,
    ).toMatchObject({ copy: true })
    clock.advance(8 * SECOND)
    done(await api.patch(`/print-jobs/${id}`, { status: 'printing' }))
    expect(done(await api.patch(`/print-jobs/${id}`, { status: 'failed' })).job).toMatchObject({
      status: 'failed',
      attempts: 3,
    })
  })

  test('that took a job and does not report within a minute leaves it to be printed as a copy', async () => {
    const { api, printer } = await tillPrinter()
    const id = await testPage(printer.id)
    done(await api.patch(`/print-jobs/${id}`, { status: 'printing' }))
    clock.advance(61 * SECOND)
    work()
    await becomes(printer.id, id, { status: 'queued', reason: 'INTERRUPTED', copy: true })
    expect(refusalOf(await api.patch(`/print-jobs/${id}`, { status: 'printed' }))).toEqual(conflict)
  })

  test('that stays away for 30 seconds opens no drawer: the job failed as TOO_OLD', async () => {
    const { api, printer } = await tillPrinter({ opensDrawer: true })
    const { job } = done(await api.post(`/printers/${printer.id}/drawer`, { reason: 'Change' }))
    clock.advance(30 * SECOND + 1)
    expect(refusalOf(await api.patch(`/print-jobs/${job.id}`, { status: 'printing' }))).toEqual(conflict)
    work()
    await becomes(printer.id, job.id, { status: 'failed', reason: 'TOO_OLD' })
  })

  const tillWithFallback = async (port: number) => {
    const { api, printer } = await tillPrinter()
    const kitchen = await printerAt(port, { outletId: printer.outletId })
    done(await acme().patch(`/printers/${printer.id}`, { fallbackPrinterId: kitchen.id }))
    return { api, printer, kitchen }
  }

  test('that stays away for a minute leaves its papers to the fallback printer, once', async () => {
    const paper = await simulator()
    const { api, printer, kitchen } = await tillWithFallback(paper.port)
    const id = await testPage(printer.id)
    work()
    clock.advance(59 * SECOND)
    const later = await testPage(printer.id)
    clock.advance(2 * SECOND)
    const taken = { status: 'printed', attempts: 1, printerId: kitchen.id, fallbackFrom: printer.id }
    await becomes(printer.id, id, taken, kitchen.id)
    expect(await jobOf(printer.id, later)).toMatchObject({ status: 'queued', printerId: printer.id })
    expect(refusalOf(await api.patch(`/print-jobs/${id}`, { status: 'printing' }))).toEqual(conflict)
    expect(paper.texts()).toHaveLength(1)
    expect(paper.texts()[0]).toMatch(/gagal:\s+dicetak\s+di\s+sini/)
    expect(paper.texts()[0]).not.toContain('SALINAN')
    done(await api.patch(`/print-jobs/${later}`, { status: 'printing' }))
  })

  test('whose papers two processes hand over at once leaves them to its fallback printer, not to the one behind it', async () => {
    const { printer, kitchen } = await tillWithFallback(await unusedPort())
    const { id: tillId } = await enrolTill(acme(), { outletId: printer.outletId })
    const counter = await printerAt(9100, { outletId: printer.outletId, kind: 'TILL', host: null, tillId })
    done(await acme().patch(`/printers/${counter.id}`, { fallbackPrinterId: kitchen.id }))
    done(await acme().patch(`/printers/${printer.id}`, { fallbackPrinterId: counter.id }))
    const ids = [await testPage(printer.id)]
    clock.advance(61 * SECOND)
    const now = clock.now()
    const moments = { ids, now, later: addMs(now, MINUTE), awaySince: addMs(now, -MINUTE) }
    for (let process = 0; process < 2; process += 1)
      await handOver(deps().db, { accountId: acme().workspace.accountId }, moments)
    expect(await jobOf(printer.id, ids[0] ?? '', counter.id)).toMatchObject({ printerId: counter.id })
  })

  test('that goes away after a try leaves three tries to the fallback printer', async () => {
    const { api, printer, kitchen } = await tillWithFallback(await unusedPort())
    const id = await testPage(printer.id)
    done(await api.patch(`/print-jobs/${id}`, { status: 'printing' }))
    done(await api.patch(`/print-jobs/${id}`, { status: 'failed', reason: 'UNREACHABLE' }))
    work()
    clock.advance(2 * MINUTE)
    for (const [attempts, wait] of [
      [4, 2],
      [5, 8],
    ] as const) {
      await becomes(printer.id, id, { status: 'queued', attempts, printerId: kitchen.id }, kitchen.id)
      clock.advance(wait * SECOND)
    }
    await becomes(printer.id, id, { status: 'failed', attempts: 6 }, kitchen.id)
  })

  test('that prints one job keeps the others, until it has printed nothing for a minute', async () => {
    const { api, printer, kitchen } = await tillWithFallback(await unusedPort())
    const [first, second] = [await testPage(printer.id), await testPage(printer.id)]
    const lookAt = async () =>
      (
        await deps()
          .db.selectFrom('printJobs')
          .select('lookAt')
          .where('id', '=', second)
          .executeTakeFirstOrThrow()
      ).lookAt
    const planned = await lookAt()
    work()
    clock.advance(50 * SECOND)
    done(await api.patch(`/print-jobs/${first}`, { status: 'printing' }))
    clock.advance(20 * SECOND)
    await expect.poll(lookAt).not.toBe(planned)
    expect(await jobOf(printer.id, second)).toMatchObject({ status: 'queued', reason: null })
    done(await api.patch(`/print-jobs/${first}`, { status: 'printed' }))
    clock.advance(61 * SECOND)
    await becomes(printer.id, second, { printerId: kitchen.id, reason: 'UNREACHABLE' }, kitchen.id)
  })

  test('that stays away for 30 minutes finds its jobs failed as TOO_OLD', async () => {
    const { api, printer } = await tillPrinter()
    const id = await testPage(printer.id)
    clock.advance(30 * MINUTE + SECOND)
    expect(refusalOf(await api.patch(`/print-jobs/${id}`, { status: 'printing' }))).toEqual(conflict)
    work()
    await becomes(printer.id, id, { status: 'failed', reason: 'TOO_OLD' })
  })
})
