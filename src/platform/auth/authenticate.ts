import type { FastifyRequest } from 'fastify'
import { approvalsFrom } from '../../core/approvals.ts'
import { ApiError, authRequired, forbidden } from '../../core/errors.ts'
import { addressIn } from '../../core/links.ts'
import { isUnsafe } from '../../core/methods.ts'
import { networkOf } from '../../core/network.ts'
import type { Config } from '../config/config.ts'
import type { Deps } from '../deps.ts'
import type { AccountId, ActsFor, Delegate } from '../scope.ts'
import { type Credential, type CredentialKind, credentialOf } from './credential.ts'
import type { Claims } from './jwt.ts'
import { recallKey, rememberKey } from './remembered.ts'
import { toSessionOrigin } from './session.ts'
import { findKey, findMember, findSession } from './statements.ts'
import { isStale, touchKey, touchSession } from './store.ts'
import { touchTill } from './store-tills.ts'
import { tillOf } from './till.ts'

export type Identity = ActsFor & {
  credential: CredentialKind
  /**
   * Recognised from the cache: the handler's first read checks whether the key is still valid. Its role may be a
   * minute old.
   */
  remembered?: boolean
  /** The workspace requires a second factor of this member, whose session began without one. */
  lacksFactor?: boolean
}

/** The parts of a request that identify its caller; a stream keeps them to authenticate again later. */
export type AuthenticableRequest = Pick<FastifyRequest, 'headers' | 'cookies' | 'method'> & {
  ip?: string
  /** The credential, if it was already read from the request. */
  credential?: Credential | null
  /** Called with the id of the credential's owner, or null if the credential was rejected. */
  onProved?: ((actorId: string | null) => void) | undefined
}

/** Runs a database lookup, after waiting for a connection if necessary. */
type Look = <T>(look: () => Promise<T>) => Promise<T>
type Options = {
  /** Accepts a key cached within the last minute as `remembered`, for routes that check the key themselves. */
  remember?: boolean
  within?: Look
}

/**
 * Resolves the caller to one workspace. Throws 401 AUTH_REQUIRED without a valid credential, 503 while credentials
 * cannot be checked, and 429 if too many checks are queued.
 */
export async function authenticate(
  deps: Deps,
  request: AuthenticableRequest,
  now: string,
  { remember = false, within = (look) => look() }: Options = {},
): Promise<Identity> {
  const credential =
    request.credential === undefined ? credentialOf(deps.config, request) : request.credential
  if (!credential) throw authRequired()
  const identity = await identityOf(deps, credential, { caller: request, now, options: { remember, within } })
  request.onProved?.(identity?.actor.id ?? null)
  if (!identity) throw authRequired()
  if (credential.kind === 'session') requireSameSite(deps.config, request)
  return identity
}

async function identityOf(
  deps: Deps,
  credential: Credential,
  {
    caller,
    now,
    options: { remember, within },
  }: { caller: AuthenticableRequest; now: string; options: Required<Options> },
): Promise<Identity | null> {
  if (credential.kind === 'apiKey') return within(() => authenticateKey(deps, credential, now, remember))
  if (credential.kind === 'session') return within(() => authenticateSession(deps, credential, caller, now))
  // The signature is checked first, without a database connection: a forged token causes no query.
  const shown = { ...credential, network: networkOf(caller.ip ?? '') }
  if (credential.kind === 'jwt') {
    const claims = await deps.tokens.jwt(shown, now)
    return claims && within(() => authenticateClaims(deps, claims))
  }
  const claims = await deps.tokens.delegation(shown, now)
  const member = claims && (await within(() => authenticateClaims(deps, claims)))
  return member && toDelegate(member, claims.delegate)
}

const toDelegate = (member: Identity, delegation: Delegate): Identity => ({
  ...member,
  credential: 'delegation',
  actor: { ...member.actor, delegation },
})

type StoredCredential = Extract<Credential, { accountId: AccountId }>

