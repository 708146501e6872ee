import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInChromium } from '../support/browser.ts'
import {
  makeModifier,
  makeModifierGroup,
  makeOutlet,
  makeProduct,
  makeTable,
  openBill,
} from '../support/build.ts'
import { done } from '../support/expect.ts'
import {
  BUILT,
  list,
  openRegister,
  photograph,
  requireBuiltRegister,
  type Screen,
  tile,
  visit,
} from '../support/register-page.ts'
import { acme, address, useService } from '../support/service.ts'

requireBuiltRegister()
useService()

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const LONG = 'Nasi Goreng Spesial Pedas dengan Telur Mata Sapi dan Kerupuk Udang'

beforeAll(async () => {
  const outletId = await makeOutlet(acme(), {
    name: 'Kopi Senja Cikini',
    taxRateBps: 1_100,
    taxLabel: 'PPN',
  })
  done(await acme().put('/settings', { businessType: 'FNB' }))
  const categories: string[] = []
  for (const name of ['Kopi', 'Makanan', 'Roti & kue'])
    categories.push(done(await acme().post('/categories', { name })).category.id)
  const names = ['Americano', LONG, 'Croissant', 'Es Kopi', 'Soto Ayam', 'Roti Bakar', 'Bakso', 'Mie Ayam']
  for (const [at, name] of names.entries())
    await makeProduct(acme(), {
      name,
      categoryId: categories[at % 3],
      trackStock: false,
      variants: [{ price: 8_000 + at * 3_500 }],
    })
  const latte = await makeProduct(acme(), {
    name: 'Kopi Susu',
    categoryId: categories[0],
    trackStock: false,
    variants: [
      { name: 'Panas', price: 15_000 },
      { name: 'Dingin', price: 18_000 },
    ],
  })
  const sugar = await makeModifierGroup(acme(), { name: 'Gula', minSelect: 1, maxSelect: 1 })
  for (const name of ['Normal', 'Sedikit', 'Tanpa gula'])
    await makeModifier(acme(), sugar, { name, price: 0 })
  done(await acme().put(`/modifiers/product/${latte.id}`, { groupIds: [sugar] }))
  await fillDiningRoom(outletId)
})

/** Tables free and occupied, and orders in every state of the kitchen. */
async function fillDiningRoom(outletId: string) {
  const soup = await makeProduct(acme(), {
    name: 'Sup Buntut',
    trackStock: false,
    variants: [{ price: 45_000 }],
  })
  const long = await makeProduct(acme(), {
    name: `${LONG} Jumbo`,
    trackStock: false,
    variants: [{ price: 9_000 }],
  })
  const [first, second] = [soup.variants[0].id, long.variants[0].id]
  for (const [at, label] of ['M1', 'M2', 'Meja panjang di teras belakang', 'M4'].entries()) {
    const place = {
      posX: (at % 2) * 140,
      posY: Math.floor(at / 2) * 120,
      shape: at === 1 ? 'ROUND' : 'SQUARE',
    }
    const table = await makeTable(acme(), outletId, label, place)
    if (at === 3) continue
    const items = [
      { variantId: first, quantity: 2, note: 'tanpa seledri, kuah dipisah' },
      { variantId: second, quantity: 1 },
    ]
    const { id, items: made } = await openBill(acme(), { outletId, tableId: table.id, items })
    for (let step = 0; step < at; step += 1) done(await acme().post(`/kds/${id}/advance`))
    // One dish that the kitchen had started is cancelled.
    if (at === 1) done(await acme().patch(`/sales/${id}/items`, { items: [{ id: made[0]?.id }] }))
  }
}

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** The rules about colours. A theme changes nothing else, so the second one is judged by these alone. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/** What axe finds on the page as it is now: WCAG 2.0 to 2.2, A and AA. */
async function violations(page: Page, where: string, runOnly: readonly string[]): Promise<string[]> {
  await page.evaluate(AXE)
  const found = (await page.evaluate(`axe.run(document, { runOnly: ${JSON.stringify(runOnly)} })`)) as {
    violations: { id: string; nodes: { html: string }[] }[]
  }
  return found.violations.map(({ id, nodes }) => `${where}: ${id}: ${nodes[0]?.html.slice(0, 200)}`)
}

const hasSidewaysScroll = (page: Page) =>
  page.evaluate(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth',
  ) as Promise<boolean>

