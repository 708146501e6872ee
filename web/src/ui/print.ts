import { useDevice } from '../app/device.ts'
import { hasTillPrinter } from '../printing/has-printer.ts'
import { lazyModule } from './lazy-module.ts'

const loadReceipts = lazyModule(() => import('../printing/receipts.ts'))

/** The papers of the printer at this till; null if it has none, and the browser prints. */
export const tillPapers = () => (hasTillPrinter() ? loadReceipts() : null)

/** Prints on the printer of this till. Else it opens the receipt that the service draws, and the browser's print window. */
export function printReceipt(saleId: string) {
  const papers = tillPapers()
  if (papers) return void papers.then((file) => file.printSale(saleId))
  const { language } = useDevice.getState()
  const receipt = window.open(
    `/api/v1/sales/${encodeURIComponent(saleId)}/receipt?format=html&lang=${language}`,
    '_blank',
  )
  receipt?.addEventListener('load', () => receipt.print())
}
