import { Type } from 'typebox'
import { route } from '../../../platform/http/route.ts'
import { Deleted, flagOf, IdParams } from '../../../platform/http/shapes.ts'
import { listed, texts } from '../../../platform/http/whole.ts'
import { ModifierGroup } from '../modifiers/index.ts'
import { deleteCategory, setCategoryOfMany } from './categories.ts'
import { lookup } from './lookup.ts'
import { deleteModifierGroup, listGroupsOfProduct, setGroupsOfProduct } from './modifiers.ts'
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
import { isLeftOut, list, PORTION } from './statements-products.ts'
import { addVariant, deleteVariant, updateVariant } from './variants.ts'

const area = 'products'
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
    description: '`categoryId`, `active` and `q` filter the list.',
    access: 'whole',
    hotPath: { provesKey: true },
    delegation: 'read',
    query: ProductQuery,
    returns: Type.Object({ products: Type.Array(Product) }),
    handle: ({ db, scope, query: { categoryId, active, q, ...page } }) => {
      const filter = { categoryId, active: flagOf(active), q }
      return listed(page, {
        name: 'products',
        keyOf: ({ name, id }) => [name, id],
        isKey: texts(2),
        read: (span) => list(db, scope, filter, span),
        isLeftOut,
        portion: PORTION,
      })
    },
  }),
  route({
    name: 'products.lookup',
    method: 'GET',
    path: '/products/lookup',
    area,
    summary: 'Find variants to sell by barcode or by text',
    description:
      '`barcode` returns the one active variant with this barcode, and `pack` if the barcode is that of a pack. `q` returns up to 20 active variants in this order: ' +
      'exact barcode, exact SKU, then names and SKUs that begin with the text, contain it or resemble it.',
    access: 'read',
    delegation: 'read',
    query: LookupQuery,
    hotPath: { provesKey: 'acrossWorkers', holdsSlot: ({ barcode }) => barcode === undefined },
    returns: Type.Object({ matches: Type.Array(Match) }),
    handle: async ({ db, scope, query }) => ({ matches: await lookup(db, scope, query) }),
  }),
  route({
    name: 'products.create',
    method: 'POST',
    path: '/products',
    area,
    summary: 'Create a product with its variants',
    description:
      'A product has 1 to 250 variants; each needs only a `price`. SKUs and barcodes, those of packs included, are unique among active variants (409). The plan limits the number of active products.',
    access: 'write',
    delegation: 'write',
    status: 201,
    body: ProductIn,
    document: { refuses: ['LIMIT_REACHED'] },
    returns: One,
    handle: async ({ tx, scope, body }) => ({ product: await createProduct(tx, scope, body) }),
  }),
  route({
    name: 'products.setCategory',
    method: 'POST',
    path: '/products/bulk-category',
    area,
    summary: 'Move up to 500 products to a category',
    description:
      '`categoryId` null removes them from their categories. If one product is unknown, none is moved.',
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
    description: 'The answer includes its variants with their prices and costs.',
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
    summary: 'Change a product and, if sent, its list of variants',
    description:
      'An entry of `variants` with `id` changes that variant. An entry without `id` is matched by SKU or created. ' +
      'Variants that are not in the list are deleted, or deactivated if a sale, recipe or order refers to them.',
    access: 'write',
    delegation: 'write',
    params: IdParams,
    body: ProductPatch,
    document: { refuses: ['LIMIT_REACHED'] },
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
    summary: 'Delete a product, or deactivate it while other records refer to it',
    description:
      'The product is deleted only if no sale, purchase order or recipe refers to one of its variants. Otherwise it is deactivated. Past sales keep it.',
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
    description:
      'Only `price` is required. The default name is `Default` and the default cost 0. SKUs and barcodes, those of packs included, are unique among active variants (409).',
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
    description:
      'Changes only the fields that are sent and announces the product as changed. Past sales keep their prices.',
    access: 'write',
    delegation: 'write',
    params: VariantParams,
    body: VariantPatch,
    returns: OneVariant,
    handle: async ({ tx, scope, params, body }) => ({
      variant: await updateVariant(tx, scope, { productId: params.id, id: params.vid, patch: body }),
    }),
  }),
  route({
    name: 'variants.delete',
    method: 'DELETE',
    path: '/products/{id}/variants/{vid}',
    area,
    summary: 'Delete a variant, or deactivate it while other records refer to it',
    description:
      'The variant is deleted only if no sale, purchase order or recipe of another variant refers to it. Otherwise it is deactivated. The last variant of a product can be deleted too.',
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
    description:
      'The answer lists the components with quantities in their stock units. `derivedCost` is their total cost.',
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
    description:
      'A sale of a composite removes its components from stock. The composite itself has no stock.',
    access: 'write',
    delegation: 'write',
    params: VariantParams,
    body: RecipeIn,
    returns: Recipe,
    handle: ({ tx, scope, params, body }) =>
      putRecipe(tx, scope, { productId: params.id, id: params.vid, recipe: body }),
  }),
  route({
    name: 'categories.delete',
    method: 'DELETE',
    path: '/categories/{id}',
    area: 'categories',
    summary: 'Delete a category and keep its products',
    description: 'Each product of the category is announced as changed.',
    access: 'write',
    delegation: 'write',
    params: IdParams,
    returns: Deleted,
    handle: ({ tx, scope, params }) => deleteCategory(tx, scope, params.id),
  }),
  route({
    name: 'modifierGroups.delete',
    method: 'DELETE',
    path: '/modifiers/{id}',
    area: 'modifiers',
    summary: 'Delete a modifier group and remove it from its products',
    description: 'Items of past sales keep the names and prices of their modifiers.',
    access: 'write',
    delegation: 'write',
    params: IdParams,
    returns: Deleted,
    handle: ({ tx, scope, params }) => deleteModifierGroup(tx, scope, params.id),
  }),
  route({
    name: 'products.listModifierGroups',
    method: 'GET',
    path: '/modifiers/product/{productId}',
    area: 'modifiers',
    summary: 'List the modifier groups of a product',
    description:
      'The groups are in the order that tills show them. Each group includes its modifiers and how many of them a customer must choose.',
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
    summary: 'Set the modifier groups of a product',
    description:
      'Replaces all groups of the product with up to 50 groups, in the order sent. An unknown group is 404; a repeated one is 422.',
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
