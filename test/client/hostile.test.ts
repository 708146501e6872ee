import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createKasir, isKasirError, KasirTransportError } from '../../client/src/index.ts'
import { wait } from '../../client/src/retry.ts'

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

async function serving(answer: RequestListener) {
  const seen: { authorization: string | undefined; key: string | undefined }[] = []
  const server = createServer((request, response) => {
    const key = request.headers['idempotency-key']
    seen.push({
      authorization: request.headers.authorization,
      key: key === undefined ? undefined : String(key),
    })
    answer(request, response)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}

const clientOf = (baseUrl: string, more: object = {}) =>
  createKasir({ baseUrl, apiKey: 'kasir_sk_secret', timeoutMs: 1_500, ...more })
const BODY = { outletId: 'out_1', items: [{ variantId: 'var_1', quantity: 1 }] }
const META = { requestId: 'req_1', timestamp: '2026-01-01T00:00:00.000Z' }
const refused = (code: string) => JSON.stringify({ data: null, error: { code, message: 'No' }, meta: META })
const JSON_TYPE = { 'content-type': 'application/json' }

async function faultOf(call: Promise<unknown>) {
  const began = performance.now()
  const error = await call.then(
    () => null,
    (failed: unknown) => failed,
  )
  const isInTime = performance.now() - began < 10_000
  if (isKasirError(error)) return [error.name, error.code, isInTime]
  if (error instanceof KasirTransportError) return [error.name, error.fault, isInTime]
  throw error
}

test.each<[string, RequestListener, string]>([
  ['never answers', () => {}, 'timeout'],
  [
    'drips',
    (_request, response) => {
      response.writeHead(200, JSON_TYPE)
      const timer = setInterval(() => response.write(' '), 50)
      response.on('close', () => clearInterval(timer))
    },
    'timeout',
  ],
  [
    'stops in the middle',
    (_request, response) => {
      response.writeHead(200, { ...JSON_TYPE, 'content-length': '500' })
      response.write('{"data":{')
    },
    'timeout',
  ],
  [
    'sends a page with 200',
    (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>'),
    'answer',
  ],
  [
    'sends broken JSON',
    (_request, response) => response.writeHead(200, JSON_TYPE).end('{"data":{"sale":'),
    'answer',
  ],
  [
    'sends other JSON',
    (_request, response) => response.writeHead(200, JSON_TYPE).end('{"ok":true}'),
    'answer',
  ],
  [
    'says that all is well and that it is not',
    (_request, response) => response.writeHead(200, JSON_TYPE).end(refused('CONFLICT')),
    'answer',
  ],
  ['hangs up', (request) => request.socket.destroy(), 'network'],
  [
    'sends 100 MB',
    (_request, response) => {
      response.writeHead(200, JSON_TYPE)
      const part = Buffer.alloc(2 ** 20, ' ')
      let left = 100
      const push = () => {
        while (left-- > 0) if (!response.write(part)) return response.once('drain', push)
        return response.end()
      }
      push()
    },
    'answer',
  ],
])('a server that %s ends within the deadline as a typed error', async (_case, answer, fault) => {
  const { url } = await serving(answer)
  expect(
    await faultOf(clientOf(url, fault === 'answer' ? { timeoutMs: 8_000 } : {}).sales.create(BODY)),
  ).toEqual(['KasirTransportError', fault, true])
})

test('a redirect is not followed: the key stays here', async () => {
  const other = await serving((_request, response) => response.end('{}'))
  const { url } = await serving((_request, response) =>
    response.writeHead(307, { location: other.url }).end(),
  )
  expect(await faultOf(clientOf(url).sales.create(BODY))).toEqual(['KasirTransportError', 'answer', true])
  expect(other.seen).toEqual([])
})

test('a wait that is longer than the deadline ends the call at once, as the refusal that asked for it', async () => {
  const { url, seen } = await serving((_request, response) =>
    response.writeHead(429, { ...JSON_TYPE, 'retry-after': '1000000000' }).end(refused('RATE_LIMITED')),
  )
  expect(await faultOf(clientOf(url).sales.create(BODY))).toEqual(['KasirError', 'RATE_LIMITED', true])
  expect(seen).toHaveLength(1)
})

test.each([
  [408, 'SERVICE_UNAVAILABLE'],
  [429, 'RATE_LIMITED'],
  [502, 'PARTNER_ERROR'],
  [503, 'SERVICE_UNAVAILABLE'],
  [504, 'PARTNER_TIMEOUT'],
  [409, 'IDEMPOTENCY_KEY_IN_USE'],
])(
  '%d is tried again under the same key, and the answer that comes then is the answer',
  async (status, code) => {
    let left = 2
    const { url, seen } = await serving((_request, response) => {
      if (left-- > 0)
        return response.writeHead(status, { ...JSON_TYPE, 'retry-after': '0' }).end(refused(code))
      return response
        .writeHead(201, JSON_TYPE)
        .end(JSON.stringify({ data: { sale: { id: 'sal_1' } }, error: null, meta: META }))
    })
    const { sale } = await clientOf(url, { timeoutMs: 20_000 }).sales.create(BODY)
    expect([sale.id, seen.length, new Set(seen.map(({ key }) => key)).size]).toEqual(['sal_1', 3, 1])
  },
)

test('four tries are the most, and a refusal that stays is never tried twice', async () => {
  const down = await serving((_request, response) =>
    response.writeHead(503, JSON_TYPE).end(refused('SERVICE_UNAVAILABLE')),
  )
  expect(await faultOf(clientOf(down.url, { timeoutMs: 60_000 }).sales.create(BODY))).toEqual([
    'KasirError',
    'SERVICE_UNAVAILABLE',
    true,
  ])
  expect(down.seen).toHaveLength(4)
  const closed = await serving((_request, response) =>
    response.writeHead(409, JSON_TYPE).end(refused('CONFLICT')),
  )
  await faultOf(clientOf(closed.url).sales.create(BODY))
  expect(closed.seen).toHaveLength(1)
})

test('a list larger than 32 MiB is asked for once, and the error says to read it in pages', async () => {
  const { url, seen } = await serving((_request, response) => {
    const products = [{ name: 'x'.repeat(33 * 2 ** 20) }]
    response.writeHead(200, JSON_TYPE).end(JSON.stringify({ data: { products }, error: null, meta: META }))
  })
  const error = await clientOf(url, { timeoutMs: 60_000 })
    .products.list()
    .catch((failed: unknown) => failed)
  expect(error).toBeInstanceOf(KasirTransportError)
  expect(error).toMatchObject({ name: 'KasirTransportError', fault: 'answer', status: 200 })
  expect((error as Error).message).toMatch(/larger than 32 MiB.*limit.*cursor/)
  expect(seen).toHaveLength(1)
})

test('signing in is sent once, without a key', async () => {
  const { url, seen } = await serving((_request, response) =>
    response.writeHead(503, JSON_TYPE).end(refused('SERVICE_UNAVAILABLE')),
  )
  await faultOf(clientOf(url).auth.login({ email: 'a@example.com', password: 'secret' }))
  expect(seen.map(({ key }) => key)).toEqual([undefined])
})

test('a caller who gives up gets their own reason, at once', async () => {
  const { url } = await serving(() => {})
  const stop = new AbortController()
  const call = clientOf(url, { timeoutMs: 60_000 }).sales.create(BODY, { signal: stop.signal })
  stop.abort(new Error('the cashier went home'))
  await expect(call).rejects.toThrow('the cashier went home')
})

test('a pause that begins after the caller gave up is none', async () => {
  await expect(wait(3_600_000, AbortSignal.abort(new Error('gone already')))).rejects.toThrow('gone already')
})
