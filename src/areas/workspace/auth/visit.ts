import type { Browser, Known } from '../../../platform/auth/device.ts'
import type { Seen } from '../../../platform/auth/store.ts'
import type { Db } from '../../../platform/db/open.ts'
import type { Deps } from '../../../platform/deps.ts'
import { effectiveTierOf } from '../../../platform/plans.ts'
import { type AccountId, type Role, type Scope, scopeFor } from '../../../platform/scope.ts'
import { getSettings } from '../settings/index.ts'
import type { Who } from './schema.ts'

/** The request that someone signs in with: where it came from and when (RFC 3339 UTC). */
export type Visit = { ip: string; seen: Seen; browser: Browser | null; requestId: string; now: string }
/** Somebody is in: `token` belongs into the cookie and nowhere else, and the browser is known to `member` from here,
 * unless they have no password to guess. */
export type Entered = { scope: Scope; token: string; who: Who; member: Known | null }
export type Person = { id: string; email: string; name: string; role: Role }

/** What is done for somebody whose entry was committed: they are told that they are in even where it fails. */
export async function onceIn({ log }: Pick<Deps, 'log'>, failure: string, work: () => Promise<unknown>) {
  try {
    await work()
  } catch (error) {
    log.warn({ err: error }, failure)
  }
}

/** Somebody as the answers of this room show them; an API key is a user without an address. */
export async function whoIs(
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

/** What a member may see from the moment they are in. */
export const scopeOf = (
  deps: Deps,
  accountId: AccountId,
  { id, name, role }: Omit<Person, 'email'>,
  { requestId, ip, now }: Pick<Visit, 'requestId' | 'ip' | 'now'>,
): Scope =>
  scopeFor(
    { accountId, actor: { kind: 'member', id, name, role, readOnly: false } },
    { defaultTier: deps.config.defaultTier, requestId, address: ip, now },
  )
