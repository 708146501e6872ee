import type { Page } from 'playwright-core'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { systemClock } from '../../../src/platform/clock.ts'
import type { Api } from '../../support/api.ts'
import { describeInChromium } from '../../support/browser.ts'
import { makeOutlet, makeProduct } from '../../support/build.ts'
import { memberOf } from '../../support/clients.ts'
import { done } from '../../support/expect.ts'
import { notify } from '../../support/notices.ts'
import { button, openOffice } from '../../support/office-page.ts'
import { sendJson, settingsOf, startPartner } from '../../support/partner.ts'
import { DESKTOP, requireBuiltRegister, visit } from '../../support/register-page.ts'
import { acme, address, useService, workspace } from '../../support/service.ts'

requireBuiltRegister()
const partner = await startPartner()
useService({ env: { ...settingsOf(partner), DEFAULT_TIER: 'free' } })
afterAll(() => partner.close())

const DAY_MS = 24 * 3_600_000
/** The sessions that the partner opened, as it received them. */
const sessions: { id: string; amount: number; currency: string; metadata: object }[] = []
let isAway = false

beforeEach(() => {
  isAway = false
  partner.answers(({ path, body }, response) => {
    if (isAway) return void sendJson(response, 503, { error: { code: 'DOWN', message: 'Maintenance' } })
    if (path !== '/v1/checkout-sessions')
      return void sendJson(response, 201, { data: { workspaceId: 'w', apiKey: 'k' } })
    const { amount, currency, metadata } = JSON.parse(body)
    const session = { id: `cks_${sessions.length + 1}`, amount, currency, metadata }
    sessions.push(session)
    const expiresAt = new Date(systemClock.ms() + DAY_MS).toISOString()
    const hostedUrl = `https://pay.example/${session.id}`
    sendJson(response, 201, { data: { ...session, hostedUrl, status: 'open', expiresAt } })
  })
})

/** The partner reports that its last session was paid for. */
const reportPaid = () =>
  notify({
    type: 'checkout_session.completed',
    timestamp: systemClock.now(),
    data: { workspaceExternalId: null, session: sessions.at(-1) },
  })

const dialog = (page: Page) => page.getByRole('dialog')
const tiers = (page: Page) => page.getByRole('list', { name: 'Pilihan paket' })

async function pay(page: Page, name: string, currency: 'Rupiah' | 'Dolar AS' = 'Rupiah') {
  await page.getByRole('radio', { name: currency }).check()
  await button(page, `Bayar ${name}`).click()
  await dialog(page).getByRole('button', { name: 'Siapkan pembayaran' }).click()
  const link = dialog(page).getByRole('link', { name: 'Buka halaman pembayaran' })
  expect(await link.getAttribute('href')).toBe(`https://pay.example/${sessions.at(-1)?.id}`)
  await dialog(page).getByRole('button', { name: 'Tutup' }).click()
}

describeInChromium('the plan of a business', (browser) => {
  let shop: Api
  let owner = ''
  beforeEach(async () => {
    shop = await workspace('Warung Plan')
    await makeOutlet(shop, { name: 'Cikini' })
    owner = (await memberOf(shop, 'OWNER', 'Rina')).cookie
  })

  it('is paid for on a page of the partner, shows its limits in use, and is canceled at its end', async () => {
    const { page } = await visit(browser(), DESKTOP, owner)
    await openOffice(page, '/pengaturan?tab=plan', 'Paket')
    const present = page.getByRole('region', { name: 'Paket sekarang' })
    await present.getByText('Belum pernah berbayar').waitFor()
    await page.getByRole('region', { name: 'Pemakaian' }).getByText('1 dari 3').first().waitFor()
    await tiers(page).getByText('Rp 99.000').waitFor()
    await pay(page, 'Starter', 'Dolar AS')
    expect(sessions.at(-1)).toMatchObject({ amount: 7, currency: 'USD' })
    await pay(page, 'Starter')
    expect(sessions.at(-1)).toMatchObject({ amount: 99_000, currency: 'IDR' })
    expect(await reportPaid()).toEqual([200, undefined])
    await button(page, 'Periksa lagi').click()
    await present.getByText('Starter').waitFor()
    await present.getByText(/^Berlaku sampai/).waitFor()
    await page.getByRole('region', { name: 'Pemakaian' }).getByText('1 dari 5').waitFor()
    await button(page, 'Perpanjang Starter').waitFor()
    await button(page, 'Batalkan paket').click()
    await dialog(page).getByRole('button', { name: 'Batalkan paket' }).click()
    await present.getByText(/^Dibatalkan/).waitFor()
    expect(await button(page, 'Batalkan paket').count()).toBe(0)
  })

  it('says when the partner does not answer, and prepares the payment at the next press', async () => {
    const { page } = await visit(browser(), DESKTOP, owner)
    await openOffice(page, '/pengaturan?tab=plan', 'Paket')
    await button(page, 'Bayar Growth').click()
    isAway = true
    await dialog(page).getByRole('button', { name: 'Siapkan pembayaran' }).click()
    await dialog(page).getByRole('alert').waitFor()
    isAway = false
    await dialog(page).getByRole('button', { name: 'Siapkan pembayaran' }).click()
    await dialog(page).getByRole('link', { name: 'Buka halaman pembayaran' }).waitFor()
  })

  it('belongs to the owner: a manager has no tab for it', async () => {
    const { cookie } = await memberOf(shop, 'MANAGER', 'Budi')
    const { page } = await visit(browser(), DESKTOP, cookie)
    await page.goto(`${address()}/pengaturan?tab=plan`)
    const tabs = page.getByRole('navigation', { name: 'Pengaturan' })
    await tabs.getByRole('link', { name: 'Modul' }).waitFor()
    expect(await tabs.getByRole('link', { name: 'Paket' }).count()).toBe(0)
  })
})

