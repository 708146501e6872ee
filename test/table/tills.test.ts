import { beforeAll, describe, expect, test } from 'vitest'
import { isUnsafe } from '../../src/core/methods.ts'
import { MODULES } from '../../src/core/modules.ts'
import { authOf, type Route, roleOf } from '../../src/platform/http/route.ts'
import { ROLES, type Role } from '../../src/platform/scope.ts'
import { routes } from '../../src/routes.ts'
import type { Answer, Api } from '../support/api.ts'
import { enableModule } from '../support/build.ts'
import { browser } from '../support/clients.ts'
import { done } from '../support/expect.ts'
import { cookieNamed, enrolTill, memberWithPin, type TestTill } from '../support/pins.ts'
import { acme, deps, globex, useService } from '../support/service.ts'
import { hasProbe, probeFor } from './probes/index.ts'
import { knock, nameOf, type Probe, send } from './request.ts'
import { snapshot } from './snapshot.ts'
import { named, tried } from './tried.ts'

useService()

const guarded = routes.filter((row) => authOf(row) === 'credential')
/** Routes of browsers that need a signed-in member. The operator page has its own session. */
const forMembers = routes.filter(
  (row) =>
    authOf(row) === 'session' &&
    row.area !== 'operator' &&
    row.document?.refuses?.includes('AUTH_REQUIRED') === true,
)

/** The cookies of tills with which a PIN session does not work (B-pin-3). */
const WRONG_CELLS = ['no till', 'another till', 'a till of another workspace', 'its revoked till'] as const
type Cell = (typeof WRONG_CELLS)[number]

/** B-pin-5: a PIN session has the rights of its member, except where the route needs a password. */
const mayCall = (row: Route, role: Role) =>
  ROLES.indexOf(role) >= ROLES.indexOf(roleOf(row)) && row.needsPassword !== true

const atOwnTill = new Map<Role, Api>()
const atWrongTill = new Map<Cell, Map<Role, Api>>(WRONG_CELLS.map((cell) => [cell, new Map<Role, Api>()]))
let owner: Member

type Member = Awaited<ReturnType<typeof memberWithPin>>

/** The cookie of a session that begins with a PIN. */
async function sessionAt({ cookie }: Pick<TestTill, 'cookie'>, { id: memberId, pin }: Member) {
  const answer = await browser(cookie).post('/auth/pin', { memberId, pin })
  done(answer)
  return cookieNamed(answer, 'kasir_session') ?? ''
}

beforeAll(async () => {
  for (const module of MODULES) await enableModule(acme(), module)
  const [till, other, revoked] = [await enrolTill(acme()), await enrolTill(acme()), await enrolTill(acme())]
  const foreign = await enrolTill(globex())
  for (const role of ROLES) {
    const member = await memberWithPin(acme(), role)
    if (role === 'OWNER') owner = member
    const session = await sessionAt(till, member)
    const cookies: Record<Cell, string> = {
      'no till': session,
      'another till': `${other.cookie}; ${session}`,
      'a till of another workspace': `${foreign.cookie}; ${session}`,
      'its revoked till': `${revoked.cookie}; ${await sessionAt(revoked, member)}`,
    }
    for (const cell of WRONG_CELLS) atWrongTill.get(cell)?.set(role, browser(cookies[cell]))
    atOwnTill.set(role, browser(`${till.cookie}; ${session}`))
  }
  done(await acme().delete(`/tills/${revoked.id}`))
})

const verdictOf = ({ status, error }: Answer) => [status, error?.code]
const UNKNOWN = [401, 'AUTH_REQUIRED']
const FORBIDDEN = [403, 'FORBIDDEN']

/** A valid request, and the owner by PIN who sends it: at the till that the request itself brings, if it does. */
async function requestOf(row: Route): Promise<{ request: Probe; api: Api }> {
  const { headers: { cookie, ...headers } = {}, ...rest } = await probeFor(row, acme())
  const request = { ...rest, headers }
  if (cookie === undefined) return { request, api: atOwnTill.get('OWNER') as Api }
  return { request, api: browser(`${cookie}; ${await sessionAt({ cookie }, owner)}`) }
}

/** Each role at each wrong till. */
const strangers = () =>
  WRONG_CELLS.flatMap((cell) =>
    ROLES.map((role) => ({ cell: [cell, role], api: atWrongTill.get(cell)?.get(role) as Api })),
  )

describe('a PIN session without the cookie of its till, with that of another, and at a revoked till', () => {
  test.each(named(guarded))('is 401 at %s before the body is read', async (_, row) => {
    for (const { cell, api } of strangers()) {
      expect([cell, verdictOf(await knock(api, row))]).toEqual([cell, UNKNOWN])
    }
  })

  test.each(named(forMembers))('is 401 at %s, a route of browsers', async (_, row) => {
    const { request } = hasProbe(row) ? await requestOf(row) : { request: {} }
    for (const { cell, api } of strangers()) {
      expect([cell, verdictOf(await send(api, row, request))]).toEqual([cell, UNKNOWN])
    }
  })
})

describe('a PIN session at its own till', () => {
  test.each(named(guarded))('passes the gate of %s exactly if its member may call it', async (_, row) => {
    for (const [role, api] of atOwnTill) {
      // A stream never ends.
      if (row.produces === 'text/event-stream' && mayCall(row, role)) continue
      const answer = await knock(api, row)
      if (!mayCall(row, role)) expect([role, verdictOf(answer)]).toEqual([role, FORBIDDEN])
      else expect([role, [401, 403].includes(answer.status)]).toEqual([role, false])
    }
    expect(atOwnTill.size).toBe(ROLES.length)
  })
})

test.each(named(tried))(
  '%s accepts a valid request of an owner by PIN at the own till only, and nowhere if it needs a password',
  async (_, row) => {
    const { request, api } = await requestOf(row)
    const before = isUnsafe(row.method) && (await snapshot(deps().pool, acme()))
    for (const cell of WRONG_CELLS) {
      const stranger = atWrongTill.get(cell)?.get('OWNER') as Api
      expect([cell, verdictOf(await send(stranger, row, request))]).toEqual([cell, UNKNOWN])
    }
    if (!mayCall(row, 'OWNER')) expect(verdictOf(await send(api, row, request))).toEqual(FORBIDDEN)
    if (before) expect(await snapshot(deps().pool, acme())).toEqual(before)
    if (!mayCall(row, 'OWNER')) return
    const answer = await send(api, row, request)
    expect([answer.text, answer.status < 300]).toEqual([answer.text, true])
  },
)

test('a password is needed where B-pin-5 says: for every write to members, and to make an API key', () => {
  const expected = guarded.filter(
    (row) => (row.area === 'members' && isUnsafe(row.method)) || nameOf(row) === 'POST /api-keys',
  )
  expect(guarded.filter((row) => row.needsPassword).map(nameOf)).toEqual(expected.map(nameOf))
  expect(expected.length).toBeGreaterThan(4)
  expect(forMembers.map(nameOf)).toContain('POST /tills')
})
