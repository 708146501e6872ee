import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { startHarness } from '../support/service.ts'

/** Asks for a path and reads nothing of the answer. */
function deafReader(address: string, path: string): Promise<Socket> {
  const { hostname, port } = new URL(address)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.pause()
      socket.write(`GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`)
      resolve(socket)
    })
  })
}

const MIB = 2 ** 20

test.each(['/docs/reference.js', '/api/v1/openapi.json'])(
  'a hundred readers that do not read %s share one copy of it',
  async (path) => {
    const { harness, stop } = await startHarness({})
    const readers: Socket[] = []
    try {
      await fetch(`${harness.address}${path}`).then((response) => response.arrayBuffer())
      globalThis.gc?.()
      const before = process.memoryUsage().external
      for (let n = 0; n < 100; n += 1) readers.push(await deafReader(harness.address, path))
      const connections = () =>
        new Promise<number>((resolve) => harness.server.getConnections((_, count) => resolve(count)))
      await expect.poll(connections).toBeGreaterThanOrEqual(100)
      // An answer asked for after all the others were: theirs have been begun.
      await fetch(`${harness.address}${path}`).then((response) => response.arrayBuffer())
      expect((process.memoryUsage().external - before) / MIB).toBeLessThan(30)
    } finally {
      for (const reader of readers) reader.destroy()
      await stop()
    }
  },
)

test('a client that takes nothing of its answers is dropped, after a minute unless a test cannot wait', async () => {
  const { harness, stop } = await startHarness({})
  expect(harness.server.timeout).toBe(60_000)
  harness.server.timeout = 300
  const reader = await deafReader(harness.address, '/docs/reference.js')
  try {
    for (let n = 0; n < 9; n += 1) reader.write('GET /docs/reference.js HTTP/1.1\r\nhost: x\r\n\r\n')
    const connections = () =>
      new Promise<number>((resolve) => harness.server.getConnections((_, count) => resolve(count)))
    await expect.poll(connections, { timeout: 5_000 }).toBeGreaterThan(0)
    await expect.poll(connections, { timeout: 10_000 }).toBe(0)
  } finally {
    reader.destroy()
    await stop()
  }
})
