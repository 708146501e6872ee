// npm run pictures: makes the pictures of the README from a demo workspace, in Chromium.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type Page } from 'playwright-core'
import sharp from 'sharp'
import { chromiumPath } from '../test/support/chromium.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const TARGET = path.join(ROOT, 'docs', 'pictures')
const SCREEN = { width: 1120, height: 680 }
/** A category of the demo whose products need no choice of variant. */
const CATEGORY = 'Makanan'
const GOODS_IN_CART = 4

const executablePath = chromiumPath()
if (executablePath === null) throw new Error('No Chromium found: install it, or set CHROMIUM to its path')

const room = await mkdtemp(path.join(tmpdir(), 'kasir-pictures-'))
// Under root PostgreSQL runs as another user and must be let through to its directory.
await chmod(room, 0o711)
const dataDir = path.join(room, 'data')
const kasir = (...args: string[]) =>
  spawn(process.execPath, [path.join(ROOT, 'bin', 'kasir.mjs'), ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'fatal' },
  })

let service: ChildProcess | undefined
try {
  const demo = kasir('demo', '--fast')
  demo.stdout.pipe(process.stdout)
  const [code] = await once(demo, 'close')
  if (code !== 0) throw new Error('kasir demo has failed')
  const serving = kasir('serve')
  service = serving
  const address = await new Promise<string>((resolve, reject) => {
    let said = ''
    serving.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text
      const found = /is ready at (http:\S+)/.exec(said)?.[1]
      if (found !== undefined) resolve(found)
    })
    serving.once('close', () => reject(new Error(`the service ended: ${said}`)))
  })
  await photograph(address)
} finally {
  if (service && service.exitCode === null) {
    service.kill('SIGTERM')
    await once(service, 'close')
  }
  await rm(room, { recursive: true, force: true })
}

async function photograph(address: string) {
  const browser = await chromium.launch({
    executablePath: executablePath ?? '',
    args: ['--font-render-hinting=none', '--disable-gpu'],
  })
  try {
    const context = await browser.newContext({
      viewport: SCREEN,
      deviceScaleFactor: 1.5,
      locale: 'en-GB',
      timezoneId: 'Asia/Jakarta',
    })
    const page = await context.newPage()
    await page.addInitScript(
      `localStorage.setItem('kasir-device', JSON.stringify({ state: { language: 'en', theme: 'light', outletId: null }, version: 0 }))`,
    )
    await signIn(page, address)
    await home(page)
    await register(page, address)
  } finally {
    await browser.close()
  }
}

async function signIn(page: Page, address: string) {
  const [login] = JSON.parse(await readFile(path.join(dataDir, 'demo-logins.json'), 'utf8'))
  await page.goto(`${address}/`)
  await page.getByLabel('E-mail').fill(login.email)
  await page.getByLabel('Password').fill(login.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(/\/beranda/)
}

/** The page that an owner sees first, once its figures are there. */
async function home(page: Page) {
  await page.getByRole('region', { name: 'Today', exact: true }).getByText(/^Rp/).first().waitFor()
  await page.waitForLoadState('networkidle')
  await save('home', await page.screenshot())
}

/** A cart of some goods that need no choice, before the payment. */
async function register(page: Page, address: string) {
  await page.goto(`${address}/jual`)
  const tiles = page.getByRole('list', { name: 'Products', exact: true }).getByRole('button')
  await tiles.first().waitFor()
  await page.getByRole('button', { name: CATEGORY, exact: true }).click()
  const items = page.getByRole('list', { name: 'Cart', exact: true }).getByRole('listitem')
  const count = await tiles.count()
  for (let at = 0; at < count && (await items.count()) < GOODS_IN_CART; at += 1) {
    await tiles.nth(at).click()
    if ((await page.getByRole('dialog').count()) > 0) await page.keyboard.press('Escape')
  }
  await page.mouse.move(0, 0)
  await save('register', await page.screenshot())
}

async function save(name: string, seen: Buffer) {
  await mkdir(TARGET, { recursive: true })
  const file = path.join(TARGET, `${name}.webp`)
  await writeFile(file, await sharp(seen).webp({ quality: 80 }).toBuffer())
  console.log(`Wrote ${path.relative(ROOT, file)}`)
}
