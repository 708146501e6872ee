import { type KasirError, KasirTransportError } from './errors.ts'

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 8_000
const TRANSIENT = [408, 429, 502, 503, 504]

/**
 * Whether the same request may be answered differently in a moment. A key that is in use comes back with `Retry-After` while
 * the first request runs, and without when it was used for something else.
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

/** A success that arrived in pieces: the key brings it again. */
const isCut = ({ fault, status }: KasirTransportError) =>
  fault === 'answer' && status !== null && status < 300

/** As long as the service asks, or a random part of a pause that doubles: clients that failed together come back apart. */
export function pauseBefore(attempt: number, error: KasirError | KasirTransportError): number {
  const asked = error instanceof KasirTransportError ? null : error.retryAfterMs
  const most = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt)
  return (asked ?? 0) + Math.random() * most
}

export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  // Nobody tells a listener of what has happened already.
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
