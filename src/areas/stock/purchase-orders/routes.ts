import { Type } from 'typebox'
import { route } from '../../../platform/http/route.ts'
import { IdParams } from '../../../platform/http/shapes.ts'
import { listed, texts } from '../../../platform/http/whole.ts'
import { receiveOrder } from './receive.ts'
import { OrderIn, OrderPatch, OrderQuery, PurchaseOrderView, ReceiveIn } from './schema.ts'
import { cancelOrder, createOrder, getOrder, placeOrder, updateOrder } from './service.ts'
import * as store from './store.ts'

const area = 'purchase-orders'
/** Orders per portion of a list: an order can have 500 items. */
const ORDERS_AT_ONCE = 25
const One = Type.Object({ purchaseOrder: PurchaseOrderView })

export const purchaseOrderRoutes = [
  route({
    name: 'purchaseOrders.list',
    method: 'GET',
    path: '/purchase-orders',
    area,
    summary: 'List purchase orders, newest first',
    description: '`outletId` and `status` filter the list.',
    access: 'whole',
    delegation: 'read',
    query: OrderQuery,
    returns: Type.Object({ purchaseOrders: Type.Array(PurchaseOrderView) }),
    handle: ({ db, scope, query: { outletId, status, ...page } }) =>
      listed(page, {
        name: 'purchaseOrders',
        keyOf: ({ id }) => [id],
        isKey: texts(1),
        read: (span) => store.list(db, scope, { outletId, status }, span),
        isLeftOut: store.isLeftOut,
        portion: ORDERS_AT_ONCE,
      }),
  }),
  route({
    name: 'purchaseOrders.create',
    method: 'POST',
    path: '/purchase-orders',
    area,
    summary: 'Create a draft of a purchase order',
    description:
      'An order has 1 to 500 items. Repeated variants, services and composites are 422. The default `cost` is the cost of the variant.',
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
    description: 'The answer includes its items with the received quantity of each.',
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
    summary: 'Change a draft of a purchase order',
    description: 'Only a DRAFT can be changed (409). `items` is required and replaces all items.',
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
    summary: 'Mark a draft of a purchase order as ordered',
    description:
      'Only a DRAFT can be ordered (409). The service sends no message to the supplier. Stock changes when goods are received.',
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
      'Each row names an item of the order by `itemId` or `variantId`. Several rows can name the same item, for example for two batches. Rows with a number or a date become batches.',
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
    summary: 'Cancel a purchase order',
    description:
      'Goods that were already received stay in stock. A RECEIVED or CANCELLED order cannot be cancelled (409).',
    access: 'write',
    delegation: 'books',
    params: IdParams,
    returns: One,
    handle: async ({ tx, scope, params }) => ({ purchaseOrder: await cancelOrder(tx, scope, params.id) }),
  }),
]
