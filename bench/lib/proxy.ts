import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type Proxy = { url: string; trips(): number; close(): void }

const QUERY = 'Q'.charCodeAt(0)
const SYNC = 'S'.charCodeAt(0)

/**
 * Stands between a client and PostgreSQL and counts round trips: a client waits for an answer after each simple query
 * and after each Sync (PostgreSQL, frontend/backend protocol, 54.2).
 */
export async function countingProxy(databaseUrl: string): Promise<Proxy> {
  let trips = 0
  const target = new URL(databaseUrl)
  const socketDir = target.searchParams.get('host')
  const dial = () =>
    socketDir === null
      ? connect(Number(target.port || 5432), target.hostname)
      : connect(`${socketDir}/.s.PGSQL.5432`)
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const database = dial()
    const count = messageCounter((type) => {
      if (type === QUERY || type === SYNC) trips += 1
    })
    client.on('data', (chunk: Buffer) => {
      count(chunk)
      database.write(chunk)
    })
    database.on('data', (chunk) => client.write(chunk))
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      open.add(one)
      one.setNoDelay(true)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
    }
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  target.searchParams.delete('host')
  target.hostname = '127.0.0.1'
  target.port = String((server.address() as AddressInfo).port)
  return {
    url: target.toString(),
    trips: () => trips,
    close: () => {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}

/** Cuts a client's bytes into messages: a start-up message without a type byte, then type, length and content. */
function messageCounter(seen: (type: number) => void) {
  let rest: Buffer = Buffer.alloc(0)
  let started = false
  return (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (;;) {
      const head = started ? 1 : 0
      if (rest.length < head + 4) return
      const length = head + rest.readInt32BE(head)
      if (rest.length < length) return
      if (started) seen(rest[0] ?? 0)
      started = true
      rest = rest.subarray(length)
    }
  }
}
