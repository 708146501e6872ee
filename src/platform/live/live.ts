import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import { EVERYTHING, openChannel } from './channel.ts'
import { merger } from './merger.ts'
import { openStreams, type StreamIn, type StreamLimits } from './streams.ts'

/** Notifies the live boards of an outlet after a change has committed (B-live-3). */
export type Live = {
  /** `boards` holds "<board> <outletId>". Returns immediately and never throws: a sale does not wait for a screen. */
  publish(accountId: string, boards: ReadonlySet<string>): void
  /** Answers a request with a stream of changes. Throws 429 above the workspace's limit, 503 during shutdown. */
  open(stream: StreamIn): Promise<void>
  /** Ends every stream, so that the server can close. */
  endStreams(): Promise<void>
  close(): Promise<void>
}

export type LiveTuning = StreamLimits & { mergeMs: number }

/** B-live-1 to B-live-3; the buffer limits the unread bytes per client. */
const TUNING: LiveTuning = {
  mergeMs: 200,
  perAccount: 20,
  bufferBytes: 64 * 1024,
  unreadMs: 60_000,
  pingMs: 25_000,
  recheckMs: 30_000,
  outletsMs: 5_000,
}
const LISTEN_WAIT_MS = 2_000

export type LiveOptions = { url: string; clock: Clock; log: Logger; tuning?: Partial<LiveTuning> | undefined }

/**
 * Changes of this process reach its own streams directly, and streams of other processes through the channel. Both
 * ways merge changes per topic and outlet. Limits per workspace apply per process.
 */
export function createLive({ url, clock, log, tuning }: LiveOptions): Live {
  const { mergeMs, ...limits } = { ...TUNING, ...tuning }
  const streams = openStreams(clock, log, limits)
  const here = merger(mergeMs, streams.deliver)
  const readAgain = () =>
    void streams
      .deliverAll()
      .catch((error: unknown) =>
        log.warn({ err: error }, 'could not tell live streams to reload their boards'),
      )
  const channel = openChannel({
    url,
    log,
    onLine: (line) => {
      if (line === EVERYTHING) readAgain()
      else if (streams.has(line.slice(0, line.indexOf(' ')))) here.add(line)
    },
    onListening: readAgain,
  })
  const elsewhere = merger(mergeMs, channel.send)
  return {
    publish: (accountId, boards) => {
      for (const board of boards) {
        const line = `${accountId} ${board}`
        if (streams.has(accountId)) here.add(line)
        elsewhere.add(line)
      }
    },
    open: async (stream) => {
      await channel.listening(LISTEN_WAIT_MS)
      streams.open(stream)
    },
    endStreams: streams.end,
    close: async () => {
      await streams.end()
      here.stop()
      elsewhere.stop()
      await channel.close()
    },
  }
}
