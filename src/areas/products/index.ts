import type { Route } from '../../platform/http/route.ts'

export { getVariantForStock } from './sellables.ts'
export { setVariantCosts } from './store-costs.ts'
export {
  findSellables,
  findStockVariants,
  type Sellable,
  type SellableComponent,
  type StockVariant,
} from './store-sellables.ts'

export const productRoutes: readonly Route[] = []
