import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInChromium } from '../../support/browser.ts'
import { makeModifier, makeModifierGroup, makeOutlet, makeProduct } from '../../support/build.ts'
import { memberOf } from '../../support/clients.ts'
import { done } from '../../support/expect.ts'
import { button, field, openOffice, save } from '../../support/office-page.ts'
import { requireBuiltRegister, visit } from '../../support/register-page.ts'
import { acme, useService } from '../../support/service.ts'

requireBuiltRegister()
useService()

beforeAll(async () => {
  await makeOutlet(acme(), { name: 'Cikini' })
})

const restored = (page: Page, text: string | RegExp = /dipulihkan/) =>
  page.getByRole('status').filter({ hasText: text }).waitFor()
const conflict = (page: Page) => page.getByRole('dialog', { name: 'Diubah orang lain' })

describeInChromium('a form that is restored after the page was left', (browser) => {
  it('saves the typed field of a product, and keeps the price and the variant that another person saved meanwhile', async () => {
    const { id, variants } = await makeProduct(acme(), {
      name: 'Mi Ayam',
      variants: [
        { name: 'Biasa', price: 10_000 },
        { name: 'Besar', price: 14_000 },
      ],
    })
    const { page } = await visit(browser())
    await openOffice(page, `/produk?id=${id}`, 'Mi Ayam')
    await page.getByLabel('Keterangan').fill('Dengan pangsit')
    const [small, large] = variants
    const now = [{ id: small.id, price: 12_000 }, { id: large.id }, { name: 'XL', price: 18_000 }]
    done(await acme().patch(`/products/${id}`, { variants: now }))
    await page.reload()
    await restored(page)
    await save(page)
    const { product } = done(await acme().get(`/products/${id}`))
    expect(product).toMatchObject({
      description: 'Dengan pangsit',
      variants: [
        { name: 'Biasa', price: 12_000 },
        { name: 'Besar', price: 14_000 },
        { name: 'XL', price: 18_000 },
      ],
    })
  })

  it('shows what another person changed in a field that was typed before the page was left', async () => {
    const { id } = await makeProduct(acme(), { name: 'Bakwan', variants: [{ price: 3_000 }] })
    const { page } = await visit(browser())
    await openOffice(page, `/produk?id=${id}`, 'Bakwan')
    await field(page, 'Nama produk').fill('Bakwan Jagung')
    done(await acme().patch(`/products/${id}`, { name: 'Bakwan Sayur' }))
    await page.reload()
    await restored(page)
    expect(await field(page, 'Nama produk').inputValue()).toBe('Bakwan Jagung')
    await button(page, 'Simpan').click()
    await conflict(page)
      .getByRole('row', { name: /Nama produk/ })
      .getByText('Bakwan Sayur')
      .waitFor()
    await conflict(page).getByRole('button', { name: 'Pakai yang di sana' }).click()
    expect(await field(page, 'Nama produk').inputValue()).toBe('Bakwan Sayur')
  })

  it('shows the present record once the typed values are discarded', async () => {
    const { id } = await makeProduct(acme(), { name: 'Cireng', variants: [{ price: 3_000 }] })
    const { page } = await visit(browser())
    await openOffice(page, `/produk?id=${id}`, 'Cireng')
    await field(page, 'Nama produk').fill('Cireng Isi')
    done(await acme().patch(`/products/${id}`, { name: 'Cireng Rujak' }))
    await page.reload()
    await restored(page)
    await button(page, 'Buang isian').click()
    expect(await field(page, 'Nama produk').inputValue()).toBe('Cireng Rujak')
  })

  it('keeps a modifier that another person added to the group meanwhile', async () => {
    const id = await makeModifierGroup(acme(), { name: 'Level pedas' })
    await makeModifier(acme(), id, { name: 'Sedang' })
    const { page } = await visit(browser())
    await openOffice(page, `/produk?tab=modifiers&id=${id}`, 'Level pedas')
    await field(page, 'Grup modifier').fill('Tingkat pedas')
    await makeModifier(acme(), id, { name: 'Gila' })
    await page.reload()
    await restored(page)
    await save(page)
    const { group } = done(await acme().get(`/modifiers/${id}`))
    expect(group).toMatchObject({ name: 'Tingkat pedas', modifiers: [{ name: 'Sedang' }, { name: 'Gila' }] })
  })

  it('leaves the role of a member as another person set it meanwhile', async () => {
    const { id } = await memberOf(acme(), 'MANAGER', 'Dewi')
    const { page } = await visit(browser())
    await openOffice(page, `/orang?tab=members&id=${id}`, 'Dewi')
    await field(page, 'Nama').fill('Dewi Lestari')
    done(await acme().patch(`/members/${id}`, { role: 'CASHIER' }))
    await page.reload()
    await restored(page)
    await save(page)
    const { members } = done(await acme().get('/members'))
    const member = members.find((each: { id: string }) => each.id === id)
    expect(member).toMatchObject({ name: 'Dewi Lestari', role: 'CASHIER' })
  })
})
