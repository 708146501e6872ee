import { notFound } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'
import { attachGroups, listOfProduct, type ModifierGroup } from '../modifiers/index.ts'
import * as store from './store.ts'
import { announce } from './variants.ts'

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
