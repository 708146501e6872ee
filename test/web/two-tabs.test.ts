import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInChromium } from '../support/browser.ts'
import { fresh, makeOutlet, makeProduct } from '../support/build.ts'
import { browser as clientOf, cookieOf, memberOf } from '../support/clients.ts'
import { done } from '../support/expect.ts'
import { button, field, openOffice } from '../support/office-page.ts'
import {
  holdUnanswered,
  lineState,
  list,
  openRegister,
  requireBuiltRegister,
  tile,
  visit,
} from '../support/register-page.ts'
import { acme, address, as, useService } from '../support/service.ts'

requireBuiltRegister()
useService()

const EMAIL = 'wati@example.com'
const PASSWORD = 'nasi goreng pedas'
let outletId = ''
let managerId = ''
let menteng = ''

beforeAll(async () => {
  outletId = await makeOutlet(acme(), { name: 'Cikini' })
  menteng = await makeOutlet(acme(), { name: 'Menteng' })
  for (const name of ['Es Teh', 'Roti'])
    await makeProduct(acme(), { name, trackStock: false, variants: [{ price: 10_000 }] })
  for (const [name, role, pin] of [
    ['Sari', 'CASHIER', '2468'],
    ['Budi', 'MANAGER', '9753'],
  ] as const) {
    const { id } = await memberOf(acme(), role, name)
    if (role === 'MANAGER') managerId = id
    done(await acme().patch(`/members/${id}`, { pin }))
  }
  const answer = await as(null).post('/auth/signup', {
    email: EMAIL,
    password: PASSWORD,
    name: 'Wati',
    businessName: 'Warung Wati',
  })
  expect(cookieOf(answer)).toContain('=')
})

const lines = (page: Page) => list(page, 'Keranjang').getByRole('listitem')
const goods = (page: Page, name: string) => lines(page).filter({ hasText: name })
const menu = (page: Page, name: string) => button(page, `Anggota ${name}`)

const stored = (page: Page, name: string) => page.evaluate(`localStorage.getItem('${name}')`)

/** A second tab of the same browser, opened by the first as a link does. */
async function openTab(context: BrowserContext, page: Page): Promise<Page> {
  const [tab] = await Promise.all([
    context.waitForEvent('page'),
    page.evaluate('void window.open(location.href)'),
  ])
  tab.setDefaultTimeout(20_000)
  return tab
}

async function signInWithPin(page: Page, name: string, pin: string) {
  await page.getByRole('button', { name: /^Anggota/ }).click()
  await page.getByRole('menuitem', { name: 'Ganti kasir' }).click()
  await page.getByRole('button', { name: new RegExp(`^${name}`) }).click()
  const pad = page.getByRole('group', { name: 'PIN' })
  for (const digit of pin) await pad.getByRole('button', { name: digit, exact: true }).click()
  await button(page, 'Masuk').click()
  await menu(page, name).waitFor()
}

