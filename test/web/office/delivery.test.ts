import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeInChromium } from '../../support/browser.ts'
import { fresh, makeCustomer, makeOutlet, makeProduct } from '../../support/build.ts'
import { memberOf } from '../../support/clients.ts'
import { done } from '../../support/expect.ts'
import {
  DESTINATION,
  makeShipment,
  openDelivery,
  PARCEL,
  startFulfillment,
} from '../../support/fulfillment.ts'
import { button, field, openOffice, rowOf, save, table } from '../../support/office-page.ts'
import { requireBuiltRegister, UNAVAILABLE, visit } from '../../support/register-page.ts'
import { acme, address, useService, workspace } from '../../support/service.ts'

requireBuiltRegister()
const partner = await startFulfillment()
useService({ env: { ...partner.settings, DEFAULT_TIER: 'business' }, partnerTuning: { failures: 1_000 } })
afterAll(() => partner.close())

let outletId = ''
let coffee = ''
beforeAll(async () => {
  outletId = await makeOutlet(acme(), { name: 'Kemang' })
  const product = await makeProduct(acme(), {
    name: 'Kopi Gayo',
    kind: 'SERVICE',
    variants: [{ price: 60_000 }],
  })
  coffee = product.variants[0]?.id ?? ''
  await openDelivery(acme())
})

const shipments = async () => (await acme().get('/delivery/shipments?limit=100')).data
const shipmentsTo = async (name: string) =>
  (await shipments()).filter(
    (each: { destination: { contactName: string } }) => each.destination.contactName === name,
  )
const balance = async () => done(await acme().get('/fulfillment/shipping-credits')).balance
const dialog = (page: Page) => page.getByRole('dialog')
const alert = (page: Page, text: string | RegExp) => page.getByRole('alert').filter({ hasText: text })

async function makeOrder(more: object = {}) {
  const items = [{ variantId: coffee, quantity: 2 }]
  const payments = [{ method: 'CASH', amount: 120_000 }]
  const body = { outletId, items, payments, orderType: 'DELIVERY', ...more }
  return done(await acme().post('/sales', body)).sale
}

/** Fills the form of a shipment with a valid destination and one item. */
async function fillShipment(page: Page, name: string) {
  await field(page, 'Nama penerima').fill(name)
  await field(page, 'Telepon penerima').fill('081298765432')
  await field(page, 'Alamat').fill('Jl. Melati 5')
  await field(page, 'Kode pos').fill('40115')
  await field(page, 'Nama barang').fill('Kopi Gayo')
  await page.getByLabel('Berat per buah (gram)').fill('500')
  await field(page, 'Harga per buah').fill('60000')
}

async function chooseCourier(page: Page) {
  await button(page, 'Lihat ongkos kirim').click()
  await page.getByRole('radio', { name: /^JNE · REG/ }).check()
}

