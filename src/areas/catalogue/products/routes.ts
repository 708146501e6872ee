import { Type } from 'typebox'
import { route } from '../../../platform/http/route.ts'
import { Deleted, flagOf, IdParams } from '../../../platform/http/shapes.ts'
import { listed, texts } from '../../../platform/http/whole.ts'
import { ModifierGroup } from '../modifiers/index.ts'
import { deleteCategory, setCategoryOfMany } from './categories.ts'
import { lookup } from './lookup.ts'
import { listGroupsOfProduct, setGroupsOfProduct } from './modifiers.ts'
import { getRecipe, putRecipe } from './recipes.ts'
import {
  BulkCategory,
  LookupQuery,
  Match,
  Product,
  ProductGroups,
  ProductIn,
  ProductParams,
  ProductPatch,
  ProductQuery,
  Recipe,
  RecipeIn,
  Variant,
  VariantIn,
  VariantParams,
  VariantPatch,
} from './schema.ts'
import { createProduct, deleteProduct, getProduct, updateProduct } from './service.ts'
import * as store from './store.ts'
import { addVariant, deleteVariant, updateVariant } from './variants.ts'

const area = 'products'
/** A product may hold 250 variants. */
const PRODUCTS_AT_ONCE = 200
const One = Type.Object({ product: Product })
const Groups = Type.Object({ groups: Type.Array(ModifierGroup) })
const OneVariant = Type.Object({ variant: Variant })

