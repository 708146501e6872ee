import { addMs } from '../../../core/time.ts'
import type { Cart } from './schema.ts'

type CartValues = Omit<Cart, 'createdAt' | 'updatedAt'>

/** The settings of a workspace that has changed none (B-cart-1). */
export const DEFAULTS: CartValues = {
  enabled: false,
  delayHours: 4,
  emailSubject: 'You left something behind',
  emailPreview: 'Your cart is waiting',
  discountCodeId: null,
  marketingCampaignId: null,
}

const HOUR_MS = 3_600_000
/**
 * A bill unchanged for a month is no longer a cart. Otherwise switching reminders on would write to every customer of
 * the past.
 */
const FORGOTTEN_MS = 30 * 24 * HOUR_MS

/** Returns the window for the last change of an abandoned bill (B-cart-2). */
export const abandonedWindow = (now: string, delayHours: number): { from: string; to: string } => {
  const to = addMs(now, -delayHours * HOUR_MS)
  return { from: addMs(to, -FORGOTTEN_MS), to }
}

/** Returns `part` of `whole` in hundredths of a percent, rounded down; 0 if `whole` is 0. */
export const rateBps = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.floor((part * 10_000) / whole)

const MINUTE_MS = 60_000
/** The delays before each retry. After the last one the reminder has failed. */
const WAITS_MS = [1, 5, 30, 120, 360].map((minutes) => minutes * MINUTE_MS)

/** Returns the time of the next attempt after `attempts` failed ones, or null if there is none (B-cart-5). */
export const nextAttempt = (now: string, attempts: number): string | null => {
  const wait = WAITS_MS[attempts - 1]
  return wait === undefined ? null : addMs(now, wait)
}
