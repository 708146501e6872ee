import { beforeAll, expect, it } from 'vitest'
import { describeInChromium } from '../../support/browser.ts'
import { done } from '../../support/expect.ts'
import { button, field, openOffice } from '../../support/office-page.ts'
import { usePaymentShop } from '../../support/reference-payment.ts'
import { photograph, visit } from '../../support/register-page.ts'
import { acme, address } from '../../support/service.ts'

const partner = await usePaymentShop()
const post = async (path: string, body: object) => done(await acme().post(`/payments${path}`, body))

/** The address of each payment page that shows a record, with ids of the partner. */
const records: string[] = []
beforeAll(async () => {
  const link = await post('/checkout-sessions', { amount: 75_000, method: 'qris', description: 'Katering' })
  const paid = await post('/checkout-sessions', { amount: 50_000, method: 'qris', description: 'Kue' })
  await post(`/checkout-sessions/${paid.id}/confirm`, {})
  const account = { bankName: 'BCA', accountNumber: '1234567890', accountHolder: 'Rina Wijaya' }
  done(await acme().put('/payments/payouts/bank-account', account))
  const payout = await post('/payouts', { amount: 20_000, currency: 'IDR' })
  const customer = await post('/customers', { name: 'Sari', email: 'sari@example.com' })
  const prices = [{ amount: 100_000, currency: 'IDR', interval: 'month' }]
  const plan = await post('/plans', { name: 'Gym', prices })
  const subscription = await post('/subscriptions', { customerId: customer.id, priceId: plan.prices[0].id })
  const [receipt] = done(await acme().get('/payments/receipts'))
  const [entry] = done(await acme().get('/payments/ledger/entries'))
  records.push(
    `links&id=${link.id}`,
    `payouts&id=${payout.id}`,
    'payouts&id=new',
    'payouts&id=bank',
    `customers&id=${customer.id}`,
    `plans&id=${plan.id}`,
    `subscriptions&id=${subscription.id}`,
    'subscriptions&id=new',
    `invoices&id=${subscription.latestInvoiceId}`,
    `receipts&id=${receipt.id}`,
    `ledger&id=${entry.id}`,
  )
})

const LISTS = [
  'overview',
  'links',
  'receipts',
  'payouts',
  'ledger',
  'reports',
  'subscriptions',
  'plans',
  'customers',
  'invoices',
]

describeInChromium('the payment pages', (browser) => {
  for (const damage of ['bare', 'mistyped'] as const)
    it(`show what is left of a ${damage} answer of the partner, and never fail`, async () => {
      const { page, complaints } = await visit(browser())
      await page.addInitScript(
        `window.addEventListener('error', (e) => console.log('CAUSE', e.error && e.error.cause && e.error.cause.stack, e.message))`,
      )
      page.on('console', (m) => {
        if (m.text().includes('CAUSE')) console.log(m.text())
      })
      partner.fail(damage)
      for (const tab of [...LISTS, ...records]) {
        complaints.length = 0
        await page.goto(`${address()}/pembayaran?tab=${tab}`)
        await page
          .getByRole('main')
          .getByRole('heading', { level: 1 })
          .or(page.getByRole('alert'))
          .first()
          .waitFor()
        await expect.poll(() => page.getByText('Memuat').count(), { timeout: 10_000 }).toBe(0)
        const text = await page.getByRole('main').innerText()
        // The service refuses the overview of a partner that answers so, and the page says it.
        const crashes = complaints.filter((line) => !line.startsWith('Failed to load resource'))
        expect([tab, crashes]).toEqual([tab, []])
        expect(text, tab).not.toMatch(/undefined|NaN|Invalid|\[object/)
        await photograph(page, `payments-${damage}-${tab.replace(/&id=.*/, '-record')}`)
      }
    }, 120_000)

  it('return to the list when the partner gives a new link no id', async () => {
    const { page } = await visit(browser())
    await openOffice(page, '/pembayaran?tab=links&id=new', 'Tautan baru')
    await page.getByLabel('Jumlah').fill('30000')
    await field(page, 'Keterangan').fill('Tanpa nomor')
    partner.fail('anonymous')
    await button(page, 'Buat tautan').click()
    await page.getByRole('heading', { level: 1, name: 'Tautan bayar' }).waitFor()
    partner.fail(null)
    await page.reload()
    await page.getByText('Tanpa nomor').waitFor()
  })

  it('say in the language of the device that the partner refused a value, and quote the partner', async () => {
    for (const [language, sentence, quotation] of [
      ['id', 'Mitra menolak salah satu isian. Periksa isian, lalu kirim lagi.', /Pesan mitra: “.+”/],
      [
        'en',
        'The partner refused a value. Check what you entered and send it again.',
        /Message of the partner: “.+”/,
      ],
    ] as const) {
      const { page } = await visit(browser(), { width: 390, height: 800, language })
      await page.goto(`${address()}/pembayaran?tab=links&id=new`)
      await page.getByLabel(language === 'id' ? 'Jumlah' : 'Amount', { exact: true }).fill('5000')
      await page.getByLabel(language === 'id' ? 'Cara bayar' : 'Method').selectOption('va')
      await button(page, language === 'id' ? 'Buat tautan' : 'Create link').click()
      const alert = page.getByRole('alert').filter({ hasText: sentence })
      await alert.waitFor()
      expect(await alert.innerText()).toMatch(quotation)
      await photograph(page, `payments-refused-${language}`)
    }
  })

  it('say at save that the partner gave no answer, and that the next press repeats the same request', async () => {
    const { page } = await visit(browser())
    await openOffice(page, '/pembayaran?tab=customers&id=new', 'Pelanggan tagihan baru')
    await field(page, 'Nama pelanggan').fill('Dewi')
    partner.fail('down')
    await button(page, 'Simpan').click()
    await page.getByRole('alert').filter({ hasText: 'Mitra tidak memberi jawaban yang pasti' }).waitFor()
    partner.fail(null)
    await expect
      .poll(async () => {
        if (await button(page, 'Simpan').isVisible()) await button(page, 'Simpan').click()
        return page.getByText('Dewi').count()
      })
      .toBe(1)
  })
})