describeInChromium('the delivery pages', (browser) => {
  it('create a shipment with a courier chosen by price, book it, print its label, and cancel it', async () => {
    const before = await balance()
    const { page, complaints } = await visit(browser())
    await openOffice(page, '/pengiriman', 'Kiriman')
    await button(page, 'Kiriman baru').first().click()
    await fillShipment(page, 'Ibu Ratna')
    await chooseCourier(page)
    await button(page, 'Buat kiriman').click()
    await page.getByRole('heading', { level: 1, name: 'Ibu Ratna' }).waitFor()
    await page.getByText('Draf').first().waitFor()
    expect(await balance()).toBe(before)
    await button(page, 'Pesan kurir').click()
    await dialog(page).getByRole('button', { name: 'Pesan kurir' }).click()
    await page.getByText(/Resi /).waitFor()
    const [{ price, waybillId }] = await shipments()
    expect(await balance()).toBe(before - price)
    const download = page.waitForEvent('download')
    await button(page, 'Unduh label').click()
    expect((await download).suggestedFilename()).toBe(`${waybillId}.pdf`)
    expect(await page.getByRole('link', { name: 'Lacak kiriman' }).getAttribute('href')).toMatch(/^http/)
    await button(page, 'Batalkan kiriman').click()
    await dialog(page).getByRole('button', { name: 'Batalkan kiriman' }).click()
    await page.getByRole('list', { name: 'Perjalanan' }).getByText('Dibatalkan').waitFor()
    await expect.poll(balance).toBe(before)
    await button(page, 'Kembali ke daftar').click()
    await rowOf(page, 'Ibu Ratna').getByText('Dibatalkan').waitFor()
    await page.getByLabel('Status').selectOption({ label: 'Diterima' })
    await page.getByText('Tidak ada yang cocok').waitFor()
    expect(complaints).toEqual([])
  })

  it('show what a shipment lacks at its field, and forget the courier when the parcel changes', async () => {
    const { page } = await visit(browser())
    await openOffice(page, '/pengiriman?id=new', 'Kiriman baru')
    await fillShipment(page, 'Ibu Dewi')
    await button(page, 'Buat kiriman').click()
    await alert(page, 'pilih satu kurir').waitFor()
    await field(page, 'Kode pos').fill('123')
    await button(page, 'Lihat ongkos kirim').click()
    await expect.poll(() => field(page, 'Kode pos').getAttribute('aria-invalid')).toBe('true')
    await field(page, 'Kode pos').fill('40115')
    await chooseCourier(page)
    await page.getByLabel('Berat per buah (gram)').fill('5000')
    await expect.poll(() => page.getByRole('radio').count()).toBe(0)
    await button(page, 'Buat kiriman').click()
    await alert(page, 'pilih satu kurir').waitFor()
    expect(await shipmentsTo('Ibu Dewi')).toEqual([])
  })

  it('create one shipment when the answer was lost and the form is sent again', async () => {
    const name = fresh('Ibu Sekali')
    const { page } = await visit(browser())
    await openOffice(page, '/pengiriman?id=new', 'Kiriman baru')
    await fillShipment(page, name)
    await chooseCourier(page)
    await page.route('**/api/v1/delivery/shipments', async (route) => {
      if (route.request().method() === 'GET') return route.fallback()
      await route.fetch()
      await route.fulfill({ status: 503, json: UNAVAILABLE })
    })
    await button(page, 'Buat kiriman').click()
    await alert(page, 'outcome is unknown').waitFor()
    await page.unroute('**/api/v1/delivery/shipments')
    await button(page, 'Buat kiriman').click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
    expect(await shipmentsTo(name)).toHaveLength(1)
  })

  it('send a sale with the destination that the register kept, and one without it by a form', async () => {
    const draft = { destination: DESTINATION, courierCode: 'jne', courierServiceCode: 'reg', items: PARCEL }
    const kept = await makeOrder({ deliveryDraft: draft })
    const customerId = await makeCustomer(acme(), { name: 'Pak Joko', phone: '081311112222' })
    const bare = await makeOrder({ customerId })
    const { page } = await visit(browser())
    await openOffice(page, '/pengiriman?tab=orders', 'Pesanan antar')
    await rowOf(page, kept.number).getByText('Siap dikirim').waitFor()
    await table(page, 'Pesanan antar').getByRole('link', { name: kept.number }).click()
    await page.getByRole('region', { name: 'Tujuan' }).getByText('Jl. Melati 5').waitFor()
    await button(page, 'Kirim sekarang').click()
    await page.getByRole('heading', { level: 1, name: 'Ibu Ani' }).waitFor()
    expect(await page.getByRole('link', { name: 'Buka penjualannya' }).getAttribute('href')).toContain(
      kept.id,
    )
    await openOffice(page, `/pengiriman?tab=orders&id=${bare.id}`, `Kirim penjualan ${bare.number}`)
    expect(await field(page, 'Nama penerima').inputValue()).toBe('Pak Joko')
    expect(await field(page, 'Nama barang').inputValue()).toBe('Kopi Gayo')
    await fillShipment(page, 'Pak Joko')
    await chooseCourier(page)
    await button(page, 'Buat kiriman').click()
    await page.getByRole('heading', { level: 1, name: 'Pak Joko' }).waitFor()
    const [{ transactionId }] = await shipments()
    expect(transactionId).toBe(bare.id)
  })

  it('send none of the items of a sale that were cancelled', async () => {
    const cake = await makeProduct(acme(), {
      name: 'Kue Lapis',
      kind: 'SERVICE',
      variants: [{ price: 45_000 }],
    })
    const items = [coffee, cake.variants[0]?.id].map((variantId) => ({ variantId, quantity: 1 }))
    const { id, number, items: lines } = await makeOrder({ items, payments: [] })
    // The kitchen started the cake, so its line stays with the sale as cancelled.
    const line = lines.find(({ productName }: { productName: string }) => productName === 'Kue Lapis')
    done(await acme().post(`/kds/items/${line.id}/advance`))
    const kept = lines.filter((each: { id: string }) => each.id !== line.id)
    const left = kept.map(({ id: lineId }: { id: string }) => ({ id: lineId }))
    const { sale } = done(await acme().patch(`/sales/${id}/items`, { items: left }))
    expect(sale.items.filter(({ isActive }: { isActive: boolean }) => !isActive)).toHaveLength(1)
    const { page } = await visit(browser())
    await openOffice(page, `/pengiriman?tab=orders&id=${id}`, `Kirim penjualan ${number}`)
    await expect.poll(() => field(page, 'Nama barang').first().inputValue()).toBe('Kopi Gayo')
    expect(await field(page, 'Nama barang').count()).toBe(1)
  })

  it('say why a kept destination cannot be sent, and offer the form', async () => {
    const { id, number } = await makeOrder({
      deliveryDraft: { destination: { address: '<b>Jl. Rusak</b>' } },
    })
    const { page } = await visit(browser())
    await openOffice(page, `/pengiriman?tab=orders&id=${id}`, `Kirim penjualan ${number}`)
    await page.getByText('<b>Jl. Rusak</b>').waitFor()
    await button(page, 'Kirim sekarang').click()
    await alert(page, 'cannot be dispatched').waitFor()
    await button(page, 'Isi ulang tujuan dan kurir').click()
    await field(page, 'Nama penerima').waitFor()
  })

  it('change where couriers pick up parcels, and refuse a postal code at its field', async () => {
    await openDelivery(acme())
    const { page } = await visit(browser())
    await openOffice(page, '/pengiriman?tab=origin', 'Titik jemput')
    const code = field(page, 'Kode pos')
    await expect.poll(() => code.inputValue()).toBe('12730')
    await code.fill('12')
    await button(page, 'Simpan').click()
    await expect.poll(() => code.getAttribute('aria-invalid')).toBe('true')
    await code.fill('12160')
    await button(page, 'Simpan').click()
    const origin = async () => done(await acme().get('/delivery/origin')).origin
    await expect.poll(async () => (await origin()).postalCode).toBe('12160')
    await page.getByRole('link', { name: 'Kurir', exact: true }).click()
    await page.getByRole('searchbox', { name: 'Cari kurir atau layanan' }).fill('jne')
    await rowOf(page, 'YES').waitFor()
    await expect.poll(() => rowOf(page, 'SiCepat').count()).toBe(0)
  })

  it('lead to the page where credits are paid, and refuse an amount at its field', async () => {
    const { page } = await visit(browser())
    await openOffice(page, '/pengiriman?tab=credits', 'Saldo ongkir')
    await page.getByText('Saldo percobaan').last().waitFor()
    await button(page, 'Isi saldo').first().click()
    const amount = field(page, 'Jumlah')
    await amount.fill('500')
    await button(page, 'Siapkan pembayaran').click()
    await expect.poll(() => amount.getAttribute('aria-invalid')).toBe('true')
    await amount.fill('250000')
    await button(page, 'Siapkan pembayaran').click()
    await page.getByText('Bayar Rp 250.000').waitFor()
    const url = await page.getByRole('link', { name: 'Buka halaman pembayaran' }).getAttribute('href')
    expect(url).toMatch(/^http/)
    await fetch(`${url}/pay`, { method: 'POST', redirect: 'manual' })
    await button(page, 'Kembali ke saldo').click()
    await rowOf(page, '+250.000').getByText('Isi saldo').waitFor()
  })

  it('keep warehouses of the partner and correct their stock', async () => {
    const [name, sku, reason] = [fresh('Gudang Timur'), fresh('KG-500').replaceAll(' ', '-'), fresh('Rusak')]
    const { page } = await visit(browser())
    await openOffice(page, '/pengiriman?tab=warehouses', 'Gudang')
    await button(page, 'Gudang baru').first().click()
    await field(page, 'Nama gudang').fill(name)
    await field(page, 'Alamat').fill('Jl. Raya Bekasi 7')
    await field(page, 'Kode pos').fill('00000')
    await button(page, 'Simpan').click()
    await expect.poll(() => field(page, 'Kode pos').getAttribute('aria-invalid')).toBe('true')
    await field(page, 'Kode pos').fill('13920')
    await save(page)
    await page.getByRole('link', { name: 'Stok gudang' }).click()
    await button(page, 'Koreksi stok gudang').first().click()
    await page.getByLabel('Nama gudang').selectOption({ label: name })
    await field(page, 'SKU').fill(sku)
    await field(page, 'Nama barang').fill('Kopi Gayo 500 g')
    await page.getByLabel('Perubahan jumlah').fill('12')
    await save(page)
    await rowOf(page, sku).getByText('12').waitFor()
    await table(page, 'Stok gudang')
      .getByRole('row')
      .filter({ hasText: sku })
      .getByRole('link', { name: /Kopi Gayo/ })
      .click()
    await page.getByLabel('Perubahan jumlah').fill('-20')
    await button(page, 'Simpan').click()
    await page.getByRole('alert').first().waitFor()
    await page.getByLabel('Perubahan jumlah').fill('-2')
    await field(page, 'Alasan').fill(reason)
    await save(page)
    await page.getByRole('link', { name: 'Pergerakan gudang' }).click()
    await rowOf(page, reason).getByText('−2').waitFor()
    await page.getByRole('link', { name: 'Gudang', exact: true }).click()
    await table(page, 'Gudang').getByRole('link', { name }).click()
    await button(page, 'Hapus').click()
    await dialog(page).getByRole('button', { name: 'Hapus' }).click()
    await dialog(page).getByRole('alert').waitFor()
    await dialog(page).getByRole('button', { name: 'Tutup' }).click()
    await page.getByLabel('Menerima barang').uncheck()
    await save(page)
    await rowOf(page, name).getByText('Nonaktif').waitFor()
  })

  it('issue a license key, find it in the list, and say whether a key is valid', async () => {
    const { page } = await visit(browser())
    await openOffice(page, '/pengiriman?tab=licenses', 'Lisensi')
    await button(page, 'Lisensi baru').first().click()
    await field(page, 'Produk').fill('Buku resep digital')
    await page.getByLabel('Berlaku sampai').fill('2020-01-01')
    await button(page, 'Terbitkan kunci').click()
    await page.getByRole('alert').filter({ hasText: 'Pesan mitra: “' }).waitFor()
    await page.getByLabel('Berlaku sampai').fill('2099-12-31')
    await button(page, 'Terbitkan kunci').click()
    await rowOf(page, 'Buku resep digital').getByText('Berlaku', { exact: true }).waitFor()
    const [license] = done(await acme().get('/fulfillment/licenses'))
    await button(page, 'Periksa kunci').click()
    await field(page, 'Kunci lisensi').fill(license.key.toLowerCase())
    await dialog(page).getByRole('button', { name: 'Periksa kunci' }).click()
    await dialog(page).getByText('Kunci berlaku untuk Buku resep digital.').waitFor()
    await field(page, 'Kunci lisensi').fill('AAAAA-BBBBB')
    await dialog(page).getByRole('button', { name: 'Periksa kunci' }).click()
    await dialog(page).getByText('Kunci ini tidak berlaku').waitFor()
  })

  it('are reached from the page of a delivery sale, and from no other sale', async () => {
    const sale = await makeOrder()
    const other = await makeOrder({ orderType: 'TAKEAWAY' })
    const { page } = await visit(browser())
    await page.goto(`${address()}/penjualan?sale=${sale.id}`)
    await page.getByRole('link', { name: 'Kirim dengan kurir' }).click()
    await page.getByRole('heading', { level: 1, name: new RegExp(sale.number) }).waitFor()
    await page.goto(`${address()}/penjualan?sale=${other.id}`)
    await page.getByRole('article', { name: other.number }).getByRole('button', { name: 'Refund' }).waitFor()
    expect(await page.getByRole('link', { name: 'Kirim dengan kurir' }).count()).toBe(0)
  })

  it('show the shipments at the partner, which only managers book', async () => {
    const name = fresh('Bu Lestari')
    await makeShipment(acme(), name)
    const { page } = await visit(browser())
    await openOffice(page, '/pengiriman?tab=partner', 'Kiriman di mitra')
    await table(page, 'Kiriman di mitra').getByRole('link', { name }).click()
    await button(page, 'Pesan kurir').click()
    await dialog(page).getByRole('button', { name: 'Pesan kurir' }).click()
    await page.getByText('Kurir dipesan').first().waitFor()
    const cashier = await memberOf(acme(), 'CASHIER', 'Kasir')
    const { page: other } = await visit(browser(), undefined, cashier.cookie)
    await openOffice(other, '/pengiriman?tab=partner', 'Kiriman di mitra')
    await table(other, 'Kiriman di mitra').getByRole('link', { name }).click()
    await button(other, 'Unduh label').waitFor()
    expect(await button(other, 'Batalkan kiriman').count()).toBe(0)
  })
})

