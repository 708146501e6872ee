import type { Browser, RememberedMember } from '../../../platform/auth/device.ts'
import type { SessionOrigin } from '../../../platform/auth/store.ts'
import type { Db } from '../../../platform/db/open.ts'
import type { Deps } from '../../../platform/deps.ts'
import { effectiveTierOf } from '../../../platform/plans.ts'
import { type AccountId, type Role, type Scope, scopeFor } from '../../../platform/scope.ts'
import { getSettings } from '../settings/index.ts'
import type { Who } from './schema.ts'

/** The request that someone signs in with: where it came from and when (RFC 3339 UTC). */
export type SignInRequest = {
  ip: string
  seen: SessionOrigin
  browser: Browser | null
  requestId: string
  now: string
}
/** A completed sign-in. `token` belongs in the cookie only. The browser is remembered for `member` from now on, unless the
 * member has no password to guess. */
export type SignedInVisit = {
  scope: Scope
  token: string
  who: Who
  member: RememberedMember | null
  /** How long the cookie lasts; a PIN session ends sooner than others. */
  lastsMs?: number
}
export type Person = { id: string; email: string; name: string; role: Role }

/** Work after the sign-in has committed: if it fails, the sign-in still succeeds. */
export async function afterSignIn({ log }: Pick<Deps, 'log'>, failure: string, work: () => Promise<unknown>) {
  try {
    await work()
  } catch (error) {
    log.warn({ err: error }, failure)
  }
}

/** The caller as the answers of this room show it; an API key is a user without an address. */
export async function toWho(
  db: Db,
  scope: Scope,
  person: Omit<Person, 'email'> & { email: string | null },
): Promise<Who> {
  const { businessName, businessType } = await getSettings(db, scope)
  const tier = await effectiveTierOf(db, scope)
  const { id, email, name, role } = person
  return {
    user: { id, email, name, role },
    account: { id: scope.accountId, businessName, businessType, effectiveTier: tier },
  }
}

/** The scope of a member before a session exists. */
export const scopeOf = (
  deps: Deps,
  accountId: AccountId,
  { id, name, role }: Omit<Person, 'email'>,
  { requestId, ip, now }: Pick<SignInRequest, 'requestId' | 'ip' | 'now'>,
): Scope =>
  scopeFor(
    { accountId, actor: { kind: 'member', id, name, role, readOnly: false } },
    { defaultTier: deps.config.defaultTier, requestId, address: ip, now },
  )
