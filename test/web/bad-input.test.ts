import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { describeInChromium } from '../support/browser.ts'
import { makeOutlet, makeProduct } from '../support/build.ts'
import { done } from '../support/expect.ts'
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
import { scan } from '../support/scanner.ts'
import { acme, address, useService } from '../support/service.ts'

requireBuiltRegister()
useService()

const DAY_MS = 24 * 3_600_000
const TEA = '8991000000011'
let bread = ''

beforeAll(async () => {
  await makeOutlet(acme(), { name: 'Cikini' })
  await makeProduct(acme(), { name: 'Es Teh', trackStock: false, variants: [{ price: 6_500, barcode: TEA }] })
  bread = (await makeProduct(acme(), { name: 'Roti', trackStock: false, variants: [{ price: 15_000 }] })).id
})

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const cart = (page: Page) => list(page, 'Keranjang').getByRole('listitem')
const search = (page: Page) => page.getByRole('searchbox', { name: 'Cari atau pindai' })
const received = (page: Page) => page.getByRole('textbox', { name: 'Diterima' })
const change = (page: Page) => page.getByRole('status').filter({ hasText: 'Kembali' })
const completed = async () => (await acme().get('/sales?status=COMPLETED&limit=100')).data
const lastSale = async () => done(await acme().get(`/sales/${(await completed())[0].id}`)).sale

/** Counts the low tones of the register. */
const COUNT_TONES = `window.tones = 0
  const create = AudioContext.prototype.createOscillator
  AudioContext.prototype.createOscillator = function () { window.tones += 1; return create.call(this) }`
const tones = (page: Page) => page.evaluate('window.tones')

