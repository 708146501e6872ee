import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, Page, Request } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { memberOf } from './clients.ts'
import { acme, address } from './service.ts'

const root = (place: string) => fileURLToPath(new URL(`../../${place}`, import.meta.url))

/** What `npm run build` made of web/. */
export const BUILT = root('dist/web/')

/** Tests of the register look at what was built; `npm test` builds it before. */
export function requireBuiltRegister() {
  if (!existsSync(`${BUILT}index.html`)) throw new Error('Build the register first: npm run build')
}

export type Screen = {
  width: number
  height: number
  theme?: 'light' | 'dark'
  language?: 'id' | 'en'
  hasTouch?: boolean
  /** The service to open, if it is not the one of this test file. */
  at?: string
  /** Where this process reaches the service, if `at` has a name that only the browser knows. */
  reach?: string
}
export const DESKTOP: Screen = { width: 1280, height: 800 }

export type Visit = {
  page: Page
  context: BrowserContext
  /** Addresses that the page asked for and that are not this service's. */
  strangers: string[]
  /** What the browser complained about. */
  complaints: string[]
}

/** A browser window at the service, signed in as a member of acme unless `cookie` is null. */
export async function visit(
  browser: Browser,
  screen: Screen = DESKTOP,
  cookie?: string | null,
): Promise<Visit> {
  const {
    width,
    height,
    theme = 'light',
    language = 'id',
    hasTouch = false,
    at = address(),
    reach = at,
  } = screen
  const context = await browser.newContext({
    viewport: { width, height },
    hasTouch,
    locale: language === 'id' ? 'id-ID' : 'en-GB',
    colorScheme: theme,
    timezoneId: 'Asia/Jakarta',
  })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  const [strangers, complaints]: [string[], string[]] = [[], []]
  page.on('request', (request) => {
    if (!request.url().startsWith(at) && !/^(?:data|blob|about):/.test(request.url()))
      strangers.push(request.url())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  await page.addInitScript(
    `localStorage.setItem('kasir-device', JSON.stringify({ state: { language: '${language}', theme: '${theme}', outletId: null }, version: 0 }))`,
  )
  if (cookie !== null) await signIn(context, { at, reach }, cookie)
  return { page, context, strangers, complaints }
}

/** Signs the browser in without the sign-in page, which has its own test. */
async function signIn(
  context: BrowserContext,
  { at, reach }: { at: string; reach: string },
  cookie?: string,
) {
  const sent = cookie ?? (await memberOf(acme(), 'OWNER', 'Rina')).cookie
  const [name = '', value = ''] = sent.split('=')
  await context.addCookies([{ name: at.startsWith('https:') ? `__Host-${name}` : name, value, url: at }])
  const answer = await fetch(`${reach}/api/v1/auth/me`, { headers: { cookie: sent } })
  const me = (await answer.json()) as { data: { user: unknown; account: unknown } }
  const state = JSON.stringify({ state: { member: me.data.user, account: me.data.account }, version: 0 })
  await context.addInitScript(`if (!sessionStorage.getItem('met')) {
    sessionStorage.setItem('met', '1')
    localStorage.setItem('kasir-session', ${JSON.stringify(state)})
  }`)
}

/** With `PICTURES=1`: a picture to look at, in .tmp/web. */
export async function photograph(page: Page, name: string) {
  if (process.env['PICTURES'] !== '1') return
  mkdirSync(root('.tmp/web'), { recursive: true })
  await page.screenshot({ path: path.join(root('.tmp/web'), `${name}.png`) })
}

/** The names of the interface in both languages; the tests of one journey use those of its language. */
export const list = (page: Page, name: string) => page.getByRole('list', { name, exact: true })
export const tile = (page: Page, name: string) => list(page, 'Barang').getByRole('button', { name })

/** Opens the register and waits until it can be tapped. */
export async function openRegister(page: Page, at = address()) {
  await page.goto(`${at}/jual`)
  await list(page, 'Barang').getByRole('button').first().waitFor()
}

/** The state of the line in the header. */
export const lineState = (page: Page, text: string | RegExp) =>
  page.getByRole('status').filter({ hasText: text })

/** Sells one of a product for exact cash, and waits for the change. */
export async function sellOne(page: Page, name: string) {
  await tile(page, name).click()
  await page.getByRole('button', { name: /^(?:Uang pas)/ }).click()
  await page.getByRole('status').filter({ hasText: 'Kembali' }).waitFor()
}

/** Waits until the service worker serves the page, which then opens without a line. */
export async function keepPage(page: Page) {
  const isStored = 'navigator.serviceWorker.getRegistration().then((found) => Boolean(found?.active))'
  await expect.poll(() => page.evaluate(isStored), { timeout: 30_000 }).toBe(true)
  await page.reload()
  await expect.poll(() => page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true)
  await list(page, 'Barang').getByRole('button').first().waitFor()
}

/** The answer of a service that lost its database in the middle of a request. */
export const UNAVAILABLE = {
  data: null,
  error: { code: 'SERVICE_UNAVAILABLE', message: 'The database was lost: the outcome is unknown' },
  meta: { requestId: 'req_lost', timestamp: '2026-11-26T03:00:00.000Z' },
}
/** A part of that answer's sentence. */
export const LOST = 'outcome is unknown'

/** The service does what it is asked, but its answers are lost: 503 arrives instead. Returns how to end that. */
export async function loseAnswers(page: Page, path: string): Promise<() => Promise<void>> {
  await page.route(`**/api/v1${path}`, async (route) => {
    if (route.request().method() === 'GET') return route.fallback()
    await route.fetch()
    await route.fulfill({ status: 503, json: UNAVAILABLE })
  })
  return () => page.unroute(`**/api/v1${path}`)
}

/** Holds the cart as a bill. The service stores it, but its answer does not arrive. */
export async function holdUnanswered(page: Page) {
  await page.route('**/api/v1/sales', async (route) => {
    await route.fetch()
    await route.abort('connectionreset')
  })
  await page.getByRole('button', { name: 'Tahan' }).click()
  await page.getByRole('button', { name: 'Simpan bon' }).click()
  await page.getByRole('button', { name: 'Coba lagi' }).waitFor()
  await page.unroute('**/api/v1/sales')
}

/**
 * Holds back the first answer to a request. `reached` resolves once the service has answered; `release` lets the answer
 * through and waits until the browser has it.
 */
export async function holdAnswer(page: Page, url: string | RegExp, method = 'POST') {
  let open = () => {}
  let reach = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const reached = new Promise<void>((resolve) => {
    reach = resolve
  })
  let held: Request | null = null
  await page.route(url, async (route) => {
    if (held !== null || route.request().method() !== method) return route.fallback()
    held = route.request()
    const response = await route.fetch()
    reach()
    await opened
    await route.fulfill({ response })
  })
  const release = async () => {
    const isHeld = (request: Request) => request === held
    // Not response.finished(): it never resolves where Chromium ends a request as failed after its response.
    const arrival = Promise.race([
      page.waitForEvent('requestfinished', isHeld),
      page.waitForEvent('requestfailed', isHeld),
    ])
    open()
    await arrival
  }
  return { reached, release }
}
