import type { IncomingHttpHeaders } from 'node:http'
import { BrokenCircuitError, ConsecutiveBreaker, circuitBreaker, handleWhen } from 'cockatiel'
import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'
import { ApiError, malformed } from '../../core/errors.ts'
import { addressIn } from '../../core/links.ts'
import type { Module } from '../../core/modules.ts'
import {
  type OutgoingClient,
  OutgoingError,
  type OutgoingReply,
  type OutgoingRequest,
} from '../outgoing/outgoing.ts'
import { isSigned } from '../webhooks/signature.ts'
import {
  answerIn,
  fileIn,
  InvalidContent,
  OversizedAnswer,
  type PartnerAnswer,
  type PartnerFile,
  Unreadable,
  UnreadableRefusal,
} from './answer.ts'
import { deadlineIn, type Forward } from './forward.ts'
import { openPartnerPulse, PATIENCE_MS, type PartnerState } from './pulse.ts'

/** One request to a partner. `path` is appended to its base URL; each part is encoded (`pathOf`). */
export type PartnerRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  /** The query string without the `?`. */
  query?: string
  body?: unknown
  /** A stricter limit than the general one. */
  maxBytes?: number
  /** The caller can request less data: a response that is too long becomes a 422 that says so. */
  isNarrowable?: boolean
  /** The records that show whether a write took effect, such as `the sale`; named in the message of a lost response. */
  lookAt?: string
  /** The key of a workspace, or the installation's own. */
  key: string
}

export type SignedNotice = { rawBody: Buffer; headers: IncomingHttpHeaders; nowMs: number }
export type ReadNotice = { headers: IncomingHttpHeaders; body: unknown }
export type PartnerEvent = { id: string; type: string; data: Readonly<Record<string, unknown>> }

export type PartnerClient = {
  readonly module: Module
  /** An id of the partner by its address: a key of one partner is invalid at another. */
  readonly id: string
  /** An id of the partner's data: it stays the same under another key of the installation. */
  readonly books: string
  /** The key of the installation. */
  readonly platformKey: string
  /** Whether the partner can store gift cards; otherwise they stay here, even if the module is on. */
  readonly keepsGiftCards: boolean
  /** Whether the partner stores pickup addresses; otherwise they are stored here and sent with each request. */
  readonly keepsOrigin: boolean
  /** Whether the signature of a notice is valid for its raw bytes. */
  signed(notice: SignedNotice): boolean
  /**
   * The content of a signed notice, with an id that is the same for every copy; null if it does not concern this
   * installation. If the partner signs only a part, the rest is fetched from it.
   * @throws 400 if it is not a notice
   */
  noticeIn(notice: ReadNotice, forward: Forward): Promise<PartnerEvent | null>
  /**
   * Sends a request and returns the partner's response. Throws the partner's refusal as ours (4xx). Throws 422 for a
   * read whose response is too large, 502 PARTNER_ERROR for an invalid response, and 504 PARTNER_TIMEOUT for a
   * timeout. Throws 503 immediately while the circuit breaker is open.
   */
  ask(asked: PartnerRequest, forward: Forward): Promise<PartnerAnswer>
  /** The same for a file, which must have one of the expected media types. */
  fetch(asked: PartnerRequest, forward: Forward, mediaTypes: readonly string[]): Promise<PartnerFile>
  /**
   * The path and query of a URL from the partner; null if it is outside the partner's base URL, because no other site
   * is called.
   */
  ownAddress(url: string): { path: string; query: string } | null
  /** A health check: whether the partner responds at all. Never waits longer than a second. */
  pulse(): Promise<PartnerState>
}

export type PartnerTuning = { timeoutMs: number; failures: number; restMs: number }
export const TUNING: PartnerTuning = {
  timeoutMs: 10_000,
  // After this many failures in a row the circuit breaker opens for this long; then one request tests the partner.
  failures: 5,
  restMs: 10_000,
}

/**
 * The largest response, files included: a year of a ledger as CSV is smaller. It is read completely before any of it
 * is passed on.
 */
const MAX_BYTES = 8 * 1024 * 1024

