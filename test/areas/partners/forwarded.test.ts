import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fulfillmentRoutes } from '../../../src/areas/partners/fulfillment/forwarded.ts'
import { forwardedRoutes } from '../../../src/areas/partners/payments/forwarded.ts'
import { newId } from '../../../src/core/ids.ts'
import { isUnsafe } from '../../../src/core/methods.ts'
import { secretsOf } from '../../../src/platform/secrets/secrets.ts'
import type { Api } from '../../support/api.ts'
import { enableModule } from '../../support/build.ts'
import { delegateOf, memberOf } from '../../support/clients.ts'
import { expectUnsaved, refusalOf } from '../../support/expect.ts'
import { keyAtPartner, sendJson, settingsOf, startPartner } from '../../support/partner.ts'
import {
  acme,
  address,
  alongside,
  as,
  deps,
  globex,
  startHarness,
  useService,
  workspace,
} from '../../support/service.ts'
import { type SentStatement, watching } from '../../support/statements.ts'

const partner = await startPartner()
const lines: string[] = []
useService({
  env: settingsOf(partner),
  log: pino({ level: 'error' }, { write: (line: string) => lines.push(line) }),
})
afterAll(() => partner.close())
let off: Api
let delegate: Api
let cashier: Api
beforeAll(async () => {
  for (const module of ['payment', 'fulfillment'] as const) {
    await enableModule(acme(), module)
    await enableModule(globex(), module)
  }
  off = await workspace('Off')
  const owner = await memberOf(acme(), 'OWNER')
  delegate = (await delegateOf(acme(), owner.id, 'act')).api
  cashier = (await memberOf(acme(), 'CASHIER')).api
})
beforeEach(() => {
  partner.answers()
  partner.asked.length = 0
})

const rows = [...forwardedRoutes, ...fulfillmentRoutes].map(
  (row) => [`${row.method} ${row.path}`, row] as const,
)
const filled = (path: string) => path.replaceAll(/\{\w+\}/g, 'x_1')
const call = (api: ReturnType<typeof acme>, method: string, path: string, body?: string) =>
  api.raw(method, path, body, body === undefined ? {} : { 'content-type': 'application/json' })

test('44 routes are handed on to the payment partner, and 25 to the fulfillment partner', () => {
  expect([forwardedRoutes.length, fulfillmentRoutes.length]).toEqual([44, 25])
})

describe.each(rows)('%s', (_, row) => {
  const path = filled(row.path)
  const body = isUnsafe(row.method) ? '{"any":"thing"}' : undefined

  test('reaches the same path of the partner under the key of the workspace, and no other', async () => {
    const answer = await acme().raw(row.method, `${path}?limit=5&zz=1`, body, {
      'x-request-id': 'till-7',
      'idempotency-key': 'k-1',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    })
    expect([answer.text, answer.status < 300]).toEqual([answer.text, true])
    const [asked] = partner.asked
    expect(partner.asked.length).toBe(1)
    expect([asked?.method, asked?.path, asked?.query, asked?.body]).toEqual([
      row.method,
      path.replace(/^\/\w+/, '/v1'),
      'limit=5&zz=1',
      body ?? '',
    ])
    expect(asked?.headers).toMatchObject({
      authorization: `Bearer ${keyAtPartner(acme().workspace.accountId)}`,
      'x-request-id': 'till-7',
    })
    expect(asked?.headers['idempotency-key']).toBe(isUnsafe(row.method) ? 'k-1' : undefined)
    expect(Object.keys(asked?.headers ?? {})).not.toContain('cookie')
  })

  test('is behind credential, role, delegation and module, before anybody reads the body', async () => {
    const bad = isUnsafe(row.method) ? '{"not json' : undefined
    const verdicts = await Promise.all(
      [as(null), off].map(async (api) => refusalOf(await call(api, row.method, path, bad))),
    )
    expect(verdicts.map(({ status, code }) => [status, code])).toEqual([
      [401, 'AUTH_REQUIRED'],
      [409, row.module === 'payment' ? 'PAYMENT_MODULE_DISABLED' : 'FULFILLMENT_MODULE_DISABLED'],
    ])
    // Whether somebody is let in is all that is asked: a body that is no JSON is 400 for those who are.
    const letIn = isUnsafe(row.method) ? 400 : 200
    const isReadable = row.module === 'fulfillment' && !isUnsafe(row.method)
    expect((await call(cashier, row.method, path, bad)).status).toBe(isReadable ? 200 : 403)
    const isClosed = row.path.endsWith('/bank-account')
    const isWritable = row.path.startsWith('/fulfillment/warehouses')
    const mayAssist = isUnsafe(row.method) ? isWritable : !isClosed
    expect((await call(delegate, row.method, path, bad)).status).toBe(mayAssist ? letIn : 403)
    const isRead = !isUnsafe(row.method)
    expect(partner.asked.length).toBe(isRead ? Number(isReadable) + Number(mayAssist) : 0)
  })
})

