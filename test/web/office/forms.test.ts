import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInChromium } from '../../support/browser.ts'
import {
  fresh,
  makeCustomer,
  makeModifier,
  makeModifierGroup,
  makeOutlet,
  makeProduct,
  makePurchaseOrder,
  makeSupplier,
  stock,
} from '../../support/build.ts'
import { memberOf } from '../../support/clients.ts'
import { done } from '../../support/expect.ts'
import { button, field, openOffice, openTransfer, pick, save } from '../../support/office-page.ts'
import { DESKTOP, requireBuiltRegister, UNAVAILABLE, visit } from '../../support/register-page.ts'
import { acme, address, useService } from '../../support/service.ts'

requireBuiltRegister()
useService()

let outletId = ''
let otherId = ''

beforeAll(async () => {
  outletId = await makeOutlet(acme(), { name: 'Cikini' })
  otherId = await makeOutlet(acme(), { name: 'Menteng' })
})

const restored = (page: Page, text: string | RegExp = /dipulihkan/) =>
  page.getByRole('status').filter({ hasText: text }).waitFor()
const alert = (page: Page, text: string | RegExp) => page.getByRole('alert').filter({ hasText: text })
const conflict = (page: Page) => page.getByRole('dialog', { name: 'Diubah orang lain' })
const MAY_BE_SAVED = /mungkin sudah tersimpan/

/** Makes goods and stocks ten of them at the first outlet. */
async function makeStocked(word: string): Promise<{ name: string; variantId: string }> {
  const name = fresh(word)
  const product = await makeProduct(acme(), { name, variants: [{ price: 10_000 }] })
  const variantId = product.variants[0].id
  await stock(acme(), outletId, variantId, 10)
  return { name, variantId }
}

/** Makes goods with a barcode, and a carton of 24 with its own. */
async function makeCarton(word: string) {
  const name = fresh(word)
  const [code, cartonCode] = [fresh('S').replace(' ', ''), fresh('K').replace(' ', '')]
  const packs = [{ name: 'Karton', factor: 24, barcode: cartonCode }]
  const product = await makeProduct(acme(), { name, variants: [{ price: 3_000, barcode: code, packs }] })
  const [variant] = product.variants
  return { name, variantId: variant.id as string, packId: variant.packs[0].id as string, code, cartonCode }
}

/** Types barcodes into the field for goods as a scanner does. */
async function scanGoods(page: Page, codes: readonly string[]) {
  await page.getByRole('searchbox', { name: 'Tambah barang' }).focus()
  for (const code of codes) {
    await page.keyboard.type(code, { delay: 5 })
    await page.keyboard.press('Enter')
  }
}

const quantityAt = async (at: string, variantId: string): Promise<number> =>
  done(await acme().get(`/inventory/levels?outletId=${at}`)).levels.find(
    (level: { variantId: string }) => level.variantId === variantId,
  )?.quantity ?? 0

/** The service does what the page requests, but its answers are lost: 503 arrives instead. */
const loseAnswers = (page: Page, path: string) =>
  page.route(`**/api/v1${path}`, async (route) => {
    if (route.request().method() === 'GET') return route.fallback()
    await route.fetch()
    await route.fulfill({ status: 503, json: UNAVAILABLE })
  })

