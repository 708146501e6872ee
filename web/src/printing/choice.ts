import type { Printer } from 'kasir-client'
import type { KnownDevice } from './connection.ts'
import { PRINTER_KEY, useHasPrinter } from './has-printer.ts'

/** The printer as its till needs it without the service. */
export type TillPrinter = Pick<
  Printer,
  'id' | 'outletId' | 'name' | 'paper' | 'codePage' | 'opensDrawer' | 'stations'
>

/** The device that this browser prints on, and the printer that it is at the service. */
export type PrinterChoice = { tillId: string; printer: TillPrinter; device: KnownDevice }

export function readChoice(): PrinterChoice | null {
  try {
    return JSON.parse(localStorage.getItem(PRINTER_KEY) ?? 'null') as PrinterChoice | null
  } catch {
    return null
  }
}

export function storeChoice(choice: PrinterChoice | null) {
  if (choice === null) localStorage.removeItem(PRINTER_KEY)
  else localStorage.setItem(PRINTER_KEY, JSON.stringify(choice))
  useHasPrinter.setState(choice !== null)
}

export const toTillPrinter = (printer: Printer): TillPrinter => {
  const { id, outletId, name, paper, codePage, opensDrawer, stations } = printer
  return { id, outletId, name, paper, codePage, opensDrawer, stations }
}