async function authenticateKey(
  deps: Deps,
  { accountId, hash }: StoredCredential,
  now: string,
  remember: boolean,
): Promise<Identity | null> {
  const known = remember ? recallKey(deps.db, hash, now) : undefined
  const key = known ?? (await findKey(deps.db, accountId, hash))
  if (!key) return null
  if (!known) rememberKey(deps.db, hash, key, now)
  if (!known && isStale(key.lastUsedAt, now)) {
    // Not awaited: a till does not wait for bookkeeping, and a failure here rejects no request.
    touchKey(deps.db, accountId, key.id, now).catch((error: unknown) =>
      deps.log.warn({ err: error }, 'key use not recorded'),
    )
  }
  return {
    accountId,
    credential: 'apiKey',
    actor: { kind: 'apiKey', id: key.id, name: key.name, role: key.role, readOnly: key.readOnly },
    remembered: known !== undefined,
  }
}

async function authenticateSession(
  deps: Deps,
  { accountId, secret }: StoredCredential,
  caller: AuthenticableRequest,
  now: string,
): Promise<Identity | null> {
  const session = await findSession(deps.db, accountId, { token: secret, till: tillOf(deps, caller), now })
  if (!session) return null
  if (isStale(session.lastSeenAt, now)) {
    const touched = touchSession(deps.db, accountId, { id: session.id, now, seen: toSessionOrigin(caller) })
    const recorded = session.tillId === null ? touched : touchTill(deps.db, accountId, session.tillId, now)
    Promise.all([touched, recorded]).catch((error: unknown) =>
      deps.log.warn({ err: error }, 'session use not recorded'),
    )
  }
  const { memberId, name, role, approvals, tillId, lacksFactor, createdAt } = session
  return {
    accountId,
    credential: 'session',
    actor: {
      kind: 'member',
      id: memberId,
      name,
      role,
      readOnly: false,
      // A PIN proves less than the sign-in that recent proofs rely on (B-secret-5).
      ...(tillId === null ? { signedInAt: createdAt } : { pinAt: tillId }),
      ...(approvals === null ? {} : { approvals: approvalsFrom(approvals) }),
    },
    lacksFactor,
  }
}

/** Reads the current member: a removed member's token is rejected, and a new role applies immediately. */
async function authenticateClaims(
  { db }: Deps,
  { accountId, memberId, signedInAt }: Claims,
): Promise<Identity | null> {
  const member = await findMember(db, accountId, memberId)
  if (!member) return null
  const since = signedInAt === undefined ? {} : { signedInAt }
  const { approvals, ...who } = member
  const asked = approvals === null ? {} : { approvals: approvalsFrom(approvals) }
  return {
    accountId,
    credential: 'jwt',
    actor: { kind: 'member', ...who, readOnly: false, ...since, ...asked },
  }
}

/**
 * Throws 403, on every route that needs a credential, if the session lacks the required second factor (B-factor-6).
 */
export function requireFactor({ lacksFactor }: Identity) {
  if (!lacksFactor) return
  throw new ApiError(
    'SECOND_FACTOR_NOT_SET_UP',
    'This workspace requires a second factor of owners and managers; set one up first',
  )
}

/** Blocks cross-site request forgery (B-request-10); server-side callers send neither Origin nor Sec-Fetch-Site. */
export function requireSameSite(config: Config, request: Pick<AuthenticableRequest, 'headers' | 'method'>) {
  if (!isUnsafe(request.method)) return
  const { origin } = request.headers
  if (origin !== undefined && config.corsOrigins.includes(origin)) return
  const own = origin === undefined || isOwnOrigin(config, origin, request.headers.host)
  if (!own || request.headers['sec-fetch-site'] === 'cross-site') {
    throw forbidden('This request came from another site')
  }
}

/** PUBLIC_URL is also our own origin, for proxies that rewrite Host. If it is HTTPS, plain HTTP is another site. */
function isOwnOrigin({ publicUrl }: Config, origin: string, host: string | undefined): boolean {
  const sender = addressIn(origin)
  if (sender === null) return false
  const { host: from, protocol, origin: whole } = sender
  if (publicUrl !== null && new URL(publicUrl).origin === whole) return true
  return from === host && (protocol === 'https:' || !publicUrl?.startsWith('https:'))
}
