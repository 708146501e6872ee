import { setTimeout } from 'node:timers/promises'
import { ApiError, malformed } from '../../core/errors.ts'
import { addMs } from '../../core/time.ts'
import { type Db, inTx, isSharded, named, namedWrite, type Tx } from '../db/open.ts'
import { isLockTimeout, isRetryable } from '../db/pg-errors.ts'
import { statement, type WriteStatement, writeStatement } from '../db/statement.ts'
import type { Deps } from '../deps.ts'
import { recordCatalogueChanges } from '../events/catalogue-changes.ts'
import type { Scope } from '../scope.ts'
import { isSealed, NotOpenedError, type RecordLocation } from '../secrets/secrets.ts'

/** A key is scoped to the workspace and bound to method, path, query and canonical body (B-key-2, B-key-3). */
export type IdempotencyKey = {
  key: string
  fingerprint: string
  /**
   * The fingerprint in the format of an earlier release, keyed with the secret of the process. Such a row lives at
   * most 24 hours, so a later release can remove this.
   */
  earlier(): string[]
}
/**
 * The response of a write; `data` is JSON text. `isForeign`: a replay whose secret the caller may not see (B-key-7).
 */
export type Reply = { status: number; data: string; replayed: boolean; isForeign?: boolean }

const REPLAY_HOURS = 24
/** The status of a key whose request is still running; other requests see it only on routes that call a partner. */
const BEGUN = 0
const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/

/** Reads the header; the quoted form of the IETF draft and the bare form are the same key. */
export function readKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null
  const text =
    typeof header === 'string' && /^".*"$/.test(header) && header.length > 2 ? header.slice(1, -1) : header
  if (typeof text !== 'string' || !VISIBLE_ASCII.test(text)) {
    throw malformed('Idempotency-Key', 'Idempotency-Key must be 1 to 255 visible ASCII characters')
  }
  return text
}

/**
 * SQL of the advisory lock number of a key. The key's row would also serialize duplicates, but a sale in one statement
 * writes that row last, while it holds its outlet's locks; this lock can be taken first. Two keys with the same number
 * merely take turns.
 */
export const keyLock = (account: string, key: string) => `hashtextextended(${account} || ' ' || ${key}, 0)`

const RUNNING = `with running as materialized (select pg_advisory_xact_lock(${keyLock('$1::text', '$2::text')}))`
/**
 * SQL of the time before which keys have expired: the earlier of the two clocks' 24 hours ago, that of this process (`now` less 24
 * hours) and that of the database. A clock that jumps ahead must not end a key that a till is about to repeat.
 */
export const expiredBefore = (expiry: string) =>
  `least(${expiry}::timestamptz, now() - interval '${REPLAY_HOURS} hours')`

/**
 * SQL of the time at which a key is first used: the later of the two clocks. A key stamped by a clock that is behind
 * would be expired as soon as that clock is set. In whole milliseconds, as the driver reads it.
 */
export const firstUsedAt = (now: string) => `greatest(${now}, now())::timestamptz(3)`

const INTO = 'insert into idempotency_keys as k (account_id, key, fingerprint, status, body, created_at)'
const EXPIRY = expiredBefore('$5')
const USED_AT = firstUsedAt('$4::timestamptz')
const takeIf = (
  expiry: string,
) => `on conflict (account_id, key) do update set fingerprint = excluded.fingerprint, status = 0, body = '', created_at = excluded.created_at
    where k.created_at < ${expiry} returning key`
const INSERT = writeStatement(
  'idempotency_insert',
  `${RUNNING} ${INTO} select $1, $2, $3, 0, '', ${USED_AT} from running ${takeIf(EXPIRY)}`,
)
/**
 * The same for a request that calls a partner, whose key is committed before its effect. A retry of the same request
 * may take the key again, and the key keeps the time of its first use.
 */
const takeAgainIf = (
  expiry: string,
  usedAt: string,
) => `on conflict (account_id, key) do update set fingerprint = excluded.fingerprint, status = 0, body = '',
      created_at = case when k.created_at < ${expiry} then excluded.created_at else k.created_at end
    where k.created_at < ${expiry} or (k.status = 0 and k.fingerprint = excluded.fingerprint)
    returning created_at as "usedAt", created_at = ${usedAt} as "isFirst"`
