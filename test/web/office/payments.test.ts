import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { confirmPayment } from '../../../src/areas/selling/sales/index.ts'
import { inTx } from '../../../src/platform/db/open.ts'
import { describeInChromium } from '../../support/browser.ts'
import { makeOutlet } from '../../support/build.ts'
import { memberOf, scopeOf } from '../../support/clients.ts'
import { done, saleOf } from '../../support/expect.ts'
import { button, field, openOffice, rowOf, save, table } from '../../support/office-page.ts'
import { paymentsAt, usePaymentShop } from '../../support/reference-payment.ts'
import { DESKTOP, visit } from '../../support/register-page.ts'
import { acme, address, deps, workspace } from '../../support/service.ts'

const partner = await usePaymentShop()

const dialog = (page: Page) => page.getByRole('dialog')
const alert = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })

/** A payment of the amount, whose fee of 0.7% the partner keeps. */
async function paid(amount: number, description: string) {
  const session = done(
    await acme().post('/payments/checkout-sessions', { amount, method: 'qris', description }),
  )
  return done(await acme().post(`/payments/checkout-sessions/${session.id}/confirm`, {}))
}

/** Saves the file of a button and returns its beginning. */
async function downloaded(page: Page, name: string) {
  const [file] = await Promise.all([page.waitForEvent('download'), button(page, name).click()])
  const chunks: Buffer[] = []
  for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer)
  return { name: file.suggestedFilename(), text: Buffer.concat(chunks).toString('latin1') }
}

