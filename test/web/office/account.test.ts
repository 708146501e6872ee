import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { manualClock, systemClock } from '../../../src/platform/clock.ts'
import { describeInChromium } from '../../support/browser.ts'
import { browser as clientOf, cookieOf, memberOf } from '../../support/clients.ts'
import { done } from '../../support/expect.ts'
import { mailsTo } from '../../support/mails.ts'
import { button, field, openOffice } from '../../support/office-page.ts'
import { DESKTOP, requireBuiltRegister, visit } from '../../support/register-page.ts'
import { acme, address, as, useService } from '../../support/service.ts'

requireBuiltRegister()
const clock = manualClock(systemClock.now())
useService({ clock })

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const MINUTE = 60_000
const PASSWORD = 'nasi goreng pedas'
const NEXT = 'gado gado siang'

let count = 0
/** A signed-in owner with a password. */
async function owner() {
  const email = `akun${(count += 1)}@example.com`
  const answer = await as(null).post('/auth/signup', {
    email,
    password: PASSWORD,
    name: 'Wati',
    businessName: 'Warung Wati',
  })
  const cookie = cookieOf(answer)
  return { email, cookie, api: clientOf(cookie) }
}

const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Buktikan bahwa ini Anda' })
const alert = (page: Page, text: string) => page.getByRole('alert').getByText(text)

async function openAccount(page: Page) {
  await openOffice(page, '/akun', 'Akun saya')
  await page.waitForLoadState('networkidle')
}

/** Nothing for axe to find in either theme, and no sideways scroll at 320 px. */
async function expectAccessible(page: Page) {
  await page.evaluate(AXE)
  for (const theme of ['dark', 'light']) {
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
    const found = (await page.evaluate(`axe.run(document, { runOnly: ${JSON.stringify(TAGS)} })`)) as {
      violations: { id: string; nodes: { html: string }[] }[]
    }
    expect(found.violations.map(({ id, nodes }) => [theme, id, nodes[0]?.html])).toEqual([])
  }
  await page.setViewportSize({ width: 320, height: 700 })
  const isWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth'
  expect(await page.evaluate(isWide)).toBe(false)
  const parts =
    "[...document.querySelectorAll('main section, main ul')].filter((it) => it.scrollWidth > it.clientWidth + 1).length"
  expect(await page.evaluate(parts)).toBe(0)
  await page.setViewportSize(DESKTOP)
}

/** Switches the second factor on; returns what the authenticator app shows, and the recovery codes. */
async function setUpFactor(page: Page) {
  await button(page, 'Aktifkan faktor kedua').click()
  await dialog(page).getByLabel('Kata sandi').fill('bukan kata sandi')
  await dialog(page).getByRole('button', { name: 'Lanjut' }).click()
  await dialog(page).getByRole('alert').getByText('Kata sandi ini salah').waitFor()
  await expectAccessible(page)
  await dialog(page).getByLabel('Kata sandi').fill(PASSWORD)
  await dialog(page).getByRole('button', { name: 'Lanjut' }).click()
  await page.getByRole('img', { name: 'Pindai kode ini dengan aplikasi autentikator' }).waitFor()
  const secret = (await panel(page, 'Faktor kedua').locator('code').innerText()).replaceAll(/\s/g, '')
  const code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.ms() })
  const wrong = () => String((Number(code()) + 500_000) % 1_000_000).padStart(6, '0')
  await expectAccessible(page)
  await field(page, 'Kode dari aplikasi').fill(wrong())
  await button(page, 'Aktifkan').click()
  await alert(page, 'Kode ini salah').waitFor()
  await field(page, 'Kode dari aplikasi').fill(code())
  await button(page, 'Aktifkan').click()
  return { code, wrong, codes: await shownCodes(page) }
}

async function shownCodes(page: Page): Promise<string[]> {
  const codes = page.getByRole('list', { name: 'Kode pemulihan' })
  await codes.waitFor()
  return codes.getByRole('listitem').allInnerTexts()
}

