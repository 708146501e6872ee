import type {} from '@fastify/cookie'
import type { FastifyRequest } from 'fastify'
import { authRequired, forbidden } from '../../core/errors.ts'
import type { Config } from '../config.ts'
import type { Deps } from '../deps.ts'
import { isUnsafe } from '../http/route.ts'
import type { AccountId, Actor } from '../scope.ts'
import { sha256 } from '../secrets.ts'
import { recallKey, rememberKey } from './remembered.ts'
import { cookieName } from './session.ts'
import { findKey, findSession, isStale, touchKey, touchSession } from './store.ts'
import { accountOfKey, accountOfSession, KEY_PREFIX } from './tokens.ts'

export type Identity = {
  accountId: AccountId
  actor: Actor
  /** Recognised without a look at the database: whether the key still holds is for the handler's first read to see. */
  remembered?: boolean
}

/** What of a request names its caller; a stream keeps this much of it to ask again later. */
export type Caller = Pick<FastifyRequest, 'headers' | 'cookies' | 'method'>

/**
 * Resolves the caller to one workspace, or throws 401 AUTH_REQUIRED. An Authorization header alone decides when it is
 * sent; the cookie counts only without it (contract 19.8). `remember` lets a key of the last minute pass as
 * `remembered`, for routes that look at the key themselves.
 */
export async function authenticate(
  deps: Deps,
  request: Caller,
  now: string,
  { remember = false }: { remember?: boolean | undefined } = {},
): Promise<Identity> {
  const header = request.headers.authorization
  if (header !== undefined) return byHeader(deps, header, now, remember)
  const token = request.cookies[cookieName(deps.config)]
  if (token === undefined) throw authRequired()
  const identity = await bySession(deps, token, now)
  refuseCrossSite(deps.config, request)
  return identity
}

async function byHeader(deps: Deps, header: string, now: string, remember: boolean): Promise<Identity> {
  const [, scheme = '', credential = ''] = /^(\S+) +(\S+)$/.exec(header) ?? []
  if (scheme.toLowerCase() !== 'bearer' || !credential.startsWith(KEY_PREFIX)) throw authRequired()
  const accountId = accountOfKey(credential)
  if (!accountId) throw authRequired()
  const hash = sha256(credential)
  const known = remember ? recallKey(deps.db, hash, now) : undefined
  const key = known ?? (await findKey(deps.db, accountId, hash))
  if (!key) throw authRequired()
  if (!known) rememberKey(deps.db, hash, key, now)
  if (!known && isStale(key.lastUsedAt, now)) {
    // Outside the request: a till does not wait for bookkeeping, and a failure here refuses nobody.
    touchKey(deps.db, accountId, key.id, now).catch((error: unknown) =>
      deps.log.warn({ err: error }, 'key use not recorded'),
    )
  }
  return {
    accountId,
    actor: { kind: 'apiKey', id: key.id, name: key.name, role: 'OWNER', readOnly: key.readOnly },
    remembered: known !== undefined,
  }
}

async function bySession(deps: Deps, token: string, now: string): Promise<Identity> {
  const accountId = accountOfSession(token)
  const session = accountId && (await findSession(deps.db, accountId, token, now))
  if (!accountId || !session) throw authRequired()
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
