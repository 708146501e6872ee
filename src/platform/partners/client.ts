import type { IncomingHttpHeaders } from 'node:http'
import { BrokenCircuitError, ConsecutiveBreaker, circuitBreaker, handleWhen } from 'cockatiel'
import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'
import { ApiError, malformed } from '../../core/errors.ts'
import { addressIn } from '../../core/links.ts'
import type { Module } from '../../core/modules.ts'
import {
  type Outgoing,
  OutgoingError,
  type OutgoingReply,
  type OutgoingRequest,
} from '../outgoing/outgoing.ts'
import { isSigned } from '../webhooks/signature.ts'
import { answerIn, fileIn, type PartnerAnswer, type PartnerFile, Unreadable } from './answer.ts'
import { deadlineIn, type Forward } from './forward.ts'
import { openPartnerPulse, PATIENCE_MS, type PartnerState } from './pulse.ts'

/** One request to a partner. `path` begins after its base, each part of it encoded (`pathOf`). */
export type Asked = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  /** As it goes behind the `?`, without it. */
  query?: string
  body?: unknown
  /** Less than what an answer may have anyway. */
  maxBytes?: number
  /** Whose key: that of a workspace, or the installation's own. */
  key: string
}

export type SignedNotice = { rawBody: Buffer; headers: IncomingHttpHeaders; nowMs: number }
export type ReadNotice = { headers: IncomingHttpHeaders; body: unknown }
export type Told = { id: string; type: string; data: Readonly<Record<string, unknown>> }

export type PartnerClient = {
  readonly module: Module
  /** Names the partner as long as its address is the same: a key of one partner opens nothing at another. */
  readonly id: string
  /** Names what it keeps: with another key of the installation the same is there. */
  readonly books: string
  /** The key of the installation. */
  readonly platformKey: string
  /** Whether gift cards can be kept there; otherwise they stay here, whatever the module says. */
  readonly keepsGiftCards: boolean
  /** Whether it keeps where couriers fetch parcels; otherwise that is kept here, and sent along. */
  readonly keepsOrigin: boolean
  /** Whether a notice, as its bytes came, is signed as this partner signs. */
  signed(notice: SignedNotice): boolean
  /**
   * What a signed notice says, with an id that is the same however often it is sent; null for one about nothing of ours. A
   * partner that signs only a part of it is asked for the rest. @throws 400 for what is no notice
   */
  noticeIn(notice: ReadNotice, forward: Forward): Promise<Told | null>
  /**
   * Asks, and answers what the partner did. Throws the partner's refusal as ours (4xx), 502 PARTNER_ERROR for an answer that
   * is none, 504 PARTNER_TIMEOUT for none in time, 503 at once while the partner has been failing.
   */
  ask(asked: Asked, forward: Forward): Promise<PartnerAnswer>
  /** The same for a file, once it is of one of the media types that are expected. */
  fetch(asked: Asked, forward: Forward, mediaTypes: readonly string[]): Promise<PartnerFile>
  /** The parts of an address that the partner named, null where it is not one of its own: nobody else is called. */
  ownAddress(url: string): { path: string; query: string } | null
  /** Whether it answers at all, for health: never waits longer than a second. */
  pulse(): Promise<PartnerState>
}

export type Tuning = { timeoutMs: number; failures: number; restMs: number }
export const TUNING: Tuning = {
  timeoutMs: 10_000,
  // So many failures in a row, and the partner is left alone for this long; then one request tries it.
  failures: 5,
  restMs: 10_000,
}

/** An answer of a partner, files too: a year of a ledger as CSV is below. It is read whole before any of it is passed on. */
const MAX_BYTES = 8 * 1024 * 1024

/** A path of the parts given, each encoded: an id with a slash or two dots in it stays one part. */
export const pathOf = (...parts: readonly string[]): string =>
  parts
    .map((part) => `/${/^\.{1,2}$/.test(part) ? part.replaceAll('.', '%2E') : encodeURIComponent(part)}`)
    .join('')

/** Bytes of its answer to health; only the status is read. */
const MAX_HEALTH_BYTES = 4_096

/** Written whole, or from the partner's own root or folder on. */
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
  outgoing: Pick<Outgoing, 'send'>
  tuning: Tuning
}

/** What says nothing about the partner's health: it answered, and refused. */
const isFailure = (error: Error) => error instanceof OutgoingError || error instanceof Unreadable

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
    { method, path, query, body, maxBytes = MAX_BYTES, key }: Asked,
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

type Read = (request: OutgoingRequest) => Promise<OutgoingReply>

/** What reads may be asked twice: a kept connection that the partner closed in the meantime is no answer. */
export const readerOf =
  (outgoing: Pick<Outgoing, 'send'>): Read =>
  (request) => {
    const began = performance.now()
    return outgoing.send(request).catch((error: unknown) => {
      if (!(error instanceof OutgoingError) || error.fault !== 'connection') throw error
      return outgoing.send({ ...request, deadlineMs: request.deadlineMs - (performance.now() - began) })
    })
  }

export const pulseOf = (read: Read, url: string) =>
  openPartnerPulse(() =>
    read({
      method: 'GET',
      url,
      deadlineMs: PATIENCE_MS,
      maxBytes: MAX_HEALTH_BYTES,
    }),
  )

/** Asks through the breaker of one partner, and puts what goes wrong into our words. */
export function guardOf(module: Module, tuning: Tuning) {
  const breaker = circuitBreaker(handleWhen(isFailure), {
    halfOpenAfter: tuning.restMs,
    breaker: new ConsecutiveBreaker(tuning.failures),
  })
  return async <T>(
    { method }: Pick<Asked, 'method'>,
    { headers }: Forward,
    work: () => Promise<T>,
  ): Promise<T> => {
    try {
      return await breaker.execute(work)
    } catch (error) {
      throw faultOf(module, error, nextStep(method === 'GET', headers), tuning)
    }
  }
}

/** Partners may add to a notice (B-notice-3). */
const Notice = Type.Object({
  type: Type.String({ minLength: 1, maxLength: 200 }),
  data: Type.Record(Type.String(), Type.Unknown()),
})

function noticeOf(body: unknown): Static<typeof Notice> {
  if (Check(Notice, body)) return body as Static<typeof Notice>
  throw malformed('body', 'A notice is { type, data }')
}

/** What a caller may do whose request may have had its effect or not: what they could do twice, they look up first. */
export function nextStep(isRead: boolean, headers: Forward['headers']): string {
  if (isRead) return 'try again in a moment'
  return headers['idempotency-key'] === undefined
    ? 'it may have been done all the same, so look before you send it again'
    : 'send the same request again, with its Idempotency-Key where it had one: it is done at most once'
}

function faultOf(module: Module, error: unknown, next: string, { restMs }: Tuning): unknown {
  if (error instanceof BrokenCircuitError) {
    return new ApiError('SERVICE_UNAVAILABLE', `The ${module} partner keeps failing; try again in a moment`, {
      headers: { 'retry-after': String(Math.ceil(restMs / 1000)) },
    })
  }
  if (error instanceof OutgoingError && error.fault === 'timeout') {
    return new ApiError('PARTNER_TIMEOUT', `The ${module} partner did not answer in time; ${next}`, {
      cause: error,
    })
  }
  if (!(error instanceof Error) || !isFailure(error)) return error
  return new ApiError('PARTNER_ERROR', `The ${module} partner could not be reached or understood; ${next}`, {
    cause: error,
  })
}
