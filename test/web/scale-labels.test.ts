import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { scaleLabel } from '../support/barcodes.ts'
import { describeInChromium } from '../support/browser.ts'
import { makeModifier, makeModifierGroup, makeOutlet, makeProduct } from '../support/build.ts'
import { done } from '../support/expect.ts'
import {
  keepPage,
  lineState,
  list,
  openRegister,
  requireBuiltRegister,
  visit,
} from '../support/register-page.ts'
import { scan } from '../support/scanner.ts'
import { acme, useService } from '../support/service.ts'

requireBuiltRegister()
useService()

const [BY_WEIGHT, BY_PRICE] = ['21', '22'] as const

beforeAll(async () => {
  await makeOutlet(acme(), { name: 'Cikini' })
  done(
    await acme().put('/settings', {
      scaleBarcodes: [
        { prefix: BY_WEIGHT, itemDigits: 5, valueDigits: 5, value: 'WEIGHT' },
        { prefix: BY_PRICE, itemDigits: 5, valueDigits: 5, value: 'PRICE' },
      ],
    }),
  )
  const weighed = (name: string, fields: object, more: object = {}) =>
    makeProduct(acme(), { name, trackStock: false, variants: [{ soldBy: 'WEIGHT', ...fields }], ...more })
  await weighed('Apel Fuji', { price: 32_000, barcodes: ['00123'] })
  await weighed('Daging Sapi', { price: 130_000, sku: '00456' })
  await weighed('Salmon', { price: 0, sku: '00789' })
  // Goods sold by the unit are never the goods of a label, even under the same code.
  await makeProduct(acme(), {
    name: 'Buku',
    trackStock: false,
    variants: [{ price: 5_000, barcodes: ['00456'] }],
  })
  const cut = await makeModifierGroup(acme(), { name: 'Potongan', minSelect: 1, maxSelect: 1 })
  await makeModifier(acme(), cut, { name: 'Dadu', price: 0 })
  await makeModifier(acme(), cut, { name: 'Giling', price: 2_000 })
  const chicken = await weighed('Ayam', { price: 40_000, sku: '00321' })
  done(await acme().put(`/modifiers/product/${chicken.id}`, { groupIds: [cut] }))
})

const cart = (page: Page) => list(page, 'Keranjang').getByRole('listitem')
const pay = async (page: Page) => {
  await page.getByRole('button', { name: /^Uang pas/ }).click()
  await page.getByRole('status').filter({ hasText: 'Kembali' }).waitFor()
}
const completed = async () => (await acme().get('/sales?status=COMPLETED&limit=20')).data
const lastSale = async () => done(await acme().get(`/sales/${(await completed())[0].id}`)).sale
const search = (page: Page) => page.getByRole('searchbox')

