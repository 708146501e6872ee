import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInChromium } from '../../support/browser.ts'
import { enableModule, makeCustomer, makeOutlet, makeProduct } from '../../support/build.ts'
import { memberOf } from '../../support/clients.ts'
import { done } from '../../support/expect.ts'
import { followSales } from '../../support/marketing.ts'
import { button, field, openOffice, rowOf, table } from '../../support/office-page.ts'
import { requireBuiltRegister, UNAVAILABLE, visit } from '../../support/register-page.ts'
import { acme, useService, workspace } from '../../support/service.ts'

requireBuiltRegister()
useService()

let outletId = ''
let coffee = ''
beforeAll(async () => {
  outletId = await makeOutlet(acme(), { name: 'Pasar Baru' })
  const product = await makeProduct(acme(), {
    name: 'Kopi <b>Gayo</b>',
    kind: 'SERVICE',
    variants: [{ price: 85_000, sku: 'GAYO-250' }],
  })
  coffee = product.variants[0]?.id ?? ''
  await enableModule(acme(), 'marketing')
})

const posts = async () => (await acme().get('/account/blog/posts?limit=100')).data
const postsNamed = async (title: string) =>
  (await posts()).filter((post: { title: string }) => post.title === title)
const dialog = (page: Page) => page.getByRole('dialog')
const saved = (page: Page) => page.getByText('Belum disimpan').waitFor({ state: 'detached' })

