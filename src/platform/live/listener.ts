import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { endClient } from '../db/connections.ts'

/** A listening connection that reconnects whenever it ends. */
export type Listener = {
  /** The connection while it listens; it also sends notifications. */
  client(): pg.Client | undefined
  start(): void
  /** Resolves once listening, or after `waitMs`. */
  ready(waitMs: number): Promise<void>
  stop(): Promise<void>
}

export type ListenerOptions = {
  url: string
  name: string
  log: Logger
  onPayload(payload: string): void
  onListening(): void
}

const FIRST_RETRY_MS = 100
const LONGEST_RETRY_MS = 5_000
const PROBE_MS = 30_000

export function openListener(options: ListenerOptions): Listener {
  const { log } = options
  const stopping = new AbortController()
  const waiters = new Set<() => void>()
  let client: pg.Client | undefined
  let loop: Promise<void> | undefined
  const wakeAll = () => {
    for (const wake of waiters) wake()
  }

  const keepListening = async () => {
    let waitMs = FIRST_RETRY_MS
    while (!stopping.signal.aborted) {
      const lived = await listenOnce(options, stopping.signal, (next) => {
        client = next
        if (!next) return
        options.onListening()
        wakeAll()
      }).catch((error: Error) => {
        log.warn({ reason: error.message }, 'the live connection could not be made')
        return false
      })
      waitMs = lived ? FIRST_RETRY_MS : Math.min(waitMs * 2, LONGEST_RETRY_MS)
      const jitteredMs = waitMs * (0.75 + Math.random() / 2)
      await sleep(jitteredMs, undefined, { ref: false, signal: stopping.signal }).catch(() => {})
    }
  }

  return {
    client: () => client,
    start: () => {
      if (!stopping.signal.aborted) loop ??= keepListening()
    },
    ready: async (waitMs) => {
      if (client || stopping.signal.aborted) return
      await new Promise<void>((resolve) => {
        const done = () => {
          clearTimeout(timer)
          waiters.delete(done)
          resolve()
        }
        const timer = setTimeout(done, waitMs)
        waiters.add(done)
      })
    },
    stop: async () => {
      stopping.abort()
      wakeAll()
      await loop
    },
  }
}

/**
 * Listens until the connection ends, then returns true; throws if it could not start. Calls `use` at the start and at
 * the end.
 */
async function listenOnce(
  { url, name, log, onPayload }: ListenerOptions,
  stopped: AbortSignal,
  use: (client: pg.Client | undefined) => void,
): Promise<true> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'kasir live',
    connectionTimeoutMillis: 3_000,
    query_timeout: 5_000,
    keepAlive: true,
  })
  const hangUp = () => void endClient(client)
  const ended = new Promise<void>((resolve) => client.once('end', resolve))
  client.on('error', (error) => log.warn({ reason: error.message }, 'the live connection was lost'))
  client.on('notification', ({ payload }) => onPayload(payload ?? ''))
  stopped.addEventListener('abort', hangUp)
  let probe: NodeJS.Timeout | undefined
  try {
    // If we end the connection, the driver never settles connect().
    await Promise.race([client.connect(), ended])
    stopped.throwIfAborted()
    // A notification is only a hint, so its commit need not wait for the disk.
    await client.query(`set synchronous_commit = off; set statement_timeout = '5s'; listen ${name}`)
    stopped.throwIfAborted()
    // A listener gets no signal when a database disappears silently, so it polls.
    probe = setInterval(() => void client.query('select 1').catch(hangUp), PROBE_MS)
    probe.unref()
    use(client)
    await ended
    return true
  } finally {
    use(undefined)
    clearInterval(probe)
    stopped.removeEventListener('abort', hangUp)
    await endClient(client)
  }
}
