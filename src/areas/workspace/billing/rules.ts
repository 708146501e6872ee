import { addMs, msBetween } from '../../../core/time.ts'

const MINUTE_MS = 60_000
const SOONEST_MS = 15 * MINUTE_MS
const LATEST_MS = 24 * 60 * MINUTE_MS

/** The time of the next check of an unreported checkout: the older it is, the later, but at least daily (B-billing-6). */
export const nextCheck = (createdAt: string, now: string): string =>
  addMs(now, Math.min(LATEST_MS, Math.max(SOONEST_MS, Math.floor(msBetween(createdAt, now) / 4))))
