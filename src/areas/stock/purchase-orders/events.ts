import { Type } from 'typebox'
import { event, occasionOf, Shortened } from '../../../core/events.ts'
import { stockReceived } from '../inventory/index.ts'
import { PurchaseOrderView } from './schema.ts'

const group = 'purchase order'
const data = Type.Object({ purchaseOrder: Shortened(PurchaseOrderView) })

export const orderPlaced = event('service.purchase_order.ordered.v1', {
  group,
  meaning: 'A purchase order was placed with the supplier.',
  data,
})
export const orderReceived = event('service.purchase_order.received.v1', {
  group,
  meaning: 'Goods of a purchase order were received, in part or in full.',
  data,
})
export const orderCancelled = event('service.purchase_order.cancelled.v1', {
  group,
  meaning: 'A purchase order was cancelled.',
  data,
})
/** One event announces all batches and levels of a receipt. */
export const stockOfOrderReceived = occasionOf(stockReceived, data)

export const purchaseOrderEvents = [orderPlaced, orderReceived, orderCancelled, stockOfOrderReceived]
