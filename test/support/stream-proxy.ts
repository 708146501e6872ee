import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type StreamProxy = {
  url: string
  /** Ends the live streams and refuses new ones; every other request passes. */
  cut(): void
  restore(): void
  close(): Promise<void>
}

const STREAM = 'GET /api/v1/events/stream'

/** Stands between a browser and the service, and loses the live streams only. */
export async function streamProxy(address: string): Promise<StreamProxy> {
  const target = new URL(address)
  const [open, streams] = [new Set<Socket>(), new Set<Socket>()]
  let isCut = false
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    const end = () => {
      client.destroy()
      upstream.destroy()
      open.delete(client)
      streams.delete(client)
    }
    open.add(client)
    for (const socket of [client, upstream]) socket.on('error', end).on('close', end)
    client.on('data', (part) => {
      if (part.includes(STREAM)) {
        if (isCut) return end()
        streams.add(client)
      }
      upstream.write(part)
      return undefined
    })
    upstream.on('data', (part) => client.write(part))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: () => {
      isCut = true
      for (const socket of streams) socket.destroy()
    },
    restore: () => {
      isCut = false
    },
    close: () => {
      for (const socket of open) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
