import { conflict, forbidden, invalid, notFound } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import { nameForMail } from '../../../core/mail-names.ts'
import { checkOfMember, hashForMember } from '../../../platform/auth/passwords.ts'
import { passwordSubject } from '../../../platform/auth/person.ts'
import { type HashedPin, hashPin } from '../../../platform/auth/pins.ts'
import { deleteSessionsOf } from '../../../platform/auth/store.ts'
import { deleteApprovalsBy } from '../../../platform/auth/store-tills.ts'
import { guarded } from '../../../platform/auth/throttle.ts'
import { newSessionToken } from '../../../platform/auth/tokens.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import type { Deps } from '../../../platform/deps.ts'
import { emit } from '../../../platform/events/outbox.ts'
import { findReplay, type IdempotencyKey, type Reply, runWrite } from '../../../platform/http/idempotency.ts'
import { API_PREFIX } from '../../../platform/http/route.ts'
import { requireUnderCap } from '../../../platform/limits.ts'
import { spendInvitation } from '../../../platform/mail/budget.ts'
import { publicAddress, sendMail } from '../../../platform/mail/mail.ts'
import { type Role, type Scope, touchAccess, touchCatalogue } from '../../../platform/scope.ts'
import { sha256 } from '../../../platform/secrets/secrets.ts'
import { applyRoleChange, leaveKeys } from '../api-keys/index.ts'
import { notifyAddressChanged, notifyPasswordChanged } from '../notices/index.ts'
import { getSettings } from '../settings/index.ts'
import { memberAdded, memberChanged, memberRemoved, passwordChanged, TOLD } from './events.ts'
import { changePin } from './pins.ts'
import { emailKey, INVITATION_DAYS, invitationEnd } from './rules.ts'
import type { Member, MemberChange, MemberIn, MemberPatch } from './schema.ts'
import * as store from './store.ts'

export const emailTaken = () =>
  conflict('Another member already uses this e-mail address; choose another one')

export async function getMember(db: Db, scope: Scope, id: string, param?: string): Promise<Member> {
  const member = await store.find(db, scope, id)
  if (!member) throw notFound('member', param)
  return member
}

/**
 * Adds a member with a password, or invites the member by mail with a one-time link (B-member-1). Throws 409 if the
 * address is taken, and 403 LIMIT_REACHED above the plan's cap of members.
 */
export const addMember = (deps: Deps, scope: Scope, body: MemberIn, idem: IdempotencyKey | null) =>
  written(deps, scope, {
    idem,
    status: 201,
    password: body.password,
    pin: undefined,
    writing: {
      look: async () => {
        if (body.password !== undefined && (await store.findByEmail(deps.db, body.email))) throw emailTaken()
      },
      write: async (tx, { passwordHash }) => ({
        member: await insertMember(deps, tx, scope, { input: body, passwordHash }),
      }),
    },
  })

/**
 * Changes a member. A new password ends all sessions of the member and an open invitation. A change of one's own
 * password or address needs the current password (B-member-3): 422 with `param` if it is missing or wrong, 429 after
 * 10 wrong ones in 15 minutes. Throws 403 if an API key changes a password or an address.
 */
export async function updateMember(
  deps: Deps,
  scope: Scope,
  { id, body, idem }: { id: string; body: MemberPatch; idem: IdempotencyKey | null },
): Promise<Reply> {
  let proven: string | null = null
  return written(deps, scope, {
    idem,
    status: 200,
    password: body.password,
    pin: body.pin,
    writing: {
      look: async () => {
        const before = await getMember(deps.db, scope, id)
        if (body.revokeKeys && (body.role ?? 'OWNER') === 'OWNER') {
          throw invalid(
            'revokeKeys',
            'Send revokeKeys with a role other than OWNER, or revoke the keys one by one',
          )
        }
        if (scope.actor.kind === 'apiKey' && changesSignIn(before, body)) {
          throw forbidden(
            'An API key cannot change the password or e-mail address of a member. A signed-in owner can do this',
          )
        }
        if (needsProof(scope, before, body)) proven = await proveSelf(deps, scope, body.currentPassword)
      },
      write: (tx, hashed) => changeMember(deps, tx, scope, { id, body, checked: { ...hashed, proven } }),
    },
  })
}

/** A person who finds a signed-in browser must not be able to take over the account. */
const needsProof = ({ actor }: Scope, member: Member, body: MemberPatch) =>
  actor.kind === 'member' && actor.id === member.id && changesSignIn(member, body)

const changesSignIn = ({ email }: Member, body: MemberPatch) =>
  body.password !== undefined || (body.email !== undefined && emailKey(body.email) !== emailKey(email))

export const wrongPasswordError = () => invalid('currentPassword', 'This is not your current password')

/**
 * Checks the caller's current password and returns the matching hash. Throws 422 if it is wrong, 429 after 10 wrong
 * ones in 15 minutes.
 */
