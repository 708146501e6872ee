import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/open.ts'
import { readEdge } from '../../../platform/log/edge.ts'
import type { Scope } from '../../../platform/scope.ts'
import * as store from './store.ts'

type Account = Pick<Scope, 'accountId'>

/** The cached state of the goods; `edge` is the oldest transaction that was running just before it was computed. */
type CachedGoodsState = { goods: store.GoodsState; edge: string; sinceMs: number }

/** Beyond this many workspaces the least recently used entry is evicted. Its next feed costs one statement. */
const MOST_KNOWN = 10_000
/**
 * The event log reports every change that the service makes. The cache entry still expires, in case another program
 * changes the database.
 */
const LIFETIME_MS = 60_000
/** A number that no transaction reaches. */
const NEVER = '9223372036854775807'
const known = new WeakMap<Db, LRUCache<string, CachedGoodsState>>()

/**
 * Returns the state of all rows that a feed uses at `now`; it changes whenever one of them does. Only the first call,
 * and the next one after new events, reads all goods. Otherwise a cheap statement proves that the cached state is
 * still valid.
 */
export async function readState(
  clock: Pick<Clock, 'ms'>,
  db: Db,
  account: Account,
  now: string,
): Promise<store.GoodsState> {
  const last = recall(db, account, clock.ms())
  const { hasMoved, ...places } = await store.placesState(db, account, last?.edge ?? NEVER, now)
  return together(places, last && !hasMoved ? last.goods : await addUp(clock, db, account))
}

async function addUp(clock: Pick<Clock, 'ms'>, db: Db, account: Account): Promise<store.GoodsState> {
  // The edge is read before the goods, so that changes committed meanwhile count as new.
  const { xmin: edge } = await readEdge(db)
  const goods = await store.goodsState(db, account)
  remember(db, account, { goods, edge, sinceMs: clock.ms() })
  return goods
}

const together = (a: store.GoodsState, b: store.GoodsState): store.GoodsState => ({
  state: `${a.state} ${b.state}`,
  latest: (a.latest ?? '') > (b.latest ?? '') ? a.latest : b.latest,
})

function recall(db: Db, { accountId }: Account, nowMs: number): CachedGoodsState | undefined {
  const found = known.get(db)?.get(accountId)
  const ageMs = nowMs - (found?.sinceMs ?? 0)
  return ageMs >= 0 && ageMs <= LIFETIME_MS ? found : undefined
}

function remember(db: Db, { accountId }: Account, fact: CachedGoodsState) {
  const ofDb = known.get(db) ?? new LRUCache<string, CachedGoodsState>({ max: MOST_KNOWN })
  known.set(db, ofDb)
  ofDb.set(accountId, fact)
}
