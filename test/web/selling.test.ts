import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInChromium } from '../support/browser.ts'
import {
  fresh,
  makeModifier,
  makeModifierGroup,
  makeOutlet,
  makeProduct,
  openBill,
} from '../support/build.ts'
import { memberOf } from '../support/clients.ts'
import { done } from '../support/expect.ts'
import {
  lineState,
  list,
  openRegister,
  photograph,
  requireBuiltRegister,
  tile,
  visit,
} from '../support/register-page.ts'
import { scan } from '../support/scanner.ts'
import { acme, address, deps, useService } from '../support/service.ts'

requireBuiltRegister()
useService()

let outletId = ''

beforeAll(async () => {
  outletId = await makeOutlet(acme(), { name: 'Cikini', taxRateBps: 1_100, taxLabel: 'PPN' })
  const category = done(await acme().post('/categories', { name: 'Minuman' })).category.id
  const goods = [
    ['Americano', 12_000, '8991000000011'],
    ['Es Teh', 6_500, '8991000000028'],
    ['Roti Bakar', 15_000, '8991000000035'],
  ] as const
  for (const [name, price, barcode] of goods)
    await makeProduct(acme(), {
      name,
      categoryId: category,
      trackStock: false,
      variants: [{ price, barcode }],
    })
  const variants = [
    { name: 'Panas', price: 15_000 },
    { name: 'Dingin', price: 18_000 },
  ]
  const latte = await makeProduct(acme(), { name: 'Kopi Susu', trackStock: false, variants })
  const sugar = await makeModifierGroup(acme(), { name: 'Gula', minSelect: 1, maxSelect: 1 })
  await makeModifier(acme(), sugar, { name: 'Normal', price: 0 })
  await makeModifier(acme(), sugar, { name: 'Aren', price: 2_000 })
  done(await acme().put(`/modifiers/product/${latte.id}`, { groupIds: [sugar] }))
})

/** The newest sale that was completed, as the service keeps it, once this device has sent all of its own. */
async function lastSale(page: Page) {
  await lineState(page, 'Daring').waitFor()
  const { data } = await acme().get(`/sales?outletId=${outletId}&status=COMPLETED&limit=1`)
  return done(await acme().get(`/sales/${data[0].id}`)).sale
}
const countSales = async () => (await acme().get(`/sales?outletId=${outletId}&limit=100`)).data.length

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const change = (page: Page) => page.getByRole('status').filter({ hasText: 'Kembali' })

/** Takes cash that is not the whole sale. */
async function takePart(page: Page, amount: string) {
  await button(page, /^Bayar/).click()
  await page.getByRole('textbox', { name: 'Diterima' }).fill(amount)
  await button(page, 'Tambah pembayaran').click()
  await page.getByRole('heading', { name: 'Sisa' }).waitFor()
}

const storedBill = async (id: string) => done(await acme().get(`/sales/${id}`)).sale

/** Takes an open bill into the cart. */
async function openBillOf(page: Page, id: string) {
  const { note } = await storedBill(id)
  await button(page, /^Bon/).click()
  await list(page, 'Bon terbuka')
    .getByRole('button', { name: new RegExp(`^${note}`) })
    .click()
  await list(page, 'Keranjang').getByRole('listitem').first().waitFor()
}

/** Saves the bill in the cart, which is empty then. */
async function keepBill(page: Page, id: string) {
  const { version } = await storedBill(id)
  await button(page, 'Tahan').click()
  await button(page, 'Simpan bon').click()
  await page.getByText('Keranjang kosong').waitFor()
  await expect.poll(async () => (await storedBill(id)).version).toBeGreaterThan(version)
}

const total = (page: Page, amount: string) =>
  page.getByRole('complementary', { name: 'Keranjang' }).getByText(amount).waitFor()

