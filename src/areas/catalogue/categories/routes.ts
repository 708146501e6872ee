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
    access: 'write',
    delegation: 'write',
    body: CategoryOrder,
    returns: Many,
    handle: async ({ tx, scope, body }) => ({ categories: await reorderCategories(tx, scope, body.ids) }),
  }),
]
