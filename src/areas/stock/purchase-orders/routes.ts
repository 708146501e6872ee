import { Type } from 'typebox'
import { route } from '../../../platform/http/route.ts'
import { IdParams } from '../../../platform/http/shapes.ts'
import { listed, texts } from '../../../platform/http/whole.ts'
import { receiveOrder } from './receive.ts'
import { Order, OrderIn, OrderPatch, OrderQuery, ReceiveIn } from './schema.ts'
import { cancelOrder, createOrder, getOrder, placeOrder, updateOrder } from './service.ts'
import * as store from './store.ts'

const area = 'purchase-orders'
/** An order may hold hundreds of lines. */
const ORDERS_AT_ONCE = 100
const One = Type.Object({ purchaseOrder: Order })

export const purchaseOrderRoutes = [
  route({
    name: 'purchaseOrders.list',
    method: 'GET',
    path: '/purchase-orders',
    area,
    summary: 'List purchase orders, newest first',
    access: 'read',
    whole: true,
    delegation: 'read',
    query: OrderQuery,
    returns: Type.Object({ purchaseOrders: Type.Array(Order) }),
    handle: ({ db, scope, query: { outletId, status, ...page } }) =>
      listed(page, {
        name: 'purchaseOrders',
        keyOf: ({ id }) => [id],
        isKey: texts(1),
        read: (span) => store.list(db, scope, { outletId, status }, span),
        portion: ORDERS_AT_ONCE,
      }),
  }),
  route({
    name: 'purchaseOrders.create',
    method: 'POST',
    path: '/purchase-orders',
    area,
    summary: 'Create a draft order',
    access: 'write',
    delegation: 'books',
    status: 201,
    body: OrderIn,
    returns: One,
    handle: async ({ tx, scope, body }) => ({ purchaseOrder: await createOrder(tx, scope, body) }),
  }),
  route({
    name: 'purchaseOrders.get',
    method: 'GET',
    path: '/purchase-orders/{id}',
    area,
    summary: 'Read a purchase order',
    access: 'read',
    delegation: 'read',
    params: IdParams,
    returns: One,
    handle: async ({ db, scope, params }) => ({ purchaseOrder: await getOrder(db, scope, params.id) }),
  }),
  route({
    name: 'purchaseOrders.update',
    method: 'PATCH',
    path: '/purchase-orders/{id}',
    area,
    summary: 'Change a draft: its lines are replaced',
    access: 'write',
    delegation: 'books',
    params: IdParams,
    body: OrderPatch,
    returns: One,
    handle: async ({ tx, scope, params, body }) => ({
      purchaseOrder: await updateOrder(tx, scope, params.id, body),
    }),
  }),
  route({
    name: 'purchaseOrders.order',
    method: 'POST',
    path: '/purchase-orders/{id}/order',
    area,
    summary: 'Mark a draft as ordered',
    access: 'write',
    delegation: 'books',
    params: IdParams,
    returns: One,
    handle: async ({ tx, scope, params }) => ({ purchaseOrder: await placeOrder(tx, scope, params.id) }),
  }),
  route({
    name: 'purchaseOrders.receive',
    method: 'POST',
    path: '/purchase-orders/{id}/receive',
    area,
    summary: 'Receive goods of an order',
    description:
      'Each row names a line by itemId or variantId; several rows may name one line (two batches). Rows with a number or a date become batches.',
    access: 'write',
    delegation: 'books',
    params: IdParams,
    body: ReceiveIn,
    returns: One,
    handle: async ({ tx, scope, params, body }) => ({
      purchaseOrder: await receiveOrder(tx, scope, params.id, body),
    }),
  }),
  route({
    name: 'purchaseOrders.cancel',
    method: 'POST',
    path: '/purchase-orders/{id}/cancel',
    area,
    summary: 'Cancel an order; goods that came in stay',
    access: 'write',
    delegation: 'books',
    params: IdParams,
    returns: One,
    handle: async ({ tx, scope, params }) => ({ purchaseOrder: await cancelOrder(tx, scope, params.id) }),
  }),
]
