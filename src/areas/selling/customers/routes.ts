import { Type } from 'typebox'
import { route } from '../../../platform/http/route.ts'
import { Deleted, Id, IdParams } from '../../../platform/http/shapes.ts'
import { listed, texts } from '../../../platform/http/whole.ts'
import { adjustPoints, getLoyalty, redeemPoints } from './loyalty.ts'
import {
  Customer,
  CustomerIn,
  CustomerPatch,
  CustomerQuery,
  CustomerWarning,
  Loyalty,
  LoyaltyEntry,
  LoyaltyQuery,
  PointsAdjustmentIn,
  RedeemIn,
} from './schema.ts'
import { createCustomer, deleteCustomer, getCustomer, updateCustomer } from './service.ts'
import * as store from './store.ts'

const area = 'customers'
const One = Type.Object({ customer: Customer })
const Warnings = Type.Array(CustomerWarning)
const Moved = Type.Object({ customer: Customer, entry: LoyaltyEntry })

export const customerRoutes = [
  route({
    name: 'customers.list',
    method: 'GET',
    path: '/customers',
    area,
    summary: 'List or search customers by name, phone or email',
    description: 'A search finds a phone number as +62 812, 0812 or 812. The list has no erased customers.',
    access: 'whole',
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
    summary: 'Add a customer',
    description:
      'Several customers can have the same phone number or e-mail address. `possibleDuplicates` lists up to 20 of them.',
    access: 'write',
    delegation: 'write',
    role: 'CASHIER',
    status: 201,
    body: CustomerIn,
    returns: Type.Object({ customer: Customer, possibleDuplicates: Type.Array(Id), warnings: Warnings }),
    handle: ({ tx, scope, body }) => createCustomer(tx, scope, body),
  }),
  route({
    name: 'customers.get',
    method: 'GET',
    path: '/customers/{id}',
    area,
    summary: 'Read a customer',
    description: 'The answer includes the points balance, `totalSpent` and `visitCount`.',
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
    description: 'Changes only the fields that are sent. An erased customer cannot be changed (409).',
    access: 'write',
    delegation: 'write',
    role: 'CASHIER',
    params: IdParams,
    body: CustomerPatch,
    returns: Type.Object({ customer: Customer, warnings: Warnings }),
    handle: ({ tx, scope, params, body }) => updateCustomer(tx, scope, params.id, body),
  }),
  route({
    name: 'customers.delete',
    method: 'DELETE',
    path: '/customers/{id}',
    area,
    summary: 'Delete a customer, or erase the personal data',
    description:
      'Erasing removes name, phone, e-mail and note, also from events and shipments; sales keep the id.',
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
    description: 'The entry types are EARN, REDEEM, ADJUST and REVERSE. Each entry has the balance after it.',
    access: 'whole',
    delegation: 'read',
    params: IdParams,
    query: LoyaltyQuery,
    returns: Loyalty,
    handle: ({ db, scope, params, query }) => getLoyalty(db, scope, params.id, query),
  }),
  route({
    name: 'loyalty.adjust',
    method: 'POST',
    path: '/customers/{id}/loyalty/adjust',
    area,
    summary: 'Correct the points of a customer by hand',
    description: 'A correction of 0 and one that makes the balance negative are 422.',
    access: 'write',
    delegation: 'books',
    role: 'CASHIER',
    params: IdParams,
    body: PointsAdjustmentIn,
    returns: Moved,
    handle: ({ tx, scope, params, body }) => adjustPoints(tx, scope, params.id, body),
  }),
  route({
    name: 'loyalty.redeem',
    method: 'POST',
    path: '/customers/{id}/loyalty/redeem',
    area,
    summary: 'Redeem points of a customer',
    description: 'Changes only the ledger and no sale. More points than the balance are 422 `points`.',
    access: 'write',
    delegation: 'books',
    role: 'CASHIER',
    params: IdParams,
    body: RedeemIn,
    returns: Moved,
    handle: ({ tx, scope, params, body }) => redeemPoints(tx, scope, params.id, body.points),
  }),
]
