import { createHmac, timingSafeEqual } from 'node:crypto'
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { standingOf } from '../../src/areas/workspace/modules/index.ts'
import { ApiError } from '../../src/core/errors.ts'
import type { Module } from '../../src/core/modules.ts'
import { authenticate } from '../../src/platform/auth/authenticate.ts'
import { requireEnforced } from '../../src/platform/http/declared.ts'
import { type Delegation, type Method, type Route, route, withTraits } from '../../src/platform/http/route.ts'
import type { Verify } from '../../src/platform/http/signature.ts'
import type { DelegationMode } from '../../src/platform/scope.ts'
import { routes } from '../../src/routes.ts'
import { refusalOf } from '../support/expect.ts'
import { type Harness, startHarness } from '../support/service.ts'

const Done = Type.Object({ done: Type.Boolean() })
const common = { area: 'words', summary: 'A route of this test', delegation: 'read', returns: Done } as const
const done = async () => ({ done: true })

const delegable = (delegation: Delegation, method: Method) =>
  method === 'GET'
    ? route({
        ...common,
        name: `${delegation}.get`,
        method,
        path: `/words/${delegation}`,
        delegation,
        access: 'read',
        handle: done,
      })
    : route({
        ...common,
        name: `${delegation}.send`,
        method,
        path: `/words/${delegation}`,
        delegation,
        access: 'write',
        role: 'CASHIER',
        handle: done,
      })

const CLASSES = ['write', 'books', 'forbidden'] as const
const NAME = /^x-delegate$/

const gated = (module: Module) =>
  route({
    ...common,
    name: `${module}.pay`,
    delegation: 'books',
    method: 'POST',
    path: `/words/${module}`,
    module,
    access: 'write',
    body: Type.Object({ amount: Type.Integer({ minimum: 1, maximum: 10 }) }, { title: 'Pay' }),
    handle: done,
  })

/** One refuses with what its row names, the other with what it does not. */
const refusing = (name: 'named' | 'unnamed') =>
  route({
    ...common,
    name: `refusals.${name}`,
    method: 'GET',
    path: `/words/${name}`,
    access: 'read',
    ...(name === 'named' ? { document: { refuses: ['LIMIT_REACHED'] } } : {}),
    handle: async () => {
      throw new ApiError('LIMIT_REACHED', 'No more of these')
    },
  })

const SECRET = 'whsec of the partner'
const signatureOf = (bytes: string | Buffer) => createHmac('sha256', SECRET).update(bytes).digest('hex')
const verify: Verify = ({ rawBody, headers }) => {
  const sent = Buffer.from(String(headers['x-signature'] ?? ''))
  const own = Buffer.from(signatureOf(rawBody))
  return sent.length === own.length && timingSafeEqual(sent, own)
}
const taken: unknown[] = []
const notice = withTraits(
  { verify },
  route({
    name: 'inbound.take',
    method: 'POST',
    path: '/words/notice',
    area: 'words',
    summary: 'Take a notice of a partner',
    auth: 'signature',
    delegation: 'none',
    access: 'open',
    body: Type.Object({ type: Type.Optional(Type.String()) }, { title: 'Notice' }),
    returns: Done,
    handle: async ({ body }) => {
      taken.push(body)
      return { done: true }
    },
  }),
)

let harness: Harness
let stop: () => Promise<void>
beforeAll(async () => {
  const started = await startHarness({
    served: {
      rows: [
        ...CLASSES.map((word) => delegable(word, 'POST')),
        delegable('books', 'GET'),
        delegable('forbidden', 'GET'),
        gated('payment'),
        gated('marketing'),
        refusing('named'),
        refusing('unnamed'),
        notice,
      ],
      // Stands in for the token that a delegate will send: who they are is proved by the key beside it.
      identify: async (deps, request, now) => {
        const identity = await authenticate(deps, request, now)
        const mode = Object.entries(request.headers).find(([name]) => NAME.test(name))?.[1]
        if (typeof mode !== 'string') return identity
        return {
          ...identity,
          actor: { ...identity.actor, delegation: { mode: mode as DelegationMode, id: 'run', run: null } },
        }
      },
      standingOf: async () => ({
        role: 'OWNER' as const,
        enabled: new Set<Module>(['payment']),
        modules: [],
      }),
    },
  })
  harness = started.harness
  stop = started.stop
})
afterAll(async () => stop())

describe('delegation', () => {
  test.each([
    ['GET', 'books', 'review', 200],
    ['GET', 'books', 'act', 200],
    ['GET', 'forbidden', 'review', 403],
    ['GET', 'forbidden', 'act', 403],
    ['POST', 'write', 'review', 403],
    ['POST', 'write', 'act', 200],
    ['POST', 'books', 'review', 403],
    ['POST', 'books', 'act', 403],
    ['POST', 'forbidden', 'review', 403],
    ['POST', 'forbidden', 'act', 403],
  ])('%s of %s in %s mode answers %i', async (method, word, mode, status) => {
    const answer = await harness.acme.raw(method, `/words/${word}`, undefined, { 'x-delegate': mode })
    expect(refusalOf(answer)).toMatchObject({ status, code: status === 403 ? 'FORBIDDEN' : undefined })
  })

  test('is no matter for the member themselves', async () => {
    for (const word of CLASSES) expect((await harness.acme.post(`/words/${word}`)).status).toBe(200)
  })
})

