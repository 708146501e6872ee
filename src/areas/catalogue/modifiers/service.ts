import { notFound } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { type Scope, touchCatalogue } from '../../../platform/scope.ts'
import { requireGroupsOnce, requireSelectRange } from './rules.ts'
import type { GroupIn, GroupPatch, Modifier, ModifierGroup, ModifierIn, ModifierPatch } from './schema.ts'
import * as store from './store.ts'

export async function getGroup(db: Db, scope: Scope, id: string): Promise<ModifierGroup> {
  const group = await store.find(db, scope, id)
  if (!group) throw notFound('modifier group')
  return group
}

export async function createGroup(tx: Tx, scope: Scope, input: GroupIn): Promise<ModifierGroup> {
  requireSelectRange(input.minSelect ?? 0, input.maxSelect ?? null, 'maxSelect')
  const id = await store.insert(tx, scope, input)
  touchCatalogue(scope, 'modifierGroup', [id])
  return getGroup(tx, scope, id)
}

export async function updateGroup(
  tx: Tx,
  scope: Scope,
  id: string,
  patch: GroupPatch,
): Promise<ModifierGroup> {
  const known = await lockGroup(tx, scope, id)
  const maxSelect = patch.maxSelect === undefined ? known.maxSelect : patch.maxSelect
  const param = patch.maxSelect === undefined ? 'minSelect' : 'maxSelect'
  requireSelectRange(patch.minSelect ?? known.minSelect, maxSelect, param)
  if (Object.keys(patch).length > 0) await store.update(tx, scope, id, patch)
  touchCatalogue(scope, 'modifierGroup', [id])
  return getGroup(tx, scope, id)
}

/** Deletes a group. The caller has removed it from its products. */
export async function deleteGroup(tx: Tx, scope: Scope, id: string) {
  const modifierIds = await store.remove(tx, scope, id)
  if (modifierIds === null) throw notFound('modifier group')
  touchCatalogue(scope, 'modifierGroup', [id])
  touchCatalogue(scope, 'modifier', modifierIds)
  return { id, deleted: true as const }
}

export async function addModifier(
  tx: Tx,
  scope: Scope,
  groupId: string,
  input: ModifierIn,
): Promise<Modifier> {
  await lockGroup(tx, scope, groupId)
  touchCatalogue(scope, 'modifierGroup', [groupId])
  return getModifier(tx, scope, groupId, await store.insertModifier(tx, scope, groupId, input))
}

export async function updateModifier(
  tx: Tx,
  scope: Scope,
  { groupId, id, patch }: { groupId: string; id: string; patch: ModifierPatch },
): Promise<Modifier> {
  await getModifier(tx, scope, groupId, id)
  touchCatalogue(scope, 'modifierGroup', [groupId])
  if (Object.keys(patch).length > 0) await store.updateModifier(tx, scope, { groupId, id, patch })
  return getModifier(tx, scope, groupId, id)
}

export async function deleteModifier(tx: Tx, scope: Scope, groupId: string, id: string) {
  if (!(await store.removeModifier(tx, scope, groupId, id))) throw notFound('modifier')
  touchCatalogue(scope, 'modifierGroup', [groupId])
  touchCatalogue(scope, 'modifier', [id])
  return { id, deleted: true as const }
}

/**
 * Replaces the groups attached to a product, in the order sent (B-modifier-2). Throws 404 for an unknown group and
 * 422 for a repeated one. The caller has locked the product.
 */
export async function attachGroups(tx: Tx, scope: Scope, productId: string, groupIds: readonly string[]) {
  const known = await store.share(tx, scope, groupIds)
  const unknown = groupIds.findIndex((id) => !known.has(id))
  if (unknown >= 0) throw notFound('modifier group', `groupIds[${unknown}]`)
  requireGroupsOnce(groupIds)
  await store.attach(tx, scope, productId, groupIds)
}

async function lockGroup(tx: Tx, scope: Scope, id: string) {
  const group = await store.lock(tx, scope, id)
  if (!group) throw notFound('modifier group')
  return group
}

async function getModifier(db: Db, scope: Scope, groupId: string, id: string): Promise<Modifier> {
  const modifier = await store.findModifier(db, scope, groupId, id)
  if (!modifier) throw notFound('modifier')
  return modifier
}
