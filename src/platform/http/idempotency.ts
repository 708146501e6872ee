import { setTimeout } from 'node:timers/promises'
import { ApiError, malformed } from '../../core/errors.ts'
import { addMs } from '../../core/time.ts'
import { type Db, inTx, named, namedWrite, type Tx } from '../db/open.ts'
import { isLockTimeout, isRetryable } from '../db/pg-errors.ts'
import { statement, writeStatement } from '../db/statement.ts'
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
  earlier(): string
}
/** What a write answers: `data` as JSON text. */
export type Reply = { status: number; data: string; replayed: boolean }

const REPLAY_HOURS = 24
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

const INSERT = writeStatement(
  'idempotency_insert',
  `with running as materialized (select pg_advisory_xact_lock(${keyLock('$1::text', '$2::text')}))
    insert into idempotency_keys as k (account_id, key, fingerprint, status, body, created_at)
    select $1, $2, $3, 0, '', $4::timestamptz from running
    on conflict (account_id, key) do update set fingerprint = excluded.fingerprint, status = 0, body = '', created_at = excluded.created_at
    where k.created_at < $5 returning key`,
)
const FINISH = writeStatement(
  'idempotency_finish',
  'update idempotency_keys set status = $3, body = $4 where account_id = $1 and key = $2',
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

/** The stored answer of an earlier request with this key, if there is one. */
export async function findReplay(
  deps: Deps,
  db: Db,
  scope: Scope,
  idem: IdempotencyKey,
): Promise<Reply | null> {
  type Row = { fingerprint: string; status: number; body: string; created_at: string }
  const [row] = await named<Row>(db, FIND, [scope.accountId, idem.key, expiryOf(scope)])
  if (!row) return null
  if (row.fingerprint !== idem.fingerprint && row.fingerprint !== idem.earlier()) {
    throw usedOtherwise(row.created_at)
  }
  const data = isSealed(row.body) ? unsealed(deps, row.body, placeOf(scope, idem)) : row.body
  return { status: row.status, data, replayed: true }
}

const placeOf = ({ accountId }: Scope, { key }: IdempotencyKey): Place => ({
  table: 'idempotency_keys',
  column: 'body',
  accountId,
  row: key,
})

/** The request was carried out all the same: its twin must not be answered as if it had failed. */
function unsealed({ secrets }: Deps, body: string, place: Place): string {
  try {
    return secrets.open(body, place)
  } catch (cause) {
    throw new ApiError(
      'IDEMPOTENCY_KEY_IN_USE',
      'The request with this Idempotency-Key succeeded, but its answer held a secret that this installation can no longer open: look up what it created, and create another one if you need the secret',
      { cause },
    )
  }
}

/** Takes the key inside the write's transaction. A twin waits here until the first one has ended. */
async function takeKey(tx: Tx, scope: Scope, idem: IdempotencyKey): Promise<boolean> {
  const values = [scope.accountId, idem.key, idem.fingerprint, scope.now, expiryOf(scope)]
  const rows = await namedWrite(tx, INSERT, values).catch((error: unknown) => {
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
  return rows.length === 1
}

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

/** Runs a write once: the key, the effect and the stored reply commit together, or none of them does. */
export async function runWrite<T>(
  deps: Deps,
  scope: Scope,
  idem: IdempotencyKey | null,
  write: Write<T>,
): Promise<Reply> {
  const reply = await retrying(scope, () =>
    inTx(deps.db, async (tx) => {
      if (idem && !(await takeKey(tx, scope, idem))) return null
      const { status, value, secret } = await write(tx)
      const data = JSON.stringify(value)
      if (idem) {
        const body = secret ? deps.secrets.seal(data, placeOf(scope, idem)) : data
        await namedWrite(tx, FINISH, [scope.accountId, idem.key, status, body])
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
  throw new ApiError(
    'IDEMPOTENCY_KEY_IN_USE',
    'This Idempotency-Key is being reused; send yours again with the same key in a moment',
    {
      headers: { 'retry-after': '1' },
    },
  )
}
