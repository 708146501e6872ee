import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { describeInChromium } from '../support/browser.ts'
import { makeCard, makeCustomer, makeOutlet, makeProduct } from '../support/build.ts'
import { done } from '../support/expect.ts'
import {
  lineState,
  list,
  openRegister,
  requireBuiltRegister,
  sellOne,
  tile,
  UNAVAILABLE,
  visit,
} from '../support/register-page.ts'
import { acme, deps, useService } from '../support/service.ts'

requireBuiltRegister()
useService()

let outletId = ''
let before = 0

beforeAll(async () => {
  outletId = await makeOutlet(acme(), { name: 'Cikini' })
  await makeProduct(acme(), { name: 'Es Teh', trackStock: false, variants: [{ price: 10_000 }] })
})

const sales = async (): Promise<{ total: number }[]> =>
  (await acme().get(`/sales?outletId=${outletId}&status=COMPLETED&limit=100`)).data
const countNewSales = async () => (await sales()).length - before
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

/** Counts the requests of the page to keep its storage; `answer` is the body of the browser's answer to them. */
const countRequests = (answer: string) => `sessionStorage.setItem('persistRequests', '0')
  navigator.storage.persist = () => {
    sessionStorage.setItem('persistRequests', String(Number(sessionStorage.getItem('persistRequests')) + 1))
    ${answer}
  }`
const requestCount = (page: Page) => page.evaluate(`Number(sessionStorage.getItem('persistRequests'))`)

const DAY_MS = 24 * 3_600_000
/** Lets `setAhead` put the clock of the device forward. */
const MOVABLE_CLOCK = `const now = Date.now.bind(Date)
  Date.now = () => now() + Number(localStorage.getItem('aheadMs') ?? 0)`
const setAhead = (page: Page, ms: number) => page.evaluate(`localStorage.setItem('aheadMs', '${ms}')`)

/** The names of the customers on the device. */
const COPIED_NAMES = `new Promise((resolve) => {
  indexedDB.open('kasir').onsuccess = ({ target: { result: db } }) => {
    db.transaction('notes').objectStore('notes').getAll(IDBKeyRange.bound('customers ', 'customers!')).onsuccess =
      ({ target: { result: copies } }) => {
        db.close()
        resolve(copies.flatMap(({ customers }) => customers.map(({ name }) => name)))
      }
  }
})`
const copiedNames = (page: Page) => page.evaluate(COPIED_NAMES)

/** The Idempotency-Key of the only sale in the outbox. */
const OUTBOX_KEY = `new Promise((resolve) => {
  indexedDB.open('kasir').onsuccess = ({ target: { result: db } }) => {
    db.transaction('outbox').objectStore('outbox').getAll().onsuccess = ({ target: { result: [row] } }) => {
      db.close()
      resolve(row.key)
    }
  }
})`

/** A second tab of the browser that begins with the cart of the first one, as a duplicated tab does. */
async function openSecondTab(page: Page) {
  await openRegister(page)
  await tile(page, 'Es Teh').click()
  const [other] = await Promise.all([
    page.context().waitForEvent('page'),
    page.evaluate('void window.open(location.href)'),
  ])
  await list(other, 'Keranjang').getByText('Es Teh').waitFor()
  return other
}
const payExactly = async (page: Page) => {
  await button(page, /^Uang pas/).click()
  await page.getByRole('status').filter({ hasText: 'Kembali' }).waitFor()
}

beforeEach(async () => {
  before = (await sales()).length
})

