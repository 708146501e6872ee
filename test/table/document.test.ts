import { describe, expect, test } from 'vitest'
import { documentAt } from '../../src/document.ts'
import { departures } from '../support/document.ts'

type Named = { allOf?: [unknown, { properties: { error: { properties: { code: { enum: string[] } } } } }] }
type Reply = {
  headers?: object
  content?: { 'application/json'?: { schema: { $ref: string } } }
  links?: object
  $ref?: string
}
type Operation = {
  'x-pagination'?: string
  parameters: { $ref?: string }[]
  responses: Record<string, Reply>
}
const document = documentAt('http://127.0.0.1:3000') as {
  paths: Record<string, Record<string, Operation>>
  components: { responses: Record<string, Reply>; schemas: Record<string, Named> }
}
const operation = (method: string, path: string) => document.paths[`/api/v1${path}`]?.[method] as Operation
const reply = (method: string, path: string, status: number): Reply => {
  const found = operation(method, path).responses[String(status)] ?? {}
  const name = found.$ref?.split('/').at(-1)
  return name === undefined ? found : (document.components.responses[name] ?? {})
}

describe('the document names', () => {
  test.each([
    ['post', '/auth/login', 401],
    ['post', '/auth/login', 429],
    ['post', '/auth/invitations/accept', 422],
    ['get', '/auth/me', 401],
    ['get', '/products/lookup', 422],
    ['get', '/health', 503],
    ['get', '/outlets', 400],
  ])('%s %s answering %i', (method, path, status) => {
    expect(reply(method, path, status).content).toBeDefined()
  })

  test.each([
    ['post', '/sales', 201, 'Idempotent-Replayed'],
    ['post', '/auth/login', 200, 'Set-Cookie'],
    ['post', '/auth/login', 429, 'Retry-After'],
    ['post', '/sales', 409, 'Retry-After'],
    ['get', '/outlets', 503, 'Retry-After'],
    ['get', '/outlets', 200, 'RateLimit-Remaining'],
    ['get', '/sales/{id}/receipt', 200, 'Content-Disposition'],
  ])('%s %s answering %i with %s', (method, path, status, header) => {
    expect(Object.keys(reply(method, path, status).headers ?? {})).toContain(header)
  })

  test('the three forms of a receipt, and If-Match where an edit may be refused by it', () => {
    expect(Object.keys(reply('get', '/sales/{id}/receipt', 200).content ?? {})).toEqual([
      'text/html',
      'text/plain',
      'application/octet-stream',
    ])
    const { parameters } = operation('patch', '/sales/{id}/items')
    expect(parameters.map(({ $ref }) => $ref)).toContain('#/components/parameters/IfMatch')
  })
})

describe('the document names the codes that a refusal may have', () => {
  const codes = (method: string, path: string, status: number) => {
    const { schema } = reply(method, path, status).content?.['application/json'] ?? {}
    const { allOf } = document.components.schemas[schema?.$ref.split('/').at(-1) ?? ''] ?? {}
    return allOf?.[1].properties.error.properties.code.enum
  }

  test.each([
    ['get', '/outlets', 401, ['AUTH_REQUIRED']],
    ['get', '/outlets', 403, ['SECOND_FACTOR_NOT_SET_UP']],
    ['post', '/outlets', 403, ['SECOND_FACTOR_NOT_SET_UP', 'FORBIDDEN', 'LIMIT_REACHED']],
    ['post', '/sales', 409, ['CONFLICT', 'IDEMPOTENCY_KEY_IN_USE']],
    ['post', '/sales', 402, undefined],
    ['get', '/sales/{id}', 409, undefined],
    ['get', '/shifts', 404, ['NOT_FOUND']],
    ['get', '/suppliers', 404, undefined],
    ['put', '/settings', 404, undefined],
    ['post', '/auth/login', 401, ['INVALID_CREDENTIALS', 'SECOND_FACTOR_REQUIRED']],
    ['post', '/auth/signup', 401, undefined],
    ['post', '/auth/password', 401, ['AUTH_REQUIRED']],
    ['post', '/webhooks/payment_provider', 401, ['INVALID_SIGNATURE']],
    ['get', '/account/blog/posts', 409, ['MARKETING_MODULE_DISABLED']],
    ['get', '/payments/invoices', 403, ['SECOND_FACTOR_NOT_SET_UP', 'FORBIDDEN', 'LIMIT_REACHED']],
    ['post', '/webhook-subscriptions', 502, undefined],
    ['post', '/modules', 502, ['PARTNER_ERROR']],
  ])('%s %s answering %i: %s', (method, path, status, expected) => {
    expect(codes(method, path, status)).toEqual(expected)
  })
})

