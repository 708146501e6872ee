import { beforeAll, expect, it } from 'vitest'
import { describeInChromium } from '../../support/browser.ts'
import { fresh, makeCategory, makeOutlet, makeProduct } from '../../support/build.ts'
import { memberOf } from '../../support/clients.ts'
import { done } from '../../support/expect.ts'
import { button, field, openOffice, rowOf, save, table } from '../../support/office-page.ts'
import { requireBuiltRegister, visit } from '../../support/register-page.ts'
import { acme, useService } from '../../support/service.ts'

requireBuiltRegister()
useService()

let latteId = ''
let bakeryId = ''

beforeAll(async () => {
  await makeOutlet(acme(), { name: 'Cikini' })
  bakeryId = await makeCategory(acme(), { name: 'Roti' })
  const latte = await makeProduct(acme(), { name: 'Latte', trackStock: false, variants: [{ price: 18_000 }] })
  latteId = latte.variants[0].id
  await makeProduct(acme(), {
    name: 'Croissant',
    categoryId: bakeryId,
    trackStock: false,
    variants: [{ price: 22_000 }],
  })
})

const promotionNamed = async (name: string) =>
  done(await acme().get('/promotions')).promotions.find((each: { name: string }) => each.name === name)

describeInChromium('promotions in the back office', (browser) => {
  it('are made as a voucher with a limit, changed, and deleted', async () => {
    const { page } = await visit(browser())
    await openOffice(page, '/promo', 'Promo')
    await button(page, 'Promo baru').first().click()
    await field(page, 'Nama promo').fill('Hemat pagi')
    await page.getByLabel('Potongan', { exact: true }).fill('12,5')
    await page.getByLabel('Belanja minimal').fill('50.000')
    await field(page, 'Kode voucher').fill('HEMAT 10')
    await page.getByLabel('Paling banyak dipakai').fill('100')
    await button(page, 'Simpan').click()
    await expect.poll(() => field(page, 'Kode voucher').getAttribute('aria-invalid')).toBe('true')
    await field(page, 'Kode voucher').fill('HEMAT10')
    await page.getByLabel('Tambah kategori').selectOption({ label: 'Roti' })
    await page.getByLabel('Dari jam').fill('06:00')
    await save(page)
    expect(await promotionNamed('Hemat pagi')).toMatchObject({
      kind: 'PERCENT',
      percentBps: 1_250,
      amount: null,
      minSpend: 50_000,
      code: 'HEMAT10',
      usageLimit: 100,
      categoryIds: [bakeryId],
      variantIds: null,
      from: '06:00',
      to: null,
    })
    await rowOf(page, 'Hemat pagi').getByText('−12,5% · Semua outlet · 06:00–24:00').waitFor()
    await rowOf(page, 'Hemat pagi').getByText('0 / 100').waitFor()
    await table(page, 'Promo')
      .getByRole('link', { name: /Hemat pagi/ })
      .click()
    await field(page, 'Kode voucher').fill('')
    await page.getByLabel('Promo ini dipakai').uncheck()
    await save(page)
    expect(await promotionNamed('Hemat pagi')).toMatchObject({
      code: null,
      usageLimit: null,
      isActive: false,
    })
    await rowOf(page, 'Hemat pagi').getByText('Mati').waitFor()
    await table(page, 'Promo')
      .getByRole('link', { name: /Hemat pagi/ })
      .click()
    await button(page, 'Hapus').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Hapus' }).click()
    await expect.poll(() => promotionNamed('Hemat pagi')).toBeUndefined()
  })

  it('are made as a bundle of goods and categories, and as goods that are free after some', async () => {
    const { page } = await visit(browser())
    await openOffice(page, '/promo', 'Promo')
    await button(page, 'Promo baru').first().click()
    await field(page, 'Nama promo').fill('Paket sarapan')
    await page.getByLabel('Jenis promo').selectOption({ label: 'Paket dengan satu harga' })
    await page.getByLabel('Harga paket').fill('35.000')
    await button(page, 'Simpan').click()
    await page.getByRole('region', { name: 'Barang' }).getByRole('alert').waitFor()
    await page.getByRole('searchbox', { name: 'Tambah barang' }).fill('Latte')
    await page.getByRole('list', { name: 'Tambah barang' }).getByRole('button').first().click()
    await page.getByLabel('Tambah kategori').selectOption({ label: 'Roti' })
    await page.getByLabel('Jumlah Roti').fill('2')
    await save(page)
    expect(await promotionNamed('Paket sarapan')).toMatchObject({
      kind: 'BUNDLE',
      bundlePrice: 35_000,
      percentBps: null,
      bundle: [
        { variantId: latteId, categoryId: null, quantity: 1 },
        { variantId: null, categoryId: bakeryId, quantity: 2 },
      ],
    })
    await rowOf(page, 'Paket sarapan').getByText('1 Latte + 2 Roti seharga Rp 35.000').waitFor()
    await button(page, 'Promo baru').first().click()
    await field(page, 'Nama promo').fill('Beli 2 gratis 1')
    await page.getByLabel('Jenis promo').selectOption({ label: 'Beli sekian gratis sekian' })
    await save(page)
    expect(await promotionNamed('Beli 2 gratis 1')).toMatchObject({
      buyQuantity: 2,
      getQuantity: 1,
      bundle: null,
    })
  })

  it('are not shown to a cashier, because they hold voucher codes', async () => {
    const { cookie } = await memberOf(acme(), 'CASHIER')
    const { page } = await visit(browser(), undefined, cookie)
    await openOffice(page, '/promo', /./)
    expect(await table(page, 'Promo').count()).toBe(0)
  })

  it('start by the clock of their outlet, whatever the clock of the device, and the form says whose clock', async () => {
    const name = fresh('Sentani')
    const far = await makeOutlet(acme(), { name, timezone: 'Asia/Jayapura' })
    const { page } = await visit(browser())
    await openOffice(page, '/promo?id=new', 'Promo baru')
    await field(page, 'Nama promo').fill('Natal')
    await page.getByLabel('Potongan', { exact: true }).fill('10')
    await page.getByText('Menurut waktu WIB.').first().waitFor()
    await page.getByRole('checkbox', { name }).check()
    await page.getByText('Menurut waktu WIT.').first().waitFor()
    await page.getByLabel('Mulai', { exact: true }).fill('2026-12-01T00:00')
    await page.getByLabel('Berakhir').fill('2026-12-26T00:00')
    await save(page)
    const made = await promotionNamed('Natal')
    expect(made).toMatchObject({
      outletIds: [far],
      startsAt: '2026-11-30T15:00:00.000Z',
      endsAt: '2026-12-25T15:00:00.000Z',
    })
    await rowOf(page, 'Natal')
      .getByText(/mulai 1 Des,? 00\.00/)
      .waitFor()
    await openOffice(page, `/promo?id=${made.id}`, 'Natal')
    expect(await page.getByLabel('Mulai', { exact: true }).inputValue()).toBe('2026-12-01T00:00')
    // By the clock of the other outlet the same times are other instants.
    await page.getByRole('checkbox', { name }).uncheck()
    await page.getByRole('checkbox', { name: 'Cikini' }).check()
    await page.getByText('Menurut waktu WIB.').first().waitFor()
    await save(page)
    expect(await promotionNamed('Natal')).toMatchObject({ startsAt: '2026-11-30T17:00:00.000Z' })
    done(await acme().delete(`/promotions/${made.id}`))
  }, 120_000)
})
