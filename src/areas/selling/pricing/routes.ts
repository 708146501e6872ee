import { Type } from 'typebox'
import { route } from '../../../platform/http/route.ts'
import { Deleted, IdParams } from '../../../platform/http/shapes.ts'
import { PriceList, PriceListIn, PriceListPatch } from './schema.ts'
import { createPriceList, deletePriceList, getPriceList, updatePriceList } from './service.ts'
import * as store from './store.ts'

const area = 'price-lists'
const One = Type.Object({ priceList: PriceList })

export const pricingRoutes = [
  route({
    name: 'priceLists.list',
    method: 'GET',
    path: '/price-lists',
    area,
    summary: 'List price lists',
    description:
      'In order of priority, the older one first on a tie: the first list that fits sets the price.',
    access: 'read',
    delegation: 'read',
    returns: Type.Object({ priceLists: Type.Array(PriceList) }),
    handle: async ({ db, scope }) => ({ priceLists: await store.list(db, scope) }),
  }),
  route({
    name: 'priceLists.create',
    method: 'POST',
    path: '/price-lists',
    area,
    summary: 'Create a price list',
    description: 'Sales use it from then on; open bills keep their prices.',
    access: 'write',
    delegation: 'write',
    status: 201,
    body: PriceListIn,
    document: { refuses: ['LIMIT_REACHED'] },
    returns: One,
    handle: async ({ tx, scope, body }) => ({ priceList: await createPriceList(tx, scope, body) }),
  }),
  route({
    name: 'priceLists.get',
    method: 'GET',
    path: '/price-lists/{id}',
    area,
    summary: 'Read a price list',
    description: 'With all its entries.',
    access: 'read',
    delegation: 'read',
    params: IdParams,
    returns: One,
    handle: async ({ db, scope, params }) => ({ priceList: await getPriceList(db, scope, params.id) }),
  }),
  route({
    name: 'priceLists.update',
    method: 'PATCH',
    path: '/price-lists/{id}',
    area,
    summary: 'Change a price list',
    description: 'Fields that are left out stay; `entries` replaces all.',
    access: 'write',
    delegation: 'write',
    params: IdParams,
    body: PriceListPatch,
    document: { refuses: ['LIMIT_REACHED'] },
    returns: One,
    handle: async ({ tx, scope, params, body }) => ({
      priceList: await updatePriceList(tx, scope, params.id, body),
    }),
  }),
  route({
    name: 'priceLists.delete',
    method: 'DELETE',
    path: '/price-lists/{id}',
    area,
    summary: 'Delete a price list',
    description: 'Past sales and open bills keep their prices and its id.',
    access: 'write',
    delegation: 'write',
    params: IdParams,
    returns: Deleted,
    handle: ({ tx, scope, params }) => deletePriceList(tx, scope, params.id),
  }),
]
