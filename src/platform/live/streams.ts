import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import type { Logger } from 'pino'
import { ApiError } from '../../core/errors.ts'
import { newUlid } from '../../core/ids.ts'
import type { Clock } from '../clock.ts'
import { ACCESS_TOPIC } from '../scope.ts'

/** One client that follows the boards of its workspace, or of one outlet. */
export type StreamIn = {
  accountId: string
  outletId: string | null
  reply: FastifyReply
  /** Streams with the same credential are checked together. */
  credential: string
  /** Called repeatedly while the stream is open; false ends it. */
  isAllowed(): Promise<boolean>
  /** The outlets that a stream without a fixed outlet follows, for when it may have missed changes. */
  outletIds(): Promise<readonly string[]>
}

export type StreamLimits = {
  perAccount: number
  bufferBytes: number
  /** How long a client may leave data unread. */
  unreadMs: number
  pingMs: number
  recheckMs: number
  /** How long checking credentials, or reading the outlets of a workspace, may take; then the streams are ended. */
  outletsMs: number
}

export type Streams = {
  /** Answers the request with a stream. Throws 429 if the workspace has too many, 503 during shutdown. */
  open(stream: StreamIn): void
  has(accountId: string): boolean
  /**
   * Notifies every stream that follows the board; `line` is "<account> <topic> <outlet>". After a change of access it
   * checks the credentials of the workspace's streams instead.
   */
  deliver(line: string): void
  /** Notifies every stream that all its boards may have changed. */
  deliverAll(): Promise<void>
  /** Ends every stream and refuses new ones. */
  end(): Promise<void>
}

const TOPICS = ['kds', 'serve', 'floor', 'print'] as const
/** The topic that concerns all outlets of a workspace. */
const CATALOGUE = 'catalogue'

type Stream = Omit<StreamIn, 'reply'> & {
  raw: ServerResponse
  /** Since when data has been unread, on a monotonic clock; null if the client has read everything. */
  unreadSinceMs: number | null
}

type StreamState = {
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
/** A client that does not even read the end of its stream is disconnected. */
const END_MS = 1_000
/** Concurrent database queries for streams. */
const AT_A_TIME = 4

export function openStreams(clock: Clock, log: Logger, limits: StreamLimits): Streams {
  const byAccount = new Map<string, Set<Stream>>()
  const state: StreamState = { byAccount, clock, log, limits, timers: [], ending: false, checking: false }
  return {
    open: (stream) => open(state, stream),
    has: (accountId) => byAccount.has(accountId),
    deliver: (line) => deliver(state, line),
    deliverAll: () => deliverAll(state),
    end: async () => {
      state.ending = true
      const streams = allStreams(state)
      const closed = streams.map(({ raw }) => new Promise<void>((resolve) => raw.once('close', resolve)))
      for (const stream of streams) finish(stream)
      await Promise.race([Promise.all(closed), sleep(END_MS * 2, undefined, { ref: false })])
    },
  }
}

const allStreams = ({ byAccount }: StreamState) => [...byAccount.values()].flatMap((streams) => [...streams])

function open(state: StreamState, { reply, ...client }: StreamIn) {
  const { byAccount, limits } = state
  // The connection may have ended during the awaits above, and it does not report that again.
  if (reply.raw.destroyed) return void reply.hijack()
  if (state.ending) throw new ApiError('SERVICE_UNAVAILABLE', 'The service is restarting; connect again')
  const streams = byAccount.get(client.accountId) ?? new Set()
  if (streams.size >= limits.perAccount) throw tooManyStreams(limits.perAccount)
  const { raw } = reply
  const stream: Stream = { ...client, raw, unreadSinceMs: null }
  reply.hijack()
  streams.add(stream)
  byAccount.set(client.accountId, streams)
  if (state.timers.length === 0) state.timers = startTimers(state)
  raw.once('close', () => remove(state, stream))
  raw.on('error', () => raw.destroy())
  raw.socket?.setKeepAlive(true, 30_000)
  // The connection serves nothing after its stream, so the shutdown does not wait for it.
  raw.shouldKeepAlive = false
  raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...HEADERS })
  raw.write(RETRY)
}

function remove({ byAccount, timers }: StreamState, stream: Stream) {
  const streams = byAccount.get(stream.accountId)
  streams?.delete(stream)
  if (streams?.size === 0) byAccount.delete(stream.accountId)
  if (byAccount.size === 0) for (const timer of timers.splice(0)) clearInterval(timer)
}

/** Sends heartbeats and checks credentials for all streams, only while there are any. */
function startTimers(state: StreamState): NodeJS.Timeout[] {
  const ping = () => {
    for (const stream of allStreams(state)) write(state, stream, PING)
  }
  const timers = [
    setInterval(ping, state.limits.pingMs),
    setInterval(() => void checkAll(state), state.limits.recheckMs),
  ]
  for (const timer of timers) timer.unref()
  return timers
}

