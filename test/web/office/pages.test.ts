import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { startDispatcher } from '../../../src/platform/webhooks/dispatcher.ts'
import { describeInChromium } from '../../support/browser.ts'
import {
  closeShifts,
  enableModule,
  fresh,
  makeCard,
  makeCustomer,
  makeOutlet,
  makeProduct,
  openShift,
  stock,
} from '../../support/build.ts'
import { memberOf } from '../../support/clients.ts'
import { done } from '../../support/expect.ts'
import { button, field, openOffice, rowOf, save, table } from '../../support/office-page.ts'
import { startReceiver } from '../../support/receiver.ts'
import { requireBuiltRegister, visit } from '../../support/register-page.ts'
import { acme, address, deps, useService } from '../../support/service.ts'

requireBuiltRegister()
useService({ env: { WEBHOOK_ALLOW_PRIVATE_URLS: '1' } })

let outletId = ''
let otherId = ''
let tea = { id: '', variants: [{ id: '' }] }

beforeAll(async () => {
  for (const module of ['fulfillment', 'marketing'] as const) await enableModule(acme(), module)
  outletId = await makeOutlet(acme(), {
    name: 'Cikini',
    taxRateBps: 1_000,
    taxInclusive: true,
    taxLabel: 'PB1',
  })
  otherId = await makeOutlet(acme(), { name: 'Menteng' })
  tea = await makeProduct(acme(), { name: 'Es Teh', variants: [{ price: 11_000, cost: 3_000 }] })
  await enableModule(acme(), 'payment')
  const variantId = tea.variants[0]?.id ?? ''
  await stock(acme(), outletId, variantId, 50)
  for (let count = 0; count < 2; count += 1)
    done(
      await acme().post('/sales', {
        outletId,
        items: [{ variantId, quantity: 1 }],
        payments: [{ method: 'CASH', amount: 11_000 }],
        status: 'COMPLETED',
      }),
    )
})

const levelAt = async (at: string) =>
  done(await acme().get(`/inventory/levels?outletId=${at}`)).levels.find(
    ({ variantId }: { variantId: string }) => variantId === tea.variants[0]?.id,
  )

const LISTS_WITH_FILTERS = [
  '/produk',
  '/stok',
  '/stok?tab=movements',
  '/stok?tab=batches',
  '/stok?tab=counts',
  '/pembelian',
  '/kartu-hadiah',
  '/pembayaran?tab=links',
  '/pembayaran?tab=payouts',
  '/pembayaran?tab=ledger',
  '/pembayaran?tab=subscriptions',
  '/pembayaran?tab=invoices',
  '/pengembang?tab=deliveries',
  '/pengaturan?tab=jobs',
  '/pengiriman',
  '/pengiriman?tab=orders',
  '/pengiriman?tab=credits',
  '/pengiriman?tab=levels',
  '/pengiriman?tab=partner',
  '/pemasaran',
]

/** Chooses every option of every filter, one after another. */
async function chooseAll(page: Page) {
  const filters = page.locator('main label select')
  await filters.first().waitFor()
  for (const filter of await filters.all())
    for (const option of await filter.locator('option').all()) {
      const value = (await option.getAttribute('value')) ?? ''
      await filter.selectOption(value)
      await expect.poll(() => filter.inputValue()).toBe(value)
    }
  await page.waitForLoadState('networkidle')
}