describeInChromium('the payment pages', (browser) => {
  it('create a payment link, hand it over as QR code and message, and see it paid', async () => {
    const { page } = await visit(browser())
    await openOffice(page, '/pembayaran?tab=links', 'Tautan bayar')
    await button(page, 'Tautan baru').first().click()
    await page.getByLabel('Jumlah').fill('75000')
    await page.getByLabel('Cara bayar').selectOption('qris')
    await page.getByLabel('Masa berlaku').selectOption({ label: '7 hari' })
    await field(page, 'Keterangan').fill('Katering Jumat')
    await button(page, 'Buat tautan').click()
    await page.getByRole('img', { name: 'Kode QRIS' }).waitFor()
    const [session] = await paymentsAt('/checkout-sessions?status=open')
    expect(session).toMatchObject({ amount: 75_000, method: 'qris', description: 'Katering Jumat' })
    const lifetimeMs = Date.parse(session.expiresAt) - Date.parse(session.createdAt)
    expect(lifetimeMs).toBe(7 * 86_400_000)
    const message = await page.getByRole('link', { name: 'Kirim lewat WhatsApp' }).getAttribute('href')
    expect(message).toContain(encodeURIComponent(session.hostedUrl))
    // The payer pays elsewhere; the page sees it by itself.
    await acme().post(`/payments/checkout-sessions/${session.id}/confirm`, {})
    await page.getByText('Lunas', { exact: true }).waitFor()
    await button(page, 'Kembali ke daftar').click()
    await rowOf(page, 'Katering Jumat').getByText('Lunas').waitFor()
    await page.getByLabel('Status').selectOption({ label: 'Kedaluwarsa' })
    await page.getByText('Tidak ada yang cocok').waitFor()
  })

  it('show the refusal of the partner at the amount that it concerns', async () => {
    const { page } = await visit(browser())
    await openOffice(page, '/pembayaran?tab=links&id=new', 'Tautan baru')
    await page.getByLabel('Jumlah').fill('5000')
    await page.getByLabel('Cara bayar').selectOption('va')
    await button(page, 'Buat tautan').click()
    const amount = page.getByLabel('Jumlah')
    await expect.poll(() => amount.getAttribute('aria-invalid')).toBe('true')
    await amount.fill('25000')
    await button(page, 'Buat tautan').click()
    await page.getByText(/^BNI 98880/).waitFor()
    await button(page, 'Tandai lunas').click()
    await dialog(page).getByRole('button', { name: 'Tandai lunas' }).click()
    await page.getByText('Lunas', { exact: true }).waitFor()
  })

  it('list receipts, save one as PDF and mail it', async () => {
    await paid(40_000, 'Kue ulang tahun')
    const { page } = await visit(browser())
    await openOffice(page, '/pembayaran?tab=receipts', 'Bukti bayar')
    await page.getByRole('searchbox').fill('ulang tahun')
    await table(page, 'Bukti bayar').getByRole('link', { name: /RCT-/ }).first().click()
    await page.getByText('Kue ulang tahun').waitFor()
    const file = await downloaded(page, 'Unduh PDF')
    expect(file.name).toMatch(/^RCT-.*\.pdf$/)
    expect(file.text.slice(0, 5)).toBe('%PDF-')
    const printed = await page.getByRole('link', { name: 'Cetak' }).getAttribute('href')
    const answer = await page.request.get(`${address()}${printed}`)
    expect([answer.status(), answer.headers()['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(await answer.text()).toContain('Kue ulang tahun')
    await button(page, 'Kirim e-mail').click()
    await dialog(page).getByLabel('E-mail').fill('sari@example.com')
    await dialog(page).getByRole('button', { name: 'Kirim e-mail' }).click()
    await page.getByRole('status').getByText('Bukti dikirim ke sari@example.com').waitFor()
  })

  it('ask for a bank account, pay out to it, and cancel a payout that is not processed', async () => {
    await paid(200_000, 'Sewa ruang')
    const { page } = await visit(browser())
    await openOffice(page, '/pembayaran?tab=payouts', 'Pencairan')
    await button(page, 'Cairkan dana').first().click()
    await button(page, 'Isi rekening').click()
    await field(page, 'Nama bank').fill('BCA')
    await field(page, 'Nomor rekening').fill('abc')
    await field(page, 'Atas nama').fill('Rina Wijaya')
    await button(page, 'Simpan').click()
    const number = field(page, 'Nomor rekening')
    await expect.poll(() => number.getAttribute('aria-invalid')).toBe('true')
    await number.fill('123 456 7890')
    await save(page)
    await page.getByText('BCA 123 456 7890').waitFor()
    await button(page, 'Cairkan dana').first().click()
    const amount = page.getByLabel('Jumlah')
    await amount.fill('999000000')
    await button(page, 'Minta pencairan').click()
    await expect.poll(() => amount.getAttribute('aria-invalid')).toBe('true')
    await amount.fill('50000')
    await button(page, 'Minta pencairan').click()
    await page.getByRole('heading', { name: 'Pencairan Rp 50.000' }).waitFor()
    await page.getByText('BCA ···7890').waitFor()
    await button(page, 'Batalkan pencairan').click()
    await dialog(page).getByRole('button', { name: 'Batalkan pencairan' }).click()
    await page.getByText('Dibatalkan', { exact: true }).waitFor()
    expect((await paymentsAt('/payouts'))[0]).toMatchObject({ amount: 50_000, status: 'canceled' })
  })

  it('list the entries of the ledger with their balance, and export them', async () => {
    await paid(100_000, 'Kursus')
    const { page } = await visit(browser())
    await openOffice(page, '/pembayaran?tab=ledger', 'Buku saldo')
    await table(page, 'Buku saldo').getByText('100.000', { exact: true }).first().waitFor()
    await page.getByLabel('Jenis').selectOption({ label: 'Biaya mitra' })
    await table(page, 'Buku saldo').getByText('−700', { exact: true }).first().waitFor()
    await expect.poll(() => table(page, 'Buku saldo').getByText('100.000', { exact: true }).count()).toBe(0)
    expect((await downloaded(page, 'Unduh CSV')).text).toMatch(/fee,IDR,-700,/)
    await table(page, 'Buku saldo')
      .getByRole('link', { name: /Biaya mitra/ })
      .first()
      .click()
    await page.getByText('Saldo sesudahnya').waitFor()
  })

  it('report the cash flow and the income by method, and both add up', async () => {
    await paid(60_000, 'Pesanan')
    const { page } = await visit(browser())
    await openOffice(page, '/pembayaran?tab=reports', 'Laporan dana')
    const flow = await paymentsAt('/reports/cash-flow')
    const amount = (value: number) => String(value).replaceAll(/\B(?=(\d{3})+$)/g, '.')
    const days = table(page, 'Arus dana per hari')
    await days.getByRole('row').last().getByText(amount(flow.payments)).waitFor()
    await table(page, 'Pendapatan per cara bayar').getByText('QRIS').waitFor()
    await page
      .getByRole('region', { name: 'Arus dana', exact: true })
      .getByText(`Rp ${amount(flow.closing)}`)
      .waitFor()
    expect(flow.opening + flow.payments - flow.fees - flow.payouts + flow.returned).toBe(flow.closing)
    await openOffice(page, '/pembayaran', 'Pembayaran')
    await page.getByRole('list', { name: 'Tautan bayar terakhir' }).getByText('Pesanan').waitFor()
  })
})

/** A bill of 20,000 whose QR code was given up for cash. */
async function paidInCash() {
  const outletId = await makeOutlet(acme(), { name: 'Blok M' })
  const sale = saleOf(
    await acme().post('/sales', {
      outletId,
      items: [{ name: 'Kopi', unitPrice: 20_000, quantity: 1 }],
      status: 'PARKED',
      payments: [{ method: 'QRIS', amount: 20_000, status: 'PENDING', providerRef: 'qr-given-up' }],
    }),
  )
  const cash = { payments: [{ method: 'CASH', amount: 20_000 }] }
  return saleOf(await acme().post(`/sales/${sale.id}/settle`, cash))
}

describeInChromium('money of a code that was given up', (browser) => {
  it('counts in no sale until it comes, and is then shown with the sale and in a list of its own', async () => {
    const sale = await paidInCash()
    const { page } = await visit(browser())
    const openSale = async () => {
      await page.goto(`${address()}/penjualan?sale=${sale.id}`)
      await page.getByLabel('Cari nomor').fill(sale.number)
      await page.getByRole('article').getByText('Rp 20.000', { exact: true }).waitFor()
    }
    const payments = () => page.getByRole('article').locator('dl > div').allInnerTexts()
    const row = page.locator(`a[href*="${sale.id}"]`)
    await openSale()
    await row.waitFor()
    expect((await payments()).map((text) => text.replace(/\s+/g, ' '))).toEqual([
      'Total Rp 20.000',
      'QRIS (tidak jadi) 20.000',
      'Tunai 20.000',
    ])
    expect(await row.innerText()).toMatch(/· Tunai/)
    expect(await row.innerText()).not.toMatch(/QRIS|dikembalikan/)
    const [{ id: paymentId }] = sale.payments
    await inTx(deps().db, (tx) =>
      confirmPayment(tx, scopeOf(acme()), sale.id, { paymentId, sessionId: 'cks_late', amount: 20_000 }),
    )
    await openSale()
    await row.getByText('Uang untuk dikembalikan').waitFor()
    expect((await payments())[1]?.replace(/\s+/g, ' ')).toBe('QRIS (masuk, tidak dipakai) 20.000')
    await page.getByText('Rp 20.000 masuk lewat mitra pembayaran').waitFor()
    await openOffice(page, '/pembayaran?tab=unapplied', 'Uang untuk dikembalikan')
    await rowOf(page, 'Rp 20.000').getByRole('link', { name: 'Buka penjualan' }).click()
    await page.getByRole('article', { name: sale.number }).waitFor()
  })
})

describeInChromium('payments without their partner', (browser) => {
  it('a workspace whose payment module is off is led to the settings of modules', async () => {
    const shop = await workspace('Warung Tunai')
    await makeOutlet(shop, { name: 'Menteng' })
    const { page, complaints } = await visit(
      browser(),
      DESKTOP,
      (await memberOf(shop, 'MANAGER', 'Budi')).cookie,
    )
    await openOffice(page, '/pembayaran', 'Modul Pembayaran mati')
    await page.getByRole('link', { name: 'Buka pengaturan modul' }).click()
    await page.getByRole('heading', { level: 1, name: 'Modul' }).waitFor()
    expect(complaints).toEqual([])
  })

  it('a partner that is down is named, and its list returns with the next try', async () => {
    await paid(10_000, 'Setelah gangguan')
    partner.fail('down')
    const { page } = await visit(browser())
    await openOffice(page, '/pembayaran?tab=links', 'Tautan bayar')
    await alert(page, 'Mitra tidak menjawab').waitFor()
    await page.getByRole('link', { name: 'Ringkasan', exact: true }).click()
    await alert(page, 'Mitra tidak menjawab').waitFor()
    partner.fail(null)
    await expect
      .poll(async () => {
        if (await button(page, 'Coba lagi').isVisible()) await button(page, 'Coba lagi').click()
        return page.getByText('Setelah gangguan').count()
      })
      .toBe(1)
  })

  it('one payout is requested although the answer of the partner was lost', async () => {
    await paid(300_000, 'Pesta')
    done(
      await acme().put('/payments/payouts/bank-account', {
        bankName: 'BRI',
        accountNumber: '1234567890',
        accountHolder: 'Rina Wijaya',
      }),
    )
    const before = (await paymentsAt('/payouts')).length
    const { page } = await visit(browser())
    await openOffice(page, '/pembayaran?tab=payouts&id=new', 'Cairkan dana')
    await page.getByLabel('Jumlah').fill('120000')
    partner.fail('lost')
    await button(page, 'Minta pencairan').click()
    await page.getByRole('alert').waitFor()
    expect(await page.getByLabel('Jumlah').inputValue()).toBe('120.000')
    partner.fail(null)
    await expect
      .poll(async () => {
        if (await button(page, 'Minta pencairan').isVisible()) await button(page, 'Minta pencairan').click()
        return page.getByRole('heading', { name: 'Pencairan Rp 120.000' }).count()
      })
      .toBe(1)
    expect(await paymentsAt('/payouts')).toHaveLength(before + 1)
  })
})
