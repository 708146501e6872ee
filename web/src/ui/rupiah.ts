const grouped = (amount: number) => String(Math.abs(amount)).replaceAll(/\B(?=(\d{3})+$)/g, '.')

/** 12.500, and −12.500 for a negative amount. */
export const formatAmount = (amount: number): string => `${amount < 0 ? '−' : ''}${grouped(amount)}`

/** Rp 12.500, and −Rp 12.500 for a negative amount. */
export const formatRupiah = (amount: number): string => `${amount < 0 ? '−' : ''}Rp ${grouped(amount)}`

/** The largest amount that a field takes; a sale is never larger. */
const MAX_DIGITS = 12

/** Cents in the Indonesian form ("12.500,00", "12.500,-") and in the English form ("12,500.00"). */
const CENTS = [/,(?:-+|\d{1,2})?\s*$/, /(?<=,.*)\.\d\d\s*$/]

const withoutCents = (text: string): string => CENTS.reduce((rest, cents) => rest.replace(cents, ''), text)

function amountFrom(whole: string): number | null {
  const digits = whole.replaceAll(/\D/g, '').slice(0, MAX_DIGITS)
  return digits === '' ? null : Number(digits)
}

/** The amount in a typed text, null if there is none: "Rp 12.500,-" is 12500. Cents do not exist in cash and are dropped. */
export const parseRupiah = (text: string): number | null => amountFrom(withoutCents(text))

/** One dot in a pasted amount. Three digits behind it are thousands, if at most three stand before it. */
const ONE_DOT = /^\D*(\d+)\.(\d+)\s*$/
const THOUSANDS = /^\D*\d{1,3}\.\d{3}\s*$/

/** A pasted amount without its cents, null if a person has to decide. */
function withoutPastedCents(text: string): string | null {
  const [, whole = '', cents = ''] = ONE_DOT.exec(text) ?? []
  if (whole === '' || THOUSANDS.test(text)) return withoutCents(text)
  return whole.length <= 3 && /[1-9]/.test(cents) ? null : whole
}

/**
 * The amount in a cell of a spreadsheet, which may write cents after a dot: "15000.00" is 15000, while "15.000" stays
 * 15000. Null for "1.50", in which an English spreadsheet may show the 1.500 of an Indonesian: a person has to decide.
 */
export function parsePastedRupiah(text: string): number | null {
  const whole = withoutPastedCents(text)
  return whole === null ? null : amountFrom(whole)
}

type InputChange = {
  inputType?: string
  data?: string | null
  target?: { selectionEnd?: number | null } | null
}

/**
 * The amount in a field after a change. A pasted text is read like a cell of a spreadsheet and then stands between the
 * digits that the field had before and after it. A zero that stood alone is replaced.
 */
export function readAmount(text: string, change: object): number | null {
  const { inputType, data, target } = change as InputChange
  if (inputType !== 'insertFromPaste') return parseRupiah(text)
  // The field drops the line break that a copied cell ends with. The cursor stands behind the pasted text.
  const pasted = (data ?? text).trim()
  const start = text.slice(0, target?.selectionEnd ?? text.length).lastIndexOf(pasted)
  if (start === -1) return parsePastedRupiah(text)
  const whole = withoutPastedCents(pasted)
  if (whole === null) return null
  const [before, after] = [text.slice(0, start), text.slice(start + pasted.length)]
  const isZero = `${before}${after}`.trim() === '0' && amountFrom(whole) !== null
  return amountFrom(isZero ? whole : `${before}${whole}${after}`)
}
