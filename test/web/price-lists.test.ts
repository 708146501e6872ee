import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { describeInChromium } from '../support/browser.ts'
import { fresh, makeCategory, makeCustomer, makeOutlet, makeProduct } from '../support/build.ts'
import { done } from '../support/expect.ts'
import {
  keepPage,
  lineState,
  list,
  openRegister,
  requireBuiltRegister,
  tile,
  visit,
} from '../support/register-page.ts'
import { acme, useService } from '../support/service.ts'

requireBuiltRegister()
useService()

const HOUR_MS = 3_600_000
let tea = ''
let largeCoffee = ''
let drinks = ''

beforeAll(async () => {
  await makeOutlet(acme(), { name: 'Cikini' })
  done(await acme().put('/settings', { businessType: 'FNB' }))
  drinks = await makeCategory(acme(), { name: 'Minuman' })
  const made = await makeProduct(acme(), {
    name: 'Es Teh',
    categoryId: drinks,
    trackStock: false,
    variants: [{ price: 6_000 }],
  })
  tea = made.variants[0].id
  const coffee = await makeProduct(acme(), {
    name: 'Kopi Susu',
    categoryId: drinks,
    trackStock: false,
    variants: [
      { name: 'Kecil', price: 18_000 },
      { name: 'Besar', price: 24_000 },
    ],
  })
  largeCoffee = coffee.variants[1].id
  await makeProduct(acme(), { name: 'Roti Bakar', trackStock: false, variants: [{ price: 15_000 }] })
})
beforeEach(async () => {
  for (const { id } of done(await acme().get('/price-lists')).priceLists)
    done(await acme().delete(`/price-lists/${id}`))
  for (const { id } of done(await acme().get('/promotions')).promotions)
    done(await acme().delete(`/promotions/${id}`))
})

const makeList = async (name: string, fields: object): Promise<string> =>
  done(await acme().post('/price-lists', { name, ...fields })).priceList.id
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const pay = async (page: Page) => {
  await page.getByRole('button', { name: /^Uang pas/ }).click()
  await page.getByRole('status').filter({ hasText: 'Kembali' }).waitFor()
}
const shows = (page: Page, name: string, text: string) =>
  expect
    .poll(async () => (await tile(page, name).innerText()).replaceAll(/\s+/g, ' '))
    .toBe(`${name} ${text}`)
const completed = async () => (await acme().get('/sales?status=COMPLETED&limit=20')).data
const lastSale = async () => done(await acme().get(`/sales/${(await completed())[0].id}`)).sale