const BEGIN = writeStatement(
  'idempotency_begin',
  `${RUNNING} ${INTO} select $1, $2, $3, 0, '', ${USED_AT} from running ${takeAgainIf(EXPIRY, USED_AT)}`,
)
/**
 * In a sharded database the lock is a separate statement: a select beside the row would run on the coordinator anyway.
 * All processes share the lock on the coordinator. With several coordinators, the row alone makes duplicates wait, a
 * moment later. It also reads the two times of the key, because Citus refuses the database's clock in ON CONFLICT.
 */
const WAIT = statement(
  'idempotency_wait',
  `select pg_advisory_xact_lock(${keyLock('$1::text', '$2::text')}), ${expiredBefore('$3')} as expiry, ${firstUsedAt('$4::timestamptz')} as "usedAt"`,
)
const TRY = statement(
  'idempotency_try',
  `select pg_try_advisory_xact_lock(${keyLock('$1::text', '$2::text')}) as "isFree"`,
)
const VALUES = `${INTO} values ($1, $2, $3, 0, '', $4::timestamptz)`
const SPREAD: Readonly<Record<'insert' | 'begin', WriteStatement>> = {
  insert: writeStatement('idempotency_insert_spread', `${VALUES} ${takeIf('$5::timestamptz')}`),
  begin: writeStatement(
    'idempotency_begin_spread',
    `${VALUES} ${takeAgainIf('$5::timestamptz', '$4::timestamptz')}`,
  ),
}
const TAKINGS: Readonly<Record<'insert' | 'begin', WriteStatement>> = { insert: INSERT, begin: BEGIN }
const RELEASE = writeStatement(
  'idempotency_release',
  'delete from idempotency_keys where account_id = $1 and key = $2 and fingerprint = $3 and status = 0 and created_at = $4',
)
const FINISH = writeStatement(
  'idempotency_finish',
  'update idempotency_keys set status = $3, body = $4 where account_id = $1 and key = $2',
)
const KEEP = writeStatement(
  'idempotency_keep',
  `insert into idempotency_keys (account_id, key, fingerprint, status, body, created_at) values ($1, $2, $3, $4, $5, ${firstUsedAt('$6::timestamptz')})`,
)
const FIND = statement(
  'idempotency_find',
  `select fingerprint, status, body, created_at from idempotency_keys where account_id = $1 and key = $2 and created_at >= ${expiredBefore('$3')}`,
)

/** Keys created before this time are past their replay window, by the clock of this process (`expiredBefore`). */
export const expiryOf = ({ now }: Pick<Scope, 'now'>) => addMs(now, -REPLAY_HOURS * 3_600_000)

/** The message asks for a lookup first: a till that simply takes a new key may sell twice. */
const usedOtherwise = (usedAt: string) =>
  new ApiError(
    'IDEMPOTENCY_KEY_IN_USE',
    'A different request with this Idempotency-Key has already succeeded. If yours was meant to be the same one, look up what that one created (the sale, the payment) before you send it again; use a new key only for a new request',
    { details: { usedAt } },
  )

const begunOtherwise = () =>
  new ApiError(
    'IDEMPOTENCY_KEY_IN_USE',
    'A different request with this Idempotency-Key has begun and has not been completed: send that one again, or use a new key for yours',
  )

/** The stored answer of an earlier request with this key, if there is one. */
export async function findReplay(
  deps: Pick<Deps, 'secrets'>,
  db: Db,
  scope: Scope,
  idem: IdempotencyKey,
): Promise<Reply | null> {
  const [row] = await named<StoredReply>(db, FIND, [scope.accountId, idem.key, expiryOf(scope)])
  return row ? replayOf(deps, scope, idem, row) : null
}

/** The stored row of a key: the request's fingerprint and its response. */
export type StoredReply = { fingerprint: string; status: number; body: string; created_at: string }

/** The same for a row that was already read. */
export async function replayOf(
  deps: Pick<Deps, 'secrets'>,
  scope: Scope,
  idem: IdempotencyKey,
  row: StoredReply,
): Promise<Reply | null> {
  if (row.fingerprint !== idem.fingerprint && !idem.earlier().includes(row.fingerprint)) {
    throw row.status === BEGUN ? begunOtherwise() : usedOtherwise(row.created_at)
  }
  if (row.status === BEGUN) return null
  if (!isSealed(row.body)) return { status: row.status, data: row.body, replayed: true }
  const { author, data } = splitAuthor(await unsealed(deps, row.body, placeOf(scope, idem)))
  return { status: row.status, data, replayed: true, isForeign: !isOwnAnswer(scope, author) }
}

