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
