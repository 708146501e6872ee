import ReceiptPrinterEncoder from '@point-of-sale/receipt-printer-encoder'
import { type Columns, linesOf } from './layout.ts'
import { type Receipt, rowsOf } from './rows.ts'

const FEED_BEFORE_CUT = 4

/** Printers have no glyph beyond the basic plane: one question mark keeps the columns straight. */
const printable = (text: string) => text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?')

/** The receipt as ESC/POS bytes for a printer of `columns` characters: send them as they are, they end with a cut. */
export function receiptEscpos(receipt: Receipt, columns: Columns): Uint8Array {
  const encoder = new ReceiptPrinterEncoder({
    columns,
    language: 'esc-pos',
    feedBeforeCut: FEED_BEFORE_CUT,
    errors: 'relaxed',
    newline: '\n',
  })
  encoder.initialize().codepage('auto')
  for (const { text, align, bold, banner } of linesOf(rowsOf(receipt), columns)) {
    const size = banner ? 2 : 1
    encoder.align(align).bold(bold).size(size, size).line(printable(text))
  }
  return encoder.align('left').bold(false).size(1, 1).cut('partial').encode()
}
