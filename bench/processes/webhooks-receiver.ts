import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

// Forked by bench/suites/webhooks.ts: endpoints that answer immediately, one that never answers, and the delay of
// each event.

const waits: number[] = []
let count = 0
const server = createServer((request, response) => {
  if (request.url === '/dead') return
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    count += 1
    const made = /"timestamp":"([^"]+)"/.exec(Buffer.concat(chunks).toString('latin1'))?.[1]
    if (made !== undefined) waits.push(Date.now() - Date.parse(made))
    response.end()
  })
})
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
process.on('message', (word) => {
  if (word === 'count') return void process.send?.({ count })
  if (word === 'take') {
    process.send?.({ waits: waits.splice(0) })
    count = 0
    return
  }
  server.closeAllConnections()
  server.close(() => process.disconnect())
})
