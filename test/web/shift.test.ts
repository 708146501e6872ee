import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { describeInChromium } from '../support/browser.ts'
import { closeShifts, makeOutlet, makeProduct } from '../support/build.ts'
import { done } from '../support/expect.ts'
import {
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

beforeAll(async () => {
  outletId = await makeOutlet(acme(), { name: 'Cikini' })
  await makeProduct(acme(), { name: 'Es Teh', trackStock: false, variants: [{ price: 7_500 }] })
})

beforeEach(() => closeShifts(acme()))

function useOutlet(page: Page, id: string) {
  const device = JSON.stringify({ state: { language: 'id', theme: 'light', outletId: id }, version: 0 })
  return page.addInitScript(`localStorage.setItem('kasir-device', ${JSON.stringify(device)})`)
}

describeInChromium('a shift', (browser) => {
  it('opens with a float, takes cash in and out, and closes by a count of notes', async () => {
    const { page } = await visit(browser())
    await page.goto(`${address()}/shift`)
    await page.getByRole('textbox', { name: 'Modal awal' }).fill('200000')
    await page.getByRole('button', { name: 'Buka shift' }).click()
    await page.getByRole('button', { name: 'Tutup shift' }).waitFor()
    await page.getByRole('textbox', { name: 'Jumlah' }).fill('30.000')
    await page.getByRole('textbox', { name: 'Alasan' }).fill('Beli es')
    await page.getByRole('button', { name: 'Kas keluar' }).click()
    await page.getByText('Kas keluar dicatat.').waitFor()
    await openRegister(page)
    await tile(page, 'Es Teh').click()
    await page.getByRole('button', { name: 'Uang pas' }).click()
    await page.getByRole('button', { name: 'Jual lagi' }).waitFor()
    await page.getByRole('link', { name: 'Shift' }).click()
    await page.getByText('Rp 177.500').waitFor()
    await page.getByRole('button', { name: 'Tutup shift' }).click()
    await page.getByLabel('Rp 100.000').fill('1')
    await page.getByLabel('Rp 50.000').fill('1')
    await page.getByLabel('Rp 20.000').fill('1')
    await page.getByRole('status').getByText('kurang Rp 7.500').waitFor()
    expect(await page.getByRole('button', { name: 'Tutup shift' }).isDisabled()).toBe(true)
    await page.getByRole('textbox', { name: 'Catatan' }).fill('Kembalian salah hitung')
    await page.getByRole('button', { name: 'Tutup shift' }).click()
    await page.getByRole('heading', { name: 'Shift ditutup' }).waitFor()
    const { data } = await acme().get(`/shifts?outletId=${outletId}`)
    expect(data[0]).toMatchObject({
      status: 'CLOSED',
      expectedCash: 177_500,
      countedCash: 170_000,
      difference: -7_500,
    })
  }, 120_000)
})

describeInChromium('a shift with sales that are still on the device', (browser) => {
  it('says how many and how much cash, and closes only when the button is pressed twice', async () => {
    const outlet = await makeOutlet(acme(), { name: 'Tebet' })
    const { page } = await visit(browser())
    await useOutlet(page, outlet)
    await page.goto(`${address()}/shift`)
    await page.getByRole('textbox', { name: 'Modal awal' }).fill('100000')
    await page.getByRole('button', { name: 'Buka shift' }).click()
    await page.getByRole('button', { name: 'Tutup shift' }).waitFor()
    await openRegister(page)
    await page.route('**/api/v1/sales', (route) =>
      route.request().method() === 'POST' ? route.abort('connectionreset') : route.fallback(),
    )
    await tile(page, 'Es Teh').click()
    await page.getByRole('button', { name: 'Uang pas' }).click()
    await page.getByRole('button', { name: 'Jual lagi' }).waitFor()
    await page.getByRole('link', { name: 'Shift' }).click()
    await page.getByRole('button', { name: 'Tutup shift' }).click()
    await page.getByText('1 penjualan belum terkirim, tunai Rp 7.500').waitFor()
    await page.getByRole('textbox', { name: 'Uang dihitung' }).fill('107500')
    await page.getByRole('textbox', { name: 'Catatan' }).fill('Satu penjualan belum terkirim')
    await page.getByRole('button', { name: 'Tutup shift' }).click()
    await page.getByRole('button', { name: 'Tetap tutup shift' }).click()
    await page.getByRole('heading', { name: 'Shift ditutup' }).waitFor()
  }, 120_000)
})

describeInChromium('a count of the drawer', (browser) => {
  it('is still there when the page was left before the shift was closed', async () => {
    const outlet = await makeOutlet(acme(), { name: 'Senen' })
    const { page } = await visit(browser())
    await useOutlet(page, outlet)
    await page.goto(`${address()}/shift`)
    await page.getByRole('textbox', { name: 'Modal awal' }).fill('200000')
    await page.getByRole('button', { name: 'Buka shift' }).click()
    await page.getByRole('button', { name: 'Tutup shift' }).click()
    await page.getByLabel('Rp 100.000').fill('1')
    await page.getByLabel('Rp 50.000').fill('1')
    await page.getByRole('textbox', { name: 'Catatan' }).fill('Koin belum dihitung')
    await page.getByRole('link', { name: 'Penjualan' }).click()
    await page.getByRole('link', { name: 'Shift' }).click()
    await page.getByRole('button', { name: 'Tutup shift' }).click()
    expect(await page.getByRole('textbox', { name: 'Uang dihitung' }).inputValue()).toBe('150.000')
    expect(await page.getByLabel('Rp 50.000').inputValue()).toBe('1')
    expect(await page.getByRole('textbox', { name: 'Catatan' }).inputValue()).toBe('Koin belum dihitung')
    await page.getByRole('button', { name: 'Batal' }).click()
    await page.getByRole('button', { name: 'Tutup shift' }).click()
    expect(await page.getByRole('textbox', { name: 'Uang dihitung' }).inputValue()).toBe('')
  }, 120_000)
})

describeInChromium('cash that is rounded', (browser) => {
  it('has its row in the figures of the shift, and is what a void hands back', async () => {
    const rounding = { cashRounding: { step: 100, mode: 'NEAREST' } }
    const outlet = await makeOutlet(acme(), { name: 'Pasar', ...rounding })
    await makeProduct(acme(), { name: 'Gula', trackStock: false, variants: [{ price: 49_950 }] })
    const { page } = await visit(browser())
    await useOutlet(page, outlet)
    await page.goto(`${address()}/shift`)
    await page.getByRole('textbox', { name: 'Modal awal' }).fill('100000')
    await page.getByRole('button', { name: 'Buka shift' }).click()
    await page.getByRole('button', { name: 'Tutup shift' }).waitFor()
    await openRegister(page)
    await tile(page, 'Gula').click()
    await page.getByRole('button', { name: 'Uang pas' }).click()
    await page.getByRole('button', { name: 'Jual lagi' }).click()
    await page.getByRole('link', { name: 'Shift' }).click()
    const drawer = page.getByRole('region', { name: 'Laci' })
    await drawer.getByText('Rp 150.000').waitFor()
    expect(
      await drawer
        .getByText(/^Pembulatan tunai/)
        .locator('..')
        .textContent(),
    ).toBe('Pembulatan tunai50')
    await page.getByRole('link', { name: 'Penjualan' }).click()
    await list(page, 'Penjualan').getByRole('link').filter({ hasText: 'Rp 49.950' }).click()
    await page.getByRole('button', { name: 'Void' }).click()
    await page.getByRole('button', { name: 'Batalkan, kembalikan Rp 50.000' }).waitFor()
  }, 120_000)
})

describeInChromium('a difference at the close', (browser) => {
  it('is explained by the sale that was paid in another way, and by a count with swapped digits', async () => {
    const { page } = await visit(browser())
    await page.goto(`${address()}/shift`)
    await page.getByRole('textbox', { name: 'Modal awal' }).fill('120000')
    await page.getByRole('button', { name: 'Buka shift' }).click()
    await page.getByRole('button', { name: 'Tutup shift' }).waitFor()
    await openRegister(page)
    for (const count of [1, 2]) {
      for (let at = 0; at < count; at += 1) await tile(page, 'Es Teh').click()
      await page.getByRole('button', { name: 'Uang pas' }).click()
      await page.getByRole('button', { name: 'Jual lagi' }).click()
    }
    await page.getByRole('link', { name: 'Shift' }).click()
    await page.getByText('Rp 142.500').waitFor()
    await page.getByRole('button', { name: 'Tutup shift' }).click()
    const counted = page.getByRole('textbox', { name: 'Uang dihitung' })
    await counted.fill('127500')
    const region = page.getByRole('region', { name: 'Cari selisih' })
    await region.getByText('Mungkin dibayar bukan dengan tunai.').waitFor()
    expect(await region.getByRole('link').allTextContents()).toEqual([expect.stringContaining('Rp 15.000')])
    await counted.fill('124500')
    await region.getByText(/^Uang dihitung: mungkin dua angka tertukar/).waitFor()
    await region.getByRole('button', { name: 'Pakai Rp 142.500' }).click()
    await page.getByRole('status').getByText('Uang di laci cocok').waitFor()
    expect(await region.count()).toBe(0)
    await page.getByRole('button', { name: 'Tutup shift' }).click()
    await page.getByRole('heading', { name: 'Shift ditutup' }).waitFor()
  }, 120_000)
})

describeInChromium('a wrong tender', (browser) => {
  const openShiftWith = async (page: Page, count: number) => {
    await page.goto(`${address()}/shift`)
    await page.getByRole('textbox', { name: 'Modal awal' }).fill('50000')
    await page.getByRole('button', { name: 'Buka shift' }).click()
    await page.getByRole('button', { name: 'Tutup shift' }).waitFor()
    await openRegister(page)
    for (let at = 0; at < count; at += 1) await tile(page, 'Es Teh').click()
    await page.getByRole('button', { name: 'Uang pas' }).click()
    await page.getByRole('button', { name: 'Jual lagi' }).click()
  }
  const newestSale = async () => {
    const { data } = await acme().get(`/sales?outletId=${outletId}&status=COMPLETED&limit=1`)
    return done(await acme().get(`/sales/${data[0].id}`)).sale
  }

  it('is corrected with one tap where the difference at the close is explained', async () => {
    const { page } = await visit(browser())
    await openShiftWith(page, 4)
    await page.getByRole('link', { name: 'Shift' }).click()
    await page.getByText('Rp 80.000').waitFor()
    await page.getByRole('button', { name: 'Tutup shift' }).click()
    await page.getByRole('textbox', { name: 'Uang dihitung' }).fill('50000')
    const region = page.getByRole('region', { name: 'Cari selisih' })
    await region.getByText('Mungkin dibayar bukan dengan tunai.').waitFor()
    await photograph(page, 'find-difference')
    await region.getByRole('button', { name: 'Jadikan QRIS' }).click()
    await page.getByRole('status').getByText('Uang di laci cocok').waitFor()
    expect((await newestSale()).payments).toMatchObject([
      { method: 'QRIS', corrections: [{ from: 'CASH', to: 'QRIS' }] },
    ])
    await page.getByRole('button', { name: 'Tutup shift' }).click()
    await page.getByRole('heading', { name: 'Shift ditutup' }).waitFor()
  }, 120_000)

  it('is corrected in the sale, and is refused with the reason once its shift is closed', async () => {
    const { page } = await visit(browser())
    await openShiftWith(page, 5)
    await page.getByRole('link', { name: 'Penjualan' }).click()
    await list(page, 'Penjualan').getByRole('link').filter({ hasText: 'Rp 37.500' }).click()
    const correct = page.getByRole('button', { name: 'Perbaiki pembayaran' })
    await correct.click()
    const dialog = page.getByRole('dialog', { name: 'Perbaiki pembayaran' })
    await dialog.getByRole('radio', { name: 'Kartu' }).check()
    await dialog.getByRole('textbox', { name: 'Nomor rujukan' }).fill('APPR 7712')
    await photograph(page, 'correct-tender')
    await dialog.getByRole('button', { name: 'Perbaiki', exact: true }).click()
    await page.getByText('Kartu (semula Tunai)').waitFor()
    expect((await newestSale()).payments).toMatchObject([{ method: 'CARD', reference: 'APPR 7712' }])
    const {
      data: [shift],
    } = await acme().get(`/shifts?outletId=${outletId}&limit=1`)
    done(await acme().post(`/shifts/${shift.id}/close`, { countedCash: 50_000 }))
    await correct.click()
    await dialog.getByRole('radio', { name: 'Transfer' }).check()
    await dialog.getByRole('button', { name: 'Perbaiki', exact: true }).click()
    await dialog.getByRole('alert').getByText('The shift of this payment is closed').waitFor()
  }, 120_000)
})

describeInChromium('the sales of today', (browser) => {
  it('refunds one of three and voids another sale', async () => {
    const { page } = await visit(browser())
    await openRegister(page)
    for (const count of [3, 1]) {
      for (let at = 0; at < count; at += 1) await tile(page, 'Es Teh').click()
      await page.getByRole('button', { name: 'Uang pas' }).click()
      await page.getByRole('button', { name: 'Jual lagi' }).click()
    }
    await page.getByRole('link', { name: 'Penjualan' }).click()
    await list(page, 'Penjualan').getByRole('link').filter({ hasText: 'Rp 22.500' }).click()
    await page.getByRole('button', { name: 'Refund' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Lebihkan' }).click()
    await dialog.getByRole('button', { name: 'Kembalikan Rp 7.500' }).click()
    await dialog.getByText('Tunai dari laci').waitFor()
    await dialog.getByRole('button', { name: 'Selesai' }).click()
    await page.getByText('(1 direfund)').waitFor()
    expect(await page.getByRole('button', { name: 'Void' }).isDisabled()).toBe(true)
    const row = list(page, 'Penjualan').getByRole('link')
    await row.filter({ hasText: 'Sebagian direfund' }).waitFor()
    await row.first().click()
    await page.getByRole('button', { name: 'Void' }).click()
    await dialog.getByRole('button', { name: 'Pelanggan batal' }).click()
    await dialog.getByRole('button', { name: /^Batalkan/ }).click()
    await row.first().getByText('Void').waitFor()
    const { data } = await acme().get(`/sales?outletId=${outletId}&limit=2`)
    const states = data.map(({ status, refundedTotal }: { status: string; refundedTotal: number }) => [
      status,
      refundedTotal,
    ])
    expect(states).toEqual([
      ['VOIDED', 0],
      ['COMPLETED', 7_500],
    ])
    done(await acme().get(`/sales/${data[0].id}`))
  }, 120_000)

  it.each([
    ['are added to', false],
    ['are part of', true],
  ])(
    'has items, discounts and charges that add up to the total where taxes %s the prices',
    async (_, taxInclusive) => {
      const taxed = { taxRateBps: 1_100, taxInclusive, serviceChargeBps: 500, serviceChargeTaxable: true }
      const outlet = await makeOutlet(acme(), { name: taxInclusive ? 'Bandung' : 'Bogor', ...taxed })
      const { variants } = await makeProduct(acme(), { trackStock: false, variants: [{ price: 12_345 }] })
      const items = [
        { variantId: variants[0].id, quantity: 3, discount: 345 },
        { variantId: variants[0].id, quantity: 1, note: 'Tanpa gula' },
      ]
      const { sale } = done(
        await acme().post('/sales', {
          outletId: outlet,
          items,
          orderDiscount: 3_000,
          orderType: 'DINE_IN',
          status: 'COMPLETED',
        }),
      )
      const { page } = await visit(browser())
      await page.goto(`${address()}/penjualan?sale=${sale.id}`)
      const detail = page.getByRole('article', { name: sale.number })
      await detail.getByText('Total').waitFor()
      const shown = await detail.locator('.amount').allTextContents()
      const amounts = shown.map((text) => Number(text.replaceAll(/[^\d−-]/g, '').replace('−', '-')))
      const total = amounts.indexOf(sale.total)
      const isPart = await detail.getByText('Pajak (termasuk)').isVisible()
      expect(isPart).toBe(taxInclusive)
      const counted = amounts.slice(0, total - (isPart ? 1 : 0))
      expect(counted).toHaveLength(taxInclusive ? 4 : 5)
      expect(counted.reduce((sum, amount) => sum + amount, 0)).toBe(sale.total)
    },
  )

  it('shows a day of more than a hundred sales page by page, and finds one of an earlier day by its whole number', async () => {
    const busy = await makeOutlet(acme(), { name: 'Ramai' })
    const sell = (body: object) =>
      acme().post('/sales', {
        outletId: busy,
        items: [{ name: 'Kertas', unitPrice: 1_000, quantity: 1 }],
        ...body,
      })
    const soldAt = new Date(Date.now() - 3 * 86_400_000).toISOString()
    const old = (
      await sell({ offline: { ref: 'LAMA-1', soldAt, terms: { taxRateBps: 0 }, printedTotal: 1_000 } })
    ).data.sale
    const first = (await sell({ status: 'COMPLETED' })).data.sale
    for (let count = 0; count < 100; count += 1) await sell({ status: 'COMPLETED' })
    const { page } = await visit(browser())
    await useOutlet(page, busy)
    await page.goto(`${address()}/penjualan`)
    const rows = list(page, 'Penjualan').getByRole('link')
    await expect.poll(() => rows.count()).toBe(100)
    await page.getByRole('button', { name: 'Tampilkan lagi' }).click()
    await rows.filter({ hasText: first.number }).waitFor()
    expect(await rows.count()).toBe(101)
    const search = page.getByRole('searchbox', { name: 'Cari nomor' })
    await search.fill(old.number)
    await rows.filter({ hasText: old.number }).first().waitFor()
    await search.fill('tidak ada')
    await page.getByText('ketik nomor di struk seluruhnya').waitFor()
  }, 120_000)

  it('lists every open bill of an outlet that has more than a hundred', async () => {
    const busy = await makeOutlet(acme(), { name: 'Bengkel' })
    const items = [{ name: 'Servis', unitPrice: 50_000, quantity: 1 }]
    const { data: first } = await acme().post('/sales', { outletId: busy, items, note: 'Pak Darto' })
    for (let count = 0; count < 100; count += 1) await acme().post('/sales', { outletId: busy, items })
    const { page } = await visit(browser())
    await useOutlet(page, busy)
    await openRegister(page)
    await page.getByRole('button', { name: /^Bon/ }).click()
    const bills = list(page, 'Bon terbuka')
    await bills.getByText('Pak Darto').waitFor()
    expect(first.sale.status).toBe('PARKED')
  }, 120_000)

  it('prints a sale again in a window of its own', async () => {
    const { page, context } = await visit(browser())
    await page.goto(`${address()}/penjualan`)
    await list(page, 'Penjualan').getByRole('link').first().click()
    const [receipt] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('button', { name: 'Cetak ulang' }).click(),
    ])
    await receipt.getByText('Es Teh').first().waitFor()
    expect(receipt.url()).toContain('/receipt?format=html')
  }, 120_000)
})
