import { beforeAll, describe, expect, test } from 'vitest'
import { isUnsafe } from '../../src/core/methods.ts'
import { authOf, type Route } from '../../src/platform/http/route.ts'
import type { Answer, Api } from '../support/api.ts'
import { delegateOf, memberOf } from '../support/clients.ts'
import { acme, address, deps, useService } from '../support/service.ts'
import { routes } from './local.ts'

import { probeFor } from './probes/index.ts'
import { nameOf, pathOf, send } from './request.ts'
import { snapshot } from './snapshot.ts'

useService()

/**
 * Assistants (docs/behaviour.md) in a table: an assistant writes the merchant's configuration, reads the books, and has
 * nothing to do with API keys. What is on neither list is read only.
 */
const CONFIGURATION = [
  'outlets',
  'categories',
  'products',
  'modifiers',
  'tables',
  'floors',
  'printers',
  'suppliers',
  'customers',
  'customer-groups',
  'price-lists',
  'promotions',
  'settings',
  'uploads',
  'webhooks',
  'marketing',
]
const MONEY_IN_CONFIGURATION = ['POST /customers/{id}/loyalty/adjust', 'POST /customers/{id}/loyalty/redeem']
const CLOSED = ['api-keys']
/** Keys to what others provide, in an area that is open otherwise. */
const CLOSED_ROUTES = ['GET /account/pixels', 'PATCH /account/pixels']

type Verdict = 'allowed' | 'refused'
function expected(row: Route): { act: Verdict; review: Verdict } {
  if (CLOSED.includes(row.area) || CLOSED_ROUTES.includes(nameOf(row)))
    return { act: 'refused', review: 'refused' }
  if (!isUnsafe(row.method)) return { act: 'allowed', review: 'allowed' }
  const isConfiguration = CONFIGURATION.includes(row.area) && !MONEY_IN_CONFIGURATION.includes(nameOf(row))
  return { act: isConfiguration ? 'allowed' : 'refused', review: 'refused' }
}

const guarded = routes.filter((row) => authOf(row) === 'credential')
const MODES = ['act', 'review'] as const
/** A stream never ends; its own test follows one. */
const answers = (row: Route) => row.produces !== 'text/event-stream'

const delegates = new Map<string, { api: Api; id: string; token: string }>()
const by = (mode: (typeof MODES)[number]) => delegates.get(mode) as { api: Api; id: string; token: string }

beforeAll(async () => {
  const owner = await memberOf(acme(), 'OWNER', 'Ibu Sari')
  for (const mode of MODES) delegates.set(mode, await delegateOf(acme(), owner.id, mode))
})

const verdictOf = ({ status, error }: Answer) => [status, error?.code]
const REFUSED = [403, 'FORBIDDEN']
const auditOf = async (id: string) =>
  (await deps().db.selectFrom('events').select('body').where('refId', '=', id).orderBy('id').execute()).map(
    ({ body }) => JSON.parse(body),
  )

test.each(guarded.map((row) => [nameOf(row), row] as const))(
  '%s has the class its area asks for',
  (_, row) => {
    const { act, review } = expected(row)
    const meant =
      act === 'allowed' ? (review === 'allowed' ? ['read', 'books'] : ['write']) : ['books', 'forbidden']
    expect(meant).toContain(row.delegation)
  },
)

describe.each(MODES)('an assistant in %s mode', (mode) => {
  const rows = guarded.filter(answers).map((row) => [nameOf(row), expected(row)[mode], row] as const)

  test.each(rows)('%s with what it takes is %s', async (name, verdict, row) => {
    const probe = await probeFor(row, acme())
    const before = await snapshot(deps().pool, acme())
    const known = (await auditOf(by(mode).id)).length
    const answer = await send(by(mode).api, row, probe)
    const told = (await auditOf(by(mode).id)).slice(known)
    if (verdict === 'refused') {
      expect(verdictOf(answer)).toEqual(REFUSED)
      expect([await snapshot(deps().pool, acme()), told]).toEqual([before, []])
      return
    }
    expect([answer.text, answer.status < 300]).toEqual([answer.text, true])
    if (!isUnsafe(row.method)) return expect(told).toEqual([])
    expect(told.map(({ data }) => [data.operation, data.method, data.path, data.status])).toEqual([
      [row.name, row.method, `/api/v1${pathOf(row, probe).split('?')[0]}`, answer.status],
    ])
    expect(told[0].data.actor).toEqual({
      kind: 'member',
      id: expect.stringMatching(/^usr_/),
      delegation: { mode, id: by(mode).id, run: 'run-1' },
    })
    expect([name, told[0].type, told[0].data.requestId]).toEqual([
      name,
      'audit.delegate.wrote.v1',
      answer.meta.requestId,
    ])
  })

  test.each(rows.filter(([, verdict]) => verdict === 'refused'))(
    '%s is refused before anybody looks at ids or at the body',
    async (_name, _verdict, row) => {
      const body = isUnsafe(row.method) ? '{"not json' : undefined
      const headers = body === undefined ? {} : { 'content-type': 'application/json' }
      const answer = await by(mode).api.raw(row.method, pathOf(row, {}), body, headers)
      expect(verdictOf(answer)).toEqual(REFUSED)
    },
  )

  test('asks with HEAD what it may ask with GET, and a header names no other method', async () => {
    const { api } = by(mode)
    const head = async (path: string) =>
      (
        await fetch(`${address()}/api/v1${path}`, {
          method: 'HEAD',
          headers: { authorization: `Delegation ${by(mode).token}` },
        })
      ).status
    expect([await head('/outlets'), await head('/api-keys')]).toEqual([200, 403])
    const outlets = (await api.get('/outlets')).data.outlets.length
    const overridden = await api.raw('GET', '/outlets', undefined, { 'x-http-method-override': 'DELETE' })
    expect(overridden.status).toBe(200)
    expect((await acme().get('/outlets')).data.outlets.length).toBe(outlets)
  })
})

test('routes that ask for no credential do what they do, whatever token comes along', async () => {
  const { api } = by('review')
  expect((await api.get('/health')).status).toBe(200)
  expect((await api.post('/auth/logout', {})).data).toEqual({ loggedOut: true })
})
