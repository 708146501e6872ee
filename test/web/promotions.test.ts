import fc from 'fast-check'
import type { Page } from 'playwright-core'
import { afterEach, beforeAll, expect, it, onTestFinished } from 'vitest'
import { type Cart, type CartLine, cartFromBill, EMPTY_CART } from '../../web/src/selling/cart.ts'
import type { PromotionShop } from '../../web/src/selling/cart-promotions.ts'
import { cartTotals } from '../../web/src/selling/cart-totals.ts'
import { offlineBody, saleBody } from '../../web/src/selling/sale-body.ts'
import type { Answer } from '../support/api.ts'
import { describeInChromium } from '../support/browser.ts'
import { fresh, makeCategory, makeOutlet, makeProduct } from '../support/build.ts'
import { assertInvariants, done, saleOf } from '../support/expect.ts'
import {
  keepPage,
  lineState,
  list,
  openRegister,
  photograph,
  requireBuiltRegister,
  tile,
  visit,
} from '../support/register-page.ts'
import { acme, deps, useService } from '../support/service.ts'

requireBuiltRegister()
useService()

const TAX = 1_100
let outletId = ''
const goods: { variantId: string; productId: string; categoryId: string; name: string; price: number }[] = []

beforeAll(async () => {
  outletId = await makeOutlet(acme(), { name: 'Cikini', taxRateBps: TAX, taxLabel: 'PPN' })
  for (const [category, of] of [
    ['Kopi', { Latte: 18_000, Americano: 15_000 }],
    ['Roti', { Croissant: 22_000, Cookie: 8_000 }],
  ] as const) {
    const categoryId = await makeCategory(acme(), { name: category })
    for (const [name, price] of Object.entries(of)) {
      const { id, variants } = await makeProduct(acme(), {
        name,
        categoryId,
        trackStock: false,
        variants: [{ price }],
      })
      goods.push({ variantId: variants[0].id, productId: id, categoryId, name, price })
    }
  }
})

const made: string[] = []
async function makePromotion(fields: Record<string, unknown>) {
  const { promotion } = done(await acme().post('/promotions', { name: 'Promo', ...fields }))
  made.push(promotion.id)
  return promotion
}
const removePromotions = async () => {
  for (const id of made.splice(0)) done(await acme().delete(`/promotions/${id}`))
}
afterEach(removePromotions)

/** The shop as a register knows it. */
async function shopNow(): Promise<PromotionShop> {
  const { promotions } = done(await acme().get(`/catalogue?outletId=${outletId}`))
  return {
    promotions,
    outletId,
    timezone: 'Asia/Jakarta',
    now: new Date().toISOString(),
    categoryOf: (id) => goods.find(({ productId }) => productId === id)?.categoryId ?? null,
  }
}

const byId = (promotions: readonly { id: string }[]) =>
  promotions.toSorted((one, other) => (one.id < other.id ? -1 : 1))

const TERMS = {
  taxRateBps: TAX,
  taxInclusive: false,
  serviceChargeBps: 0,
  serviceChargeOrderTypes: [],
  serviceChargeBase: 'AFTER_DISCOUNT' as const,
  serviceChargeTaxable: true,
  cashRounding: { step: 0 as const, mode: 'NEAREST' as const },
}

const line = fc
  .record({
    place: fc.nat(3),
    quantity: fc.integer({ min: 1, max: 9 }),
    discount: fc.option(fc.nat(20_000).map((value) => ({ kind: 'amount' as const, value }))),
  })
  .map(({ place, quantity, discount }): Omit<CartLine, 'key'> => {
    const { variantId, productId, name, price } = goods[place] ?? {
      variantId: null,
      productId: null,
      name: 'Barang',
      price: 5_000,
    }
    const text = { name, variantName: '', note: '' }
    const money = { unitPrice: price, taxRateBps: null, modifiers: [], discount }
    return { itemId: null, variantId, productId, quantity, ...text, ...money }
  })
