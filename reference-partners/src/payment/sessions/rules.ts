import { createHash } from 'node:crypto'
import { invalid, mulDivHalfUp, webAddressIn } from 'kasir/partner-tools'

export const METHODS = ['qris', 'va', 'hosted'] as const
export type Method = (typeof METHODS)[number]
export const CURRENCIES = ['IDR', 'USD'] as const
export type Currency = (typeof CURRENCIES)[number]

const QRIS_MOST = 10_000_000
const VA_LEAST = 10_000
export const AMOUNT_MOST = 1_000_000_000

const MINUTE_S = 60
/** The default lifetime of a session. */
export const LIFETIME_S: Record<Method, number> = {
  qris: 15 * MINUTE_S,
  va: 1_440 * MINUTE_S,
  hosted: 1_440 * MINUTE_S,
}
export const LIFETIME_LEAST_S = 10
export const LIFETIME_MOST_S = 30 * 1_440 * MINUTE_S

/** Throws 422 if the method does not support the payment: QRIS and virtual accounts are IDR only, with limits. */
export function requirePayable(method: Method, currency: Currency, amount: number) {
  if (method !== 'hosted' && currency !== 'IDR')
    throw invalid('currency', `${NAMES[method]} is paid in IDR only`)
  if (method === 'qris' && amount > QRIS_MOST)
    throw invalid('amount', 'QRIS carries at most Rp 10.000.000; use a virtual account for more')
  if (method === 'va' && amount < VA_LEAST)
    throw invalid('amount', 'A virtual account takes at least Rp 10.000; use QRIS for less')
}
const NAMES: Record<Method, string> = { qris: 'QRIS', va: 'A virtual account', hosted: 'A hosted page' }

/** Basis points of the amount, with a minimum; never more than the amount paid. */
const FEES: Record<Method, { bps: number; flat: number }> = {
  qris: { bps: 70, flat: 0 },
  va: { bps: 0, flat: 4_000 },
  hosted: { bps: 290, flat: 0 },
}

/** What the partner keeps of a payment: 0.7% of QRIS, Rp 4.000 of a virtual account, 2.9% of a card. */
export function feeOf(method: Method, amount: number): number {
  const { bps, flat } = FEES[method]
  return Math.min(amount, flat + mulDivHalfUp(amount, bps, 10_000))
}

export const VA_BANK = 'BNI'
/** The company prefix that the bank puts before each account number. */
const VA_COMPANY = '98880'
const VA_DIGITS = 11

/** A virtual account: 16 digits, another one for each `n`. */
export const vaNumber = (n: number): string => VA_COMPANY + String(n).padStart(VA_DIGITS, '0')

/** Digits that are always the same for a text: the numbers of a merchant of the reference partner. */
export const digitsOf = (text: string, count: number): string => {
  const value = BigInt(`0x${createHash('sha256').update(text).digest('hex').slice(0, 24)}`)
  return String(value % 10n ** BigInt(count)).padStart(count, '0')
}

/** An address that a payer may be sent back to: http or https, nothing a browser would run. */
export function requireReturnUrl(text: string) {
  if (webAddressIn(text) === null) throw invalid('returnUrl', 'returnUrl must be an http or https address')
}
