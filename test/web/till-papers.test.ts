import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInChromium } from '../support/browser.ts'
import { makeCategory, makeOutlet, makeProduct } from '../support/build.ts'
import { printedBy } from '../support/escpos.ts'
import { done } from '../support/expect.ts'
import { button, field } from '../support/office-page.ts'
import {
  keepPage,
  lineState,
  list,
  openRegister,
  requireBuiltRegister,
  sellOne,
  tile,
  UNAVAILABLE,
  visit,
} from '../support/register-page.ts'
import { acme, address, useService } from '../support/service.ts'
import {
  band,
  connectPrinter,
  isPrinted,
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
  outletId = await makeOutlet(acme(), { name: 'Cikini', taxRateBps: 1_100, taxLabel: 'PPN' })
  await makeProduct(acme(), { name: 'Es Teh', trackStock: false, variants: [{ price: 6_500 }] })
  const categoryId = await makeCategory(acme(), { name: 'Makanan', station: 'dapur' })
  for (const name of ['Nasi goreng', 'Mie goreng', 'Sate ayam'])
    await makeProduct(acme(), { name, categoryId, trackStock: false, variants: [{ price: 20_000 }] })
  done(await acme().put('/settings', { businessName: 'Warung Rina', businessType: 'FNB' }))
})

/** Counts the windows that the browser would print from. */
const countPrints = (page: Page) =>
  page.addInitScript('globalThis.prints = 0; globalThis.print = () => { globalThis.prints += 1 }')
const windowsOf = (page: Page) => page.context().pages().length

/** A station has one printer, and each test brings another one. */
async function freeStations() {
  const { printers } = done(await acme().get(`/printers?outletId=${outletId}`))
  for (const { id } of printers) done(await acme().patch(`/printers/${id}`, { stations: [] }))
}

async function openConnected(browser: Parameters<typeof openTill>[0], fields: object = {}) {
  await freeStations()
  const till = await makeTill(outletId, fields)
  const { page, context, printer } = await openTill(browser, till)
  await connectPrinter(page)
  await page.keyboard.press('Escape')
  return { till, page, context, printer }
}
const next = (page: Page) => button(page, 'Jual lagi').click()
const hold = async (page: Page) => {
  await button(page, 'Tahan').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Simpan bon' }).click()
}
const takeHeld = async (page: Page) => {
  await button(page, 'Bon').click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /di perangkat ini/ })
    .click()
}