const anyCart = fc
  .record({
    lines: fc.array(line, { minLength: 1, maxLength: 6 }),
    orderDiscount: fc.option(fc.constant({ kind: 'percent' as const, bps: 500 })),
    orderType: fc.constantFrom(null, 'DINE_IN' as const),
  })
  .map(
    ({ lines, ...rest }): Cart => ({
      ...EMPTY_CART,
      ...rest,
      lines: lines.map((each, at) => ({ ...each, key: at + 1 })),
    }),
  )

it('the register decides the promotions of every cart as the service does, and the service keeps those of a printed sale', async () => {
  const [latte, , croissant] = goods
  await makePromotion({ kind: 'PERCENT', percentBps: 733, categoryIds: [croissant?.categoryId], priority: 1 })
  await makePromotion({ kind: 'BUY_X_GET_Y', buyQuantity: 2, getQuantity: 1, orderTypes: ['DINE_IN'] })
  await makePromotion({ kind: 'AMOUNT', amount: 9_999, minSpend: 90_000, priority: 2 })
  const bundle = [
    { variantId: latte?.variantId, quantity: 1 },
    { categoryId: croissant?.categoryId, quantity: 2 },
  ]
  await makePromotion({ kind: 'BUNDLE', bundle, bundlePrice: 20_000, stackable: false })
  const shop = await shopNow()
  const { outlet } = done(await acme().get(`/outlets/${outletId}`))
  const cash = (amount: number) =>
    amount === 0 ? [] : [{ method: 'CASH' as const, amount, tendered: null, reference: '', rounding: 0 }]
  let count = 0
  await fc.assert(
    fc.asyncProperty(anyCart, async (cart) => {
      const totals = cartTotals(cart, TERMS, shop)
      const expected = {
        promotions: byId(totals.promotions),
        subtotal: totals.subtotal,
        discountTotal: totals.discountTotal,
        total: totals.total,
      }
      const bill = saleOf(await acme().post('/sales', saleBody(outletId, cart, totals, null)))
      expect({ ...bill, promotions: byId(bill.promotions) }).toMatchObject(expected)
      const again = cartFromBill(bill, { rateOf: () => null, isServiceCharged: () => false })
      expect(cartTotals(again, TERMS).total).toBe(totals.total)
      count += 1
      const receipt = { ref: `P-${count}`, soldAt: shop.now, soldBy: '' }
      const body = offlineBody(
        { ...outlet, ...TERMS },
        { cart, totals, tenders: cash(totals.total) },
        receipt,
      )
      const { soldBy: _, ...offline } = body.offline ?? { soldBy: '' }
      const sold = saleOf(await acme().post('/sales', { ...body, offline }))
      expect({ ...sold, promotions: byId(sold.promotions) }).toMatchObject({
        ...expected,
        status: 'COMPLETED',
      })
    }),
    { numRuns: 100 },
  )
  await assertInvariants(deps().db)
}, 120_000)

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const cartOf = (page: Page) => page.getByRole('complementary', { name: 'Keranjang' })
const row = (page: Page, name: string) => cartOf(page).locator('dl > div').filter({ hasText: name })
async function lastSale(page: Page) {
  await lineState(page, 'Daring').waitFor()
  const { data } = await acme().get(`/sales?outletId=${outletId}&status=COMPLETED&limit=1`)
  return saleOf(await acme().get(`/sales/${data[0].id}`))
}

/** How many bills are open, on all pages of the list. */
async function openBills() {
  let count = 0
  let cursor = ''
  do {
    const answer: Answer = await acme().get(`/sales?status=PARKED&limit=100${cursor}`)
    count += answer.data.length
    const next = answer.meta?.cursor
    cursor = next ? `&cursor=${next}` : ''
  } while (cursor !== '')
  return count
}

async function chooseCustomer(page: Page, name: string) {
  await page.keyboard.press('F4')
  const dialog = page.getByRole('dialog', { name: 'Pelanggan' })
  await dialog.getByRole('textbox', { name: 'Nama atau telepon' }).fill(name)
  await dialog.getByRole('button', { name }).first().click()
}

