import { useCallback, useRef } from 'react'
import { newKey } from '../offline/key.ts'
import { isUnsettled } from './outcome.ts'

/**
 * Sends the writes of a form or dialog under one Idempotency-Key until the outcome is known, also if the values change
 * meanwhile. If the first request did succeed, the service repeats its answer, or refuses the changed request
 * (B-key-6), instead of writing twice.
 */
export function useRequestKey() {
  const key = useRef(newKey())
  return useCallback(async <D>(send: (idempotencyKey: string) => Promise<D>): Promise<D> => {
    try {
      const data = await send(key.current)
      key.current = newKey()
      return data
    } catch (error) {
      if (!isUnsettled(error)) key.current = newKey()
      throw error
    }
  }, [])
}
