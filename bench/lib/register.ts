import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import type { AccountId } from '../../src/platform/scope.ts'
import { chromiumPath } from '../../test/support/chromium.ts'
import { fillCatalogue } from './seed-catalogue.ts'

/** How much slower than this machine the tablet of a shop is. */
export const CPU_SLOWDOWN = 4

export type RegisterShop = { address: string; cookie: string; session: string }

/** A workspace of one outlet with `variants` products, and the session of its owner. */
export async function openShop(
  address: string,
  pool: pg.Pool,
  { name, variants }: { name: string; variants: number },
): Promise<RegisterShop> {
  const post = async (route: string, body: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${address}/api/v1${route}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`POST ${route} answered ${await answer.text()}`)
    return answer
  }
  const signedUp = await post('/auth/signup', {
    businessName: name,
    name: 'Rina',
    email: `${name.toLowerCase()}@bench.example`,
    password: 'a long password of the bench',
  })
  const cookies = signedUp.headers.getSetCookie().map((text) => text.split(';')[0] ?? '')
  const cookie = cookies.find((text) => text.startsWith('kasir_session=')) ?? ''
  await post('/outlets', { name: 'Cikini' }, { cookie })
  const me = await fetch(`${address}/api/v1/auth/me`, { headers: { cookie } })
  const { data } = (await me.json()) as { data: { user: object; account: { id: string } } }
  await fillCatalogue(pool, data.account.id as unknown as AccountId, variants)
  const session = JSON.stringify({ state: { member: data.user, account: data.account }, version: 0 })
  return { address, cookie, session }
}

export function launchBrowser(): Promise<Browser> {
  const executablePath = chromiumPath()
  if (executablePath === null) throw new Error('No Chromium found: install it, or set CHROMIUM to its path')
  // Without a graphics card, a second process would draw every page with much more work.
  return chromium.launch({ executablePath, args: ['--disable-gpu'] })
}

/** A browser without any memory of the app, signed in. */
export async function newContext(browser: Browser, shop: RegisterShop): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 }, locale: 'id-ID' })
  const [name = '', value = ''] = shop.cookie.split('=')
  await context.addCookies([{ name, value, url: shop.address }])
  await context.addInitScript(`
    localStorage.setItem('kasir-session', ${JSON.stringify(shop.session)})
    localStorage.setItem('kasir-device', JSON.stringify({ state: { language: 'id', theme: 'light', outletId: null }, version: 0 }))
  `)
  await context.addInitScript(await readFile(PROBES, 'utf8'))
  return context
}
const PROBES = path.join(fileURLToPath(new URL('../processes/', import.meta.url)), 'register-probes.js')

/** A page whose processor is as slow as that of a tablet. */
export async function slowPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  page.setDefaultTimeout(120_000)
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  return page
}

export async function openRegister(page: Page, { address }: RegisterShop) {
  await page.goto(`${address}/jual`)
  await page.getByRole('list', { name: 'Barang', exact: true }).getByRole('button').first().waitFor()
}

/** Waits until the worker serves the page and the browser has its copy of the catalogue. */
export async function keepPage(page: Page, shop: RegisterShop) {
  await page.waitForFunction(
    'navigator.serviceWorker.controller !== null || navigator.serviceWorker.ready.then((found) => Boolean(found.active))',
  )
  await page.waitForFunction(`new Promise((resolve) => {
    indexedDB.open('kasir').onsuccess = ({ target: { result: db } }) => {
      db.transaction('shops').objectStore('shops').count().onsuccess = ({ target: { result } }) => { db.close(); resolve(result > 0) }
    }
  })`)
  await openRegister(page, shop)
  await page.waitForFunction('navigator.serviceWorker.controller !== null')
}