test('what an assistant changes at a partner leaves an event that names it, and in review mode it changes nothing', async () => {
  partner.answers((_, response) => void sendJson(response, 201, { data: { id: 'wh_1', name: 'Cikarang' } }))
  const owner = await memberOf(acme(), 'OWNER')
  const [acting, reviewing] = [
    await delegateOf(acme(), owner.id, 'act'),
    await delegateOf(acme(), owner.id, 'review'),
  ]
  const made = await acting.api.post('/fulfillment/warehouses', { name: 'Cikarang' })
  expect([made.status, made.data]).toEqual([201, { id: 'wh_1', name: 'Cikarang' }])
  expect((await reviewing.api.post('/fulfillment/warehouses', { name: 'Bekasi' })).status).toBe(403)
  const told = await deps()
    .db.selectFrom('events')
    .select(['type', 'body'])
    .where('refId', 'in', [acting.id, reviewing.id])
    .execute()
  expect(told.map(({ type, body }) => [type, JSON.parse(body).data])).toEqual([
    [
      'audit.delegate.wrote.v1',
      expect.objectContaining({
        operation: 'warehouses.create',
        path: '/api/v1/fulfillment/warehouses',
        status: 201,
        records: ['wh_1'],
      }),
    ],
  ])
})

test('what the partner has done for an assistant and nobody could put on record is not said to be done again', async () => {
  const owner = await memberOf(acme(), 'OWNER')
  const { api, id } = await delegateOf(acme(), owner.id, 'act')
  const locker = new pg.Client({ connectionString: deps().pool.options.connectionString })
  await locker.connect()
  try {
    partner.answers(async (_, response) => {
      await locker.query('begin; lock table events in access exclusive mode')
      sendJson(response, 201, { data: { id: 'wh_2' } })
    })
    const make = async (more: object) => {
      const made = await api.post('/fulfillment/warehouses', { name: 'Cikarang' }, more)
      await locker.query('rollback')
      return made
    }
    const [keyless, keyed] = [await make({}), await make({ idempotencyKey: 'k-3' })]
    expectUnsaved({ keyless, keyed })
  } finally {
    await locker.end()
  }
  const missing = lines.filter((line) => line.includes('missing from the audit trail'))
  expect(missing.map((line) => JSON.parse(line))).toEqual(
    [1, 2].map(() =>
      expect.objectContaining({
        account: acme().workspace.accountId,
        delegation: expect.objectContaining({ id }),
        operation: 'warehouses.create',
        path: '/api/v1/fulfillment/warehouses',
        status: 201,
      }),
    ),
  )
}, 40_000)

test('whoever asks, the partner is shown the key of their own workspace', async () => {
  await globex().get('/payments/invoices/inv_of_acme')
  expect(partner.asked[0]?.headers.authorization).toBe(`Bearer ${keyAtPartner(globex().workspace.accountId)}`)
})

test.each([
  ['%2e%2e', '%2E%2E'],
  ['..%2f..%2fworkspaces', '..%2F..%2Fworkspaces'],
  ['a%2fb', 'a%2Fb'],
  ['a%3fb=c', 'a%3Fb%3Dc'],
  ['a%23b', 'a%23b'],
  ['%252e%252e', '%252e%252e'],
  ['%C3%A9', '%C3%A9'],
])('an id written as %s stays one part of the path at the partner', async (id, sent) => {
  await call(acme(), 'GET', `/payments/invoices/${id}/pdf`)
  for (const { path } of partner.asked) expect(path).toBe(`/v1/invoices/${sent}/pdf`)
})

