import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'

export type Change = { topic: string; outletId: string | null; at: string }
export type Frame = { id: string; change: Change }
export type EventStream = {
  status: number
  headers: IncomingHttpHeaders
  /** Everything received so far, as sent. */
  text(): string
  frames(): Frame[]
  /** Waits until `done` holds of what was received; throws after `ms` with what was. */
  until(done: (stream: EventStream) => boolean, ms?: number): Promise<void>
  isEnded(): boolean
  /** Stops reading without closing. */
  pause(): void
  close(): void
}

/** Opens a stream over real HTTP and reads it as it comes. */
export async function openStream(
  address: string,
  key: string,
  { query = '', headers = {} }: { query?: string; headers?: Record<string, string> } = {},
): Promise<EventStream> {
  const credential = key === '' ? {} : { authorization: `Bearer ${key}` }
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(`${address}/api/v1/events/stream${query}`, {
      headers: { ...credential, ...headers },
      agent: false,
    })
    sent.once('response', resolve).once('error', reject).end()
  })
  let text = ''
  let ended = false
  const watchers = new Set<() => void>()
  const tell = () => {
    for (const watch of watchers) watch()
  }
  response.setEncoding('utf8')
  response.on('data', (chunk: string) => {
    text += chunk
    tell()
  })
  response.on('error', () => {})
  response.on('close', () => {
    ended = true
    tell()
  })
  const stream: EventStream = {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: () => text,
    frames: () =>
      [...text.matchAll(/id: (.+)\nevent: change\ndata: (.+)\n\n/g)].map(([, id = '', data = '']) => ({
        id,
        change: JSON.parse(data) as Change,
      })),
    until: (done, ms = 5_000) =>
      new Promise((resolve, reject) => {
        const stop = () => {
          clearTimeout(timer)
          watchers.delete(watch)
        }
        const watch = () => {
          if (!done(stream)) return
          stop()
          resolve()
        }
        const timer = setTimeout(() => {
          stop()
          reject(new Error(`nothing of the kind within ${ms} ms; received: ${text.slice(-500)}`))
        }, ms)
        watchers.add(watch)
        watch()
      }),
    isEnded: () => ended,
    pause: () => response.pause(),
    close: () => response.destroy(),
  }
  return stream
}
