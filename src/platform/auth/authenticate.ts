import type { FastifyRequest } from 'fastify'
import { authRequired, forbidden } from '../../core/errors.ts'
import type { Config } from '../config.ts'
import type { Deps } from '../deps.ts'
import { isUnsafe } from '../http/route.ts'
import type { AccountId, Actor } from '../scope.ts'
import { type Credential, credentialOf } from './credential.ts'
import { recallKey, rememberKey } from './remembered.ts'
import { findKey, findSession, isStale, touchKey, touchSession } from './store.ts'

export type Identity = {
  accountId: AccountId
  actor: Actor
  /** Recognised without a look at the database: whether the key still holds is for the handler's first read to see. */
  remembered?: boolean
}

/** What of a request names its caller; a stream keeps this much of it to ask again later. */
export type Caller = Pick<FastifyRequest, 'headers' | 'cookies' | 'method'> & {
  /** The credential, when somebody has read it off the request before. */
  credential?: Credential | null
  /** Told what became of the credential: who it belongs to, or null when it was refused. */
  onProved?: ((actorId: string | null) => void) | undefined
}

/**
 * Resolves the caller to one workspace, or throws 401 AUTH_REQUIRED. `remember` lets a key of the last minute pass as
 * `remembered`, for routes that look at the key themselves.
 */
export async function authenticate(
  deps: Deps,
  request: Caller,
  now: string,
  { remember = false }: { remember?: boolean | undefined } = {},
): Promise<Identity> {
  const credential =
    request.credential === undefined ? credentialOf(deps.config, request) : request.credential
  if (!credential) throw authRequired()
  const identity =
    credential.kind === 'apiKey'
      ? await byKey(deps, credential, now, remember)
      : await bySession(deps, credential, now)
  request.onProved?.(identity?.actor.id ?? null)
  if (!identity) throw authRequired()
  if (credential.kind === 'session') requireSameSite(deps.config, request)
  return identity
}

async function byKey(
  deps: Deps,
  { accountId, hash }: Credential,
  now: string,
  remember: boolean,
): Promise<Identity | null> {
  const known = remember ? recallKey(deps.db, hash, now) : undefined
  const key = known ?? (await findKey(deps.db, accountId, hash))
  if (!key) return null
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

async function bySession(
  deps: Deps,
  { accountId, secret }: Credential,
  now: string,
): Promise<Identity | null> {
  const session = await findSession(deps.db, accountId, secret, now)
  if (!session) return null
  if (isStale(session.lastSeenAt, now)) {
    touchSession(deps.db, accountId, session.id, now).catch((error: unknown) =>
      deps.log.warn({ err: error }, 'session use not recorded'),
    )
  }
  const { memberId, name, role } = session
  return { accountId, actor: { kind: 'member', id: memberId, name, role, readOnly: false } }
}

/** A browser must not be led by another site into writing (contract 19.6, 26.17); server-side calls send neither header. */
export function requireSameSite(config: Config, request: Pick<Caller, 'headers' | 'method'>) {
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
