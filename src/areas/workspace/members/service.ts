import { conflict, invalid, notFound } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import { nameForMail } from '../../../core/mail-names.ts'
import { checkOfMember, hashForMember } from '../../../platform/auth/passwords.ts'
import { deleteSessionsOf } from '../../../platform/auth/store.ts'
import { guarded } from '../../../platform/auth/throttle.ts'
import { newSessionToken } from '../../../platform/auth/tokens.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import type { Deps } from '../../../platform/deps.ts'
import { findReplay, type IdempotencyKey, type Reply, runWrite } from '../../../platform/http/idempotency.ts'
import { API_PREFIX } from '../../../platform/http/route.ts'
import { requireUnderCap } from '../../../platform/limits.ts'
import { publicAddress, sendMail } from '../../../platform/mail.ts'
import { spendInvitation } from '../../../platform/mail-budget.ts'
import { emit } from '../../../platform/outbox.ts'
import type { Scope } from '../../../platform/scope.ts'
import { sha256 } from '../../../platform/secrets.ts'
import { leaveKeys } from '../api-keys/index.ts'
import { tellOfAddress, tellOfPassword } from '../notices/index.ts'
import { getSettings } from '../settings/index.ts'
import { memberAdded, memberChanged, memberRemoved, passwordChanged, TOLD } from './events.ts'
import { emailKey, INVITATION_DAYS, invitationEnd } from './rules.ts'
import type { Member, MemberIn, MemberPatch } from './schema.ts'
import * as store from './store.ts'

export const emailTaken = () => conflict('Someone already signs in with this e-mail address; use another one')

export async function getMember(db: Db, scope: Scope, id: string): Promise<Member> {
  const member = await store.find(db, scope, id)
  if (!member) throw notFound('member')
  return member
}

/**
 * Adds a member who signs in with the password, or without one is invited by mail with a one-time link (B-member-1).
 * 409 when the address is taken, 403 LIMIT_REACHED past the plan's cap of members.
 */
export const addMember = (deps: Deps, scope: Scope, body: MemberIn, idem: IdempotencyKey | null) =>
  written(deps, scope, idem, 201, body.password, {
    look: async () => {
      if (body.password !== undefined && (await store.findByEmail(deps.db, body.email))) throw emailTaken()
    },
    write: (tx, passwordHash) => insertMember(deps, tx, scope, body, passwordHash),
  })

/**
 * A new password ends every session of the member and the invitation that was open. One's own password or address
 * takes the current password: 422 with `param` when it is missing or wrong, 429 after 10 wrong ones in 15 minutes
 * (B-member-3).
 */
export async function updateMember(
  deps: Deps,
  scope: Scope,
  id: string,
  body: MemberPatch,
  idem: IdempotencyKey | null,
): Promise<Reply> {
  let proven: string | null = null
  return written(deps, scope, idem, 200, body.password, {
    look: async () => {
      const before = await getMember(deps.db, scope, id)
      if (needsProof(scope, before, body)) proven = await proveSelf(deps, scope, body.currentPassword)
    },
    write: (tx, passwordHash) => changeMember(deps, tx, scope, id, body, { passwordHash, proven }),
  })
}

/** Someone who finds a browser left signed in must not be able to take over the account. */
const needsProof = ({ actor }: Scope, { id, email }: Member, body: MemberPatch) =>
  actor.kind === 'member' &&
  actor.id === id &&
  (body.password !== undefined || (body.email !== undefined && emailKey(body.email) !== emailKey(email)))

export const wrongPassword = () => invalid('currentPassword', 'This is not your current password')

/** The stored hash that the caller's current password matched: 422 when it is wrong, 429 after 10 wrong ones in 15 minutes. */
export async function proveSelf(deps: Deps, scope: Scope, password: string | undefined): Promise<string> {
  if (password === undefined) {
    throw invalid('currentPassword', 'Send your current password to change your own password or address')
  }
  const { id } = scope.actor
  const stored = await store.findHash(deps.db, scope, id)
  const right = await guarded(deps.db, [`self ${id}`], scope.now, async () =>
    (await checkOfMember(scope.accountId, stored, password)) ? stored : null,
  )
  if (right === null) throw wrongPassword()
  return right
}

type Writing = {
  look(): Promise<unknown>
  write(tx: Tx, passwordHash: string | null): Promise<Member>
}

/**
 * A password is hashed before the transaction begins, because a connection must not wait for it, and only once a
 * replay is ruled out and `look` has refused what can be refused for nothing.
 */
async function written(
  deps: Deps,
  scope: Scope,
  idem: IdempotencyKey | null,
  status: number,
  password: string | undefined,
  { look, write }: Writing,
): Promise<Reply> {
  const replay = () => idem && findReplay(deps, deps.db, scope, idem)
  const early = await replay()
  if (early) return early
  try {
    await look()
  } catch (refusal) {
    // A twin may have ended since: what is refused then is what it did.
    const late = await replay()
    if (late) return late
    throw refusal
  }
  const passwordHash =
    password === undefined ? null : await hashForMember(scope.accountId, password, idem?.key)
  return runWrite(deps, scope, idem, async (tx) => ({
    status,
    value: { member: await write(tx, passwordHash) },
    secret: false,
  }))
}

