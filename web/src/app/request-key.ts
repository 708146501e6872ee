import { useCallback, useRef, useState } from 'react'
import { newKey } from '../offline/key.ts'
import { isUnsettled } from './outcome.ts'

/** Keys of requests whose outcome is unknown, by their subject: they outlive a dialog that is closed meanwhile. */
const unsettledKeys = new Map<string, string>()

/**
 * Sends the writes of a form or dialog under one Idempotency-Key until the outcome is known, also if the values change
 * meanwhile. If the first request did succeed, the service repeats its answer, or refuses the changed request
 * (B-key-6), instead of writing twice. A form that names its subject keeps the key when it is closed and opened again.
 */
export function useRequestKey(subject: string | null = null) {
  // The subject as the person saw it when the form opened.
  const [seen] = useState(subject)
  const key = useRef(unsettledKeys.get(seen ?? '') ?? newKey())
  return useCallback(
    async <D>(send: (idempotencyKey: string) => Promise<D>): Promise<D> => {
      if (seen !== null) unsettledKeys.set(seen, key.current)
      const settle = () => {
        key.current = newKey()
        if (seen !== null) unsettledKeys.delete(seen)
      }
      try {
        const data = await send(key.current)
        settle()
        return data
      } catch (error) {
        if (!isUnsettled(error)) settle()
        throw error
      }
    },
    [seen],
  )
}
