import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import type { Logger } from 'pino'
import { ApiError } from '../../core/errors.ts'
import { newUlid } from '../../core/ids.ts'
import type { Clock } from '../clock.ts'

/** One client that follows the boards of its workspace, or of one outlet. */
export type StreamIn = {
  accountId: string
  outletId: string | null
  reply: FastifyReply
  /** Streams with the same credential are checked together. */
  credential: string
  /** Asked again and again while the stream is open; false ends it. */
  isAllowed(): Promise<boolean>
  /** The outlets a stream without a pin follows, for when it may have missed something. */
  outletIds(): Promise<readonly string[]>
}

export type StreamLimits = {
  perAccount: number
  bufferBytes: number
  /** How long a client may leave something unread. */
  unreadMs: number
  pingMs: number
  recheckMs: number
  /** How long the outlets of a workspace may take to be read before its streams are ended instead. */
  outletsMs: number
}

export type Streams = {
  /** Answers the request with a stream. 429 when the workspace has too many, 503 while shutting down. */
  open(stream: StreamIn): void
  has(accountId: string): boolean
  /** Notifies every stream that follows the board; `line` is "<account> <topic> <outlet>". */
  deliver(line: string): void
  /** Notifies every stream that all its boards may have changed. */
  deliverAll(): Promise<void>
  /** Ends every stream and refuses new ones. */
  end(): Promise<void>
}

const TOPICS = ['kds', 'serve', 'floor'] as const

type Stream = Omit<StreamIn, 'reply'> & {
  raw: ServerResponse
  /** Since when something has been waiting to be read, on a clock that only counts; null when all was taken. */
  unreadSinceMs: number | null
}

type State = {
  readonly byAccount: Map<string, Set<Stream>>
  readonly clock: Clock
  readonly log: Logger
  readonly limits: StreamLimits
  timers: NodeJS.Timeout[]
  ending: boolean
  checking: boolean
}

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-cache, no-transform',
  'x-accel-buffering': 'no',
}
const RETRY = 'retry: 3000\n\n'
const PING = ': ping\n\n'
/** A client that does not even read the end of its stream is cut off. */
const END_MS = 1_000
/** Questions to the database for streams, at the same time. */
const AT_A_TIME = 4

export function openStreams(clock: Clock, log: Logger, limits: StreamLimits): Streams {
  const byAccount = new Map<string, Set<Stream>>()
  const state: State = { byAccount, clock, log, limits, timers: [], ending: false, checking: false }
  return {
    open: (stream) => open(state, stream),
    has: (accountId) => byAccount.has(accountId),
    deliver: (line) => deliver(state, line),
    deliverAll: () => deliverAll(state),
    end: async () => {
      state.ending = true
      const streams = all(state)
      const closed = streams.map(({ raw }) => new Promise<void>((resolve) => raw.once('close', resolve)))
      for (const stream of streams) finish(stream)
      await Promise.race([Promise.all(closed), sleep(END_MS * 2, undefined, { ref: false })])
    },
  }
}

const all = ({ byAccount }: State) => [...byAccount.values()].flatMap((streams) => [...streams])

function open(state: State, { reply, ...client }: StreamIn) {
  const { byAccount, limits } = state
  // What had to be awaited before took time, and a connection that has ended in the meantime will not say so again.
  if (reply.raw.destroyed) return void reply.hijack()
  if (state.ending) throw new ApiError('SERVICE_UNAVAILABLE', 'The service is restarting; connect again')
  const streams = byAccount.get(client.accountId) ?? new Set()
  if (streams.size >= limits.perAccount) throw tooMany(limits.perAccount)
  const { raw } = reply
  const stream: Stream = { ...client, raw, unreadSinceMs: null }
  reply.hijack()
  streams.add(stream)
  byAccount.set(client.accountId, streams)
  if (state.timers.length === 0) state.timers = startTimers(state)
  raw.once('close', () => remove(state, stream))
  raw.on('error', () => raw.destroy())
  raw.socket?.setKeepAlive(true, 30_000)
  // The connection serves nothing after its stream, so a drain need not wait for it.
  raw.shouldKeepAlive = false
  raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...HEADERS })
  raw.write(RETRY)
}

function remove({ byAccount, timers }: State, stream: Stream) {
  const streams = byAccount.get(stream.accountId)
  streams?.delete(stream)
  if (streams?.size === 0) byAccount.delete(stream.accountId)
  if (byAccount.size === 0) for (const timer of timers.splice(0)) clearInterval(timer)
}

/** One heartbeat and one look at the credentials for all streams, only while there are any. */
function startTimers(state: State): NodeJS.Timeout[] {
  const ping = () => {
    for (const stream of all(state)) write(state, stream, PING)
  }
  const timers = [
    setInterval(ping, state.limits.pingMs),
    setInterval(() => void checkAll(state), state.limits.recheckMs),
  ]
  for (const timer of timers) timer.unref()
  return timers
}

