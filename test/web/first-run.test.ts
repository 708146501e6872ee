import { expect, it } from 'vitest'
import { describeInChromium } from '../support/browser.ts'
import { cookieOf } from '../support/clients.ts'
import { LOST, list, loseAnswers, requireBuiltRegister, visit } from '../support/register-page.ts'
import { address, as, useService } from '../support/service.ts'

requireBuiltRegister()
useService()

describeInChromium('the first run', (browser) => {
  it('leads from an empty service to a first sale, and back in after signing out', async () => {
    const { page, complaints, strangers } = await visit(browser(), undefined, null)
    const options = page.waitForResponse('**/api/v1/auth/options')
    await page.goto(address())
    await options
    expect(await page.getByRole('link', { name: 'Masuk dengan akun perusahaan' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Buat usaha baru' }).click()
    await page.getByRole('textbox', { name: 'Nama usaha' }).fill('Warung Bu Tini')
    await page.getByRole('radio', { name: 'PB1 10%' }).check()
    await page.getByRole('textbox', { name: 'E-mail' }).fill('tini@example.com')
    await page.getByLabel('Kata sandi').fill('gudeg jogja manis')
    await page.getByRole('button', { name: 'Mulai' }).click()
    await list(page, 'Barang').getByRole('button', { name: 'Nasi Goreng' }).click()
    await page.getByRole('button', { name: 'Uang pas' }).click()
    await page.getByRole('status').filter({ hasText: 'Kembali Rp 0' }).waitFor()
    await page.getByRole('button', { name: /^Anggota/ }).click()
    await page.getByRole('menuitem', { name: 'Keluar' }).click()
    await page.getByRole('textbox', { name: 'E-mail' }).fill('tini@example.com')
    await page.getByLabel('Kata sandi').fill('salah sekali ini')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('INVALID_CREDENTIALS').waitFor()
    await page.getByLabel('Kata sandi').fill('gudeg jogja manis')
    await page.keyboard.press('Enter')
    await list(page, 'Barang').getByRole('button').first().waitFor()
    // The one complaint is the browser's own about the answer to the wrong password.
    expect(complaints.filter((text) => !text.includes('401'))).toEqual([])
    expect(strangers).toEqual([])
  })

  it('a second try after a lost answer makes no sample goods twice', async () => {
    const { page } = await visit(browser(), undefined, null)
    await page.goto(`${address()}/daftar`)
    await page.getByRole('textbox', { name: 'Nama usaha' }).fill('Warung Bu Yati')
    await page.getByRole('textbox', { name: 'E-mail' }).fill('yati@example.com')
    await page.getByLabel('Kata sandi').fill('rawon setan surabaya')
    const restore = await loseAnswers(page, '/products')
    await page.getByRole('button', { name: 'Mulai' }).click()
    await page.getByRole('alert').getByText(LOST).waitFor()
    await restore()
    await page.getByRole('button', { name: 'Mulai' }).click()
    await list(page, 'Barang').getByRole('button', { name: 'Nasi Goreng' }).waitFor()
    const namesOf = async (path: string, rows: string) => {
      const answer = await page.context().request.get(`${address()}/api/v1${path}`)
      const { data } = (await answer.json()) as { data: Record<string, { name: string }[]> }
      return (data[rows] ?? []).map(({ name }) => name)
    }
    const all = [
      await namesOf('/products?limit=100', 'products'),
      await namesOf('/categories', 'categories'),
      await namesOf('/modifiers', 'groups'),
    ]
    expect(all.map((names) => names.length)).toEqual([12, 3, 1])
    for (const names of all) expect(new Set(names).size).toBe(names.length)
  })

  it('never changes the shop of the member who is still signed in', async () => {
    const email = 'sumi@example.com'
    const password = 'soto ayam lamongan'
    const owner = { email, password, name: 'Sumi', businessName: 'Soto Sumi' }
    const cookie = cookieOf(await as(null).post('/auth/signup', owner)) ?? ''
    const { page } = await visit(browser(), undefined, cookie)
    await page.goto(`${address()}/daftar`)
    const read = async (path: string) => {
      const answer = await fetch(`${address()}/api/v1${path}`, { headers: { cookie } })
      return ((await answer.json()) as { data: Record<string, unknown[]> }).data
    }
    const { outlets } = await read('/outlets')
    await page.getByRole('textbox', { name: 'Nama usaha' }).fill('Soto Sumi 2')
    await page.getByRole('radio', { name: 'PPN 11%' }).check()
    await page.getByRole('textbox', { name: 'E-mail' }).fill(email)
    await page.getByLabel('Kata sandi').fill(password)
    await page.getByRole('button', { name: 'Mulai' }).click()
    await page.getByRole('alert').or(list(page, 'Barang')).first().waitFor()
    expect((await read('/outlets'))['outlets']).toEqual(outlets)
    expect((await read('/products'))['products']).toEqual([])
    await page.getByRole('alert').getByText('CONFLICT').waitFor()
  })
})
