import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInChromium } from '../../support/browser.ts'
import { makeCategory, makeOutlet, makeProduct, makePurchaseOrder } from '../../support/build.ts'
import { done } from '../../support/expect.ts'
import { openOffice } from '../../support/office-page.ts'
import { readPdf } from '../../support/pdf.ts'
import { requireBuiltRegister, visit } from '../../support/register-page.ts'
import { acme, useService } from '../../support/service.ts'

requireBuiltRegister()
useService({ env: { PRINTER_NETWORKS: '127.0.0.0/8' } })

let orderId = ''
let printerId = ''

beforeAll(async () => {
  const outletId = await makeOutlet(acme(), { name: 'Toko' })
  const categoryId = await makeCategory(acme(), { name: 'Minuman' })
  const product = await makeProduct(acme(), {
    name: 'Teh botol',
    categoryId,
    variants: [{ price: 5_000, barcode: '8991234567914' }],
  })
  const order = await makePurchaseOrder(acme(), {
    outletId,
    items: [{ variantId: product.variants[0].id, qty: 12, cost: 3_000 }],
  })
  orderId = order.id
  done(await acme().post(`/purchase-orders/${orderId}/order`))
  const printer = { outletId, name: 'Kasir depan', kind: 'NETWORK', host: '127.0.0.1', port: 9_100 }
  printerId = done(await acme().post('/printers', printer)).printer.id
})

/** What the browser sends to a route of labels, with the answer's status and type. */
const sent = (page: Page, path: string) =>
  page
    .waitForResponse((response) => response.url().endsWith(`/api/v1/labels/${path}`))
    .then(async (response) => ({
      status: response.status(),
      type: response.headers()['content-type'],
      body: response.request().postDataJSON(),
    }))

describeInChromium('labels in the back office', (browser) => {
  it('are made as a PDF of the goods that were picked, on the paper that was chosen', async () => {
    const { page } = await visit(browser())
    await openOffice(page, '/produk', 'Produk')
    await page.getByRole('button', { name: 'Cetak label' }).click()
    const dialog = page.getByRole('dialog', { name: 'Cetak label' })
    expect(await dialog.getByRole('button', { name: 'Buat PDF' }).isDisabled()).toBe(true)
    await dialog.getByLabel('Tambah barang').fill('Teh')
    await dialog.getByRole('button', { name: /Teh botol/ }).click()
    await dialog.getByLabel('Jumlah label Teh botol').fill('30')
    await dialog.getByLabel('Kertas').selectOption('A4_65')
    await dialog.getByLabel('Mulai dari label ke-').fill('6')
    const request = sent(page, 'pdf')
    await dialog.getByRole('button', { name: 'Buat PDF' }).click()
    expect(await request).toMatchObject({
      status: 200,
      type: 'application/pdf',
      body: { items: [{ copies: 30 }], paper: 'A4_65', skip: 5, design: 'PRICE' },
    })
    expect(await dialog.getByRole('link', { name: 'Buka PDF' }).getAttribute('href')).toMatch(/^blob:/)
    const saved = page.waitForEvent('download')
    await dialog.getByRole('link', { name: 'Simpan PDF' }).click()
    const file = await saved
    expect(file.suggestedFilename()).toBe('label.pdf')
    const { papers, pages } = readPdf(await readFile(await file.path()))
    expect(papers).toEqual([[expect.closeTo(595.28), expect.closeTo(841.89)]])
    expect(pages[0]?.texts.filter(({ text }) => text === 'Teh botol')).toHaveLength(30)
  })

  it('refuse a number that cannot be read or is too large, and read 1.000 as a thousand', async () => {
    const { page } = await visit(browser())
    await openOffice(page, '/produk', 'Produk')
    await page.getByRole('button', { name: 'Cetak label' }).click()
    const dialog = page.getByRole('dialog', { name: 'Cetak label' })
    await dialog.getByLabel('Tambah barang').fill('Teh')
    await dialog.getByRole('button', { name: /Teh botol/ }).click()
    const copies = dialog.getByLabel('Jumlah label Teh botol')
    const first = dialog.getByLabel('Mulai dari label ke-')
    const requests: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/labels/pdf')) requests.push(request.url())
    })
    const refusal = (field: Locator) =>
      field.evaluate((input: { validationMessage: string }) => input.validationMessage)
    for (const [field, typed, sentence] of [
      [copies, '1,5', 'bilangan bulat'],
      [copies, '1.001', '1.000'],
      [copies, '0', '1'],
      [first, '2,5', 'bilangan bulat'],
      [first, '25', '24'],
    ] as const) {
      await copies.fill('1')
      await first.fill('1')
      await field.fill(typed)
      await dialog.getByRole('button', { name: 'Buat PDF' }).click()
      expect([typed, await field.inputValue(), await refusal(field)]).toEqual([
        typed,
        typed,
        expect.stringContaining(sentence),
      ])
    }
    expect(requests).toEqual([])
    await first.fill('1')
    await copies.fill('1.000')
    const request = sent(page, 'pdf')
    await dialog.getByRole('button', { name: 'Buat PDF' }).click()
    expect(await request).toMatchObject({ status: 200, body: { items: [{ copies: 1_000 }], skip: 0 } })
  })

  it('are printed at a printer for the ordered units of a purchase order', async () => {
    const { page } = await visit(browser())
    await openOffice(page, `/pembelian?id=${orderId}`, 'PO-000001')
    await page.getByRole('button', { name: 'Cetak label' }).click()
    const dialog = page.getByRole('dialog', { name: 'Cetak label' })
    expect(await dialog.getByRole('radio', { name: 'Yang dipesan' }).isChecked()).toBe(true)
    await dialog.getByRole('radio', { name: 'Label rak' }).check()
    await dialog.getByRole('radio', { name: 'Printer struk' }).check()
    await dialog.getByLabel('Printer', { exact: true }).selectOption({ label: 'Kasir depan · Toko' })
    const request = sent(page, 'print')
    await dialog.getByRole('button', { name: 'Cetak', exact: true }).click()
    expect(await request).toMatchObject({
      status: 201,
      body: { purchaseOrderId: orderId, count: 'ORDERED', design: 'SHELF', printerId },
    })
    await dialog.getByText('2 pekerjaan cetak dikirim ke Kasir depan.').waitFor()
  })

  it('are made for a category or for what changed since a day; a refusal names what to do', async () => {
    const { page } = await visit(browser())
    await openOffice(page, '/produk', 'Produk')
    await page.getByRole('button', { name: 'Cetak label' }).click()
    const dialog = page.getByRole('dialog', { name: 'Cetak label' })
    await dialog.getByRole('radio', { name: 'Satu kategori' }).check()
    await dialog.getByLabel('Kategori', { exact: true }).selectOption({ label: 'Minuman' })
    await dialog.getByLabel('Label per barang').fill('2')
    const first = sent(page, 'pdf')
    await dialog.getByRole('button', { name: 'Buat PDF' }).click()
    expect(await first).toMatchObject({ status: 200, body: { copies: 2 } })
    await dialog.getByRole('radio', { name: 'Yang berubah' }).check()
    await dialog.getByLabel('Berubah sejak').fill('2099-01-01')
    await dialog.getByRole('button', { name: 'Buat PDF' }).click()
    await dialog.getByText('There are no goods to label; choose others').waitFor()
  })
})
