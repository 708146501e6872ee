import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import {
  type OutgoingClient,
  type OutgoingOptions,
  type OutgoingRequest,
  openOutgoing,
} from '../../../src/platform/outgoing/outgoing.ts'

const cleanups: (() => Promise<unknown> | void)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const open = (options: OutgoingOptions): OutgoingClient => {
  const outgoing = openOutgoing(options)
  cleanups.push(() => outgoing.close())
  return outgoing
}
const inside = () => open({ allowPrivate: true })

/** An HTTP server on loopback that counts who connected. */
async function serve(listener: (...exchange: Parameters<RequestListener>) => unknown) {
  const server = createServer((request, response) => void listener(request, response))
  const seen = { connections: 0, url: '' }
  server.on('connection', () => {
    seen.connections += 1
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => {
    server.closeAllConnections()
    server.close()
  })
  seen.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  return seen
}
/** A server that answers bytes of its own. */
async function speak(onSocket: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    onSocket(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}
const post = (url: string, more: Partial<OutgoingRequest> = {}): OutgoingRequest => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/json' },
  body: '{"n":1}',
  deadlineMs: 10_000,
  maxBytes: 65_536,
  ...more,
})

test('sends method, headers and body as given and answers status, headers and body', async () => {
  const { url } = await serve(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    response.writeHead(202, { 'x-seen': `${request.method} ${request.headers['content-type']}` })
    response.end(Buffer.concat(chunks))
  })
  const reply = await inside().send(post(url))
  expect(reply).toMatchObject({ status: 202, isCut: false })
  expect(reply.headers['x-seen']).toBe('POST application/json')
  expect(reply.body.toString()).toBe('{"n":1}')
})

test('a redirect is an answer like any other: nobody is called but the host of the URL', async () => {
  const other = await serve((_request, response) => response.end('reached'))
  const { url } = await serve((_request, response) => response.writeHead(307, { location: other.url }).end())
  expect((await inside().send(post(url))).status).toBe(307)
  expect(other.connections).toBe(0)
})

test('an endless body is cut at its bound and its connection is left', async () => {
  let closed = 0
  const { url } = await serve((_request, response) => {
    response.on('close', () => (closed += 1))
    const write = () => {
      while (response.write(Buffer.alloc(16_384, 97)));
      response.once('drain', write)
    }
    write()
  })
  const reply = await inside().send(post(url, { maxBytes: 65_536 }))
  expect(reply.isCut).toBe(true)
  expect(reply.body.length).toBe(65_536)
  await expect.poll(() => closed).toBe(1)
})

test.each([
  ['never accepts a byte', () => {}],
  ['answers a byte at a time', (socket: Socket) => drip(socket, 'HTTP/1.1 200 OK\r\n\r\n')],
  [
    'drips an endless body',
    (socket: Socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
      drip(socket, '1\r\na\r\n')
    },
  ],
] as const)('a receiver that %s is left at the deadline', async (_what, behave) => {
  const url = await speak(behave)
  await expect(inside().send(post(url, { deadlineMs: 300 }))).rejects.toMatchObject({ fault: 'timeout' })
})
function drip(socket: Socket, text: string): void {
  let at = 0
  const timer = setInterval(() => socket.write(text[at++ % text.length] ?? ''), 20)
  socket.on('close', () => clearInterval(timer))
}

test('the deadline covers the look-up of the name as well', async () => {
  const outgoing = open({ allowPrivate: true, resolve: () => new Promise(() => {}) })
  const asked = outgoing.send(post('http://slow.example/', { deadlineMs: 200 }))
  await expect(asked).rejects.toMatchObject({ fault: 'timeout' })
})