/** A path of the given parts, each encoded: an id with a slash or two dots stays one part. */
export const pathOf = (...parts: readonly string[]): string =>
  parts
    .map((part) => `/${/^\.{1,2}$/.test(part) ? part.replaceAll('.', '%2E') : encodeURIComponent(part)}`)
    .join('')

/** The most bytes of the response to a health check; only its status is read. */
const MAX_HEALTH_BYTES = 4_096

/** An absolute URL, or one relative to the partner's root or folder. */
function ownAddressIn(base: string, named: string): { path: string; query: string } | null {
  const root = `${base.replace(/\/+$/, '')}/`
  const address = addressIn(named, root)
  if (address === null) return null
  const { origin, pathname, search, username, hash } = address
  const own = new URL(root)
  if (origin !== own.origin || username !== '' || hash !== '' || !pathname.startsWith(own.pathname))
    return null
  return { path: `/${pathname.slice(own.pathname.length)}`, query: search.slice(1) }
}

type Options = {
  module: Module
  id: string
  books: string
  url: string
  platformKey: string
  noticeSecrets: readonly string[]
  outgoing: Pick<OutgoingClient, 'send'>
  tuning: PartnerTuning
}

/** Failures that depend on the request. */
const OF_REQUESTS = [UnreadableRefusal, InvalidContent, OversizedAnswer]

/** Errors that the caller receives as errors of the partner. */
const isFailure = (error: unknown): error is OutgoingError | Unreadable =>
  error instanceof OutgoingError || error instanceof Unreadable

/**
 * The failures that the circuit breaker counts: the partner is unreachable, fails or sends invalid data. Failures
 * that depend on the request do not count, otherwise one workspace could block the partner for all others.
 */
const isOutage = (error: Error): boolean =>
  error instanceof OutgoingError
    ? error.fault !== 'address'
    : isFailure(error) && !OF_REQUESTS.some((fault) => error instanceof fault)

