import { Type } from 'typebox'
import { event } from '../../../core/events.ts'
import { Batch, Level, Moved, Transferred } from './schema.ts'

const group = 'stock'

export const stockAdjusted = event('service.stock.adjusted.v1', {
  group,
  meaning: 'A user adjusted a stock level.',
  data: Moved,
})
export const stockTransferred = event('service.stock.transferred.v1', {
  group,
  meaning: 'Goods moved between outlets.',
  data: Transferred,
})
/** The room of purchase orders declares a second occasion of this event. */
export const stockReceived = event('service.stock.received.v1', {
  group,
  meaning: 'Goods were received as a batch or on a purchase order.',
  data: Type.Object({ batch: Batch, level: Level }),
})
export const stockLow = event('service.stock.low.v1', {
  group,
  meaning: 'A level fell to or below its reorder point.',
  data: Type.Object({ level: Level }),
})

export const stockEvents = [stockAdjusted, stockTransferred, stockReceived, stockLow]
