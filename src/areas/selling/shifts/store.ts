import { sql } from 'kysely'
import { decodeCursor } from '../../../core/cursor.ts'
import { newId } from '../../../core/ids.ts'
import { emptyToNull } from '../../../core/text.ts'
import { type Db, type Tx } from '../../../platform/db/open.ts'
import { insertOwn, ownRows, updateOwn } from '../../../platform/db/own-rows.ts'
import { walk } from '../../../platform/db/walk.ts'
import { word } from '../../../platform/db/word.ts'
import type { Scope } from '../../../platform/scope.ts'
import {
  type CashMovement,
  type CashMovementIn,
  type OpenIn,
  SHIFT_STATUSES,
  type ShiftQuery,
  type ShiftSummary,
} from './schema.ts'

const FIELDS = [
  'id',
  'outletId',
  'cashierId',
  'cashierName',
  'status',
  'openingFloat',
  'countedCash',
  'expectedCash',
  'difference',
  'notes',
  'openedAt',
  'closedAt',
  'closedBy',
  'createdAt',
  'updatedAt',
] as const

const all = (db: Db, scope: Scope) => ownRows(db, scope, 'shifts').select(FIELDS)

export const find = (db: Db, scope: Scope, id: string) =>
  all(db, scope).select('summary').where('id', '=', id).executeTakeFirst()

/**
 * Locks the shift until the transaction ends. Payments lock it in share mode, so earlier bookings are counted and
 * later ones see the shift closed (B-shift-3). Rows that only refer to the shift do not wait.
 */
export const lock = (tx: Tx, scope: Scope, id: string) =>
  all(tx, scope).select(['summary', 'closeRequest']).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

export const findOpen = (db: Db, scope: Scope, outletId: string) =>
  all(db, scope)
    .select('summary')
    .where('outletId', '=', outletId)
    .where('cashierId', '=', scope.actor.id)
    .where('status', '=', word('OPEN', SHIFT_STATUSES))
    .executeTakeFirst()

export function list(db: Db, scope: Scope, { outletId, status, cursor, limit }: ShiftQuery) {
  const { where, order } = walk({
    by: outletId === undefined ? [] : [['outletId', sql.val(outletId)]],
    id: 'id',
    from: null,
    before: cursor === undefined ? null : sql.val(decodeCursor(cursor, 'shift').id),
  })
  let rows = all(db, scope).where(where)
  if (status !== undefined) rows = rows.where('status', '=', word(status, SHIFT_STATUSES))
  return rows
    .orderBy(order)
    .limit(limit + 1)
    .execute()
}

/**
 * Inserts a shift. Returns its id, or undefined if the cashier already has an open one at the outlet. Waits for a
 * concurrent insert.
 */
export async function insert(tx: Tx, scope: Scope, { outletId, openingFloat }: OpenIn) {
  const { id: cashierId, name: cashierName } = scope.actor
  const row = await insertOwn(tx, scope, 'shifts', {
    id: newId('shift'),
    outletId,
    cashierId,
    cashierName,
    openingFloat,
    openedAt: scope.now,
    createdAt: scope.now,
    updatedAt: scope.now,
  })
    .onConflict((on) =>
      on.columns(['accountId', 'outletId', 'cashierId']).where('status', '=', 'OPEN').doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

export const close = (
  tx: Tx,
  scope: Scope,
  id: string,
  count: { countedCash: number; notes: string | null; closeRequest: string | null; openBills: number },
) =>
  updateOwn(tx, scope, 'shifts')
    .set({
      ...count,
      status: 'CLOSED',
      closedAt: scope.now,
      closedBy: scope.actor.id,
      updatedAt: scope.now,
    })
    .where('id', '=', id)
    .execute()

/** Stores the figures of a closed shift. Returns false if another process has stored them. */
export async function writeFigures(tx: Tx, scope: Scope, id: string, summary: ShiftSummary) {
  const row = await updateOwn(tx, scope, 'shifts')
    .set({
      expectedCash: summary.cash.expected,
      difference: sql<number>`counted_cash - ${summary.cash.expected}`,
      summary: JSON.stringify(summary),
    })
    .where('id', '=', id)
    .where('status', '=', 'CLOSED')
    .where('summary', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function insertMovement(
  tx: Tx,
  scope: Scope,
  shiftId: string,
  { approvedBy, ...input }: CashMovementIn & { approvedBy: string | null },
) {
  const movement: CashMovement = {
    id: newId('cashMovement'),
    shiftId,
    type: input.type,
    amount: input.amount,
    reason: emptyToNull(input.reason),
    category: input.category ?? null,
    actorId: scope.actor.id,
    approvedBy,
    createdAt: scope.now,
    updatedAt: scope.now,
  }
  await insertOwn(tx, scope, 'cashMovements', movement).execute()
  return movement
}
