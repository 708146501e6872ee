import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Serves the app without TLS to this machine only. The certificate of TLS_CERT is for the host of PUBLIC_URL, so the
 * reference partners in this process could not verify it.
 */
export async function listenOnLoopback(
  app: FastifyInstance,
): Promise<{ address: string; close(): Promise<void> }> {
  const server = createServer((request, response) => app.routing(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
