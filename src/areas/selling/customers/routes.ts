import { Type } from 'typebox'
import { route } from '../../../platform/http/route.ts'
import { Deleted, Id, IdParams } from '../../../platform/http/shapes.ts'
import { listed, texts } from '../../../platform/http/whole.ts'
import { adjustPoints, getLoyalty, redeemPoints } from './loyalty.ts'
import {
  AdjustIn,
  Customer,
  CustomerIn,
  CustomerPatch,
  CustomerQuery,
  Loyalty,
  LoyaltyEntry,
  RedeemIn,
} from './schema.ts'
import { createCustomer, deleteCustomer, getCustomer, updateCustomer } from './service.ts'
import * as store from './store.ts'

const area = 'customers'
const One = Type.Object({ customer: Customer })
const Moved = Type.Object({ customer: Customer, entry: LoyaltyEntry })

export const customerRoutes = [
  route({
    name: 'customers.list',
    method: 'GET',
    path: '/customers',
    area,
    summary: 'List or search customers by name, phone or email',
    access: 'read',
    whole: true,
    delegation: 'read',
    query: CustomerQuery,
    returns: Type.Object({ customers: Type.Array(Customer) }),
    handle: ({ db, scope, query: { q, ...page } }) =>
      listed(page, {
        name: 'customers',
        keyOf: ({ name, id }) => [name, id],
        isKey: texts(2),
        read: (span) => store.list(db, scope, q, span),
      }),
  }),
  route({
    name: 'customers.create',
    method: 'POST',
    path: '/customers',
    area,
    summary: 'Add a customer; the answer names others with the same phone or email',
    access: 'write',
    delegation: 'write',
    role: 'CASHIER',
    status: 201,
    body: CustomerIn,
    returns: Type.Object({ customer: Customer, possibleDuplicates: Type.Array(Id) }),
    handle: ({ tx, scope, body }) => createCustomer(tx, scope, body),
  }),
  route({
    name: 'customers.get',
    method: 'GET',
    path: '/customers/{id}',
    area,
    summary: 'Read a customer',
    access: 'read',
    delegation: 'read',
    params: IdParams,
    returns: One,
    handle: async ({ db, scope, params }) => ({ customer: await getCustomer(db, scope, params.id) }),
  }),
  route({
    name: 'customers.update',
    method: 'PATCH',
    path: '/customers/{id}',
    area,
    summary: 'Change a customer',
    access: 'write',
    delegation: 'write',
    role: 'CASHIER',
    params: IdParams,
    body: CustomerPatch,
    returns: One,
    handle: async ({ tx, scope, params, body }) => ({
      customer: await updateCustomer(tx, scope, params.id, body),
    }),
  }),
  route({
    name: 'customers.delete',
    method: 'DELETE',
    path: '/customers/{id}',
    area,
    summary: 'Delete a customer, or erase the personal data when sales, cards or points name it',
    access: 'write',
    delegation: 'write',
    role: 'CASHIER',
    params: IdParams,
    returns: Type.Union([Deleted, Type.Object({ customer: Customer, deactivated: Type.Literal(true) })]),
    handle: ({ tx, scope, params }) => deleteCustomer(tx, scope, params.id),
  }),
  route({
    name: 'loyalty.get',
    method: 'GET',
    path: '/customers/{id}/loyalty',
    area,
    summary: 'Read the points ledger, newest first',
    access: 'read',
    delegation: 'read',
    params: IdParams,
    returns: Loyalty,
    handle: ({ db, scope, params }) => getLoyalty(db, scope, params.id),
  }),
  route({
    name: 'loyalty.adjust',
    method: 'POST',
    path: '/customers/{id}/loyalty/adjust',
    area,
    summary: 'Correct the points of a customer by hand',
    access: 'write',
    delegation: 'books',
    role: 'CASHIER',
    params: IdParams,
    body: AdjustIn,
    returns: Moved,
    handle: ({ tx, scope, params, body }) => adjustPoints(tx, scope, params.id, body),
  }),
  route({
    name: 'loyalty.redeem',
    method: 'POST',
    path: '/customers/{id}/loyalty/redeem',
    area,
    summary: 'Spend points of a customer',
    access: 'write',
    delegation: 'books',
    role: 'CASHIER',
    params: IdParams,
    body: RedeemIn,
    returns: Moved,
    handle: ({ tx, scope, params, body }) => redeemPoints(tx, scope, params.id, body.points),
  }),
]
