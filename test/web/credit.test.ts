import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { describeInChromium } from '../support/browser.ts'
import { makeCustomer, makeOutlet, makeProduct, openShift } from '../support/build.ts'
import { memberOf } from '../support/clients.ts'
import { done } from '../support/expect.ts'
import { button, openOffice, rowOf, table } from '../support/office-page.ts'
import {
  keepPage,
  lineState,
  list,
  openRegister,
  photograph,
  requireBuiltRegister,
  tile,
  visit,
} from '../support/register-page.ts'
import { acme, address, useService } from '../support/service.ts'

requireBuiltRegister()
useService()

let outletId = ''
let budi = ''

beforeAll(async () => {
  outletId = await makeOutlet(acme(), { name: 'Cikini' })
  await makeProduct(acme(), { name: 'Beras', trackStock: false, variants: [{ price: 20_000 }] })
  await makeCustomer(acme(), { name: 'Ani' })
})
beforeEach(async () => {
  budi = await makeCustomer(acme(), {
    name: `Budi ${Math.trunc(performance.now())}`,
    phone: '081234567890',
    creditLimit: 50_000,
  })
})

const customerOf = async (id: string) => done(await acme().get(`/customers/${id}`)).customer
const nameOf = async (id: string): Promise<string> => (await customerOf(id)).name

/** Puts goods into the cart, names the customer and opens the payment. */
async function begin(page: Page, name: string, quantity: number) {
  for (let count = 0; count < quantity; count += 1) await tile(page, 'Beras').click()
  await page.keyboard.press('F4')
  const dialog = page.getByRole('dialog', { name: 'Pelanggan' })
  await dialog.getByRole('textbox', { name: 'Nama atau telepon' }).fill(name)
  await dialog.getByRole('button', { name }).first().click()
  await page.getByRole('button', { name: /^Bayar/ }).click()
}
const credit = (page: Page) => page.getByRole('radio', { name: 'Kasbon' })

