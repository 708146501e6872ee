import { beforeAll, expect, it } from 'vitest'
import { describeInChromium } from '../support/browser.ts'
import { makeOutlet, stock } from '../support/build.ts'
import { done } from '../support/expect.ts'
import { button, openOffice, table } from '../support/office-page.ts'
import { list, openRegister, requireBuiltRegister, tile, visit } from '../support/register-page.ts'
import { acme, address, useService } from '../support/service.ts'

requireBuiltRegister()
useService()

beforeAll(async () => {
  await makeOutlet(acme(), { name: 'Cikini' })
  done(
    await acme().post('/products', {
      name: 'Jeruk Medan',
      trackStock: false,
      variants: [{ price: 24_000, soldBy: 'WEIGHT' }],
    }),
  )
})

describeInChromium('goods sold by weight', (browser) => {
  it('are sold by the grams that the cashier types, at the price for a kilogram, never as one gram', async () => {
    const { page } = await visit(browser(), { width: 390, height: 844 })
    await openRegister(page)
    await tile(page, 'Jeruk Medan').getByText('24.000/kg').waitFor()
    await tile(page, 'Jeruk Medan').click()
    const add = page.getByRole('dialog').getByRole('button', { name: /^Tambah/ })
    await expect.poll(() => add.isDisabled()).toBe(true)
    await page.getByLabel('Berat dalam gram').fill('750')
    await add.getByText('Rp 18.000').waitFor()
    await add.click()
    await page.getByRole('button', { name: /^Keranjang/ }).click()
    await list(page, 'Keranjang').getByText('0,750 kg').first().waitFor()
    await page
      .getByRole('button', { name: /^Bayar/ })
      .last()
      .click()
    await button(page, 'Selesai').click()
    await expect.poll(async () => (await acme().get('/sales?status=COMPLETED')).data.length).toBe(1)
    const [{ id }] = (await acme().get('/sales?status=COMPLETED')).data
    expect(done(await acme().get(`/sales/${id}`)).sale).toMatchObject({
      subtotal: 18_000,
      items: [{ quantity: 750, soldBy: 'WEIGHT', unitPrice: 24_000 }],
    })
  }, 60_000)

  it('show grams and kilograms on the boards and in the stock value, whose total never adds grams and units', async () => {
    const shop = acme()
    const [{ id: outletId }] = done(await shop.get('/outlets')).outlets
    const make = async (name: string, fields: object) =>
      done(await shop.post('/products', { name, variants: [{ cost: 10_000, price: 20_000, ...fields }] }))
        .product.variants[0].id
    const fish = await make('Ikan Gurame', { soldBy: 'WEIGHT' })
    const rice = await make('Nasi Putih', {})
    await stock(shop, outletId, fish, 3_000)
    await stock(shop, outletId, rice, 12)
    const items = [
      { variantId: fish, quantity: 750 },
      { variantId: fish, quantity: 1_250, note: 'bakar' },
      { variantId: rice, quantity: 2 },
    ]
    const { sale } = done(
      await shop.post('/sales', { outletId, orderType: 'TAKEAWAY', items, status: 'COMPLETED' }),
    )
    const { page } = await visit(browser())
    await page.goto(`${address()}/dapur`)
    for (const text of ['750 g Ikan Gurame', '1,25 kg Ikan Gurame', '2 Nasi Putih'])
      await page.getByRole('button', { name: new RegExp(text) }).waitFor()
    for (const _ of ['PREPARING', 'READY']) done(await shop.post(`/kds/${sale.id}/advance`))
    await page.goto(`${address()}/saji`)
    await page.getByRole('button', { name: /1,25 kg Ikan Gurame/ }).waitFor()
    await openOffice(page, '/laporan?tab=value', 'Laporan')
    const value = table(page, 'Nilai stok')
    await value
      .getByRole('row', { name: /Ikan Gurame/ })
      .getByText('1 kg', { exact: true })
      .waitFor()
    await value
      .getByRole('row', { name: /^Total/ })
      .getByText('10 + 1 kg', { exact: true })
      .waitFor()
  }, 60_000)

  it('do not make a page empty whose address names a tab that does not exist', async () => {
    const { page } = await visit(browser())
    await openOffice(page, '/produk?tab=no-such-tab', 'Produk')
  })
})