describeInChromium('the account page', (browser) => {
  it('is reached from the header, shows who one is and sends another confirmation', async () => {
    const { cookie, email } = await owner()
    const { page, complaints, strangers } = await visit(browser(), DESKTOP, cookie)
    await page.goto(`${address()}/jual`)
    await button(page, 'Anggota Wati').click()
    await page.getByRole('menuitem', { name: 'Akun saya' }).click()
    const identity = panel(page, 'Identitas')
    await identity.getByText(email).waitFor()
    await identity.getByText('Warung Wati').waitFor()
    await identity.getByText('Belum dikonfirmasi').waitFor()
    const before = (await mailsTo(email)).length
    await button(page, 'Kirim tautan konfirmasi').click()
    await page.getByRole('status').getByText('Tautan sudah dikirim').waitFor()
    expect(await mailsTo(email)).toHaveLength(before + 1)
    await page.getByRole('link', { name: 'Ubah nama atau e-mail' }).click()
    await expect.poll(() => field(page, 'E-mail').inputValue()).toBe(email)
    expect([complaints, strangers]).toEqual([[], []])
  })

  it('opens for a cashier, who is sent to the owner for another name', async () => {
    const { cookie } = await memberOf(acme(), 'CASHIER', 'Dewi')
    const { page } = await visit(browser(), DESKTOP, cookie)
    await openOffice(page, '/pelanggan', /./)
    await page.getByRole('navigation', { name: 'Kelola' }).getByRole('link', { name: 'Akun saya' }).click()
    await panel(page, 'Identitas').getByText('Pemilik usaha dapat mengubah nama').waitFor()
    await page.getByRole('list', { name: 'Perangkat yang masuk' }).getByText('Perangkat ini').waitFor()
  })

  it('changes the password with the current one and signs every other device out', async () => {
    const { email, cookie } = await owner()
    const other = clientOf(cookieOf(await as(null).post('/auth/login', { email, password: PASSWORD })))
    const { page, context } = await visit(browser(), DESKTOP, cookie)
    await openAccount(page)
    await page.getByLabel('Kata sandi sekarang').fill('bukan kata sandi')
    await page.getByLabel('Kata sandi baru').fill(NEXT)
    await button(page, 'Ganti kata sandi').click()
    await alert(page, 'Kata sandi ini salah').waitFor()
    await page.getByLabel('Kata sandi sekarang').fill(PASSWORD)
    await page.getByLabel('Kata sandi baru').fill('password123')
    await button(page, 'Ganti kata sandi').click()
    await alert(page, 'Kata sandi ini mudah ditebak').waitFor()
    await page.getByLabel('Kata sandi baru').fill(NEXT)
    await context.setOffline(true)
    await button(page, 'Ganti kata sandi').click()
    await alert(page, 'Layanan tidak menjawab').waitFor()
    await context.setOffline(false)
    await button(page, 'Ganti kata sandi').click()
    await page.getByRole('status').getByText('Kata sandi diganti').waitFor()
    expect((await other.get('/auth/me')).status).toBe(401)
    const devices = page.getByRole('list', { name: 'Perangkat yang masuk' })
    await expect.poll(() => devices.getByRole('listitem').count()).toBe(1)
    expect((await as(null).post('/auth/login', { email, password: NEXT })).status).toBe(200)
  })

  it('lists the signed-in devices and signs one of them out, at last this one', async () => {
    const { email, cookie } = await owner()
    const other = clientOf(cookieOf(await as(null).post('/auth/login', { email, password: PASSWORD })))
    const { page } = await visit(browser(), DESKTOP, cookie)
    await openAccount(page)
    const devices = page.getByRole('list', { name: 'Perangkat yang masuk' }).getByRole('listitem')
    await expect.poll(() => devices.count()).toBe(2)
    const foreign = devices.filter({ hasNotText: 'Perangkat ini' })
    await foreign.getByRole('button').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Keluarkan', exact: true }).click()
    await expect.poll(() => devices.count()).toBe(1)
    expect((await other.get('/auth/me')).status).toBe(401)
    await devices.getByRole('button').click()
    await page.getByRole('dialog').getByText('Anda perlu masuk lagi').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Keluarkan', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Masuk' }).waitFor()
  })

  it('switches a second factor on with a code drawn here, renews its recovery codes and switches it off', async () => {
    const { cookie } = await owner()
    const { page, strangers } = await visit(browser(), DESKTOP, cookie)
    // Colours change without a transition, so that none is judged half way.
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await openAccount(page)
    const { code, wrong, codes } = await setUpFactor(page)
    expect(codes).toHaveLength(10)
    expect(strangers).toEqual([])
    await expectAccessible(page)
    await button(page, 'Sudah saya simpan').click()
    await panel(page, 'Faktor kedua').getByText('Kode pemulihan tersisa: 10').waitFor()
    await button(page, 'Buat kode pemulihan baru').click()
    await dialog(page).getByLabel('Kata sandi').fill(PASSWORD)
    await dialog(page).getByLabel('Kode faktor kedua').fill(wrong())
    await dialog(page).getByRole('button', { name: 'Lanjut' }).click()
    await dialog(page).getByRole('alert').getByText('Kode ini salah').waitFor()
    clock.advance(MINUTE)
    await dialog(page).getByLabel('Kode faktor kedua').fill(code())
    await dialog(page).getByRole('button', { name: 'Lanjut' }).click()
    const renewed = await shownCodes(page)
    expect(renewed.filter((each) => codes.includes(each))).toEqual([])
    await button(page, 'Sudah saya simpan').click()
    await button(page, 'Matikan').click()
    await dialog(page).getByLabel('Kata sandi').fill(PASSWORD)
    await dialog(page)
      .getByLabel('Kode faktor kedua')
      .fill(renewed[0] ?? '')
    await dialog(page).getByRole('button', { name: 'Lanjut' }).click()
    await panel(page, 'Faktor kedua').getByText('Belum aktif').waitFor()
  })
})

