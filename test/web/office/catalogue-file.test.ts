import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { exportCatalogueFile, importCatalogueFile } from '../../../src/areas/catalogue/products/index.ts'
import type { Api } from '../../support/api.ts'
import { describeInChromium } from '../../support/browser.ts'
import { makeOutlet, makeProduct } from '../../support/build.ts'
import { memberOf, scopeOf } from '../../support/clients.ts'
import { done } from '../../support/expect.ts'
import { button, openOffice, table } from '../../support/office-page.ts'
import { DESKTOP, requireBuiltRegister, UNAVAILABLE, visit } from '../../support/register-page.ts'
import { deps, useService, workspace } from '../../support/service.ts'

requireBuiltRegister()
useService()

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'kasir-csv-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The file that `kasir export-catalogue` writes. */
async function exported(api: Api): Promise<string> {
  const file = path.join(folder, 'exported.csv')
  await exportCatalogueFile({ deps: deps(), scope: scopeOf(api), file })
  return readFile(file, 'utf8')
}

/** Imports a file as `kasir import-catalogue` does. */
async function imported(api: Api, text: string) {
  const file = path.join(folder, 'imported.csv')
  await writeFile(file, text)
  return importCatalogueFile({ deps: deps(), scope: scopeOf(api), file })
}

/** A new workspace, so that a test may run again, and a page of its owner. */
async function visitShop(browser: Browser) {
  const api = await workspace()
  await makeOutlet(api, { name: 'Cikini' })
  const { cookie } = await memberOf(api, 'OWNER', 'Rina')
  return { api, page: (await visit(browser, DESKTOP, cookie)).page }
}

