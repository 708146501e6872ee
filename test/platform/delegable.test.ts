import cookie from '@fastify/cookie'
import Fastify, { type FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mintDelegation } from '../../src/platform/auth/delegation.ts'
import { countCallers } from '../../src/platform/http/callers.ts'
import { requireDelegations } from '../../src/platform/http/delegable.ts'
import { sendError } from '../../src/platform/http/error-handler.ts'
import { parseJson } from '../../src/platform/http/json-body.ts'
import { mount } from '../../src/platform/http/mount.ts'
import { type Route, route } from '../../src/platform/http/route.ts'
import { routes } from '../../src/routes.ts'
import { memberOf } from '../support/clients.ts'
import { acme, deps, useService } from '../support/service.ts'

useService()

const SECRET = 'whsec_shown_once'
const planted = route({
  name: 'plants.create',
  method: 'POST',
  path: '/plants',
  area: 'plants',
  summary: 'Plant something with a secret',
  access: 'write',
  role: 'CASHIER',
  delegation: 'write',
  status: 201,
  secret: {
    mask: (answer) => ({ ...answer, secret: '****' }),
    hiddenFromDelegates: ['secret'],
  },
  body: Type.Object({ name: Type.String() }),
  returns: Type.Object({ plant: Type.Object({ id: Type.String() }), secret: Type.Optional(Type.String()) }),
  handle: async ({ body }) => ({ plant: { id: body.name }, secret: SECRET }),
})

let app: FastifyInstance
let assistant: string
let member: Awaited<ReturnType<typeof memberOf>>
beforeAll(async () => {
  app = Fastify()
  await app.register(cookie)
  app.decorateRequest('identity', null)
  app.setErrorHandler((error, request, reply) => sendError(deps(), error, request, reply))
  parseJson(app)
  countCallers(app, deps())
  mount(app, deps(), [planted])
  const { accountId } = acme().workspace
  member = await memberOf(acme(), 'OWNER')
  const { token } = await mintDelegation(
    deps(),
    { accountId, memberId: member.id, mode: 'act' },
    deps().clock.now(),
  )
  assistant = `Delegation ${token}`
})
afterAll(() => app.close())

const plant = async (credential: Record<string, string>, key: string) => {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v1/plants',
    headers: { ...credential, 'content-type': 'application/json', 'idempotency-key': key },
    payload: { name: 'fern' },
  })
  return { status: answer.statusCode, replayed: answer.headers['idempotent-replayed'], ...answer.json() }
}

test('an assistant gets no secret of what it makes, and its member gets it under the same key', async () => {
  const made = await plant({ authorization: assistant }, 'plant-1')
  expect([made.status, made.data]).toEqual([201, { plant: { id: 'fern' } }])
  const replayed = await plant({ cookie: member.cookie }, 'plant-1')
  expect([replayed.replayed, replayed.data]).toEqual(['true', { plant: { id: 'fern' }, secret: SECRET }])
  const others = await plant({ authorization: `Bearer ${acme().workspace.key}` }, 'plant-1')
  expect([others.replayed, others.data]).toEqual(['true', { plant: { id: 'fern' }, secret: '****' }])
})

test('an assistant gets no secret by sending the request of an owner again', async () => {
  const made = await plant({ authorization: `Bearer ${acme().workspace.key}` }, 'plant-2')
  expect(made.data.secret).toBe(SECRET)
  const replayed = await plant({ authorization: assistant }, 'plant-2')
  expect([replayed.status, replayed.replayed, replayed.data]).toEqual([
    201,
    'true',
    { plant: { id: 'fern' } },
  ])
})

test.each<[string, Partial<Record<keyof Route, unknown>>, string]>([
  ['without a class', { delegation: undefined }, 'it has no delegation class'],
  ['with a class nobody knows', { delegation: 'some' }, 'it has no delegation class'],
  ['with a credential and the class none', { delegation: 'none' }, 'none is for routes without a credential'],
  [
    'without a credential and a class',
    { auth: 'none', access: 'open' },
    'none is for routes without a credential',
  ],
  ['that writes with the class read', { delegation: 'read' }, 'read is for GET'],
  ['that an assistant writes and that commits by itself', { access: 'self' }, 'leaves its audit event'],
  [
    'that an assistant writes and whose secret it would get',
    { secret: { mask: () => null } },
    'does not get',
  ],
])('a process with a row %s does not start', (_, change, told) => {
  const row = { ...planted, ...change } as Route
  expect(() => mount(Fastify(), deps(), [...routes, row])).toThrow(told)
  expect(() => requireDelegations([row])).toThrow('plants.create (POST /plants)')
})
