import { assert } from '../../../../core/assert.ts'
import { ApiError } from '../../../../core/errors.ts'
import type { WriteDb } from '../../../../platform/db/open.ts'
import type { WithSlot } from '../../../../platform/db/places.ts'
import { sharedWrites } from '../../../../platform/db/shared-writes.ts'
import type { SaleChange, WrittenSale } from '../store/change.ts'
import { rememberBill } from '../store/known.ts'
import { writeSaleChanges } from '../store/write.ts'

const crowded = () =>
  new ApiError('SERVICE_UNAVAILABLE', 'Too many sales are waiting; send this one again', {
    headers: { 'retry-after': '1' },
  })

const sharedOn = (db: WriteDb) =>
  sharedWrites<SaleChange, WrittenSale | null>({
    write: (changes, options) => writeSaleChanges(db, changes, options),
    keysOf: ({ before, after, idempotency }) => [
      ...(idempotency ? [idempotency.key] : []),
      ...(before ? [after.id] : []),
    ],
    refuse: crowded,
  })

const shared = new WeakMap<WriteDb, ReturnType<typeof sharedOn>>()

/**
 * Writes a plain change, in one statement with others that arrive while statements are running. Returns null, and
 * writes no row of the sale, if a fact that it was decided from has changed.
 */
export async function writeTogether(
  db: WriteDb,
  within: WithSlot,
  change: SaleChange,
): Promise<WrittenSale | null> {
  const write = shared.get(db) ?? sharedOn(db)
  shared.set(db, write)
  const written = await write(change.scope.accountId, within, change)
  assert(written === null || written.data.includes(`"${change.after.id}"`), 'every sale gets its own reply')
  rememberBill(db, change, written)
  return written
}
