import { type KasirError, KasirTransportError, LargeAnswerError } from './errors.ts'

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 8_000
const TRANSIENT = [408, 429, 502, 503, 504]

/**
 * Returns whether a retry of the same request may succeed. IDEMPOTENCY_KEY_IN_USE carries `Retry-After` while the first
 * request runs; without it, the key belongs to a different request.
 */
export function isWorthAnotherTry(error: KasirError | KasirTransportError): boolean {
  if (error instanceof KasirTransportError) {
    return (
      error.fault === 'network' || (error.status !== null && TRANSIENT.includes(error.status)) || isCut(error)
    )
  }
  if (error.code === 'IDEMPOTENCY_KEY_IN_USE') return error.retryAfterMs !== null
  return TRANSIENT.includes(error.status)
}

/** A success whose body was cut off: a retry under the same key returns it again. */
const isCut = (error: KasirTransportError) =>
  error.fault === 'answer' &&
  error.status !== null &&
  error.status < 300 &&
  !(error instanceof LargeAnswerError)

/** Returns the wait the service asks for plus a random part of a doubling pause, so clients do not retry together. */
export function pauseBefore(attempt: number, error: KasirError | KasirTransportError): number {
  const asked = error instanceof KasirTransportError ? null : error.retryAfterMs
  const most = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt)
  return (asked ?? 0) + Math.random() * most
}

export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  // A listener added after the abort would never be called.
  if (signal?.aborted) return Promise.reject(signal.reason)
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
