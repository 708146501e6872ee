import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { describeInChromium } from '../support/browser.ts'
import { fresh, makeOutlet, makeProduct, stock } from '../support/build.ts'
import { memberOf } from '../support/clients.ts'
import { done } from '../support/expect.ts'
import { startProcess } from '../support/process.ts'
import {
  DESKTOP,
  keepPage,
  lineState,
  list,
  openRegister,
  requireBuiltRegister,
  sellOne,
  tile,
  visit,
} from '../support/register-page.ts'
import { acme, deps, globex, useService } from '../support/service.ts'

requireBuiltRegister()
useService()

let outletId = ''
let before = 0
const pills: Record<string, string> = {}
let obatB = ''
let roti = ''
const POLL = { timeout: 20_000 }

beforeAll(async () => {
  outletId = await makeOutlet(acme(), { name: 'Cikini', taxRateBps: 1_100, taxLabel: 'PPN' })
  await makeProduct(acme(), { name: 'Es Teh', trackStock: false, variants: [{ price: 6_500 }] })
  const bread = await makeProduct(acme(), { name: 'Roti', trackStock: false, variants: [{ price: 15_000 }] })
  roti = bread.variants[0].id
  for (const name of ['Obat A', 'Obat B']) {
    const { id, variants } = await makeProduct(acme(), { name, variants: [{ price: 15_000 }] })
    pills[name] = id
    obatB = variants[0].id
  }
})

type Row = { number: string; total: number; note: string | null; offline: { ref: string } | null }
const sales = async (): Promise<Row[]> =>
  (await acme().get(`/sales?outletId=${outletId}&status=COMPLETED&limit=100`)).data
const newSales = async () => {
  const all = await sales()
  return all.slice(0, all.length - before)
}
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

/** Whether the browser has its copy of the customers. */
const HAS_COPY = `new Promise((resolve) => {
  indexedDB.open('kasir').onsuccess = ({ target: { result: db } }) => {
    db.transaction('notes').objectStore('notes').getAllKeys().onsuccess = ({ target: { result: keys } }) => {
      db.close()
      resolve(keys.some((key) => String(key).startsWith('customers ')))
    }
  }
})`

beforeEach(async () => {
  before = (await sales()).length
})

