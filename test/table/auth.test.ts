import { describe, expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { isUnsafe } from '../../src/core/methods.ts'
import { insertSession } from '../../src/platform/auth/store.ts'
import { newKey, newSessionToken } from '../../src/platform/auth/tokens.ts'
import { inTx } from '../../src/platform/db/open.ts'
import { authOf, type Route, roleOf } from '../../src/platform/http/route.ts'
import { type AccountId, ROLES, type Role } from '../../src/platform/scope.ts'
import { sha256 } from '../../src/platform/secrets/secrets.ts'
import { routes } from '../../src/routes.ts'
import { refusalOf } from '../support/expect.ts'
import { acme, as, deps, useService } from '../support/service.ts'

import { nameOf, pathOf } from './request.ts'

useService()

const guarded = routes.filter((row) => authOf(row) === 'credential')
const named = (rows: readonly Route[]) => rows.map((row) => [nameOf(row), row] as const)

/** A body that every route refuses: whoever answers 400 has read it. */
const GARBAGE = '{"not json'
const knock = (row: Route, headers: Record<string, string>) =>
  as(null).raw(
    row.method,
    pathOf(row, {}),
    isUnsafe(row.method) ? GARBAGE : undefined,
    isUnsafe(row.method) ? { 'content-type': 'application/json', ...headers } : headers,
  )

async function keyOf(state: { readOnly?: true; revokedAt?: string } = {}) {
  const { accountId } = acme().workspace
  const key = newKey(accountId)
  const id = newId('apiKey')
  const now = deps().clock.now()
  await deps()
    .db.insertInto('apiKeys')
    .values({
      accountId,
      id,
      name: 'Lost till',
      prefix: key.slice(0, 12),
      hash: sha256(key),
      createdAt: now,
      updatedAt: now,
      ...state,
    })
    .execute()
  return { key, id, headers: { authorization: `Bearer ${key}` } }
}

const member = async (role: Role, api = acme()) => {
  const { accountId } = api.workspace
  const memberId = newId('member')
  const token = newSessionToken(accountId)
  const now = deps().clock.now()
  await deps()
    .db.insertInto('members')
    .values({ accountId, id: memberId, email: `${memberId}@example.test`, name: role, role })
    .execute()
  await inTx(deps().db, (tx) => insertSession(tx, { accountId, id: newId('session'), memberId, token, now }))
  return { cookie: `kasir_session=${token}` }
}

describe.each(named(guarded))('%s', (_, row) => {
  test('answers 401 without a valid credential, before it looks at the body', async () => {
    const { accountId, key } = acme().workspace
    const strangers: Record<string, Record<string, string>> = {
      none: {},
      empty: { authorization: '' },
      'no scheme': { authorization: key },
      basic: { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` },
      'two credentials': { authorization: `Bearer ${key} ${key}` },
      'forged secret': { authorization: `Bearer ${newKey(accountId)}` },
      'key of nobody': { authorization: `Bearer ${newKey(newId('account') as unknown as AccountId)}` },
      'lower case': { authorization: `Bearer ${key.toLowerCase()}` },
      revoked: (await keyOf({ revokedAt: deps().clock.now() })).headers,
      'forged cookie': { cookie: `kasir_session=${newSessionToken(accountId)}` },
      'key as cookie': { cookie: `kasir_session=${key}` },
      'jwt without signature': { authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.' },
    }
    for (const [name, headers] of Object.entries(strangers)) {
      const answer = await knock(row, headers)
      expect([name, answer.status, answer.error?.code], name).toEqual([name, 401, 'AUTH_REQUIRED'])
      expect(answer.data).toBeNull()
      expect(answer.meta.requestId).toMatch(/^req_/)
    }
  })

  // A stream stays open; how it ends is told in test/areas/insight/live.
  const ends = row.produces !== 'text/event-stream'
  test.runIf(ends)('answers 401 to a key once it is revoked, however well it was known', async () => {
    const { id, headers } = await keyOf()
    for (const _ of [1, 2]) expect((await knock(row, headers)).status).not.toBe(401)
    await deps()
      .db.updateTable('apiKeys')
      .set({ revokedAt: deps().clock.now() })
      .where('accountId', '=', acme().workspace.accountId)
      .where('id', '=', id)
      .execute()
    const answer = await knock(row, headers)
    expect([answer.status, answer.error?.code, answer.data]).toEqual([401, 'AUTH_REQUIRED', null])
  })

  test('a header decides over a cookie, also when the cookie is good', async () => {
    const answer = await knock(row, { ...(await member('OWNER')), authorization: 'Bearer nonsense' })
    expect(refusalOf(answer)).toMatchObject({ status: 401, code: 'AUTH_REQUIRED' })
  })

  test('answers 403 to a member below its role', async () => {
    for (const role of ROLES.slice(0, ROLES.indexOf(roleOf(row)))) {
      const answer = await knock(row, await member(role))
      expect([role, answer.status, answer.error.code]).toEqual([role, 403, 'FORBIDDEN'])
    }
  })

  test.runIf(isUnsafe(row.method))('answers 403 to a cookie that another site sent along', async () => {
    const owner = await member('OWNER')
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      const answer = await knock(row, { ...owner, ...headers })
      expect(refusalOf(answer)).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    }
  })
})

test.each(named(guarded.filter((row) => isUnsafe(row.method))))(
  '%s answers 403 to a key that may only read',
  async (_, row) => {
    const answer = await knock(row, (await keyOf({ readOnly: true })).headers)
    expect(refusalOf(answer)).toMatchObject({ status: 403, code: 'FORBIDDEN' })
  },
)

test.each(named(routes.filter((row) => authOf(row) === 'none')))(
  '%s needs no credential and is not stopped by a wrong one',
  async (_, row) => {
    const answer = await as(null).raw(row.method, pathOf(row, {}), undefined, {
      authorization: 'Bearer nonsense',
    })
    expect([401, 403]).not.toContain(answer.status)
  },
)
