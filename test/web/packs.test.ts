import { beforeAll, expect, it } from 'vitest'
import { describeInChromium } from '../support/browser.ts'
import { fresh, makeOutlet, makeProduct, openBill } from '../support/build.ts'
import { done } from '../support/expect.ts'
import { button, field, openOffice, save } from '../support/office-page.ts'
import {
  keepPage,
  lineState,
  list,
  openRegister,
  requireBuiltRegister,
  tile,
  visit,
} from '../support/register-page.ts'
import { scan } from '../support/scanner.ts'
import { acme, useService } from '../support/service.ts'

requireBuiltRegister()
useService()

const [FIRST, SECOND, STRIP] = ['8991000000011', '8991000000028', '8991000000035'] as const

let outletId = ''

beforeAll(async () => {
  outletId = await makeOutlet(acme(), { name: 'Cikini' })
})

const lastSale = async () => {
  const [{ id }] = (await acme().get('/sales?status=COMPLETED&limit=1')).data
  return done(await acme().get(`/sales/${id}`)).sale
}

describeInChromium('packs and several barcodes', (browser) => {
  it('are entered with the product, and a code that is taken is shown at its field', async () => {
    const { page } = await visit(browser())
    await openOffice(page, '/produk?id=new', 'Produk baru')
    await field(page, 'Nama produk').fill('Paracetamol')
    const row = page.getByRole('region', { name: 'Varian' }).getByRole('listitem').first()
    await row.getByLabel('Harga', { exact: true }).fill('1000')
    const codes = row.getByLabel('Barcode', { exact: true })
    await codes.fill(FIRST)
    await codes.press('Enter')
    await codes.pressSequentially(SECOND)
    await button(page, 'Tambah kemasan').click()
    await row.getByLabel('Nama kemasan').fill('Strip')
    await row.getByLabel('Isi').fill('10')
    await row.getByLabel('Barcode kemasan').fill(STRIP)
    await row.getByLabel('Harga kemasan').fill('9000')
    await save(page)
    const [product] = done(await acme().get('/products?q=Paracetamol')).products
    expect(product.variants[0]).toMatchObject({
      barcodes: [FIRST, SECOND],
      packs: [{ name: 'Strip', factor: 10, barcode: STRIP, price: 9_000 }],
    })
    await openOffice(page, '/produk?id=new', 'Produk baru')
    await field(page, 'Nama produk').fill('Ibuprofen')
    await row.getByLabel('Harga', { exact: true }).fill('2000')
    await button(page, 'Tambah kemasan').click()
    await row.getByLabel('Nama kemasan').fill('Dus')
    await row.getByLabel('Isi').fill('100')
    await row.getByLabel('Barcode kemasan').fill(STRIP)
    await button(page, 'Simpan').click()
    await expect.poll(() => row.getByLabel('Barcode kemasan').getAttribute('aria-invalid')).toBe('true')
    await row.getByLabel('Barcode kemasan').fill('8991000000042')
    await save(page)
    await openOffice(page, `/produk?id=${product.id}`, 'Paracetamol')
    await button(page, 'Hapus Strip').waitFor()
    await row.getByLabel('Harga kemasan').fill('')
    await save(page)
    const changed = done(await acme().get(`/products/${product.id}`)).product.variants[0]
    expect(changed).toMatchObject({ barcodes: [FIRST, SECOND], packs: [{ name: 'Strip', price: null }] })
    expect(changed.packs[0].id).toBe(product.variants[0].packs[0].id)
  })

  it('are sold by their barcodes and by a choice of units, with the line down too', async () => {
    const { page, context } = await visit(browser())
    await openRegister(page)
    await tile(page, 'Paracetamol').waitFor()
    await keepPage(page)
    await context.setOffline(true)
    await scan(page, SECOND)
    await scan(page, STRIP)
    await scan(page, STRIP)
    const cart = list(page, 'Keranjang')
    await cart.getByText('Strip').waitFor()
    expect(await cart.getByRole('listitem').count()).toBe(2)
    await page.getByRole('complementary', { name: 'Keranjang' }).getByText('Rp 21.000').first().waitFor()
    await cart.getByRole('listitem').first().getByRole('button', { name: 'Ubah' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: /^Strip/ }).check()
    await dialog.getByRole('button', { name: /^Simpan/ }).click()
    await page.getByRole('complementary', { name: 'Keranjang' }).getByText('Rp 30.000').first().waitFor()
    await page.getByRole('button', { name: /^Uang pas/ }).click()
    await page.getByRole('status').filter({ hasText: 'Kembali' }).waitFor()
    await context.setOffline(false)
    await lineState(page, 'Daring').waitFor({ timeout: 60_000 })
    const sale = await lastSale()
    expect(sale.total).toBe(30_000)
    expect(sale.items.map(({ quantity }: { quantity: number }) => quantity)).toEqual([1, 2])
    for (const item of sale.items)
      expect(item).toMatchObject({ unitPrice: 10_000, pack: { name: 'Strip', factor: 10 } })
  })

  it('stay packs in an open bill that is taken up again', async () => {
    const { page } = await visit(browser())
    await openRegister(page)
    await tile(page, 'Paracetamol').waitFor()
    await scan(page, STRIP)
    await page.getByRole('button', { name: /^Tahan/ }).click()
    await page.getByRole('textbox', { name: 'Nama bon' }).fill('Bu Sari')
    await page.getByRole('button', { name: 'Simpan bon' }).click()
    await page.getByText('Keranjang kosong').waitFor()
    await page.getByRole('button', { name: /^Bon/ }).click()
    await list(page, 'Bon terbuka')
      .getByRole('button', { name: /^Bu Sari/ })
      .click()
    await list(page, 'Keranjang').getByText('Strip').waitFor()
    await scan(page, STRIP)
    await page.getByRole('button', { name: /^Uang pas/ }).click()
    await page.getByRole('status').filter({ hasText: 'Kembali' }).waitFor()
    await lineState(page, 'Daring').waitFor()
    const { items } = await lastSale()
    expect(items.reduce((sum: number, item: { quantity: number }) => sum + item.quantity, 0)).toBe(2)
    for (const item of items) expect(item.pack).toMatchObject({ name: 'Strip', factor: 10 })
  })

  it('stay packs when their line is changed after the pack was removed', async () => {
    const packs = [{ name: 'Strip', factor: 10, price: 9_000 }]
    const product = await makeProduct(acme(), {
      name: fresh('Amoksisilin'),
      trackStock: false,
      variants: [{ price: 1_000, packs }],
    })
    const [{ id: variantId, packs: kept }] = product.variants
    const note = fresh('Pak Heru')
    const items = [{ variantId, packId: kept[0].id, quantity: 2 }]
    const bill = await openBill(acme(), { outletId, note, items })
    done(await acme().patch(`/products/${product.id}/variants/${variantId}`, { packs: [] }))
    const { page } = await visit(browser())
    await openRegister(page)
    await page.getByRole('button', { name: /^Bon/ }).click()
    await list(page, 'Bon terbuka')
      .getByRole('button', { name: new RegExp(`^${note}`) })
      .click()
    const cart = list(page, 'Keranjang')
    await cart.getByRole('button', { name: 'Ubah' }).click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByRole('radio', { name: /^Strip/ }).isChecked()).toBe(true)
    await dialog.getByRole('textbox', { name: 'Catatan' }).fill('resep')
    await dialog
      .getByRole('button', { name: /^Simpan/ })
      .getByText('Rp 18.000')
      .waitFor()
    await dialog.getByRole('button', { name: /^Simpan/ }).click()
    await cart.getByText('Strip · resep').waitFor()
    await page.getByRole('button', { name: /^Tahan/ }).click()
    await page.getByRole('button', { name: 'Simpan bon' }).click()
    await page.getByText('Keranjang kosong').waitFor()
    const stored = async () => done(await acme().get(`/sales/${bill.id}`)).sale.items
    await expect
      .poll(stored)
      .toMatchObject([{ quantity: 2, unitPrice: 9_000, note: 'resep', pack: { name: 'Strip', factor: 10 } }])
  })
})
