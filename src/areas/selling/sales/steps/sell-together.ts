import { assert } from '../../../../core/assert.ts'
import { ApiError } from '../../../../core/errors.ts'
import type { WriteDb } from '../../../../platform/db/open.ts'
import { sharedWrites } from '../../../../platform/db/shared-writes.ts'
import type { Within } from '../../../../platform/http/route.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { insertSales, type Travelling } from '../store/create.ts'
import type { NewSale } from '../store/fresh.ts'

const crowded = () =>
  new ApiError('SERVICE_UNAVAILABLE', 'Too many sales are waiting at once; send this one again', {
    headers: { 'retry-after': '1' },
  })

const sharedOn = (db: WriteDb) =>
  sharedWrites<Travelling, string | null>({
    write: async (all) => {
      const [first] = all
      assert(first, 'somebody travels')
      const replies = await insertSales(db, first.scope.accountId, all)
      return replies && all.map(({ fresh }) => replies.get(fresh.sale.id) ?? null)
    },
    keyOf: ({ fresh }) => fresh.idem?.key ?? null,
    refuse: crowded,
  })

const shared = new WeakMap<WriteDb, ReturnType<typeof sharedOn>>()

/**
 * Writes a plain sale, in one statement with others of its workspace that came while one was on its way. The reply's JSON
 * text, or null when it has to look again at what it read: nothing of it is written.
 */
export async function sellTogether(
  db: WriteDb,
  scope: Scope,
  within: Within,
  fresh: NewSale,
): Promise<string | null> {
  const travel = shared.get(db) ?? sharedOn(db)
  shared.set(db, travel)
  const data = await travel(scope.accountId, within, { scope, fresh })
  assert(data === null || data.includes(`"${fresh.sale.id}"`), 'every sale gets its own reply')
  return data
}
