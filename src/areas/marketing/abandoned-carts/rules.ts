import { addMs } from '../../../core/time.ts'
import type { Cart } from './schema.ts'

type CartValues = Omit<Cart, 'createdAt' | 'updatedAt'>

/** B-cart-1. */
export const DEFAULTS: CartValues = {
  enabled: false,
  delayHours: 4,
  emailSubject: 'You left something behind',
  emailPreview: 'Your cart is waiting',
  discountCodeId: null,
  marketingCampaignId: null,
}

const HOUR_MS = 3_600_000
/** A bill that nobody touched for a month is no cart any more: whoever switches reminders on must not write to everybody. */
const FORGOTTEN_MS = 30 * 24 * HOUR_MS

/** Bills last touched between these instants are carts that were left (B-cart-2). */
export const leftBetween = (now: string, delayHours: number): { from: string; to: string } => {
  const to = addMs(now, -delayHours * HOUR_MS)
  return { from: addMs(to, -FORGOTTEN_MS), to }
}

/** `part` of `whole` in hundredths of a percent, rounded down; 0 of nothing. */
export const rateBps = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.floor((part * 10_000) / whole)

const MINUTE_MS = 60_000
/** Before the second attempt and each one after it; past the last a reminder has failed. */
const WAITS_MS = [1, 5, 30, 120, 360].map((minutes) => minutes * MINUTE_MS)

/** When a reminder is tried again that could not be sent for the `attempts`th time; null for never (B-cart-5). */
export const nextAttempt = (now: string, attempts: number): string | null => {
  const wait = WAITS_MS[attempts - 1]
  return wait === undefined ? null : addMs(now, wait)
}
