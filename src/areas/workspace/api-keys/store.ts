import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { ownRows } from '../../../platform/db/own-rows.ts'
import type { Actor, Role, Scope } from '../../../platform/scope.ts'

const all = (db: Db, { accountId }: Scope) =>
  ownRows(db, { accountId }, 'apiKeys').select([
    'id',
    'name',
    'prefix',
    'last4',
    'readOnly',
    'createdBy',
    'createdByName',
    sql<boolean>`(created_by like 'usr\\_%' and not exists (select 1 from members m
        where m.account_id = ${accountId} and m.id = created_by)) is true`.as('creatorLeft'),
    'lastUsedAt',
    'revokedAt',
    'createdAt',
    'updatedAt',
  ])

export const list = (db: Db, scope: Scope) => all(db, scope).orderBy('id', 'desc').execute()

export const find = (db: Db, scope: Scope, id: string) =>
  all(db, scope).where('id', '=', id).executeTakeFirst()

/** Lists keys by id, newest first. */
export const listThese = (db: Db, scope: Scope, ids: readonly string[]) =>
  ids.length === 0 ? [] : all(db, scope).where('id', 'in', ids).orderBy('id', 'desc').execute()

/**
 * Locks the caller's own record and returns its role. Returns undefined if it was removed or revoked after the
 * request was authenticated.
 */
export async function shareMaker(
  tx: Tx,
  { accountId }: Scope,
  { kind, id }: Actor,
): Promise<Role | undefined> {
  const member = ownRows(tx, { accountId }, 'members').select('role')
  const key = ownRows(tx, { accountId }, 'apiKeys').select('role').where('revokedAt', 'is', null)
  const held =
    kind === 'member'
      ? member.where('id', '=', id).forShare().executeTakeFirst()
      : key.where('id', '=', id).forShare().executeTakeFirst()
  return (await held)?.role
}

/** Counts the valid keys, which the plan limits (B-plan-1). */
export async function countLive(tx: Tx, scope: Scope): Promise<number> {
  const { n } = await ownRows(tx, scope, 'apiKeys')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('revokedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return n
}
