import { assert } from '../../../../core/assert.ts'
import { refuseCrowd } from '../../../../platform/crowd.ts'
import { poolWaitMs, type WriteDb } from '../../../../platform/db/open.ts'
import type { WithSlot } from '../../../../platform/db/places.ts'
import { sharedWrites } from '../../../../platform/db/shared-writes.ts'
import type { Deps } from '../../../../platform/deps.ts'
import type { SaleChange, WrittenSale } from '../store/change.ts'
import { rememberBill } from '../store/known.ts'
import { writeSaleChanges } from '../store/write.ts'

const sharedOn = ({ db, config }: Pick<Deps, 'db' | 'config'>) =>
  sharedWrites<SaleChange, WrittenSale | null>({
    write: (changes, options) => writeSaleChanges(db, changes, options),
    keysOf: ({ before, after, idempotency }) => [
      ...(idempotency ? [idempotency.key] : []),
      ...(before ? [after.id] : []),
    ],
    refuse: refuseCrowd('Too many sales are waiting; send this one again'),
    waitMs: poolWaitMs(config.env),
  })

const shared = new WeakMap<WriteDb, ReturnType<typeof sharedOn>>()

/**
 * Writes a plain change, in one statement with others that arrive while statements are running. Returns null, and
 * writes no row of the sale, if a fact that it was decided from has changed.
 */
export async function writeTogether(
  deps: Pick<Deps, 'db' | 'config'>,
  within: WithSlot,
  change: SaleChange,
): Promise<WrittenSale | null> {
  const { db } = deps
  const write = shared.get(db) ?? sharedOn(deps)
  shared.set(db, write)
  const written = await write(change.scope.accountId, within, change)
  assert(written === null || written.data.includes(`"${change.after.id}"`), 'every sale gets its own reply')
  rememberBill(db, change, written)
  return written
}