describeInChromium('without a line', (browser) => {
  it('sells, survives a reload, and sends every sale once when the line is back', async () => {
    const { page, context } = await visit(browser())
    await openRegister(page)
    await keepPage(page)
    await context.setOffline(true)
    for (let count = 0; count < 3; count += 1) await sellOne(page, 'Es Teh')
    await lineState(page, 'Luring · 3 antre').waitFor()
    await page.getByText('belum terkirim').waitFor()
    await page.reload()
    await lineState(page, 'Luring · 3 antre').waitFor()
    await sellOne(page, 'Roti')
    await lineState(page, 'Luring · 4 antre').waitFor()
    await button(page, /^Anggota/).click()
    const signOut = page.getByRole('menuitem', { name: /^Keluar/ })
    expect(await signOut.getAttribute('aria-disabled')).toBe('true')
    await page.keyboard.press('Escape')
    expect(await newSales()).toHaveLength(0)
    await context.setOffline(false)
    await lineState(page, 'Daring').waitFor()
    const arrived = await newSales()
    expect(arrived.map(({ total }) => total).sort((a, b) => a - b)).toEqual([7_215, 7_215, 7_215, 16_650])
    expect(new Set(arrived.map(({ offline }) => offline?.ref)).size).toBe(4)
  }, 180_000)

  it('records a sale once whose answer was lost', async () => {
    const { page } = await visit(browser())
    await openRegister(page)
    let lost = 0
    await page.route('**/api/v1/sales', async (route) => {
      if (route.request().method() !== 'POST' || lost > 0) return route.fallback()
      lost += 1
      await route.fetch()
      await route.abort('connectionreset')
    })
    await sellOne(page, 'Es Teh')
    await lineState(page, 'Daring').waitFor()
    expect(lost).toBe(1)
    expect(await newSales()).toHaveLength(1)
  }, 180_000)

  it('lets a refused sale hold up no other, and sends it after it was changed', async () => {
    const { page, context } = await visit(browser())
    await openRegister(page)
    await keepPage(page)
    await context.setOffline(true)
    await tile(page, 'Obat A').click()
    await sellOne(page, 'Es Teh')
    await sellOne(page, 'Es Teh')
    // Meanwhile the pills may be sold from a batch only, and there is none.
    done(await acme().patch(`/products/${pills['Obat A']}`, { requiresBatch: true }))
    await context.setOffline(false)
    await lineState(page, 'Perlu tindakan').waitFor()
    await expect.poll(async () => (await newSales()).length).toBe(1)
    await button(page, 'Perlu tindakan').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/·\s*req_/).waitFor()
    await dialog.getByRole('button', { name: 'Ubah dan kirim' }).click()
    await page.getByText(/^Mengubah /).waitFor()
    await button(page, /^Bayar/).click()
    // The sale keeps its reference, so no tender may take it to the service as a new sale.
    expect(await page.getByRole('radio', { name: 'Kartu hadiah' }).isDisabled()).toBe(true)
    await button(page, 'Kembali ke keranjang').click()
    const line = list(page, 'Keranjang').getByRole('listitem').filter({ hasText: 'Obat A' })
    await line.getByRole('button', { name: 'Pilih' }).click()
    await line.getByRole('button', { name: 'Kurangi' }).click()
    await button(page, /^Uang pas/).click()
    await lineState(page, 'Daring').waitFor()
    expect((await newSales()).map(({ total }) => total)).toEqual([7_215, 7_215])
  }, 180_000)

  it('lets a sale that a proxy refuses with a page of its own hold up no other', async () => {
    const { page, context } = await visit(browser())
    await openRegister(page)
    await keepPage(page)
    await context.setOffline(true)
    await sellOne(page, 'Roti')
    await sellOne(page, 'Es Teh')
    await lineState(page, 'Luring · 2 antre').waitFor()
    let isRefused = true
    await page.route('**/api/v1/sales', (route) =>
      isRefused && route.request().postData()?.includes(roti)
        ? route.fulfill({ status: 403, contentType: 'text/html', body: '<h1>Forbidden</h1>' })
        : route.fallback(),
    )
    await context.setOffline(false)
    await expect.poll(async () => (await newSales()).map(({ total }) => total), POLL).toEqual([7_215])
    isRefused = false
    await lineState(page, 'Daring').waitFor()
    expect((await newSales()).map(({ total }) => total).sort((a, b) => a - b)).toEqual([7_215, 16_650])
  }, 180_000)

  it('sends the correction of a refused sale once, under its reference, where the service decides about stock', async () => {
    done(await acme().put('/settings', { negativeStock: 'BLOCK' }))
    const { page, context } = await visit(browser())
    await openRegister(page)
    await keepPage(page)
    await context.setOffline(true)
    await tile(page, 'Obat B').click()
    await sellOne(page, 'Es Teh')
    done(await acme().patch(`/products/${pills['Obat B']}`, { requiresBatch: true }))
    await context.setOffline(false)
    await lineState(page, 'Perlu tindakan').waitFor()
    await button(page, 'Perlu tindakan').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Ubah dan kirim' }).click()
    const line = list(page, 'Keranjang').getByRole('listitem').filter({ hasText: 'Obat B' })
    await line.getByRole('button', { name: 'Pilih' }).click()
    await line.getByRole('button', { name: 'Kurangi' }).click()
    await button(page, /^Uang pas/).click()
    await lineState(page, 'Daring').waitFor()
    expect(await newSales()).toMatchObject([{ total: 7_215, offline: { ref: expect.any(String) } }])
    done(await acme().put('/settings', { negativeStock: 'ALLOW' }))
  }, 180_000)

  const customersNamed = async (name: string) =>
    done(await acme().get(`/customers?q=${encodeURIComponent(name)}&limit=10`)).customers

  it('creates a customer that was entered without a line once, before the sales that name the customer', async () => {
    const [joko, tini] = [fresh('Pak Joko'), fresh('Bu Tini')]
    done(await acme().post('/customers', { name: tini, phone: '0813 222' }))
    const { page, context } = await visit(browser())
    await openRegister(page)
    await keepPage(page)
    // The device takes its copy of the customers some seconds after the first sale is possible.
    await expect.poll(() => page.evaluate(HAS_COPY), { timeout: 30_000 }).toBe(true)
    await context.setOffline(true)
    const dialog = page.getByRole('dialog', { name: 'Pelanggan' })
    const find = async (text: string) => {
      await page.keyboard.press('F4')
      await dialog.getByRole('textbox', { name: 'Nama atau telepon' }).fill(text)
    }
    await find(joko)
    await dialog.getByRole('textbox', { name: 'Telepon', exact: true }).fill('0812 111')
    await dialog.getByRole('button', { name: 'Simpan pelanggan' }).click()
    await sellOne(page, 'Es Teh')
    // The same customer again, found on this device.
    await find('0812')
    await dialog.getByRole('button', { name: joko }).click()
    await sellOne(page, 'Roti')
    await find(tini.toLowerCase())
    await dialog.getByRole('button', { name: tini }).click()
    await sellOne(page, 'Es Teh')
    let lost = 0
    await page.route('**/api/v1/customers', async (route) => {
      if (route.request().method() !== 'POST' || lost > 0) return route.fallback()
      lost += 1
      await route.fetch()
      await route.abort('connectionreset')
    })
    await context.setOffline(false)
    await lineState(page, 'Daring').waitFor()
    expect(lost).toBe(1)
    expect(await customersNamed(joko)).toMatchObject([{ name: joko, phone: '0812 111', visitCount: 2 }])
    expect(await customersNamed(tini)).toMatchObject([{ visitCount: 1 }])
    expect(await newSales()).toHaveLength(3)
  }, 180_000)

  /** A register that shows its refused sale of one Obat B. */
  const openRefusedSale = async () => {
    // Goods below zero, as an earlier sale leaves them, cannot require batches.
    done(await acme().patch(`/products/${pills['Obat B']}`, { requiresBatch: false }))
    await stock(acme(), outletId, obatB, 1)
    const { page, context } = await visit(browser())
    await openRegister(page)
    await keepPage(page)
    await context.setOffline(true)
    await sellOne(page, 'Obat B')
    done(await acme().patch(`/products/${pills['Obat B']}`, { requiresBatch: true }))
    await context.setOffline(false)
    await button(page, 'Perlu tindakan').click()
    return page
  }

  it('sets a refused sale aside with a reason, and keeps it on the device', async () => {
    const page = await openRefusedSale()
    await button(page, 'Sisihkan').click()
    await page.getByRole('textbox', { name: 'Alasan' }).fill('Dicatat di buku')
    await button(page, 'Sisihkan penjualan ini').click()
    await page.getByText('Alasan: Dicatat di buku').waitFor()
    await page.keyboard.press('Escape')
    await lineState(page, 'Daring').waitFor()
    expect(await newSales()).toHaveLength(0)
    done(await acme().patch(`/products/${pills['Obat B']}`, { requiresBatch: false }))
    await button(page, 'Daring').click()
    await button(page, 'Kirim lagi').click()
    await expect.poll(async () => (await newSales()).length).toBe(1)
  }, 180_000)

  it('a refused sale whose goods were removed and brought back is still corrected, and recorded once', async () => {
    const page = await openRefusedSale()
    await page.getByRole('dialog').getByRole('button', { name: 'Ubah dan kirim' }).click()
    await page.getByText(/^Mengubah /).waitFor()
    await button(page, 'Kosongkan keranjang').click()
    await button(page, 'Urungkan').click()
    await page.getByText(/^Mengubah /).waitFor()
    done(await acme().patch(`/products/${pills['Obat B']}`, { requiresBatch: false }))
    await button(page, /^Uang pas/).click()
    await lineState(page, 'Daring').waitFor()
    expect(await newSales()).toMatchObject([{ offline: { ref: expect.any(String) } }])
  }, 180_000)

  it('the correction of a refused sale is held as a bill by no key: the sale would exist twice', async () => {
    const page = await openRefusedSale()
    await page.getByRole('dialog').getByRole('button', { name: 'Ubah dan kirim' }).click()
    await page.getByText(/^Mengubah /).waitFor()
    await page.keyboard.press('F8')
    // Under a dialog this key does nothing.
    await page.keyboard.press('F9')
    await button(page, 'Kembali ke keranjang').click()
    done(await acme().patch(`/products/${pills['Obat B']}`, { requiresBatch: false }))
    await button(page, /^Uang pas/).click()
    await lineState(page, 'Daring').waitFor()
    expect(await newSales()).toMatchObject([{ offline: { ref: expect.any(String) } }])
  }, 180_000)

  it('holds a bill on the device, takes it back only from the open bills, and sells it from there', async () => {
    const { page, context } = await visit(browser())
    await openRegister(page)
    await keepPage(page)
    await context.setOffline(true)
    await tile(page, 'Es Teh').click()
    await button(page, 'Tahan').click()
    await page.getByRole('textbox', { name: 'Nama bon' }).fill('Bu Ani')
    await button(page, 'Simpan bon').click()
    await page.getByText('Keranjang kosong').waitFor()
    expect(await button(page, 'Urungkan').count()).toBe(0)
    await button(page, /^Bon/).click()
    await page.getByText('Tanpa jaringan hanya bon di perangkat ini').waitFor()
    await list(page, 'Bon terbuka')
      .getByRole('button', { name: /^Bu Ani/ })
      .click()
    await button(page, /^Bayar/).click()
    expect(await page.getByRole('radio', { name: 'Kartu hadiah' }).isDisabled()).toBe(true)
    await button(page, 'Selesai').click()
    await page.getByText('belum terkirim').waitFor()
    await context.setOffline(false)
    await expect.poll(async () => (await newSales()).map(({ note }) => note)).toEqual(['Bu Ani'])
  }, 180_000)

  it('a customer entered without a line is created once, also for a bill that was held here for more than a day', async () => {
    const [lastri, billName] = [fresh('Mbak Lastri'), fresh('Meja depan')]
    const { page, context } = await visit(browser())
    await openRegister(page)
    await keepPage(page)
    await context.setOffline(true)
    await tile(page, 'Es Teh').click()
    await page.keyboard.press('F4')
    const dialog = page.getByRole('dialog', { name: 'Pelanggan' })
    await dialog.getByRole('textbox', { name: 'Nama atau telepon' }).fill(lastri)
    await dialog.getByRole('button', { name: 'Simpan pelanggan' }).click()
    await sellOne(page, 'Roti')
    await tile(page, 'Es Teh').click()
    await page.keyboard.press('F4')
    await dialog.getByRole('textbox', { name: 'Nama atau telepon' }).fill(lastri)
    await list(page, 'Pelanggan yang ditemukan').getByRole('button', { name: lastri }).click()
    await button(page, 'Tahan').click()
    await page.getByRole('textbox', { name: 'Nama bon' }).fill(billName)
    await button(page, 'Simpan bon').click()
    await page.getByText('Keranjang kosong').waitFor()
    await context.setOffline(false)
    await expect.poll(async () => (await newSales()).length).toBe(1)
    await lineState(page, 'Daring').waitFor()
    // The service forgets keys after 24 hours.
    await deps().db.deleteFrom('idempotencyKeys').execute()
    await button(page, /^Bon/).click()
    await list(page, 'Bon terbuka')
      .getByRole('button', { name: new RegExp(`^${billName}`) })
      .click()
    await button(page, /^Uang pas/).click()
    await expect.poll(async () => (await newSales()).length).toBe(2)
    expect(await customersNamed(lastri)).toMatchObject([{ name: lastri, visitCount: 2 }])
  }, 180_000)

  it('sends each sale once from two tabs that sold at the same time', async () => {
    const { page, context } = await visit(browser())
    const other = await context.newPage()
    const sent: string[] = []
    context.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/sales'))
        sent.push(JSON.parse(request.postData() ?? '{}').offline.ref)
    })
    await openRegister(page)
    await openRegister(other)
    await context.setOffline(true)
    for (let count = 0; count < 4; count += 1)
      await Promise.all([sellOne(page, 'Es Teh'), sellOne(other, 'Roti')])
    await lineState(page, 'Luring · 8 antre').waitFor()
    await lineState(other, 'Luring · 8 antre').waitFor()
    sent.length = 0
    await context.setOffline(false)
    await Promise.all([page, other].map((each) => lineState(each, 'Daring').waitFor()))
    expect(await newSales()).toHaveLength(8)
    expect([...sent].sort()).toEqual([...new Set(sent)].sort())
  }, 180_000)

  it('sells a carried file once, taken twice and sent by its own till as well', async () => {
    const { page, context } = await visit(browser())
    await openRegister(page)
    await keepPage(page)
    await context.setOffline(true)
    await sellOne(page, 'Es Teh')
    await sellOne(page, 'Roti')
    await button(page, /^Luring/).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'Simpan berkas').click(),
    ])
    const file = await download.path()
    // Behind an open window the line has no role.
    await page.keyboard.press('Escape')
    await lineState(page, 'Luring · 2 antre').waitFor()
    const text = readFileSync(file, 'utf8')
    const other = await visit(browser())
    await openRegister(other.page)
    await button(other.page, 'Daring').click()
    const take = (content: string) =>
      other.page
        .getByLabel('Berkas penjualan')
        .setInputFiles({ name: 'kasir.json', mimeType: 'application/json', buffer: Buffer.from(content) })
    await take(text.replace('"total":7215', '"total":7216'))
    await other.page.getByRole('alert').getByText('Berkas ini rusak').waitFor()
    await take(text.slice(0, -40))
    await other.page.getByRole('alert').getByText('Berkas ini rusak').waitFor()
    await take('{"hello":1}')
    await other.page.getByRole('alert').getByText('bukan penjualan dari Kasir').waitFor()
    await take(text)
    await other.page.getByText('2 penjualan diambil.').waitFor()
    await expect.poll(async () => (await newSales()).length).toBe(2)
    await take(text)
    await other.page.keyboard.press('Escape')
    await lineState(other.page, 'Daring').waitFor()
    // As after a day: then the reference alone tells the service that it has the sales.
    await deps().db.deleteFrom('idempotencyKeys').execute()
    const answers: number[] = []
    page.on('response', (response) => {
      if (response.request().method() === 'POST' && response.url().endsWith('/sales'))
        answers.push(response.status())
    })
    await context.setOffline(false)
    await lineState(page, 'Daring').waitFor()
    // Its own till learns that both are sold: the service answers with the sales that it has.
    expect(answers).toEqual([200, 200])
    expect(await newSales()).toHaveLength(2)
    const stranger = await memberOf(globex(), 'OWNER', 'Wati')
    await makeOutlet(globex(), { name: 'Lain' })
    const elsewhere = await visit(browser(), undefined, stranger.cookie)
    await elsewhere.page.goto(page.url())
    await button(elsewhere.page, 'Daring').click()
    await elsewhere.page
      .getByLabel('Berkas penjualan')
      .setInputFiles({ name: 'kasir.json', mimeType: 'application/json', buffer: Buffer.from(text) })
    await elsewhere.page.getByRole('alert').getByText('milik usaha lain').waitFor()
  }, 180_000)

  it('says before the first sale that the device has little storage left, and sells all the same', async () => {
    const { page, context } = await visit(browser())
    await page.addInitScript(
      `navigator.storage.estimate = async () => ({ quota: 60_000_000, usage: 59_000_000 })`,
    )
    await openRegister(page)
    const warning = page.getByText('Ruang penyimpanan perangkat ini hampir habis')
    expect(await warning.count()).toBe(0)
    await context.setOffline(true)
    await warning.waitFor()
    await sellOne(page, 'Es Teh')
    await context.setOffline(false)
    await expect.poll(async () => (await newSales()).length).toBe(1)
    await warning.waitFor({ state: 'detached' })
  }, 180_000)

  it('records every sale once when the service is killed while they are sent', async () => {
    const first = await startProcess()
    const port = new URL(first.address).port
    const { page } = await visit(browser(), { ...DESKTOP, at: first.address })
    await openRegister(page, first.address)
    await first.kill()
    const count = 15
    for (let sold = 0; sold < count; sold += 1) await sellOne(page, 'Es Teh')
    await lineState(page, `Luring · ${count} antre`).waitFor()
    for (const least of [3, 9]) {
      const next = await startProcess({ PORT: port })
      await expect
        .poll(async () => (await newSales()).length, { timeout: 40_000, interval: 5 })
        .toBeGreaterThan(least)
      await next.kill()
    }
    const last = await startProcess({ PORT: port })
    await lineState(page, 'Daring').waitFor({ timeout: 40_000 })
    expect(await newSales()).toHaveLength(count)
    await last.kill()
  }, 300_000)
})