describeInChromium('a form that is restored after the page was left', (browser) => {
  it('saves the typed field of a product, and keeps the price and the variant that another person saved meanwhile', async () => {
    const { id, variants } = await makeProduct(acme(), {
      name: 'Mi Ayam',
      variants: [
        { name: 'Biasa', price: 10_000 },
        { name: 'Besar', price: 14_000 },
      ],
    })
    const { page } = await visit(browser())
    await openOffice(page, `/produk?id=${id}`, 'Mi Ayam')
    await page.getByLabel('Keterangan').fill('Dengan pangsit')
    const [small, large] = variants
    const now = [{ id: small.id, price: 12_000 }, { id: large.id }, { name: 'XL', price: 18_000 }]
    done(await acme().patch(`/products/${id}`, { variants: now }))
    await page.reload()
    await restored(page)
    await save(page)
    const { product } = done(await acme().get(`/products/${id}`))
    expect(product).toMatchObject({
      description: 'Dengan pangsit',
      variants: [
        { name: 'Biasa', price: 12_000 },
        { name: 'Besar', price: 14_000 },
        { name: 'XL', price: 18_000 },
      ],
    })
  })

  it('shows what another person changed in a field that was typed before the page was left', async () => {
    const { id } = await makeProduct(acme(), { name: 'Bakwan', variants: [{ price: 3_000 }] })
    const { page } = await visit(browser())
    await openOffice(page, `/produk?id=${id}`, 'Bakwan')
    await field(page, 'Nama produk').fill('Bakwan Jagung')
    done(await acme().patch(`/products/${id}`, { name: 'Bakwan Sayur' }))
    await page.reload()
    await restored(page)
    expect(await field(page, 'Nama produk').inputValue()).toBe('Bakwan Jagung')
    await button(page, 'Simpan').click()
    await conflict(page)
      .getByRole('row', { name: /Nama produk/ })
      .getByText('Bakwan Sayur')
      .waitFor()
    await conflict(page).getByRole('button', { name: 'Pakai yang di sana' }).click()
    expect(await field(page, 'Nama produk').inputValue()).toBe('Bakwan Sayur')
  })

  it('shows the present record once the typed values are discarded', async () => {
    const { id } = await makeProduct(acme(), { name: 'Cireng', variants: [{ price: 3_000 }] })
    const { page } = await visit(browser())
    await openOffice(page, `/produk?id=${id}`, 'Cireng')
    await field(page, 'Nama produk').fill('Cireng Isi')
    done(await acme().patch(`/products/${id}`, { name: 'Cireng Rujak' }))
    await page.reload()
    await restored(page)
    await button(page, 'Buang isian').click()
    expect(await field(page, 'Nama produk').inputValue()).toBe('Cireng Rujak')
  })

  it('keeps a modifier that another person added to the group meanwhile', async () => {
    const id = await makeModifierGroup(acme(), { name: 'Level pedas' })
    await makeModifier(acme(), id, { name: 'Sedang' })
    const { page } = await visit(browser())
    await openOffice(page, `/produk?tab=modifiers&id=${id}`, 'Level pedas')
    await field(page, 'Grup modifier').fill('Tingkat pedas')
    await makeModifier(acme(), id, { name: 'Gila' })
    await page.reload()
    await restored(page)
    await save(page)
    const { group } = done(await acme().get(`/modifiers/${id}`))
    expect(group).toMatchObject({ name: 'Tingkat pedas', modifiers: [{ name: 'Sedang' }, { name: 'Gila' }] })
  })

  it('leaves the role of a member as another person set it meanwhile', async () => {
    const { id } = await memberOf(acme(), 'MANAGER', 'Dewi')
    const { page } = await visit(browser())
    await openOffice(page, `/orang?tab=members&id=${id}`, 'Dewi')
    await field(page, 'Nama').fill('Dewi Lestari')
    done(await acme().patch(`/members/${id}`, { role: 'CASHIER' }))
    await page.reload()
    await restored(page)
    await save(page)
    const { members } = done(await acme().get('/members'))
    const member = members.find((each: { id: string }) => each.id === id)
    expect(member).toMatchObject({ name: 'Dewi Lestari', role: 'CASHIER' })
  })
})

