import { newId } from '../../src/core/ids.ts'
import { startSession } from '../../src/platform/auth/session.ts'
import { inTx } from '../../src/platform/db/open.ts'
import type { AccountId, Role } from '../../src/platform/scope.ts'
import { type Answer, type Api, as, deps, type Options } from './api.ts'

/** The session cookie of an answer as a browser sends it back; undefined when none was set. */
export const cookieOf = (answer: Answer): string | undefined =>
  answer.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0] ?? '')
    .find((pair) => /^(__Host-)?kasir_session=.+/.test(pair))

/** A client that carries a session cookie, as the dashboard's server does: no Origin, no Sec-Fetch-Site. */
export function browser(cookie: string | undefined): Api {
  const api = as(null)
  const carried = (options: Options = {}): Options => ({
    ...options,
    headers: { ...(cookie === undefined ? {} : { cookie }), ...options.headers },
  })
  return {
    ...api,
    get: (path, options) => api.get(path, carried(options)),
    post: (path, body, options) => api.post(path, body, carried(options)),
    put: (path, body, options) => api.put(path, body, carried(options)),
    patch: (path, body, options) => api.patch(path, body, carried(options)),
    delete: (path, options) => api.delete(path, carried(options)),
    raw: (method, path, body, headers) =>
      api.raw(method, path, body, { ...(cookie === undefined ? {} : { cookie }), ...headers }),
  }
}

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

const stamps = () => ({ createdAt: deps().clock.now(), updatedAt: deps().clock.now() })

export const sessionOf = async (accountId: AccountId, memberId: string, now: string) =>
  `kasir_session=${await inTx(deps().db, (tx) => startSession(tx, { accountId, memberId }, now))}`
