import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { MAX_CPU_MS, MAX_MEMORY_BYTES } from './limits.ts'
import type { Rendition } from './render.ts'

export type DecoderReply =
  | { kind: 'ready' }
  /** `isSpent`: the process kept memory and should not decode another image. */
  | { kind: 'rendered'; rendition: Rendition; isSpent: boolean }
  | { kind: 'refused'; why: 'damaged' | 'pixels' }
  | { kind: 'exceeded'; limit: 'time' | 'memory' }
  /** The process cannot decode any image. */
  | { kind: 'broken'; reason: string }

export type DecoderResult =
  | { kind: 'rendered'; rendition: Rendition }
  | { kind: 'refused'; why: 'damaged' | 'pixels' | 'time' | 'memory' }

/** The image could not be checked: the decoder did not start, or the machine gave it no processor time. */
export class DecoderError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'DecoderError'
  }
}

/** Decodes one image at a time in a separate process, which starts with the first image and ends when idle. */
export type Decoder = { decode(bytes: Buffer): Promise<DecoderResult>; close(): Promise<void> }

const IDLE_MS = 60_000
const START_MS = 30_000
/** The process measures its own processor time (limits.ts); this timeout ends a frozen one. */
const STUCK_MS = 10_000
/**
 * A crash is retried once in a new process, so that a good image is not refused because the machine killed the
 * process.
 */
const ATTEMPTS = 2

const EXTENSION = path.extname(fileURLToPath(import.meta.url))
const PROGRAM = fileURLToPath(new URL(`decoder-process${EXTENSION}`, import.meta.url))
/** In an unbuilt clone, tsx runs the sources. */
const LOADER = EXTENSION === '.ts' ? ['--import', 'tsx'] : []
/**
 * The environment contains no secret of the service. glibc returns the freed memory of a decode to the system, so the
 * next one starts from the same size.
 */
const ENVIRONMENT = {
  UV_THREADPOOL_SIZE: '1',
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
}

type Limits = { cpuMs: number; memoryBytes: number }

export function openDecoder({
  cpuMs = MAX_CPU_MS,
  memoryBytes = MAX_MEMORY_BYTES,
}: Partial<Limits> = {}): Decoder {
  let running: ChildProcess | undefined
  let isClosed = false
  let idle: NodeJS.Timeout | undefined

  const end = async (child: ChildProcess) => {
    if (running === child) running = undefined
    const exited = hasExited(child) ? undefined : once(child, 'exit')
    child.ref()
    child.kill('SIGKILL')
    await exited
  }
  const start = async (): Promise<ChildProcess> => {
    if (isClosed) throw new DecoderError('the service is stopping')
    const child = forkDecoder({ cpuMs, memoryBytes })
    running = child
    const first = await replyOf(child, START_MS)
    if (first?.kind === 'ready') return child
    await end(child)
    throw new DecoderError(first?.kind === 'broken' ? first.reason : 'the decoder did not start')
  }
  /** Null if the process died. */
  const attempt = async (bytes: Buffer): Promise<DecoderResult | null> => {
    const child = running ?? (await start())
    const replied = replyOf(child, STUCK_MS)
    child.send(bytes, () => {})
    const reply = await replied
    if (reply?.kind === 'refused') return reply
    if (reply?.kind === 'rendered' && !reply.isSpent) return { kind: 'rendered', rendition: reply.rendition }
    const hasDied = hasExited(child)
    await end(child)
    if (reply?.kind === 'rendered') return { kind: 'rendered', rendition: reply.rendition }
    if (reply?.kind === 'exceeded') return { kind: 'refused', why: reply.limit }
    if (hasDied && !isClosed) return null
    throw new DecoderError('the decoder gave no answer')
  }

  return {
    decode: async (bytes) => {
      clearTimeout(idle)
      try {
        for (let tried = 0; tried < ATTEMPTS; tried += 1) {
          const decoded = await attempt(bytes)
          if (decoded) return decoded
        }
        return { kind: 'refused', why: 'damaged' }
      } finally {
        idle = setTimeout(() => void (running && end(running)), IDLE_MS).unref()
      }
    },
    close: async () => {
      isClosed = true
      clearTimeout(idle)
      if (running) await end(running)
    },
  }
}

const hasExited = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

function forkDecoder({ cpuMs, memoryBytes }: Limits): ChildProcess {
  const child = fork(PROGRAM, [String(cpuMs), String(memoryBytes)], {
    env: ENVIRONMENT,
    execArgv: LOADER,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // Ignores a send to a process that has ended; its exit event is handled.
  child.on('error', () => {})
  child.unref()
  child.channel?.unref()
  try {
    // Set before the process has threads, which inherit it: the till has priority.
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has ended already, or the system does not allow it.
  }
  return child
}

/** The next message of the process; undefined if it ends first or sends nothing in time. */
function replyOf(child: ChildProcess, patienceMs: number): Promise<DecoderReply | undefined> {
  if (hasExited(child)) return Promise.resolve(undefined)
  return new Promise((resolve) => {
    const settle = (reply?: DecoderReply) => {
      clearTimeout(timer)
      child.off('message', onMessage)
      child.off('exit', onEnd)
      child.off('error', onEnd)
      resolve(reply)
    }
    const onMessage = (message: unknown) => settle(message as DecoderReply)
    const onEnd = () => settle()
    const timer = setTimeout(onEnd, patienceMs)
    child.once('message', onMessage)
    child.once('exit', onEnd)
    child.once('error', onEnd)
  })
}
