import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInChromium } from '../../support/browser.ts'
import { makeCategory, makeCustomer, makeOutlet, makeProduct } from '../../support/build.ts'
import { memberOf } from '../../support/clients.ts'
import { done } from '../../support/expect.ts'
import { button, field, openOffice, rowOf, save, table } from '../../support/office-page.ts'
import {
  keepPage,
  lineState,
  list,
  openRegister,
  requireBuiltRegister,
  tile,
  visit,
} from '../../support/register-page.ts'
import { acme, useService } from '../../support/service.ts'

requireBuiltRegister()
useService()

let outletId = ''
let tea = { id: '', variants: [{ id: '' }] }

beforeAll(async () => {
  outletId = await makeOutlet(acme(), { name: 'Cikini' })
  await makeOutlet(acme(), { name: 'Menteng' })
  done(await acme().put('/settings', { businessType: 'FNB' }))
  const categoryId = await makeCategory(acme(), { name: 'Minuman' })
  tea = await makeProduct(acme(), {
    name: 'Es Teh',
    categoryId,
    trackStock: false,
    variants: [{ price: 6_000 }],
  })
  await makeProduct(acme(), {
    name: 'Kopi Susu',
    categoryId,
    trackStock: false,
    variants: [{ price: 18_000 }],
  })
})

const listNamed = async (name: string) =>
  done(await acme().get('/price-lists')).priceLists.find((each: { name: string }) => each.name === name)
const lastSale = async () => {
  const [{ id }] = (await acme().get('/sales?status=COMPLETED&limit=1')).data
  return done(await acme().get(`/sales/${id}`)).sale
}
const removeLists = async () => {
  for (const { id } of done(await acme().get('/price-lists')).priceLists)
    done(await acme().delete(`/price-lists/${id}`))
}
const pay = async (page: Page) => {
  await page.getByRole('button', { name: /^Uang pas/ }).click()
  await page.getByRole('status').filter({ hasText: 'Kembali' }).waitFor()
}
const total = (page: Page, amount: string) =>
  page.getByRole('complementary', { name: 'Keranjang' }).getByText(amount).first().waitFor()

