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
