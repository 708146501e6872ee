import { invalid, notFound } from '../../../core/errors.ts'
import { clearEmpty } from '../../../core/text.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { emit } from '../../../platform/events/outbox.ts'
import type { Scope } from '../../../platform/scope.ts'
import { eraseFromEvents, eraseFromShipments } from './erasure.ts'
import { customerCreated, customerDeleted, customerUpdated } from './events.ts'
import { requireGroupsOnce, shareGroups } from './groups.ts'
import { ERASED, phoneWarnings, requireMaySetLimit, requireNoDebt, requireNotErased } from './rules.ts'
import type { Customer, CustomerIn, CustomerPatch, CustomerWarning } from './schema.ts'
import * as statements from './statements.ts'
import { eraseDrafts } from './statements-deliveries.ts'
import { removeReceiptJobs, revokeReceiptLinks } from './statements-receipts.ts'
import * as store from './store.ts'

/**
 * Returns the customer, even if erased. Throws 404 if unknown; `param` names the field of the body that contained the
 * id (B-ids-2).
 */
export async function getCustomer(db: Db, scope: Scope, id: string, param?: string): Promise<Customer> {
  const customer = await store.find(db, scope, id)
  if (!customer) throw notFound('customer', param)
  return customer
}

/** The groups of a customer; none if there is no such customer. */
export const groupsOfCustomer = async (db: Db, scope: Scope, id: string): Promise<readonly string[]> =>
  (await store.find(db, scope, id))?.groupIds ?? []

/**
 * Returns the customer and locks the record against an erasure until the transaction ends (B-customer-2). The lock
 * mode (key share) blocks no readers, so it can be combined with any other lock.
 */
export async function shareCustomer(tx: Tx, scope: Scope, id: string, param?: string): Promise<Customer> {
  const customer = await store.share(tx, scope, id)
  if (!customer) throw notFound('customer', param)
  return customer
}

/** Does the same as `shareCustomer`, and throws 422 if the personal data was erased: the record accepts nothing new. */
export async function shareActiveCustomer(tx: Tx, scope: Scope, id: string): Promise<Customer> {
  const customer = await shareCustomer(tx, scope, id, 'customerId')
  if (customer.isActive) return customer
  throw invalid('customerId', "This customer's data was erased; choose another customer")
}

/**
 * Creates a customer. Families share phone and e-mail, so possible duplicates are reported but not rejected
 * (B-customer-1).
 */
export async function createCustomer(tx: Tx, scope: Scope, input: CustomerIn) {
  requireMaySetLimit(scope.actor.role, input.creditLimit)
  const groupIds = await shareGroups(tx, scope, input.groupIds)
  requireGroupsOnce(input)
  const id = await store.insert(tx, scope, { ...clearEmpty(input, OPTIONAL), ...groupIds })
  const customer = await getCustomer(tx, scope, id)
  await emit(tx, scope, customerCreated, id, { customer })
  const possibleDuplicates = await store.listDuplicates(tx, scope, customer)
  return { customer, possibleDuplicates, warnings: phoneWarnings(input.phone) }
}

export async function updateCustomer(
  tx: Tx,
  scope: Scope,
  id: string,
  patch: CustomerPatch,
): Promise<{ customer: Customer; warnings: CustomerWarning[] }> {
  await getCustomer(tx, scope, id)
  requireMaySetLimit(scope.actor.role, patch.creditLimit)
  const groupIds = await shareGroups(tx, scope, patch.groupIds)
  const current = await store.lock(tx, scope, id)
  if (!current) throw notFound('customer')
  requireNotErased(current)
  requireGroupsOnce(patch)
  if (Object.keys(patch).length === 0) return { customer: current, warnings: [] }
  await store.update(tx, scope, id, { ...clearEmpty(patch, OPTIONAL), ...groupIds })
  const customer = await getCustomer(tx, scope, id)
  await emit(tx, scope, customerUpdated, id, { customer })
  return { customer, warnings: phoneWarnings(patch.phone) }
}

/**
 * Deletes a customer to whom no record refers. Otherwise erases the personal data and keeps the record. Also erases
 * the data from earlier events (B-customer-2).
 */
export async function deleteCustomer(tx: Tx, scope: Scope, id: string) {
  // Sales are locked before their customer. The second pass below handles sales that were created before the lock of
  // the customer.
  await eraseDrafts(tx, scope, id)
  const current = await store.lock(tx, scope, id)
  if (!current) throw notFound('customer')
  if (!current.isActive) return { customer: current, deactivated: true as const }
  requireNoDebt(current)
  await eraseDrafts(tx, scope, id)
  const referenced = await statements.isReferenced(tx, scope, id)
  await (referenced ? store.erase : store.remove)(tx, scope, id)
  await eraseFromEvents(tx, scope, id)
  await eraseFromShipments(tx, scope, id)
  await revokeReceiptLinks(tx, scope, id)
  await removeReceiptJobs(tx, scope, id)
  // The event contains the record after the erasure, so it does not announce the data again.
  const customer: Customer = { ...current, ...ERASED, groupIds: [], updatedAt: scope.now }
  await emit(tx, scope, customerDeleted, id, { customer })
  return referenced ? { customer, deactivated: true as const } : { id, deleted: true as const }
}

/** Optional fields of a customer. */
const OPTIONAL = ['phone', 'note'] as const
