import { Type } from 'typebox'
import { event } from '../../../core/events.ts'
import { PriceList } from './schema.ts'

const group = 'price list'
const data = Type.Object({ priceList: PriceList })

export const priceListCreated = event('service.price_list.created.v1', {
  group,
  meaning: 'A price list was created.',
  data,
})
export const priceListUpdated = event('service.price_list.updated.v1', {
  group,
  meaning: 'A price list changed.',
  data,
})
export const priceListDeleted = event('service.price_list.deleted.v1', {
  group,
  meaning: 'A price list was deleted.',
  data,
})

export const pricingEvents = [priceListCreated, priceListUpdated, priceListDeleted]
