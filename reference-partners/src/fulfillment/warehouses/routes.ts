import { conflict, Deleted, flagOf, IdParams, notFound, pageByKey } from 'kasir/partner-tools'
import { route } from '../../kit/http/route.ts'
import { afterOf, cursorOf } from '../../kit/lists.ts'
import { newId } from '../ids.ts'
import { regionOf } from '../shipping/regions.ts'
import { Warehouse, WarehouseCreate, WarehousePatch, WarehouseQuery } from './schema.ts'
import {
  deleteWarehouse,
  findWarehouse,
  insertWarehouse,
  listWarehouses,
  lockWarehouse,
  updateWarehouse,
} from './store.ts'

export const warehouseRoutes = [
  route({
    name: 'warehouses.list',
    method: 'GET',
    path: '/warehouses',
    tag: 'warehouses',
    summary: 'Newest first',
    query: WarehouseQuery,
    access: 'read',
    page: true,
    returns: Warehouse,
    handle: async ({ db, caller, query: { limit, cursor, isActive } }) => {
      const asked = { isActive: flagOf(isActive), after: afterOf(cursor, 'whs'), limit: limit + 1 }
      return pageByKey(await listWarehouses(db, caller.workspaceId, asked), limit, cursorOf)
    },
  }),
  route({
    name: 'warehouses.create',
    method: 'POST',
    path: '/warehouses',
    tag: 'warehouses',
    summary: 'Adds a warehouse',
    status: 201,
    body: WarehouseCreate,
    access: 'write',
    returns: Warehouse,
    handle: async ({ tx, caller, body: { isActive = true, ...rest }, now }) => {
      regionOf(rest.postalCode, 'postalCode')
      const warehouse = { id: newId('warehouse'), ...rest, isActive, createdAt: now, updatedAt: now }
      await insertWarehouse(tx, caller.workspaceId, warehouse)
      return warehouse
    },
  }),
  route({
    name: 'warehouses.get',
    method: 'GET',
    path: '/warehouses/{id}',
    tag: 'warehouses',
    summary: 'One warehouse',
    params: IdParams,
    access: 'read',
    returns: Warehouse,
    handle: async ({ db, caller, params }) => {
      const warehouse = await findWarehouse(db, caller.workspaceId, params.id)
      if (!warehouse) throw notFound('warehouse')
      return warehouse
    },
  }),
  route({
    name: 'warehouses.update',
    method: 'PATCH',
    path: '/warehouses/{id}',
    tag: 'warehouses',
    summary: 'Changes the fields that are sent',
    params: IdParams,
    body: WarehousePatch,
    access: 'write',
    returns: Warehouse,
    handle: async ({ tx, caller, params, body, now }) => {
      const before = await lockWarehouse(tx, caller.workspaceId, params.id, { share: false })
      if (!before) throw notFound('warehouse')
      if (body.postalCode !== undefined) regionOf(body.postalCode, 'postalCode')
      const warehouse = { ...before, ...body, updatedAt: now }
      await updateWarehouse(tx, caller.workspaceId, warehouse)
      return warehouse
    },
  }),
  route({
    name: 'warehouses.delete',
    method: 'DELETE',
    path: '/warehouses/{id}',
    tag: 'warehouses',
    summary: 'Removes one that no goods were ever in; 409 for others, which are switched off with `isActive`',
    params: IdParams,
    access: 'write',
    returns: Deleted,
    handle: async ({ tx, caller: { workspaceId }, params: { id } }) => {
      if (!(await lockWarehouse(tx, workspaceId, id, { share: false }))) throw notFound('warehouse')
      if (!(await deleteWarehouse(tx, workspaceId, id)))
        throw conflict(
          'Goods were moved in this warehouse, and its history stays; switch it off with isActive: false',
        )
      return { id, deleted: true as const }
    },
  }),
]
