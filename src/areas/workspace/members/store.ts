import { type SqlBool, sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { deleteOwn, insertOwn, ownRows, updateOwn } from '../../../platform/db/own-rows.ts'
import type { AccountId, Role, Scope } from '../../../platform/scope.ts'
import { emailKey } from './rules.ts'

const members = (db: Db, scope: Pick<Scope, 'accountId'>) => ownRows(db, scope, 'members')

const all = (db: Db, scope: Scope) =>
  members(db, scope).select([
    'id',
    'email',
    'name',
    'role',
    sql<'ACTIVE' | 'INVITED'>`case when invite_hash is null then 'ACTIVE' else 'INVITED' end`.as('status'),
    'inviteExpiresAt',
    'emailVerifiedAt',
    sql<boolean>`exists (select from second_factors f where f.account_id = ${scope.accountId}
      and f.member_id = members.id and f.confirmed_at is not null)`.as('secondFactor'),
    sql<boolean>`exists (select from member_pins p where p.account_id = ${scope.accountId}
      and p.member_id = members.id)`.as('hasPin'),
    'createdAt',
    'updatedAt',
  ])

export const list = (db: Db, scope: Scope) => all(db, scope).orderBy('id').execute()

export const find = (db: Db, scope: Scope, id: string) =>
  all(db, scope).where('id', '=', id).executeTakeFirst()

export const findHash = async (db: Db, scope: Pick<Scope, 'accountId'>, id: string): Promise<string | null> =>
  (await members(db, scope).select('passwordHash').where('id', '=', id).executeTakeFirst())?.passwordHash ??
  null

/** Locks the workspace, so that two concurrent removals never remove both owners. */
export const lockWorkspace = (tx: Tx, scope: Scope) =>
  ownRows(tx, scope, 'accounts').select('accountId').forNoKeyUpdate().execute()

/** Counts other owners who can sign in; an owner with an open invitation cannot. */
export const countOtherOwners = async (tx: Tx, scope: Scope, id: string): Promise<number> =>
  (
    await members(tx, scope)
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('role', '=', 'OWNER')
      .where('inviteHash', 'is', null)
      .where('id', '!=', id)
      .executeTakeFirstOrThrow()
  ).n

export type NewMember = {
  id: string
  email: string
  name: string
  role: Role
  passwordHash: string | null
  inviteHash: string | null
  inviteExpiresAt: string | null
  emailVerifiedAt?: string | null
}

export const insert = (tx: Tx, scope: Scope, member: NewMember) =>
  insertOwn(tx, scope, 'members', { ...member, createdAt: scope.now, updatedAt: scope.now }).execute()

export const update = (tx: Tx, scope: Scope, id: string, patch: Partial<Omit<NewMember, 'id'>>) =>
  updateOwn(tx, scope, 'members')
    .set({ ...patch, updatedAt: scope.now })
    .where('id', '=', id)
    .execute()

export const remove = (tx: Tx, scope: Scope, id: string) =>
  deleteOwn(tx, scope, 'members').where('id', '=', id).execute()

/** Claims an address. Returns false if a member of any workspace already uses it. */
export async function claimEmail(tx: Tx, scope: Scope, memberId: string, email: string): Promise<boolean> {
  const rows = await insertOwn(tx, scope, 'memberEmails', { email: emailKey(email), memberId })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('email')
    .execute()
  return rows.length === 1
}

export const releaseEmail = (tx: Tx, scope: Scope, memberId: string, email: string) =>
  deleteOwn(tx, scope, 'memberEmails')
    .where('email', '=', emailKey(email))
    .where('memberId', '=', memberId)
    .execute()

/** Finds a member by address. A sign-in has no workspace yet, so this query spans all of them. */
export async function findByEmail(db: Db, email: string) {
  const place = await db
    .selectFrom('memberEmails')
    .select(['accountId', 'memberId'])
    .where('email', '=', emailKey(email))
    .executeTakeFirst()
  if (!place) return undefined
  return db
    .selectFrom('members')
    .select(['accountId', 'id', 'email', 'name', 'role', 'passwordHash', 'inviteHash'])
    .where('accountId', '=', place.accountId)
    .where('id', '=', place.memberId)
    .executeTakeFirst()
}

/**
 * Finds the first owner of the only workspace, for commands on the machine itself. Returns the number of workspaces
 * if there is not exactly one.
 */
export async function findOnlyOwner(db: Db) {
  const accounts = await db.selectFrom('accounts').select('accountId').limit(2).execute()
  const [account] = accounts
  if (!account || accounts.length > 1) return { workspaces: accounts.length, owner: undefined }
  const owner = await db
    .selectFrom('members')
    .select(['accountId', 'id', 'name', 'role'])
    .where('accountId', '=', account.accountId)
    .where('role', '=', 'OWNER')
    .orderBy('id')
    .executeTakeFirst()
  return { workspaces: 1, owner }
}

/** Finds the workspace of a member by the id that an operator passes on the command line. */
export const findMember = (db: Db, id: string) =>
  db.selectFrom('members').select('accountId').where('id', '=', id).executeTakeFirst()

/** Locks the member. Returns false if the password has changed since it was checked, or the member was removed. */
export const shareUnchanged = async (
  tx: Tx,
  accountId: AccountId,
  id: string,
  passwordHash: string,
): Promise<boolean> =>
  (await ownRows(tx, { accountId }, 'members')
    .select('id')
    .where('id', '=', id)
    .where('passwordHash', '=', passwordHash)
    .forShare()
    .executeTakeFirst()) !== undefined

const invited = (accountId: AccountId, inviteHash: string, now: string) =>
  sql<SqlBool>`account_id = ${accountId} and invite_hash = ${inviteHash} and invite_expires_at > ${now}`

export const findInvited = (db: Db, accountId: AccountId, inviteHash: string, now: string) =>
  db
    .selectFrom('members')
    .select(['id', 'email', 'name', 'role'])
    .where(invited(accountId, inviteHash, now))
    .executeTakeFirst()

/** Consumes the invitation. Of two concurrent acceptances, the second finds no invitation. */
export const accept = (
  tx: Tx,
  accountId: AccountId,
  { inviteHash, passwordHash, now }: { inviteHash: string; passwordHash: string; now: string },
) =>
  tx
    .updateTable('members')
    // The link went to the address and came back.
    .set({ passwordHash, inviteHash: null, inviteExpiresAt: null, emailVerifiedAt: now, updatedAt: now })
    .where(invited(accountId, inviteHash, now))
    .returning(['id', 'email', 'name', 'role'])
    .executeTakeFirst()

/** Locks a member against all other changes while their sign-in data change. */
export const lockSigner = (tx: Tx, accountId: AccountId, id: string) =>
  tx
    .selectFrom('members')
    .select(['id', 'email', 'name', 'role', 'passwordHash', 'emailVerifiedAt'])
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

/** Sets the password of the actor. */
export const setPassword = (
  tx: Tx,
  scope: Scope,
  patch: { passwordHash: string; emailVerifiedAt?: string },
) => update(tx, scope, scope.actor.id, patch)

/** Confirms the address of the actor, who has used the link in the mail. */
export const setVerified = (tx: Tx, scope: Scope) =>
  update(tx, scope, scope.actor.id, { emailVerifiedAt: scope.now })

/** Locks a member before the sessions are deleted, so that a concurrent sign-in either ends earlier or fails. */
export const lock = (tx: Tx, scope: Scope, id: string) =>
  members(tx, scope).select('id').where('id', '=', id).forUpdate().execute()

/** Counts the members, whom the plan limits (B-plan-1). */
export async function countLive(tx: Tx, scope: Scope): Promise<number> {
  const { n } = await ownRows(tx, scope, 'members')
    .select((eb) => eb.fn.countAll<number>().as('n'))

    .executeTakeFirstOrThrow()
  return n
}
