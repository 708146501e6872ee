import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeInChromium } from '../support/browser.ts'
import {
  DESKTOP,
  holdAnswer,
  openRegister,
  photograph,
  requireBuiltRegister,
  tile,
  visit,
} from '../support/register-page.ts'
import { type OwnService, ownService } from '../support/service.ts'

requireBuiltRegister()

/** A service of its own, with the reference payment partner that comes along. */
let service: OwnService
let cookie = ''

// oxlint-disable-next-line typescript/no-explicit-any -- answers are asserted, not typed
type Data = any
async function ask(method: string, path: string, body?: unknown): Promise<Data> {
  const answer = await fetch(`${service.address()}/api/v1${path}`, {
    method,
    headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const { data, error } = (await answer.json()) as { data: Data; error: unknown }
  expect(error).toBeNull()
  return data
}

beforeAll(async () => {
  service = await ownService({ DEFAULT_TIER: 'business' })
  await service.start()
  const signUp = await fetch(`${service.address()}/api/v1/auth/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ibu@example.com', password: 'kopi susu gula aren', name: 'Ibu Sari' }),
  })
  cookie =
    signUp.headers
      .getSetCookie()
      .find((each) => each.startsWith('kasir_session='))
      ?.split(';')[0] ?? ''
  await ask('POST', '/modules', { module: 'payment', enabled: true })
  await ask('POST', '/outlets', { name: 'Kemang' })
  await ask('POST', '/products', { name: 'Es Kopi', trackStock: false, variants: [{ price: 15_000 }] })
}, 240_000)
afterAll(() => service?.end())

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const code = (page: Page) => page.getByRole('img', { name: 'Kode QR pembayaran' })
const change = (page: Page) => page.getByRole('status').filter({ hasText: 'Kembali' })

async function open(browser: Parameters<typeof visit>[0]) {
  const seen = await visit(browser, { ...DESKTOP, at: service.address() }, cookie)
  await openRegister(seen.page, service.address())
  return seen
}

/** Rings up one coffee and shows the code that pays it. Returns the bill. */
async function showCode(page: Page): Promise<Data> {
  await tile(page, 'Es Kopi').click()
  await button(page, /^Bayar/).click()
  await page.getByRole('radio', { name: 'QRIS' }).check()
  await button(page, 'Tampilkan kode QR').click()
  await code(page).waitFor()
  return newest()
}
const newest = async (): Promise<Data> => {
  const [{ id }] = await ask('GET', '/sales?limit=1')
  return (await ask('GET', `/sales/${id}`)).sale
}
const read = async (id: string): Promise<Data> => (await ask('GET', `/sales/${id}`)).sale
const countSales = async (): Promise<number> => (await ask('GET', '/sales?limit=100')).length

/** The customer pays, as at the page of the reference partner. */
async function payAtPartner(bill: Data) {
  const { hostedUrl } = await ask('GET', `/payments/checkout-sessions/${bill.payments.at(-1).providerRef}`)
  const answer = await fetch(`${hostedUrl}/pay`, { method: 'POST', redirect: 'manual' })
  expect(answer.status).toBe(303)
}

describeInChromium('a QR code of the payment module at the register', (browser) => {
  it('completes the sale when the customer pays, and shows on the customer display meanwhile', async () => {
    const { page, context, strangers, complaints } = await open(browser())
    const display = await context.newPage()
    await display.goto(`${service.address()}/layar`)
    const bill = await showCode(page)
    expect([bill.status, bill.total]).toEqual(['PARKED', 15_000])
    await code(display).waitFor()
    await display.getByText('Rp 15.000').waitFor()
    await photograph(page, 'qr-register')
    await photograph(display, 'qr-display')
    await payAtPartner(bill)
    await change(page).getByText('Rp 0').waitFor()
    await display.getByText('Kembali').waitFor()
    expect(await code(display).count()).toBe(0)
    const sale = await read(bill.id)
    expect([sale.status, sale.payments.length]).toEqual(['COMPLETED', 1])
    expect(sale.payments[0]).toMatchObject({ method: 'QRIS', amount: 15_000, status: 'PAID', verified: true })
    expect([strangers, complaints]).toEqual([[], []])
  }, 180_000)

  it('keeps the goods as they are, survives a reload, and completes a sale that was paid without a line', async () => {
    const { page, context } = await open(browser())
    const before = await countSales()
    const bill = await showCode(page)
    await page.reload()
    await code(page).waitFor()
    await context.setOffline(true)
    await page.getByText('Belum diketahui apakah pelanggan sudah membayar').waitFor()
    await payAtPartner(bill)
    await context.setOffline(false)
    await change(page).getByText('Rp 0').waitFor()
    expect((await read(bill.id)).status).toBe('COMPLETED')
    expect(await countSales()).toBe(before + 1)
  }, 180_000)

  it('takes another tender for the same bill after the code was cancelled', async () => {
    const { page } = await open(browser())
    const before = await countSales()
    const bill = await showCode(page)
    await button(page, 'Batalkan kode').click()
    await page
      .getByText('Pembayaran QR gagal atau dibatalkan; uangnya belum masuk')
      .waitFor({ timeout: 60_000 })
    await page.getByRole('radio', { name: 'Tunai' }).check()
    await button(page, 'Selesai').click()
    await change(page).waitFor()
    const sale = await read(bill.id)
    expect([sale.status, sale.payments.map(({ method, status }: Data) => [method, status])]).toEqual([
      'COMPLETED',
      [
        ['QRIS', 'FAILED'],
        ['CASH', 'PAID'],
      ],
    ])
    expect(await countSales()).toBe(before + 1)
  }, 180_000)

  it('is cancelled when the page is opened again if the request to cancel it was lost', async () => {
    const { page } = await open(browser())
    const bill = await showCode(page)
    await page.route('**/api/v1/sales/*/payments', (route) => route.abort('connectionreset'))
    await button(page, 'Batalkan kode').click()
    await page.getByText('Layanan tidak menjawab').waitFor()
    await page.unroute('**/api/v1/sales/*/payments')
    await page.reload()
    await code(page).waitFor({ state: 'detached' })
    const statuses = async () => (await read(bill.id)).payments.map(({ status }: Data) => status)
    await expect.poll(statuses, { timeout: 20_000 }).toEqual(['FAILED'])
  }, 180_000)

  it('holds the bill and requests the code once when both answers were lost', async () => {
    const { page } = await open(browser())
    const before = await countSales()
    const lost: string[] = []
    await page.route(/\/api\/v1\/(?:sales|payments\/qris)$/, async (route) => {
      const { pathname } = new URL(route.request().url())
      if (route.request().method() !== 'POST' || lost.includes(pathname)) return route.fallback()
      lost.push(pathname)
      await route.fetch()
      await route.abort('connectionreset')
    })
    const bill = await showCode(page)
    expect(lost).toHaveLength(2)
    expect(await countSales()).toBe(before + 1)
    expect(bill.payments).toHaveLength(1)
    await payAtPartner(bill)
    await change(page).waitFor()
  }, 180_000)

  it('stays off the cart of the next customer if its answer is late, and that cart is sold meanwhile', async () => {
    const { page } = await open(browser())
    const late = await holdAnswer(page, '**/api/v1/payments/qris')
    await tile(page, 'Es Kopi').click()
    await button(page, /^Bayar/).click()
    await page.getByRole('radio', { name: 'QRIS' }).check()
    await button(page, 'Tampilkan kode QR').click()
    await late.reached
    const bill = await newest()
    await page.keyboard.press('Escape')
    await button(page, 'Kosongkan keranjang').click()
    await tile(page, 'Es Kopi').click()
    await tile(page, 'Es Kopi').click()
    await button(page, 'Uang pas').click()
    await change(page).waitFor()
    await tile(page, 'Es Kopi').click()
    await late.release()
    await button(page, 'Uang pas').click()
    await change(page).waitFor()
    expect(await code(page).count()).toBe(0)
    expect((await newest()).total).toBe(15_000)
    expect((await read(bill.id)).status).toBe('PARKED')
  }, 180_000)

  it('serves the next customer while the bill stays open and completes by itself', async () => {
    const { page } = await open(browser())
    const bill = await showCode(page)
    await button(page, 'Simpan bon, layani berikutnya').click()
    await page.getByText('Keranjang kosong').waitFor()
    await tile(page, 'Es Kopi').click()
    await button(page, 'Uang pas').click()
    await change(page).waitFor()
    await payAtPartner(bill)
    await expect.poll(async () => (await read(bill.id)).status, { timeout: 30_000 }).toBe('COMPLETED')
  }, 180_000)
})