describeInChromium('customer credit at the register', (browser) => {
  it('is offered to a customer with a limit only, and sells with a due date', async () => {
    const { page, complaints } = await visit(browser())
    await openRegister(page)
    await begin(page, 'Ani', 1)
    await page.getByRole('radio', { name: 'Tunai' }).waitFor()
    expect(await credit(page).count()).toBe(0)
    await button(page, 'Kembali ke keranjang').click()
    await button(page, 'Kosongkan keranjang').click()
    await begin(page, await nameOf(budi), 2)
    await page.getByText('Sisa batas Rp 50.000 dari Rp 50.000').waitFor()
    await credit(page).check()
    await page.getByLabel('Jatuh tempo').fill('2026-12-31')
    await button(page, 'Selesai').click()
    await expect.poll(async () => (await customerOf(budi)).creditBalance).toBe(40_000)
    const { entries } = done(await acme().get(`/customers/${budi}/credit`))
    expect(entries).toMatchObject([{ type: 'CHARGE', amount: 40_000, dueDate: '2026-12-31' }])
    expect(complaints).toEqual([])
  })

  it('above the limit is refused with the sentence of the service, and the rest is paid in cash', async () => {
    const { page } = await visit(browser())
    await openRegister(page)
    await begin(page, await nameOf(budi), 3)
    await credit(page).check()
    await page.getByRole('alert').getByText('Batas tersisa Rp 50.000').waitFor()
    await button(page, 'Selesai').click()
    await page.getByRole('alert').getByText('Put at most 50000 on credit').waitFor()
    await button(page, 'Kasbon Rp 50.000').click()
    await button(page, 'Selesai').click()
    await page.getByRole('heading', { name: 'Sisa' }).waitFor()
    await page.getByRole('radio', { name: 'Tunai' }).check()
    await button(page, 'Selesai').click()
    await expect.poll(async () => (await customerOf(budi)).creditBalance).toBe(50_000)
    const [{ id }] = (await acme().get(`/sales?customerId=${budi}&limit=1`)).data
    expect(done(await acme().get(`/sales/${id}`)).sale.payments).toMatchObject([
      { method: 'CREDIT', amount: 50_000 },
      { method: 'CASH', amount: 10_000 },
    ])
  })

  it('that is refused for an open bill leaves a bill that is paid in cash without a conflict', async () => {
    const name = await nameOf(budi)
    const { page } = await visit(browser())
    await openRegister(page)
    await begin(page, name, 3)
    await button(page, 'Kembali ke keranjang').click()
    await button(page, 'Tahan').click()
    await page.getByRole('textbox', { name: 'Nama bon' }).fill(name)
    await button(page, 'Simpan bon').click()
    await button(page, /^Bon/).click()
    await list(page, 'Bon terbuka')
      .getByRole('button', { name: new RegExp(`^${name}`) })
      .click()
    await tile(page, 'Beras').click()
    await button(page, /^Bayar/).click()
    await credit(page).check()
    await button(page, 'Selesai').click()
    await page.getByRole('alert').getByText('Put at most 50000 on credit').waitFor()
    await page.getByRole('radio', { name: 'Tunai' }).check()
    await button(page, 'Selesai').click()
    await page.getByRole('status').filter({ hasText: 'Kembali' }).waitFor()
    const [{ id }] = (await acme().get(`/sales?customerId=${budi}&limit=1`)).data
    expect(done(await acme().get(`/sales/${id}`)).sale).toMatchObject({
      status: 'COMPLETED',
      total: 80_000,
      payments: [{ method: 'CASH', amount: 80_000 }],
    })
  })

  it('is what a refund gives back first: the till shows the lower debt, and no cash to hand out', async () => {
    const [{ variants }] = done(await acme().get('/products?q=Beras')).products
    const items = [{ variantId: variants[0].id, quantity: 2 }]
    const payments = [
      { method: 'CREDIT', amount: 30_000 },
      { method: 'CASH', amount: 10_000 },
    ]
    const { sale } = done(await acme().post('/sales', { outletId, customerId: budi, items, payments }))
    const { page, complaints } = await visit(browser(), { width: 390, height: 844 })
    await page.goto(`${address()}/penjualan?sale=${sale.id}`)
    const dialog = page.getByRole('dialog')
    await button(page, 'Void').click()
    await dialog.getByText('Kasbon: hutang dihapus').waitFor()
    await dialog.getByText('Rp 10.000').waitFor()
    expect(await dialog.getByRole('button', { name: 'Void', exact: true }).isDisabled()).toBe(true)
    await photograph(page, 'void-credit')
    await page.keyboard.press('Escape')
    await button(page, 'Refund').click()
    await dialog.getByText('Tekan Refund untuk melihat').waitFor()
    for (const units of [1, 2]) {
      await dialog.getByRole('button', { name: 'Lebihkan' }).click()
      await photograph(page, 'refund-credit')
      await dialog.getByRole('button', { name: 'Refund', exact: true }).click()
      // The debt of 30,000 is lowered before money is paid out.
      await dialog.getByText('Hutang kasbon berkurang').waitFor()
      await dialog
        .getByText(units === 1 ? 'Rp 20.000' : 'Rp 10.000')
        .first()
        .waitFor()
      expect(await dialog.getByText('Tunai dari laci').count()).toBe(units - 1)
      await photograph(page, `refund-credit-done-${units}`)
      await dialog.getByRole('button', { name: 'Selesai' }).click()
      if (units === 1) await button(page, 'Refund').click()
    }
    expect((await customerOf(budi)).creditBalance).toBe(0)
    expect(complaints).toEqual([])
  })

  it('is grey without a line and says why', async () => {
    const { page, context } = await visit(browser())
    await openRegister(page)
    await keepPage(page)
    await begin(page, await nameOf(budi), 1)
    await credit(page).waitFor()
    await context.setOffline(true)
    await page.getByText('Kasbon memerlukan koneksi').waitFor()
    expect(await credit(page).isDisabled()).toBe(true)
    await context.setOffline(false)
    await lineState(page, 'Daring').waitFor({ timeout: 60_000 })
    await expect.poll(() => credit(page).isDisabled()).toBe(false)
  })
})

