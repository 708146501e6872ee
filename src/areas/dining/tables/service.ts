import { ApiError, conflict, invalid, notFound } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { isUniqueViolation } from '../../../platform/db/pg-errors.ts'
import { requireUnderCap } from '../../../platform/limits.ts'
import { type Scope, touchBoard, touchCatalogue } from '../../../platform/scope.ts'
import { getActiveOutlet, getOutlet } from '../../workspace/outlets/index.ts'
import { firstFloor, getFloor } from './floors.ts'
import type { FloorTable, Layout, Table, TableIn, TablePatch } from './schema.ts'
import * as statements from './statements.ts'
import * as store from './store.ts'

export type TableForSale = { id: string; label: string }

/**
 * Returns the table for a bill. Throws 404 if it is unknown. Throws 422 if it belongs to another outlet or is
 * inactive, unless the bill already has this table (`keptId`): a bill keeps its table (B-sale-6).
 */
export async function getTableForSale(
  db: Db,
  scope: Scope,
  tableId: string,
  { outletId, keptId = null }: { outletId: string; keptId?: string | null },
): Promise<TableForSale> {
  const param = 'tableId'
  const table = await getTable(db, scope, tableId, param)
  if (table.outletId !== outletId) throw invalid(param, `Table ${table.label} belongs to another outlet`)
  if (!table.isActive && table.id !== keptId) {
    throw invalid(param, `Table ${table.label} is inactive; choose another one`)
  }
  return { id: table.id, label: table.label }
}

/** Returns the table. Throws 404 if it does not exist; `param` names the field of the body that contained the id. */
export async function getTable(db: Db, scope: Scope, id: string, param?: string): Promise<Table> {
  const table = await store.find(db, scope, id)
  if (!table) throw notFound('table', param)
  return table
}

export async function listTables(db: Db, scope: Scope, filter: store.TableFilter): Promise<Table[]> {
  await getOutlet(db, scope, filter.outletId, 'outletId')
  return store.list(db, scope, filter)
}

/** Reads all active tables with their oldest open bill in one query (B-table-2). */
export async function getFloorMap(
  db: Db,
  scope: Scope,
  outletId: string,
  floorId: string | undefined,
): Promise<FloorTable[]> {
  const tables = await statements.floorMap(db, scope, outletId, floorId)
  if (tables.length === 0) await getOutlet(db, scope, outletId, 'outletId')
  return tables
}

export async function createTable(tx: Tx, scope: Scope, input: TableIn): Promise<Table> {
  await getOutlet(tx, scope, input.outletId, 'outletId')
  const floor = input.floorId === undefined ? null : await getFloor(tx, scope, input.floorId, 'floorId')
  await requireFreeLabel(tx, scope, { outletId: input.outletId, label: input.label })
  await getActiveOutlet(tx, scope, input.outletId)
  if (floor) requireSameOutlet(floor, input.outletId)
  await requireUnderCap(tx, scope, { cap: 'tables', countLive: store.countLive })
  const floorId = floor?.id ?? (await firstFloor(tx, scope, input.outletId))
  const id = await store.insert(tx, scope, { ...input, floorId }).catch(labelTaken(input.label))
  touchBoard(scope, 'floor', input.outletId)
  touchCatalogue(scope, 'table', [id])
  touchCatalogue(scope, 'floor', [floorId])
  return getTable(tx, scope, id)
}

export async function updateTable(tx: Tx, scope: Scope, id: string, patch: TablePatch): Promise<Table> {
  const table = await store.lock(tx, scope, id)
  if (!table) throw notFound('table')
  const floor = patch.floorId === undefined ? null : await getFloor(tx, scope, patch.floorId, 'floorId')
  if (patch.label !== undefined)
    await requireFreeLabel(tx, scope, { outletId: table.outletId, label: patch.label, ownId: id })
  if (floor) requireSameOutlet(floor, table.outletId)
  if (patch.isActive && !table.isActive)
    await requireUnderCap(tx, scope, { cap: 'tables', countLive: store.countLive })
  if (Object.keys(patch).length === 0) return table
  await store.update(tx, scope, id, patch).catch(labelTaken(patch.label ?? table.label))
  touchBoard(scope, 'floor', table.outletId)
  touchCatalogue(scope, 'table', [id])
  return getTable(tx, scope, id)
}

/** Deletes a table to which no sale refers. Otherwise deactivates it; its open bill can still be paid (B-table-4). */
export async function deleteTable(tx: Tx, scope: Scope, id: string) {
  const table = await store.lock(tx, scope, id)
  if (!table) throw notFound('table')
  touchBoard(scope, 'floor', table.outletId)
  touchCatalogue(scope, 'table', [id])
  if (await store.hasSales(tx, scope, id)) {
    await store.update(tx, scope, id, { isActive: false })
    return { table: await getTable(tx, scope, id), deactivated: true as const }
  }
  await store.remove(tx, scope, id)
  return { id, deleted: true as const }
}

/** Saves the map of an outlet, or of one of its floors: all tables or none (B-table-3). */
export async function saveLayout(tx: Tx, scope: Scope, layout: Layout): Promise<Table[]> {
  const { outletId, tables } = layout
  await getOutlet(tx, scope, outletId, 'outletId')
  const floor = layout.floorId === undefined ? null : await getFloor(tx, scope, layout.floorId, 'floorId')
  const ids = tables.map((table) => table.id)
  const known = new Map((await store.lockAll(tx, scope, ids)).map((table) => [table.id, table]))
  const unknown = ids.findIndex((id) => !known.has(id))
  if (unknown >= 0) throw notFound('table', `tables[${unknown}].id`)
  if (floor) requireSameOutlet(floor, outletId)
  const seen = new Set<string>()
  for (const [index, id] of ids.entries()) {
    const table = known.get(id)
    const param = `tables[${index}].id`
    if (seen.has(id)) throw invalid(param, `Table ${table?.label} is in the list twice`)
    seen.add(id)
    if (table?.outletId !== outletId) throw invalid(param, `Table ${table?.label} belongs to another outlet`)
    if (floor && table.floorId !== floor.id) {
      throw invalid(param, `Table ${table.label} is not on the floor ${floor.name}`)
    }
  }
  await statements.updateLayout(tx, scope, tables)
  touchBoard(scope, 'floor', outletId)
  touchCatalogue(scope, 'table', ids)
  return store.listByIds(tx, scope, ids)
}

function requireSameOutlet(floor: { name: string; outletId: string }, outletId: string) {
  if (floor.outletId !== outletId) throw invalid('floorId', `${floor.name} belongs to another outlet`)
}

async function requireFreeLabel(
  tx: Tx,
  scope: Scope,
  { outletId, label, ownId }: { outletId: string; label: string; ownId?: string | undefined },
) {
  const taken = await store.findByLabel(tx, scope, outletId, label)
  if (!taken || taken.id === ownId) return
  throw conflict(
    `This outlet already has a table ${taken.label}${taken.isActive ? '' : ', which is inactive'}; choose another label`,
  )
}

/** If two transactions both find the label free, the unique index decides. */
const labelTaken = (label: string) => (error: unknown) => {
  if (!isUniqueViolation(error)) throw error
  throw new ApiError('CONFLICT', `This outlet already has a table ${label}; choose another label`, {
    cause: error,
  })
}
