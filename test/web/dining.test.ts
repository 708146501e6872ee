import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInChromium } from '../support/browser.ts'
import { fresh, makeFloor, makeOutlet, makeProduct, makeTable, openBill } from '../support/build.ts'
import { memberOf } from '../support/clients.ts'
import { done } from '../support/expect.ts'
import { list, photograph, requireBuiltRegister, visit } from '../support/register-page.ts'
import { acme, address, useService } from '../support/service.ts'

requireBuiltRegister()
useService()

const PHONE = { width: 360, height: 740, hasTouch: true }
const BOARD = { width: 1_280, height: 800 }
let [outletId, soup] = ['', '']

beforeAll(async () => {
  outletId = await makeOutlet(acme(), { name: 'Cikini' })
  done(await acme().put('/settings', { businessType: 'FNB' }))
  for (const [name, price] of [
    ['Soto Ayam', 25_000],
    ['Es Teh', 7_500],
  ] as const) {
    const product = await makeProduct(acme(), { name, trackStock: false, variants: [{ price }] })
    if (name === 'Soto Ayam') soup = product.variants[0].id
  }
  await makeTable(acme(), outletId, 'M1')
})

/** The names in bold of a section of docs/dining.md, in their order. */
function namesIn(section: string): string[] {
  const page = readFileSync(new URL('../../docs/dining.md', import.meta.url), 'utf8')
  const text = page.split(`## ${section}\n`)[1]?.split('\n## ')[0] ?? ''
  const steps = text.slice(text.indexOf('\n1. '))
  return [...steps.matchAll(/\*\*([^*]+)\*\*/g)].map(([, name = '']) => name)
}

const tableOf = (page: Page, label: string) =>
  list(page, 'Meja').getByRole('button', { name: new RegExp(`^${label} `) })
const options = (page: Page, label: string) =>
  page.getByRole('button', { name: `Pilihan ${label}`, exact: true })
const openFloor = async (page: Page) => {
  await page.goto(`${address()}/meja`)
  await list(page, 'Meja').waitFor()
}
let floors = 0
/** A table of its own for each try of a test. */
const ownTable = (word: string) => makeTable(acme(), outletId, fresh(word))
const bill = (tableId: string) =>
  openBill(acme(), { outletId, tableId, items: [{ variantId: soup, quantity: 1 }] })

