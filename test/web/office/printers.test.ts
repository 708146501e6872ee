import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { startPrinting } from '../../../src/areas/dining/printers/index.ts'
import { describeInChromium } from '../../support/browser.ts'
import { makeCategory, makeOutlet } from '../../support/build.ts'
import { done } from '../../support/expect.ts'
import { button, field, openOffice, rowOf, save, table } from '../../support/office-page.ts'
import { enrolTill } from '../../support/pins.ts'
import { startPrinter, type TestPrinter } from '../../support/printer.ts'
import { requireBuiltRegister, visit } from '../../support/register-page.ts'
import { acme, deps, useService } from '../../support/service.ts'

requireBuiltRegister()
useService({ env: { PRINTER_NETWORKS: '127.0.0.0/8' } })

let outletId = ''
let paper: TestPrinter
let worker: { stop(): Promise<void> }

beforeAll(async () => {
  outletId = await makeOutlet(acme(), { name: 'Cikini' })
  await makeCategory(acme(), { name: 'Makanan', station: 'dapur' })
  await makeCategory(acme(), { name: 'Minuman', station: 'bar' })
  paper = await startPrinter()
  worker = startPrinting(deps(), { lookEveryMs: 20 })
})
afterAll(async () => {
  await worker.stop()
  await paper.close()
})

const printerNamed = async (name: string) =>
  done(await acme().get('/printers')).printers.find((each: { name: string }) => each.name === name)
const makePrinter = async (fields: object) =>
  done(await acme().post('/printers', { outletId, kind: 'NETWORK', host: '127.0.0.1', ...fields })).printer

