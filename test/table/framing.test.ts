import { execFile } from 'node:child_process'
import { connect, type Socket } from 'node:net'
import { promisify } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { refusalOf } from '../support/expect.ts'
import { acme, address, deps, server, startHarness, useService } from '../support/service.ts'

import { snapshot } from './snapshot.ts'

useService()

type Outcome = { text: string; closed: boolean }

/**
 * Writes bytes to the port as they are and reads until the service closes, or for `waitMs` after the last byte came.
 */
function speak(bytes: string | Buffer, waitMs = 300): Promise<Outcome> {
  const { hostname, port } = new URL(address())
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    let text = ''
    let timer: NodeJS.Timeout
    const finish = (closed: boolean) => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ text, closed })
    }
    const wait = () => {
      clearTimeout(timer)
      timer = setTimeout(() => finish(false), waitMs)
    }
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      wait()
    })
    socket.on('close', () => finish(true))
    socket.on('error', () => finish(true))
    socket.write(bytes)
    wait()
  })
}

const statusOf = ({ text }: Outcome) => Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)
const bodyOf = ({ text }: Outcome) => text.slice(text.indexOf('\r\n\r\n') + 4)
const lines = (...all: string[]) => `${all.join('\r\n')}\r\n\r\n`
const host = () => `Host: ${new URL(address()).host}`
const auth = () => `Authorization: Bearer ${acme().workspace.key}`

afterEach(async () => {
  expect((await acme().get('/health')).status).toBe(200)
})

