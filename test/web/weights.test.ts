import { beforeAll, expect, it } from 'vitest'
import { describeInChromium } from '../support/browser.ts'
import { makeOutlet } from '../support/build.ts'
import { done } from '../support/expect.ts'
import { button, openOffice } from '../support/office-page.ts'
import { list, openRegister, requireBuiltRegister, tile, visit } from '../support/register-page.ts'
import { acme, useService } from '../support/service.ts'

requireBuiltRegister()
useService()

beforeAll(async () => {
  await makeOutlet(acme(), { name: 'Cikini' })
  done(
    await acme().post('/products', {
      name: 'Jeruk Medan',
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

  it('do not make a page empty whose address names a tab that does not exist', async () => {
    const { page } = await visit(browser())
    await openOffice(page, '/produk?tab=no-such-tab', 'Produk')
  })
})
