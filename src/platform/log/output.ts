import { constants, fstatSync, openSync, write } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemCode } from '../../core/fault.ts'
import { systemClock } from '../clock.ts'

/** Lines are buffered while the reader is slow. Above this limit new lines are dropped and counted. */
const LIMIT_BYTES = 4 * 2 ** 20
const CHUNK_BYTES = 64 * 2 ** 10
/** The retry delays for a stopped terminal, and for a full disk or a closed terminal. */
const BUSY_RETRY_MS = 50
const FAULT_RETRY_MS = 1_000
/** How long the end of a process waits for the last lines. */
const LAST_LINES_MS = 500

/** Writes some of the bytes and returns how many, without blocking the event loop. */
type Sink = (bytes: Buffer, done: (error: Error | null, written: number) => void) => void

export type LogOutput = {
  /** Never throws and never waits. `text` is one or more whole lines. */
  write(text: string): void
  /** Resolves when every line is written, after at most half a second. */
  drained(): Promise<void>
}

/** The buffered lines in order, at most 4 MiB, and the number of dropped lines. */
function createLineQueue() {
  const waiting: Buffer[] = []
  let bytes = 0
  let lostLines = 0
  const add = (lines: Buffer) => {
    waiting.push(lines)
    bytes += lines.length
  }
  const lose = (lines: Buffer) => {
    for (const byte of lines) if (byte === 0x0a) lostLines += 1
  }
  return {
    isEmpty: () => waiting.length === 0,
    lose,
    add: (lines: Buffer) => (bytes + lines.length > LIMIT_BYTES ? lose(lines) : add(lines)),
    putBack: (lines: Buffer) => {
      waiting.unshift(lines)
      bytes += lines.length
    },
    takeChunk: (): Buffer => {
      let taken = 0
      let count = 0
      for (const lines of waiting) {
        if (taken >= CHUNK_BYTES) break
        taken += lines.length
        count += 1
      }
      bytes -= taken
      return Buffer.concat(waiting.splice(0, count), taken)
    },
    /** Adds a line with the number of lines dropped since the last such line. */
    reportLoss: () => {
      if (lostLines === 0) return
      const msg = 'log lines were lost: the log could not be written'
      add(Buffer.from(`${JSON.stringify({ level: 40, time: systemClock.now(), lostLines, msg })}\n`))
      lostLines = 0
    },
  }
}

/**
 * Writes lines in order and buffers at most 4 MiB of them: a stalled reader, a full disk or a closed terminal only
 * loses lines. The first line after a gap reports how many were lost.
 */
export function createLogOutput(sink: Sink): LogOutput {
  const queue = createLineQueue()
  let isWriting = false
  let retry: NodeJS.Timeout | null = null

  /** Returns the delay before the next write. */
  const settle = (chunk: Buffer, error: Error | null, written: number): number => {
    if (error === null) {
      if (written < chunk.length) queue.putBack(chunk.subarray(written))
      else queue.reportLoss()
      return 0
    }
    if (systemCode(error) === 'EAGAIN') {
      queue.putBack(chunk)
      return BUSY_RETRY_MS
    }
    queue.lose(chunk)
    return FAULT_RETRY_MS
  }
  const flush = () => {
    if (isWriting || retry !== null || queue.isEmpty()) return
    isWriting = true
    const chunk = queue.takeChunk()
    sink(chunk, (error, written) => {
      isWriting = false
      const waitMs = settle(chunk, error, written)
      if (waitMs === 0) return flush()
      retry = setTimeout(() => {
        retry = null
        flush()
      }, waitMs).unref()
    })
  }
  return {
    write: (text) => {
      queue.add(Buffer.from(text))
      flush()
    },
    drained: async () => {
      const until = performance.now() + LAST_LINES_MS
      while ((isWriting || !queue.isEmpty()) && performance.now() < until) await sleep(5)
    },
  }
}

const STDOUT = 1
let shared: LogOutput | undefined

/** Standard output, for the log and the messages of a service. */
export const standardOutput = (): LogOutput => (shared ??= createLogOutput(openStandardOutput()))

/**
 * A blocking write would hold a thread and delay the exit of the process. Node.js writes to pipes and sockets without
 * blocking, and a file does not block. A terminal is reopened in non-blocking mode.
 */
function openStandardOutput(): Sink {
  const kind = fstatSync(STDOUT)
  if (kind.isFile()) return writeTo(STDOUT)
  if (kind.isCharacterDevice()) return writeTo(openUnblocked() ?? STDOUT)
  return (bytes, done) => {
    process.stdout.write(bytes, (error) => done(error ?? null, bytes.length))
  }
}

const writeTo =
  (fd: number): Sink =>
  (bytes, done) =>
    write(fd, bytes, done)

function openUnblocked(): number | null {
  try {
    return openSync(`/dev/fd/${STDOUT}`, constants.O_WRONLY | constants.O_NONBLOCK)
  } catch {
    return null
  }
}
