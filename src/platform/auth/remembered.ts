import { LRUCache } from 'lru-cache'
import type { Db } from '../db/open.ts'
import type { ApiKeyRow } from './statements.ts'
import { isStale } from './store.ts'

/** Maximum number of cached keys per process (LRU); a dropped key costs one query at its next use. */
const MAX_KEYS = 10_000

type CachedKey = { key: ApiKeyRow; since: string }
/** Keyed by hash, so the cache holds no usable credential. */
const known = new WeakMap<Db, LRUCache<string, CachedKey>>()

const keysOf = (db: Db): LRUCache<string, CachedKey> => {
  const keys = known.get(db) ?? new LRUCache<string, CachedKey>({ max: MAX_KEYS })
  known.set(db, keys)
  return keys
}

/** Returns a key cached within the last minute; a longer cache would leave its use unrecorded. */
export function recallKey(db: Db, hash: string, now: string): ApiKeyRow | undefined {
  const found = keysOf(db).get(hash)
  return found && !isStale(found.since, now) ? found.key : undefined
}

export function rememberKey(db: Db, hash: string, key: ApiKeyRow, now: string) {
  keysOf(db).set(hash, { key, since: now })
}
