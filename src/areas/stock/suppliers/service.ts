import { notFound } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { Supplier, SupplierIn, SupplierPatch } from './schema.ts'
import * as store from './store.ts'

/**
 * Returns the supplier. Throws 404 if it does not exist; `param` names the field of the body that contained the id
 * (B-ids-2).
 */
export async function getSupplier(db: Db, scope: Scope, id: string, param?: string): Promise<Supplier> {
  const supplier = await store.find(db, scope, id)
  if (!supplier) throw notFound('supplier', param)
  return supplier
}

export async function createSupplier(tx: Tx, scope: Scope, input: SupplierIn): Promise<Supplier> {
  const id = await store.insert(tx, scope, input)
  return getSupplier(tx, scope, id)
}

export async function updateSupplier(
  tx: Tx,
  scope: Scope,
  id: string,
  patch: SupplierPatch,
): Promise<Supplier> {
  await getSupplier(tx, scope, id)
  if (Object.keys(patch).length > 0) await store.update(tx, scope, id, patch)
  return getSupplier(tx, scope, id)
}

/** A supplier is never deleted, because past orders refer to it (B-supplier-1). */
export async function deactivateSupplier(tx: Tx, scope: Scope, id: string) {
  return {
    supplier: await updateSupplier(tx, scope, id, { isActive: false }),
    deactivated: true as const,
  }
}