describeInChromium('the printers of the back office', (browser) => {
  it('are added with their stations, and print a test page that says how it went', async () => {
    const { page } = await visit(browser())
    await openOffice(page, '/pengaturan?tab=printers', 'Printer')
    await button(page, 'Printer baru').first().click()
    await field(page, 'Nama printer').fill('Dapur')
    await field(page, 'Alamat printer').fill('127.0.0.1')
    await page.getByLabel('Port').fill(String(paper.port))
    await page.getByLabel('Lebar kertas').selectOption('58')
    await page.getByRole('checkbox', { name: 'dapur' }).check()
    await save(page)
    expect(await printerNamed('Dapur')).toMatchObject({
      outletId,
      kind: 'NETWORK',
      host: '127.0.0.1',
      port: paper.port,
      paper: 58,
      stations: ['dapur'],
    })
    await table(page, 'Printer').getByRole('link', { name: 'Dapur' }).click()
    await button(page, 'Cetak halaman tes').click()
    const test = page.getByRole('region', { name: 'Halaman tes' })
    await test.getByText('Tercetak').waitFor()
    expect(paper.texts().at(-1)).toContain('TES')
    paper.be('paperOut')
    onTestFinished(() => paper.be('ready'))
    await button(page, 'Cetak halaman tes').click()
    await test.getByText('Kertas habis').waitFor()
  })

  it('show the sentence of the service at an address that it may not print to', async () => {
    const { page } = await visit(browser())
    await openOffice(page, '/pengaturan?tab=printers&id=new', 'Printer baru')
    await field(page, 'Nama printer').fill('Jauh')
    await field(page, 'Alamat printer').fill('8.8.8.8')
    await button(page, 'Simpan').click()
    const host = field(page, 'Alamat printer')
    await expect.poll(() => host.getAttribute('aria-invalid')).toBe('true')
    await page.getByText(/PRINTER_NETWORKS/).waitFor()
    await host.fill('127.0.0.1')
    await save(page)
    expect(await printerNamed('Jauh')).toMatchObject({ host: '127.0.0.1', port: 9_100 })
  })

  it('list jobs with the cause of a failure and print one again on the printer that is back', async () => {
    const printer = await makePrinter({ name: 'Bar', port: paper.port })
    paper.be('coverOpen')
    onTestFinished(() => paper.be('ready'))
    const { id } = done(await acme().post(`/printers/${printer.id}/test`)).job
    const { page } = await visit(browser())
    await openOffice(page, `/pengaturan?tab=jobs&printer=${printer.id}`, 'Pekerjaan cetak')
    await rowOf(page, 'Bar').getByText('Tutup printer terbuka').waitFor()
    await rowOf(page, 'Bar').getByText('Gagal').waitFor({ timeout: 30_000 })
    paper.be('ready')
    const before = paper.papers().length
    await rowOf(page, 'Bar').getByRole('button', { name: 'Cetak ulang' }).click()
    await rowOf(page, 'Bar').getByText('Tercetak').waitFor()
    expect(paper.papers().length).toBe(before + 1)
    const jobs = done(await acme().get(`/print-jobs?printerId=${printer.id}`))
    expect(jobs).toHaveLength(1)
    expect(jobs[0]).toMatchObject({ id, reprint: true, status: 'printed' })
  })

  it('belong to an enrolled till or fall back to another printer, and open the drawer for a recorded reason', async () => {
    const { id: tillId } = await enrolTill(acme(), { outletId, name: 'Kasir depan' })
    const { page } = await visit(browser())
    await openOffice(page, '/pengaturan?tab=printers&id=new', 'Printer baru')
    await field(page, 'Nama printer').fill('Laci depan')
    await page.getByLabel('Sambungan').selectOption('TILL')
    await page.getByLabel('Kasir terdaftar').selectOption({ label: 'Kasir depan' })
    await page.getByLabel('Laci uang tersambung').check()
    await save(page)
    const front = await printerNamed('Laci depan')
    expect(front).toMatchObject({ kind: 'TILL', tillId, opensDrawer: true, host: null })
    await makePrinter({ name: 'Saji', port: paper.port })
    await openOffice(page, '/pengaturan?tab=printers', 'Printer')
    await table(page, 'Printer').getByRole('link', { name: 'Saji' }).click()
    await page.getByLabel('Printer pengganti').selectOption({ label: 'Laci depan' })
    await save(page)
    expect(await printerNamed('Saji')).toMatchObject({ fallbackPrinterId: front.id })
    await table(page, 'Printer').getByRole('link', { name: 'Laci depan' }).click()
    await field(page, 'Alasan membuka laci').fill('Tukar uang parkir')
    await button(page, 'Buka laci').click()
    await page.getByRole('list', { name: 'Laci dibuka' }).getByText('Tukar uang parkir').waitFor()
    expect((await acme().get(`/printers/${front.id}/drawer`)).data[0]).toMatchObject({
      reason: 'Tukar uang parkir',
    })
  })

  it('a drawer is opened once when Enter is pressed again before the answer', async () => {
    const { id: tillId } = await enrolTill(acme(), { outletId, name: 'Kasir samping' })
    const { printer } = done(
      await acme().post('/printers', {
        outletId,
        kind: 'TILL',
        name: 'Laci samping',
        tillId,
        opensDrawer: true,
      }),
    )
    const { page } = await visit(browser())
    await openOffice(page, `/pengaturan?tab=printers&id=${printer.id}`, 'Laci samping')
    let answer = () => {}
    const isPressed = new Promise<void>((resolve) => {
      answer = resolve
    })
    let requests = 0
    await page.route('**/api/v1/printers/*/drawer', async (route) => {
      if (route.request().method() === 'POST') {
        requests += 1
        await isPressed
      }
      return route.fallback()
    })
    const reason = field(page, 'Alasan membuka laci')
    await reason.fill('Tukar uang kembalian')
    await reason.press('Enter')
    await expect.poll(() => button(page, 'Buka laci').isDisabled()).toBe(true)
    await reason.press('Enter')
    answer()
    await expect.poll(() => reason.inputValue()).toBe('')
    expect(requests).toBe(1)
    expect((await acme().get(`/printers/${printer.id}/drawer`)).data).toHaveLength(1)
  })

  it('are deleted after a question', async () => {
    const printer = await makePrinter({ name: 'Lama', port: paper.port })
    const { page } = await visit(browser())
    await openOffice(page, `/pengaturan?tab=printers&id=${printer.id}`, 'Lama')
    await button(page, 'Hapus').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Hapus' }).click()
    await table(page, 'Printer').waitFor()
    expect(await printerNamed('Lama')).toBeUndefined()
  })
})
