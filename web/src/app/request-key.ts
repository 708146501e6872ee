import { useCallback, useRef, useState } from 'react'
import { newKey } from '../offline/key.ts'
import { isUnsettled } from './outcome.ts'

/** Where the key of a request waits while the outcome is unknown. */
export type KeyMemory = { get(): string | undefined; set(key: string): void; delete(): void }

/** Keys of requests whose outcome is unknown, by their subject: they outlive a dialog that is closed meanwhile. */
const unsettledKeys = new Map<string, string>()

const memoryOf = (subject: string): KeyMemory => ({
  get: () => unsettledKeys.get(subject),
  set: (key) => void unsettledKeys.set(subject, key),
  delete: () => void unsettledKeys.delete(subject),
})

/**
 * Sends the writes of a form or dialog under one Idempotency-Key until the outcome is known, also if the values change
 * meanwhile. If the first request did succeed, the service repeats its answer, or refuses the changed request
 * (B-key-6), instead of writing twice. A form that names its subject keeps the key when it is closed and opened again;
 * one with a longer memory, such as its draft, keeps it there.
 */
export function useRequestKey(subject: string | KeyMemory | null = null) {
  // The subject as the person saw it when the form opened.
  const [memory] = useState(() => (typeof subject === 'string' ? memoryOf(subject) : subject))
  const key = useRef(memory?.get() ?? newKey())
  return useCallback(
    async <D>(send: (idempotencyKey: string) => Promise<D>): Promise<D> => {
      memory?.set(key.current)
      const settle = () => {
        key.current = newKey()
        memory?.delete()
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
    [memory],
  )
}