test('a list that is read page by page says so, and how the next page is asked for', () => {
  const { responses, ...list } = operation('get', '/sales')
  expect(list['x-pagination']).toBe('cursor')
  expect(responses['200']?.links).toEqual({
    next: {
      operationId: 'sales.list',
      parameters: { 'query.cursor': '$response.body#/meta/cursor' },
    },
  })
  expect(operation('get', '/sales/{id}')['x-pagination']).toBeUndefined()
})

describe('an answer that the document does not describe is noticed', () => {
  const meta = { requestId: 'req_1', timestamp: '2026-11-22T05:00:00.000Z' }
  const seen = (more: object, headers: Record<string, string> = {}) =>
    departures({
      method: 'GET',
      path: '/api/v1/outlets',
      status: 200,
      headers: new Headers({ 'content-type': 'application/json; charset=utf-8', ...headers }),
      text: JSON.stringify({ data: { outlets: [] }, error: null, meta }),
      ...more,
    })

  test('and one that it does is not', () => {
    expect(seen({})).toEqual([])
    expect(seen({}, { 'x-request-id': 'req_1', 'ratelimit-limit': '3000' })).toEqual([])
  })
  test('by its status', () => expect(seen({ status: 418 })).toEqual(['status 418']))
  test('by a header', () => expect(seen({}, { 'x-cost': '3' })).toEqual(['header x-cost']))
  test('by its media type', () =>
    expect(seen({}, { 'content-type': 'text/html' })).toEqual(['media type text/html']))
  test.each([
    [{ data: { outlets: null }, error: null, meta }],
    [{ data: {}, error: null, meta }],
    [{ data: { outlets: [] }, error: null }],
    [{ data: { outlets: [] }, error: { code: 'X' }, meta }],
  ])('by its body %#', (body) => {
    expect(seen({ text: JSON.stringify(body) })).toEqual([expect.stringMatching(/^body: /)])
  })
  test('by the body of a refusal', () => {
    const text = JSON.stringify({ data: null, error: { code: 'NO_SUCH_CODE', message: 'x' }, meta })
    expect(seen({ status: 404, path: '/api/v1/outlets/x', text })).toEqual([
      expect.stringMatching(/^body: .*must be equal to one of the allowed values/),
    ])
  })
  test('by a code of another route', () => {
    const text = JSON.stringify({ data: null, error: { code: 'LIMIT_REACHED', message: 'x' }, meta })
    expect(seen({ method: 'POST', status: 403, text })).toEqual([])
    expect(seen({ status: 403, text })).toEqual([
      expect.stringMatching(/^body: .*must be equal to one of the allowed values/),
    ])
  })
})

describe('every operation', () => {
  type Schema = { allOf?: { type?: string; required?: string[]; properties?: object }[] }
  type Described = {
    operationId: string
    summary: string
    description?: string
    responses: Record<string, { content?: { 'application/json'?: { schema: Schema } } }>
  }
  const operations = Object.values(document.paths).flatMap((path) =>
    Object.values(path),
  ) as unknown as Described[]

  test('requires `data` of each success, so that strict clients read it without a check', () => {
    const envelopes = operations.flatMap(({ operationId, responses }) =>
      Object.values(responses).flatMap(({ content }) => {
        const [, own] = content?.['application/json']?.schema.allOf ?? []
        return own?.properties && 'data' in own.properties ? [{ operationId, own }] : []
      }),
    )
    expect(envelopes.length).toBeGreaterThan(200)
    const optional = envelopes.filter(({ own }) => own.type !== 'object' || !own.required?.includes('data'))
    expect(optional.map(({ operationId }) => operationId)).toEqual([])
  })

  test('says more than its summary does', () => {
    const silent = operations.filter(
      ({ summary, description = '' }) => description === '' || description.trim() === summary,
    )
    expect(silent.map(({ operationId }) => operationId)).toEqual([])
  })
})