describeInChromium('an action that needs proof', (browser) => {
  it('asks in a dialog, keeps the form when that is closed, and is repeated with the password', async () => {
    const { cookie } = await owner()
    const { page } = await visit(browser(), DESKTOP, cookie)
    clock.advance(16 * MINUTE)
    await openOffice(page, '/orang?tab=keys&id=new', /./)
    await field(page, 'Nama kunci').fill('Toko daring')
    await button(page, 'Buat kunci').click()
    await dialog(page).getByRole('button', { name: 'Tutup' }).click()
    await dialog(page).waitFor({ state: 'detached' })
    expect(await field(page, 'Nama kunci').inputValue()).toBe('Toko daring')
    expect(await page.getByRole('alert').count()).toBe(0)
    await button(page, 'Buat kunci').click()
    await dialog(page).getByLabel('Kata sandi').fill('bukan kata sandi')
    await dialog(page).getByRole('button', { name: 'Lanjut' }).click()
    await dialog(page).getByRole('alert').getByText('Kata sandi atau kode ini salah').waitFor()
    await dialog(page).getByLabel('Kata sandi').fill(PASSWORD)
    await dialog(page).getByRole('button', { name: 'Lanjut' }).click()
    await page
      .getByText(/^kasir_sk_/)
      .first()
      .waitFor()
  })

  it('takes a code of the second factor instead', async () => {
    const { api } = await owner()
    const { secret } = done(await api.post('/auth/second-factor', { currentPassword: PASSWORD }))
    const code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.ms() })
    const confirmed = await api.post('/auth/second-factor/confirm', { code: code() })
    done(confirmed)
    const { page } = await visit(browser(), DESKTOP, cookieOf(confirmed))
    clock.advance(16 * MINUTE)
    await openOffice(page, '/orang?tab=keys&id=new', /./)
    await field(page, 'Nama kunci').fill('Toko daring')
    await button(page, 'Buat kunci').click()
    await dialog(page).getByLabel('Kode faktor kedua').fill(code())
    await dialog(page).getByRole('button', { name: 'Lanjut' }).click()
    await page
      .getByText(/^kasir_sk_/)
      .first()
      .waitFor()
  })

  it('changes the own e-mail address of an owner with the password', async () => {
    const { cookie, email } = await owner()
    const { page } = await visit(browser(), DESKTOP, cookie)
    await openAccount(page)
    await page.getByRole('link', { name: 'Ubah nama atau e-mail' }).click()
    await field(page, 'E-mail').fill(`baru-${email}`)
    await button(page, 'Simpan').click()
    await dialog(page).getByLabel('Kata sandi').fill(PASSWORD)
    await dialog(page).getByRole('button', { name: 'Lanjut' }).click()
    await page
      .getByRole('row')
      .filter({ hasText: `baru-${email}` })
      .waitFor()
  })
})
