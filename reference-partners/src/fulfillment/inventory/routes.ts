import { pageByKey } from 'kasir/partner-tools'
import { route } from '../../kit/http/route.ts'
import { afterOf, cursorOf } from '../../kit/lists.ts'
import { Adjust, AdjustedStock, Level, Movement, Product, ProductQuery, StockQuery } from './schema.ts'
import { adjustStock } from './service.ts'
import { listLevels, listMovements, listProducts } from './store.ts'

export const inventoryRoutes = [
  route({
    name: 'inventory.products',
    method: 'GET',
    path: '/inventory/products',
    tag: 'inventory',
    summary: 'Products with what there is of them in all warehouses, newest first',
    query: ProductQuery,
    access: 'read',
    page: true,
    returns: Product,
    handle: async ({ db, caller, query: { limit, cursor, sku } }) => {
      const asked = { sku, after: afterOf(cursor, 'prd'), limit: limit + 1 }
      return pageByKey(await listProducts(db, caller.workspaceId, asked), limit, cursorOf)
    },
  }),
  route({
    name: 'inventory.stock',
    method: 'GET',
    path: '/inventory/stock',
    tag: 'inventory',
    summary: 'What there is of each product in each warehouse',
    query: StockQuery,
    access: 'read',
    page: true,
    returns: Level,
    handle: async ({ db, caller, query: { limit, cursor, ...filter } }) => {
      const { warehouseId, productId } = filter
      const asked = { warehouseId, productId, after: afterOf(cursor, 'slv'), limit: limit + 1 }
      return pageByKey(await listLevels(db, caller.workspaceId, asked), limit, cursorOf)
    },
  }),
  route({
    name: 'inventory.movements',
    method: 'GET',
    path: '/inventory/movements',
    tag: 'inventory',
    summary: 'What changed the stock, newest first',
    query: StockQuery,
    access: 'read',
    page: true,
    returns: Movement,
    handle: async ({ db, caller, query: { limit, cursor, ...filter } }) => {
      const { warehouseId, productId } = filter
      const asked = { warehouseId, productId, after: afterOf(cursor, 'smv'), limit: limit + 1 }
      return pageByKey(await listMovements(db, caller.workspaceId, asked), limit, cursorOf)
    },
  }),
  route({
    name: 'inventory.adjust',
    method: 'POST',
    path: '/inventory/adjust',
    tag: 'inventory',
    summary: 'Moves goods into a warehouse or out of it, never below zero; a new sku is a new product',
    body: Adjust,
    access: 'write',
    returns: AdjustedStock,
    handle: ({ tx, caller: { workspaceId }, body, now }) => adjustStock(tx, { workspaceId, body, now }),
  }),
]
