import { newId } from '../../../core/ids.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { deleteOwn, insertOwn, ownRows, updateOwn } from '../../../platform/db/own-rows.ts'
import type { Scope } from '../../../platform/scope.ts'

export async function insert(tx: Tx, scope: Scope, name: string): Promise<string> {
  const id = newId('customerGroup')
  await insertOwn(tx, scope, 'customerGroups', {
    id,
    name,
    createdAt: scope.now,
    updatedAt: scope.now,
  }).execute()
  return id
}

export const lock = (tx: Tx, scope: Scope, id: string) =>
  ownRows(tx, scope, 'customerGroups').select('id').where('id', '=', id).forUpdate().executeTakeFirst()

/** Locks the groups against a deletion, in order of id, and returns the ids that exist. */
export async function share(tx: Tx, scope: Scope, ids: readonly string[]): Promise<Set<string>> {
  const rows = await ownRows(tx, scope, 'customerGroups')
    .select('id')
    .where('id', 'in', ids)
    .orderBy('id')
    .forKeyShare()
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export const rename = (tx: Tx, scope: Scope, id: string, name: string) =>
  updateOwn(tx, scope, 'customerGroups').set({ name, updatedAt: scope.now }).where('id', '=', id).execute()

export const remove = (tx: Tx, scope: Scope, id: string) =>
  deleteOwn(tx, scope, 'customerGroups').where('id', '=', id).execute()

/** The customers among `ids` that exist. */
export async function existing(db: Db, scope: Scope, ids: readonly string[]): Promise<Set<string>> {
  const rows = await ownRows(db, scope, 'customers').select('id').where('id', 'in', ids).execute()
  return new Set(rows.map(({ id }) => id))
}
