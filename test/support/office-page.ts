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
