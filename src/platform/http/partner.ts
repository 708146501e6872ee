import { assert } from '../../core/assert.ts'
import { ApiError } from '../../core/errors.ts'
import { type Db, inTx, type Tx } from '../db/open.ts'
import { isOfDatabase } from '../db/pg-errors.ts'
import type { Deps } from '../deps.ts'
import { OutgoingError } from '../outgoing/outgoing.ts'
import type { Forward } from '../partners/forward.ts'
import type { IdempotencyKey } from './idempotency.ts'

/** All that a handler with `access: 'partner'` has of the database and of the network: never both at once. */
export type Partner = {
  /** The caller's Idempotency-Key, which goes along with every call; null where there is none. */
  readonly key: string | null
  read<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** One short transaction. It is committed when this resolves, whatever becomes of the request. */
  inTx<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Asks the partner. 504 PARTNER_TIMEOUT past the limit, 502 PARTNER_ERROR for anything else that is no refusal of ours. */
  call<T>(ask: (forward: Forward) => Promise<T>): Promise<T>
}

/** What a partner may take. */
const TIMEOUT_MS = 10_000

type Circumstances = {
  requestId: string
  idem: Pick<IdempotencyKey, 'key'> | null
  timeoutMs: number | undefined
  /** Runs what needs the database once the workspace has a place for it: none is held while a partner thinks. */
  within<T>(work: () => Promise<T>): Promise<T>
}

/**
 * The means of one request. A partner that is slow or dead must hold neither a connection nor a lock of the till, so a call
 * inside a transaction fails, and so does a transaction that is begun while a call is under way. `isUnsaved` tells what
 * failed at the database once a partner had answered: by then it may have done its part.
 */
export function partnerOf(deps: Deps, { requestId, idem, timeoutMs = TIMEOUT_MS, within }: Circumstances) {
  let atDatabase = 0
  let calls = 0
  let hasAnswered = false
  let failure: unknown = null
  const headers = { 'x-request-id': requestId, ...(idem === null ? {} : { 'idempotency-key': idem.key }) }

  async function database<T>(work: () => Promise<T>): Promise<T> {
    assert(calls === 0, 'no transaction is begun while a partner is asked')
    atDatabase += 1
    try {
      return await within(work)
    } catch (error) {
      if (hasAnswered && isOfDatabase(error)) failure = error
      throw error
    } finally {
      atDatabase -= 1
    }
  }

  const partner: Partner = {
    key: idem?.key ?? null,
    read: (work) => database(() => work(deps.db)),
    inTx: (work) => database(() => inTx(deps.db, work)),
    async call(ask) {
      assert(atDatabase === 0, 'no partner is asked inside a transaction')
      calls += 1
      try {
        const answer = await ask({ headers, untilMs: performance.now() + timeoutMs })
        hasAnswered = true
        return answer
      } catch (error) {
        throw error instanceof ApiError ? error : partnerFault(error, idem === null)
      } finally {
        calls -= 1
      }
    },
  }
  return { partner, database, isUnsaved: (error: unknown) => error === failure }
}

const partnerFault = (cause: unknown, isKeyless: boolean) => {
  const next = isKeyless ? LOOK : AGAIN
  return cause instanceof OutgoingError && cause.fault === 'timeout'
    ? new ApiError('PARTNER_TIMEOUT', `The partner did not answer in time; ${next}`, { cause })
    : new ApiError('PARTNER_ERROR', `The partner could not be reached or understood; ${next}`, { cause })
}
const LOOK = 'it may have been done all the same, so look before you send it again'
const AGAIN = 'send the request again with the same Idempotency-Key'