const memberOrKey = ({ actor: { kind, id } }: Scope) => `${kind} ${id}`
const authorOf = (scope: Scope) => `${memberOrKey(scope)} ${scope.actor.delegation?.id ?? ''}`

/**
 * A member may see the responses to an assistant acting for them. An assistant may see only its own token's.
 */
const isOwnAnswer = (scope: Scope, author: string | null): boolean =>
  author === null ||
  author === authorOf(scope) ||
  (scope.actor.delegation === undefined && author.startsWith(`${memberOrKey(scope)} `))

/**
 * A response with a secret is encrypted together with its author. Earlier releases stored no author: their responses
 * live at most 24 hours and stay readable for a retry.
 */
const withAuthor = (scope: Scope, data: string) => `${authorOf(scope)}\n${data}`
function splitAuthor(text: string): { author: string | null; data: string } {
  if (text.startsWith('{')) return { author: null, data: text }
  const end = text.indexOf('\n')
  return { author: text.slice(0, end), data: text.slice(end + 1) }
}

const placeOf = ({ accountId }: Scope, { key }: IdempotencyKey): RecordLocation => ({
  table: 'idempotency_keys',
  column: 'body',
  accountId,
  row: key,
})

/** The request succeeded nevertheless, so its retry must not receive a failure of the request. */
async function unsealed(
  { secrets }: Pick<Deps, 'secrets'>,
  body: string,
  place: RecordLocation,
): Promise<string> {
  try {
    return await secrets.open(body, place)
  } catch (cause) {
    if (!(cause instanceof NotOpenedError)) throw cause
    throw new ApiError(
      'IDEMPOTENCY_KEY_IN_USE',
      'The request with this Idempotency-Key succeeded, but its answer held a secret that this installation can no longer open: look up what it created, and create another one if you need the secret',
      { cause },
    )
  }
}

/** A taken key; a key that is committed before its effect also has the time of its first use. */
type TakenKey = { usedAt?: string; isFirst?: boolean }

/** Takes the key inside the write's transaction. A concurrent duplicate waits here until the first request ends. */
async function takeKey(
  tx: Tx,
  scope: Scope,
  idem: Pick<IdempotencyKey, 'key' | 'fingerprint'>,
  taking: keyof typeof TAKINGS = 'insert',
): Promise<TakenKey | undefined> {
  const values = [scope.accountId, idem.key, idem.fingerprint]
  const take = async () => {
    if (!isSharded(tx))
      return namedWrite<TakenKey>(tx, TAKINGS[taking], [...values, scope.now, expiryOf(scope)])
    const [lock] = await named<{ expiry: string; usedAt: string }>(tx, WAIT, [
      scope.accountId,
      idem.key,
      expiryOf(scope),
      scope.now,
    ])
    return namedWrite<TakenKey>(tx, SPREAD[taking], [...values, lock?.usedAt, lock?.expiry])
  }
  const [row] = await take().catch((error: unknown) => {
    if (!isLockTimeout(error)) throw error
    throw new ApiError(
      'IDEMPOTENCY_KEY_IN_USE',
      'The first request with this Idempotency-Key is still running; send yours again with the same key',
      {
        headers: { 'retry-after': '1' },
        cause: error,
      },
    )
  })
  return row
}

/**
 * Tries to lock a key that has no row yet. Returns false while a request with this key is running. It serves writes
 * that prove the key unused and store it with the reply as their last row (`keepReply`). They never wait for a
 * duplicate while they hold locks.
 */
export async function tryKey(
  tx: Tx,
  { accountId }: Pick<Scope, 'accountId'>,
  { key }: Pick<IdempotencyKey, 'key'>,
): Promise<boolean> {
  const [row] = await named<{ isFree: boolean }>(tx, TRY, [accountId, key])
  return row?.isFree === true
}

/** Stores the reply of a request together with its key, which `tryKey` locked. */
export const keepReply = (
  tx: Tx,
  scope: Scope,
  { key, fingerprint }: Pick<IdempotencyKey, 'key' | 'fingerprint'>,
  { status, body }: { status: number; body: string },
) => namedWrite(tx, KEEP, [scope.accountId, key, fingerprint, status, body, scope.now])

