import type { ErrorCode } from './error-codes.ts'
import type { Sale } from './generated/types.gen.ts'

/** What a refusal carries beyond its message: a 409 about a sale has that sale as it is now. */
export type Details = { sale?: Sale } & Record<string, unknown>

type Refusal<C extends string> = {
  code: C
  status: number
  message: string
  param?: string
  details?: Details
  requestId: string
  /** Milliseconds that the service asks to wait; null when it asks for none. */
  retryAfterMs: number | null
  /** The key that the call went out under; null for a read. */
  idempotencyKey: string | null
}

/** The service refused: `code` says why, `param` names the field, `requestId` finds it in the log. */
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

/** One member for each code of the service's table of errors: a `switch` over `code` can be exhaustive. */
export type KasirError = { [C in ErrorCode]: KasirApiError<C> }[ErrorCode]

export const isKasirError = (error: unknown): error is KasirError => error instanceof KasirApiError

export type TransportFault =
  /** No answer came: refused, reset, no such host. */
  | 'network'
  /** The deadline passed, or the answer stopped coming. */
  | 'timeout'
  /** What came is not an answer of Kasir: a page of a proxy, JSON cut off, a redirect, more than is read. */
  | 'answer'

/**
 * No answer of the service came back. A write may or may not have happened: repeat it with `idempotencyKey`, which is safe, and
 * never with a new key.
 */
export class KasirTransportError extends Error {
  readonly fault: TransportFault
  /** The status, when an answer came that was not Kasir's. */
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

/** A call that cannot be right, refused before anything is sent. */
export class KasirUsageError extends TypeError {
  constructor(message: string) {
    super(message)
    this.name = 'KasirUsageError'
  }
}
