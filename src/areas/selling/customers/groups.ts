import { ApiError, invalid, malformed, notFound } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { emit } from '../../../platform/events/outbox.ts'
import type { Scope } from '../../../platform/scope.ts'
import { groupCreated, groupDeleted, groupUpdated } from './events.ts'
import type { CustomerGroup, CustomerGroupIn, CustomerGroupPatch, GroupAssignment } from './schema-groups.ts'
import * as statements from './statements-groups.ts'
import * as store from './store-groups.ts'

/**
 * The groups of a customer as a body sends them, locked against a deletion. Throws 403 for a cashier, because a group decides
 * prices, and 404 for an unknown group (B-group-2).
 */
export async function shareGroups(
  tx: Tx,
  scope: Scope,
  sent: readonly string[] | undefined,
): Promise<{ groupIds?: string[] }> {
  if (sent === undefined) return {}
  if (scope.actor.role === 'CASHIER')
    throw new ApiError(
      'FORBIDDEN',
      'A group decides prices. Ask a manager to change the groups of a customer',
      { param: 'groupIds' },
    )
  const known = sent.length === 0 ? new Set() : await store.share(tx, scope, sent)
  const unknown = sent.findIndex((id) => !known.has(id))
  if (unknown >= 0) throw notFound('customer group', `groupIds[${unknown}]`)
  return { groupIds: [...sent] }
}

/** Throws 422 for a repeated group. */
export function requireGroupsOnce({ groupIds = [] }: { groupIds?: readonly string[] | undefined }): void {
  const repeated = groupIds.findIndex((id, index) => groupIds.indexOf(id) !== index)
  if (repeated >= 0) throw invalid(`groupIds[${repeated}]`, 'The group is in the list twice: send it once')
}

export async function getCustomerGroup(db: Db, scope: Scope, id: string): Promise<CustomerGroup> {
  const group = await statements.find(db, scope, id)
  if (!group) throw notFound('customer group')
  return group
}

export async function createCustomerGroup(
  tx: Tx,
  scope: Scope,
  { name }: CustomerGroupIn,
): Promise<CustomerGroup> {
  const id = await store.insert(tx, scope, name)
  const customerGroup = await getCustomerGroup(tx, scope, id)
  await emit(tx, scope, groupCreated, id, { customerGroup })
  return customerGroup
}

export async function updateCustomerGroup(
  tx: Tx,
  scope: Scope,
  id: string,
  { name }: CustomerGroupPatch,
): Promise<CustomerGroup> {
  if (!(await store.lock(tx, scope, id))) throw notFound('customer group')
  if (name === undefined) return getCustomerGroup(tx, scope, id)
  await store.rename(tx, scope, id, name)
  const customerGroup = await getCustomerGroup(tx, scope, id)
  await emit(tx, scope, groupUpdated, id, { customerGroup })
  return customerGroup
}

/** The customers stay and leave the group. A price list for this group alone applies to no sale from then on (B-group-4). */
export async function deleteCustomerGroup(tx: Tx, scope: Scope, id: string) {
  if (!(await store.lock(tx, scope, id))) throw notFound('customer group')
  const customerGroup = await getCustomerGroup(tx, scope, id)
  await statements.leave(tx, scope, id)
  await store.remove(tx, scope, id)
  await emit(tx, scope, groupDeleted, id, { customerGroup })
  return { id, deleted: true as const }
}

/** Adds the customers of a list, or those that meet the rules at this moment (B-group-3). */
export async function assignCustomerGroup(tx: Tx, scope: Scope, id: string, assignment: GroupAssignment) {
  if (Object.keys(assignment).length === 0)
    throw malformed('customerIds', 'Send customerIds, or at least one rule such as spentAtLeast')
  if (!(await store.lock(tx, scope, id))) throw notFound('customer group')
  const { customerIds } = assignment
  if (customerIds) {
    const known = await store.existing(tx, scope, customerIds)
    const unknown = customerIds.findIndex((customerId) => !known.has(customerId))
    if (unknown >= 0) throw notFound('customer', `customerIds[${unknown}]`)
  }
  const added = await statements.add(tx, scope, id, assignment)
  const customerGroup = await getCustomerGroup(tx, scope, id)
  if (added > 0) await emit(tx, scope, groupUpdated, id, { customerGroup })
  return { customerGroup, added }
}
