import { readFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInChromium } from '../../support/browser.ts'
import { makeCategory, makeOutlet, makeProduct } from '../../support/build.ts'
import { done } from '../../support/expect.ts'
import { button, field, openOffice, rowOf, save, table } from '../../support/office-page.ts'
import { requireBuiltRegister, visit } from '../../support/register-page.ts'
import { acme, address, useService } from '../../support/service.ts'

requireBuiltRegister()
useService()

beforeAll(async () => {
  await makeOutlet(acme(), { name: 'Cikini' })
  const categoryId = await makeCategory(acme(), { name: 'Minuman' })
  await makeProduct(acme(), { name: 'Es Teh', categoryId, variants: [{ price: 6_000, sku: 'ET-1' }] })
  await makeProduct(acme(), { name: 'Kopi Hitam', variants: [{ price: 12_000 }] })
  await makeProduct(acme(), { name: 'Beras', variants: [{ price: 14_000 }] })
})

const productsNamed = async (q: string) =>
  done(await acme().get(`/products?q=${encodeURIComponent(q)}`)).products
const openProducts = (page: Page, search = '') => openOffice(page, `/produk${search}`, 'Produk')
/** Pastes a text into a field, where its cursor or its selection is. */
const pasteOn = (page: Page) => async (target: Locator, text: string) => {
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
  await target.focus()
  await page.keyboard.press('ControlOrMeta+V')
}
const names = (page: Page) => table(page, 'Produk').locator('a[data-row]').allInnerTexts()
const firstNames = async (page: Page) => (await names(page)).map((text) => text.split('\n')[0])