describeInChromium('a form whose page was left in the middle of a save', (browser) => {
  it('adjusts stock once, and says that it may have been saved', async () => {
    const { name, variantId } = await makeStocked('Gula Pasir')
    const { page } = await visit(browser())
    await openOffice(page, '/stok?id=new', 'Sesuaikan stok')
    await pick(page, 'Barang', name)
    await page.getByLabel('Sebanyak').fill('50')
    await loseAnswers(page, '/inventory/adjust')
    await button(page, 'Simpan').click()
    await alert(page, 'outcome is unknown').waitFor()
    await page.unroute('**/api/v1/inventory/adjust')
    await page.reload()
    await restored(page, MAY_BE_SAVED)
    await save(page)
    expect(await quantityAt(outletId, variantId)).toBe(60)
  })

  it('adjusts stock once when the page is reloaded before the answer arrives', async () => {
    const { name, variantId } = await makeStocked('Garam')
    const { page } = await visit(browser())
    await openOffice(page, '/stok?id=new', 'Sesuaikan stok')
    await pick(page, 'Barang', name)
    await page.getByLabel('Sebanyak').fill('50')
    let isAnswered = false
    await page.route('**/api/v1/inventory/adjust', async (route) => {
      const response = await route.fetch()
      if (isAnswered) await route.fulfill({ response })
    })
    await button(page, 'Simpan').click()
    await expect.poll(() => quantityAt(outletId, variantId)).toBe(60)
    await page.reload()
    isAnswered = true
    await restored(page, MAY_BE_SAVED)
    await save(page)
    expect(await quantityAt(outletId, variantId)).toBe(60)
  })

  it('adjusts stock once although the reorder point was refused before the page was left', async () => {
    const { name, variantId } = await makeStocked('Tepung')
    const { page } = await visit(browser())
    await openOffice(page, '/stok?id=new', 'Sesuaikan stok')
    await pick(page, 'Barang', name)
    await page.getByLabel('Sebanyak').fill('50')
    await page.getByLabel('Batas pesan ulang').fill('99999999999')
    await button(page, 'Simpan').click()
    await page.getByRole('alert').first().waitFor()
    await page.reload()
    await restored(page, 'Isian yang belum disimpan dipulihkan')
    await page.getByLabel('Batas pesan ulang').fill('5')
    await save(page)
    expect(await quantityAt(outletId, variantId)).toBe(60)
  })

  it('takes scans that come faster than the service finds the goods, and names a code that it does not find', async () => {
    const codes = [0, 1].map((n) => String(Date.now() + n))
    const goods: string[] = []
    for (const barcode of codes) {
      const name = fresh('Sabun')
      await makeProduct(acme(), { name, variants: [{ price: 4_000, barcode }] })
      goods.push(name)
    }
    const [first = '', second = ''] = codes
    const { page } = await visit(browser())
    const quantityIn = await openTransfer(page, [])
    let release = () => {}
    const isHeld = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/products/lookup*', async (route) => {
      await isHeld
      await route.continue()
    })
    const search = page.getByRole('searchbox', { name: 'Tambah barang' })
    await search.focus()
    for (const code of [first, second, first, '4006381333979']) {
      await page.keyboard.type(code, { delay: 5 })
      await page.keyboard.press('Enter')
    }
    expect(await search.inputValue()).toBe('')
    release()
    await alert(page, '4006381333979').waitFor()
    expect(await quantityIn(goods[0] ?? '').inputValue()).toBe('2')
    expect(await quantityIn(goods[1] ?? '').inputValue()).toBe('1')
  })

  it('takes the units of a pack whose barcode is scanned for a transfer', async () => {
    const { name, variantId, code, cartonCode } = await makeCarton('Mi Goreng')
    await stock(acme(), outletId, variantId, 60)
    const { page } = await visit(browser())
    const quantityIn = await openTransfer(page, [])
    await scanGoods(page, [cartonCode, code, cartonCode])
    await expect.poll(() => quantityIn(name).inputValue()).toBe('49')
    await button(page, 'Pindahkan').click()
    await button(page, 'Pindahkan').waitFor({ state: 'detached' })
    expect(await quantityAt(otherId, variantId)).toBe(49)
  })

  it('orders packs whose barcode is scanned, in a row beside the loose units', async () => {
    const { code, cartonCode, packId } = await makeCarton('Mi Kuah')
    const { page } = await visit(browser())
    await openOffice(page, '/pembelian?id=new', 'Pesanan baru')
    await page.getByLabel('Outlet', { exact: true }).selectOption({ label: 'Cikini' })
    await scanGoods(page, [cartonCode, code, cartonCode])
    const rows = page.getByRole('region', { name: 'Daftar barang' }).getByRole('listitem')
    const quantity = rows.filter({ hasText: 'Karton' }).getByLabel('Jumlah', { exact: true })
    await expect.poll(() => quantity.inputValue()).toBe('2')
    await button(page, 'Simpan').click()
    await page.getByRole('heading', { level: 1, name: /Draf/ }).waitFor()
    const orderId = new URL(page.url()).searchParams.get('id')
    const readItems = async () => done(await acme().get(`/purchase-orders/${orderId}`)).purchaseOrder.items
    expect(await readItems()).toMatchObject([
      { pack: { id: packId, factor: 24 }, qty: 2 },
      { pack: null, qty: 1 },
    ])
    await scanGoods(page, [cartonCode])
    await expect.poll(() => quantity.inputValue()).toBe('3')
    await button(page, 'Simpan').click()
    await expect.poll(readItems).toMatchObject([
      { pack: { id: packId }, qty: 3 },
      { pack: null, qty: 1 },
    ])
  })

  it('transfers each row once when a later row was refused before the page was left', async () => {
    const [rice, oil] = [await makeStocked('Beras Ketan'), await makeStocked('Minyak Kelapa')]
    const { page } = await visit(browser())
    const quantityIn = await openTransfer(page, [rice, oil])
    await quantityIn(rice.name).fill('3')
    await quantityIn(oil.name).fill('9999999999')
    await button(page, 'Pindahkan').click()
    await page.getByRole('alert').first().waitFor()
    expect(await quantityAt(otherId, rice.variantId)).toBe(3)
    await page.reload()
    await restored(page)
    expect(await quantityIn(rice.name).isDisabled()).toBe(true)
    await quantityIn(oil.name).fill('4')
    await button(page, 'Pindahkan').click()
    await button(page, 'Pindahkan').waitFor({ state: 'detached' })
    expect([await quantityAt(otherId, rice.variantId), await quantityAt(otherId, oil.variantId)]).toEqual([
      3, 4,
    ])
  })

  it('issues one gift card', async () => {
    const cards = async () => (await acme().get('/gift-cards')).data.length
    const before = await cards()
    const { page } = await visit(browser())
    await openOffice(page, '/kartu-hadiah?id=new', 'Kartu baru')
    await button(page, 'Rp 50.000').click()
    await loseAnswers(page, '/gift-cards')
    await button(page, 'Terbitkan').click()
    await alert(page, 'outcome is unknown').waitFor()
    await page.unroute('**/api/v1/gift-cards')
    await page.reload()
    await restored(page, MAY_BE_SAVED)
    await button(page, 'Terbitkan').click()
    await page.getByRole('region', { name: 'Riwayat saldo' }).getByText('Diterbitkan').waitFor()
    expect(await cards()).toBe(before + 1)
  })

  it('continues with the product that it created', async () => {
    const group = await makeModifierGroup(acme(), { name: fresh('Sambal') })
    const { name: groupName } = done(await acme().get(`/modifiers/${group}`)).group
    const { page } = await visit(browser())
    await openOffice(page, '/produk?id=new', 'Produk baru')
    const name = fresh('Lontong')
    await field(page, 'Nama produk').fill(name)
    await page.getByLabel('Harga', { exact: true }).fill('17000')
    await page.getByRole('checkbox', { name: groupName }).check()
    const refusal = { ...UNAVAILABLE, error: { code: 'CONFLICT', message: 'Refused for the test' } }
    await page.route('**/api/v1/modifiers/product/*', (route) =>
      route.fulfill({ status: 409, json: refusal }),
    )
    await button(page, 'Simpan').click()
    await page.getByRole('alert').first().waitFor()
    await page.unroute('**/api/v1/modifiers/product/*')
    await page.reload()
    await restored(page, 'Isian yang belum disimpan dipulihkan')
    await save(page)
    const { products } = done(await acme().get(`/products?q=${encodeURIComponent(name)}`))
    expect(products).toMatchObject([{ name, modifierGroupIds: [group] }])
  })

  it('does not say that it may have been saved when the session had ended before', async () => {
    const { page, context } = await visit(browser())
    await openOffice(page, '/kartu-hadiah?id=new', 'Kartu baru')
    await button(page, 'Rp 50.000').click()
    const cookies = await context.cookies()
    await context.clearCookies()
    await button(page, 'Terbitkan').click()
    await page.getByRole('heading', { name: 'Masuk' }).waitFor()
    await context.addCookies(cookies)
    await page.evaluate("sessionStorage.removeItem('met')")
    await page.goto(`${address()}/kartu-hadiah?id=new`)
    await restored(page, 'Isian yang belum disimpan dipulihkan')
  })
})

