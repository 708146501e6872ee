import { sql } from 'kysely'
import { newId } from '../../../core/ids.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { orderByName } from '../../../platform/db/order-by-name.ts'
import { deleteOwn, insertOwn, ownRows, updateOwn } from '../../../platform/db/own-rows.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { GroupIn, GroupPatch, Modifier, ModifierGroup, ModifierIn, ModifierPatch } from './schema.ts'

const groups = (db: Db, scope: Scope) =>
  db
    .selectFrom('modifierGroups as g')
    .where('g.accountId', '=', scope.accountId)
    .select((eb) => [
      'g.id',
      'g.name',
      'g.minSelect',
      'g.maxSelect',
      'g.createdAt',
      'g.updatedAt',
      eb
        .selectFrom('productModifierGroups as a')
        .innerJoin('products as p', (join) =>
          join.on('p.accountId', '=', scope.accountId).onRef('p.id', '=', 'a.productId'),
        )
        .select((q) => q.fn.countAll<number>().as('n'))
        .where('a.accountId', '=', scope.accountId)
        .whereRef('a.groupId', '=', 'g.id')
        .where('p.isActive', '=', true)
        .$asScalar()
        .$notNull()
        .as('productCount'),
    ])

const FIELDS = ['id', 'name', 'price', 'sortOrder', 'isActive', 'createdAt', 'updatedAt'] as const

/** Adds to each group its modifiers, by sort order, then in order of creation (B-list-4). */
async function withModifiers(db: Db, scope: Scope, heads: Omit<ModifierGroup, 'modifiers'>[]) {
  if (heads.length === 0) return []
  const rows = await ownRows(db, scope, 'modifiers')
    .select([...FIELDS, 'groupId'])
    .where(sql<boolean>`group_id = any(${heads.map((head) => head.id)})`)
    .orderBy('sortOrder')
    .orderBy('id')
    .execute()
  const ofGroup = new Map<string, Modifier[]>(heads.map((head) => [head.id, []]))
  for (const { groupId, ...modifier } of rows) ofGroup.get(groupId)?.push(modifier)
  return heads.map((head): ModifierGroup => ({ ...head, modifiers: ofGroup.get(head.id) ?? [] }))
}

export const list = async (db: Db, scope: Scope) =>
  withModifiers(db, scope, await groups(db, scope).orderBy(orderByName('g.name')).orderBy('g.id').execute())

export const find = async (db: Db, scope: Scope, id: string): Promise<ModifierGroup | undefined> =>
  (await withModifiers(db, scope, await groups(db, scope).where('g.id', '=', id).execute()))[0]

/** Returns the groups of a product in the order that tills show them. */
export async function listOfProduct(db: Db, scope: Scope, productId: string): Promise<ModifierGroup[]> {
  const heads = await groups(db, scope)
    .innerJoin('productModifierGroups as m', (join) =>
      join
        .on('m.accountId', '=', scope.accountId)
        .on('m.productId', '=', productId)
        .onRef('m.groupId', '=', 'g.id'),
    )
    .orderBy('m.sortOrder')
    .execute()
  return withModifiers(db, scope, heads)
}

/** Locks the group, so that changes of its limits and of its modifiers run one after another. */
export const lock = (tx: Tx, scope: Scope, id: string) =>
  ownRows(tx, scope, 'modifierGroups')
    .select(['id', 'minSelect', 'maxSelect'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()

/** Returns the ids that exist. Locks these groups, so that none is deleted before it is attached. */
export async function share(tx: Tx, scope: Scope, ids: readonly string[]): Promise<Set<string>> {
  const rows = await ownRows(tx, scope, 'modifierGroups')
    .select('id')
    .where(sql<boolean>`id = any(${[...ids]})`)
    .orderBy('id')
    .forKeyShare()
    .execute()
  return new Set(rows.map((row) => row.id))
}

const stamps = (scope: Scope) => ({ createdAt: scope.now, updatedAt: scope.now })

export async function insert(tx: Tx, scope: Scope, input: GroupIn) {
  const id = newId('modifierGroup')
  await insertOwn(tx, scope, 'modifierGroups', { ...input, id, ...stamps(scope) }).execute()
  return id
}

export const update = (tx: Tx, scope: Scope, id: string, patch: GroupPatch) =>
  updateOwn(tx, scope, 'modifierGroups')
    .set({ ...patch, updatedAt: scope.now })
    .where('id', '=', id)
    .execute()

/**
 * Deletes the group, its modifiers and, by the foreign key, its attachments to products. Returns the ids of the modifiers,
 * or null if there is no such group. Past sales keep their snapshots (B-modifier-3).
 */
export async function remove(tx: Tx, scope: Scope, id: string): Promise<string[] | null> {
  if (!(await lock(tx, scope, id))) return null
  const modifiers = await deleteOwn(tx, scope, 'modifiers')
    .where('groupId', '=', id)
    .returning('id')
    .execute()
  await deleteOwn(tx, scope, 'modifierGroups').where('id', '=', id).execute()
  return modifiers.map((modifier) => modifier.id)
}

export const findModifier = (db: Db, scope: Scope, groupId: string, id: string) =>
  ownRows(db, scope, 'modifiers')
    .select(FIELDS)
    .where('groupId', '=', groupId)
    .where('id', '=', id)
    .executeTakeFirst()

export async function insertModifier(tx: Tx, scope: Scope, groupId: string, input: ModifierIn) {
  const id = newId('modifier')
  await insertOwn(tx, scope, 'modifiers', { ...input, id, groupId, ...stamps(scope) }).execute()
  return id
}

export const updateModifier = (
  tx: Tx,
  scope: Scope,
  { groupId, id, patch }: { groupId: string; id: string; patch: ModifierPatch },
) =>
  updateOwn(tx, scope, 'modifiers')
    .set({ ...patch, updatedAt: scope.now })
    .where('groupId', '=', groupId)
    .where('id', '=', id)
    .execute()

export const removeModifier = async (tx: Tx, scope: Scope, groupId: string, id: string): Promise<boolean> =>
  (
    await deleteOwn(tx, scope, 'modifiers')
      .where('groupId', '=', groupId)
      .where('id', '=', id)
      .returning('id')
      .execute()
  ).length > 0

/** Replaces the groups of a product, in the order of the list. */
export async function attach(tx: Tx, scope: Scope, productId: string, groupIds: readonly string[]) {
  await deleteOwn(tx, scope, 'productModifierGroups').where('productId', '=', productId).execute()
  if (groupIds.length === 0) return
  const rows = groupIds.map((groupId, sortOrder) => ({ productId, groupId, sortOrder }))
  await insertOwn(tx, scope, 'productModifierGroups', rows).execute()
}

/** Lists up to `limit` products that a group is attached to, in order of id. */
export async function listAttached(tx: Tx, scope: Scope, groupId: string, limit: number): Promise<string[]> {
  const rows = await ownRows(tx, scope, 'productModifierGroups')
    .select('productId')
    .where('groupId', '=', groupId)
    .orderBy('productId')
    .limit(limit)
    .execute()
  return rows.map(({ productId }) => productId)
}

/** Removes a group from these products, which the caller has locked. Returns those that had it, in order of id. */
export async function detach(tx: Tx, scope: Scope, groupId: string, productIds: readonly string[]) {
  const rows = await deleteOwn(tx, scope, 'productModifierGroups')
    .where('groupId', '=', groupId)
    .where(sql<boolean>`product_id = any(${[...productIds]})`)
    .returning('productId')
    .execute()
  return rows.map(({ productId }) => productId).sort()
}
