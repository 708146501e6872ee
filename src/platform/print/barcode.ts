import JsBarcode from 'jsbarcode'
import type { Barcode } from '../../core/paper/rows.ts'

/** The formats by the number of digits; the last digit is a check digit. */
const BY_DIGITS: Readonly<Record<number, string>> = { 8: 'EAN8', 12: 'UPC', 13: 'EAN13' }
/** Code 128 has more characters, but a scanner types only these. */
const TYPEABLE = /^[ -~]+$/

/** The modules of a code, '1' for black; null if the code does not fit the format. */
function encoded(text: string, format: string): string | null {
  const target: { encodings?: { data: string }[] } = {}
  let isValid = false
  const valid = (is: boolean) => {
    isValid = is
  }
  JsBarcode(target, text, { format, flat: true, valid })
  return isValid ? (target.encodings ?? []).map(({ data }) => data).join('') : null
}

/**
 * A code as the barcode that scanners read back as the same text: EAN-13, EAN-8 or UPC-A if its check digit is right, else
 * Code 128. Null for a code with other characters than ASCII.
 */
export function barcodeOf(text: string): Barcode | null {
  if (!TYPEABLE.test(text)) return null
  const format = /^\d+$/.test(text) ? BY_DIGITS[text.length] : undefined
  const modules = (format && encoded(text, format)) ?? encoded(text, 'CODE128')
  return modules ? { text, bars: (modules.match(/1+|0+/g) ?? []).map(({ length }) => length) } : null
}
