import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownService } from '../support/service.ts'
import { callerAt } from '../support/tills.ts'

type Attribute = { key: string; value: { stringValue?: string; intValue?: number } }
type Span = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: Attribute[]
  status: { code?: number }
}
type Export = { resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: Span[] }[] }[] }

const spans: Span[] = []
const resources = new Set<string>()
let collector: Server
let service: Awaited<ReturnType<typeof ownService>>

beforeAll(async () => {
  collector = createServer((request, response) => {
    void json(request).then((body) => {
      expect(request.url).toBe('/v1/traces')
      for (const { resource, scopeSpans } of (body as Export).resourceSpans) {
        for (const { key, value } of resource.attributes) resources.add(`${key}=${value.stringValue}`)
        spans.push(...scopeSpans.flatMap((scope) => scope.spans))
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  const { port } = collector.address() as AddressInfo
  service = await ownService({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}/`,
    OTEL_BSP_SCHEDULE_DELAY: '50',
    DEFAULT_TIER: 'business',
  })
  await service.start()
}, 120_000)
afterAll(async () => {
  await service.end()
  collector.close()
})

const valueOf = ({ attributes }: Span, name: string) => {
  const { stringValue, intValue } = attributes.find(({ key }) => key === name)?.value ?? {}
  return stringValue ?? intValue
}
/** The exported span of the request with this route and trace. */
const spanOf = (name: string, traceId?: string) =>
  spans.find((span) => span.name === name && (traceId === undefined || span.traceId === traceId))
const spanSoon = (name: string, traceId?: string) =>
  expect
    .poll(() => spanOf(name, traceId), { timeout: 10_000 })
    .toBeDefined()
    .then(() => spanOf(name, traceId) as Span)
const childrenOf = ({ spanId }: Span) => spans.filter(({ parentSpanId }) => parentSpanId === spanId)

test('a request continues the trace of its caller, and its statements are parts of it without a value', async () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const call = callerAt(service.address)
  const email = 'sari.rahasia@example.com'
  const traceparent = `00-${traceId}-00f067aa0ba902b7-01`
  const signedUp = await call('/auth/signup', { email, password: 'a long password' }, { traceparent })
  expect(signedUp.status).toBe(201)
  const request = await spanSoon('POST /api/v1/auth/signup', traceId)
  expect(request.parentSpanId).toBe('00f067aa0ba902b7')
  expect(valueOf(request, 'http.route')).toBe('/api/v1/auth/signup')
  expect(Number(valueOf(request, 'http.response.status_code'))).toBe(201)
  expect(valueOf(request, 'kasir.request_id')).toMatch(/^req_/)
  await expect.poll(() => childrenOf(request).length).toBeGreaterThan(3)
  expect(childrenOf(request).every((span) => valueOf(span, 'db.system.name') === 'postgresql')).toBe(true)
  expect(JSON.stringify(spans)).not.toContain('rahasia')
  expect([...resources]).toEqual(
    expect.arrayContaining(['service.name=kasir', expect.stringMatching(/^service\.version=\d/)]),
  )
})

test('a request to a partner is a part of the trace, and carries it to the partner', async () => {
  const call = callerAt(service.address)
  const { cookie } = await call('/auth/signup', { email: 'b@example.com', password: 'a long password' })
  const { key } = (await call('/api-keys', { name: 'Till' }, { cookie })).data
  const till = callerAt(service.address, key)
  expect((await till('/modules', { module: 'payment', enabled: true })).status).toBeLessThan(300)
  await till('/payments/customers')
  const request = await spanSoon('GET /api/v1/payments/customers')
  await expect
    .poll(() => childrenOf(request).some(({ name }) => name.startsWith('GET http://127')))
    .toBe(true)
})

test('an unknown path has no route in its span, and a collector that is away stops nothing', async () => {
  const call = callerAt(service.address)
  expect((await call('/wrong')).status).toBe(404)
  await spanSoon('GET unknown')
  collector.closeAllConnections()
  await new Promise<void>((resolve) => collector.close(() => resolve()))
  for (const _ of [1, 2, 3]) expect((await call('/health')).status).toBe(200)
})

test('a collector that never answers does not hold up the end of the service', async () => {
  const silent = createServer(() => {})
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as AddressInfo
  const other = await ownService({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` })
  await other.start()
  expect((await callerAt(other.address)('/health')).status).toBe(200)
  let hasEnded = false
  const ending = other.end().finally(() => {
    hasEnded = true
  })
  await expect.poll(() => hasEnded, { timeout: 8_000 }).toBe(true)
  await ending
  silent.closeAllConnections()
  silent.close()
}, 60_000)