describeInChromium('the dining room', (browser) => {
  it('takes an order from a phone to the kitchen, to the table and into the drawer as docs/dining.md says', async () => {
    const waiter = await memberOf(acme(), 'CASHIER', 'Sari')
    const { page, complaints } = await visit(browser(), PHONE, waiter.cookie)
    const names: string[] = []
    const named = (name: string) => {
      names.push(name)
      return name
    }
    const press = (on: Page, name: string) =>
      on
        .getByRole('button', { name: named(name) })
        .last()
        .click()
    const openPage = (name: string) => page.getByRole('link', { name: named(name), exact: true }).click()
    await page.goto(`${address()}/shift`)
    await page.getByRole('textbox', { name: 'Modal awal' }).fill('100000')
    await page.getByRole('button', { name: 'Buka shift' }).click()
    const kitchen = await visit(browser(), BOARD)
    await kitchen.page.goto(`${address()}/dapur`)
    await kitchen.page.getByText('Tidak ada pesanan').waitFor()
    const pass = await visit(browser(), BOARD)
    await pass.page.goto(`${address()}/saji`)
    await pass.page.getByText('Belum ada yang siap').waitFor()

    await openPage('Meja')
    await photograph(page, 'dining-floor-360')
    await tableOf(page, named('M1')).click()
    for (const name of ['Soto Ayam', 'Es Teh'])
      await list(page, 'Barang')
        .getByRole('button', { name: named(name) })
        .click()
    await press(page, 'Keranjang')
    await photograph(page, 'dining-order-360')
    await press(page, 'Kirim ke dapur')
    await tableOf(page, 'M1')
      .filter({ hasText: named('Terisi') })
      .waitFor()
    await photograph(page, 'dining-occupied-360')

    const ticket = kitchen.page.getByRole('article', { name: /^M1 / })
    await ticket.waitFor()
    for (const name of ['Mulai', 'Siap'])
      await ticket.getByRole('button', { name: named(name), exact: true }).click()
    await pass.page.getByRole('heading', { name: named('Saji') }).waitFor()
    const table = pass.page.getByRole('article', { name: 'M1', exact: true })
    await table.getByText('Es Teh').waitFor()
    await page.getByText('2 siap').waitFor()
    await press(pass.page, 'Saji semua')
    await table.waitFor({ state: 'detached' })
    await expect.poll(() => ticket.count()).toBe(0)

    await tableOf(page, named('M1')).click()
    await page.getByRole('complementary', { name: 'Keranjang' }).getByText('Rp 32.500').first().waitFor()
    await press(page, 'Bayar')
    await press(page, 'Selesai')
    await page.getByRole('status').filter({ hasText: 'Kembali' }).waitFor()
    await page.getByRole('button', { name: 'Jual lagi' }).click()
    await page.getByRole('link', { name: 'Meja', exact: true }).click()
    await tableOf(page, 'M1')
      .filter({ hasText: named('Kosong') })
      .waitFor()
    await openPage('Shift')
    await page.getByText('Rp 132.500').first().waitFor()
    expect(names).toEqual(namesIn('An order from the table to the drawer'))
    expect([...complaints, ...kitchen.complaints, ...pass.complaints]).toEqual([])
  }, 120_000)

  it('keeps a sale that was begun while the bill of a table was still being read', async () => {
    const table = await ownTable('L')
    await bill(table.id)
    const { page } = await visit(browser(), BOARD)
    await openFloor(page)
    let answer = () => {}
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve
    })
    const sale = /\/api\/v1\/sales\/[^/?]+$/
    await page.route(sale, async (route) => {
      const response = await route.fetch()
      await isAnswered
      await route.fulfill({ response })
    })
    await tableOf(page, table.label).click()
    await page.getByRole('link', { name: 'Jual', exact: true }).click()
    await list(page, 'Barang').getByRole('button', { name: 'Es Teh' }).click()
    const read = page.waitForResponse(sale)
    answer()
    await read
    await list(page, 'Barang').getByRole('button', { name: 'Es Teh' }).click()
    await list(page, 'Keranjang').getByText('Es Teh').waitFor()
    expect(await list(page, 'Keranjang').getByText('Soto Ayam').count()).toBe(0)
  })

  it('moves a bill to another table by tap, and back within six seconds', async () => {
    const [from, to] = [await ownTable('P'), await ownTable('P')]
    const { id } = await bill(from.id)
    const tableIdOf = async () => done(await acme().get(`/sales/${id}`)).sale.tableId
    const { page } = await visit(browser(), PHONE)
    await openFloor(page)
    await options(page, from.label).click()
    await page.getByRole('button', { name: /^Pindahkan / }).click()
    await page.getByRole('dialog').getByRole('button', { name: to.label }).click()
    await tableOf(page, to.label).filter({ hasText: 'Terisi' }).waitFor()
    expect(await tableIdOf()).toBe(to.id)
    await page.getByRole('button', { name: 'Urungkan' }).click()
    await tableOf(page, from.label).filter({ hasText: 'Terisi' }).waitFor()
    await tableOf(page, to.label).filter({ hasText: 'Kosong' }).waitFor()
    expect(await tableIdOf()).toBe(from.id)
  })

  it('merges the bills of two tables by tap: one bill has both orders, the other table is free', async () => {
    const [one, two] = [await ownTable('G'), await ownTable('G')]
    await bill(one.id)
    const into = await bill(two.id)
    const { page } = await visit(browser(), BOARD)
    await openFloor(page)
    await options(page, one.label).click()
    await page.getByRole('button', { name: /^Gabungkan / }).click()
    await page.getByRole('dialog').getByRole('button', { name: two.label }).click()
    await tableOf(page, one.label).filter({ hasText: 'Kosong' }).waitFor()
    await tableOf(page, two.label).filter({ hasText: 'Rp 50.000' }).waitFor()
    expect(done(await acme().get(`/sales/${into.id}`)).sale.total).toBe(50_000)
  })

  it('a bill of another device shows on the floor by itself; a table with two bills asks which', async () => {
    const table = await ownTable('D')
    const { page } = await visit(browser(), BOARD)
    await openFloor(page)
    await tableOf(page, table.label).filter({ hasText: 'Kosong' }).waitFor()
    await bill(table.id)
    await bill(table.id)
    await tableOf(page, table.label).filter({ hasText: '2 bon' }).click()
    const dialog = page.getByRole('dialog', { name: `Meja ${table.label}` })
    await dialog
      .getByRole('button', { name: /^Buka / })
      .first()
      .click()
    await page.getByText(`Meja ${table.label}`).waitFor()
    await list(page, 'Keranjang').getByText('Soto Ayam').waitFor()
  })
})