describeInChromium('the products of the back office', (browser) => {
  it('lists products with search, filter and sort order in the address', async () => {
    const { page, complaints } = await visit(browser())
    await openProducts(page)
    await table(page, 'Produk').waitFor()
    await page.getByRole('searchbox', { name: 'Cari nama, SKU, atau barcode' }).fill('kopi')
    await expect.poll(() => firstNames(page)).toEqual(['Kopi Hitam'])
    expect(new URL(page.url()).searchParams.get('q')).toBe('kopi')
    await page.reload()
    await expect.poll(() => firstNames(page)).toEqual(['Kopi Hitam'])
    await openProducts(page)
    await page.getByLabel('Kategori').selectOption({ label: 'Minuman' })
    await expect.poll(() => firstNames(page)).toEqual(['Es Teh'])
    await openProducts(page, '?q=nothing-has-this-name')
    await button(page, 'Hapus pencarian dan saringan').click()
    await button(page, 'Harga').click()
    await expect.poll(() => firstNames(page)).toEqual(['Es Teh', 'Kopi Hitam', 'Beras'])
    await button(page, 'Harga').click()
    await expect.poll(() => firstNames(page)).toEqual(['Beras', 'Kopi Hitam', 'Es Teh'])
    expect(complaints).toEqual([])
  })

  it('moves between the rows with the arrow keys and opens one with Enter', async () => {
    const { page } = await visit(browser())
    await openProducts(page, '?sort=name')
    await expect.poll(() => firstNames(page)).toEqual(['Beras', 'Es Teh', 'Kopi Hitam'])
    await page.keyboard.press('/')
    await expect.poll(() => page.evaluate('document.activeElement.type')).toBe('search')
    await table(page, 'Produk').locator('a[data-row]').first().focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Es Teh' }).waitFor()
  })

  it('creates a product with two variants, and shows a refused code at its field with what was typed', async () => {
    const { page } = await visit(browser())
    await openProducts(page)
    await button(page, 'Produk baru').first().click()
    await field(page, 'Nama produk').fill('Kopi Susu')
    await page.getByLabel('Kategori').selectOption({ label: 'Minuman' })
    await button(page, 'Tambah varian').click()
    const rows = page.getByRole('region', { name: 'Varian' }).getByRole('listitem')
    await rows.nth(0).getByLabel('Nama varian').fill('Panas')
    await rows.nth(0).getByLabel('Harga', { exact: true }).fill('15000')
    await rows.nth(0).getByLabel('SKU').fill('ET-1')
    await rows.nth(1).getByLabel('Nama varian').fill('Dingin')
    await rows.nth(1).getByLabel('Harga', { exact: true }).fill('18000')
    await button(page, 'Simpan').click()
    await rows.nth(0).getByRole('alert').waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.dataset.param')).toBe('variants[0].sku')
    expect(await rows.nth(1).getByLabel('Harga', { exact: true }).inputValue()).toBe('18.000')
    await rows.nth(0).getByLabel('SKU').fill('KS-1')
    await save(page)
    await rowOf(page, 'Kopi Susu').getByText('Rp 15.000 – 18.000').waitFor()
    const [product] = await productsNamed('Kopi Susu')
    expect(product).toMatchObject({
      categoryName: 'Minuman',
      variants: [
        { name: 'Panas', price: 15_000, sku: 'KS-1' },
        { name: 'Dingin', price: 18_000 },
      ],
    })
  })

  it('keeps what was typed when the line drops, and stores the product once when it is sent again', async () => {
    const { page, context } = await visit(browser())
    await openProducts(page, '?id=new')
    await field(page, 'Nama produk').fill('Teh Poci')
    await page.getByLabel('Harga', { exact: true }).fill('9000')
    await context.setOffline(true)
    await button(page, 'Simpan').click()
    await page.getByRole('alert').filter({ hasText: 'Layanan tidak menjawab' }).waitFor()
    expect(await field(page, 'Nama produk').inputValue()).toBe('Teh Poci')
    await context.setOffline(false)
    await save(page)
    expect(await productsNamed('Teh Poci')).toHaveLength(1)
  })

  it('keeps what was typed when the session ends, until the member is back', async () => {
    const { page, context } = await visit(browser())
    await openProducts(page, '?id=new')
    await field(page, 'Nama produk').fill('Wedang Jahe')
    const cookies = await context.cookies()
    await context.clearCookies()
    await page.getByLabel('Harga', { exact: true }).fill('11000')
    await button(page, 'Simpan').click()
    await page.getByRole('heading', { name: 'Masuk' }).waitFor()
    expect(new URL(page.url()).searchParams.get('to')).toBe('/produk?id=new')
    await context.addCookies(cookies)
    await page.evaluate("sessionStorage.removeItem('met')")
    await page.goto(`${address()}/produk?id=new`)
    await page.getByRole('status').filter({ hasText: 'dipulihkan' }).waitFor()
    expect(await field(page, 'Nama produk').inputValue()).toBe('Wedang Jahe')
    await save(page)
    expect(await productsNamed('Wedang Jahe')).toHaveLength(1)
  })

  it('asks before unsaved changes are lost', async () => {
    const { page } = await visit(browser())
    await openProducts(page, '?id=new')
    await field(page, 'Nama produk').fill('Terlupa')
    await page.getByRole('link', { name: 'Beranda' }).click()
    await page.getByRole('dialog', { name: 'Buang perubahan?' }).waitFor()
    await button(page, 'Lanjut mengisi').click()
    expect(await field(page, 'Nama produk').inputValue()).toBe('Terlupa')
    await page.getByRole('link', { name: 'Beranda' }).click()
    await button(page, 'Buang').click()
    await page.getByRole('heading', { level: 1, name: /^Halo/ }).waitFor()
    await openProducts(page, '?id=new')
    expect(await field(page, 'Nama produk').inputValue()).toBe('')
  })

  it('shows two people who edit one product what the other one changed', async () => {
    const product = await makeProduct(acme(), { name: 'Sate', variants: [{ price: 20_000 }] })
    const { page } = await visit(browser())
    await openProducts(page, `?id=${product.id}`).catch(() => {})
    await page.getByRole('heading', { level: 1, name: 'Sate' }).waitFor()
    done(await acme().patch(`/products/${product.id}`, { name: 'Sate Ayam' }))
    await page.getByLabel('Keterangan').fill('Sepuluh tusuk')
    await button(page, 'Simpan').click()
    const dialog = page.getByRole('dialog', { name: 'Diubah orang lain' })
    await dialog
      .getByRole('row', { name: /Nama produk/ })
      .getByText('Sate Ayam')
      .waitFor()
    await dialog.getByRole('button', { name: 'Pakai yang di sana' }).click()
    expect(await field(page, 'Nama produk').inputValue()).toBe('Sate Ayam')
    await save(page)
    const stored = done(await acme().get(`/products/${product.id}`)).product
    expect(stored).toMatchObject({ name: 'Sate Ayam', description: 'Sepuluh tusuk' })
  })

  it('says when a deleted product was deactivated because it was sold', async () => {
    const product = await makeProduct(acme(), {
      name: 'Lama',
      trackStock: false,
      variants: [{ price: 5_000 }],
    })
    const { outlets } = done(await acme().get('/outlets'))
    done(
      await acme().post('/sales', {
        outletId: outlets[0].id,
        items: [{ variantId: product.variants[0].id, quantity: 1 }],
      }),
    )
    const { page } = await visit(browser())
    await page.goto(`${address()}/produk?id=${product.id}`)
    await button(page, 'Hapus').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Hapus' }).click()
    await dialog.getByText('dinonaktifkan').waitFor()
  })

  it('attaches a recipe, and a group of modifiers that it creates first', async () => {
    const { page } = await visit(browser())
    await makeProduct(acme(), { name: 'Biji Kopi', variants: [{ price: 1, cost: 200 }] })
    const latte = await makeProduct(acme(), { name: 'Latte', variants: [{ price: 25_000 }] })
    await openOffice(page, '/produk?tab=modifiers', 'Modifier')
    await button(page, 'Grup modifier baru').first().click()
    await field(page, 'Grup modifier').fill('Topping')
    await button(page, 'Tambah modifier').click()
    await field(page, 'Nama modifier').fill('Keju')
    await field(page, 'Tambahan harga').fill('4000')
    await save(page)
    await rowOf(page, 'Topping').getByText('Keju').waitFor()
    await page.goto(`${address()}/produk?id=${latte.id}`)
    await page.getByRole('checkbox', { name: 'Topping' }).check()
    await button(page, 'Ubah resep Default').click()
    await page.getByRole('searchbox', { name: 'Tambah bahan' }).fill('Biji')
    await page.getByRole('list', { name: 'Tambah bahan' }).getByRole('button').first().click()
    await page.getByLabel('Jumlah Biji Kopi').fill('18')
    await page.getByRole('dialog').getByRole('button', { name: 'Simpan' }).click()
    await page.getByText('1 bahan, modal Rp 3.600, margin Rp 21.400').waitFor()
    await save(page)
    const stored = done(await acme().get(`/products/${latte.id}`)).product
    expect(stored.modifierGroupIds).toHaveLength(1)
    expect(stored.variants[0]).toMatchObject({ isComposite: true, derivedCost: 3_600 })
  })

  it('reads prices pasted from an English spreadsheet without their cents, as rows and into one field', async () => {
    const { page, context } = await visit(browser())
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const pasteInto = pasteOn(page)
    await openProducts(page, '?id=new')
    const rows = page.getByRole('region', { name: 'Varian' }).getByRole('listitem')
    const price = (row: number) => rows.nth(row).getByLabel('Harga', { exact: true })
    await pasteInto(price(0), 'Kecil\t950.00\t700.00\nBesar\t15000.00\t15.000\nJumbo\t1.50\n')
    await expect.poll(() => price(0).inputValue()).toBe('950')
    expect(await price(1).inputValue()).toBe('15.000')
    expect(await rows.nth(1).getByLabel('Harga modal').inputValue()).toBe('15.000')
    expect(await price(2).inputValue()).toBe('')
    await pasteInto(price(2), '22000.00')
    await expect.poll(() => price(2).inputValue()).toBe('22.000')
  })

  it('says at the variants that a product has at most 250, before it sends more', async () => {
    const { page, context } = await visit(browser())
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await openProducts(page, '?id=new')
    await page.getByLabel('Nama produk').fill('Kaus Ukuran')
    const variants = page.getByRole('region', { name: 'Varian' })
    const lines = Array.from({ length: 251 }, (_, n) => `Ukuran ${n}\t1000`)
    await pasteOn(page)(variants.getByLabel('Harga', { exact: true }), lines.join('\n'))
    const alert = variants.getByRole('alert')
    await alert.waitFor()
    expect(await alert.innerText()).toBe(
      'Paling banyak 250 varian bisa disimpan sekaligus, termasuk yang nonaktif. Hapus 1, atau buat produk lain.',
    )
    expect(await button(page, 'Simpan').isDisabled()).toBe(true)
    await button(page, 'Hapus varian 251').click()
    await alert.waitFor({ state: 'detached' })
    await save(page)
    const [product] = await productsNamed('Kaus Ukuran')
    expect(product.variants).toHaveLength(250)
  })

  it('reads an amount pasted from an English spreadsheet without its cents in each kind of field', async () => {
    const { page, context } = await visit(browser())
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const pasteInto = pasteOn(page)
    await openProducts(page, '?id=new')
    await button(page, 'Tambah kemasan').click()
    await pasteInto(page.getByLabel('Harga kemasan'), '15000.00')
    // A copied cell ends with a line break.
    await pasteInto(page.getByLabel('Harga', { exact: true }), '16000.00\n')
    const amounts = [page.getByLabel('Harga kemasan'), page.getByLabel('Harga', { exact: true })]
    await expect
      .poll(() => Promise.all(amounts.map((each) => each.inputValue())))
      .toEqual(['15.000', '16.000'])
    await openOffice(page, '/produk?tab=modifiers&id=new', 'Grup modifier baru')
    await button(page, 'Tambah modifier').click()
    const extra = page.getByLabel('Tambahan harga')
    expect(await extra.inputValue()).toBe('0')
    await pasteInto(extra, '15000.00')
    await expect.poll(() => extra.inputValue()).toBe('15.000')
    await openOffice(page, '/produk?tab=prices&id=new', 'Daftar harga baru')
    await page.getByRole('searchbox', { name: 'Tambah barang' }).fill('Es Teh')
    await page.getByRole('list', { name: 'Tambah barang' }).getByRole('button').first().click()
    await field(page, 'Harga').selectText()
    await pasteInto(field(page, 'Harga'), '15000.00')
    await expect.poll(() => field(page, 'Harga').inputValue()).toBe('15.000')
    await openOffice(page, '/stok?id=batch', 'Batch baru')
    await pasteInto(field(page, 'Harga modal'), '15000.00')
    await expect.poll(() => field(page, 'Harga modal').inputValue()).toBe('15.000')
  })

  it('tries a CSV file, lists the refused rows, imports the rest, and saves a file that changes nothing', async () => {
    const { page } = await visit(browser())
    await openOffice(page, '/produk?tab=import', 'Impor CSV')
    const file =
      'product,category,sku,price\nBakso,Makanan,BK-1,15000\nSoto,Makanan,ST-1,15k\nMie,Makanan,ET-1,9000\n'
    const choose = (text: string) =>
      page
        .getByLabel('Pilih berkas CSV')
        .setInputFiles({ name: 'goods.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    await choose(file)
    await page.getByRole('status').filter({ hasText: '1 baru, 1 berubah, 0 sama, 1 ditolak' }).waitFor()
    await table(page, 'Baris yang ditolak').getByText('“15k” bukan bilangan bulat').waitFor()
    expect(await productsNamed('Bakso')).toHaveLength(0)
    await choose(file.replace('15k', '15000').replace('ET-1', 'MI-1'))
    await page.getByRole('status').filter({ hasText: '3 baru' }).waitFor()
    await button(page, 'Impor 3 produk').click()
    await page.getByRole('status').filter({ hasText: '3 produk disimpan' }).waitFor()
    expect(await productsNamed('Soto')).toMatchObject([{ categoryName: 'Makanan' }])
    await openProducts(page)
    const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Simpan CSV').click()])
    const saved = readFileSync(await download.path(), 'utf8')
    expect(saved).toContain('Bakso')
    await openOffice(page, '/produk?tab=import', 'Impor CSV')
    await choose(saved)
    await page.getByRole('status').filter({ hasText: '0 baru, 0 berubah' }).waitFor()
  })
})