describeInChromium('the register', (browser: () => Browser) => {
  it('sells three goods for cash in four taps, and the next tap starts the next sale', async () => {
    const { page, strangers, complaints } = await visit(browser())
    await openRegister(page)
    for (const name of ['Americano', 'Es Teh', 'Roti Bakar']) await tile(page, name).click()
    await total(page, 'Rp 37.185')
    await button(page, 'Uang pas').click()
    await change(page).getByText('Rp 0').waitFor()
    const sale = await lastSale(page)
    expect(sale.total).toBe(37_185)
    expect(sale.payments).toMatchObject([{ method: 'CASH', amount: 37_185, change: 0 }])
    await tile(page, 'Es Teh').click()
    await total(page, 'Rp 7.215')
    expect(await change(page).count()).toBe(0)
    expect([strangers, complaints]).toEqual([[], []])
  })

  it('sells three goods for cash by three scans and two keys', async () => {
    const { page } = await visit(browser())
    await openRegister(page)
    for (const code of ['8991000000011', '8991000000028', '8991000000035']) await scan(page, code)
    await total(page, 'Rp 37.185')
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Diterima' }).waitFor()
    await page.keyboard.press('Enter')
    await change(page).getByText('Rp 0').waitFor()
    expect((await lastSale(page)).payments).toMatchObject([{ method: 'CASH', amount: 37_185 }])
  })

  it('signs in by keyboard alone', async () => {
    const login = { email: 'sari@example.com', password: 'tahu isi pedas sekali' }
    await fetch(`${address()}/api/v1/auth/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...login, businessName: 'Warung Sari' }),
    })
    const { page } = await visit(browser(), undefined, null)
    await page.goto(`${address()}/masuk`)
    const email = page.getByRole('textbox', { name: 'E-mail' })
    await email.waitFor()
    const isFocused = () =>
      email.evaluate((field: { matches(selector: string): boolean }) => field.matches(':focus'))
    for (let tabs = 0; tabs < 10 && !(await isFocused()); tabs += 1) await page.keyboard.press('Tab')
    await page.keyboard.type(login.email)
    await page.keyboard.press('Tab')
    await page.keyboard.type(login.password)
    await page.keyboard.press('Enter')
    await page.getByRole('navigation', { name: 'Utama' }).waitFor()
  })

  it('takes cash with an amount by keyboard alone', async () => {
    const { page } = await visit(browser())
    await openRegister(page)
    await page.keyboard.press('F2')
    await page.keyboard.type('roti bakar')
    await tile(page, 'Roti Bakar').waitFor()
    await page.keyboard.press('Enter')
    await total(page, 'Rp 16.650')
    await page.keyboard.press('F9')
    await page.getByRole('textbox', { name: 'Diterima' }).waitFor()
    // A scanner types within 30 ms; a person does not.
    await page.keyboard.type('20000', { delay: 50 })
    await page.keyboard.press('Enter')
    await change(page).getByText('Rp 3.350').waitFor()
  })

  it('gives the change for an amount that was typed, and refuses cash below the total', async () => {
    const { page } = await visit(browser())
    await openRegister(page)
    await tile(page, 'Americano').click()
    await button(page, /^Bayar/).click()
    const received = page.getByRole('textbox', { name: 'Diterima' })
    await received.fill('Rp 12.500,-')
    await button(page, 'Selesai').click()
    await page.getByRole('alert').getByText('Uang kurang').waitFor()
    await received.fill('50000')
    await button(page, 'Selesai').click()
    await change(page).getByText('Rp 36.680').waitFor()
    expect((await lastSale(page)).changeTotal).toBe(36_680)
    await button(page, 'Jual lagi').click()
    await page.getByText('Keranjang kosong').waitFor()
  })

  it('takes several tenders for one sale', async () => {
    const { page } = await visit(browser())
    await openRegister(page)
    await tile(page, 'Roti Bakar').click()
    await button(page, /^Bayar/).click()
    await page.getByRole('radiogroup', { name: 'Cara bayar' }).getByRole('radio', { name: 'QRIS' }).check()
    await page.getByRole('textbox', { name: 'Diterima' }).fill('10000')
    await button(page, 'Selesai').click()
    await page.getByRole('heading', { name: 'Sisa' }).waitFor()
    await page.getByRole('radio', { name: 'Tunai' }).check()
    await page.getByRole('textbox', { name: 'Diterima' }).fill('10000')
    await button(page, 'Selesai').click()
    await change(page).getByText('Rp 3.350').waitFor()
    expect((await lastSale(page)).payments).toMatchObject([
      { method: 'QRIS', amount: 10_000 },
      { method: 'CASH', amount: 6_650, tendered: 10_000, change: 3_350 },
    ])
  })

  it('a part payment comes back with the goods that were removed, and only the rest is asked for', async () => {
    const { page } = await visit(browser())
    await openRegister(page)
    await tile(page, 'Americano').click()
    await takePart(page, '5000')
    await button(page, 'Kembali ke keranjang').click()
    await button(page, 'Kosongkan keranjang').click()
    await button(page, 'Urungkan').click()
    await list(page, 'Sudah dibayar').getByText('5.000').waitFor()
    await button(page, /^Bayar/).click()
    await button(page, 'Selesai').click()
    await change(page).getByText('Rp 0').waitFor()
    expect((await lastSale(page)).payments).toMatchObject([
      { method: 'CASH', amount: 5_000 },
      { method: 'CASH', amount: 8_320 },
    ])
  })

  it('a part payment ends with its cart: the next customer pays the whole total', async () => {
    const { page } = await visit(browser())
    await openRegister(page)
    await tile(page, 'Americano').click()
    await takePart(page, '5000')
    await button(page, 'Kembali ke keranjang').click()
    await list(page, 'Sudah dibayar').getByText('5.000').waitFor()
    for (const name of [/^Uang pas/, 'Tahan']) expect(await button(page, name).isDisabled()).toBe(true)
    await page.keyboard.press('F8')
    await page.reload()
    await list(page, 'Sudah dibayar').getByText('5.000').waitFor()
    await photograph(page, 'part-payment-cart')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await button(page, 'Kosongkan keranjang').click()
    await tile(page, 'Es Teh').click()
    await page.keyboard.press('F9')
    await button(page, 'Selesai').click()
    await change(page).waitFor()
    expect(await lastSale(page)).toMatchObject({
      total: 7_215,
      payments: [{ method: 'CASH', amount: 7_215 }],
    })
  })

  it('goods that leave a part-paid cart never make the rest negative: the cashier removes the payment first', async () => {
    const { page, complaints } = await visit(browser(), { width: 390, height: 844 })
    await openRegister(page)
    await tile(page, 'Americano').click()
    await tile(page, 'Es Teh').click()
    await takePart(page, '20000')
    await button(page, 'Kembali ke keranjang').click()
    await list(page, 'Keranjang').getByRole('listitem').filter({ hasText: 'Americano' }).click()
    await page.keyboard.press('Delete')
    // 20,000 were taken, and the tea costs 7,215 with its tax.
    await page.getByRole('alert').getByText('Pembayaran lebih Rp 12.785').waitFor()
    await photograph(page, 'part-payment-over')
    await button(page, /^Bayar 0/).click()
    expect(await button(page, 'Selesai').isDisabled()).toBe(true)
    await page.getByRole('textbox', { name: 'Diterima' }).press('Enter')
    const remove = button(page, 'Hapus Tunai 20.000')
    const { width = 0, height = 0 } = (await remove.boundingBox()) ?? {}
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
    await photograph(page, 'part-payment-over-pay')
    await remove.click()
    await button(page, 'Selesai').click()
    await change(page).getByText('Rp 0').waitFor()
    expect((await lastSale(page)).payments).toMatchObject([{ method: 'CASH', amount: 7_215 }])
    expect(complaints).toEqual([])
  })

  it('asks for variant and modifiers before it adds, with Tambah closed below the minimum', async () => {
    const { page } = await visit(browser())
    await openRegister(page)
    await tile(page, 'Kopi Susu').click()
    const dialog = page.getByRole('dialog', { name: 'Kopi Susu' })
    await dialog.getByRole('radio', { name: 'Dingin' }).check()
    expect(await dialog.getByRole('button', { name: 'Tambah' }).isDisabled()).toBe(true)
    await dialog.getByRole('radio', { name: 'Aren' }).check()
    await dialog.getByRole('textbox', { name: 'Catatan' }).fill('sedikit es')
    await dialog.getByRole('button', { name: 'Tambah' }).click()
    await list(page, 'Keranjang').getByText('Dingin · Aren · sedikit es').waitFor()
    await button(page, 'Uang pas').click()
    await change(page).waitFor()
    expect((await lastSale(page)).items).toMatchObject([
      {
        variantName: 'Dingin',
        unitPrice: 18_000,
        note: 'sedikit es',
        modifiers: [{ name: 'Aren', price: 2_000 }],
      },
    ])
  })

  it('keeps modifiers that are no longer sold when a line is changed, and lets the cashier remove them', async () => {
    const group = await makeModifierGroup(acme(), { name: fresh('Topping'), minSelect: 1, maxSelect: 1 })
    const other = await makeModifierGroup(acme(), { name: fresh('Sambal') })
    const [egg, hot] = [fresh('Telur'), fresh('Pedas')]
    const eggId = await makeModifier(acme(), group, { name: egg, price: 5_000 })
    await makeModifier(acme(), group, { name: fresh('Polos'), price: 0 })
    const hotId = await makeModifier(acme(), other, { name: hot, price: 1_000 })
    const rice = await makeProduct(acme(), {
      name: fresh('Nasi goreng'),
      trackStock: false,
      variants: [{ price: 20_000 }],
    })
    done(await acme().put(`/modifiers/product/${rice.id}`, { groupIds: [group, other] }))
    const modifiers = [
      { modifierId: eggId, name: egg, price: 5_000 },
      { modifierId: hotId, name: hot, price: 1_000 },
      { name: 'Ekstra nasi', price: 3_000 },
    ]
    const items = [{ variantId: rice.variants[0].id, quantity: 1, modifiers }]
    const bill = await openBill(acme(), { outletId, note: fresh('Bu Tini'), items })
    done(await acme().patch(`/modifiers/${group}/items/${eggId}`, { isActive: false }))
    done(await acme().delete(`/modifiers/${other}/items/${hotId}`))
    const { page } = await visit(browser())
    await openRegister(page)
    await openBillOf(page, bill.id)
    await list(page, 'Keranjang').getByRole('button', { name: 'Ubah' }).click()
    const dialog = page.getByRole('dialog', { name: rice.name })
    await dialog.getByRole('textbox', { name: 'Catatan' }).fill('tanpa acar')
    await dialog
      .getByRole('button', { name: /^Simpan/ })
      .getByText('Rp 29.000')
      .waitFor()
    await dialog.getByRole('button', { name: /^Simpan/ }).click()
    await list(page, 'Keranjang').getByText(`${egg} · ${hot} · Ekstra nasi · tanpa acar`).waitFor()
    await keepBill(page, bill.id)
    const [item] = (await storedBill(bill.id)).items
    expect(item).toMatchObject({ note: 'tanpa acar', modifiers: modifiers.map((each) => ({ ...each })) })
    await openBillOf(page, bill.id)
    await list(page, 'Keranjang').getByRole('button', { name: 'Ubah' }).click()
    await photograph(page, 'modifiers-gone')
    await dialog.getByRole('checkbox', { name: hot }).uncheck()
    await dialog.getByRole('button', { name: /^Simpan/ }).click()
    await list(page, 'Keranjang').getByText(`${egg} · Ekstra nasi · tanpa acar`).waitFor()
  })

  it('has no pencil at a line whose goods left the catalogue', async () => {
    const make = (name: string) =>
      makeProduct(acme(), { name: fresh(name), trackStock: false, variants: [{ price: 9_000 }] })
    const [gone, sold] = [await make('Lumpia'), await make('Risoles')]
    const items = [gone, sold].map(({ variants }) => ({ variantId: variants[0].id, quantity: 1 }))
    const bill = await openBill(acme(), { outletId, note: fresh('Pak Jaya'), items })
    done(await acme().patch(`/products/${gone.id}`, { isActive: false }))
    const { page } = await visit(browser())
    await openRegister(page)
    await openBillOf(page, bill.id)
    const line = (name: string) => list(page, 'Keranjang').getByRole('listitem').filter({ hasText: name })
    await line(sold.name).getByRole('button', { name: 'Ubah' }).waitFor()
    await line(gone.name).waitFor()
    expect(await line(gone.name).getByRole('button', { name: 'Ubah' }).count()).toBe(0)
  })

  it('takes a discount off the order, and totals are those of the service', async () => {
    const { page } = await visit(browser())
    await openRegister(page)
    await tile(page, 'Americano').click()
    await tile(page, 'Es Teh').click()
    await button(page, 'Diskon').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Persen' }).click()
    await page.getByRole('textbox', { name: 'Jumlah' }).fill('12,5')
    await button(page, 'Terapkan').click()
    // 18,500 less 2,313 (half up) is 16,187; 11% of it is 1,781.
    await total(page, 'Rp 17.968')
    await button(page, 'Uang pas').click()
    await change(page).waitFor()
    expect(await lastSale(page)).toMatchObject({
      subtotal: 18_500,
      orderDiscount: 2_313,
      taxTotal: 1_781,
      total: 17_968,
    })
  })

  it('adds a scan whatever has the focus, twice for two scans, and is loud about an unknown code', async () => {
    const { page } = await visit(browser())
    await openRegister(page)
    await page.getByRole('searchbox', { name: 'Cari atau pindai' }).fill('ro')
    await scan(page, '8991000000011')
    await scan(page, '8991000000011')
    const line = list(page, 'Keranjang').getByRole('listitem').filter({ hasText: 'Americano' })
    await line.getByText('2', { exact: true }).first().waitFor()
    await scan(page, '4006381333931')
    await page.getByRole('alert').getByText('4006381333931').waitFor()
    await button(page, 'Buat produk').click()
    await page.getByRole('textbox', { name: 'Nama produk' }).fill('Pulpen')
    await page.getByRole('textbox', { name: 'Harga' }).fill('4000')
    await button(page, 'Simpan dan tambah').click()
    await list(page, 'Keranjang').getByText('Pulpen').waitFor()
    await scan(page, '4006381333931')
    await list(page, 'Keranjang')
      .getByRole('listitem')
      .filter({ hasText: 'Pulpen' })
      .getByText('2', { exact: true })
      .first()
      .waitFor()
  })

  it('gives a new product the code that was scanned for it, whatever is scanned while its form is open', async () => {
    const { page } = await visit(browser())
    await openRegister(page)
    await scan(page, '4006381333948')
    await button(page, 'Buat produk').click()
    const name = page.getByRole('textbox', { name: 'Nama produk' })
    await name.fill('Spidol')
    await page.getByRole('textbox', { name: 'Harga' }).fill('9000')
    await scan(page, '4006381333955')
    await scan(page, '8991000000011')
    expect(await name.inputValue()).toBe('Spidol')
    await button(page, 'Simpan dan tambah').click()
    await list(page, 'Keranjang').getByText('Spidol').waitFor()
    expect(await list(page, 'Keranjang').getByText('Americano').count()).toBe(0)
    const { matches } = done(await acme().get('/products/lookup?q=4006381333948'))
    expect(matches.map(({ productName }: { productName: string }) => productName)).toEqual(['Spidol'])
    await scan(page, '4006381333962')
    await page.getByRole('alert').getByText('4006381333962').waitFor()
    expect(await name.count()).toBe(0)
  })

  it('takes a scan in the field for a gift card, a voucher or a customer, and pays with the scanned card', async () => {
    const code = String(Date.now())
    done(await acme().post('/gift-cards', { amount: 50_000, code }))
    const { page } = await visit(browser())
    await openRegister(page)
    await tile(page, 'Es Teh').click()
    const customer = page.getByRole('textbox', { name: 'Nama atau telepon' })
    await page.keyboard.press('F4')
    await customer.focus()
    await scan(page, '081234567890')
    await expect.poll(() => customer.inputValue()).toBe('081234567890')
    await page.keyboard.press('Escape')
    await button(page, 'Diskon').click()
    const voucher = page.getByRole('textbox', { name: 'Kode voucher' })
    await voucher.focus()
    await scan(page, 'HEMAT10')
    await expect.poll(() => voucher.inputValue()).toBe('HEMAT10')
    await page.keyboard.press('Escape')
    await button(page, /^Bayar/).click()
    await page.getByRole('radio', { name: 'Kartu hadiah' }).click()
    const card = page.getByRole('textbox', { name: 'Kode kartu hadiah' })
    await card.focus()
    // The second scan replaces the first one; neither is a payment.
    for (const each of ['8991000000011', code]) await scan(page, each)
    await expect.poll(() => card.inputValue()).toBe(code)
    await button(page, 'Saldo Rp 50.000').click()
    await button(page, 'Selesai').click()
    await change(page).waitFor()
    const paid = { method: 'GIFT_CARD', amount: 7_215, reference: `****${code.slice(-4)}` }
    expect((await lastSale(page)).payments).toMatchObject([paid])
  })

  it('shows all goods once the chosen category has none left', async () => {
    const [drinks, tea] = [fresh('Minuman'), fresh('Teh Tarik')]
    const { id: categoryId } = done(await acme().post('/categories', { name: drinks })).category
    const product = await makeProduct(acme(), { name: tea, categoryId, trackStock: false })
    const { page } = await visit(browser())
    await openRegister(page)
    await button(page, drinks).click()
    await tile(page, tea).waitFor()
    done(await acme().patch(`/products/${product.id}`, { categoryId: null }))
    await page.evaluate("void document.dispatchEvent(new Event('visibilitychange'))")
    await button(page, drinks).waitFor({ state: 'detached' })
    await tile(page, tea).waitFor()
    expect(await button(page, 'Semua').getAttribute('aria-pressed')).toBe('true')
  })

  it('sells by keyboard alone: search, quantity, selection, cash, another tender, hold and resume', async () => {
    const { page } = await visit(browser())
    await openRegister(page)
    await page.keyboard.press('F2')
    await page.keyboard.type('3*')
    await page.keyboard.type('amerikano')
    await tile(page, 'Americano').waitFor()
    await page.keyboard.press('Enter')
    const line = list(page, 'Keranjang').getByRole('listitem')
    await line.getByText('36.000').waitFor()
    await page.getByRole('searchbox').blur()
    await page.keyboard.press('-')
    await line.getByText('24.000').waitFor()
    await page.keyboard.press('F8')
    await page.getByRole('textbox', { name: 'Nama bon' }).fill('Meja Budi')
    await page.keyboard.press('Enter')
    await page.getByText('Keranjang kosong').waitFor()
    await page.keyboard.press('F8')
    await page
      .getByRole('list', { name: 'Bon terbuka' })
      .getByRole('button', { name: /^Meja Budi/ })
      .press('Enter')
    await line.getByText('24.000').waitFor()
    await page.keyboard.press('F9')
    await page.keyboard.press('Alt+3')
    await expect.poll(() => page.getByRole('radio', { name: 'Kartu', exact: true }).isChecked()).toBe(true)
    await page.keyboard.press('Enter')
    await change(page).waitFor()
    expect(await lastSale(page)).toMatchObject({
      note: 'Meja Budi',
      payments: [{ method: 'CARD', amount: 26_640 }],
    })
    await page.keyboard.press('Enter')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Tombol' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('sends a sale again until its answer arrives: one sale, also over a reload', async () => {
    const { page } = await visit(browser())
    await openRegister(page)
    await tile(page, 'Es Teh').click()
    const before = await countSales()
    // The service sells, and the line goes down before its answer arrives.
    await page.route('**/api/v1/sales', async (route) => {
      await route.fetch()
      await route.abort('connectionreset')
    })
    await button(page, 'Uang pas').click()
    await change(page).waitFor()
    await page.getByText('belum terkirim').waitFor()
    await page.unroute('**/api/v1/sales')
    await page.reload()
    await lineState(page, 'Daring').waitFor()
    expect(await countSales()).toBe(before + 1)
  }, 60_000)

  it('shows both versions of a bill that another device changed, and applies this one again', async () => {
    const { page } = await visit(browser())
    await openRegister(page)
    await tile(page, 'Roti Bakar').click()
    await button(page, 'Tahan').click()
    await page.getByRole('textbox', { name: 'Nama bon' }).fill('Teras')
    await button(page, 'Simpan bon').click()
    await button(page, /^Bon/).click()
    await page
      .getByRole('list', { name: 'Bon terbuka' })
      .getByRole('button', { name: /^Teras/ })
      .click()
    await tile(page, 'Es Teh').click()
    const { data } = await acme().get(`/sales?outletId=${outletId}&status=PARKED`)
    const [bill] = data
    const { items } = done(await acme().get(`/sales/${bill.id}`)).sale
    done(await acme().patch(`/sales/${bill.id}/items`, { items: [{ id: items[0].id, quantity: 5 }] }))
    await button(page, 'Uang pas').click()
    const dialog = page.getByRole('dialog', { name: /diubah di perangkat lain/ })
    await dialog.getByText('5', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Pakai yang di sini' }).click()
    await button(page, 'Uang pas').click()
    await change(page).waitFor()
    expect((await lastSale(page)).items.map(({ quantity }: { quantity: number }) => quantity)).toEqual([1, 1])
  })

  it('keeps a sale that was begun while a chosen bill was still being read', async () => {
    const billName = fresh('Lambat')
    const { page } = await visit(browser())
    await openRegister(page)
    await tile(page, 'Roti Bakar').click()
    await button(page, 'Tahan').click()
    await page.getByRole('textbox', { name: 'Nama bon' }).fill(billName)
    await button(page, 'Simpan bon').click()
    await page.getByText('Keranjang kosong').waitFor()
    let answer = () => {}
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve
    })
    const bill = /\/api\/v1\/sales\/[^/?]+$/
    await page.route(bill, async (route) => {
      const response = await route.fetch()
      await isAnswered
      await route.fulfill({ response })
    })
    await button(page, /^Bon/).click()
    await page
      .getByRole('list', { name: 'Bon terbuka' })
      .getByRole('button', { name: new RegExp(`^${billName}`) })
      .click()
    await page.keyboard.press('Escape')
    await tile(page, 'Es Teh').click()
    const read = page.waitForResponse(bill)
    answer()
    await read
    await tile(page, 'Americano').click()
    await list(page, 'Keranjang').getByText('Americano').waitFor()
    await list(page, 'Keranjang').getByText('Es Teh').waitFor()
    expect(await list(page, 'Keranjang').getByText('Roti Bakar').count()).toBe(0)
  })

  it('keeps the cart when the session ends, and goes on after signing in again', async () => {
    const cashier = await memberOf(acme(), 'CASHIER', 'Sari')
    const { page } = await visit(browser(), undefined, cashier.cookie)
    await openRegister(page)
    await tile(page, 'Americano').click()
    await deps().db.deleteFrom('sessions').where('memberId', '=', cashier.id).execute()
    await button(page, 'Uang pas').click()
    await page.getByRole('heading', { name: 'Masuk' }).waitFor()
    expect(await page.evaluate(`localStorage.getItem(sessionStorage.getItem('kasir-cart'))`)).toContain(
      'Americano',
    )
  })
})
