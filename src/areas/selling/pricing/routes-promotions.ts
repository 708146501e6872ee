import { Type } from 'typebox'
import { route } from '../../../platform/http/route.ts'
import { Deleted, IdParams } from '../../../platform/http/shapes.ts'
import { createPromotion, deletePromotion, getPromotion, updatePromotion } from './promotions.ts'
import { Promotion, PromotionIn, PromotionPatch } from './schema-promotions.ts'
import * as store from './store-promotions.ts'

const area = 'promotions'
const One = Type.Object({ promotion: Promotion })

export const promotionRoutes = [
  route({
    name: 'promotions.list',
    method: 'GET',
    path: '/promotions',
    area,
    summary: 'List promotions and vouchers',
    description:
      'In order of priority, the older one first on a tie. `usedCount` counts the uses of a voucher.',
    access: 'read',
    delegation: 'read',
    role: 'MANAGER',
    returns: Type.Object({ promotions: Type.Array(Promotion) }),
    handle: async ({ db, scope }) => ({ promotions: await store.list(db, scope) }),
  }),
  route({
    name: 'promotions.create',
    method: 'POST',
    path: '/promotions',
    area,
    summary: 'Create a promotion or a voucher',
    description:
      'Without a code it applies by itself to every sale that fits, with a code to sales that send it in `voucherCodes`. A code that another promotion has is 409.',
    access: 'write',
    delegation: 'write',
    status: 201,
    body: PromotionIn,
    document: { refuses: ['LIMIT_REACHED'] },
    returns: One,
    handle: async ({ tx, scope, body }) => ({ promotion: await createPromotion(tx, scope, body) }),
  }),
  route({
    name: 'promotions.get',
    method: 'GET',
    path: '/promotions/{id}',
    area,
    summary: 'Read a promotion',
    description: 'With its code, which cashiers do not see.',
    access: 'read',
    delegation: 'read',
    role: 'MANAGER',
    params: IdParams,
    returns: One,
    handle: async ({ db, scope, params }) => ({ promotion: await getPromotion(db, scope, params.id) }),
  }),
  route({
    name: 'promotions.update',
    method: 'PATCH',
    path: '/promotions/{id}',
    area,
    summary: 'Change a promotion',
    description:
      'Changes only the fields that are sent; its kind stays. Completed sales keep what they were given.',
    access: 'write',
    delegation: 'write',
    params: IdParams,
    body: PromotionPatch,
    document: { refuses: ['LIMIT_REACHED'] },
    returns: One,
    handle: async ({ tx, scope, params, body }) => ({
      promotion: await updatePromotion(tx, scope, params.id, body),
    }),
  }),
  route({
    name: 'promotions.delete',
    method: 'DELETE',
    path: '/promotions/{id}',
    area,
    summary: 'Delete a promotion',
    description: 'Sales keep what they were given. Its code can be used for another promotion.',
    access: 'write',
    delegation: 'write',
    params: IdParams,
    returns: Deleted,
    handle: ({ tx, scope, params }) => deletePromotion(tx, scope, params.id),
  }),
]
