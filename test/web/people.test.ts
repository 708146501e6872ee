import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInChromium } from '../support/browser.ts'
import {
  closeShifts,
  fresh,
  makeFloor,
  makeOutlet,
  makeProduct,
  makeTable,
  openBill,
} from '../support/build.ts'
import { memberOf } from '../support/clients.ts'
import { done } from '../support/expect.ts'
import { openOffice } from '../support/office-page.ts'
import {
  holdAnswer,
  keepPage,
  lineState,
  list,
  openRegister,
  requireBuiltRegister,
  sellOne,
  tile,
  UNAVAILABLE,
  visit,
} from '../support/register-page.ts'
import { scan } from '../support/scanner.ts'
import { acme, address, as, useService } from '../support/service.ts'

requireBuiltRegister()
useService()

const EMAIL = 'wati@example.com'
const PASSWORD = 'nasi goreng pedas'
const SOAP = '8991000000042'
let outletId = ''
let tea = ''
const members: Record<string, string> = {}

beforeAll(async () => {
  outletId = await makeOutlet(acme(), { name: 'Cikini' })
  const product = { name: 'Es Teh', trackStock: false, variants: [{ price: 10_000 }] }
  tea = (await makeProduct(acme(), product)).variants[0].id
  await makeProduct(acme(), { name: 'Sabun', variants: [{ price: 4_000, barcode: SOAP }] })
  for (const [name, role, pin] of [
    ['Sari', 'CASHIER', '2468'],
    ['Dewi', 'CASHIER', '1357'],
    ['Budi', 'MANAGER', '9753'],
  ] as const) {
    const { id } = await memberOf(acme(), role, name)
    members[name] = id
    done(await acme().patch(`/members/${id}`, { pin }))
  }
  done(
    await as(null).post('/auth/signup', {
      email: EMAIL,
      password: PASSWORD,
      name: 'Wati',
      businessName: 'Warung Wati',
    }),
  )
})

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const lastSale = async () => (await acme().get(`/sales?outletId=${outletId}&limit=1`)).data[0]

async function typePin(page: Page, pin: string) {
  const pad = page.getByRole('group', { name: 'PIN' })
  for (const digit of pin) await pad.getByRole('button', { name: digit, exact: true }).click()
}

async function lock(page: Page) {
  await button(page, /^Anggota/).click()
  await page.getByRole('menuitem', { name: 'Ganti kasir' }).click()
}

async function unlock(page: Page, name: string, pin: string) {
  await button(page, new RegExp(`^${name}`)).click()
  await typePin(page, pin)
  await button(page, 'Masuk').click()
  await button(page, `Anggota ${name}`).waitFor()
}

async function switchTo(page: Page, name: string, pin: string) {
  await lock(page)
  await unlock(page, name, pin)
  await list(page, 'Barang').getByRole('button').first().waitFor()
}

