const grouped = (amount: number) => String(Math.abs(amount)).replaceAll(/\B(?=(\d{3})+$)/g, '.')

/** 12.500, and −12.500 for a negative amount. */
export const formatAmount = (amount: number): string => `${amount < 0 ? '−' : ''}${grouped(amount)}`

/** Rp 12.500, and −Rp 12.500 for a negative amount. */
export const formatRupiah = (amount: number): string => `${amount < 0 ? '−' : ''}Rp ${grouped(amount)}`

/** The largest amount that a field takes; a sale is never larger. */
const MAX_DIGITS = 12

/** Cents in the Indonesian form ("12.500,00", "12.500,-") and in the English form ("12,500.00"). */
const CENTS = [/,(?:-+|\d{1,2})?\s*$/, /(?<=,.*)\.\d\d\s*$/]

/**
 * The amount in a typed or pasted text, null if there is none: "Rp 12.500,-" is 12500. Cents do not exist in cash and
 * are dropped.
 */
export function parseRupiah(text: string): number | null {
  const whole = CENTS.reduce((rest, cents) => rest.replace(cents, ''), text)
  const digits = whole.replaceAll(/\D/g, '').slice(0, MAX_DIGITS)
  return digits === '' ? null : Number(digits)
}

/** One dot in a pasted amount. Three digits behind it are thousands, if at most three stand before it. */
const ONE_DOT = /^\D*(\d+)\.(\d+)\s*$/
const THOUSANDS = /^\D*\d{1,3}\.\d{3}\s*$/

/**
 * The amount in a cell of a spreadsheet, which may write cents after a dot: "15000.00" is 15000, while "15.000" stays
 * 15000. Null for "1.50", in which an English spreadsheet may show the 1.500 of an Indonesian: a person has to decide.
 */
export function parsePastedRupiah(text: string): number | null {
  const [, whole = '', cents = ''] = ONE_DOT.exec(text) ?? []
  if (whole === '' || THOUSANDS.test(text)) return parseRupiah(text)
  return whole.length <= 3 && /[1-9]/.test(cents) ? null : parseRupiah(whole)
}

/** The amount in a field after a change; a text that was pasted as a whole is read like a cell of a spreadsheet. */
export function readAmount(text: string, change: object): number | null {
  const { inputType, data } = change as { inputType?: string; data?: string | null }
  return inputType === 'insertFromPaste' && data === text ? parsePastedRupiah(text) : parseRupiah(text)
}
