import type { ErrorCode } from './error-codes.ts'
import type { Sale } from './generated/types.gen.ts'

/** Data of an error beyond its message: a 409 about a sale carries the current sale. */
export type Details = { sale?: Sale } & Record<string, unknown>

type Refusal<C extends string> = {
  code: C
  status: number
  message: string
  param?: string
  details?: Details
  requestId: string
  /** How long the service asks to wait, in milliseconds; null if it does not ask. */
  retryAfterMs: number | null
  /** The key that the call went out under; null for a read. */
  idempotencyKey: string | null
}

/** The service answered with an error: `code` is the reason, `param` the field, `requestId` finds it in the log. */
export class KasirApiError<C extends ErrorCode = ErrorCode> extends Error {
  readonly code: C
  readonly status: number
  readonly param: string | undefined
  readonly details: Details | undefined
  readonly requestId: string
  readonly retryAfterMs: number | null
  /** The key that the call went out under; null for a read. */
  readonly idempotencyKey: string | null

  constructor(refusal: Refusal<C>) {
    super(refusal.message)
    this.name = 'KasirError'
    this.code = refusal.code
    this.status = refusal.status
    this.param = refusal.param
    this.details = refusal.details
    this.requestId = refusal.requestId
    this.retryAfterMs = refusal.retryAfterMs
    this.idempotencyKey = refusal.idempotencyKey
  }
}

/** A union with one member for each error code, so a `switch` over `code` can be exhaustive. */
export type KasirError = { [C in ErrorCode]: KasirApiError<C> }[ErrorCode]

export const isKasirError = (error: unknown): error is KasirError => error instanceof KasirApiError

export type TransportFault =
  /** No answer arrived: connection refused or reset, or unknown host. */
  | 'network'
  /** The deadline passed, or the answer stopped coming. */
  | 'timeout'
  /** What came is not an answer of Kasir: a page of a proxy, JSON cut off, a redirect, more than is read. */
  | 'answer'

/**
 * The service's answer did not arrive. A write may or may not have happened. Repeat it with this `idempotencyKey` within 24
 * hours, which is safe, never with a new key. After that, look up what it created before you repeat it.
 */
export class KasirTransportError extends Error {
  readonly fault: TransportFault
  /** The status of an answer that was not Kasir's, if one arrived. */
  readonly status: number | null
  /** The key that the call went out under; null for a read. */
  readonly idempotencyKey: string | null

  constructor(
    message: string,
    more: { fault: TransportFault; status?: number; idempotencyKey: string | null; cause?: unknown },
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause })
    this.name = 'KasirTransportError'
    this.fault = more.fault
    this.status = more.status ?? null
    this.idempotencyKey = more.idempotencyKey
  }
}

/** The answer is larger than the client reads. A retry gets the same answer. */
export class LargeAnswerError extends KasirTransportError {}

/** The call is invalid. Nothing was sent. */
export class KasirUsageError extends TypeError {
  constructor(message: string) {
    super(message)
    this.name = 'KasirUsageError'
  }
}
