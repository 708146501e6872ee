import { salesPrint } from 'kasir-client'
import { useDevice } from '../app/device.ts'
import { call } from '../app/service.ts'
import { COLUMNS, drawerKick, escposOf, type PaperRow } from '../core-paper.ts'
import { serverNow } from '../offline/clock.ts'
import { type OutboxRow, soldAtOf } from '../offline/outbox-row.ts'
import type { Cart } from '../selling/cart.ts'
import type { Done } from '../selling/register-store.ts'
import { SentenceError } from '../ui/sentence-error.ts'
import type { PrinterChoice } from './choice.ts'
import { cancellationSlips, markKitchenPrinted, ownReceiptRows, ownSlips } from './own-papers.ts'
import { usePrinter } from './printer-store.ts'
import { checkForJobs, printPaper } from './till-printer.ts'

const bytesFor = ({ printer: { paper, codePage } }: PrinterChoice, rows: readonly PaperRow[]) =>
  escposOf(rows, COLUMNS[paper === 58 ? '58' : '80'], codePage)

/** The slips are one paper with cuts between them: an app that prints them takes one. */
function printSlips(choice: PrinterChoice, slips: readonly (readonly PaperRow[])[]) {
  if (slips.length === 0) return
  printPaper({ bytes: Uint8Array.from(slips.flatMap((rows) => [...bytesFor(choice, rows)])) })
}

/** Runs work with the printer of this browser. The band of the printer shows why it failed. */
async function withPrinter(work: (choice: PrinterChoice) => Promise<void> | void) {
  const { choice } = usePrinter.getState()
  if (choice === null) return
  try {
    await work(choice)
  } catch (error) {
    usePrinter.setState({ error })
  }
}

/** Queues the receipt of a sale, or its bill, at the service, and prints the job. */
export const printSale = (id: string, kind: 'receipt' | 'bill' = 'receipt') =>
  withPrinter(async ({ printer, device }) => {
    const lang = useDevice.getState().language
    // The payment has opened the drawer already, unless each paper needs a tap.
    const opensDrawer = device.kind === 'rawbt'
    await call(salesPrint, { id, printerId: printer.id, kind, lang, opensDrawer })
    await checkForJobs()
  })

/** Prints the receipt of a sale that the service may not have yet. */
export const printOwnReceipt = (row: OutboxRow) =>
  withPrinter((choice) =>
    printPaper({ bytes: bytesFor(choice, ownReceiptRows(row, useDevice.getState().language)) }),
  )

/** Prints bytes that were made for a receipt printer. */
export const printBytes = (bytes: Uint8Array<ArrayBuffer>) => withPrinter(() => printPaper({ bytes }))

/** Prints the report of a shift. */
export const printShift = (id: string) =>
  withPrinter(async ({ printer }) => {
    const width = printer.paper === 58 ? '58' : '80'
    const lang = useDevice.getState().language
    // The client reads this report as JSON only.
    const answer = await fetch(
      `/api/v1/reports/shifts/${encodeURIComponent(id)}?format=escpos&width=${width}&lang=${lang}`,
    )
    if (!answer.ok) throw new SentenceError('print.reportFailed')
    printPaper({ bytes: new Uint8Array(await answer.arrayBuffer()) })
  })

const isPaidInCash = ({ sale, row }: Done) =>
  row === null
    ? sale?.payments.some(({ method, status, applied }) => method === 'CASH' && status === 'PAID' && applied)
    : row.tenders.some(({ method }) => method === 'CASH')

/** A sale was completed here: cash opens the drawer, and the kitchen gets the slips of a sale that this till made alone. */
export const printAfterSale = (done: Done) =>
  withPrinter((choice) => {
    const { printer, device } = choice
    const { row } = done
    if (device.kind !== 'rawbt' && printer.opensDrawer && isPaidInCash(done))
      printPaper({ bytes: drawerKick(), isDrawer: true })
    // A correction has no `clockOffsetMs`; its slips were printed with the sale that it corrects.
    if (row === null || row.clockOffsetMs === undefined) return
    const { cart, ref: number, body } = row
    const order = { cart, number, time: soldAtOf(row), outletId: body.outletId }
    printSlips(choice, ownSlips(order))
  })

/**
 * Prints kitchen slips for the items of an offline bill that were not printed yet. Returns the cart with the printed
 * quantities, so that the service does not print them again (B-print-11).
 */
export function printOfflineSlips(cart: Cart): Cart {
  const { choice } = usePrinter.getState()
  if (choice === null || cart.orderType === null) return cart
  const order = { cart, number: '', time: serverNow(), outletId: choice.printer.outletId }
  printSlips(choice, ownSlips(order))
  return markKitchenPrinted(cart)
}

/** Cancels in the kitchen the lines of offline slips that the cashier has removed since. */
export function printCancellations(cart: Cart) {
  const { choice } = usePrinter.getState()
  if (choice === null) return
  const order = { cart, number: '', time: serverNow(), outletId: choice.printer.outletId }
  printSlips(choice, cancellationSlips(order))
}
