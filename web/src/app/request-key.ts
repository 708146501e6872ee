import { useCallback, useRef, useState } from 'react'
import { newKey } from '../offline/key.ts'
import { isUnsettled } from './outcome.ts'

/** Where the key of a request waits while the outcome is unknown. */
export type KeyMemory = { get(): string | undefined; set(key: string): void; delete(): void }

/** Keys of requests whose outcome is unknown, by their subject: they outlive a form that is closed meanwhile. */
const unsettledKeys = new Map<string, string>()

const memoryOf = (subject: string): KeyMemory => ({
  get: () => unsettledKeys.get(subject),
  set: (key) => void unsettledKeys.set(subject, key),
  delete: () => void unsettledKeys.delete(subject),
})

type Attempt = { memory: KeyMemory | null; key: string }

function attemptAt(subject: string | KeyMemory | null): Attempt {
  const memory = typeof subject === 'string' ? memoryOf(subject) : subject
  return { memory, key: memory?.get() ?? newKey() }
}

/**
 * Sends the writes of a form or dialog under one Idempotency-Key until the outcome is known, also if the values change
 * meanwhile. If the first request did succeed, the service repeats its answer, or refuses the changed request
 * (B-key-6), instead of writing twice. A form that names its subject keeps the key when it is closed and opened again;
 * one with a longer memory, such as its draft, keeps it there.
 *
 * The subject contains the record's id and a value that every write changes for good, such as its newest entry. A page
 * that shows the write therefore begins a new request.
 */
export function useRequestKey(subject: string | KeyMemory | null = null) {
  const shown = useRef(subject)
  shown.current = subject
  // The subject as the person saw it when the form opened or, after a known outcome, when the next request is sent.
  const [opened] = useState(() => attemptAt(subject))
  const attempt = useRef<Attempt | null>(opened)
  return useCallback(async <D>(send: (idempotencyKey: string) => Promise<D>): Promise<D> => {
    attempt.current ??= attemptAt(shown.current)
    const { memory, key } = attempt.current
    memory?.set(key)
    const settle = () => {
      attempt.current = null
      memory?.delete()
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
