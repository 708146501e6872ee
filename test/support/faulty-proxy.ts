import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** What the proxy does to a connection whose client sends bytes that match. */
export type Fault =
  /** Hands the bytes on, and ends the connection once the database has answered, without the answer. */
  | 'swallow answer'
  /** Hands the bytes on, and ends the connection without waiting for the answer. */
  | 'cut once sent'
  /** Puts a FATAL behind the answer and ends the connection, as a database that is shut down may. */
  | 'fatal behind answer'
  /** Hands the end of a COPY on at once, and what follows it in the same bytes a moment later. */
  | 'pause behind a copy'

export type FaultyProxy = {
  url: string
  /**
   * From here on connections that send this are at fault; `null` ends it. With `after` only those that have sent that
   * before: every transaction sends "commit".
   */
  on(pattern: string | null, fault?: Fault, after?: string): void
  /** The connection that sends the n-th part from now on loses its answer; null ends it. */
  loseAnswer(n: number | null): void
  /** Cuts the connection that carries the n-th byte from now on, in either direction, behind that byte; null ends it. */
  cutBehind(bytes: number | null): void
  /** Connections cut so far. */
  cuts(): number
  /** Takes no new connections, and a swallowed answer ends all others; or takes them again. */
  refuse(refusing: boolean): void
  /** Passes nothing on in either direction, and closes nothing: a machine that vanished. */
  silence(silent: boolean): void
  close(): void
}

/** PostgreSQL, frontend/backend protocol 55.8: ErrorResponse with severity, code and message. */
const fatal = () => {
  const fields = Buffer.from(
    'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0',
  )
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

/** PostgreSQL, frontend/backend protocol 55.7: CopyDone. */
const COPY_DONE = Buffer.from([0x63, 0, 0, 0, 4])
const PAUSE_MS = 20

/** Counts the bytes of all connections up to the next cut. */
function createCutPoint() {
  let bytesLeft: number | null = null
  return {
    behind: (bytes: number | null) => {
      bytesLeft = bytes
    },
    /** The part of these bytes that passes before the cut; null if no cut is among them. */
    partOf: (chunk: Buffer): Buffer | null => {
      if (bytesLeft === null) return null
      if (chunk.length <= bytesLeft) {
        bytesLeft -= chunk.length
        return null
      }
      const part = chunk.subarray(0, bytesLeft)
      bytesLeft = null
      return part
    },
  }
}

/** Stands between the service and PostgreSQL and does what networks and machines do. */
export async function faultyProxy(databaseUrl: string): Promise<FaultyProxy> {
  const target = new URL(databaseUrl)
  const socketDir = target.searchParams.get('host')
  const [port, host] = [Number(target.port || 5432), target.hostname]
  const dial = () => (socketDir === null ? connect(port, host) : connect(`${socketDir}/.s.PGSQL.${port}`))
  let rule: { pattern: string; fault: Fault; after: string } | null = null
  let partsLeft = 0
  let refusing = false
  let silent = false
  let cuts = 0
  const cutPoint = createCutPoint()
  const open = new Set<Socket>()
  const cutAll = () => {
    for (const socket of open) socket.destroy()
  }

  /** Sends the last bytes of one direction and ends both. */
  const cut = (to: Socket, from: Socket, part: Buffer) => {
    cuts += 1
    to.end(part)
    from.destroy()
  }

  const server = createServer((client) => {
    if (refusing) return void client.destroy()
    const database = dial()
    let fault: Fault | null = null
    let isAfter = false
    client.on('data', (chunk: Buffer) => {
      if (silent) return
      const part = cutPoint.partOf(chunk)
      if (part) return cut(database, client, part)
      if (rule && chunk.includes(rule.after)) isAfter = true
      if (rule && isAfter && chunk.includes(rule.pattern)) fault = rule.fault
      if (fault === 'cut once sent') return cut(database, client, chunk)
      partsLeft -= 1
      if (partsLeft === 0) fault = 'swallow answer'
      database.write(chunk)
    })
    database.on('data', (chunk: Buffer) => {
      if (silent) return
      const part = cutPoint.partOf(chunk)
      if (part) return cut(client, database, part)
      if (fault === null) return void client.write(chunk)
      if (fault === 'pause behind a copy') {
        const end = chunk.indexOf(COPY_DONE)
        const first = end < 0 ? chunk.length : end + COPY_DONE.length
        client.write(chunk.subarray(0, first))
        if (first === chunk.length) return
        database.pause()
        setTimeout(() => {
          client.write(chunk.subarray(first))
          database.resume()
        }, PAUSE_MS)
        return
      }
      cuts += 1
      if (fault === 'fatal behind answer') client.end(Buffer.concat([chunk, fatal()]))
      else client.destroy()
      database.destroy()
      if (refusing) cutAll()
    })
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      open.add(one)
      one.setNoDelay(true)
      one.on('error', () => {})
      one.on('close', () => {
        open.delete(one)
        if (!silent) other.end()
      })
    }
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  target.searchParams.delete('host')
  target.hostname = '127.0.0.1'
  target.port = String((server.address() as AddressInfo).port)
  return {
    url: target.toString(),
    on: (pattern, fault = 'swallow answer', after = '') => {
      rule = pattern === null ? null : { pattern, fault, after }
    },
    loseAnswer: (n) => {
      partsLeft = n ?? 0
    },
    cutBehind: cutPoint.behind,
    cuts: () => cuts,
    refuse: (next) => {
      refusing = next
    },
    silence: (next) => {
      silent = next
    },
    close: () => {
      cutAll()
      server.close()
    },
  }
}
