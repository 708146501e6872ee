import { IdParams, notFound, PageQuery, pageByKey } from 'kasir/partner-tools'
import { Type } from 'typebox'
import { route } from '../../kit/http/route.ts'
import { afterOf, cursorOf } from '../../kit/lists.ts'
import { newId } from '../ids.ts'
import { Customer, CustomerCreate, CustomerPatch } from './schema.ts'
import { findCustomer, insertCustomer, listCustomers, lockCustomer, updateCustomer } from './store.ts'

export const customerRoutes = [
  route({
    name: 'customers.list',
    method: 'GET',
    path: '/customers',
    tag: 'customers',
    summary: 'Newest first',
    query: Type.Object(PageQuery),
    access: 'read',
    page: true,
    returns: Customer,
    handle: async ({ db, caller, query: { limit, cursor } }) =>
      pageByKey(
        await listCustomers(db, caller.workspaceId, afterOf(cursor, 'cus'), limit + 1),
        limit,
        cursorOf,
      ),
  }),
  route({
    name: 'customers.create',
    method: 'POST',
    path: '/customers',
    tag: 'customers',
    summary: 'Adds a customer who can be invoiced',
    status: 201,
    body: CustomerCreate,
    access: 'write',
    returns: Customer,
    handle: async ({ tx, caller, body: { name, email = null, phone = null }, now }) => {
      const customer = { id: newId('customer'), name, email, phone, createdAt: now, updatedAt: now }
      await insertCustomer(tx, caller.workspaceId, customer)
      return customer
    },
  }),
  route({
    name: 'customers.get',
    method: 'GET',
    path: '/customers/{id}',
    tag: 'customers',
    summary: 'One customer',
    params: IdParams,
    access: 'read',
    returns: Customer,
    handle: async ({ db, caller, params }) => {
      const customer = await findCustomer(db, caller.workspaceId, params.id)
      if (!customer) throw notFound('customer')
      return customer
    },
  }),
  route({
    name: 'customers.update',
    method: 'PATCH',
    path: '/customers/{id}',
    tag: 'customers',
    summary: 'Changes the fields that are sent; null clears a field',
    params: IdParams,
    body: CustomerPatch,
    access: 'write',
    returns: Customer,
    handle: async ({ tx, caller, params, body, now }) => {
      const before = await lockCustomer(tx, caller.workspaceId, params.id)
      if (!before) throw notFound('customer')
      const customer = { ...before, ...body, updatedAt: now }
      await updateCustomer(tx, caller.workspaceId, customer)
      return customer
    },
  }),
]
