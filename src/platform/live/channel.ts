import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { endClient } from '../db/connections.ts'
import { openListener } from './listener.ts'

/**
 * Sends lines between the processes that share a database. After a lost connection, `onListening` lets the streams
 * catch up.
 */
export type Channel = {
  /** Queues a line for the other processes; duplicates in the queue are sent once. */
  send(line: string): void
  /** Resolves once listening, or after `waitMs`: a stream does not wait longer for other processes. */
  listening(waitMs: number): Promise<void>
  close(): Promise<void>
}

export type ChannelOptions = {
  url: string
  log: Logger
  onLine(line: string): void
  /** Called each time listening starts: earlier lines may have been missed. */
  onListening(): void
}

const NAME = 'kasir_live'
const NOTIFY = {
  name: 'live_notify',
  text: `select pg_notify('${NAME}', payload) from unnest($1::text[]) payload`,
}
/** PostgreSQL refuses payloads of 8000 bytes and more. Lines are ASCII. */
const MAX_PAYLOAD = 7_900
const SENDER_BYTES = 6
/**
 * The minimum gap between two notifying commits of all processes together. Such commits queue behind one lock of the
 * whole server, and each wakes every listener. So a process waits this gap times the number of sending processes: the
 * notifications received grow linearly with the processes, not with their square.
 */
const GAP_MS = 10
const LONGEST_GAP_MS = 1_000
/**
 * A larger number does not lengthen the gap. It also limits the memory of a listener, which would otherwise remember
 * every past process.
 */
const MOST_HEARD = LONGEST_GAP_MS / GAP_MS
/** A process that sent nothing for this long is not counted. */
const SILENT_MS = 5_000
/** Payloads per commit. */
const MOST_PAYLOADS = 20
/**
 * With this many different lines queued, the database has been unreachable for long; one line then replaces all of
 * them.
 */
const MAX_WAITING = 5_000
export const EVERYTHING = '*'
const CLOSE_MS = 1_000

/** The connection is opened on first use. */
export function openChannel({ url, log, onLine, onListening }: ChannelOptions): Channel {
  const sender = randomBytes(SENDER_BYTES).toString('hex')
  const waiting = new Set<string>()
  const heardAtMs = new Map<string, number>()
  let sending: Promise<void> | undefined

  const flush = () => {
    sending ??= sendWaiting().finally(() => {
      sending = undefined
    })
  }
  const sendWaiting = async () => {
    for (let client = listener.client(); client && waiting.size > 0; client = listener.client()) {
      const payloads = takePayloads(waiting)
      try {
        await client.query({ ...NOTIFY, values: [payloads.map((lines) => [sender, ...lines].join('\n'))] })
      } catch (error) {
        log.warn(
          { reason: (error as Error).message },
          'changes of live boards are waiting for the next connection',
        )
        for (const line of payloads.flat()) waiting.add(line)
        await endClient(client)
        return
      }
      await sleep(gapMs(heardAtMs), undefined, { ref: false })
    }
  }
  const listener = openListener({
    url,
    name: NAME,
    log,
    onPayload: (payload) => {
      const [from, ...lines] = payload.split('\n')
      if (from === undefined || from === sender) return
      if (heardAtMs.has(from) || heardAtMs.size < MOST_HEARD) heardAtMs.set(from, performance.now())
      for (const line of lines) onLine(line)
    },
    onListening: () => {
      onListening()
      flush()
    },
  })

  return {
    send: (line) => {
      listener.start()
      if (waiting.size >= MAX_WAITING) {
        waiting.clear()
        waiting.add(EVERYTHING)
      } else waiting.add(line)
      flush()
    },
    listening: (waitMs) => {
      listener.start()
      return listener.ready(waitMs)
    },
    close: async () => {
      // Sends the last changes of this process to the others, if the database responds.
      if (waiting.size > 0) flush()
      await Promise.race([sending, sleep(CLOSE_MS, undefined, { ref: false })])
      await listener.stop()
    },
  }
}

/** The delay until the next turn; `heard` holds when each other process last sent a line. */
function gapMs(heardAtMs: Map<string, number>): number {
  const sinceMs = performance.now() - SILENT_MS
  for (const [process, atMs] of heardAtMs) if (atMs < sinceMs) heardAtMs.delete(process)
  return Math.min(GAP_MS * (1 + heardAtMs.size), LONGEST_GAP_MS)
}

function takePayloads(waiting: Set<string>): string[][] {
  const payloads: string[][] = []
  while (waiting.size > 0 && payloads.length < MOST_PAYLOADS) payloads.push(takePayload(waiting))
  return payloads
}

/** Takes as many queued lines as one notification can hold. */
export function takePayload(waiting: Set<string>): string[] {
  const taken: string[] = []
  let bytes = SENDER_BYTES * 2
  for (const line of waiting) {
    bytes += line.length + 1
    if (bytes > MAX_PAYLOAD) break
    taken.push(line)
    waiting.delete(line)
  }
  return taken
}
