import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInChromium } from '../../support/browser.ts'
import { fresh, makeModifierGroup, makeOutlet, makeProduct, stock } from '../../support/build.ts'
import { memberOf } from '../../support/clients.ts'
import { done } from '../../support/expect.ts'
import { button, field, openOffice, openTransfer, pick, save } from '../../support/office-page.ts'
import { levelOf } from '../../support/read.ts'
import { LOST, loseAnswers, requireBuiltRegister, UNAVAILABLE, visit } from '../../support/register-page.ts'
import { acme, useService } from '../../support/service.ts'

requireBuiltRegister()
useService()

let outletId = ''
let otherId = ''

beforeAll(async () => {
  outletId = await makeOutlet(acme(), { name: 'Cikini' })
  otherId = await makeOutlet(acme(), { name: 'Menteng' })
})

const alert = (page: Page, text: string | RegExp) => page.getByRole('alert').filter({ hasText: text })
const conflict = (page: Page) => page.getByRole('dialog', { name: 'Diubah orang lain' })
const refused = (page: Page) => page.getByRole('alert').first().waitFor()

/** Makes goods and stocks ten of them at the first outlet. */
async function makeStocked(word: string): Promise<{ name: string; variantId: string }> {
  const name = fresh(word)
  const product = await makeProduct(acme(), { name, variants: [{ price: 10_000 }] })
  const variantId = product.variants[0].id
  await stock(acme(), outletId, variantId, 10)
  return { name, variantId }
}

const membersNamed = async (name: string) =>
  done(await acme().get('/members')).members.filter((each: { name: string }) => each.name === name)

describeInChromium('a page that is left after a save got no answer', (browser) => {
  it('says that the values may be saved already', async () => {
    const { page } = await visit(browser())
    await openOffice(page, '/kartu-hadiah?id=new', 'Kartu baru')
    await button(page, 'Rp 50.000').click()
    const dialog = page.getByRole('dialog', { name: 'Buang perubahan?' })
    await page.getByRole('link', { name: 'Beranda' }).click()
    await dialog.getByText('Isian di halaman ini belum disimpan.').waitFor()
    await button(page, 'Lanjut mengisi').click()
    const restore = await loseAnswers(page, '/gift-cards')
    await button(page, 'Terbitkan').click()
    await alert(page, LOST).waitFor()
    await page.getByRole('link', { name: 'Beranda' }).click()
    await dialog.getByText('mungkin sudah tersimpan').waitFor()
    expect(await dialog.getByText('belum disimpan').count()).toBe(0)
    await restore()
    await button(page, 'Buang').click()
    await openOffice(page, '/kartu-hadiah?id=new', 'Kartu baru')
    await button(page, 'Rp 50.000').click()
    await page.getByRole('link', { name: 'Beranda' }).click()
    await dialog.getByText('Isian di halaman ini belum disimpan.').waitFor()
  })
})

describeInChromium('a save that continues after a completed step', (browser) => {
  let pins = 135_790
  const freshPin = () => String((pins += 13))

  /** Adds a manager with the PIN of another member: the member is added, the PIN is refused. */
  async function addMemberWithTakenPin(page: Page, name: string) {
    const pin = freshPin()
    const { id } = await memberOf(acme(), 'CASHIER', fresh('Sari'))
    done(await acme().patch(`/members/${id}`, { pin }))
    await openOffice(page, '/orang?tab=members&id=new', 'Anggota baru')
    await field(page, 'Nama').fill(name)
    await field(page, 'E-mail').fill(`${name.replaceAll(/\W/g, '').toLowerCase()}@example.com`)
    await page.getByLabel('Peran', { exact: true }).selectOption({ label: 'Manajer' })
    await page.getByLabel('PIN', { exact: true }).fill(pin)
    await button(page, 'Simpan').click()
    await refused(page)
    expect(await membersNamed(name)).toMatchObject([{ role: 'MANAGER', hasPin: false }])
  }

  it('saves the role that was corrected together with the refused PIN of a new member', async () => {
    const { page } = await visit(browser())
    const name = fresh('Rina')
    await addMemberWithTakenPin(page, name)
    await page.getByLabel('Peran', { exact: true }).selectOption({ label: 'Kasir' })
    await page.getByLabel('PIN', { exact: true }).fill(freshPin())
    await save(page)
    expect(await membersNamed(name)).toMatchObject([{ role: 'CASHIER', hasPin: true }])
  })

  it('does not turn a member who was added into another person', async () => {
    const { page } = await visit(browser())
    const name = fresh('Wati')
    await addMemberWithTakenPin(page, name)
    await page.reload()
    await page
      .getByRole('status')
      .filter({ hasText: `${name} sudah ditambahkan` })
      .waitFor()
    expect(await field(page, 'Nama').isDisabled()).toBe(true)
    expect(await field(page, 'E-mail').isDisabled()).toBe(true)
    await button(page, 'Buang isian').click()
    expect(await field(page, 'Nama').isDisabled()).toBe(false)
    expect(await field(page, 'Nama').inputValue()).toBe('')
  })

  it('adds nothing to goods that were moved, and moves the others between the same outlets', async () => {
    const [rice, oil] = [await makeStocked('Beras Merah'), await makeStocked('Minyak Zaitun')]
    const { page } = await visit(browser())
    const quantityIn = await openTransfer(page, [rice, oil])
    await quantityIn(rice.name).fill('5')
    await quantityIn(oil.name).fill('9999999999')
    await button(page, 'Pindahkan').click()
    await refused(page)
    await pick(page, 'Tambah barang', rice.name)
    await alert(page, `${rice.name} sudah selesai`).waitFor()
    expect(await quantityIn(rice.name).inputValue()).toBe('5')
    expect(await page.getByLabel('Dari outlet').isDisabled()).toBe(true)
    expect(await page.getByLabel('Ke outlet').isDisabled()).toBe(true)
    await quantityIn(oil.name).fill('4')
    await button(page, 'Pindahkan').click()
    await button(page, 'Pindahkan').waitFor({ state: 'detached' })
    expect(await levelOf(acme(), otherId, rice.variantId)).toBe(5)
    expect(await levelOf(acme(), otherId, oil.variantId)).toBe(4)
  })

  it('sets the reorder point of the goods whose stock was adjusted', async () => {
    const { name, variantId } = await makeStocked('Tepung Beras')
    const { page } = await visit(browser())
    await openOffice(page, '/stok?id=new', 'Sesuaikan stok')
    await pick(page, 'Barang', name)
    await button(page, 'Ganti').waitFor()
    await page.getByLabel('Sebanyak').fill('50')
    await page.getByLabel('Batas pesan ulang').fill('99999999999')
    await button(page, 'Simpan').click()
    await refused(page)
    await page.getByText(name).waitFor()
    expect(await button(page, 'Ganti').count()).toBe(0)
    await page.getByLabel('Batas pesan ulang').fill('5')
    await save(page)
    expect(await levelOf(acme(), outletId, variantId)).toBe(60)
  })
})