describeInChromium('the pages of the back office', (browser) => {
  it('compare the sales of a period with the one before, and their rows add up to the total', async () => {
    const { page } = await visit(browser())
    await openOffice(page, '/laporan?range=today', 'Laporan')
    const figures = page.getByRole('region', { name: 'Angka utama' })
    await figures.getByText('Rp 22.000').waitFor()
    await figures.getByText('Rp 20.000').waitFor()
    await figures.getByText('Baru').first().waitFor()
    await page.getByText('Diterima = bersih + pajak + biaya layanan + ongkos kirim').waitFor()
    await page.getByLabel('Periode').selectOption('7')
    const days = table(page, 'Per hari')
    await days.getByRole('row').nth(7).waitFor()
    expect(await days.getByRole('row').last().innerText()).toContain('22.000')
  })

  it('save the days that the report shows, in the columns of the service', async () => {
    const { page } = await visit(browser())
    const linesOf = async (range: string) => {
      await openOffice(page, `/laporan?range=${range}`, 'Laporan')
      await table(page, 'Per hari').getByRole('row').nth(2).waitFor()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'CSV: Per hari' }).click(),
      ])
      expect(download.suggestedFilename()).toBe('sales-by-day.csv')
      return (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n')
    }
    const query = `outletId=${outletId}&days=7&format=csv`
    const answer = await page.context().request.get(`${address()}/api/v1/reports/sales-by-day?${query}`)
    const [header, ...rows] = (await answer.text()).trimEnd().split('\r\n')
    const figuresOf = (lines: readonly string[]) => lines.map((line) => line.split(',').slice(0, -1))
    const [week, yesterday] = [await linesOf('7'), await linesOf('yesterday')]
    expect(week[0]).toBe(header)
    expect(figuresOf(week.slice(1))).toEqual(figuresOf(rows))
    expect(yesterday[0]).toBe(header)
    expect(figuresOf(yesterday.slice(1))).toEqual(figuresOf([rows.at(-2) ?? '']))
  })

  it('say that days more than a year back are not listed by day', async () => {
    const { page } = await visit(browser())
    const days = page.getByRole('region', { name: 'Per hari' })
    const note = days.getByText('Hanya 365 hari terakhir yang dirinci per hari')
    await openOffice(page, '/laporan?range=own&from=2024-01-01&to=2024-01-31', 'Laporan')
    await note.waitFor()
    expect(await days.getByText('Tidak ada penjualan').count()).toBe(0)
    await openOffice(page, '/laporan?range=own&from=2024-01-01', 'Laporan')
    await table(page, 'Per hari').waitFor()
    await note.waitFor()
    await openOffice(page, '/laporan?range=30', 'Laporan')
    await table(page, 'Per hari').waitFor()
    expect(await note.count()).toBe(0)
  })

  it('change the terms of an outlet and show its receipt under them before they are saved', async () => {
    const { page } = await visit(browser())
    await page.goto(`${address()}/pengaturan?id=${otherId}`)
    const preview = page.getByRole('region', { name: 'Pratinjau struk' })
    await page.getByLabel('Tarif pajak').fill('12,5')
    await preview.getByText('Pajak 12,5%').waitFor()
    await page.getByLabel('Biaya layanan', { exact: true }).fill('5')
    await preview.getByText('Biaya layanan 5%').waitFor()
    await page.getByLabel('Kaki struk').fill('Sampai jumpa')
    await preview.getByText('Sampai jumpa').waitFor()
    await save(page)
    expect(done(await acme().get(`/outlets/${otherId}`)).outlet).toMatchObject({
      taxRateBps: 1_250,
      serviceChargeBps: 500,
      receiptFooter: 'Sampai jumpa',
    })
  })

  it('show the sentence of the service at the field that it refused', async () => {
    const { page } = await visit(browser())
    await openOffice(page, '/pengaturan?tab=business', 'Usaha')
    await field(page, 'NPWP').fill('12')
    await button(page, 'Simpan').click()
    const npwp = field(page, 'NPWP')
    await expect.poll(() => npwp.getAttribute('aria-invalid')).toBe('true')
    const described = await npwp.getAttribute('aria-describedby')
    expect(await page.locator(`[id="${described}"]`).innerText()).not.toBe('')
    await npwp.fill('012345678901234')
    await button(page, 'Simpan').click()
    await expect.poll(async () => done(await acme().get('/settings')).settings.npwp).toBe('012345678901234')
  })

  it('adjust stock, set its reorder point and move it to another outlet', async () => {
    const { page } = await visit(browser())
    const [before, beforeThere] = [
      (await levelAt(outletId)).quantity,
      (await levelAt(otherId))?.quantity ?? 0,
    ]
    const reason = fresh('Pecah')
    await openOffice(page, '/stok', 'Level stok')
    await table(page, 'Level stok').getByRole('link', { name: 'Es Teh' }).click()
    await page.getByLabel('Perubahan').selectOption('take')
    await page.getByLabel('Sebanyak').fill('3')
    await field(page, 'Alasan').fill(reason)
    await page.getByLabel('Batas pesan ulang').fill('60')
    await save(page)
    expect(await levelAt(outletId)).toMatchObject({ quantity: before - 3, reorderPoint: 60, isLow: true })
    await button(page, 'Transfer').click()
    await page.getByLabel('Ke outlet').selectOption({ label: 'Menteng' })
    await page.getByRole('searchbox', { name: 'Tambah barang' }).fill('Es Teh')
    await page.getByRole('list', { name: 'Tambah barang' }).getByRole('button').first().click()
    await page.getByLabel('Jumlah', { exact: true }).fill('7')
    await button(page, 'Pindahkan').click()
    await table(page, 'Level stok').waitFor()
    expect((await levelAt(otherId)).quantity).toBe(beforeThere + 7)
    await page.getByRole('link', { name: 'Pergerakan' }).click()
    await rowOf(page, 'Transfer masuk').getByText('+7').first().waitFor()
    await page.getByLabel('Jenis').selectOption({ label: 'Penyesuaian' })
    await expect.poll(() => rowOf(page, 'Transfer masuk').count()).toBe(0)
    await rowOf(page, reason).waitFor()
  })

  it('show an API key once, with a command that runs', async () => {
    const { page } = await visit(browser())
    const keyName = fresh('Laporan malam')
    await openOffice(page, '/orang?tab=keys', 'Kunci API')
    await button(page, 'Kunci API baru').first().click()
    await field(page, 'Nama kunci').fill(keyName)
    await button(page, 'Buat kunci').click()
    const key = await page.getByText(/^kasir_sk_/).innerText()
    const command = await page.getByText(/^curl /).innerText()
    expect(command).toContain(key)
    const answer = await fetch(`${address()}/api/v1/products`, {
      headers: { authorization: `Bearer ${key}` },
    })
    expect(answer.status).toBe(200)
    await button(page, 'Sudah saya simpan').click()
    await rowOf(page, keyName).getByText('Hanya membaca').waitFor()
    expect(await page.getByText(key).count()).toBe(0)
    await rowOf(page, keyName).getByRole('button', { name: 'Cabut' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cabut' }).click()
    await rowOf(page, keyName).getByText('Dicabut').waitFor()
    const later = await fetch(`${address()}/api/v1/products`, { headers: { authorization: `Bearer ${key}` } })
    expect(later.status).toBe(401)
  })

  it('give a member another role and a PIN', async () => {
    const name = fresh('Dewi')
    const { id } = await memberOf(acme(), 'CASHIER', name)
    const { page } = await visit(browser())
    await openOffice(page, '/orang', 'Anggota')
    await table(page, 'Anggota').getByRole('link', { name }).click()
    await page.getByLabel('Peran', { exact: true }).selectOption({ label: 'Manajer' })
    await page.getByLabel('PIN', { exact: true }).fill('86420')
    await save(page)
    const { members } = done(await acme().get('/members'))
    expect(members.find((member: { id: string }) => member.id === id)).toMatchObject({
      role: 'MANAGER',
      hasPin: true,
    })
  })

  it('add a customer, correct their points and erase them', async () => {
    const { page } = await visit(browser())
    await openOffice(page, '/pelanggan', 'Pelanggan')
    await button(page, 'Pelanggan baru').first().click()
    await field(page, 'Nama pelanggan').fill('Sari Dewi')
    await field(page, 'Telepon').fill('0812 3456 7890')
    await save(page)
    await table(page, 'Pelanggan')
      .getByRole('link', { name: /Sari Dewi/ })
      .click()
    await button(page, 'Ubah poin').click()
    await page.getByRole('dialog').getByLabel('Poin').fill('25')
    await page.getByRole('dialog').getByRole('button', { name: 'Simpan' }).click()
    await page.getByRole('region', { name: 'Poin: 25' }).getByText('+25').waitFor()
    await button(page, 'Hapus').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Hapus' }).click()
    await expect.poll(async () => done(await acme().get('/customers?q=Sari%20Dewi')).customers.length).toBe(0)
  })

  it('issue a gift card to a customer and cancel it with what is written off', async () => {
    const name = fresh('Budi Santoso')
    await makeCustomer(acme(), { name })
    const { page } = await visit(browser())
    await openOffice(page, '/kartu-hadiah', 'Kartu hadiah')
    await button(page, 'Kartu baru').first().click()
    await button(page, 'Rp 200.000').click()
    await page.getByRole('searchbox', { name: /^Pelanggan/ }).fill(name)
    await page.getByRole('button', { name }).click()
    await button(page, 'Terbitkan').click()
    await page.getByRole('region', { name: 'Riwayat saldo' }).getByText('Diterbitkan').waitFor()
    await button(page, 'Batalkan kartu').click()
    await page.getByRole('dialog').getByText('Saldo Rp 200.000 dihapus').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Batalkan kartu' }).click()
    await table(page, 'Kartu hadiah').getByText('Dibatalkan').first().waitFor()
    const [card] = (await acme().get('/gift-cards')).data
    expect(card).toMatchObject({ status: 'VOIDED', balance: 0 })
  })

  it('order low stock from a supplier and receive it in two parts', async () => {
    const { page } = await visit(browser())
    done(
      await acme().put('/inventory/reorder', { outletId, variantId: tea.variants[0]?.id, reorderPoint: 500 }),
    )
    await openOffice(page, '/pembelian?tab=suppliers', 'Pemasok')
    await button(page, 'Pemasok baru').first().click()
    await field(page, 'Nama pemasok').fill('PT Daun Teh')
    await save(page)
    await openOffice(page, '/pembelian', 'Pesanan pembelian')
    await button(page, 'Pesanan baru').first().click()
    await page.getByLabel('Pemasok').selectOption({ label: 'PT Daun Teh' })
    await page.getByLabel('Outlet', { exact: true }).selectOption({ label: 'Cikini' })
    await button(page, 'Isi dari stok rendah').click()
    await page.getByLabel('Jumlah', { exact: true }).fill('10')
    await button(page, 'Simpan').click()
    await button(page, 'Pesan').click()
    const before = (await levelAt(outletId)).quantity
    await page.getByLabel('Datang').fill('4')
    await button(page, 'Terima barang').click()
    await page.getByText('4 dari 10 diterima').waitFor()
    await button(page, 'Terima barang').click()
    await page.getByText('10 dari 10 diterima').waitFor()
    expect((await levelAt(outletId)).quantity).toBe(before + 10)
  })

  it('change a draft that orders packs and loose units of the same goods, and keep both', async () => {
    const { id, variants } = await makeProduct(acme(), {
      name: 'Gula',
      variants: [{ price: 18_000, packs: [{ name: 'Dus isi 20', factor: 20, price: 340_000 }] }],
    })
    const [variant] = variants
    const packId = done(await acme().get(`/products/${id}`)).product.variants[0].packs[0].id
    const items = [
      { variantId: variant.id, packId, qty: 3, cost: 300_000 },
      { variantId: variant.id, qty: 7, cost: 16_000 },
    ]
    const { purchaseOrder } = done(await acme().post('/purchase-orders', { outletId, items }))
    const { page } = await visit(browser())
    await openOffice(page, `/pembelian?id=${purchaseOrder.id}`, /Draf/)
    const rows = page.getByRole('region', { name: 'Daftar barang' }).getByRole('listitem')
    await rows.filter({ hasText: 'Dus isi 20' }).getByLabel('Jumlah', { exact: true }).fill('4')
    await button(page, 'Simpan').click()
    const readItems = async () =>
      done(await acme().get(`/purchase-orders/${purchaseOrder.id}`)).purchaseOrder.items
    await expect.poll(readItems).toMatchObject([
      { pack: { id: packId }, qty: 4, cost: 300_000 },
      { pack: null, qty: 7, cost: 16_000 },
    ])
  })

  it('pause a webhook, and list what happened in the workspace', async () => {
    const url = `https://hooks.example/${encodeURIComponent(fresh('kasir'))}`
    done(await acme().post('/webhook-subscriptions', { url }))
    const { page } = await visit(browser())
    await openOffice(page, '/pengembang', 'Webhook')
    await table(page, 'Webhook').getByRole('link', { name: url }).click()
    await page.getByLabel('Kirim peristiwa').uncheck()
    await save(page)
    await rowOf(page, url).getByText('Dijeda').waitFor()
    await page.getByRole('link', { name: 'Peristiwa' }).click()
    await table(page, 'Peristiwa').getByText('audit.webhook_subscription.changed.v1').first().waitFor()
  })

  it('fill the home page with what needs attention', async () => {
    const { page } = await visit(browser())
    await openOffice(page, '/beranda', /^Halo/)
    await page.getByRole('region', { name: 'Hari ini' }).getByText('Diterima').waitFor()
    await page.getByRole('list', { name: 'Stok rendah' }).getByText('Es Teh').waitFor()
    await page.getByRole('list', { name: 'Shift terbuka' }).getByText('Tidak ada shift terbuka.').waitFor()
    await page.getByRole('link', { name: 'Buka Stok rendah' }).click()
    await table(page, 'Level stok').getByText('Es Teh').first().waitFor()
  })

  it('lead from the open shifts of the home page to those of all members', async () => {
    onTestFinished(() => closeShifts(acme()))
    await closeShifts(acme())
    await openShift(acme(), outletId, 75_000)
    await closeShifts(acme())
    await openShift(acme(), outletId, 125_000)
    const { page } = await visit(browser())
    await openOffice(page, '/beranda', /^Halo/)
    await page.getByRole('list', { name: 'Shift terbuka' }).getByText('Rp 125.000').waitFor()
    await page.getByRole('link', { name: 'Buka Shift terbuka' }).click()
    const shifts = table(page, 'Shift')
    await shifts.getByText('125.000').waitFor()
    expect(await shifts.getByText('75.000', { exact: true }).count()).toBe(0)
    await shifts.getByRole('link').first().click()
    await page.getByRole('heading', { level: 1, name: /Shift/ }).waitFor()
  })

  it('show every card of a customer', async () => {
    const customerId = await makeCustomer(acme(), { name: fresh('Ratna') })
    for (let count = 0; count < 12; count += 1) await makeCard(acme(), 10_000, { customerId })
    const { page } = await visit(browser())
    await page.goto(`${address()}/pelanggan?id=${customerId}`)
    const cards = page.getByRole('list', { name: 'Kartu dan saldo toko' }).getByRole('listitem')
    await expect.poll(() => cards.count()).toBe(12)
  })

  it('show that a queued delivery of a webhook has arrived', async () => {
    const receiver = await startReceiver()
    onTestFinished(() => receiver.stop())
    const { subscription } = done(await acme().post('/webhook-subscriptions', { url: receiver.url }))
    onTestFinished(async () => void (await acme().delete(`/webhook-subscriptions/${subscription.id}`)))
    await makeCustomer(acme(), { name: fresh('Ratna') })
    const query = `subscriptionId=${subscription.id}`
    const [delivery] = (await acme().get(`/webhook-subscriptions/deliveries?${query}`)).data
    const { page } = await visit(browser())
    await openOffice(page, `/pengembang?tab=deliveries&id=${delivery.id}`, delivery.type)
    await page.getByText('Antre', { exact: true }).waitFor()
    const dispatcher = startDispatcher({ ...deps(), random: () => 0.5 }, { lookEveryMs: 100 })
    onTestFinished(() => dispatcher.stop())
    await page.getByText('Terkirim', { exact: true }).waitFor()
    await button(page, 'Kirim ulang').click()
    await page.getByRole('list', { name: 'Percobaan' }).getByText('kiriman ulang').waitFor()
  })

  it('say from when figures are that came from a replica which is behind', async () => {
    const { page } = await visit(browser())
    let lagMs = 2_000
    await page.route('**/api/v1/reports/*', async (route) => {
      const response = await route.fetch()
      const { meta } = await response.json()
      const asOf = new Date(Date.parse(meta.timestamp) - lagMs).toISOString()
      await route.fulfill({ response, headers: { ...response.headers(), 'kasir-data-as-of': asOf } })
    })
    const line = page.getByText(/^Angka per \d\d\.\d\d$/)
    await openOffice(page, '/laporan', 'Laporan')
    await table(page, 'Per hari').waitFor()
    expect(await line.count()).toBe(0)
    lagMs = 20_000
    for (const [path, heading] of [
      ['/laporan', 'Laporan'],
      ['/beranda', /^Halo/],
    ] as const) {
      await openOffice(page, path, heading)
      await line.waitFor()
    }
  })

  it('show no figure of today before the service has answered', async () => {
    const { page } = await visit(browser())
    let answer = () => {}
    const isDue = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/api/v1/reports/summary*', async (route) => {
      await isDue
      await route.continue()
    })
    await openOffice(page, '/beranda', /^Halo/)
    const today = page.getByRole('region', { name: 'Hari ini' })
    await expect.poll(() => today.getByText('–', { exact: true }).count()).toBe(4)
    expect(await today.getByText(/^Rp/).count()).toBe(0)
    answer()
    await today.getByText(/^Rp/).first().waitFor()
  })

  it('answer every choice of every filter of a list', async () => {
    const { page } = await visit(browser())
    const refused: string[] = []
    page.on('response', (response) => {
      if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`)
    })
    for (const path of LISTS_WITH_FILTERS) {
      await page.goto(address() + path)
      await chooseAll(page)
    }
    expect(refused).toEqual([])
  }, 180_000)
})
