import { Type } from 'typebox'
import { pageOf } from '../../../core/cursor.ts'
import { route } from '../../../platform/http/route.ts'
import { IdParams } from '../../../platform/http/shapes.ts'
import { CountIn, CountLine, CountQuery, LinesIn, StockCount, StockCountDetail } from './schema.ts'
import { cancelCount, countLines, createCount, getCount, postCount } from './service.ts'
import * as store from './store.ts'

const area = 'stock-counts'
const One = Type.Object({ stockCount: StockCountDetail })

export const stockCountRoutes = [
  route({
    name: 'stockCounts.list',
    method: 'GET',
    path: '/stock-counts',
    area,
    summary: 'List stock counts, newest first',
    description: '`outletId` and `status` filter the list.',
    access: 'page',
    delegation: 'read',
    query: CountQuery,
    returns: StockCount,
    handle: async ({ db, scope, query }) => pageOf(await store.list(db, scope, query), query.limit),
  }),
  route({
    name: 'stockCounts.create',
    method: 'POST',
    path: '/stock-counts',
    area,
    summary: 'Open a stock count',
    description:
      'Tills go on selling. Without `categoryIds` all goods can be counted. `blind` hides the expected quantities until the post.',
    access: 'write',
    delegation: 'books',
    role: 'CASHIER',
    status: 201,
    body: CountIn,
    returns: One,
    handle: async ({ tx, scope, body }) => ({ stockCount: await createCount(tx, scope, body) }),
  }),
  route({
    name: 'stockCounts.get',
    method: 'GET',
    path: '/stock-counts/{id}',
    area,
    summary: 'Read a stock count with its lines',
    description: '`variance` compares each line with the level at the moment it was counted.',
    access: 'read',
    delegation: 'read',
    params: IdParams,
    returns: One,
    handle: async ({ db, scope, params }) => ({ stockCount: await getCount(db, scope, params.id) }),
  }),
  route({
    name: 'stockCounts.count',
    method: 'POST',
    path: '/stock-counts/{id}/lines',
    area,
    summary: 'Count goods',
    description:
      'Several devices may count at the same time. Counting a variant again replaces its line. Send either `lines` or `csv`.',
    access: 'write',
    delegation: 'books',
    role: 'CASHIER',
    params: IdParams,
    body: LinesIn,
    returns: Type.Object({ stockCount: StockCount, lines: Type.Array(CountLine) }),
    handle: ({ tx, scope, params, body }) => countLines(tx, scope, params.id, body),
  }),
  route({
    name: 'stockCounts.post',
    method: 'POST',
    path: '/stock-counts/{id}/post',
    area,
    summary: 'Post a stock count',
    description:
      'Moves each counted level by its variance, so sales since then stay counted. Goods without a line do not change. A count is posted once (409).',
    access: 'write',
    delegation: 'books',
    role: 'MANAGER',
    params: IdParams,
    returns: One,
    handle: async ({ tx, scope, params }) => ({ stockCount: await postCount(tx, scope, params.id) }),
  }),
  route({
    name: 'stockCounts.cancel',
    method: 'POST',
    path: '/stock-counts/{id}/cancel',
    area,
    summary: 'Cancel a stock count',
    description: 'Moves no stock. A posted or cancelled count cannot be cancelled (409).',
    access: 'write',
    delegation: 'books',
    role: 'CASHIER',
    params: IdParams,
    returns: One,
    handle: async ({ tx, scope, params }) => ({ stockCount: await cancelCount(tx, scope, params.id) }),
  }),
]
