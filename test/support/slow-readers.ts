import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { here } from './uploads.ts'

/** Bytes outside the heap: what streams, files and sockets hold. */
const held = () => process.memoryUsage().arrayBuffers

/**
 * `count` connections that request a file of this test's service and read no more than its first bytes. Returns by how
 * much the memory of the process grew until all of them were answered.
 */
export async function heldBySlowReaders(url: string, count: number): Promise<number> {
  const { hostname, port, pathname } = new URL(here(url))
  const before = held()
  const readers: Socket[] = []
  try {
    for (let n = 0; n < count; n += 1) {
      const reader = connect(Number(port), hostname)
      readers.push(reader)
      reader.write(`GET ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`)
    }
    for (const reader of readers) {
      const [first] = (await once(reader, 'data')) as [Buffer]
      reader.pause()
      if (!first.toString('latin1').startsWith('HTTP/1.1 200')) throw new Error(first.toString('latin1'))
    }
    return held() - before
  } finally {
    for (const reader of readers) reader.destroy()
  }
}
