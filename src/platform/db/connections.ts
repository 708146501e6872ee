import { Socket } from 'node:net'
import type pg from 'pg'
import { markAsDatabases } from './pg-errors.ts'

type Client = pg.ClientBase

/** The client's present socket: the driver replaces it after the TLS handshake. */
const socketOf = (client: Client) => (client as pg.Client).connection.stream as Socket

/**
 * Watches the connections of a pool. Marks their errors as errors of the database, and closes a connection in use that
 * receives nothing for `silentMs`, so that a database that vanished blocks no request. Closes all connections within a
 * time limit.
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
    /** Call it before the first statement of a connection. */
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
    /** Waits for connections to close in good order, and cuts those still open after `ms`. */
    endWithin: async (ms: number, end: () => Promise<void>) => {
      const late = setTimeout(() => {
        for (const socket of sockets) socket.destroy()
      }, ms)
      await end().finally(() => clearTimeout(late))
    },
  }
}

/** Closes a connection in good order, or cuts it after `ms`: a vanished database never answers. */
export async function endClient(client: pg.Client, ms = 1_000) {
  const late = setTimeout(() => socketOf(client).destroy(), ms)
  await client.end().catch(() => {})
  clearTimeout(late)
}