test('a known key, its module and its place are one look, and what another process revokes or switches off counts at once', async () => {
  const shop = await workspace('One look')
  await enableModule(shop, 'payment')
  const made = await shop.post('/api-keys', { name: 'Till' })
  const neighbour = await alongside()
  try {
    const till = neighbour.as(made.data.key)
    const ask = async () => (await till.get('/payments/invoices')).status
    expect(await ask()).toBe(200)
    const looks: string[] = []
    const isOwn = ({ values }: SentStatement) => values[0] === shop.workspace.accountId
    await watching((sent) => isOwn(sent) && looks.push(sent.text), ask)
    expect(looks).toHaveLength(1)
    await shop.post('/modules', { module: 'payment', enabled: false })
    expect(await ask()).toBe(409)
    await enableModule(shop, 'payment')
    expect(await ask()).toBe(200)
    await shop.delete(`/api-keys/${made.data.apiKey.id}`)
    expect(refusalOf(await till.get('/payments/invoices'))).toMatchObject({
      status: 401,
      code: 'AUTH_REQUIRED',
    })
    await shop.post('/modules', { module: 'payment', enabled: false })
    expect(await ask()).toBe(401)
  } finally {
    await neighbour.stop()
  }
})

test('a page passes its cursor on as ours', async () => {
  partner.answers(
    (_, response) =>
      void sendJson(response, 200, { data: [{ id: 'a' }], meta: { nextCursor: 'n-1', hasMore: true } }),
  )
  const first = await acme().get('/payments/invoices?limit=1')
  expect([first.data, first.meta.cursor, first.meta.hasMore]).toEqual([[{ id: 'a' }], 'n-1', true])
  partner.answers(
    (_, response) => void sendJson(response, 200, { data: [], meta: { nextCursor: null, hasMore: false } }),
  )
  const last = await acme().get('/payments/invoices?cursor=n-1')
  expect([last.meta.cursor, last.meta.hasMore, partner.asked[1]?.query]).toEqual([null, false, 'cursor=n-1'])
})

