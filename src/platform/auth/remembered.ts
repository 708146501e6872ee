import type { Db } from '../db/open.ts'
import type { KeyRow } from './statements.ts'
import { isStale } from './store.ts'

/** Beyond this many keys of one process the oldest is forgotten: it costs one statement to be known again. */
const MAX_KEYS = 10_000

type Remembered = { key: KeyRow; since: string }
/** By hash, oldest first; nothing here could be sent as a credential. */
const known = new WeakMap<Db, Map<string, Remembered>>()

const keysOf = (db: Db): Map<string, Remembered> => {
  const keys = known.get(db) ?? new Map<string, Remembered>()
  known.set(db, keys)
  return keys
}

/** A key that was found within the minute, as it was then; longer than that its use would go unrecorded. */
export function recallKey(db: Db, hash: string, now: string): KeyRow | undefined {
  const found = keysOf(db).get(hash)
  return found && !isStale(found.since, now) ? found.key : undefined
}

export function rememberKey(db: Db, hash: string, key: KeyRow, now: string) {
  const keys = keysOf(db)
  keys.delete(hash)
  keys.set(hash, { key, since: now })
  const [oldest] = keys.keys()
  if (keys.size > MAX_KEYS && oldest !== undefined) keys.delete(oldest)
}