describeInChromium('printing at a till', (browser) => {
  it('a receipt and its reprint come out at the till, and cash opens the drawer once', async () => {
    const { page, printer } = await openConnected(browser(), { opensDrawer: true })
    await sellOne(page, 'Es Teh')
    await expect.poll(() => printer.kicks()).toBe(1)
    expect(printer.papers()).toHaveLength(0)
    await lineState(page, 'Daring').waitFor()
    await button(page, 'Cetak').click()
    await expect.poll(() => printer.papersWith('Es Teh').length).toBe(1)
    expect(printer.papers()[0]).toContain('Warung Rina')
    expect(printer.papers()[0]).toContain('PPN 11%')
    await button(page, 'Cetak').click()
    await expect.poll(() => printer.papersWith('Es Teh').length).toBe(2)
    expect(printer.kicks()).toBe(1)
    expect(windowsOf(page)).toBe(1)
  })

  it('a closed shift prints its report, and opening the drawer without a sale records the reason', async () => {
    const { till, page, printer } = await openConnected(browser(), { opensDrawer: true })
    const dialog = await openDialog(page)
    await field(page, 'Alasan membuka laci').fill('Tukar uang parkir')
    await dialog.getByRole('button', { name: 'Buka laci' }).click()
    await expect.poll(() => printer.kicks()).toBe(1)
    const { data } = await acme().get(`/printers/${till.printerId}/drawer`)
    expect(data).toMatchObject([{ reason: 'Tukar uang parkir' }])
    await page.goto(`${address()}/shift`)
    await field(page, 'Modal awal').fill('100000')
    await button(page, 'Buka shift').click()
    await button(page, 'Tutup shift').first().click()
    await field(page, 'Uang dihitung').fill('100000')
    await button(page, 'Tutup shift').last().click()
    await button(page, 'Cetak laporan').click()
    await expect.poll(() => printer.papersWith('100.000').length).toBe(1)
    expect(printer.papers()[0]).toContain('Warung Rina')
  })

  it('a printer without paper delays no sale', async () => {
    const { page, printer } = await openConnected(browser())
    printer.be('paperOut')
    await sellOne(page, 'Es Teh')
    await button(page, 'Cetak').click()
    await next(page)
    await sellOne(page, 'Es Teh')
    await next(page)
    await band(page, 'Kertas habis').waitFor()
    printer.be('ready')
    await expect.poll(() => printer.papersWith('Es Teh').length, { timeout: 30_000 }).toBe(1)
  })

  it('the bill before payment shows the present cart', async () => {
    const { page, printer } = await openConnected(browser())
    await tile(page, 'Es Teh').click()
    await hold(page)
    await button(page, 'Bon').click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /7\.215/ })
      .first()
      .click()
    await tile(page, 'Nasi goreng').click()
    await button(page, 'Tagihan').click()
    await expect.poll(() => printer.papersWith('TAGIHAN').length).toBe(1)
    expect(printer.papersWith('TAGIHAN')[0]).toContain('Nasi goreng')
    await button(page, 'Kosongkan keranjang').click()
  })

  it('goods that are tapped while a bill is saved for its paper stay in the cart', async () => {
    const { page, printer } = await openConnected(browser())
    await tile(page, 'Sate ayam').click()
    await hold(page)
    await button(page, 'Bon').click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /22\.200/ })
      .first()
      .click()
    let answer = () => {}
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/api/v1/sales/*/items', async (route) => {
      const response = await route.fetch()
      await isAnswered
      await route.fulfill({ response })
    })
    await button(page, 'Tagihan').click()
    await tile(page, 'Es Teh').click()
    // Its other changes wait as well, and it shows no fault.
    expect(await button(page, 'Kosongkan keranjang').isDisabled()).toBe(true)
    expect(await button(page, 'Coba lagi').count()).toBe(0)
    answer()
    await expect.poll(() => printer.papersWith('TAGIHAN').length).toBe(1)
    const cart = page.getByRole('list', { name: 'Keranjang' })
    for (const name of ['Sate ayam', 'Es Teh']) await cart.getByText(name).waitFor()
    await button(page, 'Kosongkan keranjang').click()
  })

  it('a counter sale made online prints kitchen slips and reaches the kitchen board', async () => {
    const { till, page, printer } = await openConnected(browser(), { stations: ['dapur'] })
    await button(page, 'Bawa pulang').click()
    await sellOne(page, 'Nasi goreng')
    await expect.poll(() => printer.papersWith('1 x Nasi goreng').length).toBe(1)
    expect(printer.papersWith('tanpa jaringan')).toHaveLength(0)
    expect(await jobsOf(till)).toMatchObject([{ kind: 'KITCHEN', station: 'dapur' }])
    const [sale] = (await acme().get(`/sales?outletId=${outletId}&limit=1`)).data
    const { tickets } = done(await acme().get(`/kds?outletId=${outletId}`))
    expect(tickets.find(({ id }: { id: string }) => id === sale.id)).toMatchObject({
      items: [{ name: 'Nasi goreng' }],
    })
  })

  it('an offline sale prints its slip and receipt at the till, and the service prints no second slip', async () => {
    const { till, page, context, printer } = await openConnected(browser(), {
      opensDrawer: true,
      stations: ['dapur'],
    })
    await keepPage(page)
    await context.setOffline(true)
    await button(page, 'Bawa pulang').click()
    await tile(page, 'Nasi goreng').click()
    await sellOne(page, 'Es Teh')
    await expect.poll(() => printer.papersWith('Dicetak kasir tanpa jaringan').length).toBe(1)
    const [slip = ''] = printer.papers()
    expect(slip).toContain('1 x Nasi goreng')
    expect(slip).not.toContain('Es Teh')
    expect(printer.kicks()).toBe(1)
    await button(page, 'Cetak').click()
    await expect.poll(() => printer.papersWith('Nomor struk menyusul').length).toBe(1)
    const [receipt = ''] = printer.papersWith('Nomor struk menyusul')
    for (const text of ['Warung Rina', 'Cikini', 'PPN 11%', 'Rp 29.415', 'Kasir'])
      expect(receipt).toContain(text)
    const ref = /No\.\s+(\S+)/.exec(receipt)?.[1] ?? ''
    expect(slip).toContain(ref)
    await context.setOffline(false)
    await lineState(page, 'Daring').waitFor()
    const { data } = await acme().get(`/sales?q=${ref}`)
    expect(data).toMatchObject([{ total: 29_415, offline: { ref } }])
    expect(await jobsOf(till)).toEqual([])
    expect(printer.papersWith('Nasi goreng')).toHaveLength(2)
  }, 90_000)

  it('a kitchen slip that the printer could not take survives a reload and is printed by a tap, not as a copy', async () => {
    const { page, context, printer } = await openConnected(browser(), { stations: ['dapur'] })
    await keepPage(page)
    await context.setOffline(true)
    printer.be('paperOut')
    await button(page, 'Bawa pulang').click()
    await sellOne(page, 'Nasi goreng')
    await band(page, 'Kertas habis').waitFor()
    await page.reload()
    await band(page, 'Cetakan gagal dicetak').waitFor()
    printer.be('ready')
    await button(page, 'Cetak ulang').click()
    await expect.poll(() => printer.papersWith('1 x Nasi goreng').length).toBe(1)
    expect(printer.papersWith('SALINAN')).toHaveLength(0)
    await context.setOffline(false)
    await lineState(page, 'Daring').waitFor()
  })

  it('kitchen slips are printed by a tap without a line while a job of the service has failed, and one refusal stops no other job', async () => {
    const { till, page, context, printer } = await openConnected(browser(), { stations: ['dapur'] })
    await keepPage(page)
    printer.be('paperOut')
    const [refused, other] = [await queueTest(till), await queueTest(till)]
    await band(page, '2 cetakan gagal').waitFor({ timeout: 60_000 })
    await context.setOffline(true)
    await button(page, 'Bawa pulang').click()
    await sellOne(page, 'Nasi goreng')
    await band(page, '3 cetakan gagal').waitFor()
    printer.be('ready')
    await button(page, 'Cetak ulang').click()
    await expect.poll(() => printer.papersWith('1 x Nasi goreng').length).toBe(1)
    // The jobs are not tried again any more.
    await page.getByRole('alert').waitFor()
    await context.setOffline(false)
    await lineState(page, 'Daring').waitFor()
    await page.route(`**/api/v1/print-jobs/${refused}/reprint`, (route) =>
      route.fulfill({
        status: 404,
        json: { ...UNAVAILABLE, error: { code: 'NOT_FOUND', message: 'There is no such print job' } },
      }),
    )
    await button(page, 'Cetak ulang').click()
    await isPrinted(till, other)
    await page.getByRole('alert').getByText('There is no such print job').waitFor()
    expect(printer.papersWith('1 x Nasi goreng')).toHaveLength(1)
  }, 120_000)

  it('the band asks before it discards papers that only the till has', async () => {
    const { page, context, printer } = await openConnected(browser(), { stations: ['dapur'] })
    await keepPage(page)
    await context.setOffline(true)
    printer.be('paperOut')
    await button(page, 'Bawa pulang').click()
    await sellOne(page, 'Nasi goreng')
    await band(page, 'Cetakan gagal dicetak').waitFor()
    await button(page, 'Tutup').click()
    const dialog = page.getByRole('dialog', { name: 'Buang cetakan yang gagal?' })
    await dialog.getByText('Belum tercetak: 1.').waitFor()
    await dialog.getByRole('button', { name: 'Tutup' }).click()
    printer.be('ready')
    await button(page, 'Cetak ulang').click()
    await expect.poll(() => printer.papersWith('1 x Nasi goreng').length).toBe(1)
    // The printer is asked for its state once more behind the paper.
    await band(page, 'Cetakan gagal dicetak').waitFor({ state: 'detached' })
    printer.be('paperOut')
    await next(page)
    await button(page, 'Bawa pulang').click()
    await sellOne(page, 'Mie goreng')
    await band(page, 'Cetakan gagal dicetak').waitFor()
    await button(page, 'Tutup').click()
    await dialog.getByRole('button', { name: 'Buang cetakan' }).click()
    await band(page, 'Cetakan gagal dicetak').waitFor({ state: 'detached' })
    await page.reload()
    await list(page, 'Barang').getByRole('button').first().waitFor()
    expect(await band(page, 'Cetakan gagal dicetak').count()).toBe(0)
  }, 120_000)

  it('a bill held offline prints at the till, and later only what was added', async () => {
    const { till, page, context, printer } = await openConnected(browser(), { stations: ['dapur'] })
    await keepPage(page)
    await context.setOffline(true)
    await button(page, 'Bawa pulang').click()
    await tile(page, 'Nasi goreng').click()
    await hold(page)
    await expect.poll(() => printer.papersWith('1 x Nasi goreng').length).toBe(1)
    await context.setOffline(false)
    await lineState(page, 'Daring').waitFor()
    await takeHeld(page)
    await tile(page, 'Nasi goreng').click()
    await tile(page, 'Nasi goreng').click()
    await hold(page)
    await expect.poll(() => printer.papersWith('2 x Nasi goreng').length).toBe(1)
    expect(await jobsOf(till)).toHaveLength(1)
    expect(printer.papers()).toHaveLength(2)
  }, 90_000)

  it('a line that is removed from a bill printed offline is cancelled in the kitchen, offline and when the service gets the bill', async () => {
    const { page, context, printer } = await openConnected(browser(), { stations: ['dapur'] })
    await keepPage(page)
    const remove = async (name: string) => {
      const line = page
        .getByRole('list', { name: 'Keranjang' })
        .getByRole('listitem')
        .filter({ hasText: name })
      await line.getByRole('button', { name: 'Pilih' }).click({ position: { x: 4, y: 4 } })
      await line.getByRole('button', { name: 'Kurangi' }).click()
    }
    await context.setOffline(true)
    await button(page, 'Bawa pulang').click()
    for (const name of ['Nasi goreng', 'Mie goreng', 'Sate ayam']) await tile(page, name).click()
    await hold(page)
    await expect.poll(() => printer.papersWith('1 x Mie goreng').length).toBe(1)
    await takeHeld(page)
    await remove('Mie goreng')
    await hold(page)
    await expect.poll(() => printer.papersWith('BATAL 1 x Mie goreng').length).toBe(1)
    await context.setOffline(false)
    await lineState(page, 'Daring').waitFor()
    await takeHeld(page)
    await remove('Sate ayam')
    await hold(page)
    await expect.poll(() => printer.papersWith('BATAL 1 x Sate ayam').length).toBe(1)
    expect(printer.papersWith('BATAL 1 x Mie goreng')).toHaveLength(1)
    expect(printer.papersWith('BATAL 1 x Nasi goreng')).toHaveLength(0)
    expect(printer.papers()).toHaveLength(3)
  }, 90_000)

  it('a bill printed offline is cancelled in the kitchen when the cart is emptied, and printed again when it is brought back', async () => {
    const { page, context, printer } = await openConnected(browser(), { stations: ['dapur'] })
    await keepPage(page)
    await context.setOffline(true)
    await button(page, 'Bawa pulang').click()
    for (const name of ['Nasi goreng', 'Mie goreng']) await tile(page, name).click()
    await hold(page)
    await expect.poll(() => printer.papersWith('1 x Mie goreng').length).toBe(1)
    await takeHeld(page)
    await button(page, 'Kosongkan keranjang').click()
    await expect.poll(() => printer.papersWith('BATAL 1 x Mie goreng').length).toBe(1)
    expect(printer.papersWith('BATAL 1 x Nasi goreng')).toHaveLength(1)
    await button(page, 'Urungkan').click()
    await hold(page)
    await expect.poll(() => printer.papersWith('1 x Mie goreng').length).toBe(3)
    expect(printer.papers()).toHaveLength(3)
  }, 90_000)

  it('RawBT gets a job only by a tap', async () => {
    const till = await makeTill(outletId)
    const { page, context } = await openTill(browser(), till)
    await context.addInitScript(`
      Object.defineProperty(navigator, 'userAgent', { value: 'Mozilla/5.0 (Linux; Android 14)' })
      globalThis.handed = []
      const click = HTMLAnchorElement.prototype.click
      HTMLAnchorElement.prototype.click = function () {
        if (this.href.startsWith('intent:')) globalThis.handed.push(this.href)
        else click.call(this)
      }`)
    await page.reload()
    const dialog = await openDialog(page)
    await dialog.getByRole('button', { name: 'Aplikasi RawBT (Android)' }).click()
    await dialog.getByText('Cetakan dikirim ke aplikasi RawBT.').waitFor()
    await page.keyboard.press('Escape')
    done(await acme().post(`/printers/${till.printerId}/test`))
    await band(page, '1 cetakan menunggu').waitFor()
    expect(await page.evaluate('handed.length')).toBe(0)
    await button(page, 'Cetak').click()
    await expect.poll(() => page.evaluate('handed.length')).toBe(1)
    const address = (await page.evaluate('handed[0]')) as string
    const [, base64 = '', app] = /^intent:base64,([^#]+)#Intent;(.*)end;$/.exec(address) ?? []
    expect(app).toBe('scheme=rawbt;package=ru.a402d.rawbtprinter;')
    const { lines } = printedBy(Buffer.from(base64, 'base64'))
    expect(lines.map(({ text }) => text).join('\n')).toContain('TES')
    await band(page, '1 cetakan menunggu').waitFor({ state: 'detached' })
    const [job] = await jobsOf(till)
    await isPrinted(till, job?.id ?? '')
    // The app does not answer, so a second paper is a copy.
    expect(done(await acme().post(`/print-jobs/${job?.id}/reprint`)).job.copy).toBe(true)
  })

  it('a device without a printer opens the print window of the browser', async () => {
    const { page } = await visit(browser())
    await countPrints(page)
    await openRegister(page)
    await sellOne(page, 'Es Teh')
    await lineState(page, 'Daring').waitFor()
    const opened = page.waitForEvent('popup')
    await button(page, 'Cetak').click()
    expect((await opened).url()).toContain('/receipt?format=html')
  })
})
