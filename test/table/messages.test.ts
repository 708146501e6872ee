import { describe, expect, test } from 'vitest'
import { newAccountId, newKey } from '../../src/platform/auth/tokens.ts'
import { enableModule, openShop } from '../support/build.ts'
import { acme, address, as, useService } from '../support/service.ts'

useService()

const JSON_TYPE = { 'content-type': 'application/json' }
const INSTANT = 'an instant with its offset such as 2026-11-21T08:00:00+07:00'

describe('a refusal for want of a credential shows the header to send', () => {
  const HINT = 'Send `Authorization: Bearer <key>` with a valid API key, or sign in'
  test.each<[string, Record<string, string>]>([
    ['no header', {}],
    ['a key without its scheme', { authorization: 'kasir_sk_1234' }],
    ['another scheme', { authorization: 'Basic c2FyaTprb3Bp' }],
    ['a key that was cut', { authorization: 'Bearer kasir_sk_12' }],
    ['a key that is not valid', { authorization: `Bearer ${newKey(newAccountId())}` }],
    ['a cookie that is not a session', { cookie: 'kasir_session=none' }],
  ])('%s', async (_, headers) => {
    const { status, error } = await as(null).get('/outlets', { headers })
    expect([status, error]).toEqual([401, { code: 'AUTH_REQUIRED', message: HINT }])
  })
})

describe('a value in another format is refused with the format in words', () => {
  test.each<[string, string, object, string, string]>([
    ['post', '/customers', { name: 'Ani', email: 'ani' }, 'email', 'email is not an e-mail address'],
    [
      'post',
      '/members',
      { name: 'Ani', email: 'ani@', role: 'CASHIER' },
      'email',
      'email is not an e-mail address',
    ],
    [
      'post',
      '/webhook-subscriptions',
      { url: 'example' },
      'url',
      'url is not a web address such as https://example.com/hook',
    ],
    ['put', '/settings', { npwp: '12' }, 'npwp', 'npwp must be 15 or 16 digits'],
    [
      'put',
      '/settings',
      { publicSlug: 'Kopi Sari' },
      'publicSlug',
      'publicSlug must be lower-case letters, digits and single dashes',
    ],
    [
      'post',
      '/products',
      { name: 'Kopi', imageUrl: 'kopi.png', variants: [{ price: 1 }] },
      'imageUrl',
      'imageUrl must be a web address such as https://example.com',
    ],
  ])('%s %s %j', async (method, path, body, param, message) => {
    const send = method === 'post' ? acme().post : acme().put
    const { status, error } = await send(path, body)
    expect([status, error]).toEqual([400, { code: 'VALIDATION_ERROR', message, param }])
  })

  test.each([
    ['/reports/summary?from=yesterday', 'from'],
    ['/reports/summary?to=21-11-2026', 'to'],
    ['/sales?completedFrom=2026-11-21T08:00', 'completedFrom'],
    ['/inventory/movements?from=21%2F11%2F2026', 'from'],
  ])('GET %s shows a date and an instant', async (path, param) => {
    const { status, error } = await acme().get(path)
    const message = `${param} must be a date such as 2026-11-21 or ${INSTANT}; in a URL the + is written %2B`
    expect([status, error]).toEqual([400, { code: 'VALIDATION_ERROR', message, param }])
  })

  test('since and publishedAt show an instant', async () => {
    const since = await acme().get('/events?order=oldest&since=2026-11-21')
    expect([since.status, since.error.message]).toEqual([400, `since must be ${INSTANT}`])
    await enableModule(acme(), 'marketing')
    const post = await acme().post('/account/blog/posts', {
      title: 'Kopi',
      body: 'Kopi',
      publishedAt: '2026-11-21',
    })
    expect([post.status, post.error.message]).toEqual([400, `publishedAt must be ${INSTANT}`])
  })
})

describe('a body that is not JSON', () => {
  test('is refused with the line and column where it breaks', async () => {
    const body = '{\n  "name": "Ani",\n  "phone": 0812\n}'
    const { status, error } = await acme().raw('POST', '/customers', body, JSON_TYPE)
    const message = 'The body is not valid JSON at line 3, column 13'
    expect([status, error]).toEqual([400, { code: 'VALIDATION_ERROR', message, param: 'body' }])
  })
  test('is told apart from one with a forbidden field', async () => {
    const { status, error } = await acme().raw('POST', '/customers', '{"__proto__": {}}', JSON_TYPE)
    expect([status, error.message]).toEqual([
      400,
      'The body has a field named __proto__ or constructor: remove it',
    ])
  })
})

test('an unknown id is named with its place in the request', async () => {
  const { outletId, bag } = await openShop(acme())
  const items = [bag, bag, 'var_unknown'].map((variantId) => ({ variantId, quantity: 1 }))
  const { status, error } = await acme().post('/sales', { outletId, items })
  expect([status, error]).toEqual([
    404,
    {
      code: 'NOT_FOUND',
      message: 'No such product variant: check items[2].variantId',
      param: 'items[2].variantId',
    },
  ])
})

test.each<[string, string | null]>([
  ['/api/v1/sale', '/api/v1/sales'],
  ['/api/v1/Sales', '/api/v1/sales'],
  ['/api/v1/sales/sale_01/refnd', '/api/v1/sales/{id}/refund'],
  ['/api/v1/report/sumary', '/api/v1/reports/summary'],
  ['/api/v2/outlets', '/api/v1/outlets'],
  ['/api/v1/nothing-like-it', null],
  ['/api/v1', null],
  ['/api/v1/sales/<script>/x/y/z', null],
])('an unknown route %s suggests %s', async (path, meant) => {
  const { status, error } = await acme().get(path)
  const message = meant === null ? 'No such route' : `No such route; did you mean ${meant}?`
  expect([status, error]).toEqual([404, { code: 'NOT_FOUND', message }])
})

test.each([
  ['/sales', '/api/v1/sales'],
  ['/v1/sales', '/api/v1/sales'],
  ['/api/sales', '/api/v1/sales'],
  ['/doc', '/docs'],
])('an unknown address %s beside the API suggests %s', async (path, meant) => {
  const response = await fetch(`${address()}${path}`)
  const { error } = (await response.json()) as { error: { message: string } }
  expect([response.status, error.message]).toEqual([404, `No such route; did you mean ${meant}?`])
})
