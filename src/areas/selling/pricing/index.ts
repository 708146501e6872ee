/** Price lists, promotions and vouchers, by outlet, order type, channel, customer group and time */

export { cachedPricingAt, type PriceBook, pricingAt } from './cache.ts'
export { pricingEvents } from './events.ts'
export { pricingRoutes } from './routes.ts'
export { promotionRoutes } from './routes-promotions.ts'
export { PriceList } from './schema.ts'
export { Promotion } from './schema-promotions.ts'
export { getPriceList } from './service.ts'
export {
  type CountedPromotions,
  claimUses,
  NO_VOUCHERS,
  readCounted,
  readUsedOnce,
  readVouchers,
  requireUsable,
  returnUses,
  type Vouchers,
} from './vouchers.ts'