describe('files', () => {
  test.each([
    ['/payments/invoices/i/pdf', 'application/pdf'],
    ['/payments/invoices/i/html', 'text/html; charset=utf-8'],
    ['/payments/receipts/r/escpos', 'application/octet-stream'],
    ['/payments/invoices/export.csv', 'text/csv; charset=utf-8'],
    ['/fulfillment/shipments/s/label', 'application/pdf'],
  ])('%s comes as it is, as %s', async (path, type) => {
    const answer = await acme().get(path)
    expect([answer.status, answer.headers.get('content-type'), answer.text]).toEqual([
      200,
      type,
      `bytes of ${path.replace(/^\/\w+/, '/v1')}`,
    ])
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('a page of the partner can run nothing, load nothing and be put in no frame', async () => {
    const answer = await acme().get('/payments/receipts/r/html')
    const policy = answer.headers.get('content-security-policy') ?? ''
    for (const word of ['sandbox;', "default-src 'none'", "frame-ancestors 'none'", "form-action 'none'"]) {
      expect(policy).toContain(word)
    }
    expect(policy).not.toContain('allow-')
  })

  test('another type than the one that was asked for is 502: a page in place of a PDF', async () => {
    partner.answers(
      (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<script>'),
    )
    expect(refusalOf(await acme().get('/payments/invoices/i/pdf'))).toMatchObject({
      status: 502,
      code: 'PARTNER_ERROR',
    })
  })
})

describe('a refusal of the partner', () => {
  test.each([
    [400, 'VALIDATION_ERROR', 'VALIDATION_ERROR'],
    [422, 'WEIRD', 'VALIDATION_ERROR'],
    [404, 'no_such_invoice', 'NOT_FOUND'],
    [409, 'IDEMPOTENCY_KEY_IN_USE', 'IDEMPOTENCY_KEY_IN_USE'],
    [409, 'INTERNAL_ERROR', 'CONFLICT'],
    [403, 'x', 'FORBIDDEN'],
    [403, 'LIMIT_REACHED', 'LIMIT_REACHED'],
    // Of our own second factor and our own modules a partner knows nothing.
    [403, 'SECOND_FACTOR_NOT_SET_UP', 'FORBIDDEN'],
    [409, 'PAYMENT_MODULE_DISABLED', 'CONFLICT'],
  ])('%d %s is answered with its status as %s, with message and param', async (status, theirs, ours) => {
    partner.answers(
      (_, response) =>
        void sendJson(response, status, { error: { code: theirs, message: 'No\nway', param: 'amount' } }),
    )
    const answer = await acme().post('/payments/payouts', { amount: 1 })
    expect(refusalOf(answer)).toEqual({ status, code: ours, param: 'amount' })
    expect(answer.error.message).toBe('No way')
    // A page can say whose words these are.
    expect(answer.error.details).toEqual({ partner: 'payment' })
  })
})

test('whoever may have asked for something twice is told to look first, or to use the key that they sent', async () => {
  partner.answers((_, response) => void response.destroy())
  const payout = (key?: string) =>
    acme().post('/payments/payouts', { amount: 1 }, key === undefined ? {} : { idempotencyKey: key })
  expect((await payout()).error.message).toMatch(
    /it may have been done all the same, so look before you send it again$/,
  )
  expect((await payout('k-2')).error.message).toMatch(/send the same request again, with its Idempotency-Key/)
  expect((await acme().get('/payments/payouts')).error.message).toMatch(/try again in a moment$/)
  partner.answers()
  await acme().get('/payments/payouts')
})

test.each([
  ['no number loses a digit', '{"n":1.10,"long":12345678901234567890}'],
  ['whatever its texts hold', String.raw`{"n":"\\\"data\":[}{,","long":"\\"}`],
])('what a partner answers is handed on as it is written: %s', async (_, written) => {
  const whole = `{ "before":[{"data":1}], "data" : ${written} ,"more":{"data":2}}`
  partner.answers((_request, to) => void to.writeHead(200, { 'content-type': 'application/json' }).end(whole))
  expect((await acme().get('/payments/payouts/balance')).text).toContain(`{"data":${written},"error":null`)
})

test('of data that a partner writes twice, or spells with an escape, the last is handed on as JSON reads it', async () => {
  for (const [text, data] of [
    ['{"data":{"n":1},"data":{"n":2}}', { n: 2 }],
    ['{"data":{"n":1},"d\\u0061ta":{"n":3}}', { n: 3 }],
  ] as const) {
    partner.answers((_, to) => void to.writeHead(200, { 'content-type': 'application/json' }).end(text))
    expect((await acme().get('/payments/payouts/balance')).data).toEqual(data)
  }
})

describe('a partner that fails', () => {
  const deep = `{"data":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  const json = { 'content-type': 'application/json' }
  type Server = Parameters<typeof partner.answers>[0]
  const FAULTS: [string, number, string, NonNullable<Server>][] = [
    [
      'an error',
      502,
      'PARTNER_ERROR',
      (_, to) => void sendJson(to, 500, { error: { code: 'X', message: 'x' } }),
    ],
    ['its own gateway error as a page', 502, 'PARTNER_ERROR', (_, to) => void to.writeHead(503).end('<h1>')],
    [
      'our key refused',
      502,
      'PARTNER_ERROR',
      (_, to) => void sendJson(to, 401, { error: { code: 'X', message: 'x' } }),
    ],
    [
      'a redirect',
      502,
      'PARTNER_ERROR',
      (_, to) => void to.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    ],
    ['no JSON', 502, 'PARTNER_ERROR', (_, to) => void to.writeHead(200, json).end('{"data":')],
    ['a list for an object', 502, 'PARTNER_ERROR', (_, to) => void to.writeHead(200, json).end('[1]')],
    ['no data', 502, 'PARTNER_ERROR', (_, to) => void to.writeHead(200, json).end('{}')],
    [
      'no UTF-8',
      502,
      'PARTNER_ERROR',
      (_, to) => void to.writeHead(200, json).end(Buffer.from([0x7b, 0xff, 0x7d])),
    ],
    ['JSON 100,000 deep', 502, 'PARTNER_ERROR', (_, to) => void to.writeHead(200, json).end(deep)],
    ['a refusal 100,000 deep', 502, 'PARTNER_ERROR', (_, to) => void to.writeHead(422, json).end(deep)],
    ['a refusal that says nothing', 502, 'PARTNER_ERROR', (_, to) => void to.writeHead(422, json).end('')],
    [
      'half an answer',
      502,
      'PARTNER_ERROR',
      (_, to) => {
        to.writeHead(200, { ...json, 'content-length': '100' }).write('{"data":')
        setTimeout(() => to.destroy(), 20)
      },
    ],
    ['nothing but a closed connection', 502, 'PARTNER_ERROR', (_, to) => void to.destroy()],
    [
      'a cursor that is a number',
      502,
      'PARTNER_ERROR',
      (_, to) => void sendJson(to, 200, { data: [], meta: { nextCursor: 5 } }),
    ],
  ]
  const tablesOf = async () =>
    (await deps().pool.query('select account_id, module, enabled, partner_key from modules order by 1, 2'))
      .rows

  test.each(FAULTS)(
    'with %s is %d %s, for what reads and what writes, and changes nothing here',
    async (_, status, code, answers) => {
      partner.answers(answers)
      const before = await tablesOf()
      const read = await acme().get('/payments/invoices')
      const write = await acme().post('/payments/payouts', { amount: 1 }, { idempotencyKey: newId('event') })
      expect([read, write].map(refusalOf)).toEqual(Array(2).fill({ status, code, param: undefined }))
      expect(await tablesOf()).toEqual(before)
      // Whatever came before, one good answer in between: five failures in a row would rest the partner.
      partner.answers()
      expect((await acme().get('/payments/invoices')).status).toBe(200)
    },
  )

  test('what reads is asked once more when the connection was lost, what writes never', async () => {
    let lost = 1
    partner.answers(({ method, path }, to) => {
      if (lost-- > 0) return void to.destroy()
      sendJson(to, 200, { data: { method, path } })
    })
    expect((await acme().get('/payments/ledger/balance')).status).toBe(200)
    expect(partner.asked.length).toBe(2)
    lost = 1
    expect((await acme().post('/payments/payouts', { amount: 1 })).status).toBe(502)
    expect(partner.asked.length).toBe(3)
  })
})

const hugeAnswer = (mediaType: string) => (_: unknown, to: ServerResponse) =>
  void to.writeHead(200, { 'content-type': mediaType }).end(`{"data":"${'x'.repeat(9 << 20)}"}`)

test('an answer over 8 MiB asks who reads for a narrower request, and who writes to look first', async () => {
  partner.answers(hugeAnswer('application/json'))
  const read = await acme().get('/payments/ledger/entries?limit=100000')
  expect(refusalOf(read)).toEqual({ status: 422, code: 'VALIDATION_ERROR', param: undefined })
  expect(read.error.message).toContain('narrow the request')
  const write = await acme().post('/payments/payouts', { amount: 1 })
  expect(refusalOf(write)).toEqual({ status: 502, code: 'PARTNER_ERROR', param: undefined })
  expect(write.error.message).toContain('look before you send it again')
  partner.answers(hugeAnswer('text/csv'))
  expect(refusalOf(await acme().get('/payments/ledger/entries.csv'))).toMatchObject({ status: 422 })
})

describe('before the partner is asked', () => {
  /** The request target as it is written: fetch would encode it. */
  const target = async (path: string) => {
    const { hostname, port } = new URL(address())
    const headers = { authorization: `Bearer ${acme().workspace.key}` }
    const sent = request({ hostname, port, path: `/api/v1${path}`, headers })
    const [answer] = (await once(sent.end(), 'response')) as [IncomingMessage]
    const chunks = await answer.toArray()
    const { error } = JSON.parse(Buffer.concat(chunks).toString())
    return [answer.statusCode, error?.code, error?.param]
  }

  test.each([
    ['over 2,000 characters', `q=${'x'.repeat(1_999)}`, 'query'],
    ['with a backslash', 'q=a\\b', 'query'],
    ['with a control character', 'q=a\u0085b', undefined],
  ])('a query %s is 400', async (_, search, param) => {
    expect(await target(`/payments/invoices?${search}`)).toEqual([400, 'VALIDATION_ERROR', param])
    expect(partner.asked).toEqual([])
  })

  test('a query of 2,000 characters is handed on as it is written, question marks included', async () => {
    const search = `q=what?&also=%5C%00&r=${'x'.repeat(1_978)}`
    expect(search.length).toBe(2_000)
    expect(await target(`/payments/invoices?${search}`)).toEqual([200, undefined, undefined])
    expect(partner.asked[0]?.query).toBe(search)
  })

  test.each([[21], [10_000]])('a body of %d levels is 400, one of 20 is handed on', async (levels) => {
    const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
    const refused = await call(acme(), 'POST', '/payments/payouts', nested(levels))
    expect(refusalOf(refused)).toEqual({ status: 400, code: 'VALIDATION_ERROR', param: 'body' })
    expect(partner.asked).toEqual([])
    expect((await call(acme(), 'POST', '/payments/payouts', nested(20))).status).toBe(200)
  })
})

test('nothing that one workspace asks for closes the partner to the others', async () => {
  const OF_REQUESTS: Parameters<typeof partner.answers>[0][] = [
    hugeAnswer('application/json'),
    (_, to) => void sendJson(to, 418, { error: { code: 'X', message: 'x' } }),
    (_, to) => void to.writeHead(403, { 'content-type': 'text/html' }).end('<h1>Blocked</h1>'),
    (_, to) => void to.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    (_, to) => void sendJson(to, 429, { error: { code: 'RATE_LIMITED', message: 'slowly' } }),
  ]
  for (const answers of OF_REQUESTS) {
    partner.answers(answers)
    const statuses: number[] = []
    for (let n = 0; n < 6; n += 1) statuses.push((await acme().get('/payments/invoices')).status)
    expect(statuses).not.toContain(503)
  }
  const OF_FILES: Parameters<typeof partner.answers>[0][] = [
    (_, to) => void sendJson(to, 200, { data: [] }),
    (_, to) => void to.writeHead(200, { 'content-type': 'text/csv', 'content-encoding': 'br' }).end('x'),
  ]
  for (const answers of OF_FILES) {
    partner.answers(answers)
    const statuses: number[] = []
    for (let n = 0; n < 6; n += 1) statuses.push((await acme().get('/payments/ledger/entries.csv')).status)
    expect(statuses).toEqual(Array(6).fill(502))
  }
  partner.answers()
  for (let n = 0; n < 6; n += 1) {
    await acme().get(`/payments/invoices?q=${'x'.repeat(2_000)}`)
    await call(acme(), 'POST', '/payments/payouts', `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`)
  }
  expect((await globex().get('/payments/invoices')).status).toBe(200)
})

test('five failures of the partner in a row, of whatever kind, rest it for every workspace', async () => {
  const failing = await startPartner()
  const { harness, stop } = await startHarness({ env: settingsOf(failing) })
  try {
    await enableModule(harness.acme, 'payment')
    const FAILURES: Parameters<typeof partner.answers>[0][] = [
      (_, to) => void sendJson(to, 500, { error: { code: 'X', message: 'x' } }),
      (_, to) => void to.writeHead(503).end('<h1>'),
      (_, to) => void to.destroy(),
      (_, to) => void to.writeHead(200, { 'content-type': 'application/json' }).end('{"data":'),
      (_, to) => void sendJson(to, 200, {}),
    ]
    for (const answers of FAILURES) {
      failing.answers(answers)
      expect((await harness.acme.get('/payments/invoices')).status).toBe(502)
    }
    failing.answers()
    expect((await harness.acme.get('/payments/invoices')).status).toBe(503)
  } finally {
    await failing.close()
    await stop()
  }
})

test('a partner that is silent is 504 in ten seconds, then rested: 503 at once, while the till goes on selling', async () => {
  const slow = await startPartner()
  const { harness, stop } = await startHarness({ env: settingsOf(slow) })
  try {
    await enableModule(harness.acme, 'payment')
    slow.answers(() => {})
    const began = performance.now()
    const waiting = Array.from({ length: 5 }, () => harness.acme.get('/payments/invoices'))
    await expect.poll(() => slow.asked.length).toBe(6)
    expect((await harness.acme.post('/outlets', { name: 'Kemang' })).status).toBe(201)
    const answers = await Promise.all(waiting)
    expect(answers.map(refusalOf)).toEqual(
      Array(5).fill({ status: 504, code: 'PARTNER_TIMEOUT', param: undefined }),
    )
    const tookMs = performance.now() - began
    expect([tookMs > 9_900, tookMs < 12_000]).toEqual([true, true])
    const rested = await harness.acme.get('/payments/invoices')
    expect([refusalOf(rested), rested.headers.get('retry-after')]).toEqual([
      { status: 503, code: 'SERVICE_UNAVAILABLE', param: undefined },
      '10',
    ])
    expect(rested.error.details).toEqual({ partner: 'payment' })
    expect(slow.asked.length).toBe(6)
  } finally {
    await slow.close()
    await stop()
  }
})

/** The operator names another partner than the one that the workspace has its place at. */
async function moved() {
  const shop = await workspace('Moved')
  await enableModule(shop, 'payment')
  await deps()
    .db.updateTable('modules')
    .set({ partner: 'https://old.example' })
    .where('accountId', '=', shop.workspace.accountId)
    .execute()
  partner.asked.length = 0
  return shop
}

test('a module that was switched on before the operator named another partner gets its place there by itself', async () => {
  const other = await startPartner()
  const shop = await moved()
  expect((await shop.get('/payments/invoices')).status).toBe(200)
  expect((await shop.get('/payments/invoices')).status).toBe(200)
  expect(partner.asked.map(({ path }) => path)).toEqual(['/v1/workspaces', '/v1/invoices', '/v1/invoices'])
  await other.close()
})

test('a key at the partner that was sealed with a lost key is asked for once more, and stored under the present one', async () => {
  const shop = await workspace('New key')
  await enableModule(shop, 'payment')
  const { accountId } = shop.workspace
  const place = { table: 'modules', column: 'partner_key', accountId, row: 'payment' } as const
  const stored = () => deps().db.updateTable('modules').where('accountId', '=', accountId)
  await stored()
    .set({ partnerKey: secretsOf(randomBytes(32)).seal('gone', place) })
    .execute()
  partner.asked.length = 0
  expect((await shop.get('/payments/invoices')).status).toBe(200)
  expect((await shop.get('/payments/invoices')).status).toBe(200)
  expect(partner.asked.map(({ path }) => path)).toEqual(['/v1/workspaces', '/v1/invoices', '/v1/invoices'])
  const { partnerKey } = await stored()
    .set({ enabled: true })
    .returning('partnerKey')
    .executeTakeFirstOrThrow()
  expect(await deps().secrets.open(partnerKey ?? '', place)).toBe(keyAtPartner(accountId))
})

test('a place that came while a body was on its way is used, and not asked for again', async () => {
  const shop = await moved()
  const { accountId, key } = shop.workspace
  let looks = 0
  const slow = request(`${address()}/api/v1/payments/customers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  })
  const answered = once(slow, 'response')
  await watching(
    ({ text, values }) => {
      if (values[0] === accountId && text.includes('billing_subscriptions')) looks += 1
    },
    async () => {
      slow.write('{"name":')
      await expect.poll(() => looks).toBe(1)
    },
  )
  expect((await shop.get('/payments/invoices')).status).toBe(200)
  slow.end('"Budi"}')
  const [answer] = (await answered) as [IncomingMessage]
  answer.resume()
  expect(answer.statusCode).toBe(200)
  expect(partner.asked.map(({ path }) => path)).toEqual(['/v1/workspaces', '/v1/invoices', '/v1/customers'])
})