async function enrol(page: Page, name: string) {
  await page.getByRole('button', { name: /^Anggota/ }).click()
  await page.getByRole('menuitem', { name: 'Jadikan kasir terdaftar' }).click()
  await page.getByRole('textbox', { name: 'Nama kasir' }).fill(name)
  await button(page, 'Daftarkan').click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

async function signInWithPassword(page: Page) {
  await page.goto(`${address()}/masuk`)
  await typePassword(page)
}

async function typePassword(page: Page, email = EMAIL) {
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await page.getByLabel('Kata sandi').fill(PASSWORD)
  await button(page, 'Masuk').click()
  await menu(page, 'Wati').waitFor()
}

describeInChromium('two tabs of a browser', (browser) => {
  it('a till shows the member who signed in by PIN in another tab, sells in that name and keeps its cart', async () => {
    const { page, context } = await visit(browser())
    await openRegister(page)
    await enrol(page, 'Depan')
    await signInWithPin(page, 'Sari', '2468')
    await tile(page, 'Es Teh').click()
    const other = await openTab(context, page)
    await signInWithPin(other, 'Budi', '9753')
    await menu(page, 'Budi').waitFor()
    await list(page, 'Keranjang').getByText('Es Teh').waitFor()
    await page.getByRole('button', { name: /^Uang pas/ }).click()
    await page.getByRole('status').filter({ hasText: 'Kembali' }).waitFor()
    const { data } = await acme().get(`/sales?outletId=${outletId}&limit=1`)
    expect(data[0].cashierId).toBe(managerId)
    expect(await menu(other, 'Budi').count()).toBe(1)
  }, 120_000)

  it('the goods in the cart of a tab stay when the cashier is switched in another tab whose cart is empty', async () => {
    const { page, context } = await visit(browser())
    await openRegister(page)
    await enrol(page, 'Belakang')
    await signInWithPin(page, 'Sari', '2468')
    const other = await openTab(context, page)
    await list(other, 'Barang').getByRole('button').first().waitFor()
    await tile(page, 'Es Teh').click()
    await goods(page, 'Es Teh').waitFor()
    await signInWithPin(other, 'Budi', '9753')
    await menu(page, 'Budi').waitFor()
    await goods(page, 'Es Teh').waitFor()
  }, 120_000)

  it('each tab has its own cart after a reload, also a duplicated tab that began with the cart of another', async () => {
    const { page, context } = await visit(browser())
    await openRegister(page)
    await tile(page, 'Es Teh').click()
    const other = await openTab(context, page)
    await goods(other, 'Es Teh').waitFor()
    await button(other, 'Kosongkan keranjang').click()
    await tile(other, 'Roti').click()
    await goods(other, 'Roti').waitFor()
    for (const each of [page, other]) await each.reload()
    await goods(page, 'Es Teh').waitFor()
    await goods(other, 'Roti').waitFor()
    for (const each of [page, other]) expect(await lines(each).count()).toBe(1)
  }, 120_000)

  it('a new tab has the cart of a closed tab, and a tab that is open keeps its own', async () => {
    const { page, context } = await visit(browser())
    await openRegister(page)
    await tile(page, 'Es Teh').click()
    const other = await context.newPage()
    await openRegister(other)
    await tile(other, 'Roti').click()
    await goods(other, 'Roti').waitFor()
    await page.close()
    const third = await context.newPage()
    await openRegister(third)
    await goods(third, 'Es Teh').waitFor()
    for (const each of [other, third]) await each.reload()
    await goods(third, 'Es Teh').waitFor()
    await goods(other, 'Roti').waitFor()
    for (const each of [other, third]) expect(await lines(each).count()).toBe(1)
  }, 120_000)

  it('a form that is not saved is never sent to the workspace that another tab signed in to, and its draft is kept', async () => {
    const { page, context } = await visit(browser())
    await openOffice(page, '/pelanggan?id=new', 'Pelanggan baru')
    await field(page, 'Nama pelanggan').fill('Sulastri')
    const other = await openTab(context, page)
    await signInWithPassword(other)
    await menu(page, 'Wati').waitFor()
    expect(await field(page, 'Nama pelanggan').inputValue()).toBe('')
    const drafts = await page.evaluate('JSON.stringify(Object.entries(sessionStorage))')
    expect(drafts).toContain('Sulastri')
  }, 120_000)

  it('a tab that missed the sign-in of another stores nothing older, and follows when it is seen again', async () => {
    const { page, context } = await visit(browser())
    await page.addInitScript("addEventListener('storage', (event) => event.stopImmediatePropagation(), true)")
    await openOffice(page, '/pelanggan', 'Pelanggan')
    const other = await openTab(context, page)
    await signInWithPassword(other)
    expect(await menu(page, 'Rina').count()).toBe(1)
    // Each change of the line is a change of the session's state.
    await page.route('**/api/v1/**', (route) => route.abort('connectionreset'))
    await page.evaluate("window.dispatchEvent(new Event('online'))")
    await lineState(page, /^Luring/).waitFor()
    expect(await stored(page, 'kasir-session')).toContain('Wati')
    await page.unroute('**/api/v1/**')
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    await menu(page, 'Wati').waitFor()
  }, 120_000)

  it('a sign-out in one tab signs the others out', async () => {
    const { page, context } = await visit(browser())
    await openOffice(page, '/pelanggan', 'Pelanggan')
    const other = await openTab(context, page)
    await other.getByRole('button', { name: /^Anggota/ }).click()
    await other.getByRole('menuitem', { name: 'Keluar' }).click()
    for (const each of [other, page]) await each.getByRole('textbox', { name: 'E-mail' }).waitFor()
  }, 120_000)

  it('a tab that was open before knows the till that another tab enrolled, and keeps the enrolment at a sign-in', async () => {
    const { page, context } = await visit(browser())
    await openRegister(page)
    const other = await openTab(context, page)
    await menu(other, 'Rina').waitFor()
    await enrol(page, 'Samping')
    await menu(other, 'Rina').click()
    await other.getByRole('menuitem', { name: 'Ganti kasir' }).waitFor()
    await other.getByRole('menuitem', { name: 'Keluar' }).click()
    await other.getByRole('link', { name: 'Masuk dengan kata sandi' }).click()
    await typePassword(other)
    expect(await stored(page, 'kasir-till')).toContain('Samping')
  }, 120_000)

  it('a till that is locked in one tab stays open in another', async () => {
    const { page, context } = await visit(browser())
    await openRegister(page)
    await enrol(page, 'Tengah')
    const other = await openTab(context, page)
    await menu(page, 'Rina').click()
    await page.getByRole('menuitem', { name: 'Ganti kasir' }).click()
    await page.getByRole('button', { name: /^Sari/ }).waitFor()
    await other.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    await tile(other, 'Es Teh').click()
    await goods(other, 'Es Teh').waitFor()
  }, 120_000)

  it('the outlet that one tab chose stays the outlet of the device when another tab changes its theme', async () => {
    const { page, context } = await visit(browser())
    await openRegister(page)
    const other = await openTab(context, page)
    await button(other, 'Outlet Cikini').waitFor()
    await button(page, 'Outlet Cikini').click()
    await page.getByRole('menuitem', { name: 'Menteng' }).click()
    await button(page, 'Outlet Menteng').waitFor()
    await button(other, 'Tampilan gelap').click()
    await button(other, 'Tampilan terang').waitFor()
    expect(JSON.parse(String(await stored(page, 'kasir-device'))).state).toMatchObject({
      outletIds: { [acme().workspace.accountId]: menteng },
      theme: 'dark',
    })
  }, 120_000)
})

describeInChromium('a revoked till', (browser) => {
  it('a till that is revoked while it is locked asks a member who came with a password to sign in', async () => {
    const { page } = await visit(browser())
    await openRegister(page)
    await enrol(page, 'Gudang')
    await menu(page, 'Rina').click()
    await page.getByRole('menuitem', { name: 'Ganti kasir' }).click()
    await page.getByRole('button', { name: /^Sari/ }).waitFor()
    const { tills } = done(await acme().get('/tills'))
    const till = tills.find(({ name }: { name: string }) => name === 'Gudang')
    done(await acme().delete(`/tills/${till.id}`))
    await page.reload()
    await page.getByRole('textbox', { name: 'E-mail' }).waitFor()
    await page.goto(`${address()}/beranda`)
    await page.getByRole('textbox', { name: 'E-mail' }).waitFor()
    const answer = await page.context().request.get(`${address()}/api/v1/auth/me`)
    expect(answer.status()).toBe(401)
  }, 120_000)

  it('a till whose end another tab noticed asks for a sign-in where it was locked, also after a reload', async () => {
    const { page, context } = await visit(browser())
    await openRegister(page)
    await enrol(page, 'Dapur')
    const other = await openTab(context, page)
    await menu(other, 'Rina').waitFor()
    await menu(page, 'Rina').click()
    await page.getByRole('menuitem', { name: 'Ganti kasir' }).click()
    await page.getByRole('button', { name: /^Sari/ }).waitFor()
    const { tills } = done(await acme().get('/tills'))
    const till = tills.find(({ name }: { name: string }) => name === 'Dapur')
    done(await acme().delete(`/tills/${till.id}`))
    // As the tab stores it when the service answers that this browser is no till.
    const removed = JSON.stringify({ state: { till: null, members: [], isLocked: false }, version: 0 })
    const email = page.getByRole('textbox', { name: 'E-mail' })
    // The lock screen reads the till, and may store the answer after the end.
    await expect
      .poll(async () => {
        await other.evaluate(`localStorage.setItem('kasir-till', ${JSON.stringify(removed)})`)
        return email.isVisible()
      })
      .toBe(true)
    await page.goto(`${address()}/beranda`)
    await email.waitFor()
    const answer = await context.request.get(`${address()}/api/v1/auth/me`)
    expect(answer.status()).toBe(401)
  }, 120_000)
})

describeInChromium('a member of another business in the same tab', (browser) => {
  /** A shop of its own, whose owner has signed in with a password. */
  const openShop = async () => {
    const email = `${fresh('wati').replace(' ', '.')}@example.com`
    const answer = await as(null).post('/auth/signup', {
      email,
      password: PASSWORD,
      name: 'Wati',
      businessName: 'Toko Wati',
    })
    const shop = clientOf(cookieOf(answer))
    await makeOutlet(shop)
    const { id } = done(await shop.post('/categories', { name: 'Minuman' })).category
    await makeProduct(shop, {
      name: 'Es Teh',
      categoryId: id,
      trackStock: false,
      variants: [{ price: 10_000 }],
    })
    const { page } = await visit(browser(), undefined, null)
    await page.goto(`${address()}/masuk`)
    await typePassword(page, email)
    await openRegister(page)
    const signOut = async () => {
      await menu(page, 'Wati').click()
      await page.getByRole('menuitem', { name: 'Keluar' }).click()
      await page.getByRole('heading', { name: 'Masuk' }).waitFor()
    }
    return { page, shop, email, signOut }
  }

  it('leaves a sale without an answer to the business that made it', async () => {
    const { page, shop, email, signOut } = await openShop()
    await tile(page, 'Es Teh').click()
    await holdUnanswered(page)
    await page.keyboard.press('Escape')
    await signOut()
    await typePassword(page)
    await page.getByRole('link', { name: 'Jual', exact: true }).click()
    await page.getByText('Keranjang kosong').waitFor()
    await signOut()
    await typePassword(page, email)
    await page.getByRole('link', { name: 'Jual', exact: true }).click()
    await button(page, 'Coba lagi').click()
    await page.getByText('Keranjang kosong').waitFor()
    expect((await shop.get('/sales?status=PARKED')).data).toHaveLength(1)
  }, 120_000)

  it('sees neither the last sale of the business before nor its chosen category', async () => {
    const { page, shop, signOut } = await openShop()
    await button(page, 'Minuman').click()
    await tile(page, 'Es Teh').click()
    await button(page, 'Uang pas').click()
    await page.getByRole('status').filter({ hasText: 'Kembali' }).waitFor()
    await expect.poll(async () => (await shop.get('/sales')).data.length).toBe(1)
    await lineState(page, 'Daring').waitFor()
    await signOut()
    await typePassword(page)
    await page.getByRole('link', { name: 'Jual', exact: true }).click()
    const all = page.getByRole('button', { name: 'Semua', exact: true })
    await expect.poll(() => all.getAttribute('aria-pressed')).toBe('true')
    await page.getByText('Keranjang kosong').waitFor()
    expect(await page.getByRole('status').filter({ hasText: 'Kembali' }).count()).toBe(0)
  }, 120_000)
})