describeInChromium('the marketing pages', (browser) => {
  it('write a post, show it as plain text, publish it, take it back and delete it', async () => {
    const { page, complaints } = await visit(browser())
    await openOffice(page, '/pemasaran', 'Blog')
    await button(page, 'Tulisan baru').first().click()
    await field(page, 'Judul').fill('Kopi baru')
    await field(page, 'Isi').fill('Halo.\n\n<img src=x onerror="document.title=1"><script>alert(1)</script>')
    await field(page, 'Nama baru').fill('kopi')
    await button(page, 'Tambah nama').click()
    const preview = page.getByRole('region', { name: 'Pratinjau' })
    await preview.getByText('<script>alert(1)</script>').waitFor()
    expect(await preview.locator('img, script').count()).toBe(0)
    await button(page, 'Simpan').click()
    await page.getByRole('heading', { level: 1, name: 'Kopi baru' }).waitFor()
    await button(page, 'Terbitkan').click()
    await button(page, 'Tarik dari toko').waitFor()
    expect(await postsNamed('Kopi baru')).toMatchObject([
      { status: 'published', slug: 'kopi-baru', tags: ['kopi'] },
    ])
    await button(page, 'Tarik dari toko').click()
    await button(page, 'Terbitkan').waitFor()
    await field(page, 'Alamat gambar sampul').fill('javascript:alert(1)')
    await button(page, 'Simpan').click()
    const cover = field(page, 'Alamat gambar sampul')
    await expect.poll(() => cover.getAttribute('aria-invalid')).toBe('true')
    await cover.fill('')
    await button(page, 'Hapus').click()
    await dialog(page).getByRole('button', { name: 'Hapus' }).click()
    await page.getByRole('heading', { level: 1, name: 'Blog' }).waitFor()
    expect(await postsNamed('Kopi baru')).toEqual([])
    expect(complaints.filter((text) => !text.includes('status of 4'))).toEqual([])
  })

  it('write one post when the answer was lost and the form is sent again', async () => {
    const { page } = await visit(browser())
    await openOffice(page, '/pemasaran?id=new', 'Tulisan baru')
    await field(page, 'Judul').fill('Sekali saja')
    await field(page, 'Isi').fill('Isi.')
    await page.route('**/api/v1/account/blog/posts', async (route) => {
      if (route.request().method() === 'GET') return route.fallback()
      await route.fetch()
      await route.fulfill({ status: 503, json: UNAVAILABLE })
    })
    await button(page, 'Simpan').click()
    await page.getByRole('alert').filter({ hasText: 'outcome is unknown' }).waitFor()
    await page.unroute('**/api/v1/account/blog/posts')
    await button(page, 'Simpan').click()
    await page.getByRole('heading', { level: 1, name: 'Sekali saja' }).waitFor()
    expect(await postsNamed('Sekali saja')).toHaveLength(1)
    await openOffice(page, '/pemasaran', 'Blog')
    await page.getByLabel('Status').selectOption({ label: 'Terbit' })
    await expect.poll(() => rowOf(page, 'Sekali saja').count()).toBe(0)
  })

  it('open the feed with its address, and show its items and their faults as text', async () => {
    const { page } = await visit(browser())
    await openOffice(page, '/pemasaran?tab=feeds', 'Katalog iklan')
    await page.getByText('Isi dulu nama di alamat toko').waitFor()
    done(await acme().put('/settings', { publicSlug: 'kopi-pasar-baru' }))
    await page.getByLabel('Katalog dapat dibuka mesin iklan').check()
    const url = field(page, 'Alamat halaman barang')
    await url.fill('bukan alamat')
    await button(page, 'Simpan').click()
    await expect.poll(() => url.getAttribute('aria-invalid')).toBe('true')
    await url.fill('https://kopi.example/p/{sku}')
    await button(page, 'Simpan').click()
    await saved(page)
    await page.reload()
    await page.getByRole('list', { name: 'Alamat katalog' }).getByText('/kopi-pasar-baru/feed.xml').waitFor()
    const preview = page.getByRole('region', { name: 'Pratinjau katalog' })
    await preview.getByText('1 barang di katalog').waitFor()
    await preview.getByText('image_link').first().waitFor()
    await preview.getByLabel('Bentuk').selectOption('json')
    await preview.getByText('Kopi <b>Gayo</b>').waitFor()
    expect(await preview.locator('b').count()).toBe(0)
    expect(done(await acme().get('/account/feeds')).feeds.enabled).toBe(true)
  })

  it('keep the token of the pixels secret: only its end is shown, and no draft holds it', async () => {
    const pixels = async () => done(await acme().get('/account/pixels')).pixels
    const { page } = await visit(browser())
    await openOffice(page, '/pemasaran?tab=pixels', 'Piksel')
    const token = page.getByLabel('Token API konversi')
    expect(await token.getAttribute('type')).toBe('password')
    await field(page, 'ID analitik').fill('G-8Q5T7V9X1C')
    await token.fill('EAAJk2c9wW3t7yK5nLp8sD1f')
    await page.getByText('Belum disimpan').waitFor()
    const drafts = (await page.evaluate('JSON.stringify({ ...sessionStorage, ...localStorage })')) as string
    expect(drafts).toContain('G-8Q5T7V9X1C')
    expect(drafts).not.toContain('EAAJk2c9')
    await button(page, 'Simpan').click()
    await page.getByText('berakhiran ••••sD1f').waitFor()
    expect(await token.inputValue()).toBe('')
    await field(page, 'ID analitik').fill('G-NEW')
    await button(page, 'Simpan').click()
    await saved(page)
    expect(await pixels()).toMatchObject({ analyticsId: 'G-NEW', socialCapiAccessTokenLast4: 'sD1f' })
    await button(page, 'Hapus token').click()
    await dialog(page).getByRole('button', { name: 'Hapus token' }).click()
    await page.getByText('Belum ada. Token disimpan').waitFor()
    expect(await pixels()).toMatchObject({ socialCapiAccessTokenSet: false, analyticsId: 'G-NEW' })
  })

  it('start a referral program, refuse a reward at its field, and list the links of customers', async () => {
    const { page } = await visit(browser())
    await openOffice(page, '/pemasaran?tab=referrals', 'Program rujukan')
    await page.getByLabel('Program berjalan').check()
    const reward = page.getByLabel('Hadiah pengajak')
    await reward.fill('150')
    await button(page, 'Simpan').click()
    await expect.poll(() => reward.getAttribute('aria-invalid')).toBe('true')
    await reward.fill('15')
    await field(page, 'Belanja paling sedikit').fill('50000')
    await button(page, 'Simpan').click()
    await saved(page)
    expect(done(await acme().get('/account/referrals')).program).toMatchObject({
      enabled: true,
      referrerValue: 15,
      minPurchaseAmount: 50_000,
    })
    await sellReferred()
    await page.getByRole('link', { name: 'Tautan rujukan' }).click()
    await rowOf(page, 'Bu Pengajak')
      .getByRole('button', { name: /^Salin tautan/ })
      .waitFor()
    await page.getByRole('link', { name: 'Penjualan rujukan' }).click()
    await table(page, 'Penjualan rujukan').getByText('Belum dipakai').first().waitFor()
    await page.getByRole('link', { name: 'Program rujukan' }).click()
    const results = page.getByRole('region', { name: 'Hasil program' })
    await results.getByText(/^Rp [1-9]/).waitFor()
  })

  it('set when customers are reminded of an open bill, and refuse a delay at its field', async () => {
    const { page } = await visit(browser())
    await openOffice(page, '/pemasaran?tab=carts', 'Pengingat bon')
    await page.getByLabel('Kirim pengingat').check()
    await page.getByLabel('Dikirim setelah (jam)').fill('24')
    await field(page, 'Judul e-mail').fill(' ')
    await button(page, 'Simpan').click()
    await expect.poll(() => field(page, 'Judul e-mail').getAttribute('aria-invalid')).toBe('true')
    await field(page, 'Judul e-mail').fill('Masih ada yang tertinggal')
    await button(page, 'Simpan').click()
    await saved(page)
    expect(done(await acme().get('/account/abandoned-cart')).abandonedCart).toMatchObject({
      enabled: true,
      delayHours: 24,
      emailSubject: 'Masih ada yang tertinggal',
    })
    await page.getByRole('link', { name: 'Pengingat terkirim' }).click()
    await page.getByText('Belum ada pengingat').waitFor()
  })

  it('say that only the latest reminders are listed when there may be more', async () => {
    const { page } = await visit(browser())
    const reminder = { customerId: null, email: 'sari@example.com', cartTotal: 85_000, status: 'sent' }
    const at = '2026-11-01T02:00:00.000Z'
    let count = 200
    await page.route('**/api/v1/account/abandoned-cart/reminders*', async (route) => {
      const rows = Array.from({ length: count }, (_, n) => ({
        ...reminder,
        id: `r${n}`,
        scheduledAt: at,
        sentAt: at,
      }))
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), data: { reminders: rows } } })
    })
    await openOffice(page, '/pemasaran?tab=reminders', 'Pengingat terkirim')
    await page.getByRole('status').getByText('Hanya 200 baris terbaru yang ditampilkan').waitFor()
    count = 199
    await page.reload()
    await page.getByRole('status').getByText('199 baris', { exact: true }).waitFor()
  })

  it('say that the module is off, and are locked for cashiers', async () => {
    const shop = await workspace('Tanpa Iklan')
    await makeOutlet(shop)
    const { page } = await visit(browser(), undefined, (await memberOf(shop, 'OWNER', 'Rina')).cookie)
    await openOffice(page, '/pemasaran?tab=pixels', 'Modul Pemasaran mati')
    await page.getByRole('link', { name: 'Buka pengaturan modul' }).click()
    await button(page, 'Nyalakan Pemasaran').waitFor()
    const cashier = await memberOf(shop, 'CASHIER', 'Kasir')
    const { page: other } = await visit(browser(), undefined, cashier.cookie)
    await openOffice(other, '/pemasaran', 'Halaman ini untuk peran lain')
  })
})

/** A customer gets a link, and a friend buys with its code. */
async function sellReferred() {
  const sell = async (name: string, more: object = {}) => {
    const customerId = await makeCustomer(acme(), { name })
    const items = [{ variantId: coffee, quantity: 1 }]
    const payments = [{ method: 'CASH', amount: 85_000 }]
    done(await acme().post('/sales', { outletId, customerId, items, payments, ...more }))
    await followSales()
  }
  await sell('Bu Pengajak')
  const [{ code }] = done(await acme().get('/account/referrals/links')).links
  await sell('Pak Teman', { discountCode: code })
}
