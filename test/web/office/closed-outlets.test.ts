import { beforeAll, expect, it } from 'vitest'
import { describeInChromium } from '../../support/browser.ts'
import {
  closeShifts,
  fresh,
  makeOutlet,
  makeProduct,
  makeSale,
  openShift,
  stock,
} from '../../support/build.ts'
import { done } from '../../support/expect.ts'
import { button, openOffice, pick, rowOf, save } from '../../support/office-page.ts'
import { requireBuiltRegister, visit } from '../../support/register-page.ts'
import { acme, useService } from '../../support/service.ts'

requireBuiltRegister()
useService()

const TEA = 'Teh Botol'
let cikini = ''
let tea = ''

beforeAll(async () => {
  cikini = await makeOutlet(acme(), { name: 'Cikini' })
  tea = (await makeProduct(acme(), { name: TEA, variants: [{ price: 5_000 }] })).variants[0].id
})

const close = async (outletId: string) =>
  done(await acme().patch(`/outlets/${outletId}`, { isActive: false }))

describeInChromium('a deactivated outlet in the back office', (browser) => {
  it('is a choice of the reports, and a link to its figures shows them', async () => {
    const name = fresh('Tebet')
    const outletId = await makeOutlet(acme(), { name })
    await makeSale(acme(), { outletId, items: [{ variantId: tea, quantity: 3 }] })
    await close(outletId)
    const { page } = await visit(browser())
    await openOffice(page, `/laporan?tab=goods&range=today&outlet=${outletId}`, 'Laporan')
    await rowOf(page, TEA).getByText('15.000').first().waitFor()
    const outlet = page.getByRole('combobox', { name: /^Outlet/ })
    expect(await outlet.inputValue()).toBe(outletId)
    await outlet.selectOption({ label: 'Cikini' })
    await rowOf(page, TEA).waitFor({ state: 'detached' })
    await outlet.selectOption({ label: `${name} · Nonaktif` })
    await rowOf(page, TEA).getByText('15.000').first().waitFor()
  })

  it('is named in the list of shifts, and the list can be filtered by it', async () => {
    await closeShifts(acme())
    const name = fresh('Tebet')
    const outletId = await makeOutlet(acme(), { name })
    await openShift(acme(), outletId)
    await closeShifts(acme())
    await openShift(acme(), cikini)
    await closeShifts(acme())
    await close(outletId)
    const { page } = await visit(browser())
    await openOffice(page, '/laporan?tab=shifts', 'Shift')
    await rowOf(page, 'Cikini').first().waitFor()
    await rowOf(page, name).waitFor()
    await page.getByRole('combobox', { name: /^Outlet/ }).selectOption({ label: `${name} · Nonaktif` })
    await rowOf(page, 'Cikini').first().waitFor({ state: 'detached' })
    await rowOf(page, name).waitFor()
  })

  it('sends its stock to another outlet and receives none', async () => {
    const name = fresh('Tebet')
    const outletId = await makeOutlet(acme(), { name })
    await stock(acme(), outletId, tea, 7)
    await close(outletId)
    const { page } = await visit(browser())
    await openOffice(page, '/stok?id=transfer', 'Transfer')
    await page.getByLabel('Dari outlet').selectOption({ label: `${name} · Nonaktif` })
    const to = page.getByLabel('Ke outlet')
    await to.selectOption({ label: 'Cikini' })
    expect(await to.getByRole('option', { name }).count()).toBe(0)
    await pick(page, 'Tambah barang', TEA)
    await page.getByLabel('Jumlah', { exact: true }).fill('7')
    await button(page, 'Pindahkan').click()
    await button(page, 'Pindahkan').waitFor({ state: 'detached' })
    const { levels } = done(await acme().get(`/inventory/levels?outletId=${outletId}`))
    expect(levels).toMatchObject([{ variantId: tea, quantity: 0 }])
  })

  it('can be removed from the conditions of a promotion', async () => {
    const name = fresh('Tebet')
    const outletId = await makeOutlet(acme(), { name })
    const fields = { kind: 'PERCENT', percentBps: 1_000, outletIds: [outletId] }
    const { promotion } = done(await acme().post('/promotions', { name: fresh('Sore'), ...fields }))
    await close(outletId)
    const { page } = await visit(browser())
    await openOffice(page, `/promo?id=${promotion.id}`, promotion.name)
    const tick = page.getByRole('checkbox', { name: `${name} · Nonaktif` })
    await tick.uncheck()
    expect(await tick.isChecked()).toBe(false)
    await page.getByRole('checkbox', { name: 'Cikini', exact: true }).check()
    await save(page)
    const after = done(await acme().get(`/promotions/${promotion.id}`)).promotion
    expect(after.outletIds).toEqual([cikini])
  })
})
