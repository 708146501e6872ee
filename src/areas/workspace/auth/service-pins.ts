import { forbidden } from '../../../core/errors.ts'
import { isRecentSignIn } from '../../../platform/auth/person.ts'
import { changedPinError, checkPin, forgivePin, hashPin } from '../../../platform/auth/pins.ts'
import type { SignedIn } from '../../../platform/auth/session.ts'
import { findMember } from '../../../platform/auth/statements.ts'
import { holdPin } from '../../../platform/auth/statements-tills.ts'
import { holdTill, noteUse } from '../../../platform/auth/store-tills.ts'
import { counted } from '../../../platform/auth/throttle.ts'
import { notATill } from '../../../platform/auth/till.ts'
import { inTx } from '../../../platform/db/open.ts'
import type { Deps } from '../../../platform/deps.ts'
import { publishBoards, recordCatalogueChanges } from '../../../platform/events/catalogue-changes.ts'
import { emitUnproven } from '../../../platform/events/outbox.ts'
import type { TillRef } from '../../../platform/scope.ts'
import {
  findHash,
  getMember,
  lockSigner,
  lockWorkspace,
  proveSelf,
  changePin as storeChange,
  wrongPasswordError,
} from '../members/index.ts'
import { signInFailed } from './events.ts'
import type { PinChange, PinSignIn } from './schema.ts'
import { openSession } from './service-sessions.ts'
import { afterSignIn, type SignedInVisit, type SignInRequest, scopeOf, toWho } from './visit.ts'

/** A shift (B-pin-3). */
const PIN_SESSION_MS = 12 * 3_600_000

/**
 * Signs a member in at an enrolled till (B-pin-3): 403 elsewhere, 401 for a wrong PIN, 429 after five. The second factor
 * of a member counts as shown, because the till is a thing that a manager has admitted.
 */
export async function signInWithPin(
  deps: Deps,
  { memberId, pin }: PinSignIn,
  till: TillRef | null,
  visit: SignInRequest,
): Promise<SignedInVisit> {
  if (!till) throw notATill()
  const { accountId, id: tillId } = till
  const onWrong = () => logWrongPin(deps, till, memberId, visit)
  const pinHash = await checkPin(deps, till, { memberId, pin, now: visit.now }, { onWrong })
  const signedIn = await inTx(deps.db, async (tx): Promise<SignedInVisit> => {
    const member = await holdPin(tx, accountId, memberId, pinHash)
    if (!member) throw changedPinError()
    if (!(await holdTill(tx, till, visit.now))) throw notATill()
    const scope = scopeOf(deps, accountId, member, visit)
    const { secondFactor } = member
    const atTill = { tillId, lastsMs: PIN_SESSION_MS }
    const token = await openSession(tx, scope, { visit, by: 'PIN', secondFactor, atTill })
    await noteUse(tx, till, memberId, visit.now)
    return { scope, token, who: await toWho(tx, scope, member), member: null, lastsMs: PIN_SESSION_MS }
  })
  await afterSignIn(deps, 'wrong PINs were not forgiven', () => forgivePin(deps.db, till, memberId))
  return signedIn
}

async function logWrongPin(deps: Deps, { accountId }: TillRef, memberId: string, visit: SignInRequest) {
  const member = await findMember(deps.db, accountId, memberId)
  if (!member) return
  const scope = scopeOf(deps, accountId, member, visit)
  await inTx(deps.db, (tx) => emitUnproven(tx, scope, signInFailed, memberId, { memberId }))
}

/** A taken PIN is 409, so a member who could try one after the other would find those of managers (B-pin-2). */
const CHANGES = { max: 5, what: 'changes of your PIN' }

/**
 * Sets or removes the PIN of the signed-in member (B-pin-4), who proves themselves by the current password; one who has
 * none, by a sign-in of the last 15 minutes.
 */
export async function changeOwnPin(
  deps: Deps,
  who: SignedIn,
  { pin, currentPassword }: PinChange,
  visit: SignInRequest,
) {
  const { accountId, member: signer } = who
  const scope = scopeOf(deps, accountId, signer, visit)
  const proven = await provenHash(deps, who, currentPassword, visit)
  await counted(deps.db, [`pin change ${signer.id}`], visit.now, CHANGES)
  const hashed = pin === null ? null : await hashPin(deps, accountId, pin, visit.now)
  await inTx(deps.db, async (tx) => {
    await lockWorkspace(tx, scope)
    const current = await lockSigner(tx, accountId, signer.id)
    // A concurrent request may have changed the password since the check, which is then no proof any more.
    if (!current || current.passwordHash !== proven) throw wrongPasswordError()
    const member = await getMember(tx, scope, signer.id)
    await storeChange(deps, tx, scope, { member, pin: hashed })
    await recordCatalogueChanges(tx, scope)
  })
  publishBoards(deps, scope)
  return { hasPin: pin !== null }
}

async function provenHash(
  deps: Deps,
  who: SignedIn,
  currentPassword: string | undefined,
  visit: SignInRequest,
) {
  const scope = scopeOf(deps, who.accountId, who.member, visit)
  if ((await findHash(deps.db, scope, who.member.id)) !== null) return proveSelf(deps, scope, currentPassword)
  if (who.pinAt === undefined && isRecentSignIn(who.since, visit.now)) return null
  throw forbidden('Sign in again first: you have no password to prove yourself with')
}