describeInChromium('labels of a scale', (browser) => {
  it('sell the grams or the price that they print, each pack as a line of its own', async () => {
    const { page } = await visit(browser())
    await openRegister(page)
    await scan(page, scaleLabel(BY_WEIGHT, '00123', 750))
    await cart(page).filter({ hasText: '0,750 kg' }).getByText('24.000', { exact: true }).waitFor()
    await scan(page, scaleLabel(BY_PRICE, '00456', 65_500))
    await cart(page).filter({ hasText: 'Daging Sapi' }).getByText('65.500', { exact: true }).waitFor()
    // The same label again is another pack. It is typed this time, because the scanner cannot read it.
    await search(page).fill(scaleLabel(BY_WEIGHT, '00123', 750))
    await search(page).press('Enter')
    await expect.poll(() => cart(page).count()).toBe(3)
    expect(await search(page).inputValue()).toBe('')
    await pay(page)
    await expect.poll(async () => (await completed()).length).toBe(1)
    expect(await lastSale()).toMatchObject({
      total: 113_500,
      items: [
        { productName: 'Apel Fuji', quantity: 750, unitPrice: 32_000, labelPrice: null, lineTotal: 24_000 },
        // 65.500 at 130.000 a kilogram are 503,8 grams.
        {
          productName: 'Daging Sapi',
          quantity: 504,
          unitPrice: 130_000,
          labelPrice: 65_500,
          lineTotal: 65_500,
        },
        { productName: 'Apel Fuji', quantity: 750, lineTotal: 24_000 },
      ],
    })
  }, 60_000)

  it('sell with the line down, and the service records what was printed', async () => {
    const before = (await completed()).length
    const { page, context } = await visit(browser())
    await openRegister(page)
    await keepPage(page)
    await context.setOffline(true)
    await search(page).fill('2*')
    await scan(page, scaleLabel(BY_PRICE, '00456', 65_500))
    await scan(page, scaleLabel(BY_WEIGHT, '00123', 125))
    await expect.poll(() => cart(page).count()).toBe(3)
    await pay(page)
    await lineState(page, 'Luring · 1 antre').waitFor()
    await context.setOffline(false)
    await lineState(page, 'Daring').waitFor()
    await expect.poll(async () => (await completed()).length).toBe(before + 1)
    expect(await lastSale()).toMatchObject({
      total: 135_000,
      offline: { ref: expect.any(String) },
      items: [
        { quantity: 504, labelPrice: 65_500 },
        { quantity: 504, labelPrice: 65_500 },
        { quantity: 125, labelPrice: null },
      ],
    })
  }, 90_000)

  it('that sell nothing say why, and add nothing to the cart', async () => {
    const { page } = await visit(browser())
    await openRegister(page)
    const alert = (text: string | RegExp) => page.getByRole('alert').filter({ hasText: text })
    await scan(page, scaleLabel(BY_WEIGHT, '00123', 0))
    await alert('Label Apel Fuji tidak berisi berat').waitFor()
    await scan(page, scaleLabel(BY_PRICE, '00789', 12_000))
    await alert('Salmon belum punya harga per kilogram').waitFor()
    await scan(page, scaleLabel(BY_WEIGHT, '00999', 500))
    await alert('barang timbang dengan kode 00999').waitFor()
    const code = scaleLabel(BY_WEIGHT, '00123', 500)
    await scan(page, `${code.slice(0, -1)}${(Number(code.at(-1)) + 1) % 10}`)
    await alert('belum terdaftar').waitFor()
    await page.getByText('Keranjang kosong').waitFor()
    await scan(page, code)
    await expect.poll(() => cart(page).count()).toBe(1)
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
  }, 60_000)

  it('ask for the modifiers that their goods need, and keep the printed price unless one costs more', async () => {
    const { page } = await visit(browser())
    await openRegister(page)
    const dialog = page.getByRole('dialog')
    const add = dialog.getByRole('button', { name: /^Tambah/ })
    await scan(page, scaleLabel(BY_PRICE, '00321', 30_010))
    expect(await dialog.getByLabel('Berat dalam gram').inputValue()).toBe('750')
    await dialog.getByRole('radio', { name: 'Dadu' }).check()
    await add.getByText('Rp 30.010').waitFor()
    await add.click()
    await scan(page, scaleLabel(BY_PRICE, '00321', 30_010))
    await dialog.getByRole('radio', { name: 'Giling' }).check()
    await add.getByText('Rp 32.000').waitFor()
    await add.click()
    await pay(page)
    await expect
      .poll(async () => (await lastSale()).items)
      .toMatchObject([
        { productName: 'Ayam', quantity: 750, labelPrice: 30_010, lineTotal: 30_010 },
        { productName: 'Ayam', quantity: 750, labelPrice: null, lineTotal: 32_000 },
      ])
  }, 60_000)

  it('lose their price on an open bill when the cashier corrects the weight', async () => {
    const { page } = await visit(browser())
    await openRegister(page)
    await scan(page, scaleLabel(BY_PRICE, '00456', 65_500))
    await page.getByRole('button', { name: /^Tahan/ }).click()
    await page.getByRole('textbox', { name: 'Nama bon' }).fill('Bu Ani')
    await page.getByRole('button', { name: 'Simpan bon' }).click()
    await page.getByText('Keranjang kosong').waitFor()
    await page.getByRole('button', { name: /^Bon/ }).click()
    await list(page, 'Bon terbuka')
      .getByRole('button', { name: /^Bu Ani/ })
      .first()
      .click()
    await cart(page).getByText('65.500', { exact: true }).waitFor()
    await cart(page).getByRole('button', { name: 'Ubah' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Berat dalam gram').fill('500')
    await dialog
      .getByRole('button', { name: /^Simpan/ })
      .getByText('Rp 65.000')
      .waitFor()
    await dialog.getByRole('button', { name: /^Simpan/ }).click()
    await pay(page)
    await expect
      .poll(async () => (await lastSale()).items)
      .toMatchObject([{ productName: 'Daging Sapi', quantity: 500, labelPrice: null, lineTotal: 65_000 }])
  }, 60_000)
})