test.each<[string, () => string | Buffer]>([
  ['bytes that are no HTTP', () => Buffer.from([0, 1, 2, 3, 255, 254, 13, 10, 13, 10])],
  ['a TLS greeting', () => Buffer.from('16030100c8010000c40303', 'hex')],
  ['a method that is none', () => lines('BREW /api/v1/health HTTP/1.1', host())],
  ['HTTP/9.9', () => lines('GET /api/v1/health HTTP/9.9', host())],
  ['a header without colon', () => lines('GET /api/v1/health HTTP/1.1', host(), 'nonsense')],
  ['a blank before the colon', () => lines('GET /api/v1/health HTTP/1.1', host(), 'X-A : 1')],
  ['a folded header', () => lines('GET /api/v1/health HTTP/1.1', host(), 'X-A: 1', ' folded')],
  ['NUL in a header', () => lines('GET /api/v1/health HTTP/1.1', host(), 'X-A: a\u0000b')],
  [
    'both lengths',
    () =>
      `${lines('POST /api/v1/outlets HTTP/1.1', host(), auth(), 'Content-Type: application/json', 'Content-Length: 2', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
  ],
  [
    'two lengths',
    () =>
      `${lines('POST /api/v1/outlets HTTP/1.1', host(), auth(), 'Content-Length: 2', 'Content-Length: 3')}{}`,
  ],
  ['a negative length', () => lines('POST /api/v1/outlets HTTP/1.1', host(), auth(), 'Content-Length: -1')],
  [
    'a length that is no number',
    () => lines('POST /api/v1/outlets HTTP/1.1', host(), auth(), 'Content-Length: 1e3'),
  ],
  [
    'a broken chunk',
    () =>
      `${lines('POST /api/v1/outlets HTTP/1.1', host(), auth(), 'Content-Type: application/json', 'Transfer-Encoding: chunked')}zz\r\n{}\r\n0\r\n\r\n`,
  ],
  ['no host', () => lines('GET /api/v1/health HTTP/1.1')],
])('%s answers 400 and closes', async (_, bytes) => {
  const before = await snapshot(deps().pool, acme())
  const outcome = await speak(bytes())
  expect([statusOf(outcome), outcome.closed]).toEqual([400, true])
  expect(outcome.text).not.toMatch(/node_modules|at \w+ \(|stack/)
  expect(await snapshot(deps().pool, acme())).toEqual(before)
})

test('what cannot be read as HTTP is answered in the envelope all the same', async () => {
  const outcome = await speak('nonsense\r\n\r\n')
  const body = JSON.parse(bodyOf(outcome))
  expect([body.data, body.error.code]).toEqual([null, 'VALIDATION_ERROR'])
  expect(outcome.text).toContain(`X-Request-Id: ${body.meta.requestId}\r\n`)
  expect(outcome.text).toContain("Content-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\n")
  expect(body.meta.requestId).toMatch(/^req_/)
  expect(body.meta.timestamp).toMatch(/^\d{4}-.*Z$/)
})

test('headers beyond 16 KiB answer 431', async () => {
  const outcome = await speak(lines('GET /api/v1/health HTTP/1.1', host(), `X-Long: ${'a'.repeat(70_000)}`))
  expect(statusOf(outcome)).toBe(431)
})

test('a path of 64 KiB is refused and a long query is read', async () => {
  const long = await speak(lines(`GET /api/v1/${'a'.repeat(64 * 1024)} HTTP/1.1`, host()))
  expect([400, 404, 414, 431]).toContain(statusOf(long))
  const query = await acme().get(`/health?${'a'.repeat(8_000)}=1`)
  expect(refusalOf(query)).toMatchObject({ status: 400, param: `${'a'.repeat(64)}…` })
})

test('a body longer or shorter than its length writes nothing', async () => {
  const before = await snapshot(deps().pool, acme())
  const head = (length: number) =>
    lines(
      'POST /api/v1/outlets HTTP/1.1',
      host(),
      auth(),
      'Content-Type: application/json',
      `Content-Length: ${length}`,
    )
  const cut = await speak(`${head(100)}{"name":"A"}`)
  expect(statusOf(cut)).toBe(0)
  const longer = await speak(`${head(5)}{"name":"A"}`)
  expect(statusOf(longer)).toBe(400)
  expect(await snapshot(deps().pool, acme())).toEqual(before)
})

test('a client that leaves in the middle of its body writes nothing', async () => {
  const before = await snapshot(deps().pool, acme())
  const { hostname, port } = new URL(address())
  await new Promise<void>((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(
        `${lines('POST /api/v1/outlets HTTP/1.1', host(), auth(), 'Content-Type: application/json', 'Content-Length: 50')}{"name"`,
      )
      socket.destroy()
    })
    socket.on('close', () => resolve())
  })
  expect(await snapshot(deps().pool, acme())).toEqual(before)
})

test('100 requests in one breath are answered in order', async () => {
  const many = Array.from({ length: 100 }, (_, i) =>
    lines('GET /api/v1/health HTTP/1.1', host(), `X-Request-Id: n${i}`),
  ).join('')
  const { text } = await speak(many, 1_000)
  const ids = [...text.matchAll(/"requestId":"n(\d+)"/g)].map(([, id]) => Number(id))
  expect(ids).toEqual(Array.from({ length: 100 }, (_, i) => i))
})

test.each(['CONNECT', 'TRACE', 'OPTIONS', 'HEAD', 'PROPFIND'])(
  '%s is answered without a fault',
  async (method) => {
    const outcome = await speak(lines(`${method} /api/v1/outlets HTTP/1.1`, host(), 'Connection: close'))
    expect(statusOf(outcome)).toBeLessThan(500)
  },
)

test('HTTP/1.0 and an absolute address are understood', async () => {
  const old = await speak(lines('GET /api/v1/health HTTP/1.0'))
  expect([statusOf(old), old.closed]).toEqual([200, true])
  const absolute = await speak(lines(`GET ${address()}/api/v1/health HTTP/1.1`, host(), 'Connection: close'))
  expect([200, 404]).toContain(statusOf(absolute))
})

test('a half-sent request holds nobody else up', async () => {
  const { hostname, port } = new URL(address())
  const sockets = Array.from({ length: 100 }, () => connect(Number(port), hostname))
  for (const socket of sockets) {
    socket.on('error', () => {})
    socket.write('GET /api/v1/health HTTP/1.1\r\nHost: a')
  }
  const answers = await Promise.all(Array.from({ length: 20 }, () => acme().get('/outlets')))
  expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(200))
  for (const socket of sockets) socket.destroy()
})

test('an overriding method header overrides nothing', async () => {
  const { data } = await acme().post('/outlets', { name: 'Stays' })
  const answer = await acme().get(`/outlets/${data.outlet.id}`, {
    headers: { 'x-http-method-override': 'DELETE' },
  })
  expect(answer.status).toBe(200)
  expect((await acme().get(`/outlets/${data.outlet.id}`)).status).toBe(200)
})

test('line ends in a value reach no header', async () => {
  const outcome = await speak(
    lines(
      'GET /api/v1/outlets/%0d%0aset-cookie:%20a=b HTTP/1.1',
      host(),
      auth(),
      'X-Request-Id: a%0d%0ab',
      'Connection: close',
    ),
  )
  expect(statusOf(outcome)).toBe(404)
  expect(outcome.text.toLowerCase()).not.toContain('\r\nset-cookie')
  expect(outcome.text).not.toContain('X-Request-Id: a')
})

test.each([
  ['headers', () => `GET /api/v1/health HTTP/1.1\r\n${host()}\r\nX-Slow`],
  [
    'a body',
    () =>
      `${lines('POST /api/v1/outlets HTTP/1.1', host(), auth(), 'Content-Type: application/json', 'Content-Length: 50')}{`,
  ],
])('%s that never end are answered 408 and closed', async (_, bytes) => {
  const { headersTimeout, requestTimeout } = server()
  expect([headersTimeout, requestTimeout]).toEqual([10_000, 30_000])
  server().headersTimeout = 400
  server().requestTimeout = 500
  try {
    const outcome = await speak(bytes(), 10_000)
    expect([statusOf(outcome), outcome.closed]).toEqual([408, true])
  } finally {
    server().headersTimeout = headersTimeout
    server().requestTimeout = requestTimeout
  }
})

test('a request that arrives while the service stops is served, and its connection ends', async () => {
  const app = await createApp(deps())
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  let seen: Socket | undefined
  app.server.once('connection', (socket: Socket) => {
    seen = socket
  })
  const socket = connect(Number(port), '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
  })
  const ended = new Promise((resolve) => socket.on('close', resolve))
  const [head, rest] = ['GET /api/v1/health HTTP/1.1\r\nHost: local', 'host\r\n\r\n']
  // Half a head keeps the connection open when the service begins to stop.
  socket.write(head)
  await expect.poll(() => seen?.bytesRead).toBe(head.length)
  const closed = app.close()
  socket.write(rest)
  await Promise.all([closed, ended])
  expect(text).toMatch(/^HTTP\/1\.1 200 OK/)
  expect(text).toMatch(/connection: close/i)
  expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)).data.status).toBe('ok')
})

const envelopeOf = (outcome: Outcome) => {
  const { data, error, meta } = JSON.parse(bodyOf(outcome))
  expect([data, meta.requestId]).toEqual([null, expect.stringMatching(/^req_/)])
  for (const header of ['x-content-type-options: nosniff', 'cache-control: no-store', 'x-request-id: req_'])
    expect(outcome.text.toLowerCase()).toContain(header)
  return [statusOf(outcome), error.code, error.message]
}

test('an address too long, too many headers, and headers too large say so in the envelope', async () => {
  const long = await speak(lines(`GET /api/v1/outlets?q=${'a'.repeat(8_200)} HTTP/1.1`, host(), auth()))
  expect(envelopeOf(long)).toEqual([
    414,
    'VALIDATION_ERROR',
    'The URL is longer than 8192 characters; send fewer or shorter parameters',
  ])
  const many = Array.from({ length: 101 }, (_, n) => `X-${n}: 1`)
  expect(envelopeOf(await speak(lines('GET /api/v1/outlets HTTP/1.1', host(), ...many)))).toEqual([
    431,
    'VALIDATION_ERROR',
    'The request has more than 100 headers',
  ])
  const large = lines('GET /api/v1/health HTTP/1.1', host(), `X-Long: ${'a'.repeat(17_000)}`)
  expect(envelopeOf(await speak(large))).toEqual([
    431,
    'VALIDATION_ERROR',
    'The address and the headers of the request are larger than 16 KiB together',
  ])
})

test.each(['/%zz', '/api/v1/outlets/%E0%A4%A', '/api/v1/%ff', '/docs/%'])(
  'the address %s, which nobody can read, is refused like any other: with all headers, and counted',
  async (path) => {
    const served = await startHarness({ env: { RATE_LIMIT_PER_MINUTE: '600' } })
    try {
      const ask = () => fetch(`${served.harness.address}${path}`, { headers: { 'x-request-id': 'mine' } })
      const first = await ask()
      const { error, meta } = (await first.json()) as { error: object; meta: { requestId: string } }
      expect([first.status, error, meta.requestId]).toEqual([
        400,
        { code: 'VALIDATION_ERROR', message: 'The URL of the request cannot be read' },
        'mine',
      ])
      for (const header of [
        'x-content-type-options',
        'x-frame-options',
        'ratelimit-remaining',
        'cache-control',
      ])
        expect([header, first.headers.get(header)]).toEqual([header, expect.any(String)])
      const all = await Promise.all(Array.from({ length: 80 }, ask))
      expect(all.map(({ status }) => status)).toContain(429)
    } finally {
      await served.stop()
    }
  },
)

test('a body too large, too deep, of another type, and a method that is none here are envelopes', async () => {
  const outlets = (body: string, type = 'application/json') =>
    acme().raw('POST', '/outlets', body, { 'content-type': type })
  const large = await outlets(JSON.stringify({ name: 'a'.repeat(1_100_000) }))
  const deep = await outlets(`${'{"name":'.repeat(25)}1${'}'.repeat(25)}`)
  const typed = await outlets('name=Kemang', 'application/x-www-form-urlencoded')
  const method = await acme().raw('DELETE', '/outlets', undefined, {})
  expect([large, deep, typed, method].map(({ status, error }) => [status, error.code])).toEqual([
    [413, 'PAYLOAD_TOO_LARGE'],
    [400, 'VALIDATION_ERROR'],
    [415, 'UNSUPPORTED_MEDIA_TYPE'],
    [405, 'METHOD_NOT_ALLOWED'],
  ])
})

/** Uploads from a process of its own: in one process sender and service take turns, and nothing overtakes. */
const UPLOADS = `
const [url, key] = process.argv.slice(1)
const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' }
const body = Buffer.alloc(5 * 1024 * 1024, 'a')
for (let upload = 0; upload < 25; upload += 1) {
  const answer = fetch(url, { method: 'POST', headers, body })
  console.log(await answer.then(async (response) => (await response.json()).error.code, ({ cause }) => cause?.code))
}`

test('a 413 reaches the sender of a body that is still on its way, every time', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '-e',
    UPLOADS,
    `${address()}/api/v1/outlets`,
    acme().workspace.key,
  ])
  expect(stdout.trim().split('\n')).toEqual(Array.from({ length: 25 }, () => 'PAYLOAD_TOO_LARGE'))
})

test('a sender that does not stop after its 413 is cut off', async () => {
  const { hostname, port } = new URL(address())
  const socket = connect(Number(port), hostname)
  const piece = Buffer.alloc(1024 * 1024, 'a')
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const send = () => {
    while (!socket.destroyed && socket.write(piece));
  }
  let text = ''
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
  })
  socket.on('drain', send)
  socket.write(
    lines(
      'POST /api/v1/outlets HTTP/1.1',
      host(),
      auth(),
      'Content-Type: application/json',
      `Content-Length: ${2 ** 40}`,
    ),
  )
  send()
  await closed
  expect(text).toMatch(/^HTTP\/1\.1 413 /)
})
