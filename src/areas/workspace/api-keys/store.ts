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

/** Keys that still hold and that somebody made, by hand or through a key of theirs. */
export async function idsMadeBy(db: Db, { accountId }: Scope, memberId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive made (id) as (
      select a.id from api_keys a where a.account_id = ${accountId} and a.created_by = ${memberId}
      union
      select b.id from api_keys b join made on made.id = b.created_by where b.account_id = ${accountId})
    select c.id from api_keys c join made on made.id = c.id
    where c.account_id = ${accountId} and c.revoked_at is null`.execute(db)
  return rows.map((row) => row.id)
}

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
