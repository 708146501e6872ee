import type {} from '@fastify/cookie'
import type { FastifyRequest } from 'fastify'
import { ApiError, forbidden } from '../../core/errors.ts'
import type { Config } from '../config.ts'
import type { Deps } from '../deps.ts'
import { isUnsafe } from '../http/route.ts'
import type { AccountId, Actor } from '../scope.ts'
import { cookieName } from './session.ts'
import { findKey, findSession, isStale, touchKey, touchSession } from './store.ts'
import { accountOfKey, accountOfSession, KEY_PREFIX } from './tokens.ts'

export type Identity = { accountId: AccountId; actor: Actor }

const required = () => new ApiError('AUTH_REQUIRED', 'Sign in or send a valid API key')

/** What of a request names its caller; a stream keeps this much of it to ask again later. */
export type Caller = Pick<FastifyRequest, 'headers' | 'cookies' | 'method'>

/**
 * Resolves the caller to one workspace, or throws 401 AUTH_REQUIRED. An Authorization header alone decides when it is
 * sent; the cookie counts only without it (contract 19.8).
 */
export async function authenticate(deps: Deps, request: Caller, now: string): Promise<Identity> {
  const header = request.headers.authorization
  if (header !== undefined) return byHeader(deps, header, now)
  const token = request.cookies[cookieName(deps.config)]
  if (token === undefined) throw required()
  const identity = await bySession(deps, token, now)
  refuseCrossSite(deps.config, request)
  return identity
}

async function byHeader(deps: Deps, header: string, now: string): Promise<Identity> {
  const [, scheme = '', credential = ''] = /^(\S+) +(\S+)$/.exec(header) ?? []
  if (scheme.toLowerCase() !== 'bearer' || !credential.startsWith(KEY_PREFIX)) throw required()
  const accountId = accountOfKey(credential)
  const key = accountId && (await findKey(deps.db, accountId, credential))
  if (!accountId || !key) throw required()
  if (isStale(key.lastUsedAt, now)) {
    // Outside the request: a till does not wait for bookkeeping, and a failure here refuses nobody.
    touchKey(deps.db, accountId, key.id, now).catch((error: unknown) =>
      deps.log.warn({ err: error }, 'key use not recorded'),
    )
  }
  return {
    accountId,
    actor: { kind: 'apiKey', id: key.id, name: key.name, role: 'OWNER', readOnly: key.readOnly },
  }
}

async function bySession(deps: Deps, token: string, now: string): Promise<Identity> {
  const accountId = accountOfSession(token)
  const session = accountId && (await findSession(deps.db, accountId, token, now))
  if (!accountId || !session) throw required()
  if (isStale(session.lastSeenAt, now)) {
    touchSession(deps.db, accountId, session.id, now).catch((error: unknown) =>
      deps.log.warn({ err: error }, 'session use not recorded'),
    )
  }
  const { memberId, name, role } = session
  return { accountId, actor: { kind: 'member', id: memberId, name, role, readOnly: false } }
}

/** A browser must not be led by another site into writing (contract 19.6, 26.17); server-side calls send neither header. */
export function refuseCrossSite(config: Config, request: Pick<Caller, 'headers' | 'method'>) {
  if (!isUnsafe(request.method)) return
  const { origin } = request.headers
  if (origin !== undefined && config.corsOrigins.includes(origin)) return
  const own = origin === undefined || isOwnOrigin(config, origin, request.headers.host)
  if (!own || request.headers['sec-fetch-site'] === 'cross-site') {
    throw forbidden('This request came from another site')
  }
}

/** PUBLIC_URL is our own address too, for proxies that rewrite Host; once it is https, plain http is another site. */
function isOwnOrigin({ publicUrl }: Config, origin: string, host: string | undefined): boolean {
  if (!URL.canParse(origin)) return false
  const { host: from, protocol, origin: whole } = new URL(origin)
  if (publicUrl !== null && new URL(publicUrl).origin === whole) return true
  return from === host && (protocol === 'https:' || !publicUrl?.startsWith('https:'))
}
