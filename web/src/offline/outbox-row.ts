import type { SaleCreate } from 'kasir-client'
import type { GivenPromotion } from '../selling/bill-promotions.ts'
import type { Cart } from '../selling/cart.ts'
import type { Charges } from '../selling/charge-rows.ts'
import type { Tender } from '../selling/tender.ts'
import { isOver } from './deadline.ts'

/** Why a sale is not at the service yet. */
export type Problem = { code: string; message: string; requestId: string }

/** The service refused a sale that this device made. */
export class SaleRefused extends Error {
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.message)
    this.problem = problem
  }
}

/** The cart was sold before, from another tab. */
export class AlreadySold extends Error {}

export type Receipt = {
  subtotal: number
  orderDiscount: number
  taxTotal: number
  /** What promotions took off the goods; absent in rows of an older version. */
  promotions?: readonly GivenPromotion[]
  /** What stands between subtotal and total; absent in rows of an older version. */
  charges?: Charges
  total: number
  /** What the cash due differs from the total (B-rounding-2). */
  rounding?: number
  change: number
}

/** A sale that is on this device and not known to be at the service. Pure data. */
export type OutboxRow = {
  /** Identifies the sale in the workspace for ever (B-offline-1): the tag of the browser and a counter. */
  ref: string
  accountId: string
  seller: { id: string; name: string }
  outletName: string
  /** Sent unchanged on every try, so that a repeated one is recognised. A new customer is created before the first try. */
  body: SaleCreate
  /** The Idempotency-Key, and the key of the cart that was sold. */
  key: string
  cart: Cart
  tenders: readonly Tender[]
  receipt: Receipt
  /** 'absent' waits until its seller, or a manager, signs in; 'refused' waits for a decision. */
  state: 'waiting' | 'absent' | 'refused' | 'setAside'
  problem: Problem | null
  /** Why it was set aside. */
  reason: string | null
  tries: number
  /** What was added to the clock of this device for the time of the sale; absent in rows of an older version. */
  clockOffsetMs?: number
  /** When the next try is due, by the clock of this device. */
  dueMs: number
}

export const isUnsent = ({ state }: OutboxRow): boolean => state !== 'setAside'
export const soldAtOf = ({ body }: OutboxRow): string => body.offline?.soldAt ?? ''

/** The clocks of device and service differ by less than this after a correction. */
const INEXACT_MS = 60_000

/**
 * Corrects the time of a sale that was made while the clock of this device was wrong. Returns null if the clock has not
 * changed since, or if the corrected time would be in the future: the clock went wrong after the sale.
 */
export function withTrueTime(row: OutboxRow, clock: { offsetMs: number; now: string }): OutboxRow | null {
  const { body, clockOffsetMs } = row
  if (!body.offline) return null
  const soldMs = Date.parse(body.offline.soldAt)
  const nowMs = Date.parse(clock.now)
  const shifted = soldMs + clock.offsetMs - (clockOffsetMs ?? clock.offsetMs)
  const isAhead = soldMs > nowMs
  if (!isAhead && (shifted === soldMs || shifted > nowMs + INEXACT_MS)) return null
  const soldAt = new Date(Math.min(shifted, nowMs)).toISOString()
  return {
    ...row,
    body: { ...body, offline: { ...body.offline, soldAt } },
    ...(clockOffsetMs !== undefined && { clockOffsetMs: clock.offsetMs }),
  }
}

/** The oldest sale first. */
export const bySoldAt = (a: OutboxRow, b: OutboxRow): number =>
  soldAtOf(a).localeCompare(soldAtOf(b)) || a.ref.localeCompare(b.ref)

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000
/** The longest pause that the service can ask for. */
const LONGEST_ASKED_MS = 5 * 60_000

/** The delay before a retry: it doubles from 1 to 60 seconds, unless the service names one of up to five minutes. */
export const pauseAfter = (tries: number, askedMs: number | null = null): number =>
  Math.max(
    Math.min(LONGEST_ASKED_MS, askedMs ?? 0),
    Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(tries - 1, 10)),
  )

/** Whether a sale is to be sent now. */
export const isDue = ({ state, dueMs }: Pick<OutboxRow, 'state' | 'dueMs'>, nowMs: number): boolean =>
  state === 'waiting' && isOver(dueMs, LONGEST_ASKED_MS, nowMs)

/** What the answer of the service means for a sale that was sent. */
export type Verdict = 'again' | 'absent' | 'refused'

export function verdictOn({
  status,
  code,
  param,
  details,
}: {
  status: number
  code: string
  param?: string | undefined
  details?: Readonly<Record<string, unknown>> | undefined
}): Verdict {
  if (status >= 500 || status === 408 || status === 429) return 'again'
  // With usedAt another request has succeeded under the key (B-key-6); without it the first one is still running.
  if (code === 'IDEMPOTENCY_KEY_IN_USE') return details?.['usedAt'] === undefined ? 'again' : 'refused'
  // Another member's session may not send this sale; the next sign-in of its seller may.
  if (status === 401 || (status === 403 && param === 'offline.soldBy')) return 'absent'
  return 'refused'
}
