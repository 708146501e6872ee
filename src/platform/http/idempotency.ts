import { setTimeout } from 'node:timers/promises'
import { ApiError, malformed } from '../../core/errors.ts'
import { addMs } from '../../core/time.ts'
import { type Db, inTx, isSharded, named, namedWrite, type Tx } from '../db/open.ts'
import { isLockTimeout, isRetryable } from '../db/pg-errors.ts'
import { statement, type WriteStatement, writeStatement } from '../db/statement.ts'
import type { Deps } from '../deps.ts'
import type { Scope } from '../scope.ts'
import { isSealed, type Place } from '../secrets.ts'

/** A key is scoped to the workspace and bound to method, path and canonical body (B-key-2, B-key-3). */
export type IdempotencyKey = {
  key: string
  fingerprint: string
  /**
   * The fingerprint as it was stored by an earlier release, keyed with the secret of the process. A row of that kind
   * lives 24 hours at most: the second release may forget this one.
   */
  earlier(): string[]
}
/** What a write answers: `data` as JSON text. */
export type Reply = { status: number; data: string; replayed: boolean }

const REPLAY_HOURS = 24
/** The status of a key whose request has not ended; others see it only where a partner is asked. */
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
 * SQL of the number that represents a key while its request runs. The row of a key would do that too, but only for
 * those who write it, and a sale in one statement writes it last, when it already holds the locks of its outlet: it
 * can ask for this lock first. Two keys of one number merely take turns.
 */
export const keyLock = (account: string, key: string) => `hashtextextended(${account} || ' ' || ${key}, 0)`

const RUNNING = `with running as materialized (select pg_advisory_xact_lock(${keyLock('$1::text', '$2::text')}))`
const INTO = 'insert into idempotency_keys as k (account_id, key, fingerprint, status, body, created_at)'
const TAKE = `on conflict (account_id, key) do update set fingerprint = excluded.fingerprint, status = 0, body = '', created_at = excluded.created_at
    where k.created_at < $5::timestamptz returning key`
const INSERT = writeStatement(
  'idempotency_insert',
  `${RUNNING} ${INTO} select $1, $2, $3, 0, '', $4::timestamptz from running ${TAKE}`,
)
/**
 * The same for a request that asks a partner, whose key is committed before its effect: it may be taken again by whoever
 * sends the same request, and keeps the instant at which it was first taken.
 */
const TAKE_AGAIN = `on conflict (account_id, key) do update set fingerprint = excluded.fingerprint, status = 0, body = '',
      created_at = case when k.created_at < $5::timestamptz then excluded.created_at else k.created_at end
    where k.created_at < $5::timestamptz or (k.status = 0 and k.fingerprint = excluded.fingerprint) returning created_at`
const BEGIN = writeStatement(
  'idempotency_begin',
  `${RUNNING} ${INTO} select $1, $2, $3, 0, '', $4::timestamptz from running ${TAKE_AGAIN}`,
)
/**
 * Where rows are spread over workers a select beside the row would be carried out on the coordinator. It is a statement of its
 * own there, and holds the number on the coordinator, which all processes share. Were there several, the row alone would make
 * twins wait, a moment later.
 */
const WAIT = statement('idempotency_wait', `select pg_advisory_xact_lock(${keyLock('$1::text', '$2::text')})`)
const TRY = statement(
  'idempotency_try',
  `select pg_try_advisory_xact_lock(${keyLock('$1::text', '$2::text')}) as "isFree"`,
)
const VALUES = `${INTO} values ($1, $2, $3, 0, '', $4::timestamptz)`
const SPREAD: Readonly<Record<'insert' | 'begin', WriteStatement>> = {
  insert: writeStatement('idempotency_insert_spread', `${VALUES} ${TAKE}`),
  begin: writeStatement('idempotency_begin_spread', `${VALUES} ${TAKE_AGAIN}`),
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
  'insert into idempotency_keys (account_id, key, fingerprint, status, body, created_at) values ($1, $2, $3, $4, $5, $6::timestamptz)',
)
const FIND = statement(
  'idempotency_find',
  'select fingerprint, status, body, created_at from idempotency_keys where account_id = $1 and key = $2 and created_at >= $3',
)

/** Keys from before this instant are past their replay window. */
export const expiryOf = ({ now }: Pick<Scope, 'now'>) => addMs(now, -REPLAY_HOURS * 3_600_000)

/** A till that is sent away for a new key sells twice if its request was the first one after all. */
const usedOtherwise = (usedAt: string) =>
  new ApiError(
    'IDEMPOTENCY_KEY_IN_USE',
    'A different request with this Idempotency-Key has already succeeded. If yours was meant to be the same one, look up what that one created (the sale, the payment) before you send it again; use a new key only for a new request',
    { details: { usedAt } },
  )

