import { Type } from 'typebox'
import { event, Shortened } from '../../../core/events.ts'
import { Product } from './schema.ts'

const group = 'product'
const data = Type.Object({ product: Shortened(Product, 'variants') })

export const productCreated = event('service.product.created.v1', {
  group,
  meaning: 'A product was created.',
  data,
})
export const productUpdated = event('service.product.updated.v1', {
  group,
  meaning: 'A product, a variant or a recipe changed.',
  data,
})
export const productDeleted = event('service.product.deleted.v1', {
  group,
  meaning: 'A product was deleted or deactivated.',
  data,
})

export const productEvents = [productCreated, productUpdated, productDeleted]
