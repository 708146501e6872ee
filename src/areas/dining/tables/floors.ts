import { conflict, notFound } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { type Scope, touchBoard, touchCatalogue } from '../../../platform/scope.ts'
import { getActiveOutlet, getOutlet } from '../../workspace/outlets/index.ts'
import type { Floor, FloorIn, FloorPatch } from './schema.ts'
import * as store from './store-floors.ts'

/** The floor that is created for the first table of an outlet without floors (B-table-1). */
const MAIN_FLOOR = 'Main floor'

export async function listFloors(db: Db, scope: Scope, outletId: string): Promise<Floor[]> {
  await getOutlet(db, scope, outletId, 'outletId')
  return store.list(db, scope, outletId)
}

/** Returns the floor. Throws 404 if it does not exist; `param` names the field of the body that contained the id. */
export async function getFloor(db: Db, scope: Scope, id: string, param?: string): Promise<Floor> {
  const floor = await store.find(db, scope, id)
  if (!floor) throw notFound('floor', param)
  return floor
}

export async function createFloor(tx: Tx, scope: Scope, input: FloorIn): Promise<Floor> {
  await getActiveOutlet(tx, scope, input.outletId)
  const id = await store.insert(tx, scope, input)
  touchBoard(scope, 'floor', input.outletId)
  touchCatalogue(scope, 'floor', [id])
  return getFloor(tx, scope, id)
}

export async function updateFloor(tx: Tx, scope: Scope, id: string, patch: FloorPatch): Promise<Floor> {
  const floor = await getFloor(tx, scope, id)
  if (Object.keys(patch).length === 0) return floor
  await store.update(tx, scope, id, patch)
  touchBoard(scope, 'floor', floor.outletId)
  touchCatalogue(scope, 'floor', [id])
  return getFloor(tx, scope, id)
}

/** Deletes a floor. Throws 409 while it has an active or inactive table (B-table-4). */
export async function deleteFloor(tx: Tx, scope: Scope, id: string) {
  if (!(await store.lock(tx, scope, id))) throw notFound('floor')
  const floor = await getFloor(tx, scope, id)
  if (floor.tableCount > 0) {
    throw conflict(
      `${floor.name} still has ${floor.tableCount} tables, active or not; move or delete them first`,
    )
  }
  await store.remove(tx, scope, id)
  touchBoard(scope, 'floor', floor.outletId)
  touchCatalogue(scope, 'floor', [id])
  return { id, deleted: true as const }
}

/**
 * Returns the first floor of an outlet. Creates "Main floor" if there is none, and only once for concurrent requests.
 */
export async function firstFloor(tx: Tx, scope: Scope, outletId: string): Promise<string> {
  const known = await store.first(tx, scope, outletId)
  if (known) return known.id
  await store.lockOutlet(tx, scope, outletId)
  const made = await store.first(tx, scope, outletId)
  return made?.id ?? store.insert(tx, scope, { outletId, name: MAIN_FLOOR, sortOrder: 0 })
}
