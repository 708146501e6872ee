import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import { memberOf } from './clients.ts'
import { attachPrinter } from './device-printer.ts'
import { done } from './expect.ts'
import { button } from './office-page.ts'
import { enrolTill, type TestTill } from './pins.ts'
import { DESKTOP, openRegister, visit } from './register-page.ts'
import { acme, address } from './service.ts'

// Tills with a printer, as the tests of the register use them.

type Job = { id: string; status: string; reason: string | null; copy: boolean; attempts: number }
export type Till = TestTill & { printerId: string }

/** A till of an outlet, with a printer at the service. */
export async function makeTill(outletId: string, fields: object = {}): Promise<Till> {
  const till = await enrolTill(acme(), { outletId })
  const printer = { outletId, kind: 'TILL', name: 'Struk', tillId: till.id, paper: 58, ...fields }
  return { ...till, printerId: done(await acme().post('/printers', printer)).printer.id }
}

export const jobsOf = async ({ printerId }: Till): Promise<Job[]> =>
  (await acme().get(`/print-jobs?printerId=${printerId}`)).data
export const jobAt = async (till: Till, id: string) => (await jobsOf(till)).find((job) => job.id === id)
export const queueTest = async ({ printerId }: Till): Promise<string> =>
  done(await acme().post(`/printers/${printerId}/test`)).job.id

/** Makes the browser the till. */
async function asTill(context: BrowserContext, till: TestTill) {
  const [name = '', value = ''] = till.cookie.split('=')
  await context.addCookies([{ name, value, url: address() }])
  const stored = {
    till: { id: till.id, outletId: till.outletId, name: 'Front' },
    members: [],
    isLocked: false,
  }
  await context.addInitScript(
    `localStorage.setItem('kasir-till', ${JSON.stringify(JSON.stringify({ state: stored, version: 0 }))})`,
  )
}

/** A browser that is the till, with a printer beside it. */
export async function openTill(browser: Browser, till: TestTill, screen = DESKTOP) {
  const { cookie } = await memberOf(acme(), 'OWNER', 'Rina')
  const { page, context } = await visit(browser, screen, cookie)
  const printer = await attachPrinter(context)
  await asTill(context, till)
  await openRegister(page)
  return { page, context, printer }
}

export async function openDialog(page: Page) {
  await button(page, /^Anggota/).click()
  await page.getByRole('menuitem', { name: 'Printer kasir' }).click()
  return page.getByRole('dialog', { name: 'Printer kasir' })
}

type Kind = 'Kabel USB' | 'Bluetooth LE' | 'Kabel serial atau Bluetooth biasa'

/** Connects the printer in the dialog of the till, and leaves the dialog open. */
export async function connectPrinter(page: Page, kind: Kind = 'Kabel serial atau Bluetooth biasa') {
  const dialog = await openDialog(page)
  await dialog.getByRole('button', { name: kind }).click()
  await dialog.getByText(/^Terhubung: Struk/).waitFor()
  return dialog
}

export const isPrinted = (till: Till, id: string) =>
  expect.poll(async () => (await jobAt(till, id))?.status, { timeout: 20_000 }).toBe('printed')
export const band = (page: Page, text: string | RegExp) => page.getByRole('status').filter({ hasText: text })
