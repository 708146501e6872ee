import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** When the connection of a request is cut: it never reaches the service, half of the answer arrives, or all of it. */
export type Cut = 'before' | 'amid' | 'after' | null
export type CuttingProxy = {
  url: string
  /** From here on requests go there. */
  leadTo(address: string): void
  cuts(): number
  close(): Promise<void>
}

/** Stands between a client and the service, and cuts the connection of a request as `fate` says. */
export async function cuttingProxy(fate: () => Cut): Promise<CuttingProxy> {
  let target = new URL('http://127.0.0.1:1')
  let cuts = 0
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    let cut: Cut = null
    const end = () => {
      client.destroy()
      upstream.destroy()
      open.delete(client)
    }
    open.add(client)
    for (const socket of [client, upstream]) socket.on('error', end).on('close', end)
    client.on('data', (part) => {
      cut = fate()
      if (cut !== null) cuts += 1
      if (cut === 'before') return end()
      upstream.write(part)
    })
    upstream.on('data', (part: Buffer) => {
      if (cut === null) return client.write(part)
      client.write(cut === 'amid' ? part.subarray(0, part.length / 2) : part, end)
      return undefined
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    leadTo: (address) => {
      target = new URL(address)
    },
    cuts: () => cuts,
    close: () => {
      for (const socket of open) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
