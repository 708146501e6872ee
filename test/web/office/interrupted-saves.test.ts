import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInChromium } from '../../support/browser.ts'
import { makeOutlet } from '../../support/build.ts'
import { button, openOffice } from '../../support/office-page.ts'
import { LOST, loseAnswers, requireBuiltRegister, visit } from '../../support/register-page.ts'
import { acme, useService } from '../../support/service.ts'

requireBuiltRegister()
useService()

beforeAll(async () => {
  await makeOutlet(acme(), { name: 'Cikini' })
})

const alert = (page: Page, text: string | RegExp) => page.getByRole('alert').filter({ hasText: text })

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