describeInChromium('a save without an answer that is repeated', (browser) => {
  it('finds its own variants and packs instead of the change of another person, and saves each once', async () => {
    const { id } = await makeProduct(acme(), { name: 'Kopi Gayo', variants: [{ price: 20_000 }] })
    const stored = async () => done(await acme().get(`/products/${id}`)).product.variants
    const { page } = await visit(browser())
    await openOffice(page, `/produk?id=${id}`, 'Kopi Gayo')
    const rows = page.getByRole('region', { name: 'Varian' }).getByRole('list').first().locator('> li')
    await rows.nth(0).getByRole('button', { name: 'Tambah kemasan' }).click()
    await page.getByLabel('Nama kemasan').fill('Dus')
    await page.getByLabel('Isi', { exact: true }).fill('12')
    await button(page, 'Tambah varian').click()
    await rows.nth(1).getByLabel('Nama varian').fill('Besar')
    await rows.nth(1).getByLabel('Harga', { exact: true }).fill('30000')
    const restore = await loseAnswers(page, `/products/${id}`)
    await button(page, 'Simpan').click()
    await alert(page, LOST).waitFor()
    await restore()
    const saved = await stored()
    expect(saved).toMatchObject([
      { packs: [{ name: 'Dus', factor: 12 }] },
      { name: 'Besar', price: 30_000, packs: [] },
    ])
    await save(page)
    expect(await stored()).toEqual(saved)
  })

  it('continues with the modifiers that are left', async () => {
    const id = await makeModifierGroup(acme(), { name: 'Topping' })
    const stored = async () => done(await acme().get(`/modifiers/${id}`)).group.modifiers
    const { page } = await visit(browser())
    await openOffice(page, `/produk?tab=modifiers&id=${id}`, 'Topping')
    for (const [at, name] of ['Keju', 'Meses'].entries()) {
      await button(page, 'Tambah modifier').click()
      await page.getByRole('textbox', { name: 'Nama modifier' }).nth(at).fill(name)
    }
    const restore = await loseAnswers(page, `/modifiers/${id}/items`)
    await button(page, 'Simpan').click()
    await alert(page, LOST).waitFor()
    await restore()
    const [first] = await stored()
    expect(first).toMatchObject({ name: 'Keju' })
    await save(page)
    expect(await stored()).toMatchObject([{ id: first.id, name: 'Keju' }, { name: 'Meses' }])
  })
})

describeInChromium('a conflict after a completed step', (browser) => {
  it('does not repeat the step once the values of the other person are chosen', async () => {
    const { name, variantId } = await makeStocked('Gula Aren')
    const place = { outletId, variantId }
    done(await acme().put('/inventory/reorder', { ...place, reorderPoint: 3 }))
    const { levels } = done(await acme().get('/inventory/levels'))
    const { id } = levels.find((level: { variantId: string }) => level.variantId === variantId)
    const { page } = await visit(browser())
    await openOffice(page, `/stok?id=${id}`, name)
    await page.getByLabel('Sebanyak').fill('10')
    await page.getByLabel('Batas pesan ulang').fill('4')
    const refusal = { ...UNAVAILABLE, error: { code: 'CONFLICT', message: 'Refused for the test' } }
    await page.route('**/api/v1/inventory/reorder', (route) => route.fulfill({ status: 409, json: refusal }))
    await button(page, 'Simpan').click()
    await refused(page)
    await page.unroute('**/api/v1/inventory/reorder')
    expect(await levelOf(acme(), outletId, variantId)).toBe(20)
    done(await acme().put('/inventory/reorder', { ...place, reorderPoint: 7 }))
    await button(page, 'Simpan').click()
    await conflict(page).getByRole('button', { name: 'Pakai yang di sana' }).click()
    await conflict(page).waitFor({ state: 'detached' })
    expect(await page.getByLabel('Sebanyak').count()).toBe(0)
    expect(await page.getByLabel('Batas pesan ulang').inputValue()).toBe('7')
    await save(page)
    expect(await levelOf(acme(), outletId, variantId)).toBe(20)
  })
})