export async function proveSelf(deps: Deps, scope: Scope, password: string | undefined): Promise<string> {
  if (password === undefined) {
    throw invalid('currentPassword', 'Send your current password to change your own password or address')
  }
  const { id } = scope.actor
  const stored = await store.findHash(deps.db, scope, id)
  const right = await guarded(deps.db, [passwordSubject(id)], scope.now, async () =>
    (await checkOfMember(scope.accountId, stored, password)) ? stored : null,
  )
  if (right === null) throw wrongPasswordError()
  return right
}

/** `pin` is undefined if none was sent, and null if it must be removed. */
type HashedCredentials = { passwordHash: string | null; pin: HashedPin | null | undefined }
type MemberWrite = {
  look(): Promise<unknown>
  write(tx: Tx, hashed: HashedCredentials): Promise<MemberChange>
}

/**
 * Hashes a password or PIN before the transaction begins, so that no connection waits for it. Does so only after a replay is
 * ruled out and `look` has made all cheap checks.
 */
async function written(
  deps: Deps,
  scope: Scope,
  {
    idem,
    status,
    password,
    pin,
    writing: { look, write },
  }: {
    idem: IdempotencyKey | null
    status: number
    password: string | undefined
    pin: string | null | undefined
    writing: MemberWrite
  },
): Promise<Reply> {
  const replay = () => idem && findReplay(deps, deps.db, scope, idem)
  const early = await replay()
  if (early) return early
  try {
    await look()
  } catch (refusal) {
    // A concurrent request with the same content may have finished, and this error then reflects its effect.
    const late = await replay()
    if (late) return late
    throw refusal
  }
  const passwordHash =
    password === undefined ? null : await hashForMember(scope.accountId, password, idem?.key)
  const hashedPin = typeof pin === 'string' ? await hashPin(deps, scope.accountId, pin, scope.now) : pin
  return runWrite(deps, scope, idem, async (tx) => ({
    status,
    value: await write(tx, { passwordHash, pin: hashedPin }),
    secret: false,
  }))
}

async function insertMember(
  deps: Deps,
  tx: Tx,
  scope: Scope,
  { input: { email, name, role }, passwordHash }: { input: MemberIn; passwordHash: string | null },
): Promise<Member> {
  // Every transaction locks the workspace before it claims an address.
  await store.lockWorkspace(tx, scope)
  const id = newId('member')
  if (!(await store.claimEmail(tx, scope, id, email))) throw emailTaken()
  await requireUnderCap(tx, scope, { cap: 'members', countLive: store.countLive })
  const { token, ...invitation } = passwordHash === null ? newInvitation(scope) : NOT_INVITED
  await store.insert(tx, scope, { id, email, name, role, passwordHash, ...invitation })
  const member = await getMember(tx, scope, id)
  await emit(tx, scope, memberAdded, id, { member: toMemberEventData(member) })
  // The mail is sent before the commit. A member without the mail could never sign in; a mail without a member does
  // less harm.
  if (token !== null) await invite(deps, tx, scope, { member, token })
  return member
}

const toMemberEventData = ({ id, role, status }: Member) => ({ id, role, status })

const NOT_INVITED = { token: null, inviteHash: null, inviteExpiresAt: null }

function newInvitation(scope: Scope) {
  const token = newSessionToken(scope.accountId)
  return { token, inviteHash: sha256(token), inviteExpiresAt: invitationEnd(scope.now) }
}

/** Mails the invitation. Throws 429 above the daily limit of a workspace or a mailbox (B-mail-1). */
async function invite(
  deps: Deps,
  tx: Tx,
  scope: Scope,
  { member: { email, name }, token }: { member: Member; token: string },
) {
  await spendInvitation(tx, scope, email)
  const business = nameForMail((await getSettings(tx, scope)).businessName, 'A business')
  const address = publicAddress(deps.config)
  await sendMail(deps, tx, scope, {
    to: email,
    subject: `${business} invites you to Kasir`,
    // The token follows the #, so that no server on the way logs it.
    text: [
      `Hello ${nameForMail(name, 'there')},`,
      '',
      `${nameForMail(scope.actor.name, 'Someone')} invites you to work in ${business}. Choose your password within ${INVITATION_DAYS} days:`,
      '',
      `${address}/invitation#${token}`,
      '',
      'Without the web app, send this token with a password of your own:',
      `POST ${address}${API_PREFIX}/auth/invitations/accept {"token": "${token}", "password": "…"}`,
    ].join('\n'),
  })
}