const WORDS = {
  id: {
    products: 'Barang',
    cart: /^Keranjang/,
    pay: /^Bayar/,
    done: 'Selesai',
    next: 'Jual lagi',
    hold: 'Tahan',
    close: 'Tutup',
    open: 'Buka shift',
    end: 'Tutup shift',
    float: 'Modal awal',
    sales: 'Penjualan',
    refund: 'Refund',
    customer: 'Pelanggan',
    discount: 'Diskon',
    bills: 'Bon',
    create: 'Buat usaha baru',
    online: 'Daring',
    start: 'Mulai',
    floor: 'Meja',
    map: 'Denah',
    options: 'Pilihan M1',
    arrange: 'Susun',
    tickets: 'Tiket',
    groups: 'Siap disajikan',
  },
  en: {
    products: 'Products',
    cart: /^Cart/,
    pay: /^Pay/,
    done: 'Done',
    next: 'Next sale',
    hold: 'Hold',
    close: 'Close',
    open: 'Open shift',
    end: 'Close shift',
    float: 'Opening float',
    sales: 'Sales',
    refund: 'Refund',
    customer: 'Customer',
    discount: 'Discount',
    bills: 'Bills',
    create: 'Create a business',
    online: 'Online',
    start: 'Start',
    floor: 'Tables',
    map: 'Map',
    options: 'Options M1',
    arrange: 'Arrange',
    tickets: 'Tickets',
    groups: 'Ready to serve',
  },
} as const

