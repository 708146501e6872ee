import { mintDelegation, type Order } from '../../src/platform/auth/delegation.ts'
import { type Api, as, deps, type Options } from './api.ts'

/** A client that sends a header as it is given. */
export function withAuthorization(authorization: string): Api {
  const api = as(null)
  const carried = (options: Options = {}): Options => ({
    ...options,
    headers: { authorization, ...options.headers },
  })
  return {
    ...api,
    get: (path, options) => api.get(path, carried(options)),
    post: (path, body, options) => api.post(path, body, carried(options)),
    put: (path, body, options) => api.put(path, body, carried(options)),
    patch: (path, body, options) => api.patch(path, body, carried(options)),
    delete: (path, options) => api.delete(path, carried(options)),
    raw: (method, path, body, headers) => api.raw(method, path, body, { authorization, ...headers }),
  }
}

/** A client of an assistant's run that acts for a member. */
export async function delegateOf(
  { workspace }: Pick<Api, 'workspace'>,
  memberId: string,
  mode: Order['mode'],
  run: string | null = 'run-1',
): Promise<{ api: Api; id: string; token: string }> {
  const { accountId } = workspace
  const minted = await mintDelegation(deps(), { accountId, memberId, mode, run }, deps().clock.now())
  return { api: withAuthorization(`Delegation ${minted.token}`), ...minted }
}
