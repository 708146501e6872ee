import type { Deps } from '../../src/platform/deps.ts'
import type { AccountId } from '../../src/platform/scope.ts'
import { departures } from './document.ts'

/** What a test reads of an answer. `data` is untyped on purpose: the test states what it expects. */
// oxlint-disable-next-line typescript/no-explicit-any -- answers are asserted, not typed
export type Answer = { status: number; data: any; error: any; meta: any; headers: Headers; text: string }
export type Options = { headers?: Record<string, string>; idempotencyKey?: string }
export type Api = {
  get(path: string, options?: Options): Promise<Answer>
  post(path: string, body?: unknown, options?: Options): Promise<Answer>
  put(path: string, body?: unknown, options?: Options): Promise<Answer>
  patch(path: string, body?: unknown, options?: Options): Promise<Answer>
  delete(path: string, options?: Options): Promise<Answer>
  /** Sends any bytes as the body. */
  raw(
    method: string,
    path: string,
    body: string | Buffer | undefined,
    headers: Record<string, string>,
  ): Promise<Answer>
  /** Types of the events of this workspace, in the order they were written. */
  events(): Promise<string[]>
  workspace: Workspace
}

export type Workspace = { accountId: AccountId; key: string; keyId: string }
/** A client of the service at an address; every answer is held against the document. */
export function clientOf({ db }: Pick<Deps, 'db'>, address: string, workspace: Workspace): Api {
  const send = async (
    method: string,
    path: string,
    body: string | Buffer | undefined,
    headers: Record<string, string>,
  ): Promise<Answer> => {
    const url = path.startsWith('http:')
      ? path
      : path.startsWith('/api/') || path.startsWith('/docs')
        ? `${address}${path}`
        : `${address}/api/v1${path}`
    const authorization = workspace.key === '' ? {} : { authorization: `Bearer ${workspace.key}` }
    const response = await fetch(url, {
      method,
      headers: { ...authorization, ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) }),
      redirect: 'manual',
    })
    const text = await response.text()
    const { status, headers: sent } = response
    // A replay is what was answered then, by an older version too; the first answer was held to the document.
    const isReplay = sent.has('idempotent-replayed')
    const strange = isReplay
      ? []
      : departures({ method, path: new URL(url).pathname, status, headers: sent, text })
    if (strange.length > 0)
      throw new Error(`${method} ${path} is not what the document says: ${strange.join('; ')}`)
    const json = response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : {}
    return {
      status: response.status,
      data: json.data,
      error: json.error,
      meta: json.meta,
      headers: response.headers,
      text,
    }
  }
  const json = (
    method: string,
    path: string,
    body: unknown,
    { headers = {}, idempotencyKey }: Options = {},
  ) =>
    send(method, path, body === undefined ? undefined : JSON.stringify(body), {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      ...headers,
    })
  return {
    get: (path, options) => json('GET', path, undefined, options),
    post: (path, body, options) => json('POST', path, body, options),
    put: (path, body, options) => json('PUT', path, body, options),
    patch: (path, body, options) => json('PATCH', path, body, options),
    delete: (path, options) => json('DELETE', path, undefined, options),
    raw: send,
    events: async () => {
      const rows = await db
        .selectFrom('events')
        .select('type')
        .where('accountId', '=', workspace.accountId)
        .orderBy('id')
        .execute()
      return rows.map((row) => row.type)
    },
    workspace,
  }
}

/** The same client, with headers of its own in every request. */
export function carrying(api: Api, carried: Record<string, string>): Api {
  const withCarried = (options: Options = {}): Options => ({
    ...options,
    headers: { ...carried, ...options.headers },
  })
  return {
    ...api,
    get: (path, options) => api.get(path, withCarried(options)),
    post: (path, body, options) => api.post(path, body, withCarried(options)),
    put: (path, body, options) => api.put(path, body, withCarried(options)),
    patch: (path, body, options) => api.patch(path, body, withCarried(options)),
    delete: (path, options) => api.delete(path, withCarried(options)),
    raw: (method, path, body, headers) => api.raw(method, path, body, { ...carried, ...headers }),
  }
}
