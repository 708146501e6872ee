export { exportCatalogueFile, importCatalogueFile } from './csv/files.ts'
export { productRoutes } from './routes.ts'
export { Product, Variant } from './schema.ts'
export { getVariantForStock } from './sellables.ts'
export { getProduct } from './service.ts'
export { setVariantCosts } from './store-costs.ts'
export {
  findSellables,
  findStockVariants,
  holdVariants,
  type Sellable,
  type SellableComponent,
  type StockVariant,
} from './store-sellables.ts'
