import { Type } from 'typebox'
import { event } from '../../../core/events.ts'
import { StockCount } from './schema.ts'

export const countPosted = event('service.stock_count.posted.v1', {
  group: 'stock',
  meaning: 'A stock count was posted: each level moved by the difference that was found.',
  data: Type.Object({ stockCount: StockCount }),
})

export const stockCountEvents = [countPosted]