async function changeMember(
  deps: Deps,
  tx: Tx,
  scope: Scope,
  {
    id,
    body,
    checked: { passwordHash, pin, proven },
  }: { id: string; body: MemberPatch; checked: HashedCredentials & { proven: string | null } },
): Promise<MemberChange> {
  const { email, name, role } = body
  await store.lockWorkspace(tx, scope)
  // An acceptance locks only the member's row. It has either finished, or it waits and then finds its link invalid.
  await store.lock(tx, scope, id)
  const before = await getMember(tx, scope, id)
  const oldHash = await store.findHash(tx, scope, id)
  // A concurrent request may have changed the password since the check; then the check proves nothing.
  if (needsProof(scope, before, body) && proven !== oldHash) throw wrongPasswordError()
  if (before.role === 'OWNER' && role !== undefined && role !== 'OWNER')
    await requireAnotherOwner(tx, scope, before)
  const hasMoved = email !== undefined && emailKey(email) !== emailKey(before.email)
  const { token, ...invitation } =
    passwordHash === null && isInvitedAnew(scope, before, email) ? newInvitation(scope) : NOT_INVITED
  const patch = {
    ...(email === undefined ? {} : { email }),
    // The member has not confirmed the new mailbox.
    ...(hasMoved ? { emailVerifiedAt: null } : {}),
    ...(name === undefined ? {} : { name }),
    ...(role === undefined ? {} : { role }),
    ...(passwordHash === null ? {} : { passwordHash }),
    ...(passwordHash === null && token === null ? {} : invitation),
  }
  if (Object.keys(patch).length > 0) await store.update(tx, scope, id, patch)
  if (passwordHash !== null) await deleteSessionsOf(tx, scope.accountId, id)
  // An approval is consent in a role: it does not come back with the role (B-approval-3).
  if (role !== undefined && role !== before.role) await deleteApprovalsBy(tx, scope.accountId, id)
  if (passwordHash !== null || role !== undefined) touchAccess(scope)
  if (hasMoved) {
    await store.releaseEmail(tx, scope, id, before.email)
    if (!(await store.claimEmail(tx, scope, id, email))) throw emailTaken()
  }
  const member = await getMember(tx, scope, id)
  const changed = TOLD.filter((key) => member[key] !== before[key])
  if (changed.length > 0) {
    touchCatalogue(scope, 'member', [id])
    const data = { member: toMemberEventData(member), changed, roleBefore: before.role }
    await emit(tx, scope, memberChanged, id, data)
  }
  if (passwordHash !== null) {
    const by = scope.actor.id === id ? 'SELF' : 'OWNER'
    await emit(tx, scope, passwordChanged, id, { memberId: id, by })
  }
  const keys =
    role === undefined ? {} : await changeKeys(tx, scope, { id, role, revokeKeys: body.revokeKeys })
  if (pin !== undefined) await changePin(deps, tx, scope, { member, pin })
  if (token !== null) await invite(deps, tx, scope, { member, token })
  const answer = { member: pin === undefined ? member : { ...member, hasPin: pin !== null }, ...keys }
  // A member who has not accepted the invitation could not sign in yet, so needs no notice.
  if (before.status === 'INVITED') return answer
  if (hasMoved) await notifyAddressChanged(deps, tx, scope, { old: before, current: member })
  if (passwordHash !== null) await notifyPasswordChanged(deps, tx, scope, { person: member })
  return answer
}

/**
 * Applies the new role of a member to the keys they created. For a role other than OWNER, returns these keys or
 * revokes them (B-member-4).
 */
async function changeKeys(
  tx: Tx,
  scope: Scope,
  { id, role, revokeKeys = false }: { id: string; role: Role; revokeKeys?: boolean | undefined },
) {
  await applyRoleChange(tx, scope, id, role)
  return role === 'OWNER' ? {} : { apiKeys: await leaveKeys(tx, scope, id, revokeKeys) }
}

/**
 * Returns true if a new invitation must be sent. A corrected address invalidates the old link (B-member-2). The same
 * address renews an expired invitation.
 */
const isInvitedAnew = (scope: Scope, { status, email: old, inviteExpiresAt }: Member, email?: string) =>
  status === 'INVITED' &&
  email !== undefined &&
  (emailKey(email) !== emailKey(old) || (inviteExpiresAt !== null && inviteExpiresAt <= scope.now))

/**
 * Removes a member and ends their sessions; `revokeKeys` also revokes their API keys (B-member-4). Their sales keep
 * only their id, so receipts no longer name a cashier.
 */
export async function removeMember(tx: Tx, scope: Scope, id: string, revokeKeys: boolean) {
  await store.lockWorkspace(tx, scope)
  const member = await getMember(tx, scope, id)
  if (member.role === 'OWNER') await requireAnotherOwner(tx, scope, member)
  await store.lock(tx, scope, id)
  await deleteSessionsOf(tx, scope.accountId, id)
  touchAccess(scope)
  await store.releaseEmail(tx, scope, id, member.email)
  await store.remove(tx, scope, id)
  touchCatalogue(scope, 'member', [id])
  await emit(tx, scope, memberRemoved, id, { member: toMemberEventData(member) })
  return { id, deleted: true as const, apiKeys: await leaveKeys(tx, scope, id, revokeKeys) }
}

/** Throws 409 if no other active owner would remain (B-member-5). */
async function requireAnotherOwner(tx: Tx, scope: Scope, { id, name, status }: Member) {
  if (status === 'INVITED' || (await store.countOtherOwners(tx, scope, id)) > 0) return
  throw conflict(`${name} is the last owner; make another member an owner first`)
}