const begunOtherwise = () =>
  new ApiError(
    'IDEMPOTENCY_KEY_IN_USE',
    'A different request with this Idempotency-Key was sent to a partner, and its outcome is not known yet: send that one again, or use a new key for yours',
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

/** The row of a key: what its request was, and what was answered. */
export type StoredReply = { fingerprint: string; status: number; body: string; created_at: string }

/** The same of a row that was read already. */
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
  const data = isSealed(row.body) ? await unsealed(deps, row.body, placeOf(scope, idem)) : row.body
  return { status: row.status, data, replayed: true }
}

const placeOf = ({ accountId }: Scope, { key }: IdempotencyKey): Place => ({
  table: 'idempotency_keys',
  column: 'body',
  accountId,
  row: key,
})

/** The request was carried out all the same: its twin must not be answered as if it had failed. */
async function unsealed({ secrets }: Pick<Deps, 'secrets'>, body: string, place: Place): Promise<string> {
  try {
    return await secrets.open(body, place)
  } catch (cause) {
    throw new ApiError(
      'IDEMPOTENCY_KEY_IN_USE',
      'The request with this Idempotency-Key succeeded, but its answer held a secret that this installation can no longer open: look up what it created, and create another one if you need the secret',
      { cause },
    )
  }
}

/** Takes the key inside the write's transaction. A twin waits here until the first one has ended. */
async function takeKey(
  tx: Tx,
  scope: Scope,
  idem: Pick<IdempotencyKey, 'key' | 'fingerprint'>,
  taking: keyof typeof TAKINGS = 'insert',
): Promise<{ created_at?: string } | undefined> {
  const values = [scope.accountId, idem.key, idem.fingerprint, scope.now, expiryOf(scope)]
  const take = async () => {
    if (!isSharded(tx)) return namedWrite<{ created_at?: string }>(tx, TAKINGS[taking], values)
    await named(tx, WAIT, values.slice(0, 2))
    return namedWrite<{ created_at?: string }>(tx, SPREAD[taking], values)
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
 * Tries for a key of which nothing is written yet; false while a request with it is running. For a write that proves that
 * nobody has used it and stores it with its reply (`keepReply`), as its last row: so it never waits for a twin while it holds
 * what others wait for.
 */
export async function tryKey(
  tx: Tx,
  { accountId }: Pick<Scope, 'accountId'>,
  { key }: Pick<IdempotencyKey, 'key'>,
): Promise<boolean> {
  const [row] = await named<{ isFree: boolean }>(tx, TRY, [accountId, key])
  return row?.isFree === true
}

/** Stores the reply of a request together with its key, which `tryKey` got. */
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
 * Takes the key of a request that asks a partner, in a transaction of its own: committed before the partner is asked, so
 * that after a crash the same request asks again under the same key, and no other does. Answers the stored reply when the
 * request has ended before, else whether nobody had taken the key.
 */
export async function beginKey(
  deps: Deps,
  scope: Scope,
  idem: IdempotencyKey,
): Promise<{ replay: Reply } | { isFirst: boolean }> {
  const row = await retrying(scope, () => inTx(deps.db, (tx) => takeKey(tx, scope, idem, 'begin')))
  if (row) return { isFirst: row.created_at === scope.now }
  const replay = await findReplay(deps, deps.db, scope, idem)
  if (replay) return { replay }
  throw reused()
}

/** Gives a key back whose request was refused before it had any effect. */
export const releaseKey = ({ db }: Deps, { accountId, now }: Scope, { key, fingerprint }: IdempotencyKey) =>
  inTx(db, (tx) => namedWrite(tx, RELEASE, [accountId, key, fingerprint, now]))

const reused = () =>
  new ApiError(
    'IDEMPOTENCY_KEY_IN_USE',
    'This Idempotency-Key is being reused; send yours again with the same key in a moment',
    { headers: { 'retry-after': '1' } },
  )

type Write<T> = (tx: Tx) => Promise<{ status: number; value: T; secret: boolean }>

/** Serialization failures and deadlocks are the database's request to try again; the caller never sees them. */
const ATTEMPTS = 4
const RETRY_SPREAD_MS = 50

export async function retrying<T>(scope: Scope, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    scope.boards.clear()
    try {
      return await work()
    } catch (error) {
      if (!isRetryable(error) || attempt === ATTEMPTS) throw error
      // Transactions that met once would meet again: each waits for a time of its own.
      await setTimeout(Math.random() * RETRY_SPREAD_MS * attempt)
    }
  }
}

/**
 * Runs a write once: the key, the effect and the stored reply commit together, or none of them does. `hasBegun` when the
 * key was committed before, by `beginKey`.
 */
export async function runWrite<T>(
  deps: Deps,
  scope: Scope,
  idem: IdempotencyKey | null,
  write: Write<T>,
  { hasBegun = false }: { hasBegun?: boolean } = {},
): Promise<Reply> {
  const reply = await retrying(scope, () =>
    inTx(deps.db, async (tx) => {
      if (idem && !(await takeKey(tx, scope, idem, hasBegun ? 'begin' : 'insert'))) return null
      const { status, value, secret } = await write(tx)
      const data = JSON.stringify(value)
      if (idem) {
        const body = secret ? deps.secrets.seal(data, placeOf(scope, idem)) : data
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
