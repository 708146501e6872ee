import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** How often idle connections are closed during a drain. */
const LOOK_MS = 50

/** Closes the listener, lets requests in flight finish for `limitMs`, then closes every connection. */
export type Drain = (limitMs: number) => Promise<void>

/** Watches the connections of an app from its start, so that a drain can close those that never sent a byte. */
export function createDrain(app: FastifyInstance): Drain {
  const { server } = app
  const open = new Set<Socket>()
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  // Node counts a connection before its first request as busy, and keeps one that was busy when the listener closed
  // open for another request.
  const closeIdle = () => {
    server.closeIdleConnections()
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
  }
  return async (limitMs) => {
    const idle = setInterval(closeIdle, LOOK_MS)
    const late = setTimeout(() => server.closeAllConnections(), limitMs)
    try {
      await app.close()
    } finally {
      clearInterval(idle)
      clearTimeout(late)
    }
  }
}
