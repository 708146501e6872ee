import { Type } from 'typebox'
import { event, occasionOf, Shortened } from '../../../core/events.ts'
import { stockReceived } from '../inventory/index.ts'
import { Order } from './schema.ts'

const group = 'purchase order'
const data = Type.Object({ purchaseOrder: Shortened(Order) })

export const orderPlaced = event('service.purchase_order.ordered.v1', {
  group,
  meaning: 'An order was placed with the supplier.',
  data,
})
export const orderReceived = event('service.purchase_order.received.v1', {
  group,
  meaning: 'Goods of an order were received, in part or in full.',
  data,
})
export const orderCancelled = event('service.purchase_order.cancelled.v1', {
  group,
  meaning: 'An order was cancelled.',
  data,
})
/** Goods of an order came in: the order tells of all its batches and levels at once. */
export const stockOfOrderReceived = occasionOf(stockReceived, data)

export const purchaseOrderEvents = [orderPlaced, orderReceived, orderCancelled, stockOfOrderReceived]
