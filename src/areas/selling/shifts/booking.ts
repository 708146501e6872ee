import { invalid, notFound } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'
import { requireOpenShift } from './rules.ts'
import * as statements from './statements.ts'
import * as store from './store.ts'

export type ShiftRef = { id: string; outletId: string; cashierId: string; cashierName: string }

/**
 * The shift that a tender, refund or reversal is booked to: the actor's open one at the outlet, else the sale's if it
 * is still open, else none (B-shift-3). Held in share mode until the transaction ends, so that a close either waits
 * for this booking or has already been seen. Shifts come late in the lock order: before the receipt counter only.
 */
export async function shareBookingShift(
  tx: Tx,
  scope: Scope,
  sale: { outletId: string; saleShiftId: string | null },
): Promise<string | null> {
  return (await shareOpenShifts(tx, scope, sale)).booking
}

/**
 * The same, and which of the shifts a sale touched are still open: a bill that completes after its own shift closed has
 * to move to another (B-shift-4). `lastPaymentShiftId` is where its latest tender was booked.
 */
export async function shareOpenShifts(
  tx: Tx,
  scope: Scope,
  sale: { outletId: string; saleShiftId: string | null; lastPaymentShiftId?: string | null },
): Promise<{ booking: string | null; open: ReadonlySet<string> }> {
  const { outletId, saleShiftId, lastPaymentShiftId = null } = sale
  const candidates = [saleShiftId, lastPaymentShiftId].filter((id) => id !== null)
  const rows = await statements.shareOpen(tx, scope, outletId, candidates)
  const open = new Set(rows.map((row) => row.id))
  const own = rows.find((row) => row.isOwn)?.id
  return { booking: own ?? (saleShiftId !== null && open.has(saleShiftId) ? saleShiftId : null), open }
}

/** The shift a sale names: 404 unknown, 422 of another outlet, then 409 closed; param `shiftId` (B-sale-8). */
export async function getShiftForSale(
  db: Db,
  scope: Scope,
  shiftId: string,
  outletId: string,
): Promise<ShiftRef> {
  const shift = await store.find(db, scope, shiftId)
  if (!shift) throw notFound('shift', 'shiftId')
  if (shift.outletId !== outletId) throw invalid('shiftId', 'This shift belongs to another outlet')
  requireOpenShift(shift)
  return shift
}
