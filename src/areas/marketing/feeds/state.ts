import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/open.ts'
import { readEdge } from '../../../platform/log-edge.ts'
import type { Scope } from '../../../platform/scope.ts'
import * as store from './store.ts'

type Account = Pick<Scope, 'accountId'>

/** The goods as they were added up; `edge` is the oldest transaction that ran just before. */
type Known = { goods: store.State; edge: string; sinceMs: number }

/** Beyond this many workspaces the one that was added up longest ago is forgotten: it costs one statement to be known again. */
const MOST_KNOWN = 10_000
/** The log tells of everything that the service changes; by then the rows are read for what anybody else does in the database. */
const LIFETIME_MS = 60_000
/** No transaction of a database has this number yet. */
const NEVER = '9223372036854775807'
const known = new WeakMap<Db, Map<string, Known>>()

/**
 * What a feed is made of, as two texts that tell it apart. Adding up all goods is for the first look and for one after the
 * log has grown: else it is proved in a statement that reads no goods that they are as they were.
 */
export async function readState(clock: Pick<Clock, 'ms'>, db: Db, account: Account): Promise<store.State> {
  const last = recall(db, account, clock.ms())
  const { hasMoved, ...places } = await store.placesState(db, account, last?.edge ?? NEVER)
  return together(places, last && !hasMoved ? last.goods : await addUp(clock, db, account))
}

async function addUp(clock: Pick<Clock, 'ms'>, db: Db, account: Account): Promise<store.State> {
  // Before the goods are read: what is committed meanwhile counts as new.
  const { xmin: edge } = await readEdge(db)
  const goods = await store.goodsState(db, account)
  remember(db, account, { goods, edge, sinceMs: clock.ms() })
  return goods
}

const together = (a: store.State, b: store.State): store.State => ({
  state: `${a.state} ${b.state}`,
  latest: (a.latest ?? '') > (b.latest ?? '') ? a.latest : b.latest,
})

function recall(db: Db, { accountId }: Account, nowMs: number): Known | undefined {
  const found = known.get(db)?.get(accountId)
  const ageMs = nowMs - (found?.sinceMs ?? 0)
  return ageMs >= 0 && ageMs <= LIFETIME_MS ? found : undefined
}

function remember(db: Db, { accountId }: Account, fact: Known) {
  const ofDb = known.get(db) ?? new Map<string, Known>()
  known.set(db, ofDb)
  ofDb.delete(accountId)
  ofDb.set(accountId, fact)
  const [oldest] = ofDb.keys()
  if (ofDb.size > MOST_KNOWN && oldest !== undefined) ofDb.delete(oldest)
}
