import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInChromium } from '../../support/browser.ts'
import { done } from '../../support/expect.ts'
import { button, field, openOffice, rowOf, save, table } from '../../support/office-page.ts'
import { paymentsAt, usePaymentShop } from '../../support/reference-payment.ts'
import { visit } from '../../support/register-page.ts'
import { acme, address } from '../../support/service.ts'

const partner = await usePaymentShop()

const dialog = (page: Page) => page.getByRole('dialog')
const confirm = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click()
const write = async (path: string, body: object) => done(await acme().post(`/payments${path}`, body))
const newPlan = (name: string) => write('/plans', { name, prices: [{ amount: 50_000, interval: 'month' }] })
const newSubscription = async (name: string) => {
  const plan = await newPlan(`Paket ${name}`)
  const customer = await write('/customers', { name })
  return write('/subscriptions', { customerId: customer.id, priceId: plan.prices[0].id })
}

describeInChromium('the subscription pages', (browser) => {
  it('lead from a plan and a customer to a subscription, its invoice and the link that pays it', async () => {
    const { page } = await visit(browser())
    await openOffice(page, '/pembayaran?tab=plans', 'Paket langganan')
    await button(page, 'Paket langganan baru').first().click()
    await field(page, 'Nama paket').fill('Kopi harian')
    await page.getByLabel('Harga').fill('450000')
    await save(page)
    await rowOf(page, 'Kopi harian').getByText('Rp 450.000 per bulan').waitFor()
    await page
      .getByRole('navigation', { name: 'Pembayaran' })
      .getByRole('link', { name: 'Pelanggan' })
      .click()
    await button(page, 'Pelanggan tagihan baru').first().click()
    await field(page, 'Nama pelanggan').fill('PT Maju')
    await field(page, 'E-mail').fill('keuangan@example.com')
    await save(page)
    await page.getByRole('link', { name: 'Langganan', exact: true }).click()
    await button(page, 'Langganan baru').first().click()
    await page.getByLabel('Pelanggan').selectOption({ label: 'PT Maju' })
    await page.getByLabel('Paket dan harga').selectOption({ label: 'Kopi harian · Rp 450.000 per bulan' })
    await button(page, 'Mulai langganan').click()
    await page.getByRole('link', { name: 'Buka tagihan' }).click()
    await page.getByRole('list', { name: 'Rincian' }).getByText('Kopi harian').waitFor()
    await button(page, 'Buat tautan bayar').click()
    await confirm(page, 'Buat tautan bayar')
    await button(page, 'Tandai lunas').click()
    await confirm(page, 'Tandai lunas')
    await page.getByText('Lunas', { exact: true }).waitFor()
    expect((await paymentsAt('/invoices'))[0]).toMatchObject({ total: 450_000, status: 'paid' })
  })

  it('offer other prices of a plan, stop offering one, and keep a plan that has subscriptions', async () => {
    const subscription = await newSubscription('Bu Tini')
    const { page } = await visit(browser())
    await openOffice(page, '/pembayaran?tab=plans', 'Paket langganan')
    await table(page, 'Paket langganan').getByRole('link', { name: 'Paket Bu Tini' }).click()
    await button(page, 'Tambah harga').click()
    await dialog(page).getByLabel('Harga').fill('500000')
    await dialog(page).getByRole('radio', { name: 'Tahun' }).check()
    await confirm(page, 'Tambah harga')
    const prices = page.getByRole('list', { name: 'Daftar harga' })
    await prices.getByText('Rp 500.000 per tahun').waitFor()
    await prices.getByRole('listitem').filter({ hasText: 'per bulan' }).getByRole('button').click()
    await confirm(page, 'Hentikan')
    await prices.getByText('Tidak ditawarkan').waitFor()
    await button(page, 'Hapus').click()
    await confirm(page, 'Hapus')
    await dialog(page).getByRole('alert').waitFor()
    await dialog(page).getByRole('button', { name: 'Tutup' }).click()
    await page.getByLabel('Tawarkan paket ini').uncheck()
    await save(page)
    await rowOf(page, 'Paket Bu Tini').getByText('Tidak ditawarkan').waitFor()
    expect(await paymentsAt(`/subscriptions/${subscription.id}`)).toMatchObject({ status: 'active' })
  })

  it('change the price of a subscription, end it with its period, resume it and end it now', async () => {
    const yearly = await write('/plans', {
      name: 'Tahunan',
      prices: [{ amount: 900_000, interval: 'year' }],
    })
    const { id } = await newSubscription('Pak Joko')
    const current = () => paymentsAt(`/subscriptions/${id}`)
    const { page } = await visit(browser())
    await page.goto(`${address()}/pembayaran?tab=subscriptions&id=${id}`)
    await button(page, 'Ganti harga').click()
    await dialog(page).getByLabel('Paket dan harga').selectOption({ label: 'Tahunan · Rp 900.000 per tahun' })
    await confirm(page, 'Ganti harga')
    await expect.poll(async () => (await current()).priceId).toBe(yearly.prices[0].id)
    await button(page, 'Akhiri langganan').click()
    await dialog(page)
      .getByText(/^Langganan berjalan sampai/)
      .waitFor()
    await confirm(page, 'Akhiri langganan')
    await page.getByText('tidak diperpanjang').waitFor()
    await button(page, 'Lanjutkan').click()
    await confirm(page, 'Lanjutkan')
    await page.getByText('tidak diperpanjang').waitFor({ state: 'detached' })
    await button(page, 'Akhiri langganan').click()
    await dialog(page).getByRole('radio', { name: 'Sekarang juga' }).check()
    await dialog(page).getByText('Uang yang sudah dibayar tidak dikembalikan').waitFor()
    await confirm(page, 'Akhiri langganan')
    await page.getByText('Dibatalkan', { exact: true }).waitFor()
    expect(await current()).toMatchObject({ status: 'canceled' })
    await page.getByRole('link', { name: 'Buka tagihan' }).click()
    await page.getByText('Tidak berlaku', { exact: true }).waitFor()
  })

  it('list invoices by state, save one as PDF and all as CSV', async () => {
    await newSubscription('Bu Wati')
    const { page } = await visit(browser())
    await openOffice(page, '/pembayaran?tab=invoices', 'Tagihan')
    await page.getByLabel('Status').selectOption({ label: 'Belum dibayar' })
    await rowOf(page, 'Bu Wati').waitFor()
    const [csv] = await Promise.all([page.waitForEvent('download'), button(page, 'Unduh CSV').click()])
    expect(csv.suggestedFilename()).toBe('invoices.csv')
    await table(page, 'Tagihan')
      .getByRole('link', { name: /Bu Wati/ })
      .click()
    const [pdf] = await Promise.all([page.waitForEvent('download'), button(page, 'Unduh PDF').click()])
    expect(pdf.suggestedFilename()).toMatch(/^INV-.*\.pdf$/)
  })

  it('refuse an e-mail address at its field, and start one subscription although an answer was lost', async () => {
    const plan = await newPlan('Roti pagi')
    const { page } = await visit(browser())
    await openOffice(page, '/pembayaran?tab=customers&id=new', 'Pelanggan tagihan baru')
    await field(page, 'Nama pelanggan').fill('Toko Roti')
    await field(page, 'E-mail').fill('roti@localhost')
    await field(page, 'Telepon').fill('1')
    await button(page, 'Simpan').click()
    const refused = page.locator('input[aria-invalid="true"]')
    await refused.first().waitFor()
    await field(page, 'E-mail').fill('roti@example.com')
    await field(page, 'Telepon').fill('0812345678')
    await save(page)
    await openOffice(page, '/pembayaran?tab=subscriptions&id=new', 'Langganan baru')
    await page.getByLabel('Pelanggan').selectOption({ label: 'Toko Roti' })
    await page.getByLabel('Paket dan harga').selectOption(plan.prices[0].id)
    partner.fail('lost')
    await button(page, 'Mulai langganan').click()
    await page.getByRole('alert').waitFor()
    partner.fail(null)
    await expect
      .poll(async () => {
        if (await button(page, 'Mulai langganan').isVisible()) await button(page, 'Mulai langganan').click()
        return page.getByRole('heading', { name: 'Toko Roti' }).count()
      })
      .toBe(1)
    const { customerId } = (await paymentsAt('/subscriptions'))[0]
    expect(await paymentsAt(`/subscriptions?customerId=${customerId}`)).toHaveLength(1)
  })
})