describeInChromium('the delivery pages without their partner', (browser) => {
  it('say that the module is off, and lead a manager to its switch', async () => {
    const shop = await workspace('Tanpa Kirim')
    await makeOutlet(shop)
    const manager = await memberOf(shop, 'MANAGER', 'Budi')
    const { page } = await visit(browser(), undefined, manager.cookie)
    await openOffice(page, '/pengiriman', 'Modul Pengiriman mati')
    await page.getByRole('link', { name: 'Buka pengaturan modul' }).click()
    await button(page, 'Nyalakan Pengiriman').waitFor()
    const cashier = await memberOf(shop, 'CASHIER', 'Kasir')
    const { page: other } = await visit(browser(), undefined, cashier.cookie)
    await openOffice(other, '/pengiriman', 'Modul Pengiriman mati')
    await other.getByText('Minta manajer atau pemilik').waitFor()
  })

  it('say that the partner does not answer, and read again when it does', async () => {
    const { page } = await visit(browser())
    partner.setAway(true)
    await page.goto(`${address()}/pengiriman?tab=couriers`)
    await alert(page, 'Mitra tidak menjawab').waitFor()
    await alert(page, 'Mitra tidak menjawab').getByRole('link', { name: 'Buka pengaturan modul' }).waitFor()
    await page.getByRole('link', { name: 'Kiriman', exact: true }).click()
    await table(page, 'Kiriman').waitFor()
    await page.getByRole('link', { name: 'Kurir', exact: true }).click()
    await alert(page, 'Mitra tidak menjawab').waitFor()
    partner.setAway(false)
    await button(page, 'Coba lagi').click()
    await table(page, 'Kurir').waitFor()
  })
})
