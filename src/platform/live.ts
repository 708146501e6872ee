import type { Logger } from 'pino'
import type { Clock } from './clock.ts'
import { EVERYTHING, openChannel } from './live/channel.ts'
import { merger } from './live/merger.ts'
import { openStreams, type StreamIn, type StreamLimits } from './live/streams.ts'

/** Notifies the live boards of an outlet once a change has committed (B-live-3). */
export type Live = {
  /** `boards` holds "<board> <outletId>". Returns at once and never throws: a sale does not wait for a screen. */
  publish(accountId: string, boards: ReadonlySet<string>): void
  /** Answers a request with a stream of changes. 429 past the limit of the workspace, 503 while shutting down. */
  open(stream: StreamIn): Promise<void>
  /** Ends every stream, so that the server can close. */
  endStreams(): Promise<void>
  close(): Promise<void>
}

export type LiveTuning = StreamLimits & { mergeMs: number }

/** B-live-1 to B-live-3; the buffer is what one client may leave unread. */
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
 * Changes of this process reach its own streams directly and those of other processes through the channel, each way
 * merged per topic and outlet. Limits per workspace hold per process.
 */
export function createLive({ url, clock, log, tuning }: LiveOptions): Live {
  const { mergeMs, ...limits } = { ...TUNING, ...tuning }
  const streams = openStreams(clock, log, limits)
  const here = merger(mergeMs, streams.deliver)
  const readAgain = () =>
    void streams
      .deliverAll()
      .catch((error: unknown) =>
        log.warn({ err: error }, 'live streams could not be asked to read their boards again'),
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
