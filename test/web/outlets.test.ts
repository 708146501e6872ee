import type { Page } from 'playwright-core'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { describeInChromium } from '../support/browser.ts'
import { makeOutlet, makeProduct } from '../support/build.ts'
import { done } from '../support/expect.ts'
import {
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

let cikini = ''
let menteng = ''

beforeAll(async () => {
  cikini = await makeOutlet(acme(), { name: 'Cikini', taxRateBps: 1_100, taxLabel: 'PPN' })
  menteng = await makeOutlet(acme(), { name: 'Menteng', taxRateBps: 0 })
  await makeProduct(acme(), { name: 'Es Teh', trackStock: false, variants: [{ price: 10_000 }] })
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
    await button(page, /^Anggota/).click()
    await page.getByRole('menuitem', { name: 'Jadikan kasir terdaftar' }).click()
    await page.getByRole('textbox', { name: 'Nama kasir' }).fill('Depan')
    await button(page, 'Daftarkan').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
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

  it('a device on which no outlet was chosen sells for no other one when its first outlet is deactivated', async () => {
    const { page } = await visit(browser())
    await openRegister(page)
    await button(page, 'Outlet Cikini').waitFor()
    await deactivate(cikini)
    await refresh(page)
    await closed(page).waitFor()
    await page.getByRole('banner').getByText('Cikini').waitFor()
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
