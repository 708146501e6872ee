import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { manualClock } from '../../src/platform/clock.ts'
import type { Api } from '../support/api.ts'
import { describeInChromium } from '../support/browser.ts'
import { makeTable, openBill, openShift } from '../support/build.ts'
import { memberOf } from '../support/clients.ts'
import { attachPrinter } from '../support/device-printer.ts'
import { done } from '../support/expect.ts'
import { datesFrom, openAlbum, unusedReferences, whyIncomparable } from '../support/page-pictures.ts'
import { fillShop, type PictureShop, sellAt } from '../support/picture-shop.ts'
import { lineState, list, requireBuiltRegister, sellOne, tile, visit } from '../support/register-page.ts'
import { address, useService, workspace } from '../support/service.ts'

requireBuiltRegister()
/** A Tuesday, a quarter past ten in Jakarta. */
const NOW = '2026-03-10T03:15:00.000Z'
const clock = manualClock(NOW)
useService({ clock })
beforeAll(() => void datesFrom(clock.now))

const pass = (minutes = 1) => clock.advance(minutes * 60_000)
const names = new Set<string>()
let journeys = 0
const [PHONE, SHEET, DESKTOP] = [[390], [390, 800], [1_280]]

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name }).first().waitFor()
const go = (page: Page, path: string) => page.goto(address() + path)
const choose = async (page: Page, entry: string) => {
  await button(page, /^Anggota/).click()
  await page.getByRole('menuitem', { name: entry }).click()
}
const closeDialog = async (page: Page) => {
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

type Window = { api?: Api; cookie?: string; language?: 'id' | 'en' }

/** A window of an owner, a member or a stranger, whose clock stands still at the time of the service. */
async function open(browser: Browser, { api, cookie: given, language = 'id' }: Window) {
  const cookie = api ? (await memberOf(api, 'OWNER', 'Rina')).cookie : (given ?? null)
  const seen = await visit(browser, { width: 1_280, height: 800, language }, cookie)
  await seen.context.clock.setFixedTime(clock.now())
  await seen.page.emulateMedia({ reducedMotion: 'reduce' })
  return seen
}

/** A café that has sold nothing yet. */
async function openCafe(): Promise<{ api: Api; shop: PictureShop }> {
  clock.set(NOW)
  const api = await workspace('Kopi Senja')
  return { api, shop: await fillShop(api, pass) }
}

/** A browser whose random numbers, and so the numbers of its sales, are the same at every run. */
const SAME_NUMBERS = `{
  let last = 1
  crypto.getRandomValues = (array) => array.map((_, at) => { array[at] = last = (last * 16_807) % 2_147_483_647 }) && array
}`

describeInChromium('a page', (browser) => {
  type Look = ReturnType<typeof openAlbum>['look']
  const compare = (promise: string, work: (look: Look) => Promise<void>) => {
    journeys += 1
    it(promise, { retry: 0, timeout: 180_000 }, async ({ skip }) => {
      const reason = whyIncomparable(browser())
      if (reason !== null) skip(reason)
      const album = openAlbum()
      await work(album.look)
      for (const name of album.names) names.add(name)
      journeys -= 1
      expect(album.differences).toEqual([])
    })
  }

  compare('before signing in looks as it did, and so does the first page of a new business', async (look) => {
    const { page } = await open(browser(), {})
    await go(page, '/masuk')
    await heading(page, 'Masuk')
    await look(page, 'sign-in')
    await look(page, 'sign-in', { theme: 'dark', widths: PHONE })
    await go(page, '/daftar')
    await heading(page, 'Buat usaha baru')
    await look(page, 'sign-up')
    const english = (await open(browser(), { language: 'en' })).page
    await go(english, '/masuk')
    await heading(english, 'Sign in')
    await look(english, 'sign-in-en', { widths: PHONE })
    clock.set(NOW)
    const first = (await open(browser(), { api: await workspace('Warung Baru') })).page
    await go(first, '/beranda')
    await list(first, 'Siapkan usaha Anda').getByRole('link').first().waitFor()
    await look(first, 'first-run')
  })

  compare('of a sale looks as it did, from the empty cart to the change', async (look) => {
    const { api } = await openCafe()
    const { page, context } = await open(browser(), { api })
    const display = await context.newPage()
    await go(display, '/layar')
    await go(page, '/jual')
    await tile(page, 'Americano').waitFor()
    await look(page, 'register-empty')
    const goods = ['Americano', 'Nasi Goreng', 'Nasi Goreng', 'Lapis Legit']
    for (const name of goods.slice(0, 2)) await tile(page, name).click()
    await button(page, 'Tahan').click()
    await page.getByRole('dialog').getByRole('textbox').first().fill('Bu Tini')
    await button(page, 'Simpan bon').click()
    await button(page, 'Bon').click()
    await page.getByRole('dialog').getByText('Bu Tini').waitFor()
    await look(page, 'open-bills')
    await closeDialog(page)
    for (const name of goods) await tile(page, name).click()
    await look(page, 'register')
    await look(page, 'register', { theme: 'dark', widths: [390, 1_280] })
    await display.getByText('Lapis Legit').waitFor()
    await look(display, 'display')
    await page.bringToFront()
    await page.setViewportSize({ width: 390, height: 800 })
    await button(page, /^Keranjang/)
      .first()
      .click()
    await look(page, 'cart', { widths: SHEET })
    await button(page, /^Bayar/)
      .last()
      .click()
    await page.getByRole('radio', { name: 'Tunai' }).waitFor()
    await button(page, '200.000').click()
    await look(page, 'payment')
    await look(page, 'payment', { theme: 'dark', widths: PHONE })
    await button(page, 'Selesai').click()
    await button(page, 'Jual lagi').waitFor()
    await look(page, 'sale-done')
    await display.getByText('Kembali').waitFor()
    await look(display, 'display-change', { widths: SHEET })
    const english = (await open(browser(), { api, language: 'en' })).page
    await go(english, '/jual')
    await list(english, 'Products').getByRole('button', { name: 'Americano' }).click()
    await look(english, 'register-en', { widths: [390, 1_280] })
  })

  compare('without a line, or with a refused sale, looks as it did', async (look) => {
    const { api } = await openCafe()
    const { page, context } = await open(browser(), { api })
    await context.addInitScript(SAME_NUMBERS)
    await go(page, '/jual')
    await tile(page, 'Americano').waitFor()
    await context.setOffline(true)
    await sellOne(page, 'Nasi Goreng')
    await button(page, 'Jual lagi').click()
    await lineState(page, 'Luring').waitFor()
    await look(page, 'offline')
    await page.route('**/api/v1/sales', (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      const error = { code: 'VALIDATION_FAILED', message: 'Nasi Goreng is not sold any more' }
      const json = { data: null, error, meta: { requestId: 'req_01', timestamp: NOW } }
      return route.fulfill({ status: 422, json })
    })
    await context.setOffline(false)
    await lineState(page, 'Perlu tindakan').waitFor()
    await look(page, 'needs-action')
    await button(page, 'Perlu tindakan').click()
    await page.getByRole('dialog').waitFor()
    await page.getByRole('dialog').getByText('req_01').waitFor()
    await look(page, 'needs-action-list')
    await closeDialog(page)
  })

  compare('of a shift and its sales looks as it did', async (look) => {
    const { api, shop } = await openCafe()
    const rina = await memberOf(api, 'OWNER', 'Rina')
    const { page, context } = await open(browser(), { cookie: rina.cookie })
    await go(page, '/shift')
    await page.getByRole('textbox', { name: 'Modal awal' }).waitFor()
    await look(page, 'shift-open')
    await openShift(rina.api, shop.outletId, 200_000)
    await sellAt(rina.api, shop, ['Americano', 'Croissant'])
    pass(7)
    await sellAt(rina.api, shop, ['Nasi Goreng', 'Es Kopi', 'Es Kopi'], 'QRIS')
    pass(9)
    const last = await sellAt(rina.api, shop, ['Soto Ayam', 'Lapis Legit'])
    pass(2)
    await context.clock.setFixedTime(clock.now())
    await go(page, '/shift')
    await button(page, 'Tutup shift').waitFor()
    await look(page, 'shift')
    await button(page, 'Tutup shift').click()
    await page.getByLabel('Rp 100.000').fill('2')
    await page.getByLabel('Rp 50.000').fill('2')
    await look(page, 'shift-close')
    await go(page, '/penjualan')
    await list(page, 'Penjualan').getByRole('link').nth(2).waitFor()
    await look(page, 'sales')
    await go(page, `/penjualan?sale=${last.id}`)
    await button(page, 'Refund').waitFor()
    await look(page, 'sale')
    await look(page, 'sale', { theme: 'dark', widths: PHONE })
    const english = (await open(browser(), { cookie: rina.cookie, language: 'en' })).page
    await go(english, `/penjualan?sale=${last.id}`)
    await button(english, 'Refund').waitFor()
    await look(english, 'sale-en', { widths: [390] })
  })

  compare('of an enrolled till looks as it did', async (look) => {
    const { api, shop } = await openCafe()
    for (const [name, role, pin] of [
      ['Budi', 'MANAGER', '9753'],
      ['Dewi', 'CASHIER', '1357'],
      ['Sari', 'CASHIER', '2468'],
    ] as const)
      done(await api.patch(`/members/${(await memberOf(api, role, name)).id}`, { pin }))
    const { page, context } = await open(browser(), { api })
    await attachPrinter(context)
    await go(page, '/jual')
    await tile(page, 'Americano').waitFor()
    await choose(page, 'Jadikan kasir terdaftar')
    await page.getByRole('textbox', { name: 'Nama kasir' }).fill('Depan')
    await button(page, 'Daftarkan').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const [till] = done(await api.get('/tills')).tills
    const printer = { outletId: shop.outletId, kind: 'TILL', name: 'Struk', tillId: till.id, paper: 58 }
    done(await api.post('/printers', printer))
    await choose(page, 'Printer kasir')
    await page.getByRole('dialog').getByRole('button', { name: 'Kabel USB' }).waitFor()
    await look(page, 'till-printer')
    await closeDialog(page)
    await choose(page, 'Ganti kasir')
    await button(page, /^Sari/).waitFor()
    await look(page, 'lock')
    await button(page, /^Sari/).click()
    await page.getByRole('group', { name: 'PIN' }).waitFor()
    await look(page, 'lock-pin')
  })

  compare('of the dining room looks as it did', async (look) => {
    const { api, shop } = await openCafe()
    const steps = [0, 1, 2, 2, null, null]
    for (const [at, step] of steps.entries()) {
      const place = {
        posX: (at % 3) * 100,
        posY: Math.floor(at / 3) * 110,
        shape: at % 2 ? 'ROUND' : 'SQUARE',
      }
      const table = await makeTable(
        api,
        shop.outletId,
        at === 4 ? 'Meja panjang di teras' : `M${at + 1}`,
        place,
      )
      if (step === null) continue
      const items = [
        { variantId: shop.variants['Soto Ayam'], quantity: 2, note: 'tanpa seledri, kuah dipisah' },
        { variantId: shop.variants['Es Kopi'], quantity: 1 + at },
      ]
      const { id } = await openBill(api, { outletId: shop.outletId, tableId: table.id, items })
      for (let count = 0; count < step; count += 1) done(await api.post(`/kds/${id}/advance`))
      pass(6)
    }
    const { page } = await open(browser(), { api })
    await go(page, '/meja')
    await list(page, 'Meja').getByText('Terisi').first().waitFor()
    await button(page, 'Daftar').click()
    await look(page, 'floor-list')
    await button(page, 'Denah').click()
    await look(page, 'floor')
    await go(page, '/dapur')
    await list(page, 'Tiket').getByRole('article').nth(1).waitFor()
    await look(page, 'kitchen')
    await look(page, 'kitchen', { theme: 'dark', widths: DESKTOP })
    await go(page, '/saji')
    await list(page, 'Siap disajikan').getByRole('article').nth(1).waitFor()
    await look(page, 'serve')
  })

  compare('of the back office looks as it did', async (look) => {
    const { api, shop } = await openCafe()
    for (const day of ['2026-03-03', '2026-03-08', '2026-03-09', '2026-03-10']) {
      clock.set(`${day}T02:10:00.000Z`)
      await sellAt(api, shop, ['Americano', 'Croissant'])
      pass(11)
      await sellAt(api, shop, ['Nasi Goreng', 'Es Kopi', 'Lapis Legit'], 'QRIS')
    }
    const variantId = shop.variants['Croissant']
    done(await api.put('/inventory/reorder', { outletId: shop.outletId, variantId, reorderPoint: 20 }))
    const printer = { outletId: shop.outletId, kind: 'NETWORK', name: 'Dapur', host: '192.168.1.50' }
    done(await api.post('/printers', { ...printer, stations: ['Dapur'] }))
    await openShift(api, shop.outletId, 200_000)
    pass(40)
    const { page } = await open(browser(), { api })
    const views = {
      dashboard: '/beranda',
      products: '/produk',
      product: `/produk?id=${shop.products['Croissant']}`,
      report: '/laporan',
      stock: '/stok',
      customers: '/pelanggan',
      printers: '/pengaturan?tab=printers',
    }
    for (const [name, path] of Object.entries(views)) {
      await go(page, path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      await look(page, `office-${name}`)
    }
    await go(page, '/laporan')
    await page.waitForLoadState('networkidle')
    await look(page, 'office-report', { theme: 'dark', widths: DESKTOP })
    const english = (await open(browser(), { api, language: 'en' })).page
    await go(english, '/beranda')
    await english.waitForLoadState('networkidle')
    await look(english, 'office-dashboard-en', { widths: DESKTOP })
  })

  it('has no reference that is compared with nothing', ({ skip }) => {
    if (journeys > 0) skip('not every page was compared')
    expect(unusedReferences(names)).toEqual([])
  })
})
