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
import { addModifier, createGroup, deleteModifier, getGroup, updateGroup, updateModifier } from './service.ts'
import * as store from './store.ts'

const area = 'modifiers'
const One = Type.Object({ group: ModifierGroup })
const OneModifier = Type.Object({ modifier: Modifier })

/** The routes for the modifier groups of a product are in the products room. */
export const modifierRoutes = [
  route({
    name: 'modifierGroups.list',
    method: 'GET',
    path: '/modifiers',
    area,
    summary: 'List modifier groups with their modifiers',
    description: 'Each group shows how many modifiers a customer must choose and may choose.',
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
    description:
      'A customer chooses `minSelect` to `maxSelect` modifiers; null means no upper limit. Tills enforce these limits.',
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
    description: 'The answer includes the modifiers of the group and their prices.',
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
    description:
      'Changes only the fields that are sent. The change applies to every product that uses the group.',
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
    name: 'modifiers.create',
    method: 'POST',
    path: '/modifiers/{id}/items',
    area,
    summary: 'Add a modifier to a group',
    description: '`price` is added to the unit price of an item.',
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
    description:
      'Changes only the fields that are sent. Items already sold keep the name and price they had.',
    access: 'write',
    delegation: 'write',
    params: ModifierParams,
    body: ModifierPatch,
    returns: OneModifier,
    handle: async ({ tx, scope, params, body }) => ({
      modifier: await updateModifier(tx, scope, { groupId: params.id, id: params.modId, patch: body }),
    }),
  }),
  route({
    name: 'modifiers.delete',
    method: 'DELETE',
    path: '/modifiers/{id}/items/{modId}',
    area,
    summary: 'Delete a modifier',
    description: 'Items of past sales and of open bills keep the modifier.',
    access: 'write',
    delegation: 'write',
    params: ModifierParams,
    returns: Deleted,
    handle: ({ tx, scope, params }) => deleteModifier(tx, scope, params.id, params.modId),
  }),
]
