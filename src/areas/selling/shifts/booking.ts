import { invalid, notFound } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'
import { requireOpenShift } from './rules.ts'
import * as statements from './statements.ts'
import * as store from './store.ts'

export type ShiftRef = { id: string; outletId: string; cashierId: string; cashierName: string }

/**
 * Returns the shift for a payment, refund or reversal: the actor's open shift at the outlet, else the sale's shift if
 * it is still open, else none (B-shift-3). Locks it in share mode until the transaction ends, so that a close either
 * waits for this booking or has already happened. In the lock order, shifts come after almost everything else: only
 * the receipt counter follows.
 */
export async function shareBookingShift(
  tx: Tx,
  scope: Scope,
  sale: { outletId: string; saleShiftId: string | null },
): Promise<string | null> {
  return (await shareOpenShifts(tx, scope, sale)).booking
}

/**
 * Also returns which of the sale's shifts are still open. A bill that completes after its own shift was closed moves
 * to another one (B-shift-4). `lastPaymentShiftId` is the shift of its latest payment.
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

/**
 * Returns the shift that a sale names. Throws 404 if it is unknown, 422 if it belongs to another outlet, and 409 if
 * it is closed, all with param `shiftId` (B-sale-8).
 */
export async function getShiftForSale(
  db: Db,
  scope: Scope,
  shiftId: string,
  outletId: string,
): Promise<ShiftRef> {
  const shift = await getShiftAtOutlet(db, scope, shiftId, outletId)
  requireOpenShift(shift)
  return shift
}

/** The same without regard to whether the shift is open. */
export async function getShiftAtOutlet(db: Db, scope: Scope, shiftId: string, outletId: string) {
  const shift = await store.find(db, scope, shiftId)
  if (!shift) throw notFound('shift', 'shiftId')
  if (shift.outletId !== outletId) throw invalid('shiftId', 'This shift belongs to another outlet')
  return shift
}
