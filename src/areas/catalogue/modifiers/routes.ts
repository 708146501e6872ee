import { Type } from 'typebox'
import { route } from '../../../platform/http/route.ts'
import { Deleted, IdParams } from '../../../platform/http/shapes.ts'
import {
  GroupIn,
  GroupPatch,
  Modifier,
  ModifierGroup,
  ModifierIn,
  ModifierParams,
  ModifierPatch,
} from './schema.ts'
import {
  addModifier,
  createGroup,
  deleteGroup,
  deleteModifier,
  getGroup,
  updateGroup,
  updateModifier,
} from './service.ts'
import * as store from './store.ts'

const area = 'modifiers'
const One = Type.Object({ group: ModifierGroup })
const OneModifier = Type.Object({ modifier: Modifier })

/** What is attached to a product is part of the product: those two routes live with the products. */
export const modifierRoutes = [
  route({
    name: 'modifierGroups.list',
    method: 'GET',
    path: '/modifiers',
    area,
    summary: 'List modifier groups with their modifiers',
    access: 'read',
    delegation: 'read',
    returns: Type.Object({ groups: Type.Array(ModifierGroup) }),
    handle: async ({ db, scope }) => ({ groups: await store.list(db, scope) }),
  }),
  route({
    name: 'modifierGroups.create',
    method: 'POST',
    path: '/modifiers',
    area,
    summary: 'Create a modifier group',
    access: 'write',
    delegation: 'write',
    status: 201,
    body: GroupIn,
    returns: One,
    handle: async ({ tx, scope, body }) => ({ group: await createGroup(tx, scope, body) }),
  }),
  route({
    name: 'modifierGroups.get',
    method: 'GET',
    path: '/modifiers/{id}',
    area,
    summary: 'Read a modifier group',
    access: 'read',
    delegation: 'read',
    params: IdParams,
    returns: One,
    handle: async ({ db, scope, params }) => ({ group: await getGroup(db, scope, params.id) }),
  }),
  route({
    name: 'modifierGroups.update',
    method: 'PATCH',
    path: '/modifiers/{id}',
    area,
    summary: 'Change a modifier group',
    access: 'write',
    delegation: 'write',
    params: IdParams,
    body: GroupPatch,
    returns: One,
    handle: async ({ tx, scope, params, body }) => ({
      group: await updateGroup(tx, scope, params.id, body),
    }),
  }),
  route({
    name: 'modifierGroups.delete',
    method: 'DELETE',
    path: '/modifiers/{id}',
    area,
    summary: 'Delete a modifier group; products lose it, past sales keep it',
    access: 'write',
    delegation: 'write',
    params: IdParams,
    returns: Deleted,
    handle: ({ tx, scope, params }) => deleteGroup(tx, scope, params.id),
  }),
  route({
    name: 'modifiers.create',
    method: 'POST',
    path: '/modifiers/{id}/items',
    area,
    summary: 'Add a modifier to a group',
    access: 'write',
    delegation: 'write',
    status: 201,
    params: IdParams,
    body: ModifierIn,
    returns: OneModifier,
    handle: async ({ tx, scope, params, body }) => ({
      modifier: await addModifier(tx, scope, params.id, body),
    }),
  }),
  route({
    name: 'modifiers.update',
    method: 'PATCH',
    path: '/modifiers/{id}/items/{modId}',
    area,
    summary: 'Change a modifier',
    access: 'write',
    delegation: 'write',
    params: ModifierParams,
    body: ModifierPatch,
    returns: OneModifier,
    handle: async ({ tx, scope, params, body }) => ({
      modifier: await updateModifier(tx, scope, params.id, params.modId, body),
    }),
  }),
  route({
    name: 'modifiers.delete',
    method: 'DELETE',
    path: '/modifiers/{id}/items/{modId}',
    area,
    summary: 'Delete a modifier',
    access: 'write',
    delegation: 'write',
    params: ModifierParams,
    returns: Deleted,
    handle: ({ tx, scope, params }) => deleteModifier(tx, scope, params.id, params.modId),
  }),
]
