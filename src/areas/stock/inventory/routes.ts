import { Type } from 'typebox'
import { pageOf } from '../../../core/cursor.ts'
import { isDay } from '../../../core/time.ts'
import { route } from '../../../platform/http/route.ts'
import { flagOf } from '../../../platform/http/shapes.ts'
import { type Key, listed, texts } from '../../../platform/http/whole.ts'
import { listComposites } from './composites.ts'
import { listMovements } from './movements.ts'
import {
  Batch,
  BatchIn,
  BatchMade,
  BatchQuery,
  Composite,
  CompositeQuery,
  ExpiringQuery,
  Level,
  LevelQuery,
  Moved,
  Movement,
  MovementQuery,
  ReorderIn,
  StockAdjustmentIn,
  TransferIn,
  Transferred,
} from './schema.ts'
import { adjustStock, createBatch, listExpiring, setReorderPoint } from './service.ts'
import { listBatches } from './store-batches.ts'
import { listLevels } from './store-levels.ts'
import { transferStock } from './transfer.ts'

const area = 'inventory'
const Batches = Type.Object({ batches: Type.Array(Batch) })
const BY_EXPIRY = {
  keyOf: ({ expiryDate, id }: Batch) => [expiryDate, id],
  isKey: ([day = null, id = null, ...more]: Key) =>
    more.length === 0 && id !== null && (day === null || isDay(day)),
}

const reads = [
  route({
    name: 'inventory.listLevels',
    method: 'GET',
    path: '/inventory/levels',
    area,
    summary: 'List stock levels',
    description:
      'Levels are sorted by product name. `low=true` returns only levels at or below their reorder point.',
    access: 'whole',
    delegation: 'read',
    query: LevelQuery,
    returns: Type.Object({ levels: Type.Array(Level) }),
    handle: ({ db, scope, query: { outletId, low, ...page } }) =>
      listed(page, {
        name: 'levels',
        keyOf: ({ productName, productId, variantName, id }) => [productName, productId, variantName, id],
        isKey: texts(4),
        read: (span) => listLevels(db, scope, { outletId, low: flagOf(low) }, span),
      }),
  }),
  route({
    name: 'inventory.listComposites',
    method: 'GET',
    path: '/inventory/composites',
    area,
    summary: 'List how many of each composite an outlet can make',
    description:
      '`limitingComponentId` is the `componentVariantId` of the component that runs out first. Untracked components set no limit.',
    access: 'read',
    delegation: 'read',
    query: CompositeQuery,
    returns: Type.Object({ composites: Type.Array(Composite) }),
    handle: async ({ db, scope, query }) => ({ composites: await listComposites(db, scope, query.outletId) }),
  }),
  route({
    name: 'inventory.listMovements',
    method: 'GET',
    path: '/inventory/movements',
    area,
    summary: 'Read the stock ledger, newest first',
    description:
      'Movements never change. Each one has the stock level after it. `from` and `to` filter by time, `type` by kind.',
    access: 'page',
    delegation: 'read',
    query: MovementQuery,
    returns: Movement,
    handle: async ({ db, scope, query }) => {
      return pageOf(await listMovements(db, scope, query), query.limit)
    },
  }),
  route({
    name: 'inventory.listBatches',
    method: 'GET',
    path: '/inventory/batches',
    area,
    summary: 'List batches that still have stock',
    description:
      'Batches are sorted by expiry date, those without one last. `all=true` adds empty batches. `isExpired` marks expired batches.',
    access: 'whole',
    delegation: 'read',
    query: BatchQuery,
    returns: Batches,
    handle: ({ db, scope, query: { outletId, variantId, all, ...page } }) =>
      listed(page, {
        name: 'batches',
        ...BY_EXPIRY,
        read: (span) => listBatches(db, scope, { outletId, variantId, all: flagOf(all) ?? false }, span),
      }),
  }),
  route({
    name: 'inventory.listExpiring',
    method: 'GET',
    path: '/inventory/expiring',
    area,
    summary: 'List batches that expire soon',
    description:
      'Lists batches that expire within `days` days in the time zone of their outlet. Expired batches come first.',
    access: 'whole',
    delegation: 'read',
    query: ExpiringQuery,
    returns: Batches,
    handle: ({ db, scope, query: { outletId, days = 30, ...page } }) =>
      listed(page, {
        name: 'expiring',
        ...BY_EXPIRY,
        read: (span) => listExpiring(db, scope, { outletId, days }, span),
      }),
  }),
]

const writes = [
  route({
    name: 'inventory.adjust',
    method: 'POST',
    path: '/inventory/adjust',
    area,
    summary: 'Adjust stock up or down',
    description:
      'An increase adds unbatched units. A decrease removes unbatched units first, then expired batches, then the other batches by date.',
    access: 'write',
    delegation: 'books',
    body: StockAdjustmentIn,
    returns: Moved,
    handle: ({ tx, scope, body }) => adjustStock(tx, scope, body),
  }),
  route({
    name: 'inventory.setReorderPoint',
    method: 'PUT',
    path: '/inventory/reorder',
    area,
    summary: 'Set the reorder point of a variant at an outlet',
    description:
      'The level counts as low at or below this point. An event announces each fall to or below it.',
    access: 'write',
    delegation: 'books',
    body: ReorderIn,
    returns: Type.Object({ level: Level }),
    handle: async ({ tx, scope, body }) => ({ level: await setReorderPoint(tx, scope, body) }),
  }),
  route({
    name: 'inventory.transfer',
    method: 'POST',
    path: '/inventory/transfer',
    area,
    summary: 'Transfer stock to another outlet',
    description:
      'The transfer uses batches that expire first before others; they keep number, date and cost. `from` and `to` contain the level and the movement of each outlet.',
    access: 'write',
    delegation: 'books',
    body: TransferIn,
    returns: Transferred,
    handle: ({ tx, scope, body }) => transferStock(tx, scope, body),
  }),
  route({
    name: 'inventory.createBatch',
    method: 'POST',
    path: '/inventory/batches',
    area,
    summary: 'Receive a batch',
    description:
      'If the outlet already has a batch with this number and date, the units are added to it. Its cost becomes the weighted average.',
    access: 'write',
    delegation: 'books',
    status: 201,
    body: BatchIn,
    record: Batch,
    returns: BatchMade,
    handle: ({ tx, scope, body }) => createBatch(tx, scope, body),
  }),
]

export const inventoryRoutes = [...reads, ...writes]
