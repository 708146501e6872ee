import { newId } from '../../src/core/ids.ts'
import { type DelegationRequest, mintDelegation } from '../../src/platform/auth/delegation.ts'
import { startSession } from '../../src/platform/auth/session.ts'
import { inTx } from '../../src/platform/db/open.ts'
import { type AccountId, type Role, type Scope, scopeFor } from '../../src/platform/scope.ts'
import { type Answer, type Api, carrying } from './api.ts'
import { as, deps } from './service.ts'

/** The session cookie of an answer as a browser sends it back; undefined when none was set. */
export const cookieOf = (answer: Answer): string | undefined =>
  answer.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0] ?? '')
    .find((pair) => /^(__Host-)?kasir_session=.+/.test(pair))

/** A client that carries a session cookie, as the dashboard's server does: no Origin, no Sec-Fetch-Site. */
export const browser = (cookie: string | undefined): Api =>
  carrying(as(null), cookie === undefined ? {} : { cookie })

/** A member who is signed in; written directly, because hashing a password takes a while. */
export async function memberOf(
  { workspace }: Pick<Api, 'workspace'>,
  role: Role,
  name: string = role.toLowerCase(),
): Promise<{ id: string; cookie: string; api: Api }> {
  const { accountId } = workspace
  const id = newId('member')
  const email = `${id.toLowerCase()}@example.com`
  const { db, clock } = deps()
  await db
    .insertInto('members')
    .values({ accountId, id, email, name, role, ...stamps() })
    .execute()
  await db.insertInto('memberEmails').values({ email, accountId, memberId: id }).execute()
  const cookie = await sessionOf(accountId, id, clock.now())
  return { id, cookie, api: browser(cookie) }
}

const owners = new Map<string, Promise<Api>>()

/** A signed-in owner of the workspace, the same at every call: some changes are closed to API keys. */
export function ownerOf(api: Pick<Api, 'workspace'>): Promise<Api> {
  const { accountId } = api.workspace
  const owner = owners.get(accountId) ?? memberOf(api, 'OWNER').then((made) => made.api)
  owners.set(accountId, owner)
  return owner
}

const stamps = () => ({ createdAt: deps().clock.now(), updatedAt: deps().clock.now() })

export const sessionOf = async (accountId: AccountId, memberId: string, now: string) =>
  `kasir_session=${await inTx(deps().db, (tx) => startSession(tx, { accountId, memberId }, now))}`

/** A client that sends a header as it is given. */
export const withAuthorization = (authorization: string): Api => carrying(as(null), { authorization })

/** A client of an assistant's run that acts for a member. */
export async function delegateOf(
  { workspace }: Pick<Api, 'workspace'>,
  memberId: string,
  mode: DelegationRequest['mode'],
  run: string | null = 'run-1',
): Promise<{ api: Api; id: string; token: string }> {
  const { accountId } = workspace
  const minted = await mintDelegation(deps(), { accountId, memberId, mode, run }, deps().clock.now())
  return { api: withAuthorization(`Delegation ${minted.token}`), ...minted }
}

/** A scope as a request of this workspace would have it, for calling doors directly. */
export const scopeOf = ({ workspace: { accountId, keyId } }: Api, now = deps().clock.now()): Scope =>
  scopeFor(
    { accountId, actor: { kind: 'apiKey', id: keyId, name: 'till', role: 'OWNER', readOnly: false } },
    { defaultTier: 'business', requestId: newId('request'), address: null, now },
  )
