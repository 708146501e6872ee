import type { Page, Route } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInChromium } from '../support/browser.ts'
import {
  makeCustomer,
  makeOutlet,
  makeProduct,
  makePurchaseOrder,
  makeSupplier,
  openShift,
} from '../support/build.ts'
import { memberOf } from '../support/clients.ts'
import { done } from '../support/expect.ts'
import { button } from '../support/office-page.ts'
import { LOST, loseAnswers, requireBuiltRegister, visit } from '../support/register-page.ts'
import { acme, address, useService } from '../support/service.ts'

requireBuiltRegister()
useService()

let outletId = ''
let rice = ''

beforeAll(async () => {
  outletId = await makeOutlet(acme(), { name: 'Cikini' })
  const product = await makeProduct(acme(), { name: 'Beras', variants: [{ price: 20_000 }] })
  rice = product.variants[0]?.id ?? ''
})

const alert = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })
const goTo = (page: Page, area: string) => page.getByRole('link', { name: area, exact: true }).first().click()

/** The addresses cannot be read. Returns how to end that. */
async function loseReads(page: Page, paths: readonly string[]): Promise<() => Promise<void>> {
  for (const path of paths)
    await page.route(`**/api/v1${path}`, (route) =>
      route.request().method() === 'GET' ? route.abort('connectionreset') : route.fallback(),
    )
  return async () => {
    for (const path of paths) await page.unroute(`**/api/v1${path}`)
  }
}

/** Presses a button whose answer is lost, and waits until the page says so. */
async function loseOne(page: Page, path: string, press: () => Promise<void>) {
  const restore = await loseAnswers(page, path)
  await press()
  await alert(page, LOST).waitFor()
  await restore()
}

async function owe(customerId: string, quantity: number) {
  const items = [{ variantId: rice, quantity }]
  const payments = [{ method: 'CREDIT', amount: quantity * 20_000 }]
  done(await acme().post('/sales', { outletId, customerId, items, payments }))
}

/** Holds the next request for an address on its way. Returns the requests that are held. */
async function holdNext(page: Page, path: string): Promise<readonly Route[]> {
  const held: Route[] = []
  await page.route(`**/api/v1${path}`, (route) => void held.push(route), { times: 1 })
  return held
}

