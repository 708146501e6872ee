import { keepClient } from './kept-client.ts'

/** Whether sales can be made, asked on a connection of its own: a busy pool is not an outage. */
export type Pulse = {
  /** Resolves when the database takes writes; those who ask at the same time share one answer. */
  beat(): Promise<void>
  close(): Promise<void>
}

const PATIENCE_MS = 1_500
const ASK = `select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as "isReadOnly"`

export function openPulse(url: string): Pulse {
  const client = keepClient({ url, timeoutMs: PATIENCE_MS })
  let asking: Promise<void> | undefined

  const ask = async () => {
    const known = await client.get()
    const { rows } = await known.query<{ isReadOnly: boolean }>(ASK)
    if (rows[0]?.isReadOnly !== false) throw new Error('the database takes no writes')
  }
  return {
    beat: () => {
      asking ??= ask()
        .catch((error: unknown) => {
          void client.forget()
          throw error
        })
        .finally(() => {
          asking = undefined
        })
      return asking
    },
    close: () => client.forget(),
  }
}