describeInChromium('bad input at the register', (browser) => {
  it('a scan during payment sounds, adds nothing, and leaves the typed amount as it was', async () => {
    const { page } = await visit(browser())
    await page.addInitScript(COUNT_TONES)
    await openRegister(page)
    await tile(page, 'Es Teh').click()
    await button(page, /^Bayar/).click()
    await received(page).fill('10000')
    await scan(page, TEA)
    await expect.poll(() => tones(page)).toBe(1)
    expect(await received(page).inputValue()).toBe('10.000')
    await button(page, 'Selesai').click()
    await change(page).getByText('3.500').waitFor()
    await expect.poll(async () => (await lastSale()).items).toMatchObject([{ quantity: 1 }])
  }, 60_000)

  it('a pasted amount such as "Rp 12.500,-" is read as 12.500 rupiah, and cash below the total is refused', async () => {
    const { page } = await visit(browser())
    await openRegister(page)
    await tile(page, 'Es Teh').click()
    await button(page, /^Bayar/).click()
    const paste = (text: string) =>
      received(page).evaluate(
        (field: { select(): void; ownerDocument: { execCommand(...args: unknown[]): void } }, pasted) => {
          field.select()
          field.ownerDocument.execCommand('insertText', false, pasted)
        },
        text,
      )
    await paste('Rp 5.000,-')
    await button(page, 'Selesai').click()
    await page
      .getByRole('alert')
      .getByText(/kurang/i)
      .waitFor()
    await paste('Rp 12.500,-')
    expect(await received(page).inputValue()).toBe('12.500')
    await button(page, 'Selesai').click()
    await change(page).getByText('6.000').waitFor()
  }, 60_000)

  it('a quantity of 0 or of 100001 adds nothing, and what a line cannot hold becomes another line', async () => {
    const { page } = await visit(browser())
    await openRegister(page)
    for (const typed of ['0*', '100001*']) {
      await search(page).fill(typed)
      await page.getByText(`“${typed}” tidak ditemukan`).waitFor()
      await search(page).press('Enter')
      expect(await search(page).inputValue()).toBe(typed)
    }
    await page.getByText('Keranjang kosong').waitFor()
    await search(page).fill('100000*')
    await tile(page, 'Es Teh').click()
    await cart(page).getByText('100000', { exact: true }).first().waitFor()
    expect(await cart(page).getByRole('button', { name: 'Lebihkan' }).isDisabled()).toBe(true)
    await search(page).fill('3*')
    await tile(page, 'Es Teh').click()
    await expect.poll(() => cart(page).count()).toBe(2)
    await cart(page).getByText('100000', { exact: true }).first().waitFor()
    await cart(page).getByText('3', { exact: true }).first().waitFor()
    await search(page).blur()
    await page.keyboard.press('Delete')
    await page.keyboard.press('Delete')
    await page.getByText('Keranjang kosong').waitFor()
  }, 60_000)

  it('a price above the largest one is refused with the reason, and goods that would pass the largest sale are not added', async () => {
    const { page, complaints } = await visit(browser(), { width: 390, height: 844 })
    await openRegister(page)
    await search(page).fill('100000*')
    await tile(page, 'Es Teh').click()
    await search(page).fill('100000*')
    await button(page, 'Barang bebas').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Nama' }).fill('Emas')
    await dialog.getByRole('textbox', { name: 'Harga' }).fill('999999999999')
    await dialog.getByText('Harga satuan paling tinggi Rp 1.000.000.000').waitFor()
    expect(await dialog.getByRole('button', { name: /^Tambah/ }).isDisabled()).toBe(true)
    await photograph(page, 'open-item-too-dear')
    await dialog.getByRole('textbox', { name: 'Harga' }).fill('12500000')
    await dialog.getByRole('button', { name: /^Tambah/ }).click()
    await page.getByRole('alert').getByText('Tidak ditambahkan').waitFor()
    await photograph(page, 'cart-full')
    await button(page, 'Tutup').click()
    await button(page, /^Keranjang/).click()
    await expect.poll(() => cart(page).count()).toBe(1)
    await button(page, 'Kosongkan keranjang').click()
    expect(complaints).toEqual([])
  }, 60_000)

  it('a stored cart that cannot be drawn leaves a way back: the cashier empties it and sells on', async () => {
    const { page } = await visit(browser(), { width: 390, height: 844 })
    await openRegister(page)
    await tile(page, 'Es Teh').click()
    await page.evaluate(`(() => {
      const stored = JSON.parse(localStorage.getItem(sessionStorage.getItem('kasir-cart')))
      stored.state.lines[0].quantity = 1e9
      localStorage.setItem(sessionStorage.getItem('kasir-cart'), JSON.stringify(stored))
    })()`)
    await page.reload()
    await page.getByRole('alert').getByText('Keranjang ini tidak bisa ditampilkan').waitFor()
    await photograph(page, 'register-failed')
    await button(page, 'Kosongkan keranjang').click()
    await tile(page, 'Es Teh').click()
    await button(page, /^Keranjang/).click()
    await button(page, /^Uang pas/).click()
    await change(page).waitFor()
  }, 60_000)

  it('goods that were deactivated while they were in the cart are sold as they were rung up, and are offered no longer', async () => {
    const before = (await completed()).length
    const { page } = await visit(browser())
    await openRegister(page)
    await tile(page, 'Roti').click()
    done(await acme().patch(`/products/${bread}`, { isActive: false }))
    await button(page, /^Uang pas/).click()
    await change(page).waitFor()
    await expect.poll(async () => (await completed()).length).toBe(before + 1)
    expect(await lastSale()).toMatchObject({ total: 15_000, items: [{ productName: 'Roti' }] })
    await page.reload()
    await tile(page, 'Es Teh').waitFor()
    await expect.poll(() => tile(page, 'Roti').count()).toBe(0)
    done(await acme().patch(`/products/${bread}`, { isActive: true }))
  }, 60_000)

  it('goods that were deactivated while they were on an open bill are refused with the reason, and the bill stays', async () => {
    const { page } = await visit(browser())
    await openRegister(page)
    await tile(page, 'Es Teh').click()
    await button(page, 'Tahan').click()
    await page.getByRole('textbox', { name: 'Nama bon' }).fill('Bu Rita')
    await button(page, 'Simpan bon').click()
    await page.getByText('Keranjang kosong').waitFor()
    await button(page, /^Bon/).click()
    await list(page, 'Bon terbuka')
      .getByRole('button', { name: /^Bu Rita/ })
      .first()
      .click()
    await cart(page).getByText('Es Teh').waitFor()
    await tile(page, 'Roti').click()
    done(await acme().patch(`/products/${bread}`, { isActive: false }))
    await button(page, /^Uang pas/).click()
    await page
      .getByRole('alert')
      .getByText(/·\s*req_/)
      .waitFor()
    await expect.poll(() => cart(page).count()).toBe(2)
    // The line that was added last is the selected one.
    await page.keyboard.press('Delete')
    await button(page, /^Uang pas/).click()
    await change(page).waitFor()
    await expect.poll(async () => (await lastSale()).note).toBe('Bu Rita')
    expect((await lastSale()).total).toBe(6_500)
    done(await acme().patch(`/products/${bread}`, { isActive: true }))
  }, 60_000)

  for (const [name, days] of [
    ['ahead', 1],
    ['behind', -1],
  ] as const) {
    it(`a device clock that is a day ${name} dates no sale wrong, with the line down too`, async () => {
      const before = (await completed()).length
      const { page, context } = await visit(browser())
      await page.clock.setSystemTime(Date.now() + days * DAY_MS)
      await openRegister(page)
      await keepPage(page)
      await context.setOffline(true)
      await page.reload()
      await sellOne(page, 'Es Teh')
      await lineState(page, 'Luring · 1 antre').waitFor()
      await context.setOffline(false)
      await expect.poll(async () => (await completed()).length).toBe(before + 1)
      const { soldAt } = (await lastSale()).offline
      expect(Math.abs(Date.now() - Date.parse(soldAt))).toBeLessThan(10 * 60_000)
    }, 90_000)
  }

  for (const [name, days] of [
    ['jumps a day ahead', 1],
    ['falls back seven years', -7 * 365],
  ] as const)
    it(`a clock that ${name} without a line holds up no sale: the service gets it with the time of its clock`, async () => {
      const before = (await completed()).length
      const { page, context } = await visit(browser())
      await openRegister(page)
      await keepPage(page)
      await context.setOffline(true)
      await page.clock.setSystemTime(Date.now() + days * DAY_MS)
      await sellOne(page, 'Es Teh')
      await lineState(page, 'Luring · 1 antre').waitFor()
      await context.setOffline(false)
      await lineState(page, 'Daring').waitFor({ timeout: 40_000 })
      expect((await completed()).length).toBe(before + 1)
      const { soldAt } = (await lastSale()).offline
      expect(Math.abs(Date.now() - Date.parse(soldAt))).toBeLessThan(10 * 60_000)
    }, 90_000)

  it('storage that takes no more refuses a sale before its receipt, with the line down, and sells with it', async () => {
    const before = (await completed()).length
    const { page, context } = await visit(browser())
    await openRegister(page)
    await keepPage(page)
    await page.evaluate(
      `IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError') }`,
    )
    await context.setOffline(true)
    await tile(page, 'Es Teh').click()
    await button(page, /^Uang pas/).click()
    await page
      .getByRole('alert')
      .getByText(/penyimpanan/i)
      .waitFor()
    expect(await change(page).count()).toBe(0)
    await expect.poll(() => cart(page).count()).toBe(1)
    await context.setOffline(false)
    await lineState(page, 'Daring').waitFor()
    await button(page, /^Uang pas/).click()
    await change(page).waitFor()
    await expect.poll(async () => (await completed()).length).toBe(before + 1)
  }, 90_000)

  it('storage that the browser emptied while the page was open takes the next sales, which are sent once each', async () => {
    const before = (await completed()).length
    const { page, context } = await visit(browser())
    await openRegister(page)
    await keepPage(page)
    await sellOne(page, 'Es Teh')
    await context.setOffline(true)
    const session = await context.newCDPSession(page)
    await session.send('Storage.clearDataForOrigin', { origin: address(), storageTypes: 'indexeddb' })
    for (let count = 0; count < 2; count += 1) await sellOne(page, 'Es Teh')
    await lineState(page, 'Luring · 2 antre').waitFor()
    await context.setOffline(false)
    await expect.poll(async () => (await completed()).length).toBe(before + 3)
    const refs = (await completed())
      .slice(0, 3)
      .map(({ offline }: { offline: { ref: string } }) => offline.ref)
    expect(new Set(refs).size).toBe(3)
  }, 90_000)

  it('a newer version waits until the cart is empty and a person taps it, and answers with unknown fields sell', async () => {
    const service = await upgradable()
    const { page } = await visit(browser(), { width: 1280, height: 800, at: service.url, reach: address() })
    await openRegister(page, service.url)
    await keepPage(page)
    await page.route('**/api/v1/sales', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      const answer = await route.fetch()
      const body = (await answer.json()) as { data: { sale: object } }
      const sale = { ...body.data.sale, loyaltyTier: 'PLATINUM', rows: [{ kind: 'NEW' }] }
      return route.fulfill({ response: answer, json: { ...body, data: { ...body.data, sale, extra: 1 } } })
    })
    await tile(page, 'Es Teh').click()
    service.upgrade()
    await page.evaluate('navigator.serviceWorker.getRegistration().then((found) => found.update())')
    const update = button(page, 'Versi baru siap')
    await update.waitFor()
    expect(await update.isDisabled()).toBe(true)
    await button(page, /^Uang pas/).click()
    await change(page).waitFor()
    await expect.poll(() => update.isDisabled()).toBe(false)
    await Promise.all([page.waitForEvent('load'), update.click()])
    await tile(page, 'Es Teh').waitFor()
    await expect.poll(() => update.count()).toBe(0)
    expect(await page.evaluate('caches.keys()')).toEqual([expect.stringMatching(/^kasir-next-/)])
  }, 90_000)
})

/** The service behind a proxy that, after `upgrade`, serves the worker of another version. */
async function upgradable() {
  const target = new URL(address())
  let isNewer = false
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming
    const options = { host: target.hostname, port: target.port, method, path: url }
    const isWorker = url === '/worker.js'
    const { 'if-none-match': _tag, 'if-modified-since': _time, ...asked } = headers
    const sent = isWorker ? { ...asked, 'accept-encoding': 'identity' } : headers
    const upstream = request({ ...options, headers: sent }, (answer) => {
      if (!isWorker) {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(outgoing)
        return
      }
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () => {
        const text = Buffer.concat(parts).toString()
        const { 'content-length': _, ...kept } = answer.headers
        outgoing.writeHead(answer.statusCode ?? 500, kept)
        outgoing.end(isNewer ? text.replaceAll(/kasir-(?=[0-9a-f])/g, 'kasir-next-') : text)
      })
    })
    upstream.on('error', () => outgoing.destroy())
    incoming.pipe(upstream)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    upgrade: () => {
      isNewer = true
    },
  }
}
