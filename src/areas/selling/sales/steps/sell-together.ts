import { assert } from '../../../../core/assert.ts'
import { ApiError } from '../../../../core/errors.ts'
import type { WriteDb } from '../../../../platform/db/open.ts'
import type { WithSlot } from '../../../../platform/db/places.ts'
import { sharedWrites } from '../../../../platform/db/shared-writes.ts'
import type { SaleChange } from '../store/change.ts'
import { writeSaleChanges } from '../store/write.ts'

const crowded = () =>
  new ApiError('SERVICE_UNAVAILABLE', 'Too many sales are waiting; send this one again', {
    headers: { 'retry-after': '1' },
  })

const sharedOn = (db: WriteDb) =>
  sharedWrites<SaleChange, string | null>({
    write: (changes, options) => writeSaleChanges(db, changes, options),
    keyOf: ({ idempotency }) => idempotency?.key ?? null,
    refuse: crowded,
  })

const shared = new WeakMap<WriteDb, ReturnType<typeof sharedOn>>()

/**
 * Writes a plain sale, in one statement with others that arrive while statements are running. Returns the JSON text
 * of the reply. Returns null, and writes no row of the sale, if a fact that it read has changed.
 */
export async function sellTogether(
  db: WriteDb,
  within: WithSlot,
  change: SaleChange,
): Promise<string | null> {
  const write = shared.get(db) ?? sharedOn(db)
  shared.set(db, write)
  const data = await write(change.scope.accountId, within, change)
  assert(data === null || data.includes(`"${change.after.id}"`), 'every sale gets its own reply')
  return data
}