async function useVoucher(page: Page, code: string) {
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Diskon', exact: true }).click()
  await dialog.getByRole('textbox', { name: 'Kode voucher' }).fill(code)
  await dialog.getByRole('button', { name: 'Pakai', exact: true }).click()
}

describeInChromium('a promotion at the register', (browser) => {
  it('is in the total before the payment and on the receipt, also of a sale without a line', async () => {
    const { id } = await makePromotion({ kind: 'PERCENT', percentBps: 1_000, name: 'Diskon 10%' })
    const { page, context } = await visit(browser())
    await openRegister(page)
    await keepPage(page)
    await tile(page, 'Latte').click()
    // 18,000 less 1,800 is 16,200, with 11% tax 17,982.
    await row(page, 'Diskon 10%').getByText('−1.800').waitFor()
    await row(page, 'Subtotal').getByText('16.200').waitFor()
    await row(page, 'Total').getByText('Rp 17.982', { exact: true }).waitFor()
    await photograph(page, 'promotion-cart')
    await context.setOffline(true)
    await button(page, /^Uang pas/).click()
    await page.getByRole('status').filter({ hasText: 'Kembali' }).waitFor()
    await page.evaluate('window.print = () => {}')
    await button(page, 'Cetak').click()
    await page.locator('.receipt').getByText('Diskon 10%').waitFor({ state: 'attached' })
    await photograph(page, 'promotion-receipt')
    // The receipt is printed: the sale keeps the promotion that the shop ended meanwhile.
    await removePromotions()
    await context.setOffline(false)
    expect(await lastSale(page)).toMatchObject({
      total: 17_982,
      promotions: [{ id, name: 'Diskon 10%', amount: 1_800 }],
    })
  }, 120_000)

  it('that the till does not know yet lowers a paid sale: the till shows the change of the service and says why', async () => {
    done(await acme().put('/settings', { negativeStock: 'BLOCK' }))
    onTestFinished(async () => {
      done(await acme().put('/settings', { negativeStock: 'ALLOW' }))
    })
    const { page } = await visit(browser(), { width: 390, height: 844 })
    // The promotion begins after the till has read the others.
    await page.route('**/api/v1/catalogue*', async (route) => {
      const response = await route.fetch()
      const body = (await response.json()) as { data: { promotions?: unknown } }
      await route.fulfill({ response, json: { ...body, data: { ...body.data, promotions: [] } } })
    })
    await makePromotion({ kind: 'PERCENT', percentBps: 1_000, name: 'Sore hemat' })
    await openRegister(page)
    await tile(page, 'Latte').click()
    await button(page, /^Bayar/).click()
    await page.getByRole('textbox', { name: 'Diterima' }).fill('20000')
    await button(page, 'Selesai').click()
    // The register showed 19,980; with the promotion and its tax it is 17,982.
    await page.getByRole('status').filter({ hasText: 'Kembali' }).getByText('Rp 2.018').waitFor()
    await page.getByRole('alert').getByText('Total berubah saat dibayar, menjadi Rp 17.982').waitFor()
    await photograph(page, 'promotion-other-total')
    expect(await lastSale(page)).toMatchObject({ total: 17_982, changeTotal: 2_018 })
  }, 60_000)

  it('that only the service can decide is in the total of the held bill, which is paid as shown', async () => {
    await makePromotion({ kind: 'AMOUNT', amount: 5_000, code: 'HEMAT5', name: 'Hemat 5 ribu' })
    const latte = { variantId: goods[0]?.variantId, quantity: 2 }
    const body = { outletId, items: [latte], status: 'PARKED', note: 'Meja 9', voucherCodes: ['HEMAT5'] }
    expect(saleOf(await acme().post('/sales', body)).total).toBe(34_410)
    const { page } = await visit(browser())
    await openRegister(page)
    await button(page, /^Bon/).click()
    await list(page, 'Bon terbuka')
      .getByRole('button', { name: /^Meja 9/ })
      .click()
    await row(page, 'Hemat 5 ribu').getByText('−5.000').waitFor()
    await row(page, 'Total').getByText('Rp 34.410', { exact: true }).waitFor()
    await button(page, /^Uang pas/).click()
    await page.getByRole('status').filter({ hasText: 'Kembali' }).waitFor()
    expect(await lastSale(page)).toMatchObject({ note: 'Meja 9', total: 34_410, voucherCodes: ['HEMAT5'] })
  }, 120_000)

  it('uses a voucher code at the register, says when it gives nothing yet, and removes it', async () => {
    await makePromotion({
      name: 'Hemat',
      kind: 'AMOUNT',
      amount: 10_000,
      code: 'HEMAT10',
      usageLimit: 1,
      minSpend: 30_000,
    })
    const { page } = await visit(browser())
    await openRegister(page)
    await tile(page, 'Croissant').click()
    const cart = page.getByRole('complementary', { name: 'Keranjang' })
    const dialog = page.getByRole('dialog')
    const before = await openBills()
    await useVoucher(page, 'HEMAT99')
    await dialog.getByRole('alert').waitFor()
    expect(await openBills()).toBe(before)
    await dialog.getByRole('textbox', { name: 'Kode voucher' }).fill('hemat10')
    await dialog.getByRole('button', { name: 'Pakai', exact: true }).click()
    await dialog.getByText('Kode ini belum memberi potongan').waitFor()
    await page.keyboard.press('Escape')
    await tile(page, 'Latte').click()
    await page.getByRole('button', { name: 'Diskon', exact: true }).click()
    await dialog.getByRole('button', { name: /^Lepas kode/ }).click()
    await dialog.waitFor({ state: 'detached' })
    await useVoucher(page, 'hemat10')
    await dialog.waitFor({ state: 'detached' })
    await cart.getByText('Hemat').waitFor()
    // 40,000 less 10,000, and 11% of tax.
    await cart.getByText('Rp 33.300').first().waitFor()
    await page.getByRole('button', { name: /^Uang pas/ }).click()
    await page.getByRole('status').filter({ hasText: 'Kembali' }).waitFor()
    const [sale] = done(await acme().get('/sales?status=COMPLETED&limit=1'))
    expect(await saleOf(await acme().get(`/sales/${sale.id}`))).toMatchObject({
      voucherCodes: ['hemat10'],
      promotions: [{ name: 'Hemat', amount: 10_000 }],
      total: 33_300,
    })
  })

  it('once per customer is in the total before the customer pays, and the next sale of the customer has it no more', async () => {
    await makePromotion({ kind: 'AMOUNT', amount: 5_000, name: 'Selamat datang', oncePerCustomer: true })
    done(await acme().post('/customers', { name: 'Wati Rahayu' }))
    const { page } = await visit(browser())
    await openRegister(page)
    const sell = async () => {
      await tile(page, 'Croissant').click()
      await chooseCustomer(page, 'Wati Rahayu')
    }
    await sell()
    await row(page, 'Total').getByText('Rp 24.420', { exact: true }).waitFor()
    await button(page, /^Bayar/).click()
    // 22,000 less 5,000, and 11% of tax.
    await cartOf(page).getByText('Rp 18.870', { exact: true }).first().waitFor()
    await page.getByRole('textbox', { name: 'Diterima' }).fill('20000')
    await page.keyboard.press('Enter')
    await page.getByRole('status').filter({ hasText: 'Kembali' }).getByText('Rp 1.130').waitFor()
    expect(await lastSale(page)).toMatchObject({ total: 18_870, promotions: [{ amount: 5_000 }] })
    await sell()
    await button(page, /^Uang pas/).click()
    await page.getByRole('status').filter({ hasText: 'Kembali' }).waitFor()
    expect(await lastSale(page)).toMatchObject({ total: 24_420, promotions: [] })
  }, 120_000)

  it('once per customer stops a payment of the exact total that was shown, and shows the lower one', async () => {
    await makePromotion({ kind: 'AMOUNT', amount: 5_000, name: 'Selamat datang', oncePerCustomer: true })
    done(await acme().post('/customers', { name: 'Yudi Pranata' }))
    const { page } = await visit(browser())
    await openRegister(page)
    await tile(page, 'Croissant').click()
    await chooseCustomer(page, 'Yudi Pranata')
    await button(page, /^Uang pas/).click()
    await row(page, 'Selamat datang').getByText('−5.000').waitFor()
    await row(page, 'Total').getByText('Rp 18.870', { exact: true }).waitFor()
    await button(page, /^Uang pas/).click()
    await page.getByRole('status').filter({ hasText: 'Kembali' }).waitFor()
    expect(await lastSale(page)).toMatchObject({ total: 18_870, remaining: 0 })
  }, 120_000)

  it('asks again for a voucher whose answer was lost before it takes money, and leaves no second bill open', async () => {
    await makePromotion({ name: 'Hemat', kind: 'AMOUNT', amount: 10_000, code: 'HEMAT10' })
    const { page } = await visit(browser())
    await openRegister(page)
    await tile(page, 'Croissant').click()
    const before = await openBills()
    // The service writes the bill, and the line goes down before its answer arrives.
    await page.route('**/api/v1/sales', async (route) => {
      await route.fetch()
      await route.abort('connectionreset')
    })
    await useVoucher(page, 'HEMAT10')
    await button(page, 'Coba lagi').waitFor()
    for (const name of [/^Uang pas/, /^Bayar/, 'Diskon'])
      expect(await button(page, name).first().isDisabled()).toBe(true)
    expect(await openBills()).toBe(before + 1)
    await page.unroute('**/api/v1/sales')
    await page.reload()
    await lineState(page, 'Daring').waitFor()
    await button(page, 'Coba lagi').click()
    // 22,000 less 10,000, and 11% of tax.
    await row(page, 'Hemat').getByText('−10.000').waitFor()
    await button(page, /^Uang pas/).click()
    await page.getByRole('status').filter({ hasText: 'Kembali' }).waitFor()
    expect(await lastSale(page)).toMatchObject({ total: 13_320, voucherCodes: ['HEMAT10'] })
    expect(await openBills()).toBe(before)
  }, 120_000)

  it('takes no voucher code while a refused sale that already left is corrected', async () => {
    const name = fresh('Obat')
    const { id } = await makeProduct(acme(), { name, variants: [{ price: 15_000 }] })
    const { page, context } = await visit(browser())
    await openRegister(page)
    await keepPage(page)
    await context.setOffline(true)
    await tile(page, name).click()
    await tile(page, 'Latte').click()
    await button(page, /^Uang pas/).click()
    await page.getByRole('status').filter({ hasText: 'Kembali' }).waitFor()
    // Meanwhile the goods may be sold from a batch only, and there is none.
    done(await acme().patch(`/products/${id}`, { requiresBatch: true }))
    await context.setOffline(false)
    await lineState(page, 'Perlu tindakan').waitFor()
    await button(page, 'Perlu tindakan').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Ubah dan kirim' }).click()
    await page.getByText(/^Mengubah /).waitFor()
    await button(page, 'Diskon').click()
    const code = page.getByRole('dialog').getByRole('textbox', { name: 'Kode voucher' })
    expect(await code.isDisabled()).toBe(true)
    await page.keyboard.press('Escape')
    await list(page, 'Keranjang')
      .getByRole('listitem')
      .filter({ hasText: name })
      .getByRole('button', { name: 'Pilih' })
      .click()
    await button(page, 'Kurangi').click()
    await button(page, /^Uang pas/).click()
    expect((await lastSale(page)).items).toMatchObject([{ productName: 'Latte' }])
  }, 120_000)
})