describeInChromium('a tile', (browser) => {
  it('an open register shows a price that another device has changed, without a reload', async () => {
    const { page, context } = await visit(browser())
    const name = fresh('Kerak Telor')
    const { id, variants } = await makeProduct(acme(), {
      name,
      trackStock: false,
      variants: [{ price: 20_000 }],
    })
    const opened = page.waitForResponse((answer) => answer.url().includes('/events/stream'))
    await openRegister(page)
    await opened
    await tile(page, name).filter({ hasText: '20.000' }).waitFor()
    done(await acme().patch(`/products/${id}/variants/${variants[0].id}`, { price: 23_000 }))
    await tile(page, name).filter({ hasText: '23.000' }).waitFor()
    await context.close()
  })

  it('shows the price that its tap charges and the list that sets it, by order type and customer', async () => {
    const group = done(await acme().post('/customer-groups', { name: 'Grosir' })).customerGroup.id
    const customerId = await makeCustomer(acme(), { name: 'Toko Sari', phone: '0812 999' })
    done(await acme().patch(`/customers/${customerId}`, { groupIds: [group] }))
    await makeList('Bungkus', {
      orderTypes: ['TAKEAWAY'],
      priority: 5,
      entries: [
        { variantId: tea, price: 5_000 },
        { variantId: largeCoffee, price: 16_000 },
      ],
    })
    await makeList('Harga grosir', {
      customerGroupIds: [group],
      priority: 1,
      entries: [{ categoryId: drinks, adjustBps: -5_000 }],
    })
    const { page } = await visit(browser())
    await openRegister(page)
    await shows(page, 'Es Teh', 'Rp 6.000')
    await shows(page, 'Kopi Susu', 'dari Rp 18.000')
    await press(page, 'Bawa pulang')
    await shows(page, 'Es Teh', 'Rp 5.000 · Bungkus')
    await shows(page, 'Kopi Susu', 'dari Rp 16.000 · Bungkus')
    await shows(page, 'Roti Bakar', 'Rp 15.000')
    await page.getByRole('searchbox').fill('teh')
    await shows(page, 'Es Teh', 'Rp 5.000 · Bungkus')
    await page.getByRole('searchbox').fill('')
    // The window with the sizes has the prices of the list as well.
    await tile(page, 'Kopi Susu').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('16.000', { exact: true }).waitFor()
    await dialog.getByRole('radio', { name: 'Besar' }).check()
    await dialog
      .getByRole('button', { name: /^Tambah/ })
      .getByText('Rp 16.000')
      .waitFor()
    await dialog.getByRole('button', { name: /^Tambah/ }).click()
    await page.keyboard.press('F4')
    await page.getByRole('dialog').getByRole('textbox', { name: 'Nama atau telepon' }).fill('Sari')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Toko Sari/ })
      .click()
    await shows(page, 'Es Teh', 'Rp 3.000 · Harga grosir')
    await tile(page, 'Es Teh').click()
    await pay(page)
    await expect.poll(async () => (await completed()).length).toBe(1)
    expect((await lastSale()).items).toMatchObject([
      { productName: 'Kopi Susu', unitPrice: 12_000 },
      { productName: 'Es Teh', unitPrice: 3_000 },
    ])
    await page.keyboard.press('Enter')
    await shows(page, 'Es Teh', 'Rp 6.000')
  }, 90_000)

  it('changes its price when a list begins and when it ends, with the line down too', async () => {
    const now = Date.now()
    await makeList('Happy Hour', {
      startsAt: new Date(now + HOUR_MS).toISOString(),
      endsAt: new Date(now + 2 * HOUR_MS).toISOString(),
      entries: [{ variantId: tea, price: 4_000 }],
    })
    const { page, context } = await visit(browser())
    await openRegister(page)
    await keepPage(page)
    await shows(page, 'Es Teh', 'Rp 6.000')
    await context.setOffline(true)
    await page.clock.setSystemTime(now + HOUR_MS + 60_000)
    await shows(page, 'Es Teh', 'Rp 4.000 · Happy Hour')
    await page.clock.setSystemTime(now + 2 * HOUR_MS)
    await shows(page, 'Es Teh', 'Rp 6.000')
  }, 90_000)
})

describeInChromium('a payment', (browser) => {
  it('keeps the total that the customer saw when a list ends meanwhile', async () => {
    const now = Date.now()
    await makeList('Happy Hour', {
      endsAt: new Date(now + HOUR_MS).toISOString(),
      entries: [{ variantId: tea, price: 4_000 }],
    })
    const { page, context } = await visit(browser())
    await openRegister(page)
    await keepPage(page)
    await shows(page, 'Es Teh', 'Rp 4.000 · Happy Hour')
    await context.setOffline(true)
    await tile(page, 'Es Teh').click()
    await page.getByRole('button', { name: /^Bayar/ }).click()
    await page.clock.setSystemTime(now + HOUR_MS + 60_000)
    // The tiles lie behind the payment and have the price of the next sale.
    await shows(page, 'Es Teh', 'Rp 6.000 1')
    const received = page.getByRole('textbox', { name: 'Diterima' })
    expect(await received.getAttribute('placeholder')).toBe('4.000')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Bayar 6\.000/ }).waitFor()
    await page.getByRole('button', { name: /^Bayar/ }).click()
    await expect.poll(() => received.getAttribute('placeholder')).toBe('6.000')
  }, 90_000)
})

