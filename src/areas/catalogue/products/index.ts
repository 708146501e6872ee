export { exportCatalogueFile, importCatalogueFile } from './csv/files.ts'
export { productEvents } from './events.ts'
export { productRoutes } from './routes.ts'
export { setVariantCosts } from './statements-costs.ts'
export {
  RECIPE_AS_JSON,
  type RecipePart,
  type SellableVariant,
  type StockVariant,
  sellablesAsJson,
  sellablesHeld,
  shareStockVariants,
  shareVariants,
} from './statements-stock-variants.ts'
export { shareVariantForStock } from './stock-variants.ts'
