import { Type } from 'typebox'
import { route } from '../../../platform/http/route.ts'
import { Deleted, flagOf, IdParams } from '../../../platform/http/shapes.ts'
import { createFloor, deleteFloor, listFloors, updateFloor } from './floors.ts'
import {
  Floor,
  FloorIn,
  FloorMapQuery,
  FloorPatch,
  FloorTable,
  Layout,
  OutletQuery,
  Table,
  TableIn,
  TablePatch,
  TablesQuery,
} from './schema.ts'
import { createTable, deleteTable, getFloorMap, listTables, saveLayout, updateTable } from './service.ts'

const area = 'tables'
const OneTable = Type.Object({ table: Table })
const OneFloor = Type.Object({ floor: Floor })

const floorRoutes = [
  route({
    method: 'GET',
    path: '/floors',
    area: 'floors',
    summary: 'List the floors of an outlet',
    access: 'read',
    delegation: 'read',
    query: OutletQuery,
    returns: Type.Object({ floors: Type.Array(Floor) }),
    handle: async ({ db, scope, query }) => ({ floors: await listFloors(db, scope, query.outletId) }),
  }),
  route({
    method: 'POST',
    path: '/floors',
    area: 'floors',
    summary: 'Create a floor',
    access: 'write',
    delegation: 'write',
    status: 201,
    body: FloorIn,
    returns: OneFloor,
    handle: async ({ tx, scope, body }) => ({ floor: await createFloor(tx, scope, body) }),
  }),
  route({
    method: 'PATCH',
    path: '/floors/{id}',
    area: 'floors',
    summary: 'Rename or reorder a floor',
    access: 'write',
    delegation: 'write',
    params: IdParams,
    body: FloorPatch,
    returns: OneFloor,
    handle: async ({ tx, scope, params, body }) => ({ floor: await updateFloor(tx, scope, params.id, body) }),
  }),
  route({
    method: 'DELETE',
    path: '/floors/{id}',
    area: 'floors',
    summary: 'Delete a floor without tables',
    access: 'write',
    delegation: 'write',
    params: IdParams,
    returns: Deleted,
    handle: ({ tx, scope, params }) => deleteFloor(tx, scope, params.id),
  }),
]

export const tableRoutes = [
  route({
    method: 'GET',
    path: '/tables',
    area,
    summary: 'List the tables of an outlet',
    access: 'read',
    delegation: 'read',
    query: TablesQuery,
    returns: Type.Object({ tables: Type.Array(Table) }),
    handle: async ({ db, scope, query: { outletId, floorId, includeInactive } }) => ({
      tables: await listTables(db, scope, {
        outletId,
        floorId,
        includeInactive: flagOf(includeInactive) ?? false,
      }),
    }),
  }),
  route({
    method: 'POST',
    path: '/tables',
    area,
    summary: 'Create a table',
    access: 'write',
    delegation: 'write',
    status: 201,
    body: TableIn,
    returns: OneTable,
    handle: async ({ tx, scope, body }) => ({ table: await createTable(tx, scope, body) }),
  }),
  route({
    method: 'GET',
    path: '/tables/floor',
    area,
    summary: 'Read the floor map: each active table with its open bill',
    access: 'read',
    delegation: 'read',
    query: FloorMapQuery,
    returns: Type.Object({ tables: Type.Array(FloorTable) }),
    handle: async ({ db, scope, query }) => ({
      tables: await getFloorMap(db, scope, query.outletId, query.floorId),
    }),
  }),
  route({
    method: 'PUT',
    path: '/tables/layout',
    area,
    summary: 'Save the floor map',
    access: 'write',
    delegation: 'write',
    body: Layout,
    record: Type.Object({ tables: Type.Array(Table) }),
    returns: Type.Object({ tables: Type.Array(Table) }),
    handle: async ({ tx, scope, body }) => ({ tables: await saveLayout(tx, scope, body) }),
  }),
  route({
    method: 'PATCH',
    path: '/tables/{id}',
    area,
    summary: 'Change a table or move it to another floor',
    access: 'write',
    delegation: 'write',
    params: IdParams,
    body: TablePatch,
    returns: OneTable,
    handle: async ({ tx, scope, params, body }) => ({ table: await updateTable(tx, scope, params.id, body) }),
  }),
  route({
    method: 'DELETE',
    path: '/tables/{id}',
    area,
    summary: 'Delete a table, or deactivate it when a sale names it',
    access: 'write',
    delegation: 'write',
    params: IdParams,
    returns: Type.Union([Deleted, Type.Object({ table: Table, deactivated: Type.Literal(true) })]),
    handle: ({ tx, scope, params }) => deleteTable(tx, scope, params.id),
  }),
  ...floorRoutes,
]
