import type { Browser, Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { describeInChromium } from '../support/browser.ts'
import { makeOutlet, makeProduct } from '../support/build.ts'
import { done } from '../support/expect.ts'
import {
  DESKTOP,
  holdAnswer,
  keepPage,
  lineState,
  list,
  openRegister,
  photograph,
  requireBuiltRegister,
  tile,
  visit,
} from '../support/register-page.ts'
import { acme, useService } from '../support/service.ts'

requireBuiltRegister()
useService()

let outletId = ''

beforeAll(async () => {
  outletId = await makeOutlet(acme(), {
    name: 'Menteng',
    taxRateBps: 1_100,
    taxLabel: 'PPN',
    serviceChargeBps: 500,
    serviceChargeOrderTypes: ['DINE_IN', 'TAKEAWAY'],
    cashRounding: { step: 100, mode: 'NEAREST' },
  })
  done(await acme().put('/settings', { businessType: 'FNB' }))
  await makeProduct(acme(), { name: 'Nasi Liwet', trackStock: false, variants: [{ price: 27_350 }] })
  await makeProduct(acme(), {
    name: 'Air Mineral',
    trackStock: false,
    taxRateBps: 0,
    variants: [{ price: 6_000 }],
  })
})

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const change = (page: Page) => page.getByRole('status').filter({ hasText: 'Kembali' })
const cart = (page: Page) => page.getByRole('complementary', { name: 'Keranjang' })
/** A row of the totals, as a screen reader reads it: its name and its amount. */
const row = (page: Page, name: string) => cart(page).locator('dl > div').filter({ hasText: name })

async function lastSale(page: Page) {
  await lineState(page, 'Daring').waitFor()
  const { data } = await acme().get(`/sales?outletId=${outletId}&status=COMPLETED&limit=1`)
  return done(await acme().get(`/sales/${data[0].id}`)).sale
}

describeInChromium('what a sale costs', (browser: () => Browser) => {
  it('is shown with service charge, each tax rate and cash rounding, and charged exactly so', async () => {
    const { page } = await visit(browser())
    await openRegister(page)
    await button(page, 'Makan di sini').click()
    await tile(page, 'Nasi Liwet').click()
    await tile(page, 'Air Mineral').click()
    // 33,350 × 5% is 1,668 half up; 11% of 27,350 + 1,668 is 3,192; cash is rounded from 38,210 to 38,200.
    await row(page, 'Biaya layanan 5%').getByText('1.668').waitFor()
    await row(page, 'PPN 11%').getByText('3.192').waitFor()
    await row(page, 'Total').getByText('Rp 38.210', { exact: true }).waitFor()
    await row(page, 'Pembulatan tunai').getByText('38.200').waitFor()
    await photograph(page, 'charges-cart')
    await button(page, /^Bayar/).click()
    await page.getByRole('textbox', { name: 'Diterima' }).fill('50000')
    await photograph(page, 'charges-pay')
    await button(page, 'Selesai').click()
    await change(page).getByText('Rp 11.800').waitFor()
    expect(await lastSale(page)).toMatchObject({
      total: 38_210,
      taxTotal: 3_192,
      serviceCharge: { bps: 500, amount: 1_668 },
      changeTotal: 11_800,
      roundingTotal: -10,
      payments: [{ method: 'CASH', amount: 38_210, tendered: 50_000, rounding: -10 }],
    })
  })

  it('keeps service charge and rounding of a bill that is held and paid later, by card without rounding', async () => {
    const { page } = await visit(browser())
    await openRegister(page)
    await button(page, 'Makan di sini').click()
    await tile(page, 'Nasi Liwet').click()
    await tile(page, 'Air Mineral').click()
    await button(page, 'Tahan').click()
    await page.getByRole('textbox', { name: 'Nama bon' }).fill('Meja 4')
    await button(page, 'Simpan bon').click()
    await button(page, /^Bon/).click()
    await list(page, 'Bon terbuka')
      .getByRole('button', { name: /^Meja 4/ })
      .click()
    await row(page, 'Biaya layanan 5%').getByText('1.668').waitFor()
    await button(page, /^Bayar/).click()
    await page.getByRole('radio', { name: 'Kartu', exact: true }).check()
    await button(page, 'Selesai').click()
    await change(page).waitFor()
    expect(await lastSale(page)).toMatchObject({
      note: 'Meja 4',
      total: 38_210,
      roundingTotal: 0,
      payments: [{ method: 'CARD', amount: 38_210 }],
    })
  })

  it('shows the bill with its new total when the charges of the outlet changed before it was paid', async () => {
    const { page } = await visit(browser())
    await openRegister(page)
    await button(page, 'Makan di sini').click()
    await tile(page, 'Nasi Liwet').click()
    await button(page, 'Tahan').click()
    await button(page, 'Simpan bon').click()
    await button(page, /^Bon/).click()
    await list(page, 'Bon terbuka').getByRole('button').first().click()
    await row(page, 'Biaya layanan 5%').waitFor()
    done(await acme().patch(`/outlets/${outletId}`, { serviceChargeBps: 1_000 }))
    await button(page, 'Uang pas').click()
    await page.getByRole('alert').getByText('total bon ini berubah').waitFor()
    await row(page, 'Biaya layanan 10%').getByText('2.735').waitFor()
    done(await acme().patch(`/outlets/${outletId}`, { serviceChargeBps: 500 }))
  })
})

describeInChromium('an open item', (browser: () => Browser) => {
  it('is sold by a typed name and price, and changed like any other line', async () => {
    const { page } = await visit(browser())
    await openRegister(page)
    await button(page, 'Barang bebas').click()
    const dialog = page.getByRole('dialog', { name: 'Barang bebas' })
    expect(await dialog.getByRole('button', { name: /^Tambah/ }).isDisabled()).toBe(true)
    await dialog.getByRole('textbox', { name: 'Nama' }).fill('Parsel')
    await dialog.getByRole('textbox', { name: 'Harga' }).fill('150000')
    await photograph(page, 'open-item')
    await dialog.getByRole('button', { name: /^Tambah/ }).click()
    await list(page, 'Keranjang').getByText('Parsel').waitFor()
    await button(page, 'Ubah').click()
    await dialog.getByRole('textbox', { name: 'Harga' }).fill('145000')
    await dialog.getByRole('button', { name: /^Simpan/ }).click()
    await list(page, 'Keranjang').getByText('145.000').first().waitFor()
    await button(page, 'Uang pas').click()
    await change(page).waitFor()
    const sale = await lastSale(page)
    expect(sale.items).toMatchObject([
      { variantId: null, productName: 'Parsel', unitPrice: 145_000, taxRateBps: 1_100 },
    ])
    expect(sale.total).toBe(160_950)
  })

  it('is sold without a line as well, two of one name as one line', async () => {
    const { page, context } = await visit(browser(), { ...DESKTOP, width: 390, height: 844 })
    await openRegister(page)
    await keepPage(page)
    await context.setOffline(true)
    for (let count = 0; count < 2; count += 1) {
      await button(page, 'Barang bebas').click()
      await page.getByRole('textbox', { name: 'Nama' }).fill('Lilin')
      await page.getByRole('textbox', { name: 'Harga' }).fill('2.500')
      await button(page, /^Tambah/).click()
    }
    await button(page, /^Keranjang/).click()
    await photograph(page, 'open-item-390')
    await button(page, 'Uang pas').click()
    await change(page).waitFor()
    await context.setOffline(false)
    const sale = await lastSale(page)
    expect(sale.items).toMatchObject([{ productName: 'Lilin', quantity: 2, unitPrice: 2_500 }])
    expect(sale).toMatchObject({ total: 5_550, roundingTotal: 50 })
  })

  it('is not offered where the shop sells from its catalogue only', async () => {
    done(await acme().put('/settings', { openItems: false }))
    const { page } = await visit(browser())
    await openRegister(page)
    expect(await button(page, 'Barang bebas').count()).toBe(0)
    done(await acme().put('/settings', { openItems: true }))
  })
})

describeInChromium('an open bill', (browser: () => Browser) => {
  const holdBill = async (page: Page, name: string, goods: readonly string[]) => {
    for (const each of goods) await tile(page, each).click()
    await button(page, 'Tahan').click()
    await page.getByRole('textbox', { name: 'Nama bon' }).fill(name)
    await button(page, 'Simpan bon').click()
    await page.getByText('Keranjang kosong').waitFor()
  }
  const openBill = async (page: Page, name: string) => {
    await button(page, /^Bon/).click()
    await list(page, 'Bon terbuka')
      .getByRole('button', { name: new RegExp(`^${name}`) })
      .click()
    await list(page, 'Keranjang').getByRole('listitem').first().waitFor()
  }
  const openBills = async () => (await acme().get(`/sales?outletId=${outletId}&status=PARKED`)).data
  // A second try finds bills by name as well: those of the first would be there twice.
  beforeEach(async () => {
    for (const { id } of await openBills())
      done(await acme().post(`/sales/${id}/discard`, { reason: 'Test again' }))
  })
  const namesOf = (rows: readonly { note: string | null }[]) => rows.map(({ note }) => note)

  it('is split into one that is paid and one that stays open, with goods added before the split', async () => {
    const { page } = await visit(browser())
    await openRegister(page)
    await holdBill(page, 'Meja 7', ['Nasi Liwet', 'Nasi Liwet'])
    await openBill(page, 'Meja 7')
    await tile(page, 'Air Mineral').click()
    await button(page, 'Pisah').click()
    const dialog = page.getByRole('dialog', { name: /^Pisah bon/ })
    const goods = dialog.getByRole('listitem')
    await goods.filter({ hasText: 'Nasi Liwet' }).getByRole('button', { name: 'Lebihkan' }).click()
    await goods.filter({ hasText: 'Air Mineral' }).getByRole('button', { name: 'Lebihkan' }).click()
    await dialog.getByRole('textbox', { name: 'Nama bon' }).fill('Bu Dewi')
    await photograph(page, 'split')
    await dialog.getByRole('button', { name: 'Pisah ke bon baru' }).click()
    await dialog.waitFor({ state: 'detached' })
    await list(page, 'Keranjang').getByText('Air Mineral').waitFor()
    await photograph(page, 'split-cart')
    await button(page, 'Uang pas').click()
    await change(page).waitFor()
    expect(await lastSale(page)).toMatchObject({
      note: 'Bu Dewi',
      items: [
        { productName: 'Nasi Liwet', quantity: 1 },
        { productName: 'Air Mineral', quantity: 1 },
      ],
    })
    const rest = (await openBills()).find(({ note }: { note: string }) => note === 'Meja 7')
    expect(done(await acme().get(`/sales/${rest.id}`)).sale.items).toMatchObject([
      { productName: 'Nasi Liwet', quantity: 1 },
    ])
  }, 60_000)

  it('takes in another open bill, which is closed', async () => {
    const { page } = await visit(browser())
    await openRegister(page)
    await holdBill(page, 'Meja 8', ['Nasi Liwet'])
    await holdBill(page, 'Meja 9', ['Air Mineral'])
    await openBill(page, 'Meja 8')
    await button(page, 'Gabung').click()
    const dialog = page.getByRole('dialog', { name: /^Gabung ke bon/ })
    await dialog.getByRole('radio', { name: /^Meja 9/ }).check()
    await photograph(page, 'merge')
    await dialog.getByRole('button', { name: 'Gabungkan' }).click()
    await list(page, 'Keranjang').getByText('Air Mineral').waitFor()
    expect(namesOf(await openBills())).not.toContain('Meja 9')
    await button(page, 'Uang pas').click()
    await change(page).waitFor()
    expect((await lastSale(page)).items).toHaveLength(2)
  }, 60_000)

  /** Leaves the dialog before its answer is there, and rings up the goods of the next customer. */
  const serveNext = async (page: Page, { path, send }: { path: string; send: string }) => {
    const late = await holdAnswer(page, path)
    await page.getByRole('dialog').getByRole('button', { name: send }).click()
    await late.reached
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await button(page, 'Kosongkan keranjang').click()
    await tile(page, 'Air Mineral').click()
    await list(page, 'Keranjang').getByText('Air Mineral').waitFor()
    await late.release()
    await tile(page, 'Air Mineral').click()
    await list(page, 'Keranjang').getByRole('listitem').filter({ hasText: '12.000' }).waitFor()
    expect(await list(page, 'Keranjang').getByRole('listitem').count()).toBe(1)
  }

  it('merged by an answer that comes after its dialog was closed leaves the goods of the next customer in the cart', async () => {
    const { page } = await visit(browser())
    await openRegister(page)
    await holdBill(page, 'Meja 11', ['Nasi Liwet'])
    await holdBill(page, 'Meja 12', ['Nasi Liwet'])
    await openBill(page, 'Meja 11')
    await button(page, 'Gabung').click()
    await page
      .getByRole('dialog')
      .getByRole('radio', { name: /^Meja 12/ })
      .check()
    await serveNext(page, { path: '**/sales/*/merge', send: 'Gabungkan' })
    expect(namesOf(await openBills())).not.toContain('Meja 12')
  }, 120_000)

  it('split by an answer that comes after its dialog was closed leaves the goods of the next customer in the cart', async () => {
    const { page } = await visit(browser())
    await openRegister(page)
    await holdBill(page, 'Meja 13', ['Nasi Liwet', 'Nasi Liwet'])
    await openBill(page, 'Meja 13')
    await button(page, 'Pisah').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Lebihkan' }).click()
    await serveNext(page, { path: '**/sales/*/split', send: 'Pisah ke bon baru' })
  }, 120_000)

  it('is not split over a change of another device: both versions are shown', async () => {
    const { page } = await visit(browser())
    await openRegister(page)
    await holdBill(page, 'Meja 10', ['Nasi Liwet', 'Air Mineral'])
    await openBill(page, 'Meja 10')
    const bill = (await openBills()).find(({ note }: { note: string }) => note === 'Meja 10')
    const { items } = done(await acme().get(`/sales/${bill.id}`)).sale
    done(await acme().patch(`/sales/${bill.id}/items`, { items: [{ id: items[0].id, quantity: 4 }] }))
    await button(page, 'Pisah').click()
    await page.getByRole('dialog', { name: /diubah di perangkat lain/ }).waitFor()
  }, 60_000)
})
