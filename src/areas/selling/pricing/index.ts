/** Price lists: the unit price of goods by outlet, order type, channel, customer group and time */

export { type PriceBook, pricingAt } from './cache.ts'
export { pricingEvents } from './events.ts'
export { pricingRoutes } from './routes.ts'
export { PriceList } from './schema.ts'