async function insertMember(
  deps: Deps,
  tx: Tx,
  scope: Scope,
  { email, name, role }: MemberIn,
  passwordHash: string | null,
): Promise<Member> {
  // The one order of these two locks: the workspace is held before an address is claimed.
  await store.lockWorkspace(tx, scope)
  const id = newId('member')
  if (!(await store.claimEmail(tx, scope, id, email))) throw emailTaken()
  await requireUnderCap(tx, scope, 'members', store.countLive)
  const { token, ...invitation } = passwordHash === null ? newInvitation(scope) : NOT_INVITED
  await store.insert(tx, scope, { id, email, name, role, passwordHash, ...invitation })
  const member = await getMember(tx, scope, id)
  await emit(tx, scope, memberAdded, id, { member: inEvent(member) })
  // Before the commit: a member without a mail could never come in, a mail without a member only disappoints.
  if (token !== null) await invite(deps, tx, scope, member, token)
  return member
}

const inEvent = ({ id, role, status }: Member) => ({ id, role, status })

const NOT_INVITED = { token: null, inviteHash: null, inviteExpiresAt: null }

function newInvitation(scope: Scope) {
  const token = newSessionToken(scope.accountId)
  return { token, inviteHash: sha256(token), inviteExpiresAt: invitationEnd(scope.now) }
}

/** 429 past the invitations that a workspace, or a mailbox, has in a day (B-mail-1). */
async function invite(deps: Deps, tx: Tx, scope: Scope, { email, name }: Member, token: string) {
  await spendInvitation(tx, scope, email)
  const business = nameForMail((await getSettings(tx, scope)).businessName, 'A business')
  const address = publicAddress(deps.config)
  await sendMail(deps, tx, scope, {
    to: email,
    subject: `${business} invites you to Kasir`,
    // After the #, so that the token stays out of the logs of every server on the way.
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
  id: string,
  body: MemberPatch,
  { passwordHash, proven }: { passwordHash: string | null; proven: string | null },
): Promise<Member> {
  const { email, name, role } = body
  await store.lockWorkspace(tx, scope)
  // An acceptance takes the row of the member only: it is over, or it waits and finds its link dead.
  await store.lock(tx, scope, id)
  const before = await getMember(tx, scope, id)
  const oldHash = await store.findHash(tx, scope, id)
  // Somebody may have changed it between the check and here: then nothing is proven.
  if (needsProof(scope, before, body) && proven !== oldHash) throw wrongPassword()
  if (before.role === 'OWNER' && role !== undefined && role !== 'OWNER')
    await requireAnotherOwner(tx, scope, before)
  const hasMoved = email !== undefined && emailKey(email) !== emailKey(before.email)
  const { token, ...invitation } =
    passwordHash === null && isInvitedAnew(scope, before, email) ? newInvitation(scope) : NOT_INVITED
  const patch = {
    ...(email === undefined ? {} : { email }),
    // Who reads the new mailbox nobody has shown.
    ...(hasMoved ? { emailVerifiedAt: null } : {}),
    ...(name === undefined ? {} : { name }),
    ...(role === undefined ? {} : { role }),
    ...(passwordHash === null ? {} : { passwordHash }),
    ...(passwordHash === null && token === null ? {} : invitation),
  }
  if (Object.keys(patch).length > 0) await store.update(tx, scope, id, patch)
  if (passwordHash !== null) await deleteSessionsOf(tx, scope.accountId, id)
  if (hasMoved) {
    await store.releaseEmail(tx, scope, id, before.email)
    if (!(await store.claimEmail(tx, scope, id, email))) throw emailTaken()
  }
  const member = await getMember(tx, scope, id)
  const changed = TOLD.filter((key) => member[key] !== before[key])
  if (changed.length > 0) {
    const data = { member: inEvent(member), changed, roleBefore: before.role }
    await emit(tx, scope, memberChanged, id, data)
  }
  if (passwordHash !== null) {
    const by = scope.actor.id === id ? 'SELF' : 'OWNER'
    await emit(tx, scope, passwordChanged, id, { memberId: id, by })
  }
  if (token !== null) await invite(deps, tx, scope, member, token)
  // A member who could not sign in yet needs no notice.
  if (oldHash === null) return member
  if (hasMoved) await tellOfAddress(deps, tx, scope, before, member)
  if (passwordHash !== null) await tellOfPassword(deps, tx, scope, member)
  return member
}

/**
 * The link that went to a wrong address dies with the correction, and the right one gets a link of its own (
 * B-member-2). Sending the same address again renews an invitation that has run out.
 */
const isInvitedAnew = (scope: Scope, { status, email: old, inviteExpiresAt }: Member, email?: string) =>
  status === 'INVITED' &&
  email !== undefined &&
  (emailKey(email) !== emailKey(old) || (inviteExpiresAt !== null && inviteExpiresAt <= scope.now))

/**
 * Their sessions end with them, their API keys when `revokeKeys` says so (B-member-4). What they sold keeps their id
 * only: its receipts no longer name a cashier.
 */
export async function removeMember(tx: Tx, scope: Scope, id: string, revokeKeys: boolean) {
  await store.lockWorkspace(tx, scope)
  const member = await getMember(tx, scope, id)
  if (member.role === 'OWNER') await requireAnotherOwner(tx, scope, member)
  await store.lock(tx, scope, id)
  await deleteSessionsOf(tx, scope.accountId, id)
  await store.releaseEmail(tx, scope, id, member.email)
  await store.remove(tx, scope, id)
  await emit(tx, scope, memberRemoved, id, { member: inEvent(member) })
  return { id, deleted: true as const, apiKeys: await leaveKeys(tx, scope, id, revokeKeys) }
}

/** Somebody must be able to manage the workspace (B-member-5). */
async function requireAnotherOwner(tx: Tx, scope: Scope, { id, name, status }: Member) {
  if (status === 'INVITED' || (await store.otherOwners(tx, scope, id)) > 0) return
  throw conflict(`${name} is the last owner; make someone else an owner first`)
}
