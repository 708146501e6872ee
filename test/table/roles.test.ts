import { beforeAll, describe, expect, test } from 'vitest'
import { authOf, type Route, roleOf } from '../../src/platform/http/route.ts'
import { ROLES, type Role } from '../../src/platform/scope.ts'
import { routes } from '../../src/routes.ts'
import type { Api } from '../support/api.ts'
import { memberOf } from '../support/clients.ts'
import { acme, as, useService } from '../support/service.ts'

useService()

/**
 * B-role-1 in a table: an owner alone manages members and API keys; a cashier writes sales, shifts, kitchen and
 * customers, counts stock without posting it, asks for approvals, prints, and reads all but reports, webhooks, the log, tills,
 * promotions, members and API keys; a manager does the rest.
 */
const OWNER_AREAS = ['members', 'api-keys', 'billing']
const CASHIER_WRITES = [
  'sales',
  'shifts',
  'kitchen',
  'customers',
  'customer-credit',
  'delivery',
  'approvals',
  'print-jobs',
  'labels',
  'stock-counts',
]
const HIDDEN_FROM_CASHIERS = ['reports', 'webhooks', 'events', 'payments', 'tills', 'promotions']

/** What a cashier shows a customer to pay with. */
const AT_THE_TILL = '/payments/qris'

function expectedRole({ area, method, path }: Route): Role {
  if (path.startsWith(AT_THE_TILL)) return 'CASHIER'
  if (path === '/delivery/origin' && method === 'PATCH') return 'MANAGER'
  if (path === '/stock-counts/{id}/post') return 'MANAGER'
  if (OWNER_AREAS.includes(area)) return 'OWNER'
  if (method === 'GET') return HIDDEN_FROM_CASHIERS.includes(area) ? 'MANAGER' : 'CASHIER'
  return CASHIER_WRITES.includes(area) ? 'CASHIER' : 'MANAGER'
}

const guarded = routes.filter((row) => authOf(row) === 'credential')
const nameOf = (row: Route) => `${row.method} ${row.path}`
const isAbove = (row: Route, role: Role) => ROLES.indexOf(roleOf(row)) > ROLES.indexOf(role)
/** Ids that nobody has: what is allowed may then answer anything but 401 and 403, and changes nothing. */
const call = (api: Api, row: Route) =>
  api.raw(row.method, row.path.replaceAll(/\{\w+\}/g, 'none_1'), undefined, {})

describe('the route table', () => {
  test.each(guarded.map((row) => [nameOf(row), row] as const))(
    '%s asks for the role of the table above',
    (_, row) => {
      expect(roleOf(row)).toBe(expectedRole(row))
    },
  )

  test('every write that a cashier may make is one of selling, cash, kitchen, customers, parcels, approvals, paper, counting stock, or a code to pay by', () => {
    const written = guarded.filter((row) => row.method !== 'GET' && roleOf(row) === 'CASHIER')
    expect(written.filter((row) => !CASHIER_WRITES.includes(row.area)).map(nameOf)).toEqual([
      `POST ${AT_THE_TILL}`,
    ])
  })

  test('only health, the plans, notices of partners, public addresses, tills, the operator page and the ways to sign in and out ask for no credential', () => {
    expect(routes.filter((row) => authOf(row) !== 'credential').map(nameOf)).toEqual([
      'POST /auth/signup',
      'POST /auth/login',
      'POST /auth/login/second-factor',
      'POST /auth/logout',
      'POST /auth/password/forgot',
      'POST /auth/password/reset',
      'GET /auth/options',
      'GET /auth/oidc/start',
      'GET /auth/oidc/callback',
      'POST /auth/email/proof',
      'POST /auth/email/verify',
      'POST /auth/password',
      'GET /auth/sessions',
      'DELETE /auth/sessions/{id}',
      'GET /auth/me',
      'POST /auth/invitations/accept',
      'GET /auth/second-factor',
      'POST /auth/second-factor',
      'POST /auth/second-factor/confirm',
      'POST /auth/second-factor/recovery-codes',
      'POST /auth/second-factor/off',
      'POST /auth/pin',
      'PUT /auth/pin',
      'POST /tills',
      'GET /tills/current',
      'GET /billing/tiers',
      'GET /public/{accountSlug}/feed.xml',
      'GET /public/{accountSlug}/feed.csv',
      'GET /public/{accountSlug}/feed.json',
      'GET /public/{accountSlug}/blog/posts',
      'GET /public/{accountSlug}/blog/posts/{slug}',
      'GET /public/{accountSlug}/r/{code}',
      'GET /health',
      'POST /operator/session',
      'DELETE /operator/session',
      'GET /operator/overview',
      'GET /operator/workspaces',
      'POST /webhooks/payment_provider',
      'POST /webhooks/fulfillment_provider',
    ])
  })
})

describe('over HTTP', () => {
  const people = new Map<Role, Api>()
  beforeAll(async () => {
    for (const role of ROLES) people.set(role, (await memberOf(acme(), role)).api)
  })

  test('without a credential every route is 401, whoever may call it', async () => {
    for (const row of guarded) {
      const refused = await call(as(null), row)
      expect([nameOf(row), refused.status, refused.error.code]).toEqual([nameOf(row), 401, 'AUTH_REQUIRED'])
    }
  })

  test.each(['CASHIER', 'MANAGER'] as const)(
    'a %s is refused with 403 on every route above',
    async (role) => {
      const api = people.get(role) as Api
      for (const row of guarded.filter((candidate) => isAbove(candidate, role))) {
        const refused = await call(api, row)
        expect([nameOf(row), refused.status, refused.error?.code]).toEqual([nameOf(row), 403, 'FORBIDDEN'])
      }
    },
  )

  test.each(ROLES)('whoever is %s passes the gate of every other route', async (role) => {
    const api = people.get(role) as Api
    for (const row of guarded.filter(
      (candidate) => candidate.access !== 'raw' && !isAbove(candidate, role),
    )) {
      const answer = await call(api, row)
      expect([nameOf(row), [401, 403].includes(answer.status) || answer.status >= 500]).toEqual([
        nameOf(row),
        false,
      ])
    }
  })
})
