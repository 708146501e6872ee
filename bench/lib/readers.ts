import { connect } from 'node:net'
import { percentile } from './figures.ts'

/** The run ends after these seconds, but not before these answers have arrived. */
type Limits = { key: string; connections: number; seconds: number; atLeast?: number }
/** `p50` in milliseconds. */
export type ReadTask = { requests: number; seconds: number; bytes: number; p50: number }

const HEAD_END = Buffer.from('\r\n\r\n')

/**
 * Readers that repeat one request, each on its own keep-alive connection with one request in flight. It uses bare
 * sockets, because it shares the processors with the measured service. Anything but 200 is an
 * error.
 */
export async function readFor(
  address: string,
  path: string,
  { key, connections, seconds, atLeast = 0 }: Limits,
): Promise<ReadTask> {
  const { hostname, port } = new URL(address)
  const question = `GET ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${key}\r\n\r\n`
  const began = performance.now()
  const end = began + seconds * 1000
  let requests = 0
  let bytes = 0
  const samples: number[] = []

  const reader = () =>
    new Promise<void>((done, fail) => {
      const socket = connect(Number(port), hostname)
      // The bytes of the answer that are outstanding; null until its head has arrived.
      let missing: number | null = null
      let head: Buffer = Buffer.alloc(0)
      let asked = 0
      const ask = () => {
        asked = performance.now()
        if (asked < end || requests < atLeast) return void socket.write(question)
        socket.end()
        done()
      }
      socket.setNoDelay(true)
      socket.once('connect', ask)
      socket.once('error', fail)
      socket.once('close', () => fail(new Error(`${address} closed a connection`)))
      socket.on('data', (chunk: Buffer) => {
        if (missing === null) {
          head = head.length === 0 ? chunk : Buffer.concat([head, chunk])
          const headEnd = head.indexOf(HEAD_END)
          if (headEnd < 0) return
          const text = head.toString('latin1', 0, headEnd)
          const length = /content-length: (\d+)/i.exec(text)?.[1]
          if (!text.startsWith('HTTP/1.1 200') || length === undefined)
            return fail(new Error(`${path} was answered ${head.toString('utf8', 0, 400)}`))
          missing = headEnd + HEAD_END.length + Number(length) - head.length
          head = Buffer.alloc(0)
          bytes += Number(length)
        } else missing -= chunk.length
        if (missing > 0) return
        missing = null
        requests += 1
        samples.push(performance.now() - asked)
        ask()
      })
    })
  await Promise.all(Array.from({ length: connections }, reader))
  return {
    requests,
    seconds: (performance.now() - began) / 1000,
    bytes,
    p50: percentile(Float64Array.from(samples), 0.5),
  }
}