describeInChromium('price lists', (browser) => {
  it('are made with places, days, hours and prices, and the list says where and when each applies', async () => {
    const { page } = await visit(browser())
    await openOffice(page, '/produk?tab=prices', 'Daftar harga')
    await button(page, 'Daftar harga baru').first().click()
    await field(page, 'Nama daftar harga').fill('Happy Hour')
    await page.getByRole('checkbox', { name: 'Menteng' }).check()
    for (const day of ['Sen', 'Sel', 'Rab']) await page.getByRole('checkbox', { name: day }).check()
    await page.getByLabel('Dari jam').fill('15:00')
    await page.getByLabel('Sampai jam').fill('17:00')
    await field(page, 'Saluran').fill('GOFOOD, GRABFOOD')
    await page.getByLabel('Tambah kategori').selectOption({ label: 'Minuman' })
    await page.getByLabel('Sebesar').fill('20')
    await page.getByLabel('Dibulatkan ke').selectOption('500')
    await page.getByRole('searchbox', { name: 'Tambah barang' }).fill('Es Teh')
    await page.getByRole('list', { name: 'Tambah barang' }).getByRole('button').first().click()
    await field(page, 'Harga').fill('4500')
    await save(page)
    expect(await listNamed('Happy Hour')).toMatchObject({
      weekdays: [1, 2, 3],
      from: '15:00',
      to: '17:00',
      channels: ['GOFOOD', 'GRABFOOD'],
      orderTypes: null,
      entries: expect.arrayContaining([
        expect.objectContaining({ adjustBps: -2_000, roundTo: 500, price: null }),
        expect.objectContaining({ variantId: tea.variants[0]?.id, price: 4_500 }),
      ]),
    })
    await rowOf(page, 'Happy Hour').getByText('Menteng · GOFOOD, GRABFOOD · Sen–Rab · 15:00–17:00').waitFor()
    await table(page, 'Daftar harga')
      .getByRole('link', { name: /Happy Hour/ })
      .click()
    expect(await page.getByLabel('Sebesar').inputValue()).toBe('20')
    await page.getByLabel('Dari jam').fill('')
    await page.getByLabel('Sampai jam').fill('')
    await page.getByLabel('Daftar harga ini dipakai').uncheck()
    await save(page)
    expect(await listNamed('Happy Hour')).toMatchObject({ from: null, to: null, isActive: false })
    await rowOf(page, 'Happy Hour').getByText('Mati').waitFor()
    await table(page, 'Daftar harga')
      .getByRole('link', { name: /Happy Hour/ })
      .click()
    await button(page, 'Hapus').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Hapus' }).click()
    await expect.poll(() => listNamed('Happy Hour')).toBeUndefined()
  })

  it('set the price at the register, which names the list and sells by it without a line too', async () => {
    const made = await acme().post('/price-lists', {
      name: 'Bawa pulang',
      orderTypes: ['TAKEAWAY'],
      entries: [{ variantId: tea.variants[0]?.id, price: 5_000 }],
    })
    const { id } = done(made).priceList
    const { cookie } = await memberOf(acme(), 'CASHIER', 'Dewi')
    const { page, context } = await visit(browser(), undefined, cookie)
    await openRegister(page)
    await keepPage(page)
    await tile(page, 'Es Teh').click()
    await total(page, 'Rp 6.000')
    await page.getByRole('button', { name: 'Bawa pulang' }).click()
    await total(page, 'Rp 5.000')
    await list(page, 'Keranjang').getByText('Bawa pulang').waitFor()
    await tile(page, 'Es Teh').click()
    await total(page, 'Rp 10.000')
    await pay(page)
    await lineState(page, 'Daring').waitFor()
    expect((await lastSale()).items).toMatchObject([{ quantity: 2, unitPrice: 5_000, priceListId: id }])
    await context.setOffline(true)
    await tile(page, 'Es Teh').click()
    await page.getByRole('button', { name: 'Bawa pulang' }).click()
    await total(page, 'Rp 5.000')
    await pay(page)
    await lineState(page, 'Luring · 1 antre').waitFor()
    await context.setOffline(false)
    await lineState(page, 'Daring').waitFor({ timeout: 60_000 })
    const sale = await lastSale()
    expect(sale.offline).not.toBeNull()
    expect(sale.items).toMatchObject([{ unitPrice: 5_000, priceListId: id }])
    await removeLists()
  }, 120_000)

  it('apply to the customers of a group, also where the customer comes with an open bill', async () => {
    const customerId = await makeCustomer(acme(), { name: 'Toko Sari' })
    const { page } = await visit(browser())
    await openOffice(page, '/pelanggan?tab=groups', 'Grup pelanggan')
    await button(page, 'Grup baru').first().click()
    await field(page, 'Nama grup').fill('Grosir')
    await save(page)
    const group = done(await acme().get('/customer-groups')).customerGroups[0]
    done(
      await acme().post('/price-lists', {
        name: 'Harga grosir',
        customerGroupIds: [group.id],
        entries: [{ variantId: tea.variants[0]?.id, price: 4_000 }],
      }),
    )
    await openOffice(page, `/pelanggan?id=${customerId}`, 'Toko Sari')
    await page.getByRole('checkbox', { name: 'Grosir' }).check()
    await save(page)
    expect(done(await acme().get(`/customers/${customerId}`)).customer.groupIds).toEqual([group.id])
    done(
      await acme().post('/sales', {
        outletId,
        customerId,
        status: 'PARKED',
        note: 'Grosir Sari',
        items: [{ variantId: tea.variants[0]?.id, quantity: 1, unitPrice: 6_000 }],
      }),
    )
    await openRegister(page)
    await page.getByRole('button', { name: /^Bon/ }).click()
    await list(page, 'Bon terbuka')
      .getByRole('button', { name: /^Grosir Sari/ })
      .click()
    await tile(page, 'Es Teh').click()
    await list(page, 'Keranjang').getByText('Harga grosir').waitFor()
    await total(page, 'Rp 10.000')
    await removeLists()
  })

  it('have groups whose customers are found by what they spent', async () => {
    const { page } = await visit(browser())
    const group = done(await acme().post('/customer-groups', { name: 'Pelanggan setia' })).customerGroup
    const customerId = await makeCustomer(acme(), { name: 'Budi' })
    done(
      await acme().post('/sales', {
        outletId,
        customerId,
        status: 'COMPLETED',
        items: [{ variantId: tea.variants[0]?.id, quantity: 10 }],
      }),
    )
    await openOffice(page, `/pelanggan?tab=groups&id=${group.id}`, 'Pelanggan setia')
    await page.getByRole('textbox', { name: 'Belanja paling sedikit' }).fill('50000')
    await button(page, 'Tambahkan').click()
    await page.getByText('1 pelanggan ditambah.').waitFor()
    expect(done(await acme().get(`/customers/${customerId}`)).customer.groupIds).toEqual([group.id])
  })
})
