import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Received = { path: string; headers: IncomingHttpHeaders; body: string }
type Behaviour = (response: ServerResponse, request: Received) => unknown

/** An endpoint of webhooks on loopback: keeps what came and answers as it is told, 200 unless told otherwise. */
export async function startReceiver(behave: Behaviour = (response) => response.end('ok')) {
  const received: Received[] = []
  let answer = behave
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const one = {
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      }
      received.push(one)
      answer(response, one)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    types: () => received.map(({ body }) => (JSON.parse(body) as { type: string }).type),
    behave: (other: Behaviour) => {
      answer = other
    },
    status: (code: number, headers: Record<string, string> = {}) => {
      answer = (response) => response.writeHead(code, headers).end()
    },
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
export type Receiver = Awaited<ReturnType<typeof startReceiver>>
