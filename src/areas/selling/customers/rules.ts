import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { ApiError, conflict, invalid } from '../../../core/errors.ts'
import type { CustomerWarning } from './schema.ts'

/** The fields of an erased customer. The row stays, because sales and ledgers refer to it (B-customer-2). */
export const ERASED = {
  name: 'Deleted customer',
  phone: null,
  email: null,
  note: null,
  isActive: false,
} as const

/** People write 00 for an international call, also in Indonesia, where it is not the prefix. */
const parsePhone = (phone: string) =>
  parsePhoneNumberFromString(phone.trim().replace(/^00/, '+'), { defaultCountry: 'ID', extract: false })

/**
 * Returns the digits of a number, or of a part of it, without prefixes: +62 812, 0062 812, 62 812, 0812 and 812 are
 * one number in Indonesia. Returns null if the text is not a number or has fewer than three digits.
 */
export function phoneDigits(phone: string): string | null {
  if (!/^[\d\s()+./\p{Pd}]+$/u.test(phone)) return null
  const digits = phone
    .replaceAll(/\D/g, '')
    .replace(/^00/, '')
    .replace(/^(?:62|0)0*/, '')
  return digits.length >= 3 ? digits : null
}

/**
 * Returns the key for comparing phone numbers; a foreign number includes its country. Returns null without a number.
 */
export function phoneKeyOf(phone: string | null | undefined): string | null {
  if (!phone) return null
  const number = parsePhone(phone)
  if (!number?.isPossible()) return phoneDigits(phone)
  const { countryCallingCode, nationalNumber } = number
  return countryCallingCode === '62' ? nationalNumber : `${countryCallingCode}${nationalNumber}`
}

/** Returns a warning for an invalid phone number, which is stored as sent (B-customer-5). */
export const phoneWarnings = (phone: string | null | undefined): CustomerWarning[] =>
  !phone || parsePhone(phone)?.isValid()
    ? []
    : [
        {
          code: 'PHONE_NOT_PLAUSIBLE',
          field: 'phone',
          message: `${phone} does not look like a phone number: check it, and send numbers from abroad with their country code (+65…)`,
        },
      ]

/** The number of a customer as WhatsApp addresses have it: digits with the country code. Null for a text that is no number. */
export function whatsappNumberOf(phone: string | null): string | null {
  const number = phone === null ? undefined : parsePhone(phone)
  return number?.isPossible() ? number.number.slice(1) : null
}

/** Throws 403 if a cashier sets what a customer may owe (B-credit-1). */
export function requireMaySetLimit(role: string, creditLimit: number | undefined): void {
  if (creditLimit === undefined || role !== 'CASHIER') return
  throw new ApiError('FORBIDDEN', 'Ask a manager to change the credit limit of a customer', {
    param: 'creditLimit',
  })
}

/** Throws 409 for a customer with debt, who cannot be deleted (B-credit-8). */
export function requireNoDebt({ creditBalance }: { creditBalance: number }): void {
  if (creditBalance === 0) return
  throw conflict(
    `The customer owes ${creditBalance}. Take the payment, or refund the sales, before you delete the record`,
  )
}

/** Throws 422 param `points` for an adjustment of 0 or a negative result (B-points-3). */
export function requireAdjustable(balance: number, points: number): void {
  if (points === 0)
    throw invalid('points', 'An adjustment of 0 changes nothing; send points above or below 0')
  if (points < 0 && balance + points < 0) {
    throw invalid('points', `The customer has ${balance} points; you can deduct at most that many`)
  }
}

/** Throws 422 param `points` if the customer has fewer points (B-points-3). */
export function requirePoints(balance: number, points: number): void {
  if (points > balance)
    throw invalid('points', `The customer has ${balance} points; redeem at most that many`)
}

/** Throws 409 for an erased customer, whose record cannot change any more. */
export function requireNotErased(customer: { isActive: boolean }): void {
  if (!customer.isActive)
    throw conflict("This customer's data was erased; the record can no longer be changed")
}
