/** Products with variants, recipes and barcodes; lookup at the till; import and export as CSV */

export { exportCatalogueFile, importCatalogueFile } from './csv/files.ts'
export { productEvents } from './events.ts'
export { productRoutes } from './routes.ts'
export { setVariantCosts } from './statements-costs.ts'
export { findPackIds } from './statements-packs.ts'
export {
  RECIPE_AS_JSON,
  type SellableVariant,
  type StockRecipePart,
  type StockVariant,
  sellableIfFree,
  sellablesAsJson,
  sellablesHeld,
  shareStockVariants,
  shareVariants,
} from './statements-stock-variants.ts'
export { shareVariantForStock } from './stock-variants.ts'
