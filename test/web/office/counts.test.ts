import { beforeAll, expect, it } from 'vitest'
import { describeInChromium } from '../../support/browser.ts'
import { makeCategory, makeOutlet, makeProduct, openShift, stock } from '../../support/build.ts'
import { memberOf } from '../../support/clients.ts'
import { done } from '../../support/expect.ts'
import { button, field, openOffice, pick, rowOf, table } from '../../support/office-page.ts'
import { requireBuiltRegister, visit } from '../../support/register-page.ts'
import { scan } from '../../support/scanner.ts'
import { acme, address, useService } from '../../support/service.ts'

requireBuiltRegister()
useService()

type Counted = { variantId: string; quantity: number }

const PHONE = { width: 390, height: 844, hasTouch: true } as const
const [TEA, STRIP, PILL] = ['8991000000011', '8991000000028', '8991000000035'] as const

let outletId = ''
let teaId = ''
let pillId = ''

beforeAll(async () => {
  outletId = await makeOutlet(acme(), { name: 'Cikini' })
  const categoryId = await makeCategory(acme(), { name: 'Minuman' })
  const tea = await makeProduct(acme(), {
    name: 'Teh Botol',
    categoryId,
    variants: [{ price: 5_000, cost: 3_000, barcode: TEA }],
  })
  const pills = await makeProduct(acme(), {
    name: 'Paracetamol',
    variants: [
      { price: 1_000, cost: 400, barcode: PILL, packs: [{ name: 'Strip', factor: 10, barcode: STRIP }] },
    ],
  })
  teaId = tea.variants[0].id
  pillId = pills.variants[0].id
  await stock(acme(), outletId, teaId, 10)
  await stock(acme(), outletId, pillId, 100)
})

const levelOf = async (id: string) =>
  done(await acme().get(`/inventory/levels?outletId=${outletId}`)).levels.find(
    ({ variantId }: { variantId: string }) => variantId === id,
  ).quantity