describeInChromium('a channel', (browser) => {
  it('is offered only by a shop whose price lists or promotions name channels', async () => {
    await makeList('Bungkus', { orderTypes: ['TAKEAWAY'], entries: [{ variantId: tea, price: 5_000 }] })
    const { page } = await visit(browser())
    await openRegister(page)
    await press(page, 'Bawa pulang')
    await shows(page, 'Es Teh', 'Rp 5.000 · Bungkus')
    expect(await page.getByRole('group', { name: 'Saluran' }).count()).toBe(0)
  }, 60_000)

  it('sets the prices of its list, is recorded with the sale, and is sold by without a line too', async () => {
    const id = await makeList('Harga GoFood', {
      channels: ['GoFood', 'ShopeeFood'],
      entries: [{ variantId: tea, price: 7_500 }],
    })
    done(
      await acme().post('/promotions', {
        name: 'Potongan GoFood',
        kind: 'PERCENT',
        percentBps: 2_000,
        channels: ['GOFOOD'],
      }),
    )
    const before = (await completed()).length
    const { page, context } = await visit(browser())
    await openRegister(page)
    await keepPage(page)
    const channels = page.getByRole('group', { name: 'Saluran' })
    await expect.poll(() => channels.getByRole('button').allInnerTexts()).toHaveLength(3)
    await channels.getByRole('button', { name: /gofood/i }).click()
    await shows(page, 'Es Teh', 'Rp 7.500 · Harga GoFood')
    await tile(page, 'Es Teh').click()
    await page.getByText('Potongan GoFood').first().waitFor()
    await pay(page)
    await expect.poll(async () => (await completed()).length).toBe(before + 1)
    const sale = await lastSale()
    expect(sale.channel.toUpperCase()).toBe('GOFOOD')
    expect(sale).toMatchObject({ total: 6_000, items: [{ unitPrice: 7_500, priceListId: id }] })
    // The next sale is one at the counter again.
    await page.keyboard.press('Enter')
    await shows(page, 'Es Teh', 'Rp 6.000')
    await context.setOffline(true)
    await channels.getByRole('button', { name: 'ShopeeFood' }).click()
    await tile(page, 'Es Teh').click()
    await pay(page)
    await lineState(page, 'Luring · 1 antre').waitFor()
    await context.setOffline(false)
    await lineState(page, 'Daring').waitFor()
    expect(await lastSale()).toMatchObject({
      channel: 'ShopeeFood',
      total: 7_500,
      items: [{ unitPrice: 7_500, priceListId: id }],
    })
  }, 120_000)

  it('of an open bill stays with it, and can be changed there', async () => {
    await makeList('Harga GoFood', { channels: ['GoFood'], entries: [{ variantId: tea, price: 7_500 }] })
    const { page } = await visit(browser())
    await openRegister(page)
    const channels = page.getByRole('group', { name: 'Saluran' })
    await channels.getByRole('button', { name: 'GoFood' }).click()
    await tile(page, 'Es Teh').click()
    await page.getByRole('button', { name: /^Tahan/ }).click()
    await page.getByRole('textbox', { name: 'Nama bon' }).fill('Kurir Adi')
    await press(page, 'Simpan bon')
    await page.getByText('Keranjang kosong').waitFor()
    expect(await channels.getByRole('button', { pressed: true }).innerText()).toBe('Langsung')
    await page.getByRole('button', { name: /^Bon/ }).click()
    await list(page, 'Bon terbuka')
      .getByRole('button', { name: /^Kurir Adi/ })
      .first()
      .click()
    await expect.poll(() => channels.getByRole('button', { pressed: true }).innerText()).toBe('GoFood')
    await channels.getByRole('button', { name: 'Langsung' }).click()
    await tile(page, 'Es Teh').click()
    await pay(page)
    await expect.poll(async () => (await lastSale()).note).toBe('Kurir Adi')
    const sale = await lastSale()
    expect(sale.channel).toBeNull()
    // What was on the bill keeps its price; what was added has the price at the counter.
    expect(sale.items).toMatchObject([{ unitPrice: 7_500 }, { unitPrice: 6_000 }])
  }, 60_000)
})
