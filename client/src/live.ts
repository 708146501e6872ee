import type { Connection } from './connection.ts'
import { outcomeOf } from './outcome.ts'
import { isWorthAnotherTry, wait } from './retry.ts'

export type Change =
  /** The stream has opened or reopened. Read every board now, because missed changes are not replayed. */
  | { kind: 'readAll' }
  /** A board changed: read it again. */
  | { kind: 'change'; topic: 'kds' | 'serve' | 'floor' | 'print'; outletId: string; at: string }
  /** Goods, tables, members or settings changed, for all outlets: read the catalogue since the version you have. */
  | { kind: 'change'; topic: 'catalogue'; outletId: null; at: string }

export type LiveOptions = { outletId?: string; signal?: AbortSignal }

/** The service sends a ping every 25 seconds; a stream without one this long is dead. */
const SILENCE_MS = 60_000
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000

/**
 * Follows the boards across lost connections until the caller stops reading. Throws a KasirError if the service refuses
 * permanently.
 */
export async function* live(
  connection: Connection,
  { outletId, signal }: LiveOptions = {},
): AsyncGenerator<Change, void, undefined> {
  let failures = 0
  while (!signal?.aborted) {
    const stop = new AbortController()
    const follow = () => stop.abort()
    signal?.addEventListener('abort', follow, { once: true })
    try {
      for await (const change of streamOf(connection, outletId, stop)) {
        if (signal?.aborted) return
        failures = 0
        yield change
      }
    } catch (error) {
      if (signal?.aborted) return
      if (error instanceof StreamRefusal) throw error.cause
    } finally {
      stop.abort()
      signal?.removeEventListener('abort', follow)
    }
    failures += 1
    const most = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures)
    await wait(Math.random() * most, signal).catch(() => {})
  }
}

class StreamRefusal extends Error {}

async function* streamOf(connection: Connection, outletId: string | undefined, stop: AbortController) {
  const query = outletId === undefined ? '' : `?outletId=${encodeURIComponent(outletId)}`
  const headers: Record<string, string> = { accept: 'text/event-stream' }
  if (connection.apiKey !== null) headers['authorization'] = `Bearer ${connection.apiKey}`
  let timer = setTimeout(() => stop.abort(), SILENCE_MS)
  try {
    const response = await connection.fetch(`${connection.baseUrl}/api/v1/events/stream${query}`, {
      headers,
      signal: stop.signal,
      redirect: 'manual',
    })
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
    if (!response.ok || !isStream || response.body === null) {
      const outcome = await outcomeOf(response, { isFile: false, key: null, signal: stop.signal })
      if ('error' in outcome && !isWorthAnotherTry(outcome.error))
        throw new StreamRefusal('', { cause: outcome.error })
      return
    }
    yield { kind: 'readAll' } as const
    const reader = response.body.getReader()
    const decoder = new TextDecoder()
    let pending = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      clearTimeout(timer)
      timer = setTimeout(() => stop.abort(), SILENCE_MS)
      const frames = (pending + decoder.decode(value, { stream: true })).split('\n\n')
      pending = frames.pop() ?? ''
      if (pending.length > LONGEST_FRAME) return
      for (const frame of frames) {
        const change = changeOf(frame)
        if (change) yield change
      }
    }
  } finally {
    clearTimeout(timer)
  }
}

const LONGEST_FRAME = 65_536

function changeOf(frame: string): Change | null {
  const lines = frame.split('\n')
  if (!lines.includes('event: change')) return null
  const data = lines.find((line) => line.startsWith('data: '))?.slice('data: '.length)
  try {
    const change = JSON.parse(data ?? '') as Omit<Extract<Change, { kind: 'change' }>, 'kind'>
    return { ...change, kind: 'change' } as Change
  } catch {
    return null
  }
}
