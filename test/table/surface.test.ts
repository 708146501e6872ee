import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { Method } from '../../src/platform/http/route.ts'
import { routes } from '../../src/routes.ts'
import { BUILT } from '../support/register-page.ts'
import { acme, address, as, startHarness, useService } from '../support/service.ts'
import { hasProbe, probeFor } from './probes/index.ts'
import { nameOf, pathOf, send } from './request.ts'
import { tried } from './tried.ts'

useService()

const METHODS: Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const paths = [...new Set(routes.map((row) => row.path))]

test('a method that a path does not have answers 405 with those it has', async () => {
  const wrong: unknown[] = []
  for (const path of paths) {
    const filled = pathOf({ path }, {})
    // A literal path may also match the placeholder of a longer-lived neighbour: /products/lookup and /products/{id}.
    const matching = routes.filter((row) =>
      new RegExp(`^${row.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(filled),
    )
    const served = new Set(matching.map((row) => row.method))
    for (const method of METHODS.filter((one) => !served.has(one))) {
      const answer = await acme().raw(method, filled, undefined, {})
      const allow = new Set(answer.headers.get('allow')?.split(', '))
      if (
        answer.status !== 405 ||
        answer.error?.code !== 'METHOD_NOT_ALLOWED' ||
        [...served].some((one) => !allow.has(one))
      )
        wrong.push([method, path, answer.status, answer.headers.get('allow')])
    }
  }
  expect(wrong).toEqual([])
})

test.each([
  '/nothing',
  '/outlets/a/b/c',
  '/sales/x/nothing',
  '/Outlets',
  '//outlets',
  '/outlets/..%2f',
  '/.env',
  '/categories/',
  '/categories/?limit=1',
  '/outlets/out_01ARZ3NDEKTSV4RRFFQ69G5FAV/',
  '/openapi.json/',
])('%s answers 404 in the envelope', async (path) => {
  const answer = await acme().get(path)
  expect([answer.status, answer.data]).toEqual([404, null])
  expect(answer.error.code).toBe('NOT_FOUND')
})

test('the address of the service opens the register, or the reference where the register is not built', async () => {
  const answer = await fetch(`${address()}/`, { redirect: 'manual', headers: { accept: 'text/html' } })
  expect([answer.status, answer.headers.get('location')]).toEqual(
    existsSync(`${BUILT}index.html`) ? [200, null] : [302, '/docs'],
  )
})

test('the paths beside the route table answer 405 with what they have, too', async () => {
  for (const path of ['/api/v1/openapi.json', '/docs', '/docs/reference.js']) {
    const answer = await acme().post(path, {})
    expect([path, answer.status, answer.error?.code]).toEqual([path, 405, 'METHOD_NOT_ALLOWED'])
    expect(answer.headers.get('allow')).toBe('GET')
  }
})

test('an address that cannot be read answers 400 with its request id, in the envelope and as a header', async () => {
  const answer = await acme().get('/outlets/%zz', { headers: { 'x-request-id': 'till-7' } })
  expect([answer.status, answer.error.code, answer.meta.requestId]).toEqual([
    400,
    'VALIDATION_ERROR',
    'till-7',
  ])
  expect(answer.headers.get('x-request-id')).toBe('till-7')
  expect(answer.headers.get('cache-control')).toBe('no-store')
})

test('every answer says how it may be read and nothing of what made it', async () => {
  for (const row of tried.filter(hasProbe)) {
    const answer = await send(acme(), row, await probeFor(row, acme()))
    const header = (name: string) => answer.headers.get(name)
    expect([nameOf(row), header('x-content-type-options')]).toEqual([nameOf(row), 'nosniff'])
    // A till keeps the catalogue and asks whether it is still current.
    const isKept = nameOf(row) === 'GET /catalogue'
    expect(header('cache-control'), nameOf(row)).toBe(isKept ? 'private, no-cache' : 'no-store')
    expect(header('x-powered-by')).toBeNull()
    expect(header('server')).toBeNull()
    expect(header('access-control-allow-origin')).toBeNull()
    expect(header('x-request-id')).toMatch(/^req_/)
    if (row.produces === undefined) expect(header('content-type')).toBe('application/json; charset=utf-8')
    else expect(header('content-type')).toMatch(/charset|octet-stream|pdf$/)
  }
}, 120_000)

const NO_PAGE = "default-src 'none'; frame-ancestors 'none'"

test('an answer that is not a page may load nothing and appear in no frame, a refused one neither', async () => {
  const wrong: unknown[] = []
  const note = (name: string, answer: { headers: Headers }) => {
    const policy = answer.headers.get('content-security-policy')
    if (policy !== NO_PAGE) wrong.push([name, policy])
  }
  for (const row of tried.filter(hasProbe)) {
    if (row.produces === 'text/html') continue
    note(nameOf(row), await send(acme(), row, await probeFor(row, acme())))
    note(`${nameOf(row)} without a credential`, await as(null).raw(row.method, row.path, undefined, {}))
  }
  for (const path of ['/nothing', '/outlets/%zz', '/api/v1/openapi.json', '/docs/reference.js']) {
    note(path, await acme().get(path))
  }
  note('POST /docs', await acme().post('/docs', {}))
  expect(wrong).toEqual([])
})

test('the reference runs its own script, asks this service alone and appears in no frame', async () => {
  const { headers } = await as(null).get('/docs')
  const policy = (headers.get('content-security-policy') ?? '').split('; ')
  expect(policy).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]),
  )
  expect(policy.join()).not.toMatch(/https?:|\*|unsafe-eval/)
})

test('a request id that is one is echoed, anything else is replaced', async () => {
  const echo = async (id: string) =>
    (await acme().get('/outlets', { headers: { 'x-request-id': id } })).meta.requestId
  expect(await echo('Till-7_0001')).toBe('Till-7_0001')
  for (const id of ['', 'a b', 'x'.repeat(65), 'a;b', '"', '<script>'])
    expect(await echo(id)).toMatch(/^req_[0-9A-Z]{26}$/)
})

test('the document that is served is the one that is committed', async () => {
  const file = fileURLToPath(new URL('../../openapi.json', import.meta.url))
  const served = await (await fetch(`${address()}/api/v1/openapi.json`)).json()
  const committed = JSON.parse(await readFile(file, 'utf8'))
  expect(served).toEqual({ ...committed, servers: [{ url: 'http://127.0.0.1:3000' }] })
})

test('the document, the reference and its script need no credential', async () => {
  for (const path of ['/api/v1/openapi.json', '/docs', '/docs/reference.js']) {
    const answer = await fetch(`${address()}${path}`)
    expect([path, answer.status]).toEqual([path, 200])
    await answer.body?.cancel()
  }
  const page = await (await fetch(`${address()}/docs`)).text()
  expect(page).not.toMatch(/https?:\/\//)
})

test('the reference has no toolbar, asks no other host, and runs the script whose hash is written down', async () => {
  const page = await acme().get('/docs')
  const [, text = ''] = /data-configuration='([^']+)'/.exec(page.text) ?? []
  expect(JSON.parse(text)).toMatchObject({
    showDeveloperTools: 'never',
    telemetry: false,
    withDefaultFonts: false,
    hideClientButton: true,
  })
  const policy = page.headers.get('content-security-policy')?.split('; ') ?? []
  expect(policy).toEqual(
    expect.arrayContaining(["default-src 'none'", "connect-src 'self'", "script-src 'self'"]),
  )
  const script = await acme().get('/docs/reference.js')
  expect(createHash('sha256').update(script.text).digest('hex')).toBe(
    '81b8d2bdab4a42ab81465386441b9a0f928b68631364360f00e8cce620cc1efb',
  )
})

test('other origins are let in by name only', async () => {
  const { harness, stop } = await startHarness({ env: { CORS_ORIGINS: 'https://till.example' } })
  try {
    const ask = (origin: string) => harness.acme.get('/outlets', { headers: { origin } })
    expect((await ask('https://till.example')).headers.get('access-control-allow-origin')).toBe(
      'https://till.example',
    )
    expect((await ask('https://evil.example')).headers.get('access-control-allow-origin')).toBeNull()
    expect((await ask('null')).headers.get('access-control-allow-origin')).toBeNull()
  } finally {
    await stop()
  }
})

test('a page of an allowed origin may change things, and read how long to wait and what was sent', async () => {
  const { harness, stop } = await startHarness({ env: { CORS_ORIGINS: 'https://till.example' } })
  try {
    const headers = 'authorization,content-type,idempotency-key,if-match,x-request-id'
    const preflight = (method: string, origin: string) =>
      harness.as(null).raw('OPTIONS', '/outlets/out_01ARZ3NDEKTSV4RRFFQ69G5FAV', undefined, {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': headers,
      })
    for (const method of METHODS) {
      const answer = await preflight(method, 'https://till.example')
      expect([method, answer.status]).toEqual([method, 204])
      expect(answer.headers.get('access-control-allow-origin')).toBe('https://till.example')
      expect(answer.headers.get('access-control-allow-credentials')).toBe('true')
      expect(answer.headers.get('access-control-allow-methods')?.split(', ')).toContain(method)
      expect(answer.headers.get('access-control-allow-headers')).toBe(headers)
    }
    const stranger = await preflight('PATCH', 'https://evil.example')
    expect(stranger.headers.get('access-control-allow-origin')).toBeNull()
    const answer = await harness.acme.get('/outlets', { headers: { origin: 'https://till.example' } })
    expect(answer.headers.get('access-control-expose-headers')?.split(', ').toSorted()).toEqual([
      'allow',
      'content-disposition',
      'idempotent-replayed',
      'kasir-data-as-of',
      'ratelimit-limit',
      'ratelimit-remaining',
      'ratelimit-reset',
      'retry-after',
      'x-request-id',
    ])
  } finally {
    await stop()
  }
})

test('a wrong scheme in the credential reveals nothing about the path', async () => {
  expect((await as(null).get('/nothing')).status).toBe(404)
  expect((await as(null).get('/outlets/out_01ARZ3NDEKTSV4RRFFQ69G5FAV')).status).toBe(401)
})
