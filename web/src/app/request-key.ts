import { useCallback, useRef } from 'react'
import { newKey } from '../offline/key.ts'
import { isUnsettled } from './outcome.ts'

/** Keys of requests whose outcome is unknown, by their subject: they outlive a form that is closed meanwhile. */
const unsettledKeys = new Map<string, string>()

type Attempt = { subject: string | null; key: string }
const attemptAt = (subject: string | null): Attempt => ({
  subject,
  key: unsettledKeys.get(subject ?? '') ?? newKey(),
})

/**
 * Sends the writes of a form or dialog under one Idempotency-Key until the outcome is known, also if the values change
 * meanwhile. If the first request did succeed, the service repeats its answer, or refuses the changed request
 * (B-key-6), instead of writing twice. A form that names its subject keeps the key when it is closed and opened again.
 *
 * The subject names the record and something of it that each write changes and no later write restores, such as its
 * newest entry. A page that shows the write therefore begins a new request.
 */
export function useRequestKey(subject: string | null = null) {
  const shown = useRef(subject)
  shown.current = subject
  // The subject as the person saw it when the form opened or, after a known outcome, when the next request is sent.
  const attempt = useRef<Attempt | null>(attemptAt(subject))
  return useCallback(async <D>(send: (idempotencyKey: string) => Promise<D>): Promise<D> => {
    attempt.current ??= attemptAt(shown.current)
    const { subject: seen, key } = attempt.current
    if (seen !== null) unsettledKeys.set(seen, key)
    const settle = () => {
      attempt.current = null
      if (seen !== null) unsettledKeys.delete(seen)
    }
    try {
      const data = await send(key)
      settle()
      return data
    } catch (error) {
      if (!isUnsettled(error)) settle()
      throw error
    }
  }, [])
}