function write(state: State, stream: Stream, text: string) {
  const { raw } = stream
  if (raw.destroyed || raw.writableEnded) return
  const unread = raw.writableLength > 0
  const nowMs = performance.now()
  stream.unreadSinceMs = unread ? (stream.unreadSinceMs ?? nowMs) : null
  raw.write(text)
  const isStuck = stream.unreadSinceMs !== null && nowMs - stream.unreadSinceMs > state.limits.unreadMs
  if (!isStuck && raw.writableLength <= state.limits.bufferBytes) return
  // A client that stopped reading must not grow this process; it reconnects and reads its boards again.
  state.log.info({ outletId: stream.outletId }, 'closed a live stream that its client did not read')
  remove(state, stream)
  raw.destroy()
}

function deliver(state: State, line: string) {
  const [accountId = '', topic = '', outletId = ''] = line.split(' ')
  const streams = state.byAccount.get(accountId)
  if (!streams) return
  const text = frameOf(topic, outletId, state.clock.now())
  for (const stream of streams) {
    if (stream.outletId === null || stream.outletId === outletId) write(state, stream, text)
  }
}

/**
 * Notifies every stream that all its boards may have changed, each workspace separately. A stream whose outlets
 * cannot be read, or not in time, is ended: its client connects again and reads its boards, so it misses nothing
 * either way.
 */
async function deliverAll(state: State): Promise<void> {
  const waiting: Stream[][] = []
  for (const streams of state.byAccount.values()) {
    for (const { outletId, stream } of pinned(streams)) tellAll(state, stream, [outletId])
    const unpinned = [...streams].filter((stream) => stream.outletId === null)
    if (unpinned.length > 0) waiting.push(unpinned)
  }
  const faults: unknown[] = []
  await inTurns(waiting, async (streams) => {
    try {
      const outletIds = await inTime(streams[0]?.outletIds() ?? [], state.limits.outletsMs)
      for (const stream of streams) tellAll(state, stream, outletIds)
    } catch (error) {
      faults.push(error)
      for (const stream of streams) finish(stream)
    }
  })
  if (faults.length === 0) return
  const told = 'the outlets of workspaces could not be read; their live streams were ended to connect again'
  state.log.warn({ err: faults[0], workspaces: faults.length }, told)
}

const pinned = (streams: Iterable<Stream>) =>
  [...streams].flatMap((stream) => (stream.outletId === null ? [] : [{ outletId: stream.outletId, stream }]))

function tellAll(state: State, stream: Stream, outletIds: readonly string[]) {
  for (const outletId of outletIds) {
    for (const topic of TOPICS) write(state, stream, frameOf(topic, outletId, state.clock.now()))
  }
}

/** The value, or an error when it takes too long. */
async function inTime<T>(value: T | Promise<T>, ms: number): Promise<T> {
  const late = new AbortController()
  const timer = sleep(ms, undefined, { ref: false, signal: late.signal }).then(() => {
    throw new Error(`no answer within ${ms} ms`)
  })
  timer.catch(() => {})
  try {
    return await Promise.race([value, timer])
  } finally {
    late.abort()
  }
}

/** A few at the same time, so that one that is slow holds up none of the others. */
async function inTurns<T>(items: Iterable<T>, work: (item: T) => Promise<void>) {
  // Shared on purpose: each worker takes the next one that nobody has taken.
  const left = items[Symbol.iterator]()
  const worker = async () => {
    for (let next = left.next(); !next.done; next = left.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, worker))
}

async function checkAll(state: State) {
  if (state.checking) return
  state.checking = true
  const byCredential = new Map<string, Stream[]>()
  for (const stream of all(state)) {
    const alike = byCredential.get(stream.credential)
    if (alike) alike.push(stream)
    else byCredential.set(stream.credential, [stream])
  }
  await inTurns(byCredential.values(), async (streams) => {
    const allowed = await streams[0]?.isAllowed().catch((error: unknown) => {
      // The database being away revokes nobody; the next round asks again.
      state.log.warn({ err: error }, 'the credential of a live stream could not be checked')
      return true
    })
    if (!allowed) for (const stream of streams) finish(stream)
  })
  state.checking = false
}

function finish({ raw }: Stream) {
  const late = setTimeout(() => raw.destroy(), END_MS)
  raw.once('close', () => clearTimeout(late))
  raw.end()
}

/** One line of JSON, so that no text inside can start another field (B-live-1). */
const frameOf = (topic: string, outletId: string, at: string) =>
  `id: ${newUlid()}\nevent: change\ndata: ${JSON.stringify({ topic, outletId, at })}\n\n`

const tooMany = (limit: number) =>
  new ApiError('RATE_LIMITED', `This workspace already has ${limit} live streams open; close one first`, {
    headers: { 'retry-after': '30' },
  })