export function clientOf({
  module,
  id,
  books,
  url,
  platformKey,
  noticeSecrets,
  outgoing,
  tuning,
}: Options): PartnerClient {
  const guarded = guardOf(module, tuning)
  const read = readerOf(outgoing)
  const send = async (
    { method, path, query, body, maxBytes = MAX_BYTES, key }: PartnerRequest,
    forward: Forward,
    mediaType = 'application/json',
  ): Promise<OutgoingReply> => {
    const search = query === undefined || query === '' ? '' : `?${query}`
    const request = {
      method,
      url: `${url}${path}${search}`,
      headers: {
        ...forward.headers,
        accept: mediaType,
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      deadlineMs: deadlineIn(forward, tuning.timeoutMs),
      maxBytes,
    }
    return method === 'GET' ? read(request) : outgoing.send(request)
  }
  return {
    module,
    id,
    books,
    platformKey,
    keepsGiftCards: true,
    keepsOrigin: true,
    signed: (notice) => isSigned(noticeSecrets, notice),
    noticeIn: async ({ headers, body }) => ({ ...noticeOf(body), id: String(headers['webhook-id']) }),
    ask: (asked, forward) => guarded(asked, forward, async () => answerIn(await send(asked, forward))),
    fetch: (asked, forward, mediaTypes) =>
      guarded(asked, forward, async () =>
        fileIn(await send(asked, forward, mediaTypes.join(', ')), mediaTypes),
      ),
    ownAddress: (named) => ownAddressIn(url, named),
    pulse: pulseOf(read, `${url}${pathOf('v1', 'health')}`),
  }
}

type RequestSender = (request: OutgoingRequest) => Promise<OutgoingReply>

/** Retries reads once: the partner may have closed a kept-alive connection in the meantime. */
export const readerOf =
  (outgoing: Pick<OutgoingClient, 'send'>): RequestSender =>
  (request) => {
    const began = performance.now()
    return outgoing.send(request).catch((error: unknown) => {
      if (!(error instanceof OutgoingError) || error.fault !== 'connection') throw error
      return outgoing.send({ ...request, deadlineMs: request.deadlineMs - (performance.now() - began) })
    })
  }

export const pulseOf = (read: RequestSender, url: string) =>
  openPartnerPulse(() =>
    read({
      method: 'GET',
      url,
      deadlineMs: PATIENCE_MS,
      maxBytes: MAX_HEALTH_BYTES,
    }),
  )

/** Sends requests through the circuit breaker of one partner, and converts failures to our errors. */
export function guardOf(module: Module, tuning: PartnerTuning) {
  const breaker = circuitBreaker(handleWhen(isOutage), {
    halfOpenAfter: tuning.restMs,
    breaker: new ConsecutiveBreaker(tuning.failures),
  })
  return async <T>(
    { method, isNarrowable = false, lookAt }: Pick<PartnerRequest, 'method' | 'isNarrowable' | 'lookAt'>,
    { isRepeatable }: Forward,
    work: () => Promise<T>,
  ): Promise<T> => {
    try {
      return await breaker.execute(work)
    } catch (error) {
      throw faultOf(module, error, { method, isNarrowable, lookAt, isRepeatable }, tuning)
    }
  }
}

/** Partners may add fields to a notice (B-notice-3). */
const Notice = Type.Object({
  type: Type.String({ minLength: 1, maxLength: 200 }),
  data: Type.Record(Type.String(), Type.Unknown()),
})

function noticeOf(body: unknown): Static<typeof Notice> {
  if (Check(Notice, body)) return body as Static<typeof Notice>
  throw malformed('body', 'A notice is { type, data }')
}

/** What decides the advice after a call without a usable response. */
type CallOutcome = Pick<PartnerRequest, 'method'> & { lookAt?: string | undefined } & Pick<
    Forward,
    'isRepeatable'
  >

/**
 * Advice to a caller whose request may or may not have taken effect: before repeating an operation that could happen
 * twice, look it up.
 */
function nextStep({ method, lookAt, isRepeatable }: CallOutcome): string {
  if (method === 'GET') return 'try again in a moment'
  if (isRepeatable)
    return 'send the same request again, with its Idempotency-Key where it had one: it is done at most once'
  const look = lookAt === undefined ? 'look' : `look at ${lookAt}`
  return `it may have been done all the same, so ${look} before you send it again`
}

/**
 * 502 for a successful response without a valid record. As after a lost response, a write may have taken effect.
 * `record` is the expected record, such as `shipment`.
 */
export const invalidRecordError = (module: Module, record: string, call: CallOutcome): ApiError =>
  new ApiError('PARTNER_ERROR', `The ${module} partner returned no valid ${record}; ${nextStep(call)}`)

/** Whether the circuit breaker refused the call, so that nothing was sent. A failing database has the same code. */
export const isCircuitOpen = (error: unknown): boolean =>
  error instanceof ApiError && error.cause instanceof BrokenCircuitError

function faultOf(
  module: Module,
  error: unknown,
  { isNarrowable, ...call }: CallOutcome & { isNarrowable: boolean },
  { restMs }: PartnerTuning,
): unknown {
  const next = nextStep(call)
  if (error instanceof BrokenCircuitError) {
    return new ApiError('SERVICE_UNAVAILABLE', `The ${module} partner keeps failing; try again in a moment`, {
      headers: { 'retry-after': String(Math.ceil(restMs / 1000)) },
      details: { partner: module },
      cause: error,
    })
  }
  if (error instanceof OutgoingError && error.fault === 'timeout') {
    return new ApiError('PARTNER_TIMEOUT', `The ${module} partner did not answer in time; ${next}`, {
      cause: error,
    })
  }
  if (error instanceof ApiError) return error.withDetails({ partner: module })
  if (!isFailure(error)) return error
  if (error instanceof OversizedAnswer && isNarrowable) {
    return new ApiError(
      'VALIDATION_ERROR',
      `The answer of the ${module} partner is too large: narrow the request, for example to a shorter period`,
      { cause: error },
    )
  }
  return new ApiError('PARTNER_ERROR', `The ${module} partner could not be reached or understood; ${next}`, {
    cause: error,
  })
}