/** Walks through every page and window, and looks at each. */
async function walk(
  page: Page,
  screen: Required<Pick<Screen, 'width' | 'language'>>,
  look: (where: string) => Promise<void>,
) {
  const words = WORDS[screen.language]
  const isNarrow = screen.width < 1_024
  const button = (name: string | RegExp) => page.getByRole('button', { name })
  const dialog = async (name: string) => {
    await page.getByRole('dialog').waitFor()
    await look(name)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  const goods = list(page, words.products).getByRole('button')
  await page.goto(`${address()}/jual`)
  await goods.first().waitFor()
  await look('empty register')
  for (const name of ['Americano', LONG, LONG, 'Croissant'])
    await goods
      .filter({ hasText: name.slice(0, 20) })
      .first()
      .click()
  await look('register')
  await button(words.online).click()
  await dialog('outbox')
  await goods.filter({ hasText: 'Kopi Susu' }).click()
  await dialog('variants')
  if (isNarrow) await button(words.cart).first().click()
  await look('cart')
  await button(words.customer).click()
  await dialog('customer')
  await button(words.discount).click()
  await dialog('discount')
  await button(words.hold).click()
  await dialog('hold')
  await button(words.bills).click()
  await dialog('bills')
  await button(words.pay).last().click()
  await look('pay')
  await button(words.done).click()
  await button(words.next).waitFor()
  await look('change')
  await page.goto(`${address()}/shift`)
  await page.getByRole('textbox', { name: words.float }).fill('100000')
  await look('open shift')
  await button(words.open).click()
  await button(words.end).waitFor()
  await look('shift')
  await button(words.end).click()
  await page.getByLabel('Rp 50.000').fill('1')
  await look('close shift')
  await page.getByLabel('Rp 50.000').fill('2')
  await button(words.end).click()
  await page.getByRole('status').first().waitFor()
  await look('closed shift')
  await page.goto(`${address()}/penjualan`)
  await list(page, words.sales).getByRole('link').first().waitFor()
  await look('sales')
  await list(page, words.sales).getByRole('link').first().click()
  await button(words.refund).waitFor()
  await look('sale')
  await button(words.refund).click()
  await dialog('refund')
  await button('Void').click()
  await dialog('void')
  await walkDiningRoom(page, words, { look, dialog })
  await page.goto(`${address()}/no-such-page`)
  await page.getByRole('link').waitFor()
  await look('no such page')
}

async function walkDiningRoom(
  page: Page,
  words: (typeof WORDS)['id' | 'en'],
  { look, dialog }: Record<'look' | 'dialog', (where: string) => Promise<void>>,
) {
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await page.goto(`${address()}/meja`)
  await list(page, words.floor).waitFor()
  await look('floor')
  await button(words.map).click()
  await look('floor map')
  await button(words.options).click()
  await page.getByRole('dialog').getByRole('listitem').first().waitFor()
  await dialog('table')
  await button(words.arrange).click()
  await list(page, words.floor).getByRole('button').first().click()
  await look('arrange')
  await page.goto(`${address()}/dapur`)
  await list(page, words.tickets).getByRole('article').first().waitFor()
  await look('kitchen')
  await page.goto(`${address()}/saji`)
  await list(page, words.groups).getByRole('article').first().waitFor()
  await look('serve')
}

describeInChromium('every page', (browser) => {
  for (const width of [390, 1_280])
    for (const language of ['id', 'en'] as const)
      it(`has nothing for axe to find in either theme and never scrolls sideways: ${width} px, ${language}`, async () => {
        const screen = { width, height: width === 390 ? 844 : 800, language }
        const { page, strangers, complaints } = await visit(browser(), screen)
        const found: string[] = []
        const look = async (on: Page, where: string) => {
          for (const [theme, rules] of [
            ['dark', COLOUR_RULES],
            ['light', TAGS],
          ] as const) {
            await on.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
            found.push(...(await violations(on, `${where}, ${theme}`, rules)))
            await photograph(on, `${where.replaceAll(' ', '-')}-${width}-${theme}-${language}`)
          }
          if (await hasSidewaysScroll(on)) found.push(`${where}: scrolls sideways`)
        }
        // Colours change without a transition, so that none is judged half way.
        await page.emulateMedia({ reducedMotion: 'reduce' })
        await walk(page, screen, (where) => look(page, where))
        const outside = await visit(browser(), screen, null)
        await outside.page.emulateMedia({ reducedMotion: 'reduce' })
        for (const path of [
          '/masuk',
          '/daftar',
          '/layar',
          '/lupa-kata-sandi',
          '/password#token',
          '/verify',
          '/invitation#token',
          '/second-factor#challenge=one',
        ]) {
          await outside.page.goto(address() + path)
          await outside.page.getByRole('heading').first().waitFor()
          await look(outside.page, path.slice(1))
        }
        expect(found).toEqual([])
        expect([...strangers, ...outside.strangers]).toEqual([])
        expect([...complaints, ...outside.complaints]).toEqual([])
      }, 180_000)

  it.each([
    ['on 320 px', { width: 320, height: 640 }],
    // What a zoom of 200% leaves of 1280 × 800.
    ['at a zoom of 200%', { width: 640, height: 400 }],
  ])('can be used %s without scrolling sideways', async (_, screen) => {
    const { page } = await visit(browser(), screen)
    await openRegister(page)
    await tile(page, 'Americano').click()
    expect(await hasSidewaysScroll(page)).toBe(false)
    await page.getByRole('button', { name: /^Keranjang/ }).click()
    expect(await hasSidewaysScroll(page)).toBe(false)
    await page
      .getByRole('button', { name: /^Bayar/ })
      .last()
      .click()
    expect(await hasSidewaysScroll(page)).toBe(false)
    for (const path of ['meja', 'dapur', 'saji']) {
      await page.goto(`${address()}/${path}`)
      await page.getByRole('main').getByRole('listitem').first().waitFor()
      expect([path, await hasSidewaysScroll(page)]).toEqual([path, false])
    }
  })

  it('loads at most 180 kB of scripts and 12 kB of styles for the first sale', async () => {
    const { page } = await visit(browser())
    const files = new Set<string>()
    page.on('response', (response) => {
      const name = /\/assets\/([^/]+)$/.exec(new URL(response.url()).pathname)?.[1]
      // What the service worker keeps for later is not part of the first load.
      if (name !== undefined && response.request().serviceWorker() === null) files.add(name)
    })
    await openRegister(page)
    await tile(page, 'Americano').click()
    const kB = (ending: string) =>
      [...files]
        .filter((name) => name.endsWith(ending))
        .reduce((total, name) => total + gzipSync(readFileSync(`${BUILT}assets/${name}`)).length, 0) / 1_024
    expect(readdirSync(`${BUILT}assets`)).toEqual(expect.arrayContaining([...files]))
    expect(files.size).toBeGreaterThan(2)
    console.log(`first load: ${kB('.js').toFixed(1)} kB of scripts, ${kB('.css').toFixed(1)} kB of styles`)
    expect(kB('.js')).toBeLessThan(180)
    expect(kB('.css')).toBeLessThan(12)
  })
})
