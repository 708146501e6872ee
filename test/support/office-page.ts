import type { Page } from 'playwright-core'
import { address } from './service.ts'

// The back office by its accessible names in Indonesian.

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
export const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
export const table = (page: Page, name: string) => page.getByRole('table', { name, exact: true })
export const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

/** Opens a page of the back office and waits for its heading. */
export async function openOffice(page: Page, path: string, heading: string | RegExp) {
  await page.goto(address() + path)
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
}

/** Presses Simpan and waits until the list is there again. */
export async function save(page: Page) {
  await button(page, 'Simpan').click()
  await button(page, 'Simpan').waitFor({ state: 'detached' })
}

/** Picks goods by their name in the field with a label. */
export async function pick(page: Page, label: string, name: string) {
  await page.getByRole('searchbox', { name: label }).fill(name)
  await page.getByRole('list', { name: label }).getByRole('button', { name }).click()
}

/** Opens a transfer of these goods from Cikini to Menteng. Returns the field for the quantity of each. */
export async function openTransfer(page: Page, goods: readonly { name: string }[]) {
  await openOffice(page, '/stok?id=transfer', 'Transfer')
  await page.getByLabel('Dari outlet').selectOption({ label: 'Cikini' })
  await page.getByLabel('Ke outlet').selectOption({ label: 'Menteng' })
  for (const { name } of goods) await pick(page, 'Tambah barang', name)
  const rows = page.getByRole('region', { name: 'Daftar barang' }).getByRole('listitem')
  return (name: string) => rows.filter({ hasText: name }).getByLabel('Jumlah', { exact: true })
}
