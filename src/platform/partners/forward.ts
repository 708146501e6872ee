import type { AccountId } from '../scope.ts'
import { sha256 } from '../secrets/secrets.ts'

/** The headers and the deadline of every request to a partner. */
export type Forward = {
  /**
   * `x-request-id`, and the caller's `idempotency-key` if there is one: the partner performs the request at most
   * once.
   */
  headers: Readonly<Record<string, string>>
  /**
   * Whether the caller can send the request again without a second effect. The key in `headers` does not tell: it may
   * be one that the service made for this request alone.
   */
  isRepeatable: boolean
  /**
   * A value of `performance.now()`, shared by all requests. An abort signal would cost a separate timer and listener.
   */
  untilMs: number
}

/** The time limit of one request: the partner's limit, or the time left until the deadline. */
export const deadlineIn = ({ untilMs }: Forward, timeoutMs: number): number =>
  Math.min(timeoutMs, untilMs - performance.now())

/** The same with `key` as the idempotency key, if there is one. The caller does not know this key. */
export const keyed = (forward: Forward, key: string | null | undefined): Forward =>
  key === null || key === undefined
    ? forward
    : { ...forward, headers: { ...forward.headers, 'idempotency-key': key } }

/**
 * The same with a key unique to the workspace, for a request under the installation's key. There the partner sees all
 * workspaces as one client, and two of their callers may use the same key.
 */
export function keyedFor(accountId: AccountId, forward: Forward, body: object): Forward {
  const key = forward.headers['idempotency-key']
  return key === undefined ? forward : keyed(forward, sha256(JSON.stringify([accountId, key, body])))
}

/**
 * Returns the headers without the Idempotency-Key, for a provider where all workspaces share one account: two of them may
 * use the same key. The order id contains the workspace, so it identifies a retry instead.
 */
export function headersWithoutKey({ headers }: Forward): Forward['headers'] {
  const { 'idempotency-key': _, ...rest } = headers
  return rest
}