describeInChromium('a form that is closed after its answer was lost', (browser) => {
  it('a debt is paid once when the dialog is opened again, and the page shows what is left', async () => {
    const id = await makeCustomer(acme(), { name: 'Budi Hartono', creditLimit: 500_000 })
    await owe(id, 5)
    const manager = await memberOf(acme(), 'MANAGER', 'Sari')
    const shiftId = await openShift(manager.api, outletId)
    const paid = async () => done(await acme().get(`/shifts/${shiftId}`)).shift.summary.cash.creditPayments
    const { page } = await visit(browser(), undefined, manager.cookie)
    await page.goto(`${address()}/pelanggan?id=${id}`)
    const dialog = page.getByRole('dialog')
    const pay = async (amount: string) => {
      await button(page, 'Terima pembayaran').click()
      await dialog.getByRole('textbox', { name: 'Jumlah' }).fill(amount)
      await dialog.getByRole('button', { name: 'Terima pembayaran' }).click()
    }
    await page.getByRole('region', { name: 'Kasbon: Rp 100.000' }).getByText('Penjualan').waitFor()
    const read = await loseReads(page, [`/customers/${id}`, `/customers/${id}/credit*`])
    await loseOne(page, '/customers/*/credit/payments', () => pay('50000'))
    await page.keyboard.press('Escape')
    await pay('50000')
    await dialog.waitFor({ state: 'detached' })
    expect(await paid()).toBe(50_000)
    await read()
    await page.reload()
    await page.getByRole('region', { name: 'Kasbon: Rp 50.000' }).waitFor()
    await loseOne(page, '/customers/*/credit/payments', () => pay('20000'))
    await page.keyboard.press('Escape')
    await page.getByRole('region', { name: 'Kasbon: Rp 30.000' }).waitFor()
    await pay('20000')
    await page.getByRole('region', { name: 'Kasbon: Rp 10.000' }).waitFor()
    expect(await paid()).toBe(90_000)
  }, 120_000)

  it('points are given once when the dialog is opened again, and can be given again once the page shows them', async () => {
    const id = await makeCustomer(acme(), { name: 'Dewi Lestari' })
    const { page } = await visit(browser())
    await page.goto(`${address()}/pelanggan?id=${id}`)
    const dialog = page.getByRole('dialog')
    const change = async (kind: string) => {
      await button(page, 'Ubah poin').click()
      await dialog.getByRole('radio', { name: kind }).check()
      await dialog.getByLabel('Poin').fill('100')
      await dialog.getByRole('button', { name: 'Simpan' }).click()
    }
    const shows = (points: number) =>
      page.getByRole('region', { name: `Poin: ${points}`, exact: true }).waitFor()
    await page.getByText('Belum ada poin.').waitFor()
    const read = await loseReads(page, [`/customers/${id}`, `/customers/${id}/loyalty*`])
    await loseOne(page, '/customers/*/loyalty/adjust', () => change('Tambah'))
    await page.keyboard.press('Escape')
    await change('Tambah')
    await dialog.waitFor({ state: 'detached' })
    await read()
    await page.reload()
    await shows(100)
    await loseOne(page, '/customers/*/loyalty/adjust', () => change('Tambah'))
    await page.keyboard.press('Escape')
    await shows(200)
    // The balance returns to what it was when the answer was lost.
    await change('Kurangi')
    await shows(100)
    await change('Tambah')
    await shows(200)
  }, 120_000)

  it('cash is taken out of the drawer once when the page was left meanwhile, and the drawer shows it', async () => {
    const manager = await memberOf(acme(), 'MANAGER', 'Rina')
    const shiftId = await openShift(manager.api, outletId, 500_000)
    const paidOut = async () => done(await acme().get(`/shifts/${shiftId}`)).shift.summary.cash.paidOut
    const { page } = await visit(browser(), undefined, manager.cookie)
    await page.goto(`${address()}/shift`)
    const takeOut = async () => {
      await page.getByRole('textbox', { name: 'Jumlah' }).fill('50000')
      await button(page, 'Kas keluar').click()
    }
    await takeOut()
    await page.getByText('Rp 450.000').waitFor()
    const read = await loseReads(page, ['/shifts/current*'])
    await loseOne(page, '/shifts/*/cash-movements', takeOut)
    await goTo(page, 'Jual')
    await goTo(page, 'Shift')
    await takeOut()
    await page.getByText('Kas keluar dicatat.').waitFor()
    expect(await paidOut()).toBe(100_000)
    await read()
    await page.reload()
    await page.getByText('Rp 400.000').waitFor()
    await loseOne(page, '/shifts/*/cash-movements', takeOut)
    await page.getByText('Rp 350.000').waitFor()
    await goTo(page, 'Jual')
    await goTo(page, 'Shift')
    await takeOut()
    await page.getByText('Rp 300.000').waitFor()
    expect(await paidOut()).toBe(200_000)
  }, 120_000)

  it('goods are received once when the order is left and opened again while the request is on its way', async () => {
    const supplierId = await makeSupplier(acme())
    const order = await makePurchaseOrder(acme(), {
      supplierId,
      outletId,
      items: [{ variantId: rice, qty: 10 }],
    })
    done(await acme().post(`/purchase-orders/${order.id}/order`))
    const { page } = await visit(browser())
    const receive = async () => {
      await page.getByLabel('Datang').fill('4')
      await button(page, 'Terima barang').click()
    }
    await page.goto(`${address()}/pembelian?id=${order.id}`)
    const held = await holdNext(page, '/purchase-orders/*/receive')
    await receive()
    await expect.poll(() => held.length).toBe(1)
    await goTo(page, 'Pelanggan')
    await page.goBack()
    await receive()
    await page.getByText('4 dari 10 diterima').waitFor()
    await held[0]?.fetch()
    expect(done(await acme().get(`/purchase-orders/${order.id}`)).purchaseOrder.items[0].receivedQty).toBe(4)
  }, 120_000)
})