export const productRoutes = [
  route({
    name: 'products.list',
    method: 'GET',
    path: '/products',
    area,
    summary: 'List products with their variants',
    access: 'read',
    whole: true,
    delegation: 'read',
    query: ProductQuery,
    returns: Type.Object({ products: Type.Array(Product) }),
    handle: ({ db, scope, query: { categoryId, active, q, ...page } }) =>
      listed(page, {
        name: 'products',
        keyOf: ({ name, id }) => [name, id],
        isKey: texts(2),
        read: (span) => store.list(db, scope, { categoryId, active: flagOf(active), q }, span),
        portion: PRODUCTS_AT_ONCE,
      }),
  }),
  route({
    name: 'products.lookup',
    method: 'GET',
    path: '/products/lookup',
    area,
    summary: 'Find what to sell by barcode or by text',
    description:
      'With `barcode` the one active variant that has it. With `q` up to 20 active variants: exact barcode, exact SKU, ' +
      'names and SKUs that begin with the text, that contain it, that resemble it.',
    access: 'read',
    delegation: 'read',
    query: LookupQuery,
    isShared: ({ barcode }) => barcode !== undefined,
    returns: Type.Object({ matches: Type.Array(Match) }),
    handle: async ({ db, scope, query }) => ({ matches: await lookup(db, scope, query) }),
  }),
  route({
    name: 'products.create',
    method: 'POST',
    path: '/products',
    area,
    summary: 'Create a product with its variants',
    access: 'write',
    delegation: 'write',
    status: 201,
    body: ProductIn,
    returns: One,
    handle: async ({ tx, scope, body }) => ({ product: await createProduct(tx, scope, body) }),
  }),
  route({
    name: 'products.setCategory',
    method: 'POST',
    path: '/products/bulk-category',
    area,
    summary: 'Move up to 500 products to a category',
    description: 'All or nothing. `categoryId` null takes them out of their categories.',
    access: 'write',
    delegation: 'write',
    body: BulkCategory,
    returns: Type.Object({ updated: Type.Integer() }),
    handle: ({ tx, scope, body }) => setCategoryOfMany(tx, scope, body),
  }),
  route({
    name: 'products.get',
    method: 'GET',
    path: '/products/{id}',
    area,
    summary: 'Read a product',
    access: 'read',
    delegation: 'read',
    params: IdParams,
    returns: One,
    handle: async ({ db, scope, params }) => ({ product: await getProduct(db, scope, params.id) }),
  }),
  route({
    name: 'products.update',
    method: 'PATCH',
    path: '/products/{id}',
    area,
    summary: 'Change a product; a sent list of variants replaces the present one',
    description:
      'An entry of `variants` with `id` changes that variant, one without is matched by SKU or created; variants that ' +
      'are not in the list are deleted, or deactivated when a sale, recipe or order refers to them.',
    access: 'write',
    delegation: 'write',
    params: IdParams,
    body: ProductPatch,
    returns: One,
    handle: async ({ tx, scope, params, body }) => ({
      product: await updateProduct(tx, scope, params.id, body),
    }),
  }),
  route({
    name: 'products.delete',
    method: 'DELETE',
    path: '/products/{id}',
    area,
    summary: 'Delete a product, or deactivate it when something refers to it',
    access: 'write',
    delegation: 'write',
    params: IdParams,
    returns: Type.Union([Deleted, Type.Object({ product: Product, deactivated: Type.Literal(true) })]),
    handle: ({ tx, scope, params }) => deleteProduct(tx, scope, params.id),
  }),
  route({
    name: 'variants.create',
    method: 'POST',
    path: '/products/{id}/variants',
    area,
    summary: 'Add a variant',
    access: 'write',
    delegation: 'write',
    status: 201,
    params: IdParams,
    body: VariantIn,
    returns: OneVariant,
    handle: async ({ tx, scope, params, body }) => ({
      variant: await addVariant(tx, scope, params.id, body),
    }),
  }),
  route({
    name: 'variants.update',
    method: 'PATCH',
    path: '/products/{id}/variants/{vid}',
    area,
    summary: 'Change a variant',
    access: 'write',
    delegation: 'write',
    params: VariantParams,
    body: VariantPatch,
    returns: OneVariant,
    handle: async ({ tx, scope, params, body }) => ({
      variant: await updateVariant(tx, scope, params.id, params.vid, body),
    }),
  }),
  route({
    name: 'variants.delete',
    method: 'DELETE',
    path: '/products/{id}/variants/{vid}',
    area,
    summary: 'Delete a variant, or deactivate it when something refers to it',
    access: 'write',
    delegation: 'write',
    params: VariantParams,
    returns: Type.Union([Deleted, Type.Object({ variant: Variant, deactivated: Type.Literal(true) })]),
    handle: ({ tx, scope, params }) => deleteVariant(tx, scope, params.id, params.vid),
  }),
  route({
    name: 'recipes.get',
    method: 'GET',
    path: '/products/{id}/variants/{vid}/recipe',
    area,
    summary: 'Read the recipe of a variant',
    access: 'read',
    delegation: 'read',
    params: VariantParams,
    returns: Recipe,
    handle: ({ db, scope, params }) => getRecipe(db, scope, params.id, params.vid),
  }),
  route({
    name: 'recipes.replace',
    method: 'PUT',
    path: '/products/{id}/variants/{vid}/recipe',
    area,
    summary: 'Replace the recipe of a variant',
    description: 'Selling a composite takes its components from stock; it has no stock of its own.',
    access: 'write',
    delegation: 'write',
    params: VariantParams,
    body: RecipeIn,
    returns: Recipe,
    handle: ({ tx, scope, params, body }) => putRecipe(tx, scope, params.id, params.vid, body),
  }),
  route({
    name: 'categories.delete',
    method: 'DELETE',
    path: '/categories/{id}',
    area: 'categories',
    summary: 'Delete a category; its products stay without one',
    access: 'write',
    delegation: 'write',
    params: IdParams,
    returns: Deleted,
    handle: ({ tx, scope, params }) => deleteCategory(tx, scope, params.id),
  }),
  route({
    name: 'products.listModifierGroups',
    method: 'GET',
    path: '/modifiers/product/{productId}',
    area: 'modifiers',
    summary: 'List the modifier groups of a product, in its order',
    access: 'read',
    delegation: 'read',
    params: ProductParams,
    returns: Groups,
    handle: async ({ db, scope, params }) => ({
      groups: await listGroupsOfProduct(db, scope, params.productId),
    }),
  }),
  route({
    name: 'products.setModifierGroups',
    method: 'PUT',
    path: '/modifiers/product/{productId}',
    area: 'modifiers',
    summary: 'Set the modifier groups of a product, in order',
    access: 'write',
    delegation: 'write',
    params: ProductParams,
    body: ProductGroups,
    returns: Groups,
    handle: async ({ tx, scope, params, body }) => ({
      groups: await setGroupsOfProduct(tx, scope, params.productId, body.groupIds),
    }),
  }),
]
