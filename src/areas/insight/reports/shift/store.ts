import { assert } from '../../../../core/assert.ts'
import { type Db, named } from '../../../../platform/db/open.ts'
import { ownRows } from '../../../../platform/db/own-rows.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { SHIFT_FACTS } from '../statements-shift.ts'
import type { ShiftReport } from './schema.ts'

export async function findFacts(db: Db, scope: Scope, shiftId: string) {
  const [row] = await named<Pick<ShiftReport, 'receipts' | 'returned'>>(db, SHIFT_FACTS, [
    scope.accountId,
    shiftId,
  ])
  assert(row, 'a list of subqueries always answers one row')
  return row
}

/** Cash that was put in or taken out, oldest first. */
export const listCashMovements = (db: Db, scope: Scope, shiftId: string) =>
  ownRows(db, scope, 'cashMovements')
    .select([
      'id',
      'shiftId',
      'type',
      'amount',
      'reason',
      'category',
      'actorId',
      'approvedBy',
      'createdAt',
      'updatedAt',
    ])
    .where('shiftId', '=', shiftId)
    .orderBy('id')
    .execute()
