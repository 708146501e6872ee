import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { describeInChromium } from '../support/browser.ts'
import { fresh, makeOutlet, makeProduct, makeSale, makeTable } from '../support/build.ts'
import { memberOf } from '../support/clients.ts'
import { done, saleOf } from '../support/expect.ts'
import {
  keepPage,
  lineState,
  list,
  openRegister,
  photograph,
  requireBuiltRegister,
  sellOne,
  tile,
  visit,
} from '../support/register-page.ts'
import { acme, address, globex, useService } from '../support/service.ts'

requireBuiltRegister()
useService()

/** The answer of a service that refuses the customer of a sale. */
const REFUSED = {
  data: null,
  error: { code: 'UNPROCESSABLE', message: 'This customer cannot be used', param: 'customerId' },
  meta: { requestId: 'req_refused', timestamp: '2026-11-26T03:00:00.000Z' },
}

let cikini = ''
let menteng = ''
let pills = ''

beforeAll(async () => {
  cikini = await makeOutlet(acme(), { name: 'Cikini', taxRateBps: 1_100, taxLabel: 'PPN' })
  menteng = await makeOutlet(acme(), { name: 'Menteng', taxRateBps: 0 })
  await makeProduct(acme(), { name: 'Es Teh', trackStock: false, variants: [{ price: 10_000 }] })
  pills = (await makeProduct(acme(), { name: 'Obat', variants: [{ price: 15_000 }] })).id
})

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const cart = (page: Page) => page.getByRole('complementary', { name: 'Keranjang' })
const row = (page: Page, name: string) => cart(page).locator('dl > div').filter({ hasText: name })
const change = (page: Page) => page.getByRole('status').filter({ hasText: 'Kembali' })
const closed = (page: Page) => page.getByRole('alert').filter({ hasText: 'Outlet perangkat ini tidak aktif' })
const salesAt = async (outletId: string) =>
  (await acme().get(`/sales?outletId=${outletId}&status=COMPLETED&limit=100`)).data

/** Reads the outlets again, as the register does every five minutes. */
const refresh = (page: Page) => page.evaluate(`window.dispatchEvent(new Event('online'))`)

