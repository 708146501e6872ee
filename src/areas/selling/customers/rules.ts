import { conflict, invalid } from '../../../core/errors.ts'

/** What is left of a customer whose data was erased: sales and ledgers keep pointing at it (B-customer-2). */
export const ERASED = {
  name: 'Deleted customer',
  phone: null,
  email: null,
  note: null,
  isActive: false,
} as const

/**
 * The digits by which two phone numbers are compared: +62 812, 0812 and 812 are one number in Indonesia. Null for a
 * text with too few digits to identify anybody.
 */
export function phoneKeyOf(phone: string | null | undefined): string | null {
  if (!phone || !/^[\d\s()+./-]+$/.test(phone)) return null
  const digits = phone.replaceAll(/\D/g, '').replace(/^(62|0)/, '')
  return digits.length >= 3 ? digits : null
}

/** 422 param `points` for an adjustment of nothing, or one that takes the balance below zero (B-points-3). */
export function requireAdjustable(balance: number, points: number): void {
  if (points === 0)
    throw invalid('points', 'An adjustment of 0 changes nothing; send points above or below 0')
  if (points < 0 && balance + points < 0) {
    throw invalid('points', `The customer has ${balance} points; you can take away at most that many`)
  }
}

/** 422 param `points` when more is redeemed than the customer has (B-points-3). */
export function requirePoints(balance: number, points: number): void {
  if (points > balance)
    throw invalid('points', `The customer has ${balance} points; redeem at most that many`)
}

/** 409: an erased customer is a name on old sales, nothing may be added to it. */
export function requireNotErased(customer: { isActive: boolean }): void {
  if (!customer.isActive)
    throw conflict("This customer's data was erased; the record can no longer be changed")
}