const openImport = (page: Page) => openOffice(page, '/produk?tab=import', 'Impor CSV')
const choose = (page: Page, text: string) =>
  page
    .getByLabel('Pilih berkas CSV')
    .setInputFiles({ name: 'goods.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
const waitForStatus = (page: Page, text: string) =>
  page.getByRole('status').filter({ hasText: text }).waitFor()
const refusals = (page: Page) => table(page, 'Baris yang ditolak')

const storedNames = async (api: Api): Promise<string[]> =>
  done(await api.get('/products')).products.map(({ name }: { name: string }) => name)

const RATE_LIMITED = {
  ...UNAVAILABLE,
  error: { code: 'RATE_LIMITED', message: 'Too many requests; wait a minute' },
}

describeInChromium('the catalogue file in the browser', (browser) => {
  it('an import that loses its connection stores each product once when it is started again', async () => {
    const { api, page } = await visitShop(browser())
    await openImport(page)
    await choose(page, 'product,category,price\nTahu isi,Isi,1000\nTempe isi,Isi,2000\nOncom isi,Isi,3000\n')
    await waitForStatus(page, '3 baru')
    // The second product is stored, but its answer is lost.
    await page.route('**/api/v1/products', async (route) => {
      if (!route.request().postData()?.includes('Tempe isi')) return route.fallback()
      await route.fetch()
      await route.abort('connectionreset')
    })
    await button(page, /^Impor \d produk$/).click()
    await page.getByRole('alert').waitFor()
    await page.unroute('**/api/v1/products')
    await button(page, /^Impor \d produk$/).click()
    await waitForStatus(page, '3 produk disimpan')
    expect((await storedNames(api)).toSorted()).toEqual(['Oncom isi', 'Tahu isi', 'Tempe isi'])
  })

  it.each([
    { status: 503, json: UNAVAILABLE },
    { status: 429, json: RATE_LIMITED },
  ])('an import stops at $status, says how far it came, refuses no row, and continues', async (answer) => {
    const { api, page } = await visitShop(browser())
    await openImport(page)
    await choose(page, 'product,price\nSerabi,2000\nKlepon,2000\nLupis,2000\n')
    await waitForStatus(page, '3 baru')
    await page.route('**/api/v1/products', (route) =>
      route.request().postData()?.includes('Klepon') ? route.fulfill(answer) : route.fallback(),
    )
    await button(page, 'Impor 3 produk').click()
    await waitForStatus(page, 'Berhenti setelah 1 dari 3 produk')
    await page.getByRole('alert').waitFor()
    expect(await refusals(page).count()).toBe(0)
    await page.unroute('**/api/v1/products')
    await button(page, 'Impor 2 produk').click()
    await waitForStatus(page, '3 produk disimpan')
    expect((await storedNames(api)).toSorted()).toEqual(['Klepon', 'Lupis', 'Serabi'])
  })

  it('a variant that another person adds after the file was chosen stays', async () => {
    const { api, page } = await visitShop(browser())
    const { id } = await makeProduct(api, {
      name: 'Rujak',
      variants: [
        { name: 'Kecil', price: 9_000 },
        { name: 'Besar', price: 14_000 },
      ],
    })
    await openImport(page)
    await choose(page, 'product,variant,price\nRujak,Kecil,10000\n')
    await waitForStatus(page, '1 berubah')
    done(await api.post(`/products/${id}/variants`, { name: 'Jumbo', price: 20_000 }))
    done(await api.patch(`/products/${id}`, { description: 'Pedas' }))
    await button(page, 'Impor 1 produk').click()
    await waitForStatus(page, '1 produk disimpan')
    const { description, variants } = done(await api.get(`/products/${id}`)).product
    expect(description).toBe('Pedas')
    expect(
      variants.map(({ name, price }: { name: string; price: number }) => `${name} ${price}`).toSorted(),
    ).toEqual(['Besar 14000', 'Jumbo 20000', 'Kecil 10000'])
  })

  it('is the file of the command line: goods by weight, packs and barcodes survive both ways', async () => {
    const { api, page } = await visitShop(browser())
    await makeProduct(api, {
      name: '=Beras',
      variants: [
        {
          price: 14_000,
          soldBy: 'WEIGHT',
          barcodes: ['899001', '899|002', '899003'],
          packs: [
            { name: 'karung; besar', factor: 25_000, barcode: '899004', price: 340_000 },
            { name: 'ons', factor: 100 },
          ],
        },
        { name: 'Ketan', price: 20_000, sku: '-KT', isActive: false },
      ],
    })
    await openImport(page)
    const file = await exported(api)
    await choose(page, file)
    await waitForStatus(page, '0 baru, 0 berubah')
    expect(await refusals(page).count()).toBe(0)

    await openOffice(page, '/produk', 'Produk')
    const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Simpan CSV').click()])
    const saved = readFileSync(await download.path(), 'utf8')
    const elsewhere = await workspace()
    expect(await imported(elsewhere, saved)).toMatchObject({ refused: 0 })
    const withoutIds = (text: string) => text.replaceAll(/prd_\w{26}/g, 'prd')
    expect(withoutIds(await exported(elsewhere))).toBe(withoutIds(file))

    // What the file changes in a pack and a barcode reaches the service, and the other pack stays the same one.
    const [{ id, variants }] = done(await api.get('/products?q=Beras')).products
    const packId = variants[0].packs[1].id
    await openImport(page)
    await choose(page, saved.replace('340000', '350000').replace('899003', '899005'))
    await waitForStatus(page, '1 berubah')
    await button(page, 'Impor 1 produk').click()
    await waitForStatus(page, '1 produk disimpan')
    const [rice] = done(await api.get(`/products/${id}`)).product.variants
    expect(rice).toMatchObject({
      soldBy: 'WEIGHT',
      barcodes: ['899001', '899|002', '899005'],
      packs: [{ price: 350_000 }, { id: packId, name: 'ons', factor: 100, price: null }],
    })
  })

  it('names the row and column of a pack and of a unit that it cannot read', async () => {
    const { page } = await visitShop(browser())
    await openImport(page)
    await choose(page, 'product,price,packs,sold_by\nGula,14000,strip,\nKopi,30000,,KILO\n')
    await waitForStatus(page, '0 baru, 0 berubah, 0 sama, 2 ditolak')
    await refusals(page).getByRole('row', { name: '2 packs Gula “strip” bukan kemasan' }).waitFor()
    await refusals(page).getByRole('row', { name: '3 sold_by Kopi “KILO” bukan UNIT atau WEIGHT' }).waitFor()
  })
})