describe('module', () => {
  test('on: the route is open', async () => {
    const answer = await harness.acme.post('/words/payment', { amount: 3 })
    expect([answer.status, answer.data]).toEqual([200, { done: true }])
  })
  test('off: the route answers 409 by its name, after 401 and 403 and before the body is looked at', async () => {
    const off = await harness.acme.post('/words/marketing', { amount: 'three' })
    expect(refusalOf(off)).toMatchObject({ status: 409, code: 'MARKETING_MODULE_DISABLED' })
    const stranger = await harness.as(null).post('/words/marketing', { amount: 3 })
    expect(refusalOf(stranger)).toMatchObject({ status: 401, code: 'AUTH_REQUIRED' })
    const on = await harness.acme.post('/words/payment', { amount: 'three' })
    expect(refusalOf(on)).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' })
  })
})

describe('auth: signature', () => {
  const send = async (bytes: string, headers: Record<string, string>) => {
    taken.length = 0
    const answer = await harness.as(null).raw('POST', '/words/notice', bytes, {
      'content-type': 'application/json',
      ...headers,
    })
    return [answer.status, answer.error?.code ?? null, taken.length]
  }
  const bytes = '{ "type":"checkout_session.completed.v1",  "more": [1.0] }'

  test('a good one over the very bytes passes, whatever else they hold', async () => {
    expect(await send(bytes, { 'x-signature': signatureOf(bytes) })).toEqual([200, null, 1])
  })
  test.each([
    ['a missing one', bytes, {}],
    ['one of other bytes that parse alike', bytes, { 'x-signature': signatureOf(bytes.replaceAll(' ', '')) }],
    ['a wrong one, before the JSON is looked at', '{"type":', { 'x-signature': 'no' }],
    ['a missing one of no body', '', {}],
  ])('%s is 401 and reaches no handler', async (_, body, headers) => {
    expect(await send(body, headers as Record<string, string>)).toEqual([401, 'INVALID_SIGNATURE', 0])
  })
  test('a missing one without body or content type is 401 as well', async () => {
    taken.length = 0
    const answer = await harness.as(null).raw('POST', '/words/notice', undefined, {})
    expect([answer.status, answer.error.code, taken]).toEqual([401, 'INVALID_SIGNATURE', []])
  })
})

test('a route that refuses with a code its document does not name fails in tests, and says so', async () => {
  const named = await harness.acme.get('/words/named')
  expect(refusalOf(named)).toEqual({ status: 403, code: 'LIMIT_REACHED' })
  const unnamed = await harness.acme.get('/words/unnamed')
  expect(refusalOf(unnamed)).toEqual({ status: 500, code: 'INTERNAL_ERROR' })
  expect(unnamed.error.message).toBe(
    '/api/v1/words/unnamed refused with 403 LIMIT_REACHED, which its document does not name',
  )
})

test('a row with a word that its access does not have does not compile', () => {
  const row = { ...common, name: 'words.get', method: 'GET', path: '/words' } as const
  const reply = async () => ({ status: 200, data: '{}', replayed: false })
  const page = async () => ({ items: [], cursor: null, hasMore: false })
  const sound = [
    route({ ...row, access: 'self', hotPath: { provesKey: true, holdsSlot: false }, handle: reply }),
    route({ ...row, access: 'page', handle: page }),
  ]
  const rows = [
    // @ts-expect-error -- a transaction holds its connection
    route({ ...row, access: 'write', hotPath: { holdsSlot: false }, handle: done }),
    // @ts-expect-error -- only a read with workers proves the key there
    route({ ...row, access: 'self', hotPath: { provesKey: 'acrossWorkers' }, handle: reply }),
    // @ts-expect-error -- only a record has other formats
    route({ ...row, access: 'page', formats: { csv: () => ({}) as never }, handle: page }),
    // @ts-expect-error -- rooms add traits with withTraits
    route({ ...row, access: 'read', isVisited: true, handle: done }),
  ]
  expect([...sound, ...rows]).toHaveLength(6)
})

describe('the process does not start for a row with', () => {
  const sound = delegable('read', 'GET')
  test.each<[string, Partial<Route>, string]>([
    ['no delegation class', { delegation: undefined as never }, 'it has no delegation class'],
    ['a class that nobody knows', { delegation: 'sometimes' as never }, 'it has no delegation class'],
    [
      'delegation none behind a credential',
      { delegation: 'none' },
      'none is for routes without a credential',
    ],
    [
      'a module, where nothing knows which are on',
      { module: 'payment' },
      'a module needs standingOf, which reads the modules that are on',
    ],
    ['a module that does not exist', { module: 'games' as never }, 'there is no such module'],
    [
      'auth signature without a verifier',
      { ...notice, verify: undefined as never },
      'nothing verifies the signature',
    ],
    [
      'a verifier that auth does not ask for',
      { verify },
      'the signature is verified only with auth: signature',
    ],
    ['a role where nobody signs in', { ...notice, role: 'OWNER' }, 'a role needs auth: credential'],
    [
      'a refusal that its other words imply',
      { document: { refuses: ['AUTH_REQUIRED'] } },
      'refuses names a code that the other words of the row imply already',
    ],
    [
      'a rate limit behind a credential',
      { perMinute: 60 },
      'a credential has its own budget: no perMinute here',
    ],
    ['a name of another form', { name: 'Sales.Create' }, 'the name is not <namespace>.<verb> in camelCase'],
  ])('%s', async (_, wrong, fault) => {
    const rows = [{ ...sound, ...wrong } as Route]
    await expect(createApp(harness.deps, { rows })).rejects.toThrow(fault)
  })
  test('the name of another', () => {
    expect(() => requireEnforced([sound, { ...sound, path: '/words/again' }], {})).toThrow(
      'another route has this name',
    )
  })
  test('none of that in the route table of the service', () => {
    expect(() => requireEnforced(routes, { standingOf })).not.toThrow()
  })
})
