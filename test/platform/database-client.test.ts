import { once } from 'node:events'
import { type AddressInfo, createServer, Socket } from 'node:net'
import { expect, test } from 'vitest'
import { makeClient } from '../../src/platform/db/client.ts'

test('a connection outside the pool probes a database that is silent, so a machine that vanished ends it', async () => {
  const server = createServer((socket) => void socket.destroy()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const probes: unknown[][] = []
  const socket = new Socket()
  socket.setKeepAlive = (...given) => {
    probes.push(given)
    return socket
  }
  const { port } = server.address() as AddressInfo
  await makeClient({ host: '127.0.0.1', port, stream: () => socket })
    .connect()
    .catch(() => {})
  server.close()
  expect(probes).toEqual([[true, 30_000]])
})
