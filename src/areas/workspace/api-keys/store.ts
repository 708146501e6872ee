import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/open.ts'
import type { Actor, Scope } from '../../../platform/scope.ts'

const all = (db: Db, { accountId }: Scope) =>
  db
    .selectFrom('apiKeys')
    .select([
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
    .where('accountId', '=', accountId)

export const list = (db: Db, scope: Scope) => all(db, scope).orderBy('id', 'desc').execute()

export const find = (db: Db, scope: Scope, id: string) =>
  all(db, scope).where('id', '=', id).executeTakeFirst()

/** Keys by id, newest first. */
export const listThese = (db: Db, scope: Scope, ids: readonly string[]) =>
  ids.length === 0 ? [] : all(db, scope).where('id', 'in', ids).orderBy('id', 'desc').execute()

/** Holds the caller's own record; false when it was removed or revoked since the request was let in. */
export async function shareMaker(tx: Tx, { accountId }: Scope, { kind, id }: Actor): Promise<boolean> {
  const member = tx.selectFrom('members').select('id').where('accountId', '=', accountId)
  const key = tx
    .selectFrom('apiKeys')
    .select('id')
    .where('accountId', '=', accountId)
    .where('revokedAt', 'is', null)
  const held =
    kind === 'member'
      ? member.where('id', '=', id).forShare().executeTakeFirst()
      : key.where('id', '=', id).forShare().executeTakeFirst()
  return (await held) !== undefined
}

/** What counts towards the cap of the plan (B-plan-1). */
export async function countLive(tx: Tx, scope: Scope): Promise<number> {
  const { n } = await tx
    .selectFrom('apiKeys')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('accountId', '=', scope.accountId)
    .where('revokedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return n
}
