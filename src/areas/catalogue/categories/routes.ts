import { Type } from 'typebox'
import { route } from '../../../platform/http/route.ts'
import { IdParams } from '../../../platform/http/shapes.ts'
import { Category, CategoryIn, CategoryOrder, CategoryPatch } from './schema.ts'
import { createCategory, reorderCategories, updateCategory } from './service.ts'
import * as store from './store.ts'

const area = 'categories'
const One = Type.Object({ category: Category })
const Many = Type.Object({ categories: Type.Array(Category) })

export const categoryRoutes = [
  route({
    name: 'categories.list',
    method: 'GET',
    path: '/categories',
    area,
    summary: 'List categories',
    description: 'Categories are sorted by `sortOrder`, then by name. `productCount` counts active products.',
    access: 'read',
    delegation: 'read',
    returns: Many,
    handle: async ({ db, scope }) => ({ categories: await store.list(db, scope) }),
  }),
  route({
    name: 'categories.create',
    method: 'POST',
    path: '/categories',
    area,
    summary: 'Create a category',
    description: '`station` is the kitchen station that prepares the products of this category.',
    access: 'write',
    delegation: 'write',
    status: 201,
    body: CategoryIn,
    returns: One,
    handle: async ({ tx, scope, body }) => ({ category: await createCategory(tx, scope, body) }),
  }),
  route({
    name: 'categories.update',
    method: 'PATCH',
    path: '/categories/{id}',
    area,
    summary: 'Change a category',
    description:
      'Changes only the fields that are sent. Past sales do not change. Reports use the current category of each product.',
    access: 'write',
    delegation: 'write',
    params: IdParams,
    body: CategoryPatch,
    returns: One,
    handle: async ({ tx, scope, params, body }) => ({
      category: await updateCategory(tx, scope, params.id, body),
    }),
  }),
  route({
    name: 'categories.reorder',
    method: 'POST',
    path: '/categories/reorder',
    area,
    summary: 'Set the order of all categories',
    description:
      'Send the id of every category exactly once. An unknown id is 404; a missing or repeated id is 422 `ids`.',
    access: 'write',
    delegation: 'write',
    body: CategoryOrder,
    returns: Many,
    handle: async ({ tx, scope, body }) => ({ categories: await reorderCategories(tx, scope, body.ids) }),
  }),
]