test.each([
  ['that are no HTTP', 'garbage\r\n\r\n', 'reply'],
  ['with a broken status line', 'HTTP/1.1 banana\r\n\r\n', 'reply'],
  ['with headers beyond 16 kB', `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(40_000)}\r\n\r\n`, 'reply'],
  ['that end in mid-body', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort', 'connection'],
  ['of no length at all', '', 'connection'],
])('bytes %s are a named fault', async (_what, bytes, fault) => {
  const url = await speak((socket) => socket.once('data', () => socket.end(bytes)))
  await expect(inside().send(post(url))).rejects.toMatchObject({ fault })
})

test('a refused connection, a reset, an unknown name and a host without TLS are distinguished', async () => {
  const outgoing = inside()
  const { port } = new URL(await speak((socket) => socket.once('data', () => socket.resetAndDestroy())))
  const reset = outgoing.send(post(`http://127.0.0.1:${port}/`))
  await expect(reset).rejects.toMatchObject({ fault: 'connection' })
  await expect(outgoing.send(post('http://127.0.0.1:1/'))).rejects.toMatchObject({ fault: 'connection' })
  const plain = await speak((socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad\r\n\r\n')))
  const tls = outgoing.send(post(plain.replace('http:', 'https:')))
  await expect(tls).rejects.toMatchObject({ fault: 'tls' })
  const nowhere = open({ allowPrivate: true, resolve: async () => [] })
  await expect(nowhere.send(post('http://nowhere.example/'))).rejects.toMatchObject({ fault: 'name' })
})

test.each([
  ['loopback', ['127.0.0.1']],
  ['IPv6 loopback', ['::1']],
  ['the metadata of a cloud', ['169.254.169.254']],
  ['an address in IPv6 clothes', ['::ffff:127.0.0.1']],
  ['NAT64', ['64:ff9b::7f00:1']],
  ['a private address among public ones', ['8.8.8.8', '192.168.1.1', '2606:4700:4700::1111']],
  ['something that is no address', ['localhost']],
])('a public name that resolves to %s is never connected to', async (_what, addresses) => {
  const dialled: string[] = []
  const outgoing = open({
    allowPrivate: false,
    resolve: async () => addresses,
    dial: (options) => (target, done) => {
      options.lookup(target.hostname, { all: true }, (error, found) => {
        if (error) return done(error, null)
        dialled.push(...(found as { address: string }[]).map(({ address }) => address))
        done(new Error('nothing is connected to in this test'), null)
      })
    },
  })
  await expect(outgoing.send(post('https://shop.example/'))).rejects.toMatchObject({ fault: 'address' })
  expect(dialled).toEqual([])
})

test('the addresses that were checked are the ones that are dialled, looked up again for each connection', async () => {
  const answers = [['8.8.8.8'], ['127.0.0.1']]
  const dialled: string[] = []
  const outgoing = open({
    allowPrivate: false,
    resolve: async () => answers.shift() ?? [],
    dial: (options) => (target, done) => {
      options.lookup(target.hostname, { all: true }, (error, found) => {
        if (error) return done(error, null)
        dialled.push(...(found as { address: string }[]).map(({ address }) => address))
        done(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }), null)
      })
    },
  })
  const send = () => outgoing.send(post('https://shop.example/'))
  await expect(send()).rejects.toMatchObject({ fault: 'connection' })
  await expect(send()).rejects.toMatchObject({ fault: 'address' })
  expect(dialled).toEqual(['8.8.8.8'])
})

test('a socket that ended elsewhere than its name said carries no byte of the request', async () => {
  const heard: Buffer[] = []
  const { port } = new URL(await speak((socket) => void socket.on('data', (bytes) => heard.push(bytes))))
  const outgoing = open({
    allowPrivate: false,
    resolve: async () => ['8.8.8.8'],
    dial: () => (_target, done) => {
      const socket = connect(Number(port), '127.0.0.1', () => done(null, socket as never))
    },
  })
  await expect(outgoing.send(post('https://shop.example/'))).rejects.toMatchObject({ fault: 'address' })
  expect(heard).toEqual([])
})

test('an address that is written in the URL is judged before anything is resolved or dialled', async () => {
  let asked = 0
  const count = () => {
    asked += 1
    throw new Error('not reached')
  }
  const outgoing = open({ allowPrivate: false, resolve: count, dial: () => count })
  for (const url of ['https://127.0.0.1/', 'https://[::1]/', 'https://2130706433/', 'http://shop.example/'])
    await expect(outgoing.send(post(url))).rejects.toMatchObject({ fault: 'address' })
  expect(asked).toBe(0)
})

test.each([
  ['https://shop.example/', ['8.8.8.8'], true],
  ['https://shop.example/', [], true],
  ['https://shop.example/', ['8.8.8.8', '10.0.0.1'], false],
  ['https://127.0.0.1/', [], false],
  ['http://shop.example/', ['8.8.8.8'], false],
  ['https://8.8.8.8/', [], true],
  ['https://[2606:4700:4700::1111]/', [], true],
])(
  'a URL is accepted by its form and by what its name resolves to now: %s %j %s',
  async (url, addresses, accepted) => {
    const outgoing = open({ allowPrivate: false, resolve: async () => addresses })
    expect(await outgoing.accepts(url)).toBe(accepted)
  },
)

test('name servers that do not answer keep nobody from naming a URL for longer than two seconds', async () => {
  const outgoing = open({ allowPrivate: false, resolve: () => new Promise(() => {}) })
  expect(await outgoing.accepts('https://shop.example/')).toBe(true)
})
