import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'

// Forked by bench/suites/lists.ts: the least a Node service can do to send these bytes, in pieces of the size that lists have.

const PIECE = 512 * 1024

const body = await readFile(process.argv[2] ?? '')
const pieces = Array.from({ length: Math.ceil(body.length / PIECE) }, (_, index) =>
  body.subarray(index * PIECE, (index + 1) * PIECE),
)
const server = createServer((_request, response) => {
  response.setHeader('content-type', 'application/json; charset=utf-8')
  Readable.from(pieces, { objectMode: false }).pipe(response)
})
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
process.on('message', () => server.close(() => process.disconnect()))
