import type { FastifyInstance } from 'fastify'
import { API_PREFIX } from '../platform/http/route.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH'
type Credential = { authorization: string } | { cookie: string } | Record<string, never>

/** A member at the till: calls routes as over the network, but in process. Throws RefusedCall. */
export type DemoClient = {
  get<T>(path: string): Promise<T>
  post<T>(path: string, body?: object): Promise<T>
  put<T>(path: string, body: object): Promise<T>
  patch<T>(path: string, body: object): Promise<T>
}

const AUTH_REQUIRED = 401

/** The error of an unexpected response; `param` is the field that caused it. */
export class RefusedCall extends Error {
  readonly status: number
  readonly param: string | undefined

  constructor(call: string, status: number, { message, param }: { message: string; param?: string }) {
    super(`${call} answered ${status}: ${message}${param === undefined ? '' : ` (${param})`}`)
    this.name = 'RefusedCall'
    this.status = status
    this.param = param
  }
}

/** Calls with a credential; `renew` gets a new one when it has expired, as a till signs in again. */
export function callerOf(
  app: FastifyInstance,
  credential: Credential,
  renew?: () => Promise<Credential>,
): DemoClient {
  let headers = credential
  const send = (method: Method, path: string, body?: object) =>
    app.inject({
      method,
      url: `${API_PREFIX}${path}`,
      headers,
      ...(body === undefined ? {} : { payload: body }),
    })
  const call = async <T>(method: Method, path: string, body?: object): Promise<T> => {
    let reply = await send(method, path, body)
    if (reply.statusCode === AUTH_REQUIRED && renew) {
      headers = await renew()
      reply = await send(method, path, body)
    }
    const { data, error } = reply.json<{ data: T; error: { message: string; param?: string } | null }>()
    if (error === null) return data
    throw new RefusedCall(`${method} ${path}`, reply.statusCode, error)
  }
  return {
    get: (path) => call('GET', path),
    post: (path, body = {}) => call('POST', path, body),
    put: (path, body) => call('PUT', path, body),
    patch: (path, body) => call('PATCH', path, body),
  }
}

/** Signs in, or up, and returns a client that sends the session cookie it received. */
export async function signedIn(
  app: FastifyInstance,
  path: '/auth/login' | '/auth/signup',
  { email, password, ...more }: { email: string; password: string; [field: string]: string },
): Promise<DemoClient> {
  const enter = async (door: string, body: object): Promise<Credential> => {
    const reply = await app.inject({ method: 'POST', url: `${API_PREFIX}${door}`, payload: body })
    const [cookie] = reply.cookies
    if (cookie !== undefined) return { cookie: `${cookie.name}=${cookie.value}` }
    const { error } = reply.json<{ error: { message: string } | null }>()
    throw new Error(`${door} answered ${reply.statusCode}: ${error?.message ?? 'no session'}`)
  }
  const login = { email, password }
  return callerOf(app, await enter(path, { ...login, ...more }), () => enter('/auth/login', login))
}