describeInChromium('the storage of a till', (browser) => {
  it('is asked to be kept once, before the first sale, and no sale waits for the answer', async () => {
    const { page, context } = await visit(browser())
    await page.addInitScript(countRequests('return new Promise(() => {})'))
    await openRegister(page)
    expect(await requestCount(page)).toBe(0)
    await context.setOffline(true)
    await sellOne(page, 'Es Teh')
    expect(await requestCount(page)).toBe(1)
    await sellOne(page, 'Es Teh')
    expect(await requestCount(page)).toBe(1)
    await context.setOffline(false)
    await lineState(page, 'Daring').waitFor()
    expect(await countNewSales()).toBe(2)
  }, 120_000)

  it('is asked to be kept when the browser is enrolled as a till, also if the browser refuses', async () => {
    const { page } = await visit(browser())
    await page.addInitScript(countRequests(`throw new DOMException('refused', 'SecurityError')`))
    await openRegister(page)
    await button(page, /^Anggota/).click()
    await page.getByRole('menuitem', { name: 'Jadikan kasir terdaftar' }).click()
    await page.getByRole('textbox', { name: 'Nama kasir' }).fill('Depan')
    await button(page, 'Daftarkan').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await requestCount(page)).toBe(1)
    await sellOne(page, 'Es Teh')
    await expect.poll(countNewSales).toBe(1)
  }, 120_000)

  it('holds up no sale after the clock of the device was corrected from a day ahead, also on plain http', async () => {
    const { page } = await visit(browser())
    await page.addInitScript(MOVABLE_CLOCK)
    // Browsers have Web Locks on https and localhost only.
    await page.addInitScript('delete Navigator.prototype.locks')
    await openRegister(page)
    await setAhead(page, DAY_MS)
    let tries = 0
    await page.route('**/api/v1/sales', (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      tries += 1
      // The second try has no answer, so the reload comes in the middle of it.
      return tries === 1 ? route.fulfill({ status: 503, json: UNAVAILABLE }) : undefined
    })
    await sellOne(page, 'Es Teh')
    await expect.poll(() => tries).toBe(2)
    await setAhead(page, 0)
    await page.unroute('**/api/v1/sales')
    await page.reload()
    await expect.poll(countNewSales).toBe(1)
    await lineState(page, 'Daring').waitFor()
  }, 120_000)

  it('loses a customer who was erased at the service with the next copy, while the page stays open', async () => {
    const erased = await makeCustomer(acme(), { name: 'Bu Tini' })
    await makeCard(acme(), 50_000, { customerId: erased })
    await makeCustomer(acme(), { name: 'Bu Wati' })
    const { page, context } = await visit(browser())
    await page.addInitScript(MOVABLE_CLOCK)
    await openRegister(page)
    await expect.poll(() => copiedNames(page)).toEqual(expect.arrayContaining(['Bu Tini', 'Bu Wati']))
    done(await acme().delete(`/customers/${erased}`))
    await context.setOffline(true)
    await setAhead(page, 7 * 3_600_000)
    // A customer who is entered meanwhile is kept.
    const dialog = page.getByRole('dialog', { name: 'Pelanggan' })
    const find = async (text: string) => {
      await page.keyboard.press('F4')
      await dialog.getByRole('textbox', { name: 'Nama atau telepon' }).fill(text)
    }
    await find('Bu Sri')
    await dialog.getByRole('button', { name: 'Simpan pelanggan' }).click()
    await sellOne(page, 'Es Teh')
    await context.setOffline(false)
    await expect.poll(countNewSales).toBe(1)
    await expect.poll(() => copiedNames(page)).not.toContain('Bu Tini')
    expect(await copiedNames(page)).toEqual(expect.arrayContaining(['Bu Sri', 'Bu Wati']))
    await context.setOffline(true)
    await find('Bu')
    for (const name of ['Bu Sri', 'Bu Wati']) await dialog.getByRole('button', { name }).first().waitFor()
    expect(await dialog.getByRole('button', { name: 'Bu Tini' }).count()).toBe(0)
  }, 120_000)

  it('makes one sale of a cart that two tabs have, and the second tab says so and sells the next', async () => {
    const { page, context } = await visit(browser())
    await context.addInitScript('delete window.BroadcastChannel')
    const other = await openSecondTab(page)
    await payExactly(page)
    await expect.poll(countNewSales).toBe(1)
    await button(other, /^Uang pas/).click()
    await other.getByRole('alert').getByText('Keranjang ini sudah dijual di tab lain').waitFor()
    await other.getByText('Keranjang kosong').waitFor()
    // As after a day: then a sale that was sent again would be a new one.
    await deps().db.deleteFrom('idempotencyKeys').execute()
    await sellOne(other, 'Es Teh')
    await lineState(other, 'Daring').waitFor()
    expect(await countNewSales()).toBe(2)
  }, 120_000)

  it('makes a sale of each tab where one emptied the cart that the other sold', async () => {
    const { page } = await visit(browser())
    const other = await openSecondTab(page)
    await button(other, 'Kosongkan keranjang').click()
    // The goods of the next customer are in the cart when the other tab sells.
    await tile(other, 'Es Teh').click()
    await payExactly(page)
    await payExactly(other)
    await Promise.all([page, other].map((each) => lineState(each, 'Daring').waitFor()))
    expect(await countNewSales()).toBe(2)
  }, 120_000)

  it('asks a person about a sale whose key another request has used', async () => {
    const { page, context } = await visit(browser())
    await openRegister(page)
    await context.setOffline(true)
    await sellOne(page, 'Es Teh')
    const idempotencyKey = String(await page.evaluate(OUTBOX_KEY))
    done(await acme().post('/customers', { name: 'Bu Ani' }, { idempotencyKey }))
    await context.setOffline(false)
    await button(page, 'Perlu tindakan').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Penjualan lain dari keranjang yang sama sudah tercatat').waitFor()
    await dialog.getByText('IDEMPOTENCY_KEY_IN_USE').waitFor()
    expect(await countNewSales()).toBe(0)
  }, 120_000)
})
