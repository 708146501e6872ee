import { notFound } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { type Scope, touchCatalogue } from '../../../platform/scope.ts'
import {
  attachGroups,
  deleteGroup,
  detach,
  getGroup,
  listAttached,
  listOfProduct,
  type ModifierGroup,
} from '../modifiers/index.ts'
import * as store from './store.ts'
import { announce, announceMany } from './variants.ts'

export async function listGroupsOfProduct(db: Db, scope: Scope, productId: string): Promise<ModifierGroup[]> {
  if (!(await store.exists(db, scope, productId))) throw notFound('product')
  return listOfProduct(db, scope, productId)
}

/** Sets the groups of a product, in order. The product is announced as changed (B-product-7). */
export async function setGroupsOfProduct(tx: Tx, scope: Scope, productId: string, groupIds: string[]) {
  if (!(await store.lock(tx, scope, productId))) throw notFound('product')
  await attachGroups(tx, scope, productId, groupIds)
  await announce(tx, scope, productId)
  return listOfProduct(tx, scope, productId)
}

/** Products that are locked together. */
const PORTION = 500

/**
 * Deletes a modifier group. Its products are announced as changed (B-product-7). Locks them before the group, as a
 * change of the groups of a product does.
 */
export async function deleteModifierGroup(tx: Tx, scope: Scope, id: string) {
  await getGroup(tx, scope, id)
  for (;;) {
    const attached = await listAttached(tx, scope, id, PORTION)
    if (attached.length === 0) break
    await store.lockMany(tx, scope, attached)
    const changed = await detach(tx, scope, id, attached)
    await store.touch(tx, scope, changed)
    touchCatalogue(scope, 'product', changed)
    await announceMany(tx, scope, changed)
  }
  return deleteGroup(tx, scope, id)
}
