import { invalid, notFound } from '../../../core/errors.ts'
import { clearEmpty } from '../../../core/text.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { emit } from '../../../platform/outbox.ts'
import type { Scope } from '../../../platform/scope.ts'
import { eraseFromEvents, eraseFromShipments } from './erasure.ts'
import { customerCreated, customerDeleted, customerUpdated } from './events.ts'
import { ERASED, requireNotErased } from './rules.ts'
import type { Customer, CustomerIn, CustomerPatch } from './schema.ts'
import * as statements from './statements.ts'
import { forgetDrafts } from './statements-deliveries.ts'
import * as store from './store.ts'

/** The customer, erased ones included, or 404; `param` names the field when the id stood in a body (B-ids-2). */
export async function getCustomer(db: Db, scope: Scope, id: string, param?: string): Promise<Customer> {
  const customer = await store.find(db, scope, id)
  if (!customer) throw notFound('customer', param)
  return customer
}

/**
 * The customer as they are until the transaction ends: an erasure waits, and one that came first is seen
 * (B-customer-2). In key share mode, which blocks nobody else, so it may be taken next to any other lock.
 */
export async function shareCustomer(tx: Tx, scope: Scope, id: string, param?: string): Promise<Customer> {
  const customer = await store.share(tx, scope, id)
  if (!customer) throw notFound('customer', param)
  return customer
}

/** As `shareCustomer`, and 422 when the personal data was erased: nothing new is put on that record. */
export async function shareActiveCustomer(tx: Tx, scope: Scope, id: string): Promise<Customer> {
  const customer = await shareCustomer(tx, scope, id, 'customerId')
  if (customer.isActive) return customer
  throw invalid('customerId', "This customer's data was erased; choose another customer")
}

/** Phone and email need not be unique (families share them): look-alikes are reported, not refused (B-customer-1). */
export async function createCustomer(tx: Tx, scope: Scope, input: CustomerIn) {
  const id = await store.insert(tx, scope, clearEmpty(input, OPTIONAL))
  const customer = await getCustomer(tx, scope, id)
  await emit(tx, scope, customerCreated, id, { customer })
  return { customer, possibleDuplicates: await store.listDuplicates(tx, scope, customer) }
}

export async function updateCustomer(
  tx: Tx,
  scope: Scope,
  id: string,
  patch: CustomerPatch,
): Promise<Customer> {
  const current = await store.lock(tx, scope, id)
  if (!current) throw notFound('customer')
  requireNotErased(current)
  if (Object.keys(patch).length === 0) return current
  await store.update(tx, scope, id, clearEmpty(patch, OPTIONAL))
  const customer = await getCustomer(tx, scope, id)
  await emit(tx, scope, customerUpdated, id, { customer })
  return customer
}

/**
 * Deletes a customer that nothing names; otherwise erases the personal data and keeps the record. What was announced of
 * the customer before is erased with it (B-customer-2).
 */
export async function deleteCustomer(tx: Tx, scope: Scope, id: string) {
  // Sales are locked before their customer; what was sold in between is seen to once nobody can sell to them any more.
  await forgetDrafts(tx, scope, id)
  const current = await store.lock(tx, scope, id)
  if (!current) throw notFound('customer')
  if (!current.isActive) return { customer: current, deactivated: true as const }
  await forgetDrafts(tx, scope, id)
  const referenced = await statements.isReferenced(tx, scope, id)
  await (referenced ? store.erase : store.remove)(tx, scope, id)
  await eraseFromEvents(tx, scope, id)
  await eraseFromShipments(tx, scope, id)
  // The event carries the erased record in both cases: an erasure must not send the data once more.
  const customer: Customer = { ...current, ...ERASED, updatedAt: scope.now }
  await emit(tx, scope, customerDeleted, id, { customer })
  return referenced ? { customer, deactivated: true as const } : { id, deleted: true as const }
}

/** What a customer may be without. */
const OPTIONAL = ['phone', 'note'] as const
