import type { Page } from 'playwright-core'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { describeInChromium } from '../support/browser.ts'
import { fresh, makeOutlet, makeProduct } from '../support/build.ts'
import { done } from '../support/expect.ts'
import {
  holdAnswer,
  lineState,
  list,
  openRegister,
  requireBuiltRegister,
  tile,
  visit,
} from '../support/register-page.ts'
import { acme, useService } from '../support/service.ts'

requireBuiltRegister()
useService()

let outletId = ''

beforeAll(async () => {
  outletId = await makeOutlet(acme(), { name: 'Cikini' })
  await makeProduct(acme(), { name: 'Es Teh', trackStock: false, variants: [{ price: 10_000 }] })
  await makeProduct(acme(), { name: 'Roti Bakar', trackStock: false, variants: [{ price: 15_000 }] })
})

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const change = (page: Page) => page.getByRole('status').filter({ hasText: 'Kembali' })
const sales = async () => (await acme().get(`/sales?outletId=${outletId}&limit=100`)).data

/** The newest sale, once this device has sent all of its own. */
async function lastSale(page: Page) {
  await lineState(page, 'Daring').waitFor()
  return done(await acme().get(`/sales/${(await sales())[0].id}`)).sale
}

/** Opens and closes a dialog, so that the page has drawn what it knows. */
async function lookAround(page: Page) {
  await page.keyboard.press('F4')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

describeInChromium('a late answer', (browser) => {
  it('of a sale is waited for on a page that was left and opened again', async () => {
    done(await acme().put('/settings', { negativeStock: 'BLOCK' }))
    onTestFinished(async () => void done(await acme().put('/settings', { negativeStock: 'ALLOW' })))
    const { page } = await visit(browser())
    await openRegister(page)
    const before = (await sales()).length
    const late = await holdAnswer(page, '**/api/v1/sales')
    await tile(page, 'Es Teh').click()
    await button(page, 'Uang pas').click()
    await late.reached
    await page.getByRole('link', { name: 'Shift' }).click()
    await page.getByRole('heading', { name: 'Shift' }).waitFor()
    await page.getByRole('link', { name: 'Jual', exact: true }).click()
    await list(page, 'Keranjang').getByText('Es Teh').waitFor()
    await lookAround(page)
    expect(await button(page, 'Simpan di Bon, layani berikutnya').count()).toBe(0)
    await late.release()
    await change(page).waitFor()
    expect((await sales()).length).toBe(before + 1)
  }, 60_000)

  it('of a new customer leaves the next sale without that customer', async () => {
    const { page } = await visit(browser())
    await openRegister(page)
    await tile(page, 'Es Teh').click()
    const late = await holdAnswer(page, '**/api/v1/customers')
    await page.keyboard.press('F4')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Nama atau telepon' }).fill('Wati Lambat')
    await dialog.getByRole('button', { name: 'Simpan pelanggan' }).click()
    await late.reached
    await page.keyboard.press('Escape')
    await button(page, 'Uang pas').click()
    await change(page).waitFor()
    await tile(page, 'Roti Bakar').click()
    await page.keyboard.press('F4')
    await dialog.waitFor()
    await late.release()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await button(page, 'Uang pas').click()
    await change(page).waitFor()
    expect(await lastSale(page)).toMatchObject({ total: 15_000, customer: null })
  }, 60_000)

  /** A cart whose customer was entered without an answer, and that answer of the next try, held back. */
  const enterCustomer = async (page: Page) => {
    await openRegister(page)
    await tile(page, 'Es Teh').click()
    await page.route('**/api/v1/customers', (route) => route.abort('connectionreset'))
    await page.keyboard.press('F4')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Nama atau telepon' }).fill(fresh('Tuti'))
    await dialog.getByRole('button', { name: 'Simpan pelanggan' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.unroute('**/api/v1/customers')
    await lineState(page, 'Daring').waitFor()
    return holdAnswer(page, '**/api/v1/customers')
  }
  /** Serves the next customer while the answer is on its way, and returns that sale. */
  const sellNext = async (page: Page, late: Awaited<ReturnType<typeof holdAnswer>>) => {
    await late.reached
    await page.keyboard.press('Escape')
    await button(page, 'Kosongkan keranjang').click()
    await tile(page, 'Roti Bakar').click()
    await late.release()
    await lookAround(page)
    await button(page, 'Uang pas').click()
    await change(page).waitFor()
    return lastSale(page)
  }

  it('of the customer of a bill leaves the next cart without that customer', async () => {
    const { page } = await visit(browser())
    const late = await enterCustomer(page)
    await button(page, 'Tahan').click()
    await button(page, 'Simpan bon').click()
    expect(await sellNext(page, late)).toMatchObject({ total: 15_000, customer: null })
  }, 60_000)

  it('of the customer of a cart with a voucher code writes no bill of the next cart', async () => {
    const { page } = await visit(browser())
    const late = await enterCustomer(page)
    await button(page, 'Diskon').click()
    await page.getByRole('textbox', { name: 'Kode voucher' }).fill('HEMAT')
    await button(page, 'Pakai').click()
    let writes = 0
    page.on('request', (request) => {
      writes += Number(/\/api\/v1\/sales\b/.test(request.url()) && request.method() === 'POST')
    })
    expect(await sellNext(page, late)).toMatchObject({ total: 15_000, customer: null })
    expect(writes).toBe(1)
  }, 60_000)

  it('of an older read leaves the newer price of the shop', async () => {
    const name = `Kopi ${Math.trunc(performance.now())}`
    const { id, variants } = await makeProduct(acme(), {
      name,
      trackStock: false,
      variants: [{ price: 10_000 }],
    })
    const { page } = await visit(browser())
    const late = await holdAnswer(page, '**/api/v1/products?*', 'GET')
    const opening = openRegister(page)
    await late.reached
    done(await acme().patch(`/products/${id}/variants/${variants[0].id}`, { price: 12_000 }))
    const shown = () => tile(page, name).innerText()
    await page.evaluate("window.dispatchEvent(new Event('online'))")
    await opening
    await expect.poll(shown).toContain('12.000')
    await late.release()
    await lookAround(page)
    expect(await shown()).toContain('12.000')
  }, 60_000)
})

describeInChromium('a sale that is refused after a part was paid', (browser) => {
  it('comes back with what was paid', async () => {
    const { page } = await visit(browser())
    await openRegister(page)
    await tile(page, 'Es Teh').click()
    await button(page, /^Bayar/).click()
    await page.getByRole('textbox', { name: 'Diterima' }).fill('6000')
    await button(page, 'Tambah pembayaran').click()
    await page.getByRole('heading', { name: 'Sisa' }).waitFor()
    await page.route('**/api/v1/sales', (route) =>
      route.fulfill({
        status: 422,
        json: {
          data: null,
          error: { code: 'VALIDATION_FAILED', message: 'The pack was removed' },
          meta: { requestId: 'req_pack', timestamp: '2026-11-26T03:00:00.000Z' },
        },
      }),
    )
    await page.getByRole('radio', { name: 'QRIS' }).check()
    await button(page, 'Selesai').click()
    await page.getByRole('alert').getByText('The pack was removed').waitFor()
    await page.unroute('**/api/v1/sales')
    await page.getByRole('heading', { name: 'Sisa' }).waitFor()
    await page.getByRole('radio', { name: 'QRIS' }).check()
    await button(page, 'Selesai').click()
    await change(page).waitFor()
    expect((await lastSale(page)).payments).toMatchObject([
      { method: 'CASH', amount: 6_000 },
      { method: 'QRIS', amount: 4_000 },
    ])
  }, 60_000)
})

describeInChromium('a bill with new goods that is split', (browser) => {
  it('is written once, also if the line fails while the goods are chosen', async () => {
    const name = `Teras ${Math.trunc(performance.now())}`
    const { page } = await visit(browser())
    await openRegister(page)
    await tile(page, 'Es Teh').click()
    await button(page, 'Tahan').click()
    await page.getByRole('textbox', { name: 'Nama bon' }).fill(name)
    await button(page, 'Simpan bon').click()
    await page.getByText('Keranjang kosong').waitFor()
    await button(page, /^Bon/).click()
    await list(page, 'Bon terbuka')
      .getByRole('button', { name: new RegExp(`^${name}`) })
      .click()
    await list(page, 'Keranjang').getByText('Es Teh').waitFor()
    await tile(page, 'Roti Bakar').click()
    const writes: string[] = []
    page.on('request', (request) => {
      if (request.method() !== 'GET' && request.url().includes('/items')) writes.push(request.url())
    })
    await button(page, 'Pisah').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Roti Bakar').waitFor()
    const down = /\/(?:settings|health)$/
    await page.route(down, (route) => route.abort('connectionreset'))
    await page.evaluate("window.dispatchEvent(new Event('online'))")
    await page.getByText(/^Luring/).waitFor()
    await page.unroute(down)
    await page.getByText('Daring', { exact: true }).waitFor()
    await dialog
      .getByRole('button', { name: /^Lebihkan/ })
      .last()
      .click()
    await dialog.getByRole('button', { name: 'Pisah ke bon baru' }).click()
    await dialog.waitFor({ state: 'detached' })
    await list(page, 'Keranjang').getByText('Roti Bakar').waitFor()
    expect(writes).toHaveLength(1)
  }, 60_000)
})
