import { beforeAll, expect, it } from 'vitest'
import { describeInChromium } from '../support/browser.ts'
import { fresh, makeOutlet, makeProduct, makePurchaseOrder, openBill, stock } from '../support/build.ts'
import { done } from '../support/expect.ts'
import { button, openOffice, table } from '../support/office-page.ts'
import {
  list,
  openRegister,
  photograph,
  requireBuiltRegister,
  tile,
  visit,
} from '../support/register-page.ts'
import { acme, address, useService } from '../support/service.ts'

requireBuiltRegister()
useService()

beforeAll(async () => {
  await makeOutlet(acme(), { name: 'Cikini' })
  done(
    await acme().post('/products', {
      name: 'Jeruk Medan',
      trackStock: false,
      variants: [{ price: 24_000, soldBy: 'WEIGHT' }],
    }),
  )
  done(await acme().post('/products', { name: 'Kantong', trackStock: false, variants: [{ price: 500 }] }))
})

const variantOf = async (name: string) =>
  done(await acme().get(`/products?q=${encodeURIComponent(name)}`)).products[0].variants[0].id

describeInChromium('goods sold by weight', (browser) => {
  it('are sold by the grams that the cashier types, at the price for a kilogram, never as one gram', async () => {
    const { page } = await visit(browser(), { width: 390, height: 844 })
    await openRegister(page)
    await tile(page, 'Jeruk Medan').getByText('24.000/kg').waitFor()
    await tile(page, 'Jeruk Medan').click()
    const add = page.getByRole('dialog').getByRole('button', { name: /^Tambah/ })
    await expect.poll(() => add.isDisabled()).toBe(true)
    await page.getByLabel('Berat dalam gram').fill('750')
    await add.getByText('Rp 18.000').waitFor()
    await add.click()
    await page.getByRole('button', { name: /^Keranjang/ }).click()
    await list(page, 'Keranjang').getByText('0,750 kg').first().waitFor()
    await page
      .getByRole('button', { name: /^Bayar/ })
      .last()
      .click()
    await button(page, 'Selesai').click()
    await expect.poll(async () => (await acme().get('/sales?status=COMPLETED')).data.length).toBe(1)
    const [{ id }] = (await acme().get('/sales?status=COMPLETED')).data
    expect(done(await acme().get(`/sales/${id}`)).sale).toMatchObject({
      subtotal: 18_000,
      items: [{ quantity: 750, soldBy: 'WEIGHT', unitPrice: 24_000 }],
    })
  }, 60_000)

  it('show grams and kilograms on the boards, in the stock value and in reports, whose totals never add grams and units', async () => {
    const shop = acme()
    const [{ id: outletId }] = done(await shop.get('/outlets')).outlets
    const make = async (name: string, fields: object) =>
      done(await shop.post('/products', { name, variants: [{ cost: 10_000, price: 20_000, ...fields }] }))
        .product.variants[0].id
    const fish = await make('Ikan Gurame', { soldBy: 'WEIGHT' })
    const rice = await make('Nasi Putih', {})
    await stock(shop, outletId, fish, 3_000)
    await stock(shop, outletId, rice, 12)
    const items = [
      { variantId: fish, quantity: 750 },
      { variantId: fish, quantity: 1_250, note: 'bakar' },
      { variantId: rice, quantity: 2 },
    ]
    const { sale } = done(
      await shop.post('/sales', { outletId, orderType: 'TAKEAWAY', items, status: 'COMPLETED' }),
    )
    const { page } = await visit(browser())
    await page.goto(`${address()}/dapur`)
    for (const text of ['750 g Ikan Gurame', '1,25 kg Ikan Gurame', '2 Nasi Putih'])
      await page.getByRole('button', { name: new RegExp(text) }).waitFor()
    for (const _ of ['PREPARING', 'READY']) done(await shop.post(`/kds/${sale.id}/advance`))
    await page.goto(`${address()}/saji`)
    await page.getByRole('button', { name: /1,25 kg Ikan Gurame/ }).waitFor()
    await openOffice(page, '/laporan?tab=value', 'Laporan')
    const value = table(page, 'Nilai stok')
    await value
      .getByRole('row', { name: /Ikan Gurame/ })
      .getByText('1 kg', { exact: true })
      .waitFor()
    await value
      .getByRole('row', { name: /^Total/ })
      .getByText('10 + 1 kg', { exact: true })
      .waitFor()
    await openOffice(page, '/stok', 'Level stok')
    await table(page, 'Level stok')
      .getByRole('row', { name: /^Ikan Gurame/ })
      .getByText('1 kg', { exact: true })
      .waitFor()
    await openOffice(page, '/stok?tab=movements', 'Pergerakan')
    await table(page, 'Pergerakan').getByText('-2 kg', { exact: true }).waitFor()
    await openOffice(page, '/laporan?tab=goods', 'Laporan')
    const figures = [
      ['Produk', /^Ikan Gurame/, '2 kg'],
      ['Produk', /^Jeruk Medan/, '750 g'],
      ['Produk', /^Nasi Putih/, '2'],
      ['Produk', /^Total/, '2 + 2,75 kg'],
      ['Kategori', /^Total/, '2 + 2,75 kg'],
    ] as const
    for (const [name, row, text] of figures)
      await table(page, name).getByRole('row', { name: row }).getByText(text, { exact: true }).waitFor()
  }, 60_000)

  it('move whole to the new bill of a split, and the dialog shows their kilograms', async () => {
    const items = [
      { variantId: await variantOf('Jeruk Medan'), quantity: 1_250 },
      { variantId: await variantOf('Kantong'), quantity: 3 },
    ]
    const [{ id: outletId }] = done(await acme().get('/outlets')).outlets
    const { sale } = done(await acme().post('/sales', { outletId, items, status: 'PARKED', note: 'Bu Ani' }))
    const { page } = await visit(browser())
    await openRegister(page)
    await button(page, /^Bon/).click()
    await list(page, 'Bon terbuka')
      .getByRole('button', { name: /^Bu Ani/ })
      .click()
    await button(page, 'Pisah').click()
    const dialog = page.getByRole('dialog', { name: /^Pisah bon/ })
    const line = (name: string) => dialog.getByRole('listitem').filter({ hasText: name })
    await line('Jeruk Medan').getByText('1,250 kg').waitFor()
    const more = line('Jeruk Medan').getByRole('button', { name: 'Lebihkan' })
    await more.click()
    // One step takes all of a weight.
    expect(await more.isDisabled()).toBe(true)
    await line('Kantong').getByRole('button', { name: 'Lebihkan' }).click()
    await dialog.getByRole('button', { name: 'Pisah ke bon baru' }).click()
    await dialog.waitFor({ state: 'detached' })
    await list(page, 'Keranjang').getByText('1,250 kg').first().waitFor()
    await button(page, /^Uang pas/).click()
    await page.getByRole('status').filter({ hasText: 'Kembali' }).waitFor()
    const [paid] = (await acme().get('/sales?status=COMPLETED&limit=1')).data
    expect(done(await acme().get(`/sales/${paid.id}`)).sale.items).toMatchObject([
      { productName: 'Jeruk Medan', quantity: 1_250, soldBy: 'WEIGHT' },
      { productName: 'Kantong', quantity: 1 },
    ])
    expect(
      done(await acme().get(`/sales/${sale.id}`)).sale.items.filter(
        ({ isActive }: { isActive: boolean }) => isActive,
      ),
    ).toMatchObject([{ productName: 'Kantong', quantity: 2 }])
  }, 60_000)

  it('are kilograms, with the names of packs and variants, where two devices changed one bill', async () => {
    const [{ id: outletId }] = done(await acme().get('/outlets')).outlets
    const packs = [{ name: 'Strip', factor: 10, price: 9_000 }]
    const product = await makeProduct(acme(), {
      name: fresh('Vitamin'),
      trackStock: false,
      variants: [
        { name: 'Anak', price: 1_000, packs },
        { name: 'Dewasa', price: 1_500 },
      ],
    })
    const [child] = product.variants
    const note = fresh('Bu Rini')
    const items = [
      { variantId: await variantOf('Jeruk Medan'), quantity: 750 },
      { variantId: child.id, packId: child.packs[0].id, quantity: 2 },
    ]
    const bill = await openBill(acme(), { outletId, note, items })
    const { page } = await visit(browser())
    await openRegister(page)
    await button(page, /^Bon/).click()
    await list(page, 'Bon terbuka')
      .getByRole('button', { name: new RegExp(`^${note}`) })
      .click()
    await tile(page, 'Kantong').click()
    const ids = bill.items.map(({ id }) => ({ id }))
    const edit = { items: [{ ...ids[0], quantity: 1_250 }, ids[1]] }
    done(await acme().patch(`/sales/${bill.id}/items`, edit))
    await button(page, /^Uang pas/).click()
    const dialog = page.getByRole('dialog', { name: /diubah di perangkat lain/ })
    const rowsOf = (title: string) =>
      dialog.locator('section').filter({ hasText: title }).getByRole('listitem').allInnerTexts()
    const strips = `2 ${product.name} · Strip · Anak`
    await expect.poll(() => rowsOf('Di sini')).toEqual(['0,750 kg Jeruk Medan', strips, '1 Kantong'])
    expect(await rowsOf('Di sana')).toEqual(['1,250 kg Jeruk Medan', strips])
  }, 60_000)

  it('are received by grams, which the field says', async () => {
    const [{ id: outletId }] = done(await acme().get('/outlets')).outlets
    const make = async (name: string, fields: object) =>
      (await makeProduct(acme(), { name: fresh(name), variants: [{ price: 20_000, ...fields }] })).variants[0]
    const meat = await make('Daging', { soldBy: 'WEIGHT', packs: [{ name: 'Dus', factor: 5_000 }] })
    const egg = await make('Telur', {})
    const items = [
      { variantId: meat.id, qty: 5_000 },
      { variantId: meat.id, packId: meat.packs[0].id, qty: 2 },
      { variantId: egg.id, qty: 30 },
    ]
    const order = await makePurchaseOrder(acme(), { outletId, items })
    done(await acme().post(`/purchase-orders/${order.id}/order`))
    const { page } = await visit(browser())
    await openOffice(page, `/pembelian?id=${order.id}`, order.number)
    await page.getByLabel('Datang', { exact: true }).first().waitFor()
    expect(await page.getByLabel('Datang', { exact: true }).count()).toBe(2)
    await page.getByLabel('Datang (gram)', { exact: true }).waitFor()
  })

  it('do not make a page empty whose address names a tab that does not exist', async () => {
    const { page } = await visit(browser())
    await openOffice(page, '/produk?tab=no-such-tab', 'Produk')
  })

  it('are refunded by the grams that the cashier types, shown as kilograms', async () => {
    const [{ id: outletId }] = done(await acme().get('/outlets')).outlets
    const variantId = await variantOf('Jeruk Medan')
    const payments = [{ method: 'CASH', amount: 18_000 }]
    const { sale } = done(
      await acme().post('/sales', { outletId, items: [{ variantId, quantity: 750 }], payments }),
    )
    const { page } = await visit(browser(), { width: 390, height: 844 })
    await page.goto(`${address()}/penjualan?sale=${sale.id}`)
    await button(page, 'Refund').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('0,750 kg dapat direfund').waitFor()
    await dialog.getByRole('textbox', { name: 'Gram Jeruk Medan' }).fill('500')
    await photograph(page, 'refund-weight')
    await dialog.getByRole('button', { name: 'Kembalikan Rp 12.000' }).click()
    await dialog.getByText('Tunai dari laci').waitFor()
    const { items, refundedTotal } = done(await acme().get(`/sales/${sale.id}`)).sale
    expect([items[0].refundedQty, refundedTotal]).toEqual([500, 12_000])
  }, 60_000)
})