describeInChromium('modules', (browser) => {
  const moduleNamed = async (api: Api, name: string) =>
    done(await api.get('/modules')).modules.find(({ module }: { module: string }) => module === name)

  it('wait for a paid plan, and lead the owner to the plans', async () => {
    const shop = await workspace('Warung Modul')
    const { page } = await visit(browser(), DESKTOP, (await memberOf(shop, 'OWNER', 'Rina')).cookie)
    await openOffice(page, '/pengaturan?tab=modules', 'Modul')
    expect(await button(page, 'Nyalakan Pembayaran').isDisabled()).toBe(true)
    await page.getByRole('link', { name: 'Lihat paket' }).click()
    await page.getByRole('heading', { level: 1, name: 'Paket' }).waitFor()
    await pay(page, 'Starter')
    expect(await reportPaid()).toEqual([200, undefined])
    await page.getByRole('link', { name: 'Modul' }).click()
    await button(page, 'Nyalakan Pembayaran').click()
    await dialog(page).getByText('QRIS').waitFor()
    isAway = true
    await dialog(page).getByRole('button', { name: 'Nyalakan' }).click()
    await dialog(page).getByRole('alert').getByText('modul belum berubah').waitFor()
    expect(await moduleNamed(shop, 'payment')).toMatchObject({ enabled: false })
    isAway = false
    await dialog(page).getByRole('button', { name: 'Nyalakan' }).click()
    await button(page, 'Matikan Pembayaran').click()
    expect(await moduleNamed(shop, 'payment')).toMatchObject({ enabled: true })
    await dialog(page).getByText('QRIS manual tetap ada').waitFor()
    await dialog(page).getByRole('button', { name: 'Matikan' }).click()
    await button(page, 'Nyalakan Pembayaran').waitFor()
    expect(await moduleNamed(shop, 'payment')).toMatchObject({ enabled: false })
  })
})

describeInChromium('the receipt link of a sale', (browser) => {
  const openLink = async (page: Page) => {
    const outletId = await makeOutlet(acme(), { name: 'Menteng' })
    const tea = await makeProduct(acme(), { name: 'Es Teh', trackStock: false, variants: [{ price: 6_000 }] })
    const { sale } = done(
      await acme().post('/sales', {
        outletId,
        items: [{ variantId: tea.variants[0].id, quantity: 1 }],
        payments: [{ method: 'CASH', amount: 6_000 }],
        status: 'COMPLETED',
      }),
    )
    await page.goto(`${address()}/penjualan?sale=${sale.id}`)
    await button(page, 'Tautan struk').click()
  }

  it('the receipt link is copied on plain http as well, and counts as copied only then', async () => {
    const { page } = await visit(browser())
    await page.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    await openLink(page)
    await dialog(page).getByRole('button', { name: 'Buat tautan' }).click()
    const url = await dialog(page).locator('code').innerText()
    const copy = dialog(page).getByRole('button', { name: 'Salin tautan' })
    await page.evaluate('void (document.execCommand = () => false)')
    await copy.click()
    await page.evaluate('void delete document.execCommand')
    await copy.click()
    await dialog(page).getByRole('button', { name: 'Tersalin' }).waitFor()
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    await page.evaluate("document.body.append(document.createElement('textarea'))")
    const text = page.locator('body > textarea')
    await text.press('Control+v')
    expect(await text.inputValue()).toBe(url)
  })

  it('opens the receipt without signing in, until it is revoked', async () => {
    const { page, context } = await visit(browser())
    await openLink(page)
    await dialog(page).getByRole('button', { name: 'Cabut semua tautan' }).click()
    await dialog(page).getByRole('alert').getByText('tidak punya tautan').waitFor()
    await dialog(page).getByRole('button', { name: 'Buat tautan' }).click()
    await dialog(page).getByRole('img', { name: 'Kode QR tautan struk' }).waitFor()
    const url = new URL(await dialog(page).locator('code').innerText())
    expect(
      await dialog(page).getByRole('link', { name: 'Kirim lewat WhatsApp' }).getAttribute('href'),
    ).toContain(encodeURIComponent(url.href))
    const receipt = await context.newPage()
    await receipt.goto(address() + url.pathname)
    await receipt.getByText('Es Teh').waitFor()
    await dialog(page).getByRole('button', { name: 'Cabut semua tautan' }).click()
    await dialog(page).getByRole('status').getByText('dicabut').waitFor()
    expect((await receipt.goto(address() + url.pathname))?.status()).toBe(404)
  })
})
