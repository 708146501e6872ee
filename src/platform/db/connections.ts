import { Socket } from 'node:net'
import type pg from 'pg'
import { markAsDatabases } from './pg-errors.ts'

type Client = pg.ClientBase

/** The driver gives its socket away, and after the handshake of TLS it is another one. */
const socketOf = (client: Client) => (client as pg.Client).connection.stream as Socket

/**
 * Watches the connections of a pool. Their errors are known as the database's; one that hears nothing for `silentMs`
 * while somebody waits for it is cut, so that a database that vanished without a word keeps nobody; and all of them end
 * in time.
 */
export function guardConnections(silentMs: number) {
  const sockets = new Set<Socket>()
  const inUse = new WeakSet<Client>()
  return {
    dial: (): Socket => {
      const socket = new Socket()
      sockets.add(socket)
      socket.on('error', markAsDatabases)
      socket.once('close', () => sockets.delete(socket))
      return socket
    },
    /** Before the first statement of a connection. */
    guard: (client: Client) => {
      const socket = socketOf(client)
      inUse.add(client)
      socket.on('error', markAsDatabases)
      socket.setTimeout(silentMs, () => {
        if (inUse.has(client)) socket.destroy(new Error(`the database has been silent for ${silentMs} ms`))
      })
    },
    acquired: (client: Client) => void inUse.add(client),
    released: (client: Client) => void inUse.delete(client),
    /** Lets the connections end in good order, and cuts those that have not after `ms`. */
    endWithin: async (ms: number, end: () => Promise<void>) => {
      const late = setTimeout(() => {
        for (const socket of sockets) socket.destroy()
      }, ms)
      await end().finally(() => clearTimeout(late))
    },
  }
}

/** Ends a connection in good order, or cuts it when that takes longer than `ms`: a vanished database never answers. */
export async function endClient(client: pg.Client, ms = 1_000) {
  const late = setTimeout(() => socketOf(client).destroy(), ms)
  await client.end().catch(() => {})
  clearTimeout(late)
}
