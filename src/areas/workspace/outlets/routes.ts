import { Type } from 'typebox'
import { route } from '../../../platform/http/route.ts'
import { Deleted, IdParams } from '../../../platform/http/shapes.ts'
import { Outlet, OutletIn, OutletPatch } from './schema.ts'
import { createOutlet, deleteOutlet, readOutlet, updateOutlet } from './service.ts'
import * as store from './store.ts'

const area = 'outlets'
const One = Type.Object({ outlet: Outlet })

export const outletRoutes = [
  route({
    name: 'outlets.list',
    method: 'GET',
    path: '/outlets',
    area,
    summary: 'List outlets',
    description: 'The list includes inactive outlets.',
    access: 'read',
    delegation: 'read',
    returns: Type.Object({ outlets: Type.Array(Outlet) }),
    handle: async ({ db, scope }) => ({ outlets: await store.list(db, scope) }),
  }),
  route({
    name: 'outlets.create',
    method: 'POST',
    path: '/outlets',
    area,
    summary: 'Create an outlet',
    description:
      'Tax rate, tax mode and time zone belong to the outlet. The plan limits active outlets (403 LIMIT_REACHED).',
    access: 'write',
    delegation: 'write',
    status: 201,
    body: OutletIn,
    document: { refuses: ['LIMIT_REACHED'] },
    returns: One,
    handle: async ({ tx, scope, body }) => ({ outlet: await createOutlet(tx, scope, body) }),
  }),
  route({
    name: 'outlets.get',
    method: 'GET',
    path: '/outlets/{id}',
    area,
    summary: 'Read an outlet',
    description: 'Also returns an inactive outlet.',
    access: 'read',
    delegation: 'read',
    params: IdParams,
    hotPath: { holdsSlot: false },
    returns: One,
    handle: async ({ db, scope, params }) => ({ outlet: await readOutlet(db, scope, params.id) }),
  }),
  route({
    name: 'outlets.update',
    method: 'PATCH',
    path: '/outlets/{id}',
    area,
    summary: 'Change an outlet',
    description:
      'Changes only the fields that are sent. An inactive outlet accepts no new sales, but its open bills and shifts can be finished.',
    access: 'write',
    delegation: 'write',
    params: IdParams,
    body: OutletPatch,
    document: { refuses: ['LIMIT_REACHED'] },
    returns: One,
    handle: async ({ tx, scope, params, body }) => ({
      outlet: await updateOutlet(tx, scope, params.id, body),
    }),
  }),
  route({
    name: 'outlets.delete',
    method: 'DELETE',
    path: '/outlets/{id}',
    area,
    summary: 'Delete an outlet, or deactivate it if it has sales',
    description:
      'An outlet with a sale of any status is deactivated. Otherwise it is deleted with its stock, shifts, tables and purchase orders, and an audit event counts them.',
    access: 'write',
    delegation: 'write',
    params: IdParams,
    returns: Type.Union([Deleted, Type.Object({ outlet: Outlet, deactivated: Type.Literal(true) })]),
    handle: ({ tx, scope, params }) => deleteOutlet(tx, scope, params.id),
  }),
]
