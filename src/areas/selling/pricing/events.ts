import { Type } from 'typebox'
import { event, Shortened } from '../../../core/events.ts'
import { PriceList } from './schema.ts'
import { Promotion } from './schema-promotions.ts'

const group = 'price list'
const data = Type.Object({ priceList: Shortened(PriceList, 'entries') })

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

const promotionGroup = 'promotion'
const promotionData = Type.Object({ promotion: Promotion })

export const promotionCreated = event('service.promotion.created.v1', {
  group: promotionGroup,
  meaning: 'A promotion or a voucher was created.',
  data: promotionData,
})
export const promotionUpdated = event('service.promotion.updated.v1', {
  group: promotionGroup,
  meaning: 'A promotion changed.',
  data: promotionData,
})
export const promotionDeleted = event('service.promotion.deleted.v1', {
  group: promotionGroup,
  meaning: 'A promotion was deleted.',
  data: promotionData,
})

export const pricingEvents = [
  priceListCreated,
  priceListUpdated,
  priceListDeleted,
  promotionCreated,
  promotionUpdated,
  promotionDeleted,
]
