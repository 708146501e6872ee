import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { startDispatcher } from '../../../src/platform/webhooks/dispatcher.ts'
import { describeInChromium } from '../../support/browser.ts'
import { startReceiver } from '../../support/receiver.ts'
import { list, requireBuiltRegister, visit } from '../../support/register-page.ts'
import { address, deps, useService } from '../../support/service.ts'

requireBuiltRegister()
useService({ env: { WEBHOOK_ALLOW_PRIVATE_URLS: '1' } })

/** The names in bold of the journey in docs/owner.md, in their order. */
function namesInJourney(): string[] {
  const text = readFileSync(new URL('../../../docs/owner.md', import.meta.url), 'utf8')
  const section = text.split(/^## /m).find((part) => part.startsWith('From nothing')) ?? ''
  return [...section.matchAll(/\*\*([^*]+)\*\*/g)].map(([, name = '']) => name.replaceAll(/\s+/g, ' '))
}

describeInChromium('the journey of docs/owner.md', (browser) => {
  it('leads from an empty installation to figures and a received webhook, by the names that are written', async () => {
    const { page, complaints, strangers } = await visit(browser(), undefined, null)
    const names: string[] = []
    const named = (name: string) => {
      names.push(name)
      return name
    }
    const press = (name: string) =>
      page
        .getByRole('button', { name: named(name) })
        .first()
        .click()
    const link = (name: string) =>
      page
        .getByRole('link', { name: named(name), exact: true })
        .first()
        .click()
    const fill = (name: string, text: string) =>
      page.getByLabel(named(name), { exact: true }).first().fill(text)
    await page.goto(address())
    await link('Buat usaha baru')
    await fill('Nama usaha', 'Kopi Senja')
    await fill('E-mail', 'rina@example.com')
    await fill('Kata sandi', 'gudeg jogja manis')
    await page.getByRole('radio', { name: named('PB1 10%') }).check()
    await page.getByRole('radio', { name: named('Mulai kosong') }).check()
    await press('Mulai')
    await link('Kelola')
    await page.getByRole('list', { name: named('Siapkan usaha Anda') }).waitFor()

    await link('Pengaturan')
    await page.getByRole('table', { name: 'Outlet' }).getByRole('link').first().click()
    await fill('Alamat', 'Jl. Cikini Raya 5')
    await fill('Biaya layanan', '5')
    await page.getByLabel(named('Pembulatan tunai')).selectOption('100')
    const preview = page.getByRole('region', { name: named('Pratinjau struk') })
    await preview.getByText('Jl. Cikini Raya 5').waitFor()
    await preview.getByText('Biaya layanan 5%').waitFor()
    await press('Simpan')
    await page.getByRole('table', { name: 'Outlet' }).waitFor()

    await link('Produk')
    await link('Impor CSV')
    const file =
      'product,category,price,cost,track_stock\nKopi Susu,Minuman,15000,6000,yes\nTeh,Minuman,8000,2000,no\n'
    await page
      .getByLabel(named('Pilih berkas CSV'))
      .setInputFiles({ name: 'menu.csv', mimeType: 'text/csv', buffer: Buffer.from(file) })
    await press('Impor 2 produk')
    await page.getByRole('status').filter({ hasText: '2 produk disimpan' }).waitFor()
    await page
      .getByRole('navigation', { name: 'Produk' })
      .getByRole('link', { name: named('Produk'), exact: true })
      .click()
    await press('Produk baru')
    await fill('Nama produk', 'Roti Bakar')
    await fill('Harga', '20000')
    await press('Simpan')
    await page.getByRole('row', { name: /Roti Bakar/ }).waitFor()

    await link('Stok')
    await press('Sesuaikan stok')
    await page.getByRole('searchbox', { name: named('Barang') }).fill('Kopi Susu')
    await page
      .getByRole('list', { name: 'Barang' })
      .getByRole('button', { name: /Kopi Susu/ })
      .click()
    await fill('Sebanyak', '40')
    await fill('Batas pesan ulang', '10')
    await press('Simpan')
    await page
      .getByRole('row', { name: /Kopi Susu/ })
      .getByText('40')
      .waitFor()

    await link('Orang & perangkat')
    await press('Anggota baru')
    await fill('Nama', 'Budi')
    await fill('E-mail', 'budi@example.com')
    await fill('PIN', '2468')
    await fill('Kata sandi', 'soto lamongan hangat')
    await press('Simpan')
    await page.getByRole('row', { name: /Budi/ }).getByText('Kasir').waitFor()

    await link('Jual')
    await sellCoffee(page, named('Uang pas'))
    await link('Kelola')
    await link('Laporan')
    const figures = page.getByRole('region', { name: 'Angka utama' })
    // 15.000 at a counter: PB1 inside the price, no service charge.
    await figures.getByText(named('Diterima')).waitFor()
    await figures.getByText('Rp 15.000').first().waitFor()
    await page
      .getByRole('region', { name: named('Dari kotor ke diterima') })
      .getByText('Rp 13.636')
      .waitFor()
    await page
      .getByRole('table', { name: named('Cara bayar') })
      .getByRole('row', { name: /Tunai 1/ })
      .waitFor()
    await page
      .getByRole('table', { name: named('Pajak per tarif') })
      .getByRole('row', { name: '10% 1.364' })
      .waitFor()
    await page
      .getByRole('navigation', { name: 'Laporan' })
      .getByRole('link', { name: named('Produk') })
      .click()
    // 13.636 without the tax, less the 6.000 that it cost.
    await page
      .getByRole('table', { name: 'Produk' })
      .getByRole('row', { name: /Kopi Susu 1 13.636 6.000 7.636/ })
      .waitFor()

    const receiver = await startReceiver()
    const dispatcher = startDispatcher({ ...deps(), random: () => 0.5 }, { lookEveryMs: 100 })
    onTestFinished(async () => {
      await dispatcher.stop()
      receiver.stop()
    })
    await link('Pengembang')
    await press('Webhook baru')
    await fill('Alamat', receiver.url)
    await press('Simpan')
    await press('Sudah saya simpan')
    await link('Jual')
    await sellCoffee(page, named('Uang pas'))
    await page.getByRole('link', { name: 'Kelola' }).click()
    await page.getByRole('link', { name: 'Pengembang' }).click()
    names.push('Kiriman', 'Pengembang')
    await page.getByRole('link', { name: 'Kiriman', exact: true }).click()
    const sent = page.getByRole('row', { name: /sale\.completed.*Terkirim/ }).first()
    await expect
      .poll(
        async () => {
          await page.reload()
          return sent.waitFor({ timeout: 3_000 }).then(
            () => true,
            () => false,
          )
        },
        { timeout: 30_000 },
      )
      .toBe(true)
    expect(receiver.received.length).toBeGreaterThan(0)
    expect(names).toEqual(namesInJourney())
    expect(strangers).toEqual([])
    expect(complaints).toEqual([])
  }, 240_000)
})

async function sellCoffee(page: Page, button: string) {
  await list(page, 'Barang').getByRole('button', { name: 'Kopi Susu' }).click()
  await page.getByRole('button', { name: button }).first().click()
  await page.getByRole('status').filter({ hasText: 'Kembali' }).waitFor()
}