/** A sale of 40,000 on credit that was due long ago. */
async function owe() {
  const [product] = done(await acme().get('/products?q=Beras')).products
  const items = [{ variantId: product.variants[0].id, quantity: 2 }]
  const payments = [{ method: 'CREDIT', amount: 40_000, dueDate: '2020-01-01' }]
  done(await acme().post('/sales', { outletId, customerId: budi, items, payments }))
}

describeInChromium('customer credit in the back office', (browser) => {
  it('has a limit that a manager sets and a cashier does not see', async () => {
    const { page } = await visit(browser())
    await openOffice(page, `/pelanggan?id=${budi}`, await nameOf(budi))
    await page.getByRole('textbox', { name: 'Batas kasbon' }).fill('75000')
    await button(page, 'Simpan').click()
    await expect.poll(async () => (await customerOf(budi)).creditLimit).toBe(75_000)
    const { cookie } = await memberOf(acme(), 'CASHIER', 'Dewi')
    const { page: other } = await visit(browser(), undefined, cookie)
    await openOffice(other, `/pelanggan?id=${budi}`, await nameOf(budi))
    await other.getByRole('textbox', { name: 'Nama pelanggan' }).waitFor()
    expect(await other.getByRole('textbox', { name: 'Batas kasbon' }).count()).toBe(0)
  })

  it('shows the statement, takes a payment once and counts it in the drawer', async () => {
    await owe()
    const manager = await memberOf(acme(), 'MANAGER', 'Sari')
    const shiftId = await openShift(manager.api, outletId)
    const { page } = await visit(browser(), undefined, manager.cookie)
    await openOffice(page, `/pelanggan?id=${budi}`, await nameOf(budi))
    const panel = page.getByRole('region', { name: 'Kasbon: Rp 40.000 dari Rp 50.000' })
    await panel.getByText('jatuh tempo 1 Jan 2020').waitFor()
    await panel.getByRole('button', { name: 'Terima pembayaran' }).click()
    const dialog = page.getByRole('dialog')
    const amount = dialog.getByRole('textbox', { name: 'Jumlah' })
    expect(await amount.inputValue()).toBe('40.000')
    await amount.fill('40001')
    await dialog.getByRole('button', { name: 'Terima pembayaran' }).click()
    await dialog.getByRole('alert').getByText('The customer owes 40000').waitFor()
    await amount.fill('15000')
    await dialog.getByRole('button', { name: 'Terima pembayaran' }).click()
    const paid = page.getByRole('region', { name: 'Kasbon: Rp 25.000 dari Rp 50.000' })
    await paid.getByText('Pembayaran · Tunai').waitFor()
    expect((await customerOf(budi)).creditBalance).toBe(25_000)
    const { summary } = done(await acme().get(`/shifts/${shiftId}`)).shift
    expect(summary.cash.creditPayments).toBe(15_000)
  })

  it('lists who owes by age, with a reminder that opens in WhatsApp', async () => {
    await owe()
    const name = await nameOf(budi)
    const { page } = await visit(browser())
    await openOffice(page, '/laporan?tab=receivables', 'Laporan')
    await table(page, 'Piutang').waitFor()
    await rowOf(page, name).getByText('40.000').first().waitFor()
    await button(page, `Ingatkan ${name}`).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/Rp 40\.000/).waitFor()
    const url = await dialog.getByRole('link', { name: 'Buka WhatsApp' }).getAttribute('href')
    expect(url).toMatch(/^https:\/\/wa\.me\/6281234567890\?text=/)
    await dialog.getByRole('button', { name: 'Tutup' }).click()
    await table(page, 'Piutang').getByRole('link', { name }).click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
  })
})
