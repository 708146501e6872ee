import { Type } from 'typebox'
import { route } from '../../../platform/http/route.ts'
import { IdParams } from '../../../platform/http/shapes.ts'
import { listed, texts } from '../../../platform/http/whole.ts'
import { Supplier, SupplierIn, SupplierPatch, SupplierQuery } from './schema.ts'
import { createSupplier, deactivateSupplier, getSupplier, updateSupplier } from './service.ts'
import * as store from './store.ts'

const area = 'suppliers'
const One = Type.Object({ supplier: Supplier })

export const supplierRoutes = [
  route({
    name: 'suppliers.list',
    method: 'GET',
    path: '/suppliers',
    area,
    summary: 'List or search suppliers',
    description: '`q` searches name, contact, phone and e-mail.',
    access: 'whole',
    delegation: 'read',
    query: SupplierQuery,
    returns: Type.Object({ suppliers: Type.Array(Supplier) }),
    handle: ({ db, scope, query: { q, ...page } }) =>
      listed(page, {
        name: 'suppliers',
        keyOf: ({ name, id }) => [name, id],
        isKey: texts(2),
        read: (span) => store.list(db, scope, q, span),
      }),
  }),
  route({
    name: 'suppliers.create',
    method: 'POST',
    path: '/suppliers',
    area,
    summary: 'Create a supplier',
    description: 'Purchase orders can name the supplier from then on.',
    access: 'write',
    delegation: 'write',
    status: 201,
    body: SupplierIn,
    returns: One,
    handle: async ({ tx, scope, body }) => ({ supplier: await createSupplier(tx, scope, body) }),
  }),
  route({
    name: 'suppliers.get',
    method: 'GET',
    path: '/suppliers/{id}',
    area,
    summary: 'Read a supplier',
    description: 'Also returns an inactive supplier.',
    access: 'read',
    delegation: 'read',
    params: IdParams,
    returns: One,
    handle: async ({ db, scope, params }) => ({ supplier: await getSupplier(db, scope, params.id) }),
  }),
  route({
    name: 'suppliers.update',
    method: 'PATCH',
    path: '/suppliers/{id}',
    area,
    summary: 'Change a supplier',
    description: 'Changes only the fields that are sent.',
    access: 'write',
    delegation: 'write',
    params: IdParams,
    body: SupplierPatch,
    returns: One,
    handle: async ({ tx, scope, params, body }) => ({
      supplier: await updateSupplier(tx, scope, params.id, body),
    }),
  }),
  route({
    name: 'suppliers.delete',
    method: 'DELETE',
    path: '/suppliers/{id}',
    area,
    summary: 'Deactivate a supplier',
    description: 'A supplier is never deleted, because purchase orders refer to it.',
    access: 'write',
    delegation: 'write',
    params: IdParams,
    returns: Type.Object({ supplier: Supplier, deactivated: Type.Literal(true) }),
    handle: ({ tx, scope, params }) => deactivateSupplier(tx, scope, params.id),
  }),
]