/** Stores the reply of a request whose key the transaction has taken. */
const finishKey = (
  tx: Tx,
  scope: Scope,
  { key }: Pick<IdempotencyKey, 'key'>,
  { status, body }: { status: number; body: string },
) => namedWrite(tx, FINISH, [scope.accountId, key, status, body])

/**
 * Takes the key of a request that calls a partner, in its own transaction. The key is committed before the call, so
 * after a crash only the same request can repeat it under this key. Returns the stored reply if the request has
 * already ended; otherwise the time of the key's first use, and whether that is this one. `firstStep` is a write of the
 * request that commits together with the key.
 */
export async function beginKey(
  deps: Deps,
  scope: Scope,
  idem: IdempotencyKey,
  firstStep?: (tx: Tx) => Promise<void>,
): Promise<{ replay: Reply } | { usedAt: string; isFirst: boolean }> {
  const row = await retrying(scope, () =>
    inTx(deps.db, async (tx) => {
      const taken = await takeKey(tx, scope, idem, 'begin')
      if (taken) await firstStep?.(tx)
      return taken
    }),
  )
  if (row) return { usedAt: row.usedAt ?? scope.now, isFirst: row.isFirst === true }
  const replay = await findReplay(deps, deps.db, scope, idem)
  if (replay) return { replay }
  throw reused()
}

/** Releases a key whose request was rejected before it had any effect. */
export const releaseKey = (
  { db }: Deps,
  { accountId }: Scope,
  { key, fingerprint }: IdempotencyKey,
  usedAt: string,
) => inTx(db, (tx) => namedWrite(tx, RELEASE, [accountId, key, fingerprint, usedAt]))

const reused = () =>
  new ApiError(
    'IDEMPOTENCY_KEY_IN_USE',
    'This Idempotency-Key is being reused; send yours again with the same key in a moment',
    { headers: { 'retry-after': '1' } },
  )

type Write<T> = (tx: Tx) => Promise<{ status: number; value: T; secret: boolean }>

/**
 * Attempts at a transaction that fails with a serialization failure or a deadlock; the caller does not see the
 * retries.
 */
const ATTEMPTS = 4
const RETRY_SPREAD_MS = 50

export async function retrying<T>(scope: Scope, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    scope.boards.clear()
    scope.catalogueChanges.clear()
    try {
      return await work()
    } catch (error) {
      if (!isRetryable(error) || attempt === ATTEMPTS) throw error
      // A random wait keeps colliding transactions from colliding again.
      await setTimeout(Math.random() * RETRY_SPREAD_MS * attempt)
    }
  }
}

/** Runs a write once: the key, the effect and the stored reply commit together, or none of them does. */
export const runWrite = <T>(
  deps: Deps,
  scope: Scope,
  idem: IdempotencyKey | null,
  write: Write<T>,
): Promise<Reply> => writeWithKey({ deps, scope, idem, taking: 'insert' }, write)

/** The same for a write whose key `beginKey` has already committed. */
export const completeWrite = <T>(
  deps: Deps,
  scope: Scope,
  idem: IdempotencyKey | null,
  write: Write<T>,
): Promise<Reply> => writeWithKey({ deps, scope, idem, taking: 'begin' }, write)

type KeyedWrite = { deps: Deps; scope: Scope; idem: IdempotencyKey | null; taking: keyof typeof TAKINGS }

async function writeWithKey<T>({ deps, scope, idem, taking }: KeyedWrite, write: Write<T>): Promise<Reply> {
  const reply = await retrying(scope, () =>
    inTx(deps.db, async (tx) => {
      if (idem && !(await takeKey(tx, scope, idem, taking))) return null
      const { status, value, secret } = await write(tx)
      await recordCatalogueChanges(tx, scope)
      const data = JSON.stringify(value)
      if (idem) {
        const body = secret ? deps.secrets.seal(withAuthor(scope, data), placeOf(scope, idem)) : data
        await finishKey(tx, scope, idem, { status, body })
      }
      return { status, data, replayed: false }
    }),
  )
  if (reply) {
    if (scope.boards.size > 0) deps.live.publish(scope.accountId, scope.boards)
    return reply
  }
  const replay = idem && (await findReplay(deps, deps.db, scope, idem))
  if (replay) return replay
  throw reused()
}