/** A browser that an owner has enrolled as a till. */
async function enrolled(page: Page) {
  await openRegister(page)
  await button(page, /^Anggota/).click()
  await page.getByRole('menuitem', { name: 'Jadikan kasir terdaftar' }).click()
  await page.getByRole('textbox', { name: 'Nama kasir' }).fill('Depan')
  await button(page, 'Daftarkan').click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

describeInChromium('an enrolled till', (browser) => {
  it('switches between cashiers with a PIN, refuses a wrong one, and keeps the cart', async () => {
    const { page } = await visit(browser())
    await enrolled(page)
    await tile(page, 'Es Teh').click()
    await lock(page)
    await button(page, /^Sari/).click()
    await typePin(page, '0000')
    await button(page, 'Masuk').click()
    await page.getByRole('alert').getByText('INVALID_CREDENTIALS').waitFor()
    // A hand types slower than a scanner.
    await page.keyboard.type('2468', { delay: 60 })
    await page.keyboard.press('Enter')
    await list(page, 'Keranjang').getByText('Es Teh').waitFor()
    await button(page, /^Uang pas/).click()
    await page.getByRole('status').filter({ hasText: 'Kembali' }).waitFor()
    await expect.poll(async () => (await lastSale())?.cashierId).toBe(members['Sari'])
  }, 120_000)

  it('says while it is locked that sales wait, and offers nothing to do with them', async () => {
    const { page, context } = await visit(browser())
    await enrolled(page)
    await keepPage(page)
    await context.setOffline(true)
    await sellOne(page, 'Es Teh')
    await lock(page)
    await button(page, /^Sari/).waitFor()
    await lineState(page, 'Luring · 1 antre').waitFor()
    expect(await button(page, 'Luring').isDisabled()).toBe(true)
    await button(page, 'Luring').click({ force: true })
    expect(await page.getByRole('dialog').count()).toBe(0)
    await context.setOffline(false)
    await lineState(page, 'Daring').waitFor()
    expect(await button(page, 'Daring').isDisabled()).toBe(true)
  }, 120_000)

  it('stays locked when the address of a provider sign-in is opened without one', async () => {
    const { page } = await visit(browser())
    await enrolled(page)
    await switchTo(page, 'Budi', '9753')
    await button(page, /^Anggota/).click()
    await page.getByRole('menuitem', { name: 'Ganti kasir' }).click()
    await button(page, /^Budi/).waitFor()
    await page.goto(`${address()}/masuk?via=provider`)
    await page.getByRole('alert').getByText('Masuk lewat penyedia belum selesai').waitFor()
    await page.goto(`${address()}/jual`)
    await page.getByRole('heading', { name: 'Siapa yang berjualan?' }).waitFor()
  }, 120_000)

  it('stays signed out at that address if the service got no sign-out', async () => {
    const { page } = await visit(browser())
    await enrolled(page)
    await page.route('**/api/v1/auth/logout', (route) => route.abort('connectionreset'))
    await button(page, /^Anggota/).click()
    await page.getByRole('menuitem', { name: 'Keluar' }).click()
    await page.getByRole('heading', { name: 'Siapa yang berjualan?' }).waitFor()
    await page.goto(`${address()}/masuk?via=provider`)
    await page.getByRole('alert').getByText('Masuk lewat penyedia belum selesai').waitFor()
    await page.goto(`${address()}/jual`)
    await page.getByRole('heading', { name: 'Siapa yang berjualan?' }).waitFor()
  }, 120_000)

  it('takes no scan for a PIN', async () => {
    const { page } = await visit(browser())
    await enrolled(page)
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/auth/pin')) sent.push(request.url())
    })
    await button(page, /^Anggota/).click()
    await page.getByRole('menuitem', { name: 'Ganti kasir' }).click()
    await button(page, /^Sari/).click()
    await page.getByRole('group', { name: 'PIN' }).waitFor()
    await scan(page, '89910000')
    await typePin(page, '2468')
    await button(page, 'Masuk').click()
    await list(page, 'Barang').getByRole('button').first().waitFor()
    expect(sent).toHaveLength(1)
  }, 120_000)

  it('switches cashiers without a line, and books each sale to its seller when the line is back', async () => {
    const { page, context } = await visit(browser())
    await enrolled(page)
    await switchTo(page, 'Dewi', '1357')
    await switchTo(page, 'Sari', '2468')
    await keepPage(page)
    await context.setOffline(true)
    await sellOne(page, 'Es Teh')
    await switchTo(page, 'Dewi', '1357')
    await sellOne(page, 'Es Teh')
    await lineState(page, 'Luring · 2 antre').waitFor()
    await context.setOffline(false)
    await page.getByRole('heading', { name: 'Siapa yang berjualan?' }).waitFor()
    await lineState(page, 'Daring').waitFor()
    const { data } = await acme().get(`/sales?outletId=${outletId}&limit=2`)
    const sellers = data.map(({ cashierId }: { cashierId: string }) => cashierId)
    expect(sellers.sort()).toEqual([members['Dewi'], members['Sari']].sort())
  }, 120_000)

  it('without a line opens its own workspace for a cashier after a member of another one has signed in', async () => {
    const { page, context } = await visit(browser())
    await enrolled(page)
    // A reload right after the sign-in would stop the register from keeping the PIN.
    await keepPage(page)
    await switchTo(page, 'Sari', '2468')
    await lock(page)
    await page.getByRole('link', { name: 'Masuk dengan kata sandi' }).click()
    await page.getByRole('textbox', { name: 'E-mail' }).fill(EMAIL)
    await page.getByLabel('Kata sandi').fill(PASSWORD)
    await button(page, 'Masuk').click()
    await button(page, 'Anggota Wati').waitFor()
    await context.setOffline(true)
    await switchTo(page, 'Sari', '2468')
    const session = JSON.parse(await page.evaluate("localStorage.getItem('kasir-session')"))
    const { account } = (await acme().get('/auth/me')).data
    expect(session.state.account.id).toBe(account.id)
    const before = await lastSale()
    await sellOne(page, 'Es Teh')
    await context.setOffline(false)
    await page.getByRole('heading', { name: 'Siapa yang berjualan?' }).waitFor()
    await button(page, /^Sari/).click()
    await typePin(page, '2468')
    await button(page, 'Masuk').click()
    await tile(page, 'Es Teh').waitFor()
    await expect.poll(async () => (await lastSale()).id).not.toBe(before?.id)
    expect((await lastSale()).cashierId).toBe(members['Sari'])
  }, 120_000)

  it('keeps the goods scanned last in a stock count for the member who locked it, until they are discarded', async () => {
    const { id } = done(await acme().post('/stock-counts', { outletId })).stockCount
    const openCount = (page: Page) => openOffice(page, `/stok?tab=counts&id=${id}`, 'Hitungan Cikini')
    const { page } = await visit(browser())
    const quantity = page.getByLabel('Dihitung', { exact: true })
    await enrolled(page)
    await switchTo(page, 'Budi', '9753')
    await openCount(page)
    for (const code of [SOAP, SOAP]) await scan(page, code)
    await expect.poll(() => quantity.inputValue()).toBe('2')
    await lock(page)
    await unlock(page, 'Dewi', '1357')
    await page.getByRole('heading', { level: 1, name: 'Hitungan Cikini' }).waitFor()
    expect(await quantity.count()).toBe(0)
    await lock(page)
    await unlock(page, 'Budi', '9753')
    await expect.poll(() => quantity.inputValue()).toBe('2')
    // A text that cannot be read is not counted as the number before it.
    await quantity.fill('1,5')
    await lock(page)
    await unlock(page, 'Budi', '9753')
    await page.getByText('Sabun', { exact: true }).waitFor()
    expect(await quantity.inputValue()).toBe('')
    await quantity.fill('3')
    await button(page, 'Kembali ke daftar').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Buang' }).click()
    await page.getByRole('heading', { level: 1, name: 'Hitung stok' }).waitFor()
    await openCount(page)
    expect(await quantity.count()).toBe(0)
  }, 120_000)

  it('keeps a map of tables that is not saved for the member who locked it, until it is discarded', async () => {
    const floor = fresh('Teras')
    const floorId = await makeFloor(acme(), outletId, { name: floor })
    await makeTable(acme(), outletId, `${floor} A1`, { floorId, posX: 100, posY: 100 })
    const { page } = await visit(browser())
    const unsaved = page.getByRole('status').filter({ hasText: 'Belum disimpan' })
    await enrolled(page)
    await switchTo(page, 'Budi', '9753')
    await page.goto(`${address()}/meja`)
    await button(page, 'Susun').click()
    await list(page, 'Meja').getByRole('button', { name: /A1:/ }).click()
    for (let each = 0; each < 2; each += 1) await button(page, 'Ke kanan').click()
    await unsaved.waitFor()
    await lock(page)
    await unlock(page, 'Budi', '9753')
    await unsaved.waitFor()
    await button(page, 'Simpan denah').click()
    await page.getByText('Denah tersimpan.').waitFor()
    const placeOf = async () =>
      done(await acme().get(`/tables?outletId=${outletId}&floorId=${floorId}`)).tables[0].posX
    expect(await placeOf()).toBe(140)
    await list(page, 'Meja').getByRole('button', { name: /A1:/ }).click()
    await button(page, 'Ke kanan').click()
    await unsaved.waitFor()
    await button(page, 'Selesai').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Buang', exact: true }).click()
    await button(page, 'Susun').waitFor()
    await lock(page)
    await unlock(page, 'Budi', '9753')
    await button(page, 'Susun').click()
    await button(page, 'Selesai').waitFor()
    expect([await unsaved.count(), await placeOf()]).toEqual([0, 140])
  }, 120_000)

  it('opens the register of a business that is created where a till is locked', async () => {
    const { page } = await visit(browser())
    await enrolled(page)
    await lock(page)
    await page.getByRole('link', { name: 'Masuk dengan kata sandi' }).click()
    await page.getByRole('link', { name: 'Buat usaha baru' }).click()
    await page.getByRole('textbox', { name: 'Nama usaha' }).fill('Warung Bu Tini')
    await page.getByRole('textbox', { name: 'E-mail' }).fill(`${fresh('tini').replace(' ', '.')}@example.com`)
    await page.getByLabel('Kata sandi').fill('gudeg jogja manis')
    await button(page, 'Mulai').click()
    await tile(page, 'Nasi Goreng').click()
    await button(page, /^Uang pas/).click()
    await page.getByRole('status').filter({ hasText: 'Kembali' }).waitFor()
  }, 120_000)

  it('never shows a cashier the drawer of the one before', async () => {
    await closeShifts(acme())
    const { page } = await visit(browser())
    await enrolled(page)
    await switchTo(page, 'Sari', '2468')
    await page.getByRole('link', { name: 'Shift' }).click()
    await page.getByRole('textbox', { name: 'Modal awal' }).fill('200000')
    await button(page, 'Buka shift').click()
    await button(page, 'Tutup shift').waitFor()
    // The service answers too late for what is on the device to be replaced.
    await page.route('**/api/v1/shifts/current**', () => {})
    await lock(page)
    await unlock(page, 'Dewi', '1357')
    await page.getByRole('heading', { name: 'Shift', level: 1 }).waitFor()
    expect(await button(page, 'Tutup shift').count()).toBe(0)
  }, 120_000)

  it('lets a manager approve a discount and a void by PIN, and the cart stays', async () => {
    done(await acme().put('/settings', { approvals: { discountAboveBps: 1_000, void: true } }))
    const { page } = await visit(browser())
    await enrolled(page)
    await switchTo(page, 'Sari', '2468')
    await tile(page, 'Es Teh').click()
    await button(page, 'Diskon').click()
    await page.getByRole('textbox', { name: 'Jumlah' }).fill('5000')
    await button(page, /^Terapkan/).click()
    await button(page, /^Uang pas/).click()
    const dialog = page.getByRole('dialog', { name: 'Minta persetujuan' })
    await dialog.getByRole('button', { name: /^Budi/ }).click()
    await typePin(page, '9753')
    await dialog.getByRole('button', { name: 'Setujui' }).click()
    await page.getByRole('status').filter({ hasText: 'Kembali' }).waitFor()
    expect(await lastSale()).toMatchObject({ total: 5_000, approvedBy: members['Budi'] })
    await page.getByRole('link', { name: 'Penjualan' }).click()
    await list(page, 'Penjualan').getByRole('link').first().click()
    await button(page, 'Void').click()
    await button(page, 'Pelanggan batal').click()
    await button(page, /^Batalkan/).click()
    await dialog.getByRole('button', { name: /^Budi/ }).click()
    await typePin(page, '9753')
    await dialog.getByRole('button', { name: 'Setujui' }).click()
    await expect.poll(async () => (await lastSale()).status).toBe('VOIDED')
    done(await acme().put('/settings', { approvals: { discountAboveBps: null, void: false } }))
  }, 120_000)

  it('lets a manager approve the discard of a bill on which money was taken, and shows what goes back', async () => {
    done(await acme().put('/settings', { approvals: { void: true } }))
    const note = fresh('Ibu Rina')
    const { id } = await openBill(acme(), { outletId, items: [{ variantId: tea, quantity: 1 }], note })
    done(await acme().post(`/sales/${id}/payments`, { method: 'TRANSFER', amount: 4_000 }))
    const { page } = await visit(browser())
    await enrolled(page)
    await switchTo(page, 'Sari', '2468')
    await button(page, /^Bon/).click()
    await button(page, `Buang bon ${note}`).click()
    const discard = page.getByRole('dialog', { name: `Buang bon ${note}?` })
    await discard.getByText('Transfer').waitFor()
    await discard.getByText('Rp 4.000').waitFor()
    await discard.getByRole('textbox').fill('Pelanggan batal')
    await discard.getByRole('button', { name: 'Buang bon, kembalikan uang' }).click()
    const dialog = page.getByRole('dialog', { name: 'Minta persetujuan' })
    await dialog.getByRole('button', { name: /^Budi/ }).click()
    await typePin(page, '9753')
    await dialog.getByRole('button', { name: 'Setujui' }).click()
    const sale = async () => done(await acme().get(`/sales/${id}`)).sale
    await expect.poll(sale).toMatchObject({ status: 'VOIDED', paidTotal: 4_000, approvedBy: members['Budi'] })
    await discard.waitFor({ state: 'detached' })
    done(await acme().put('/settings', { approvals: { void: false } }))
  }, 120_000)

  /** Sari sells a tea and asks for its refund, which needs an approval. */
  async function askForRefund(page: Page) {
    done(await acme().put('/settings', { approvals: { refund: true } }))
    await enrolled(page)
    await switchTo(page, 'Sari', '2468')
    await sellOne(page, 'Es Teh')
    await lineState(page, 'Daring').waitFor()
    await page.getByRole('link', { name: 'Penjualan' }).click()
    await list(page, 'Penjualan').getByRole('link').first().click()
    await button(page, 'Refund').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Lebihkan' }).click()
    await dialog.getByRole('button', { name: /^Kembalikan/ }).click()
  }
  const approval = (page: Page) => page.getByRole('dialog', { name: 'Minta persetujuan' })
  /** The next member can use the page, and the refund was not sent. */
  async function expectNoRefund(page: Page) {
    await page.getByRole('link', { name: 'Jual', exact: true }).click()
    await tile(page, 'Es Teh').click()
    expect(await approval(page).count()).toBe(0)
    expect(await lastSale()).toMatchObject({ refundedTotal: 0 })
    done(await acme().put('/settings', { approvals: { refund: false } }))
  }

  it('gives up a refund that waits for its approval when the till locks', async () => {
    const { page } = await visit(browser())
    await page.clock.install()
    await askForRefund(page)
    await approval(page).waitFor()
    await page.clock.fastForward('05:10')
    await unlock(page, 'Dewi', '1357')
    await expectNoRefund(page)
  }, 120_000)

  it('asks the next member for no approval of a request that the member before sent', async () => {
    const { page } = await visit(browser())
    const refund = await holdAnswer(page, '**/api/v1/sales/*/refund')
    await askForRefund(page)
    await refund.reached
    await page.keyboard.press('Escape')
    await lock(page)
    await unlock(page, 'Dewi', '1357')
    await refund.release()
    await expectNoRefund(page)
  }, 120_000)

  it('asks the next member for no proof of an action that the member before began', async () => {
    const { page } = await visit(browser())
    await page.clock.install()
    await enrolled(page)
    const message = 'currentPassword is missing'
    await page.route('**/api/v1/api-keys', (route) =>
      route.request().method() === 'GET'
        ? route.fallback()
        : route.fulfill({
            status: 422,
            json: { ...UNAVAILABLE, error: { code: 'VALIDATION_ERROR', message, param: 'currentPassword' } },
          }),
    )
    await openOffice(page, '/orang?tab=keys&id=new', /./)
    await page.getByRole('textbox', { name: 'Nama kunci' }).fill('Toko daring')
    await button(page, 'Buat kunci').click()
    const proof = page.getByRole('dialog', { name: 'Buktikan bahwa ini Anda' })
    await proof.waitFor()
    await page.clock.fastForward('05:10')
    await unlock(page, 'Budi', '9753')
    await page.getByRole('link', { name: 'Jual', exact: true }).click()
    await tile(page, 'Es Teh').waitFor()
    expect(await proof.count()).toBe(0)
  }, 120_000)
})
