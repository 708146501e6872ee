import type { Connection } from './connection.ts'
import { KasirTransportError, KasirUsageError } from './errors.ts'
import { type Outcome, outcomeOf } from './outcome.ts'
import { isWorthAnotherTry, pauseBefore, wait } from './retry.ts'
import { newUlid } from './ulid.ts'

/** One operation as the service declares it. */
export type Spec = {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** The path after /api/v1, with placeholders such as `{id}`. */
  path: string
  /** The fields that go into the query when the request also has a body. */
  query?: readonly string[]
  /** The operation takes an Idempotency-Key: a retry gets the answer of the first request. */
  isKeyed?: true
  /** The operation answers with a file. */
  isFile?: true
}

export type CallOptions = {
  /** The key to send instead of a new one. Repeating a write is safe only under the same key. */
  idempotencyKey?: string
  /** The version that the sale must still have, for calls that take `If-Match`. */
  ifMatch?: string | number
  /** Timeout of this call including all tries, in milliseconds. */
  timeoutMs?: number
  signal?: AbortSignal
}

export type Meta = {
  requestId: string
  timestamp: string
  cursor?: string | null
  hasMore?: boolean
  /** A report that came from a read replica has every change until this instant; absent from the primary. */
  asOf?: string
  /** Whether this is the stored answer of an earlier request with the same key. */
  isReplayed: boolean
}
export type Answer<D> = { data: D; meta: Meta }

type Input = Record<string, unknown>
type PreparedCall = {
  url: string
  init: RequestInit & { headers: Record<string, string> }
  key: string | null
}

/**
 * Sends one operation and retries it if that is safe, until its deadline. Throws a KasirError if the service answers
 * with an error, a KasirTransportError if no answer arrives, and a KasirUsageError for an invalid call, before sending.
 */
export async function call(
  connection: Connection,
  spec: Spec,
  input: Input,
  options: CallOptions,
): Promise<Answer<unknown>> {
  const sending = sendingOf(connection, spec, input, options)
  const timeoutMs = options.timeoutMs ?? connection.timeoutMs
  const end = Date.now() + timeoutMs
  const deadline = AbortSignal.timeout(Math.min(timeoutMs, MAX_TIMER_MS))
  const signal = options.signal ? AbortSignal.any([deadline, options.signal]) : deadline
  const isRepeatable = spec.isKeyed === true || spec.method === 'GET'
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await tryOnce(connection, spec, sending, signal)
    options.signal?.throwIfAborted()
    if ('answer' in outcome) return outcome.answer
    const isLast = attempt >= connection.tries || !isRepeatable || !isWorthAnotherTry(outcome.error)
    const pause = pauseBefore(attempt, outcome.error)
    if (isLast || Date.now() + pause >= end) throw outcome.error
    await wait(pause, options.signal)
  }
}

/** The longest timer: 31 bits. */
const MAX_TIMER_MS = 2 ** 31 - 1

async function tryOnce(
  connection: Connection,
  spec: Spec,
  { url, init, key }: PreparedCall,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    const response = await connection.fetch(url, { ...init, signal, redirect: 'manual' })
    return await outcomeOf(response, { isFile: spec.isFile === true, key, signal })
  } catch (error) {
    const isLate = signal.aborted
    const cause = error instanceof Error ? error : undefined
    const why = isLate ? 'did not answer in time' : `could not be reached (${reasonOf(error)})`
    return {
      error: new KasirTransportError(`${new URL(url).origin} ${why}`, {
        fault: isLate ? 'timeout' : 'network',
        idempotencyKey: key,
        cause,
      }),
    }
  }
}

/** Returns the reason of a failed fetch, which the platform hides in `cause`. */
const reasonOf = (error: unknown): string => {
  const { cause, message } = error as { cause?: { code?: string; message?: string }; message?: string }
  return cause?.code ?? cause?.message ?? message ?? String(error)
}

function sendingOf(connection: Connection, spec: Spec, input: Input, options: CallOptions): PreparedCall {
  const rest = { ...input }
  const path = spec.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const value = rest[name]
    delete rest[name]
    return segmentOf(spec, name, value)
  })
  const inQuery = spec.method === 'GET' ? Object.keys(rest) : (spec.query ?? [])
  const query = new URLSearchParams()
  for (const name of inQuery) {
    const value = rest[name]
    delete rest[name]
    if (value === undefined || value === null) continue
    requireLimit(name, value)
    query.append(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  const body = spec.method === 'GET' || Object.keys(rest).length === 0 ? undefined : JSON.stringify(rest)
  const key = spec.isKeyed === true ? keyOf(options) : null
  const headers: Record<string, string> = { accept: spec.isFile ? '*/*' : 'application/json' }
  if (connection.apiKey !== null) headers['authorization'] = `Bearer ${connection.apiKey}`
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (key !== null) headers['idempotency-key'] = key
  if (options.ifMatch !== undefined) headers['if-match'] = String(options.ifMatch)
  const search = query.size > 0 ? `?${query}` : ''
  return {
    url: `${connection.baseUrl}/api/v1${path}${search}`,
    init: { method: spec.method, headers, ...(body === undefined ? {} : { body }) },
    key,
  }
}

function segmentOf({ method, path }: Spec, name: string, value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  if (text === '') throw new KasirUsageError(`${method} ${path} needs ${name}`)
  if (/[/\\?#]/.test(text) || text === '.' || text === '..') {
    throw new KasirUsageError(
      `${name} must be an id, without a slash (it is ${JSON.stringify(text.slice(0, 100))})`,
    )
  }
  return encodeURIComponent(text)
}

function requireLimit(name: string, value: unknown) {
  if (name !== 'limit' || (Number.isInteger(value) && (value as number) >= 1)) return
  throw new KasirUsageError(`limit must be a whole number from 1 (it is ${String(value)})`)
}

function keyOf({ idempotencyKey }: CallOptions): string {
  if (idempotencyKey === undefined) return newUlid()
  if (/^[\x21-\x7e]{1,255}$/.test(idempotencyKey)) return idempotencyKey
  throw new KasirUsageError('idempotencyKey must be 1 to 255 visible characters without spaces')
}
