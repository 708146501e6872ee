import type { FastifyRequest } from 'fastify'
import { ApiError, authRequired, forbidden } from '../../core/errors.ts'
import { addressIn } from '../../core/links.ts'
import { networkOf } from '../../core/network.ts'
import type { Config } from '../config.ts'
import type { Deps } from '../deps.ts'
import { isUnsafe } from '../http/route.ts'
import type { AccountId, ActsFor, Delegate } from '../scope.ts'
import { type Credential, type CredentialKind, credentialOf } from './credential.ts'
import type { Claims } from './jwt.ts'
import { recallKey, rememberKey } from './remembered.ts'
import { seenOf } from './session.ts'
import { findKey, findMember, findSession } from './statements.ts'
import { isStale, touchKey, touchSession } from './store.ts'

export type Identity = ActsFor & {
  credential: CredentialKind
  /** Recognised without a look at the database: the handler's first read finds out whether the key is still valid. */
  remembered?: boolean
  /** The workspace requires a second factor of this member, whose session began without one. */
  lacksFactor?: boolean
}

/** What of a request names its caller; a stream keeps this much of it to ask again later. */
export type Caller = Pick<FastifyRequest, 'headers' | 'cookies' | 'method'> & {
  ip?: string
  /** The credential, when somebody has read it off the request before. */
  credential?: Credential | null
  /** Called with what became of the credential: who it belongs to, or null when it was refused. */
  onProved?: ((actorId: string | null) => void) | undefined
}

/** Runs a look at the database; the wait for a connection, if any, is here. */
type Look = <T>(look: () => Promise<T>) => Promise<T>
type Options = {
  /** Lets a key of the last minute pass as `remembered`, for routes that look at the key themselves. */
  remember?: boolean
  within?: Look
}

/**
 * Resolves the caller to one workspace, or throws 401 AUTH_REQUIRED; 503 while it cannot be known whether the
 * credential is good, 429 when too many wait for that.
 */
export async function authenticate(
  deps: Deps,
  request: Caller,
  now: string,
  { remember = false, within = (look) => look() }: Options = {},
): Promise<Identity> {
  const credential =
    request.credential === undefined ? credentialOf(deps.config, request) : request.credential
  if (!credential) throw authRequired()
  const identity = await identityOf(deps, credential, request, now, { remember, within })
  request.onProved?.(identity?.actor.id ?? null)
  if (!identity) throw authRequired()
  if (credential.kind === 'session') requireSameSite(deps.config, request)
  return identity
}

async function identityOf(
  deps: Deps,
  credential: Credential,
  caller: Caller,
  now: string,
  { remember, within }: Required<Options>,
): Promise<Identity | null> {
  if (credential.kind === 'apiKey') return within(() => byKey(deps, credential, now, remember))
  if (credential.kind === 'session') return within(() => bySession(deps, credential, caller, now))
  // The signature first, and outside of any line for the database: an invented token asks it nothing.
  const shown = { ...credential, network: networkOf(caller.ip ?? '') }
  if (credential.kind === 'jwt') {
    const claims = await deps.tokens.jwt(shown, now)
    return claims && within(() => byClaims(deps, claims))
  }
  const claims = await deps.tokens.delegation(shown, now)
  const member = claims && (await within(() => byClaims(deps, claims)))
  return member && asDelegate(member, claims.delegate)
}

const asDelegate = (member: Identity, delegation: Delegate): Identity => ({
  ...member,
  credential: 'delegation',
  actor: { ...member.actor, delegation },
})

type Stored = Extract<Credential, { accountId: AccountId }>

async function byKey(
  deps: Deps,
  { accountId, hash }: Stored,
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
    credential: 'apiKey',
    actor: { kind: 'apiKey', id: key.id, name: key.name, role: 'OWNER', readOnly: key.readOnly },
    remembered: known !== undefined,
  }
}

async function bySession(
  deps: Deps,
  { accountId, secret }: Stored,
  caller: Caller,
  now: string,
): Promise<Identity | null> {
  const session = await findSession(deps.db, accountId, secret, now)
  if (!session) return null
  if (isStale(session.lastSeenAt, now)) {
    touchSession(deps.db, accountId, session.id, now, seenOf(caller)).catch((error: unknown) =>
      deps.log.warn({ err: error }, 'session use not recorded'),
    )
  }
  const { memberId, name, role } = session
  return {
    accountId,
    credential: 'session',
    actor: { kind: 'member', id: memberId, name, role, readOnly: false },
    lacksFactor: session.lacksFactor,
  }
}

/** The member as of now: one who was removed since the token was issued is out, and a new role counts at once. */
async function byClaims({ db }: Deps, { accountId, memberId }: Claims): Promise<Identity | null> {
  const member = await findMember(db, accountId, memberId)
  return member && { accountId, credential: 'jwt', actor: { kind: 'member', ...member, readOnly: false } }
}

/** 403 for a session that lacks the second factor its workspace requires, wherever a credential is asked for (B-factor-6). */
export function requireFactor({ lacksFactor }: Identity) {
  if (!lacksFactor) return
  throw new ApiError(
    'SECOND_FACTOR_NOT_SET_UP',
    'This workspace requires a second factor of owners and managers; set one up first',
  )
}

/** A browser must not be led by another site into writing (B-request-10); server-side calls send neither header. */
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
  const sender = addressIn(origin)
  if (sender === null) return false
  const { host: from, protocol, origin: whole } = sender
  if (publicUrl !== null && new URL(publicUrl).origin === whole) return true
  return from === host && (protocol === 'https:' || !publicUrl?.startsWith('https:'))
}
