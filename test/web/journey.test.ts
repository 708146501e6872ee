import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInChromium } from '../support/browser.ts'
import { makeOutlet, makeProduct } from '../support/build.ts'
import { lineState, list, openRegister, requireBuiltRegister, visit } from '../support/register-page.ts'
import { acme, useService } from '../support/service.ts'

requireBuiltRegister()
useService()

beforeAll(async () => {
  await makeOutlet(acme(), { name: 'Cikini' })
  await makeProduct(acme(), { name: 'Es Teh', trackStock: false, variants: [{ price: 7_500 }] })
})

/** The names in bold of a section of docs/register.md, in their order. */
function namesIn(heading: string): string[] {
  const text = readFileSync(new URL('../../docs/register.md', import.meta.url), 'utf8')
  const section = text.split(/^## /m).find((part) => part.startsWith(heading)) ?? ''
  return [...section.matchAll(/\*\*([^*]+)\*\*/g)].map(([, name = '']) => name)
}

describeInChromium('the day with a lost line in docs/register.md', (browser) => {
  it('goes as it is written, by the names that are written', async () => {
    const { page, context } = await visit(browser())
    const names: string[] = []
    const named = (name: string) => {
      names.push(name)
      return name
    }
    const press = (name: string) => page.getByRole('button', { name: named(name), exact: true }).click()
    const openPage = (name: string) => page.getByRole('link', { name: named(name), exact: true }).click()
    const fill = (name: string, text: string) => page.getByRole('textbox', { name: named(name) }).fill(text)
    const sell = async () => {
      await list(page, 'Barang')
        .getByRole('button', { name: named('Es Teh') })
        .click()
      await press('Uang pas')
      await changeOf(page).waitFor()
    }
    await openRegister(page)
    await openPage('Shift')
    await fill('Modal awal', '100000')
    await press('Buka shift')
    await page.getByRole('button', { name: 'Tutup shift' }).waitFor()
    await openPage('Jual')
    await sell()
    await lineState(page, 'Daring').waitFor()
    await context.setOffline(true)
    await sell()
    await lineState(page, named('Luring · 1 antre')).waitFor()
    await context.setOffline(false)
    await lineState(page, named('Daring')).waitFor()
    await openPage('Shift')
    await page.getByText('Rp 115.000').waitFor()
    await press('Tutup shift')
    await fill('Uang dihitung', '107500')
    const region = page.getByRole('region', { name: named('Cari selisih') })
    await region.getByText(named('bukan dengan tunai')).waitFor()
    expect(await region.getByRole('link').count()).toBeGreaterThan(0)
    // Both sales may be the one, so this day ends with a note; test/web/shift.test.ts presses it.
    await region
      .getByRole('button', { name: named('Jadikan QRIS') })
      .first()
      .waitFor()
    await fill('Catatan', 'Satu dibayar QRIS')
    await press('Tutup shift')
    await page.getByRole('heading', { name: 'Shift ditutup' }).waitFor()
    expect(names).toEqual(namesIn('A day with a lost line'))
  }, 120_000)
})

const changeOf = (page: Page) => page.getByRole('status').filter({ hasText: 'Kembali' })