describeInChromium('the floor is arranged', (browser) => {
  const arrange = async (page: Page, floor: string) => {
    await openFloor(page)
    await page.getByRole('button', { name: floor, exact: true }).click()
    await page.getByRole('button', { name: 'Susun' }).click()
    await page.getByRole('region', { name: `Susun ${floor}` }).waitFor()
  }
  const choose = (page: Page, label: string) =>
    list(page, 'Meja')
      .getByRole('button', { name: new RegExp(`${label}:`) })
      .click()
  const places = async (floorId: string) =>
    Object.fromEntries(
      (await acme().get(`/tables?outletId=${outletId}&floorId=${floorId}`)).data.tables.map(
        (table: { label: string; posX: number; posY: number; shape: string }) => [
          table.label.split(' ').at(-1),
          [table.posX, table.posY, table.shape],
        ],
      ),
    )

  it('by list and arrows, by key and by drag, and one request saves the whole map', async () => {
    floors += 1
    const floor = `Teras${floors}`
    const floorId = await makeFloor(acme(), outletId, { name: floor })
    await makeTable(acme(), outletId, `${floor} T1`, { floorId, posX: 100, posY: 100 })
    await makeTable(acme(), outletId, `${floor} T2`, { floorId, posX: 300, posY: 100 })
    await makeTable(acme(), outletId, `${floor} T3`, { floorId, posX: 500, posY: 100 })
    const { page } = await visit(browser(), BOARD)
    const writes: string[] = []
    page.on('request', (request) => {
      if (request.method() !== 'GET') writes.push(`${request.method()} ${new URL(request.url()).pathname}`)
    })
    await arrange(page, floor)
    await choose(page, 'T1')
    for (let each = 0; each < 3; each += 1) await page.getByRole('button', { name: 'Ke bawah' }).click()
    await page.getByRole('radio', { name: 'Bulat' }).check()
    const map = page.getByRole('group', { name: 'Denah' })
    await map.getByRole('button', { name: 'T2' }).press('ArrowRight')
    const box = await map.getByRole('button', { name: 'T3' }).boundingBox()
    if (box === null) throw new Error('the map shows T3')
    await page.mouse.move(box.x + 20, box.y + 20)
    await page.mouse.down()
    await page.mouse.move(box.x + 60, box.y + 40)
    await page.mouse.move(box.x + 81, box.y + 62)
    await page.mouse.up()
    await page.getByRole('status').filter({ hasText: 'Belum disimpan' }).waitFor()
    await photograph(page, 'dining-arrange-1280')
    await page.getByRole('button', { name: 'Simpan denah' }).click()
    await page.getByText('Denah tersimpan.').waitFor()
    expect(await places(floorId)).toEqual({
      T1: [100, 160, 'ROUND'],
      T2: [320, 100, 'SQUARE'],
      T3: [560, 140, 'SQUARE'],
    })
    expect(writes).toEqual(['PUT /api/v1/tables/layout'])
  })

  it('a map that another device saved meanwhile is not overwritten until the person says so', async () => {
    floors += 1
    const floor = `Teras${floors}`
    const floorId = await makeFloor(acme(), outletId, { name: floor })
    const table = await makeTable(acme(), outletId, `${floor} A1`, { floorId, posX: 100, posY: 100 })
    const { page } = await visit(browser(), BOARD)
    await arrange(page, floor)
    await choose(page, 'A1')
    await page.getByRole('button', { name: 'Ke kanan' }).click()
    const theirs = { outletId, floorId, tables: [{ id: table.id, posX: 400, posY: 400 }] }
    done(await acme().put('/tables/layout', theirs))
    await page.getByRole('button', { name: 'Simpan denah' }).click()
    await page.getByRole('alert').getByText('diubah di perangkat lain').waitFor()
    expect(await places(floorId)).toMatchObject({ A1: [400, 400, 'SQUARE'] })
    await page.getByRole('button', { name: 'Simpan yang di sini' }).click()
    await expect.poll(() => places(floorId)).toMatchObject({ A1: [120, 100, 'SQUARE'] })
  })

  it('tables and floors are renamed and deleted, and a floor with tables stays', async () => {
    floors += 1
    const floor = `Teras${floors}`
    const floorId = await makeFloor(acme(), outletId, { name: floor })
    await makeTable(acme(), outletId, `${floor} B1`, { floorId, posX: 100, posY: 100 })
    await makeTable(acme(), outletId, `${floor} B2`, { floorId, posX: 300, posY: 100 })
    const { page } = await visit(browser(), BOARD)
    const dialog = page.getByRole('dialog')
    await arrange(page, floor)
    await choose(page, 'B1')
    await page.getByRole('button', { name: `Ubah meja ${floor} B1` }).click()
    // A label that another table has is refused.
    await dialog.getByRole('textbox').fill(`${floor} B2`)
    await dialog.getByRole('button', { name: 'Simpan nama' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByRole('textbox').fill(`${floor} Jendela`)
    await dialog.getByRole('button', { name: 'Simpan nama' }).click()
    await choose(page, 'Jendela')
    await page.getByRole('button', { name: `Ubah lantai ${floor}` }).click()
    await dialog.getByRole('button', { name: 'Hapus lantai' }).click()
    await dialog.getByRole('button', { name: 'Hapus lantai' }).click()
    await dialog.getByRole('alert').getByText('Ganti saja namanya').waitFor()
    await dialog.getByRole('button', { name: 'Tutup' }).click()
    for (const label of ['Jendela', 'B2']) {
      await choose(page, label)
      await page.getByRole('button', { name: `Ubah meja ${floor} ${label}` }).click()
      await dialog.getByRole('button', { name: 'Hapus meja' }).click()
      await dialog.getByRole('button', { name: 'Hapus meja' }).click()
      await dialog.waitFor({ state: 'detached' })
      await expect.poll(() => page.getByRole('button', { name: /^Ubah meja/ }).count()).toBe(0)
    }
    await expect.poll(() => places(floorId)).toEqual({})
    await page.getByRole('button', { name: `Ubah lantai ${floor}` }).click()
    await dialog.getByRole('button', { name: 'Hapus lantai' }).click()
    await dialog.getByRole('button', { name: 'Hapus lantai' }).click()
    await page.getByRole('button', { name: floor, exact: true }).waitFor({ state: 'detached' })
  })

  it('a table that is added, here or on another device, leaves the map that is not saved as it is arranged', async () => {
    floors += 1
    const floor = `Teras${floors}`
    const floorId = await makeFloor(acme(), outletId, { name: floor })
    await makeTable(acme(), outletId, `${floor} C1`, { floorId, posX: 100, posY: 100 })
    const { page } = await visit(browser(), BOARD)
    await arrange(page, floor)
    await choose(page, 'C1')
    await page.getByRole('button', { name: 'Ke kanan' }).click()
    await page.getByRole('textbox', { name: 'Nama meja' }).fill(`${floor} C2`)
    await page.getByRole('button', { name: 'Tambah meja' }).click()
    await list(page, 'Meja').getByRole('button', { name: /C2:/ }).waitFor()
    await makeTable(acme(), outletId, `${floor} C3`, { floorId, posX: 500, posY: 100 })
    await list(page, 'Meja').getByRole('button', { name: /C3:/ }).waitFor()
    await page.getByRole('button', { name: 'Simpan denah' }).click()
    await page.getByText('Denah tersimpan.').waitFor()
    expect(await places(floorId)).toMatchObject({ C1: [120, 100, 'SQUARE'], C3: [500, 100, 'SQUARE'] })
  })

  it('a table that is added while the map is saved stays on the map', async () => {
    floors += 1
    const floor = `Teras${floors}`
    const floorId = await makeFloor(acme(), outletId, { name: floor })
    await makeTable(acme(), outletId, `${floor} D1`, { floorId, posX: 100, posY: 100 })
    const { page } = await visit(browser(), BOARD)
    await arrange(page, floor)
    await choose(page, 'D1')
    await page.getByRole('button', { name: 'Ke kanan' }).click()
    let release = () => {}
    const isHeld = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/tables/layout', async (route) => {
      await isHeld
      await route.continue()
    })
    const begun = page.waitForRequest('**/tables/layout')
    await page.getByRole('button', { name: 'Simpan denah' }).click()
    await begun
    await page.getByRole('textbox', { name: 'Nama meja' }).fill(`${floor} D2`)
    await page.getByRole('button', { name: 'Tambah meja' }).click()
    const added = list(page, 'Meja').getByRole('button', { name: /D2:/ })
    await added.waitFor()
    // A change that was not sent is not saved.
    await page.getByRole('button', { name: 'Ke bawah' }).click()
    release()
    await expect.poll(() => places(floorId)).toMatchObject({ D1: [120, 100, 'SQUARE'] })
    await expect.poll(() => page.getByRole('button', { name: 'Simpan denah' }).isEnabled()).toBe(true)
    await added.waitFor()
    await page.getByRole('button', { name: 'Simpan denah' }).click()
    await page.getByText('Denah tersimpan.').waitFor()
    expect(Object.keys(await places(floorId)).toSorted()).toEqual(['D1', 'D2'])
    expect(await places(floorId)).toMatchObject({ D1: [120, 120, 'SQUARE'] })
  })

  it('a map that is not saved is left only after a question', async () => {
    floors += 1
    const floor = `Teras${floors}`
    const floorId = await makeFloor(acme(), outletId, { name: floor })
    const other = `Taman${floors}`
    await makeFloor(acme(), outletId, { name: other })
    await makeTable(acme(), outletId, `${floor} D1`, { floorId, posX: 100, posY: 100 })
    const { page } = await visit(browser(), BOARD)
    await arrange(page, floor)
    await choose(page, 'D1')
    await page.getByRole('button', { name: 'Ke kanan' }).click()
    const dialog = page.getByRole('dialog', { name: 'Buang perubahan?' })
    const ways = [
      page.getByRole('button', { name: 'Selesai' }),
      page.getByRole('button', { name: other, exact: true }),
      page.getByRole('link', { name: 'Jual', exact: true }),
    ]
    for (const way of ways) {
      await way.click()
      await dialog.getByRole('button', { name: 'Lanjut mengisi' }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('status').filter({ hasText: 'Belum disimpan' }).waitFor()
    }
    await page.getByRole('button', { name: 'Selesai' }).click()
    await dialog.getByRole('button', { name: 'Buang', exact: true }).click()
    await page.getByRole('button', { name: 'Susun' }).waitFor()
    expect(await places(floorId)).toEqual({ D1: [100, 100, 'SQUARE'] })
  })

  it('a map that is not saved is there again when its outlet is chosen again', async () => {
    floors += 1
    const floor = `Teras${floors}`
    const floorId = await makeFloor(acme(), outletId, { name: floor })
    await makeTable(acme(), outletId, `${floor} E1`, { floorId, posX: 100, posY: 100 })
    const other = fresh('Menteng')
    await makeTable(acme(), await makeOutlet(acme(), { name: other }), 'Jendela')
    const { page } = await visit(browser(), BOARD)
    await arrange(page, floor)
    await choose(page, 'E1')
    await page.getByRole('button', { name: 'Ke kanan' }).click()
    const unsaved = page.getByRole('status').filter({ hasText: 'Belum disimpan' })
    await unsaved.waitFor()
    await page.getByRole('button', { name: 'Outlet Cikini' }).click()
    await page.getByRole('menuitem', { name: other }).click()
    await list(page, 'Meja')
      .getByRole('button', { name: /Jendela:/ })
      .waitFor()
    expect(await unsaved.count()).toBe(0)
    await page.getByRole('button', { name: `Outlet ${other}` }).click()
    await page.getByRole('menuitem', { name: 'Cikini' }).click()
    await unsaved.waitFor()
    await page.getByRole('button', { name: 'Simpan denah' }).click()
    await page.getByText('Denah tersimpan.').waitFor()
    expect(await places(floorId)).toEqual({ E1: [120, 100, 'SQUARE'] })
  })

  it('a floor is added once when Enter is pressed twice', async () => {
    floors += 1
    const name = `Zona${floors}`
    const { page } = await visit(browser(), BOARD)
    await openFloor(page)
    await page.getByRole('button', { name: 'Susun' }).click()
    let answer = () => {}
    const isPressed = new Promise<void>((resolve) => {
      answer = resolve
    })
    let requests = 0
    await page.route('**/api/v1/floors', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      requests += 1
      await isPressed
      return route.continue()
    })
    const field = page.getByRole('textbox', { name: 'Nama lantai' })
    await field.fill(name)
    for (let each = 0; each < 2; each += 1) await field.press('Enter')
    answer()
    await page.getByRole('button', { name, exact: true }).first().waitFor()
    await expect.poll(() => field.inputValue()).toBe('')
    expect(requests).toBe(1)
  })

  it('on a phone in English the heading of the map stands on one line', async () => {
    floors += 1
    const floor = `Teras${floors}`
    const floorId = await makeFloor(acme(), outletId, { name: floor })
    await makeTable(acme(), outletId, `${floor} F1`, { floorId })
    const { page } = await visit(browser(), { ...PHONE, language: 'en' })
    await page.goto(`${address()}/meja`)
    await page.getByRole('button', { name: floor, exact: true }).click()
    await page.getByRole('button', { name: 'Arrange' }).click()
    const heading = page.getByRole('heading', { name: `Arrange ${floor}` })
    await photograph(page, 'arrange-360-en')
    expect((await heading.boundingBox())?.height).toBeLessThan(40)
  })

  it('a cashier sees no button to arrange tables', async () => {
    const waiter = await memberOf(acme(), 'CASHIER', 'Sari')
    const { page } = await visit(browser(), PHONE, waiter.cookie)
    await openFloor(page)
    expect(await page.getByRole('button', { name: 'Susun' }).count()).toBe(0)
  })
})