function write(state: StreamState, stream: Stream, text: string) {
  const { raw } = stream
  if (raw.destroyed || raw.writableEnded) return
  const unread = raw.writableLength > 0
  const nowMs = performance.now()
  stream.unreadSinceMs = unread ? (stream.unreadSinceMs ?? nowMs) : null
  raw.write(text)
  const isStuck = stream.unreadSinceMs !== null && nowMs - stream.unreadSinceMs > state.limits.unreadMs
  if (!isStuck && raw.writableLength <= state.limits.bufferBytes) return
  // The unread data of a stalled client must not fill memory; the client reconnects and reads its boards again.
  state.log.info({ outletId: stream.outletId }, 'closed a live stream that its client did not read')
  remove(state, stream)
  raw.destroy()
}

function deliver(state: StreamState, line: string) {
  const [accountId = '', topic = '', outletId = ''] = line.split(' ')
  const streams = state.byAccount.get(accountId)
  if (!streams) return
  if (topic === ACCESS_TOPIC) return void check(state, [...streams])
  const isOfAll = topic === CATALOGUE
  const text = frameOf(topic, isOfAll ? null : outletId, state.clock.now())
  for (const stream of streams) {
    if (isOfAll || stream.outletId === null || stream.outletId === outletId) write(state, stream, text)
  }
}

/**
 * Notifies every stream that all its boards may have changed, workspace by workspace. A change of access may have been
 * missed too, so credentials are checked first. If the credential of a stream cannot be checked or its outlets cannot
 * be read in time, the stream is ended. Its client then reconnects and reads its boards, so it misses nothing either way.
 */
async function deliverAll(state: StreamState): Promise<void> {
  const unchecked = new Set(allStreams(state))
  if (unchecked.size === 0) return
  await withTimeout(check(state, [...unchecked], unchecked), state.limits.outletsMs).catch(
    (error: unknown) => {
      const told =
        'the credentials of live streams could not be checked in time; they were ended to connect again'
      state.log.warn({ err: error, streams: unchecked.size }, told)
      for (const stream of unchecked) finish(stream)
    },
  )
  const waiting: Stream[][] = []
  for (const streams of state.byAccount.values()) {
    for (const { outletId, stream } of pinned(streams)) sendAll(state, stream, [outletId])
    const unpinned = [...streams].filter((stream) => stream.outletId === null)
    if (unpinned.length > 0) waiting.push(unpinned)
  }
  const faults: unknown[] = []
  await yieldingEach(waiting, async (streams) => {
    try {
      const outletIds = await withTimeout(streams[0]?.outletIds() ?? [], state.limits.outletsMs)
      for (const stream of streams) sendAll(state, stream, outletIds)
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

function sendAll(state: StreamState, stream: Stream, outletIds: readonly string[]) {
  write(state, stream, frameOf(CATALOGUE, null, state.clock.now()))
  for (const outletId of outletIds) {
    for (const topic of TOPICS) write(state, stream, frameOf(topic, outletId, state.clock.now()))
  }
}

/** The value of the promise; throws if it takes too long. */
async function withTimeout<T>(value: T | Promise<T>, ms: number): Promise<T> {
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

/** Runs a few at the same time, so that a slow one does not block the others. */
async function yieldingEach<T>(items: Iterable<T>, work: (item: T) => Promise<void>) {
  // Shared on purpose: each worker takes the next item from the same iterator.
  const left = items[Symbol.iterator]()
  const worker = async () => {
    for (let next = left.next(); !next.done; next = left.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, worker))
}

async function checkAll(state: StreamState) {
  if (state.checking) return
  state.checking = true
  await check(state, allStreams(state))
  state.checking = false
}

/** Ends those of the streams whose credential has ended or lost access. Takes each checked stream out of `unchecked`. */
async function check(state: StreamState, open: readonly Stream[], unchecked?: Set<Stream>) {
  const byCredential = new Map<string, Stream[]>()
  for (const stream of open) {
    const alike = byCredential.get(stream.credential)
    if (alike) alike.push(stream)
    else byCredential.set(stream.credential, [stream])
  }
  await yieldingEach(byCredential.values(), async (streams) => {
    const allowed = await streams[0]?.isAllowed().catch((error: unknown) => {
      // An unreachable database revokes no credential; the next round checks again.
      state.log.warn({ err: error }, 'the credential of a live stream could not be checked')
      return true
    })
    for (const stream of streams) {
      unchecked?.delete(stream)
      if (!allowed) finish(stream)
    }
  })
}

function finish({ raw }: Stream) {
  const late = setTimeout(() => raw.destroy(), END_MS)
  raw.once('close', () => clearTimeout(late))
  raw.end()
}

/** One line of JSON, so that no text inside can start another field (B-live-1). */
const frameOf = (topic: string, outletId: string | null, at: string) =>
  `id: ${newUlid()}\nevent: change\ndata: ${JSON.stringify({ topic, outletId, at })}\n\n`

const tooManyStreams = (limit: number) =>
  new ApiError('RATE_LIMITED', `This workspace already has ${limit} live streams open; close one first`, {
    headers: { 'retry-after': '30' },
  })