async function enrol(page: Page) {
  await button(page, /^Anggota/).click()
  await page.getByRole('menuitem', { name: 'Jadikan kasir terdaftar' }).click()
  await page.getByRole('textbox', { name: 'Nama kasir' }).fill('Depan')
  await button(page, 'Daftarkan').click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

async function deactivate(id: string) {
  done(await acme().patch(`/outlets/${id}`, { isActive: false }))
  onTestFinished(async () => {
    done(await acme().patch(`/outlets/${id}`, { isActive: true }))
  })
}

describeInChromium('the outlet of a register', (browser) => {
  it('a deactivated outlet stops its till instead of selling for another', async () => {
    const { page } = await visit(browser())
    await openRegister(page)
    await enrol(page)
    await tile(page, 'Es Teh').click()
    const before = [await salesAt(cikini), await salesAt(menteng)]
    await deactivate(cikini)
    await refresh(page)
    await closed(page).waitFor()
    await button(page, /^Uang pas/).click()
    await closed(page).nth(1).waitFor()
    await photograph(page, 'closed-outlet')
    // After a reload the device knows its outlet from the till.
    await page.reload()
    await closed(page).waitFor()
    expect([await salesAt(cikini), await salesAt(menteng)]).toEqual(before)
    await button(page, 'Jual untuk Menteng').click()
    await closed(page).waitFor({ state: 'detached' })
    await list(page, 'Keranjang').getByText('Es Teh').waitFor()
    await row(page, 'Total').getByText('Rp 10.000', { exact: true }).waitFor()
    await button(page, /^Uang pas/).click()
    await change(page).waitFor()
    await expect.poll(async () => (await salesAt(menteng)).length).toBe((before[1]?.length ?? 0) + 1)
  }, 120_000)

  it('a till of one business leaves the outlet of another in the same browser alone', async () => {
    const { page, context } = await visit(browser())
    await openRegister(page)
    await enrol(page)
    const stranger = await memberOf(globex(), 'OWNER', 'Wati')
    await makeOutlet(globex(), { name: 'Lain' })
    const [name = '', value = ''] = stranger.cookie.split('=')
    await context.addCookies([{ name, value, url: address() }])
    const { user: member, account } = done(await stranger.api.get('/auth/me'))
    const session = JSON.stringify({ state: { member, account }, version: 0 })
    await page.evaluate(`localStorage.setItem('kasir-session', ${JSON.stringify(session)})`)
    await page.reload()
    await page.getByRole('banner').getByText('Lain').waitFor()
    expect(await closed(page).count()).toBe(0)
  }, 60_000)

  it('a cart with a table of a deactivated outlet is sold for another one without the table', async () => {
    const { label } = await makeTable(acme(), cikini)
    const before = (await salesAt(menteng)).length
    const { page } = await visit(browser())
    await openRegister(page)
    await page.goto(`${address()}/meja`)
    await list(page, 'Meja')
      .getByRole('button', { name: new RegExp(`^${label} `) })
      .click()
    await tile(page, 'Es Teh').click()
    await deactivate(cikini)
    await refresh(page)
    await button(page, 'Jual untuk Menteng').click()
    await closed(page).waitFor({ state: 'detached' })
    await button(page, /^Uang pas/).click()
    await change(page).waitFor()
    await expect.poll(async () => (await salesAt(menteng)).length).toBe(before + 1)
    expect((await salesAt(menteng))[0].tableId).toBeNull()
  }, 60_000)

  it('a device on which no outlet was chosen sells for no other one when its first outlet is deactivated', async () => {
    const { page } = await visit(browser(), { width: 390, height: 844, theme: 'dark' })
    await openRegister(page)
    await button(page, 'Outlet Cikini').waitFor()
    await deactivate(cikini)
    await refresh(page)
    await closed(page).waitFor()
    await page.getByRole('banner').getByText('Cikini').waitFor()
    await photograph(page, 'closed-outlet-390')
  }, 60_000)

  it('an open bill of a deactivated outlet can still be paid at its till', async () => {
    const { page } = await visit(browser())
    await openRegister(page)
    await tile(page, 'Es Teh').click()
    await button(page, 'Tahan').click()
    await page.getByRole('textbox', { name: 'Nama bon' }).fill('Bu Ani')
    await button(page, 'Simpan bon').click()
    await page.getByText('Keranjang kosong').waitFor()
    await deactivate(cikini)
    await refresh(page)
    await closed(page).waitFor()
    await button(page, /^Bon/).click()
    await list(page, 'Bon terbuka')
      .getByRole('button', { name: /^Bu Ani/ })
      .click()
    await row(page, 'Total').getByText('Rp 11.100', { exact: true }).waitFor()
    expect(await button(page, 'Jual untuk Menteng').isDisabled()).toBe(true)
    await button(page, /^Uang pas/).click()
    await change(page).waitFor()
    expect((await salesAt(cikini))[0]).toMatchObject({ note: 'Bu Ani', total: 11_100 })
  }, 60_000)
})

/** The time at which a receipt in Jayapura, nine hours ahead of UTC, says that it was made. */
function clockInJayapura(instant: string): string {
  const at = new Date(instant)
  const two = (n: number) => String(n).padStart(2, '0')
  return `${two((at.getUTCHours() + 9) % 24)}.${two(at.getUTCMinutes())}`
}

describeInChromium('the times of an outlet', (browser) => {
  it('are those of its clock, on a device in another zone as well', async () => {
    const name = fresh('Jayapura')
    const jayapura = await makeOutlet(acme(), { name, timezone: 'Asia/Jayapura' })
    const { id } = await makeSale(acme(), { outletId: jayapura })
    const sale = saleOf(await acme().get(`/sales/${id}`))
    const count = done(await acme().post('/stock-counts', { outletId: jayapura })).stockCount
    const { page } = await visit(browser())
    await openRegister(page)
    await button(page, 'Outlet Cikini').click()
    await page.getByRole('menuitem', { name }).click()
    await page.getByRole('link', { name: 'Penjualan' }).click()
    const entry = list(page, 'Penjualan').getByRole('link', { name: sale.number })
    await entry.getByText(clockInJayapura(sale.completedAt)).waitFor()
    await entry.click()
    await page
      .getByRole('article', { name: sale.number })
      .getByText(clockInJayapura(sale.completedAt))
      .waitFor()
    // The back office of another outlet.
    await button(page, `Outlet ${name}`).click()
    await page.getByRole('menuitem', { name: 'Cikini' }).click()
    await page.goto(`${address()}/stok?tab=counts`)
    const counted = page.getByRole('row').filter({ hasText: name })
    await counted.getByText(clockInJayapura(count.createdAt)).waitFor()
  })
})

describeInChromium('a correction', (browser) => {
  it('keeps the outlet and the terms of its sale', async () => {
    const { page, context } = await visit(browser())
    await openRegister(page)
    await keepPage(page)
    await context.setOffline(true)
    await tile(page, 'Obat').click()
    await sellOne(page, 'Es Teh')
    await button(page, /^Luring/).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'Simpan berkas').click(),
    ])
    const buffer = readFileSync(await download.path())
    // Meanwhile the pills may be sold from a batch only, and there is none; the outlet has another tax.
    done(await acme().patch(`/products/${pills}`, { requiresBatch: true }))
    done(await acme().patch(`/outlets/${cikini}`, { taxRateBps: 500 }))
    onTestFinished(async () => {
      done(await acme().patch(`/products/${pills}`, { requiresBatch: false }))
      done(await acme().patch(`/outlets/${cikini}`, { taxRateBps: 1_100 }))
    })
    const before = [await salesAt(cikini), await salesAt(menteng)]
    const other = await visit(browser())
    // The device does not know the outlet of the sale yet.
    await other.page.route('**/api/v1/outlets', async (route) => {
      const response = await route.fetch()
      const { data, ...rest } = (await response.json()) as { data: { outlets: { id: string }[] } }
      const outlets = data.outlets.filter(({ id }) => id !== cikini)
      await route.fulfill({ response, json: { ...rest, data: { outlets } } })
    })
    await openRegister(other.page)
    await button(other.page, 'Daring').click()
    await other.page
      .getByLabel('Berkas penjualan')
      .setInputFiles({ name: 'kasir.json', mimeType: 'application/json', buffer })
    await button(other.page, 'Ubah dan kirim').click()
    const line = list(other.page, 'Keranjang').getByRole('listitem').filter({ hasText: 'Obat' })
    await line.getByRole('button', { name: 'Pilih' }).click()
    await line.getByRole('button', { name: 'Kurangi' }).click()
    await button(other.page, /^Uang pas/).click()
    await other.page.getByRole('alert').getByText('Outlet penjualan ini tidak ada di perangkat ini').waitFor()
    await other.page.unroute('**/api/v1/outlets')
    await refresh(other.page)
    await row(other.page, 'Total').getByText('Rp 11.100', { exact: true }).waitFor()
    await button(other.page, /^Uang pas/).click()
    await lineState(other.page, 'Daring').waitFor()
    expect([(await salesAt(cikini)).length, (await salesAt(menteng)).length]).toEqual([
      (before[0]?.length ?? 0) + 1,
      before[1]?.length,
    ])
    expect((await salesAt(cikini))[0]).toMatchObject({ total: 11_100, taxTotal: 1_100 })
    // The next sale is one of the outlet of this device again.
    await sellOne(other.page, 'Es Teh')
    await expect.poll(async () => (await salesAt(menteng))[0]?.total).toBe(10_000)
  }, 120_000)

  it('without a change of goods keeps the printed total', async () => {
    const { promotion } = done(
      await acme().post('/promotions', { name: 'Sore hemat', kind: 'PERCENT', percentBps: 1_000 }),
    )
    onTestFinished(async () => {
      await acme().delete(`/promotions/${promotion.id}`)
    })
    done(await acme().post('/customers', { name: 'Wati Rahayu' }))
    const { page, context } = await visit(browser())
    await openRegister(page)
    await keepPage(page)
    await tile(page, 'Es Teh').click()
    await page.keyboard.press('F4')
    const customers = page.getByRole('dialog', { name: 'Pelanggan' })
    await customers.getByRole('textbox', { name: 'Nama atau telepon' }).fill('Wati')
    await customers.getByRole('button', { name: 'Wati Rahayu' }).first().click()
    // 10,000 less 1,000, and 11% of tax.
    await row(page, 'Total').getByText('Rp 9.990', { exact: true }).waitFor()
    await context.setOffline(true)
    await button(page, /^Uang pas/).click()
    await change(page).waitFor()
    // Meanwhile the promotion ends and the outlet has another tax.
    done(await acme().delete(`/promotions/${promotion.id}`))
    done(await acme().patch(`/outlets/${cikini}`, { taxRateBps: 500 }))
    onTestFinished(async () => {
      done(await acme().patch(`/outlets/${cikini}`, { taxRateBps: 1_100 }))
    })
    await page.route('**/api/v1/sales', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 422, json: REFUSED }) : route.fallback(),
    )
    await context.setOffline(false)
    await lineState(page, 'Perlu tindakan').waitFor()
    await page.unroute('**/api/v1/sales')
    await button(page, 'Perlu tindakan').click()
    await button(page, 'Ubah dan kirim').click()
    await page.getByText(/^Mengubah /).waitFor()
    await page.keyboard.press('F4')
    await customers.getByRole('button', { name: 'Lepas Wati Rahayu' }).click()
    await row(page, 'Sore hemat').getByText('−1.000').waitFor()
    await row(page, 'Total').getByText('Rp 9.990', { exact: true }).waitFor()
    await button(page, /^Uang pas/).click()
    await lineState(page, 'Daring').waitFor()
    const [sale] = await salesAt(cikini)
    expect(saleOf(await acme().get(`/sales/${sale.id}`))).toMatchObject({
      total: 9_990,
      customer: null,
      promotions: [{ name: 'Sore hemat', amount: 1_000 }],
    })
  }, 120_000)
})
