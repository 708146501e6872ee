import { beforeAll, expect, it } from 'vitest'
import { describeInChromium } from '../support/browser.ts'
import { makeOutlet, makeProduct } from '../support/build.ts'
import { done } from '../support/expect.ts'
import { button } from '../support/office-page.ts'
import { enrolTill } from '../support/pins.ts'
import { DESKTOP, openRegister, requireBuiltRegister, UNAVAILABLE, visit } from '../support/register-page.ts'
import { acme, useService } from '../support/service.ts'
import {
  band,
  connectPrinter,
  isPrinted,
  jobAt,
  jobsOf,
  makeTill,
  openDialog,
  openTill,
  queueTest,
} from '../support/till-printer-page.ts'

requireBuiltRegister()
useService()

let outletId = ''

beforeAll(async () => {
  outletId = await makeOutlet(acme(), { name: 'Cikini' })
  await makeProduct(acme(), { name: 'Es Teh', trackStock: false, variants: [{ price: 6_500 }] })
})

describeInChromium('the printer of a till', (browser) => {
  it('is connected by a tap over each kind of connection, and prints a test page', async () => {
    for (const kind of ['Kabel serial atau Bluetooth biasa', 'Kabel USB', 'Bluetooth LE'] as const) {
      const till = await makeTill(outletId)
      const { page, printer } = await openTill(browser(), till)
      const dialog = await connectPrinter(page, kind)
      await button(page, 'Cetak halaman tes').click()
      await dialog.getByText('Tercetak').waitFor()
      expect(printer.papers()).toHaveLength(1)
      expect(printer.papers()[0]).toContain('58 mm')
      expect((await jobsOf(till))[0]).toMatchObject({ status: 'printed', attempts: 1, copy: false })
    }
  })

  it('prints each job once with two tabs open, in order, also after the first tab was closed', async () => {
    const till = await makeTill(outletId)
    const { page, context, printer } = await openTill(browser(), till)
    await connectPrinter(page)
    const second = await context.newPage()
    await openRegister(second)
    for (let n = 0; n < 3; n += 1) await queueTest(till)
    await expect.poll(async () => (await jobsOf(till)).every(({ status }) => status === 'printed')).toBe(true)
    expect(printer.papersWith('TES')).toHaveLength(3)
    expect(printer.papersWith('SALINAN')).toHaveLength(0)
    await page.close()
    await isPrinted(till, await queueTest(till))
    expect(printer.papersWith('TES')).toHaveLength(4)
  })

  it('connects by itself after a reload, and repeats the job of a page that closed in the middle as a copy', async () => {
    const till = await makeTill(outletId)
    const { page, printer } = await openTill(browser(), till)
    await connectPrinter(page)
    printer.be('stuck')
    const reached = new Promise<void>((resolve) => printer.onWrite(resolve))
    const id = await queueTest(till)
    await reached
    printer.be('ready')
    await page.reload()
    await isPrinted(till, id)
    expect(printer.papersWith('SALINAN')).toHaveLength(1)
    expect(printer.papers()).toHaveLength(1)
    expect(await jobAt(till, id)).toMatchObject({ attempts: 2, copy: true })
  })

  it('reports a device that is lost in the middle, and prints the rest as a copy once it is back', async () => {
    const till = await makeTill(outletId)
    const { page, printer } = await openTill(browser(), till)
    await connectPrinter(page, 'Kabel USB')
    await page.keyboard.press('Escape')
    printer.be('lost')
    const id = await queueTest(till)
    await band(page, /tidak terhubung|gagal dicetak/).waitFor()
    await expect.poll(async () => (await jobAt(till, id))?.copy).toBe(true)
    await band(page, 'Halaman tes gagal dicetak').waitFor({ timeout: 30_000 })
    expect(await jobAt(till, id)).toMatchObject({ status: 'failed', reason: 'UNREACHABLE', attempts: 3 })
    printer.be('ready')
    await button(page, 'Cetak ulang').click()
    await isPrinted(till, id)
    expect(printer.papersWith('SALINAN')).toHaveLength(1)
    await band(page, /gagal dicetak/).waitFor({ state: 'detached' })
  }, 90_000)

  it('names the driver that holds the device, and prints no copy once it is free', async () => {
    const till = await makeTill(outletId)
    const { page, printer } = await openTill(browser(), till)
    await connectPrinter(page, 'Kabel USB')
    await page.keyboard.press('Escape')
    printer.be('busy')
    await page.reload()
    await band(page, 'Program lain memakai printer ini').waitFor()
    const id = await queueTest(till)
    await expect.poll(async () => (await jobAt(till, id))?.reason).toBe('DRIVER_BUSY')
    printer.be('ready')
    await isPrinted(till, id)
    expect(printer.papers()).toHaveLength(1)
    expect(printer.papersWith('SALINAN')).toHaveLength(0)
  })

  it('says that its cover is open or its paper is out', async () => {
    const till = await makeTill(outletId)
    const { page, printer } = await openTill(browser(), till)
    await connectPrinter(page)
    await page.keyboard.press('Escape')
    printer.be('coverOpen')
    const id = await queueTest(till)
    await band(page, 'Tutup printer terbuka').waitFor()
    printer.be('paperOut')
    await band(page, 'Kertas habis').waitFor()
    printer.be('ready')
    await isPrinted(till, id)
    await band(page, 'Kertas habis').waitFor({ state: 'detached' })
  })

  it('stays unconnected when the dialog is closed, and says when the browser refuses', async () => {
    const till = await makeTill(outletId)
    const { page, printer } = await openTill(browser(), till)
    const dialog = await openDialog(page)
    printer.answerDialog('cancelled')
    await dialog.getByRole('button', { name: 'Kabel USB' }).click()
    await dialog.getByText('Belum dihubungkan.').waitFor()
    printer.answerDialog('refused')
    await dialog.getByRole('button', { name: 'Kabel USB' }).click()
    await dialog.getByText(/Peramban tidak mengizinkan/).waitFor()
    expect(printer.opened()).toBe(0)
  })

  it('asks for the device again when the browser forgot it, and keeps its jobs until then', async () => {
    const till = await makeTill(outletId)
    const { page, printer } = await openTill(browser(), till)
    await connectPrinter(page, 'Bluetooth LE')
    await page.reload()
    await band(page, 'Peramban ini tidak lagi mengenali Struk').waitFor()
    const id = await queueTest(till)
    await button(page, 'Pilih printer').click()
    const dialog = page.getByRole('dialog')
    await button(page, 'Pilih printer lain').click()
    await dialog.getByRole('button', { name: 'Bluetooth LE' }).click()
    await isPrinted(till, id)
    expect(await jobAt(till, id)).toMatchObject({ attempts: 1, copy: false })
    expect(printer.papers()).toHaveLength(1)
  })

  it('takes no job of the printer of another till, and is forgotten when it becomes that of another till', async () => {
    const [till, other] = [await makeTill(outletId), await makeTill(outletId)]
    const { page, printer } = await openTill(browser(), till)
    await connectPrinter(page)
    const id = await queueTest(other)
    await isPrinted(till, await queueTest(till))
    expect(await jobAt(other, id)).toMatchObject({ status: 'queued', attempts: 0 })
    done(await acme().patch(`/printers/${till.printerId}`, { tillId: other.id }))
    await page.reload()
    const dialog = await openDialog(page)
    await dialog.getByText(/belum punya printer/).waitFor()
    expect(printer.papers()).toHaveLength(1)
  })

  it('is offered to no device that is not enrolled, and a till without one says where to add it', async () => {
    const plain = await visit(browser(), DESKTOP)
    await openRegister(plain.page)
    await (await openDialog(plain.page)).getByText(/belum didaftarkan/).waitFor()
    const bare = await openTill(browser(), await enrolTill(acme(), { outletId }))
    await (await openDialog(bare.page)).getByText(/belum punya printer/).waitFor()
  })

  it('reports a paper again whose report the service could not take, and does not print it twice', async () => {
    const till = await makeTill(outletId)
    const { page, printer } = await openTill(browser(), till)
    await connectPrinter(page)
    await page.keyboard.press('Escape')
    const refused: string[] = []
    await page.route('**/api/v1/print-jobs/*', async (route) => {
      const body = route.request().postData() ?? ''
      if (!body.includes('"printed"')) return route.fallback()
      refused.push(body)
      await route.fulfill({ status: 503, json: UNAVAILABLE })
    })
    const id = await queueTest(till)
    await expect.poll(() => refused.length).toBeGreaterThan(2)
    await page.unroute('**/api/v1/print-jobs/*')
    await isPrinted(till, id)
    expect(printer.papers()).toHaveLength(1)
    expect(await jobAt(till, id)).toMatchObject({ attempts: 1, copy: false })
  })

  it('reports a paper that came out while the connection was lost, and does not print it again', async () => {
    const till = await makeTill(outletId)
    const { page, printer } = await openTill(browser(), till)
    await connectPrinter(page)
    let isDown = false
    await page.route('**/api/v1/print-jobs/*', async (route) => {
      const isReport = route.request().postData()?.includes('printed') === true
      isDown ||= isReport
      if (isDown) await route.abort('connectionreset')
      else await route.fallback()
    })
    const id = await queueTest(till)
    await expect.poll(() => printer.papers().length).toBe(1)
    await page.unrouteAll()
    await page.reload()
    await isPrinted(till, id)
    expect(printer.papers()).toHaveLength(1)
  }, 90_000)

  it('reports a paper that came out while the storage of the browser is full, and does not print it again', async () => {
    const till = await makeTill(outletId)
    const { page, printer } = await openTill(browser(), till)
    await connectPrinter(page)
    await page.evaluate(`Storage.prototype.setItem = () => {
      throw new DOMException('The quota has been exceeded', 'QuotaExceededError')
    }`)
    const ids = [await queueTest(till), await queueTest(till)]
    for (const id of ids) await isPrinted(till, id)
    expect(printer.papersWith('TES')).toHaveLength(2)
    for (const id of ids) expect(await jobAt(till, id)).toMatchObject({ attempts: 1, copy: false })
  })
})