describeInChromium('a record that two people change', (browser) => {
  it('the rows that another person added to a draft of an order stay when the note is saved', async () => {
    const [tea, milk] = [await makeStocked('Teh Celup'), await makeStocked('Susu Kental')]
    const supplierId = await makeSupplier(acme())
    const items = [{ variantId: tea.variantId, qty: 10 }]
    const { purchaseOrder } = done(await acme().post('/purchase-orders', { outletId, supplierId, items }))
    const { page } = await visit(browser())
    await openOffice(page, `/pembelian?id=${purchaseOrder.id}`, /Draf/)
    await page.getByLabel('Catatan').fill('Antar pagi')
    const more = [...items, { variantId: milk.variantId, qty: 24 }]
    done(await acme().patch(`/purchase-orders/${purchaseOrder.id}`, { supplierId, items: more }))
    await button(page, 'Simpan').click()
    await conflict(page)
      .getByRole('row', { name: /Daftar barang/ })
      .getByText('2 baris')
      .waitFor()
    await conflict(page).getByRole('button', { name: 'Pakai yang di sana' }).click()
    await button(page, 'Simpan').click()
    const stored = async () => done(await acme().get(`/purchase-orders/${purchaseOrder.id}`)).purchaseOrder
    await expect.poll(stored).toMatchObject({ note: 'Antar pagi', items: [{ qty: 10 }, { qty: 24 }] })
  })

  it('the component that another person added to a recipe stays unless the member decides otherwise', async () => {
    const [beans, milk] = [await makeStocked('Biji Robusta'), await makeStocked('Susu Segar')]
    const { id, variants } = await makeProduct(acme(), { name: 'Kopi Tubruk', variants: [{ price: 9_000 }] })
    const path = `/products/${id}/variants/${variants[0].id}/recipe`
    const one = { componentVariantId: beans.variantId, quantity: 18 }
    done(await acme().put(path, { isComposite: true, components: [one] }))
    const { page } = await visit(browser())
    await openOffice(page, `/produk?id=${id}`, 'Kopi Tubruk')
    await button(page, 'Ubah resep Default').click()
    await page.getByLabel(`Jumlah ${beans.name}`).fill('20')
    const two = { componentVariantId: milk.variantId, quantity: 100 }
    done(await acme().put(path, { isComposite: true, components: [one, two] }))
    const dialog = page.getByRole('dialog', { name: 'Ubah resep Default' })
    await dialog.getByRole('button', { name: 'Simpan' }).click()
    await conflict(page).getByText('2 baris').waitFor()
    await conflict(page).getByRole('button', { name: 'Pakai yang di sana' }).click()
    await page.getByLabel(`Jumlah ${beans.name}`).fill('20')
    await dialog.getByRole('button', { name: 'Simpan' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { components } = done(await acme().get(path))
    expect(components).toMatchObject([
      { componentVariantId: beans.variantId, quantity: 20 },
      { componentVariantId: milk.variantId, quantity: 100 },
    ])
  })
})

describeInChromium('a quantity that is written with a thousands separator', (browser) => {
  it('is added to the stock as the thousands that the pages show', async () => {
    const { name, variantId } = await makeStocked('Sedotan')
    // Chromium in this language reads the "1.000" of a number field as 1.
    const { page } = await visit(browser(), { ...DESKTOP, language: 'en' })
    await openOffice(page, '/stok?id=new', 'Adjust stock')
    await pick(page, 'Goods', name)
    const quantity = page.getByLabel('Quantity', { exact: true })
    await quantity.pressSequentially('1,5')
    await button(page, 'Save').click()
    const refusal = await quantity.evaluate((field: { validationMessage: string }) => field.validationMessage)
    expect(refusal).toMatch(/whole number/)
    await quantity.fill('1.000')
    await button(page, 'Save').click()
    await button(page, 'Save').waitFor({ state: 'detached' })
    expect(await quantityAt(outletId, variantId)).toBe(1_010)
  })

  it('is transferred and written into a recipe as the thousands that the pages show', async () => {
    const rice = await makeStocked('Beras Curah')
    await stock(acme(), outletId, rice.variantId, 1_990)
    const { page } = await visit(browser(), { ...DESKTOP, language: 'en' })
    await openOffice(page, '/stok?id=transfer', 'Transfer')
    await page.getByLabel('To outlet').selectOption({ label: 'Menteng' })
    await pick(page, 'Add goods', rice.name)
    await page.getByLabel('Quantity', { exact: true }).fill('1.000')
    await button(page, 'Transfer').click()
    await expect.poll(() => quantityAt(otherId, rice.variantId)).toBe(1_000)
    const { id, variants } = await makeProduct(acme(), {
      name: 'Nasi Tumpeng',
      variants: [{ price: 90_000 }],
    })
    const path = `/products/${id}/variants/${variants[0].id}/recipe`
    const one = { componentVariantId: rice.variantId, quantity: 18 }
    done(await acme().put(path, { isComposite: true, components: [one] }))
    await openOffice(page, `/produk?id=${id}`, 'Nasi Tumpeng')
    await button(page, 'Edit recipe of Default').click()
    await page.getByLabel(`Quantity of ${rice.name}`).fill('2.500')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await expect.poll(async () => done(await acme().get(path)).components[0].quantity).toBe(2_500)
  })

  it('is received as these thousands, and a quantity with decimals is not left out of the receipt', async () => {
    const [tea, milk] = [await makeStocked('Teh Tubruk'), await makeStocked('Susu Bubuk')]
    const items = [tea, milk].map(({ variantId }) => ({ variantId, qty: 2_000 }))
    const order = await makePurchaseOrder(acme(), { outletId, items })
    done(await acme().post(`/purchase-orders/${order.id}/order`))
    const { page } = await visit(browser())
    await openOffice(page, `/pembelian?id=${order.id}`, order.number)
    const arriving = page.getByLabel('Datang')
    await arriving.nth(0).fill('1.000')
    await arriving.nth(1).fill('1,5')
    await button(page, 'Terima barang').click()
    await expect.poll(() => arriving.nth(1).evaluate('document.activeElement.value')).toBe('1,5')
    await arriving.nth(1).fill('15')
    await button(page, 'Terima barang').click()
    const received = async () =>
      done(await acme().get(`/purchase-orders/${order.id}`)).purchaseOrder.items.map(
        ({ receivedQty }: { receivedQty: number }) => receivedQty,
      )
    await expect.poll(received).toEqual([1_000, 15])
  })
})

describeInChromium('a quantity that cannot be read', (browser) => {
  it('is not changed by a second scan, and returns as the last one that was read', async () => {
    const { name } = await makeStocked('Gula Aren')
    const { page } = await visit(browser())
    await openOffice(page, '/stok?id=transfer', 'Transfer')
    await pick(page, 'Tambah barang', name)
    const quantity = page.getByLabel('Jumlah', { exact: true })
    await quantity.fill('5')
    await quantity.fill('1,5')
    await pick(page, 'Tambah barang', name)
    const refusal = await quantity.evaluate((field: { validationMessage: string }) => field.validationMessage)
    expect([await quantity.inputValue(), refusal]).toEqual(['1,5', expect.stringContaining('bilangan bulat')])
    await page.reload()
    await restored(page)
    expect(await quantity.inputValue()).toBe('5')
    await pick(page, 'Tambah barang', name)
    await expect.poll(() => quantity.inputValue()).toBe('6')
  })

  it('leaves the button of a receipt enabled, which says what is wrong', async () => {
    const { variantId } = await makeStocked('Kopi Bubuk')
    const order = await makePurchaseOrder(acme(), { outletId, items: [{ variantId, qty: 20 }] })
    done(await acme().post(`/purchase-orders/${order.id}/order`))
    const { page } = await visit(browser())
    await openOffice(page, `/pembelian?id=${order.id}`, order.number)
    const arriving = page.getByLabel('Datang')
    await arriving.fill('')
    await expect.poll(() => button(page, 'Terima barang').isDisabled()).toBe(true)
    await arriving.fill('1,5')
    await button(page, 'Terima barang').click()
    await expect.poll(() => arriving.evaluate('document.activeElement.value')).toBe('1,5')
    expect(await arriving.getAttribute('aria-invalid')).toBe('true')
  })
})

describeInChromium('a percentage that cannot be read', (browser) => {
  it('is not saved as none: the approval of discounts stays as it was', async () => {
    const bps = async () => done(await acme().get('/settings')).settings.approvals.discountAboveBps
    done(await acme().put('/settings', { approvals: { discountAboveBps: 1_000 } }))
    const { page } = await visit(browser())
    await openOffice(page, '/pengaturan?tab=approvals', 'Persetujuan')
    const percent = page.getByLabel('Diskon di atas')
    await percent.fill('7,555')
    await button(page, 'Simpan').click()
    const refusal = await percent.evaluate((field: { validationMessage: string }) => field.validationMessage)
    expect([refusal, await bps()]).toEqual([expect.stringContaining('12,5'), 1_000])
    await percent.fill(',5')
    await button(page, 'Simpan').click()
    await expect.poll(bps).toBe(50)
  })

  it('is not left without a question, and does not return as an empty field', async () => {
    done(await acme().put('/settings', { approvals: { discountAboveBps: 1_000 } }))
    const { page } = await visit(browser())
    await openOffice(page, '/pengaturan?tab=approvals', 'Persetujuan')
    const percent = page.getByLabel('Diskon di atas')
    await percent.fill('7,555')
    await page.getByRole('link', { name: 'Produk', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Lanjut mengisi' }).click()
    await page.reload()
    await expect.poll(() => percent.inputValue()).toBe('10')
  })
})

describeInChromium('a reorder point', (browser) => {
  it('that was set cannot be left empty, which would change nothing', async () => {
    const { variantId } = await makeStocked('Kecap')
    const { level } = done(await acme().put('/inventory/reorder', { outletId, variantId, reorderPoint: 5 }))
    const { page } = await visit(browser())
    await openOffice(page, `/stok?id=${level.id}`, /Kecap/)
    const point = page.getByLabel('Batas pesan ulang')
    await point.fill('')
    await button(page, 'Simpan').click()
    expect(
      await point.evaluate((field: { matches(state: string): boolean }) => field.matches(':invalid')),
    ).toBe(true)
    await point.fill('0')
    await save(page)
    const { levels } = done(await acme().get(`/inventory/levels?outletId=${outletId}`))
    const stored = levels.find((each: { id: string }) => each.id === level.id)
    expect(stored.reorderPoint).toBe(0)
  })
})

describeInChromium('a record that was deleted meanwhile', (browser) => {
  for (const [path, list] of [
    ['/produk?tab=categories&id=cat_gone', 'Kategori'],
    ['/orang?tab=members&id=mbr_gone', 'Anggota'],
    ['/pengembang?id=whs_gone', 'Webhook'],
    ['/stok?id=lvl_gone', 'Level stok'],
  ] as const)
    it(`${path} says that it is gone, and leads back to the list`, async () => {
      const { page } = await visit(browser())
      await page.goto(address() + path)
      await page.getByText('Data ini sudah tidak ada').waitFor()
      await button(page, 'Kembali ke daftar').click()
      await page.getByRole('heading', { level: 1, name: list }).waitFor()
    })
})

describeInChromium('Enter in a field beside the form', (browser) => {
  it('takes the only customer that is found for a gift card, and issues no card', async () => {
    const name = fresh('Wulan')
    const customerId = await makeCustomer(acme(), { name: `${name} Satu` })
    await makeCustomer(acme(), { name: `${name} Dua` })
    const cards = async () => (await acme().get('/gift-cards?limit=100')).data
    const before = (await cards()).length
    const { page } = await visit(browser())
    await openOffice(page, '/kartu-hadiah?id=new', 'Kartu baru')
    await button(page, 'Rp 500.000').click()
    const search = page.getByRole('searchbox', { name: /^Pelanggan/ })
    const found = page.getByRole('list', { name: /^Pelanggan/ }).getByRole('button')
    await search.fill(name)
    await expect.poll(() => found.count()).toBe(2)
    await search.press('Enter')
    await search.fill(`${name} Satu`)
    await expect.poll(() => found.count()).toBe(1)
    await search.press('Enter')
    await button(page, 'Ganti').waitFor()
    expect(await cards()).toHaveLength(before)
    await button(page, 'Terbitkan').click()
    await page.getByRole('region', { name: 'Riwayat saldo' }).getByText('Diterbitkan').waitFor()
    expect(await cards()).toHaveLength(before + 1)
    expect((await cards())[0].customerId).toBe(customerId)
  })

  it('adds the customers that meet the conditions of a group, and keeps the group open', async () => {
    const name = fresh('Setia')
    const { id } = done(await acme().post('/customer-groups', { name })).customerGroup
    const { page } = await visit(browser())
    for (const [label, value] of [
      ['Belanja paling sedikit', '50000000'],
      ['Datang sejak', '2026-11-01'],
      ['Tidak datang sejak', '2026-11-01'],
    ] as const) {
      await openOffice(page, `/pelanggan?tab=groups&id=${id}`, name)
      const condition = page.getByLabel(label, { exact: true })
      await condition.fill(value)
      await condition.press('Enter')
      await page.getByText(/^\d+ pelanggan ditambah/).waitFor()
    }
  })
})
