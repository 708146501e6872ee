import { assert } from '../../core/assert.ts'
import { ApiError } from '../../core/errors.ts'
import { type Db, inTx, type Tx } from '../db/open.ts'
import { isOfDatabase } from '../db/pg-errors.ts'
import type { WithSlot } from '../db/places.ts'
import type { Deps } from '../deps.ts'
import { OutgoingError } from '../outgoing/outgoing.ts'
import type { Forward } from '../partners/forward.ts'
import type { IdempotencyKey } from './idempotency.ts'

/** Access of an `access: 'partner'` handler to the database and the network, never to both at the same time. */
export type Partner = {
  /** The caller's Idempotency-Key, sent with every call; null if there is none. */
  readonly key: string | null
  /** Whether the caller can send the request again without a second effect (`Forward`). */
  readonly isRepeatable: boolean
  read<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** One short transaction. It is committed when this resolves, even if the request fails later. */
  inTx<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Calls the partner. Throws 504 PARTNER_TIMEOUT after the time limit, and 502 PARTNER_ERROR for errors not our own.
   */
  call<T>(ask: (forward: Forward) => Promise<T>): Promise<T>
}

/** Time limits of a partner call. */
const TIMEOUT_MS = 10_000

/** The request on whose behalf the partner is called. */
type PartnerCaller = {
  requestId: string
  idem: Pick<IdempotencyKey, 'key'> | null
  /** Whether a retry finds the calls of this request; by default if they carry the caller's Idempotency-Key. */
  isRepeatable?: boolean
  /** Time limit for all calls together; ten seconds by default. */
  timeoutMs?: number | undefined
  /** Takes a connection slot for each use of the database; no slot is held during a partner call. */
  withSlot?: WithSlot
}

/** The `deps` of a handler that calls partners: it reaches the database only through `Partner`. */
export const withoutDatabase = ({ db: _db, pool: _pool, ...rest }: Deps) => rest

/**
 * Creates the `Partner` of one request. A slow partner must not hold a connection or a lock, so a call inside a
 * transaction throws, and so does a transaction during a call. `isUnsaved` is true for a database error after a
 * partner has answered: the partner may already have done its part. `hasAnswered` is true from the first successful
 * call.
 */
export function partnerOf(
  deps: Deps,
  {
    requestId,
    idem,
    isRepeatable = idem !== null,
    timeoutMs = TIMEOUT_MS,
    withSlot = (work) => work(),
  }: PartnerCaller,
) {
  let atDatabase = 0
  let calls = 0
  let hasAnswered = false
  let failure: unknown = null
  const headers = { 'x-request-id': requestId, ...(idem === null ? {} : { 'idempotency-key': idem.key }) }

  async function database<T>(work: () => Promise<T>): Promise<T> {
    assert(calls === 0, 'no transaction is begun while a partner is asked')
    atDatabase += 1
    try {
      return await withSlot(work)
    } catch (error) {
      if (hasAnswered && isOfDatabase(error)) failure = error
      throw error
    } finally {
      atDatabase -= 1
    }
  }

  const partner: Partner = {
    key: idem?.key ?? null,
    isRepeatable,
    read: (work) => database(() => work(deps.db)),
    inTx: (work) => database(() => inTx(deps.db, work)),
    async call(ask) {
      assert(atDatabase === 0, 'no partner is asked inside a transaction')
      calls += 1
      try {
        const untilMs = performance.now() + timeoutMs
        const answer = await ask({ headers, isRepeatable, untilMs })
        hasAnswered = true
        return answer
      } catch (error) {
        throw error instanceof ApiError ? error : partnerFault(error, isRepeatable)
      } finally {
        calls -= 1
      }
    },
  }
  return {
    partner,
    database,
    hasAnswered: () => hasAnswered,
    isUnsaved: (error: unknown) => error === failure,
  }
}

const partnerFault = (cause: unknown, isRepeatable: boolean) => {
  const next = isRepeatable ? AGAIN : LOOK
  return cause instanceof OutgoingError && cause.fault === 'timeout'
    ? new ApiError('PARTNER_TIMEOUT', `The partner did not answer in time; ${next}`, { cause })
    : new ApiError('PARTNER_ERROR', `The partner could not be reached or understood; ${next}`, { cause })
}
const LOOK = 'it may have been done all the same, so look before you send it again'
const AGAIN = 'send the request again with the same Idempotency-Key'