describeInChromium('a stock count on a phone', (browser) => {
  it('counts by scanner and by hand, shows the differences and posts them once', async () => {
    const { page } = await visit(browser(), PHONE)
    await openOffice(page, '/stok?tab=counts', 'Hitung stok')
    await button(page, 'Hitungan baru').first().click()
    await button(page, 'Mulai menghitung').click()
    await page.getByRole('heading', { level: 1, name: 'Hitungan Cikini' }).waitFor()
    await scan(page, TEA)
    await scan(page, TEA)
    const quantity = page.getByLabel('Dihitung', { exact: true })
    await expect.poll(() => quantity.inputValue()).toBe('2')
    await quantity.fill('8')
    // Scanning other goods saves the ones before; a pack counts its units.
    await scan(page, STRIP)
    await rowOf(page, 'Teh Botol').getByText('-2').or(rowOf(page, 'Teh Botol').getByText('−2')).waitFor()
    await expect.poll(() => quantity.inputValue()).toBe('10')
    await scan(page, PILL)
    await expect.poll(() => quantity.inputValue()).toBe('11')
    await button(page, 'Simpan hitungan').click()
    await rowOf(page, 'Paracetamol').getByText('11').waitFor()
    await scan(page, '8999999999999')
    await page.getByRole('alert').getByText('8999999999999').waitFor()
    await page.getByRole('searchbox', { name: 'Cari barang' }).fill('Parace')
    await page.getByRole('list', { name: 'Cari barang' }).getByRole('button').first().click()
    await page.getByText('Sudah dihitung 11').waitFor()
    await quantity.fill('100')
    await button(page, 'Simpan hitungan').click()
    await page.getByText('Hanya selisih (1)').click()
    await expect.poll(() => rowOf(page, 'Paracetamol').count()).toBe(0)
    await button(page, 'Catat selisih').click()
    await page.getByRole('dialog').getByText('1 barang berbeda: lebih 0, kurang 2').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Catat sekarang' }).click()
    await page.getByText('Dicatat', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Catat selisih' }).count()).toBe(0)
    expect([await levelOf(teaId), await levelOf(pillId)]).toEqual([8, 100])
  })

  it('keeps a scan that comes while the count is saved', async () => {
    const { page } = await visit(browser(), PHONE)
    const { id } = done(await acme().post('/stock-counts', { outletId })).stockCount
    await openOffice(page, `/stok?tab=counts&id=${id}`, 'Hitungan Cikini')
    const quantity = page.getByLabel('Dihitung', { exact: true })
    await scan(page, TEA)
    await expect.poll(() => quantity.inputValue()).toBe('1')
    let release = () => {}
    const isHeld = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/stock-counts/*/lines', async (route) => {
      await isHeld
      await route.continue()
    })
    await button(page, 'Simpan hitungan').click()
    await scan(page, TEA)
    await expect.poll(() => quantity.inputValue()).toBe('2')
    release()
    await rowOf(page, 'Teh Botol').waitFor()
    expect(await quantity.inputValue()).toBe('2')
    await button(page, 'Simpan hitungan').click()
    await expect.poll(() => quantity.count()).toBe(0)
    const { lines } = done(await acme().get(`/stock-counts/${id}`)).stockCount
    expect(lines.map((line: { quantity: number }) => line.quantity)).toEqual([2])
    done(await acme().post(`/stock-counts/${id}/cancel`))
  })

  it('counts 1.000 as the thousand that the page shows', async () => {
    const { page } = await visit(browser(), PHONE)
    const { id } = done(await acme().post('/stock-counts', { outletId })).stockCount
    await openOffice(page, `/stok?tab=counts&id=${id}`, 'Hitungan Cikini')
    const quantity = page.getByLabel('Dihitung', { exact: true })
    await scan(page, TEA)
    await quantity.fill('1.000')
    await scan(page, TEA)
    await expect.poll(() => quantity.inputValue()).toBe('1.001')
    await button(page, 'Simpan hitungan').click()
    await rowOf(page, 'Teh Botol').getByText('1.001').first().waitFor()
    const { lines } = done(await acme().get(`/stock-counts/${id}`)).stockCount
    expect(lines.map((line: Counted) => line.quantity)).toEqual([1_001])
    done(await acme().post(`/stock-counts/${id}/cancel`))
  })

  it('posts the goods scanned last, and none scanned after the question', async () => {
    const { page } = await visit(browser(), PHONE)
    const { id } = done(await acme().post('/stock-counts', { outletId })).stockCount
    await openOffice(page, `/stok?tab=counts&id=${id}`, 'Hitungan Cikini')
    for (const code of [TEA, TEA, PILL, PILL, PILL]) await scan(page, code)
    await button(page, 'Catat selisih').click()
    const question = page.getByRole('dialog')
    await question.getByText('2 barang berbeda').waitFor()
    await scan(page, TEA)
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    expect(await page.getByLabel('Dihitung', { exact: true }).count()).toBe(0)
    await button(page, 'Catat selisih').click()
    await question.getByRole('button', { name: 'Catat sekarang' }).click()
    await page.getByText('Dicatat', { exact: true }).waitFor()
    const { lines } = done(await acme().get(`/stock-counts/${id}`)).stockCount
    const counted = lines.map((line: Counted) => [line.variantId, line.quantity])
    expect(new Map(counted)).toEqual(
      new Map([
        [teaId, 2],
        [pillId, 3],
      ]),
    )
    // The levels from before, for the reports.
    await stock(acme(), outletId, teaId, 6)
    await stock(acme(), outletId, pillId, 97)
  })

  it('stays open if the goods scanned last have no quantity or cannot be saved', async () => {
    const { page } = await visit(browser(), PHONE)
    const { id } = done(await acme().post('/stock-counts', { outletId })).stockCount
    await openOffice(page, `/stok?tab=counts&id=${id}`, 'Hitungan Cikini')
    await pick(page, 'Cari barang', 'Teh Botol')
    await button(page, 'Catat selisih').click()
    await page.getByRole('alert').getByText('Teh Botol belum diisi').waitFor()
    await page.getByLabel('Dihitung', { exact: true }).fill('7')
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
    await page.route(`**/stock-counts/${id}/lines`, (route) => route.abort())
    await button(page, 'Catat selisih').click()
    await page.getByRole('alert').getByText('Layanan tidak menjawab').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.unroute(`**/stock-counts/${id}/lines`)
    await button(page, 'Catat selisih').click()
    await page.getByRole('dialog').getByText('1 barang berbeda').waitFor()
    await page.keyboard.press('Escape')
    await rowOf(page, 'Teh Botol').getByText('7').first().waitFor()
    done(await acme().post(`/stock-counts/${id}/cancel`))
  })

  it('keeps a quantity with decimals on the screen: no scan replaces it, and it is not left without a question', async () => {
    const { page } = await visit(browser(), PHONE)
    const { id } = done(await acme().post('/stock-counts', { outletId })).stockCount
    await openOffice(page, `/stok?tab=counts&id=${id}`, 'Hitungan Cikini')
    const quantity = page.getByLabel('Dihitung', { exact: true })
    for (const code of [PILL, TEA]) {
      await scan(page, TEA)
      await quantity.fill('1,5')
      await scan(page, code)
      await page.getByRole('alert').getByText('bilangan bulat').waitFor()
      expect(await quantity.inputValue()).toBe('1,5')
      await quantity.fill('2')
      await expect.poll(() => page.getByRole('alert').count()).toBe(0)
    }
    await quantity.fill('1,5')
    await button(page, 'Catat selisih').click()
    await page.getByRole('alert').getByText('bilangan bulat').waitFor()
    await button(page, 'Kembali ke daftar').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Lanjut mengisi' }).click()
    await page.getByRole('button', { name: 'Batal', exact: true }).click()
    // Nothing was read before: the button still says what is wrong.
    await pick(page, 'Cari barang', 'Teh Botol')
    await quantity.fill('1,5')
    await button(page, 'Simpan hitungan').click()
    const refusal = await quantity.evaluate((field: { validationMessage: string }) => field.validationMessage)
    expect([refusal, await quantity.getAttribute('aria-invalid')]).toEqual([
      expect.stringContaining('bilangan bulat'),
      'true',
    ])
    await quantity.fill('3')
    await button(page, 'Simpan hitungan').click()
    await rowOf(page, 'Teh Botol').waitFor()
    const { lines } = done(await acme().get(`/stock-counts/${id}`)).stockCount
    expect(lines.map((line: Counted) => line.quantity)).toEqual([3])
    done(await acme().post(`/stock-counts/${id}/cancel`))
  })

  it('asks before a counted quantity is left unsaved', async () => {
    const { page } = await visit(browser(), PHONE)
    const { id } = done(await acme().post('/stock-counts', { outletId })).stockCount
    await openOffice(page, `/stok?tab=counts&id=${id}`, 'Hitungan Cikini')
    await scan(page, TEA)
    await button(page, 'Kembali ke daftar').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Lanjut mengisi' }).click()
    await button(page, 'Simpan hitungan').click()
    await rowOf(page, 'Teh Botol').waitFor()
    await button(page, 'Kembali ke daftar').click()
    await page.getByRole('heading', { level: 1, name: 'Hitung stok' }).waitFor()
    done(await acme().post(`/stock-counts/${id}/cancel`))
  })

  it('shows the last hundred counted goods and the rest on request, and reads no other line to save one', async () => {
    const many: string[] = []
    for (const name of ['Benang', 'Kancing']) {
      const variants = Array.from({ length: 60 }, (_, n) => ({ name: `No. ${n}`, price: 1_000 }))
      const product = await makeProduct(acme(), { name, variants })
      many.push(...product.variants.map(({ id }: { id: string }) => id))
    }
    const { id } = done(await acme().post('/stock-counts', { outletId })).stockCount
    const counted = many.map((variantId) => ({ variantId, quantity: 1 }))
    done(await acme().post(`/stock-counts/${id}/lines`, { lines: counted }))
    const { page } = await visit(browser(), PHONE)
    await openOffice(page, `/stok?tab=counts&id=${id}`, 'Hitungan Cikini')
    const rows = table(page, 'Baris').locator('tbody tr')
    await expect.poll(() => rows.count()).toBe(100)
    await page.route(`**/stock-counts/${id}`, (route) => route.abort())
    await scan(page, TEA)
    await button(page, 'Simpan hitungan').click()
    await rows.first().getByText('Teh Botol').waitFor()
    await page.getByText('Dihitung: 121').waitFor()
    await button(page, 'Tampilkan lagi').click()
    await expect.poll(() => rows.count()).toBe(121)
    done(await acme().post(`/stock-counts/${id}/cancel`))
  })

  it('reads barcodes by the camera where the browser can', async () => {
    const { page } = await visit(browser(), PHONE)
    await page.addInitScript(`
      globalThis.BarcodeDetector = class { async detect() { return globalThis.seen ? [{ rawValue: globalThis.seen }] : [] } }
      const canvas = document.createElement('canvas')
      const pen = canvas.getContext('2d')
      setInterval(() => pen.fillRect(0, 0, 9, 9), 100)
      navigator.mediaDevices.getUserMedia = async () => (globalThis.stream = canvas.captureStream(5))`)
    const { id } = done(await acme().post('/stock-counts', { outletId })).stockCount
    await openOffice(page, `/stok?tab=counts&id=${id}`, 'Hitungan Cikini')
    await button(page, 'Pindai dengan kamera').click()
    await page.evaluate(`globalThis.seen = '${TEA}'`)
    const quantity = page.getByLabel('Dihitung', { exact: true })
    await expect.poll(() => quantity.inputValue()).toBe('1')
    await button(page, 'Matikan kamera').click()
    await expect
      .poll(() =>
        page.evaluate('globalThis.stream.getTracks().every((track) => track.readyState === "ended")'),
      )
      .toBe(true)
    await button(page, 'Simpan hitungan').click()
    await rowOf(page, 'Teh Botol').waitFor()
    await button(page, 'Batalkan').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Batalkan hitungan' }).click()
    await page.getByText('Dibatalkan', { exact: true }).waitFor()
    expect(done(await acme().get(`/stock-counts/${id}`)).stockCount.status).toBe('CANCELLED')
  })

  it('hides the expected quantities from a cashier in a blind count, who cannot post it', async () => {
    const { cookie } = await memberOf(acme(), 'CASHIER', 'Dewi')
    const { page } = await visit(browser(), PHONE, cookie)
    await openOffice(page, '/stok?tab=counts&id=new', 'Hitungan baru')
    await page.getByLabel('Sembunyikan jumlah menurut catatan').check()
    await button(page, 'Mulai menghitung').click()
    await page.getByRole('heading', { level: 1, name: 'Hitungan Cikini' }).waitFor()
    await scan(page, TEA)
    await button(page, 'Simpan hitungan').click()
    await rowOf(page, 'Teh Botol').waitFor()
    expect(await page.getByText('Selisih').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Catat selisih' }).count()).toBe(0)
  })
})

/** An outlet whose two sales of tea had a promotion, and whose shift was closed with a note missing. */
async function busyShop() {
  const shop = await makeOutlet(acme(), { name: 'Menteng' })
  await stock(acme(), shop, teaId, 10)
  const promotion = { name: 'Teh murah', kind: 'PERCENT', percentBps: 1_000, outletIds: [shop] }
  done(await acme().post('/promotions', promotion))
  await openShift(acme(), shop, 200_000)
  const items = [{ variantId: teaId, quantity: 1 }]
  for (let count = 0; count < 2; count += 1)
    done(await acme().post('/sales', { outletId: shop, items, status: 'COMPLETED' }))
  const { shift } = done(await acme().get(`/shifts/current?outletId=${shop}`))
  const close = { countedCash: shift.expectedCash - 1_000, notes: 'Kurang satu lembar' }
  done(await acme().post(`/shifts/${shift.id}/close`, close))
  return { outletId: shop }
}

describeInChromium('the reports of stock and expenses', (browser) => {
  it('show what the stock was worth on a day, and their rows add up to the total', async () => {
    const { page } = await visit(browser())
    await openOffice(page, '/laporan?tab=value', 'Laporan')
    const value = table(page, 'Nilai stok')
    await value
      .getByRole('row', { name: /Paracetamol/ })
      .getByText('40.000')
      .waitFor()
    const { total } = done(await acme().get(`/reports/stock-value?outletId=${outletId}`))
    const amount = new Intl.NumberFormat('id-ID').format(total.value)
    await value
      .getByRole('row', { name: /^Total/ })
      .getByText(amount)
      .waitFor()
    await page.getByLabel('Akhir hari').fill('2020-01-01')
    await page.getByText('Tidak ada stok pada hari ini.').waitFor()
  })

  it('take categories from the settings to the drawer, and add up what was taken out', async () => {
    const { page } = await visit(browser())
    await openOffice(page, '/pengaturan?tab=business', 'Usaha')
    for (const name of ['Es batu', 'Parkir']) {
      await field(page, 'Nama baru').fill(name)
      await field(page, 'Nama baru').press('Enter')
    }
    await button(page, 'Simpan').click()
    await expect
      .poll(async () => done(await acme().get('/settings')).settings.expenseCategories)
      .toEqual(['Es batu', 'Parkir'])
    await page.goto(`${address()}/shift`)
    await page.getByRole('textbox', { name: 'Modal awal' }).fill('500000')
    await button(page, 'Buka shift').click()
    await page.getByLabel('Kategori pengeluaran').selectOption('Es batu')
    await page.getByRole('textbox', { name: 'Jumlah' }).fill('50000')
    await button(page, 'Kas keluar').click()
    await page.getByText('Kas keluar dicatat.').waitFor()
    expect(await page.getByLabel('Kategori pengeluaran').inputValue()).toBe('')
    await page.getByRole('textbox', { name: 'Jumlah' }).fill('20000')
    await button(page, 'Kas keluar').click()
    await expect
      .poll(async () => done(await acme().get(`/reports/expenses?outletId=${outletId}`)).expenses.length)
      .toBe(2)
    await openOffice(page, '/laporan?tab=expenses', 'Laporan')
    const expenses = table(page, 'Pengeluaran')
    await expenses
      .getByRole('row', { name: /Es batu/ })
      .getByText('50.000')
      .first()
      .waitFor()
    await expenses
      .getByRole('row', { name: /Tanpa kategori/ })
      .getByText('20.000')
      .first()
      .waitFor()
    await expenses
      .getByRole('row', { name: /^Total/ })
      .getByText('70.000')
      .first()
      .waitFor()
  })

  it('show the sentence of the service at a category that is in the list twice', async () => {
    const { page } = await visit(browser())
    await openOffice(page, '/pengaturan?tab=business', 'Usaha')
    for (const name of ['Listrik', 'listrik']) {
      await field(page, 'Nama baru').fill(name)
      await button(page, 'Tambah nama').click()
    }
    await button(page, 'Simpan').click()
    await page.getByRole('alert').getByText(/twice/).first().waitFor()
    await button(page, 'Hapus listrik').click()
    await button(page, 'Simpan').click()
    await expect
      .poll(async () => done(await acme().get('/settings')).settings.expenseCategories)
      .toContain('Listrik')
  })

  it('show two products of one name as two rows, and say that there may be more products than rows', async () => {
    const { page } = await visit(browser())
    const row = (name: string, productId: string) => ({
      productId,
      name,
      quantity: 1,
      grams: 0,
      revenue: 9_000,
      cost: 4_000,
      margin: 5_000,
      marginBps: 5_555,
      revenueWithoutCost: 0,
    })
    const [cola, other, tea] = [row('Cola', 'prd_1'), row('Cola', 'prd_2'), row('Teh', 'prd_3')]
    const { name: _, productId: __, ...total } = cola
    const many = Array.from({ length: 497 }, (_, at) => row(`Produk ${at}`, `prd_more_${at}`))
    let products = [cola, other, tea, ...many]
    await page.route('**/reports/margin?*', async (route) => {
      const response = await route.fetch()
      const { meta } = await response.json()
      await route.fulfill({ json: { data: { products, total }, error: null, meta } })
    })
    await openOffice(page, '/laporan?tab=goods&range=today', 'Laporan')
    await page.getByText('500 produk dengan margin terbesar').waitFor()
    const report = table(page, 'Produk')
    await expect.poll(() => report.getByRole('row', { name: /^Cola/ }).count()).toBe(2)
    products = [tea]
    const moreRows = async () => {
      // Figures older than a few seconds are read again when the page is shown again.
      await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))")
      return report.getByRole('row', { name: /^Produk \d/ }).count()
    }
    await expect.poll(moreRows).toBe(0)
    expect(await report.getByRole('row', { name: /^Teh/ }).count()).toBe(1)
    expect(await report.getByRole('row', { name: /^Cola/ }).count()).toBe(0)
    expect(await page.getByText('500 produk dengan margin terbesar').count()).toBe(0)
  })

  it('show what each promotion gave and the hours in which the shop sells', async () => {
    const shop = await busyShop()
    const { page } = await visit(browser())
    await openOffice(page, `/laporan?tab=promotions&range=today&outlet=${shop.outletId}`, 'Laporan')
    const promotions = table(page, 'Promo')
    await promotions.getByRole('row', { name: 'Teh murah 2 500 1.000' }).waitFor()
    await promotions.getByRole('row', { name: /^Total.*1\.000$/ }).waitFor()
    await openOffice(page, `/laporan?tab=hours&range=today&outlet=${shop.outletId}`, 'Laporan')
    const hours = table(page, 'Jam ramai')
    await hours
      .getByRole('row', { name: /^Total/ })
      .getByText('2', { exact: true })
      .waitFor()
    await page.getByLabel('Periode').selectOption({ label: 'Kemarin' })
    await page.getByText('Tidak ada penjualan dalam periode ini.').waitFor()
  })

  it('show each shift with the difference of its cash, and its report to print', async () => {
    const shop = await busyShop()
    const { page } = await visit(browser(), PHONE)
    await openOffice(page, `/laporan?tab=shifts&outlet=${shop.outletId}`, 'Shift')
    await rowOf(page, '−Rp 1.000').getByRole('link').click()
    await page.getByText('Kurang satu lembar').waitFor()
    await page.getByRole('region', { name: 'Laci' }).getByText('Rp 209.000').waitFor()
    await page.getByRole('region', { name: '2 penjualan' }).getByText('Tunai').waitFor()
    const report = await page.getByRole('link', { name: 'Cetak laporan' }).getAttribute('href')
    const printed = await page.request.get(`${address()}${report}`)
    expect([printed.status(), printed.headers()['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    await button(page, 'Kembali ke daftar').click()
    await page.getByLabel('Status').selectOption({ label: 'Terbuka' })
    await page.getByText('Tidak ada yang cocok').waitFor()
  })

  it('show how many of a product with a recipe the stock is enough for, and the goods that limit it', async () => {
    const kit = await makeProduct(acme(), { name: 'Paket sakit', variants: [{ price: 12_000 }] })
    const recipe = { isComposite: true, components: [{ componentVariantId: pillId, quantity: 7 }] }
    done(await acme().put(`/products/${kit.id}/variants/${kit.variants[0].id}/recipe`, recipe))
    const level = await levelOf(pillId)
    const { page } = await visit(browser())
    await openOffice(page, `/stok?tab=composites&outlet=${outletId}`, 'Bisa dibuat')
    const row = rowOf(page, 'Paket sakit')
    await row.getByText(String(Math.floor(level / 7)), { exact: true }).waitFor()
    await row.getByText('7 Paracetamol').waitFor()
    await page.getByRole('searchbox').fill('tidak ada')
    await page.getByText('Tidak ada yang cocok').waitFor()
  })
})

describeInChromium('the list of batches', (browser) => {
  beforeAll(async () => {
    const easternId = await makeOutlet(acme(), { name: 'Jayapura', timezone: 'Asia/Jayapura' })
    const syrup = await makeProduct(acme(), { name: 'Sirup', variants: [{ price: 1_000 }] })
    const batch = { outletId: easternId, variantId: syrup.variants[0].id, qty: 1 }
    for (const [batchNo, expiryDate] of [
      ['in-30-days', '2100-01-01'],
      ['in-31-days', '2100-01-02'],
    ])
      done(await acme().post('/inventory/batches', { ...batch, batchNo, expiryDate }))
  })

  it('marks a batch from 30 days before it expires, by the date at its outlet', async () => {
    const { page, context } = await visit(browser(), PHONE)
    // 2 December in Jayapura; still 1 December in Jakarta and in UTC.
    await context.clock.setFixedTime('2099-12-01T16:00:00.000Z')
    await openOffice(page, '/stok?tab=batches', 'Batch')
    const isMarkedSoon = async (batchNo: string, date: string) =>
      (await rowOf(page, batchNo).getByText(date).getAttribute('class'))?.includes('text-warn')
    // Until the outlets are loaded, the page uses the date in Jakarta.
    await expect.poll(() => isMarkedSoon('in-30-days', '1 Jan 2100')).toBe(true)
    expect(await isMarkedSoon('in-31-days', '2 Jan 2100')).toBe(false)
  })
})
