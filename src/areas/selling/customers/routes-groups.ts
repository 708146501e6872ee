import { Type } from 'typebox'
import { route } from '../../../platform/http/route.ts'
import { Deleted, IdParams } from '../../../platform/http/shapes.ts'
import {
  assignCustomerGroup,
  createCustomerGroup,
  deleteCustomerGroup,
  getCustomerGroup,
  updateCustomerGroup,
} from './groups.ts'
import { CustomerGroup, CustomerGroupIn, CustomerGroupPatch, GroupAssignment } from './schema-groups.ts'
import { list } from './statements-groups.ts'

const area = 'customer-groups'
const One = Type.Object({ customerGroup: CustomerGroup })

export const customerGroupRoutes = [
  route({
    name: 'customerGroups.list',
    method: 'GET',
    path: '/customer-groups',
    area,
    summary: 'List customer groups by name',
    description: 'Price lists can be limited to groups. `customerCount` counts the customers in each.',
    access: 'read',
    delegation: 'read',
    returns: Type.Object({ customerGroups: Type.Array(CustomerGroup) }),
    handle: async ({ db, scope }) => ({ customerGroups: await list(db, scope) }),
  }),
  route({
    name: 'customerGroups.create',
    method: 'POST',
    path: '/customer-groups',
    area,
    summary: 'Create a customer group',
    description: 'Customers join it by `groupIds` of the customer, by a list of ids or by a rule.',
    access: 'write',
    delegation: 'write',
    status: 201,
    body: CustomerGroupIn,
    returns: One,
    handle: async ({ tx, scope, body }) => ({ customerGroup: await createCustomerGroup(tx, scope, body) }),
  }),
  route({
    name: 'customerGroups.get',
    method: 'GET',
    path: '/customer-groups/{id}',
    area,
    summary: 'Read a customer group',
    description: '`customerCount` counts the customers in it.',
    access: 'read',
    delegation: 'read',
    params: IdParams,
    returns: One,
    handle: async ({ db, scope, params }) => ({
      customerGroup: await getCustomerGroup(db, scope, params.id),
    }),
  }),
  route({
    name: 'customerGroups.update',
    method: 'PATCH',
    path: '/customer-groups/{id}',
    area,
    summary: 'Rename a customer group',
    description: 'Changes only the fields that are sent.',
    access: 'write',
    delegation: 'write',
    params: IdParams,
    body: CustomerGroupPatch,
    returns: One,
    handle: async ({ tx, scope, params, body }) => ({
      customerGroup: await updateCustomerGroup(tx, scope, params.id, body),
    }),
  }),
  route({
    name: 'customerGroups.delete',
    method: 'DELETE',
    path: '/customer-groups/{id}',
    area,
    summary: 'Delete a customer group',
    description:
      'Its customers stay and leave the group. A price list for this group alone applies to no sale then.',
    access: 'write',
    delegation: 'write',
    params: IdParams,
    returns: Deleted,
    handle: ({ tx, scope, params }) => deleteCustomerGroup(tx, scope, params.id),
  }),
  route({
    name: 'customerGroups.assign',
    method: 'POST',
    path: '/customer-groups/{id}/assign',
    area,
    summary: 'Add customers to a group, by a list or by rules',
    description:
      'Adds the customers of `customerIds` that meet every rule that is sent, or without a list all that do. It counts as they are now: later sales add no customer. `added` counts those who joined.',
    access: 'write',
    delegation: 'write',
    params: IdParams,
    body: GroupAssignment,
    returns: Type.Object({ customerGroup: CustomerGroup, added: Type.Integer() }),
    handle: ({ tx, scope, params, body }) => assignCustomerGroup(tx, scope, params.id, body),
  }),
]
